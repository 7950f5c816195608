//! What a step of each run costs, counted in the emulator: the figures of the tables in `tests/on-target/src/bits/trajectories`.

use anyhow::Result;

use super::PROGRAMS;
use super::hashes::{Hashes, parse};
use crate::machines::{self, Counter, Machine, Optimised};

/// Steps that are counted.
const STEPS: u64 = 200;

/// A machine of each kind of processor, with a counter that a long step does not wrap.
const MACHINES: [(&str, Counter); 3] = [
    ("cortex-m4f", Counter { shift: 5, frequency: Some(168_000_000) }),
    ("riscv32imc", Counter { shift: 5, frequency: None }),
    ("cortex-m0", Counter { shift: 7, frequency: Some(16_000_000) }),
];

/// Prints the mean instructions of a step of each run on the three kinds of processors.
pub fn print() -> Result<()> {
    let programs: Vec<_> = PROGRAMS.iter().filter(|program| program.has_runs()).collect();
    let names: Vec<&str> = programs.iter().map(|program| program.name).collect();
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for (column, (name, counter)) in MACHINES.iter().enumerate() {
        let machine = Machine::named(name);
        let files = machines::build(&[machine], &names, Optimised::ForSpeed)?.concat();
        for (program, file) in programs.iter().zip(files) {
            if program.too_large_for.contains(name) {
                continue;
            }
            let counts: Hashes = parse(&machine.count_with(&file, &[STEPS, 0, 0], counter)?)?;
            for (run, ticks) in counts {
                let row = match rows.iter().position(|(known, _)| *known == run) {
                    Some(row) => row,
                    None => {
                        rows.push((run, vec!["-".to_owned(); MACHINES.len()]));
                        rows.len() - 1
                    }
                };
                rows[row].1[column] = (counter.instructions(ticks.parse()?) / STEPS).to_string();
            }
        }
    }
    println!("Instructions of a step: {}", MACHINES.map(|(name, _)| name).join(", "));
    for (run, costs) in rows {
        println!("{run}: {}", costs.join(" "));
    }
    Ok(())
}

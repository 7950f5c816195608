//! Counts the instructions of a step of each run in the emulator: the figures of the tables in
//! `tests/on-target/src/bits/trajectories`.

use std::collections::BTreeMap;

use anyhow::Result;

use super::hashes::parse;
use super::{PROGRAMS, Program};
use crate::emulate::TIME_LIMIT;
use crate::machines::{self, Counter, DEFAULT, Machine};

/// The number of counted steps.
const STEPS: u64 = 200;

/// A machine of each kind of processor, with a counter that does not wrap during a long step.
const MACHINES: [(&str, Counter); 3] = [
    ("cortex-m4f", Counter { shift: 5, frequency: Some(168_000_000) }),
    ("riscv32imc", Counter { shift: 5, frequency: None }),
    ("cortex-m0", Counter { shift: 7, frequency: Some(16_000_000) }),
];

/// Prints the mean instructions per step of each run on the three kinds of processors.
pub fn print() -> Result<()> {
    let mut rows: BTreeMap<String, [String; MACHINES.len()]> = BTreeMap::new();
    for (column, (name, counter)) in MACHINES.into_iter().enumerate() {
        let machine = Machine::named(name);
        // The larger machine of a Cortex-M4F has another counter.
        let is_counted = |program: &&Program| program.has_runs() && (program.large.is_none() || name != DEFAULT.name);
        let programs: Vec<_> = PROGRAMS.iter().filter(is_counted).collect();
        let names: Vec<&str> = programs.iter().map(|program| program.name).collect();
        machines::build(&[machine], &names, "release", &[])?;
        for program in programs {
            let file = machine.built(program.name, "release");
            for (run, ticks) in parse(&machine.run(&file, &[STEPS, 0, 0], Some(counter), TIME_LIMIT)?)? {
                let row = rows.entry(run).or_insert_with(|| MACHINES.map(|_| "-".to_owned()));
                row[column] = (counter.instructions(ticks.parse()?) / STEPS).to_string();
            }
        }
    }
    println!("Instructions per step: {}", MACHINES.map(|(name, _)| name).join(", "));
    for (run, costs) in rows {
        println!("{run}: {}", costs.join(" "));
    }
    Ok(())
}

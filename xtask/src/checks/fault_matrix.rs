//! Every fault in every state of a loop, on this computer and on the emulated STM32F405: the same table, row by row.

use anyhow::{Result, ensure};
use loops::matrix::{Kept, Row, rows};

use super::board::same_lines;
use crate::machines::{self, Machine, Optimised};

/// The chip of the default board.
const MACHINE: &str = "cortex-m4f";

/// The table that `boards/loops` keeps as a snapshot, made here and there. Everything in it must be answered in the tick in which it is
/// found, be safe, lose nothing and start again.
pub fn run() -> Result<()> {
    let machine = Machine::named(MACHINE);
    let there = machines::build(&[machine], &["fault_matrix"], Optimised::ForSpeed)?;
    let there = machine.run(&there[0][0], false)?;

    let mut here = format!("{}\n", Row::HEADER);
    for row in rows() {
        let row = row?;
        let answered = row.answered == row.found.map(|_| 0);
        ensure!(answered && row.safe && row.kept != Kept::Lost && row.restarted, "{row}");
        here += &format!("{row}\n");
    }
    same_lines(&here, &there)?;
    println!("  {} rows are the same on {}", here.lines().count() - 1, machine.name);
    Ok(())
}

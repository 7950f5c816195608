//! Injects every fault in every state of a loop, on this computer and on the emulated STM32F405. Both must give the same table.

use anyhow::{Result, ensure};
use loops::matrix::{Kept, Row, rows};

use super::same_lines;
use crate::emulate::TIME_LIMIT;
use crate::machines::{self, DEFAULT};

/// Makes the table on both and compares. `boards/loops` keeps it as a snapshot. Each fault must be answered in the tick in which it is
/// found, leave the machine safe, keep the last good values and allow a restart.
pub fn run() -> Result<()> {
    machines::build(&[DEFAULT], &["fault_matrix"], "release", &[])?;
    let there = DEFAULT.run(&DEFAULT.built("fault_matrix", "release"), &[], None, TIME_LIMIT)?;

    let mut here = format!("{}\n", Row::HEADER);
    for row in rows() {
        let row = row?;
        let answered = row.answered == row.found.map(|_| 0);
        ensure!(answered && row.safe && row.kept != Kept::Lost && row.restarted, "{row}");
        here += &format!("{row}\n");
    }
    same_lines(&here, &there)?;
    println!("  {} rows are the same here and on {}", here.lines().count() - 1, DEFAULT.name);
    Ok(())
}

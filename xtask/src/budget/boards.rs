//! The figures of a board: instructions and stack of each loop's longest tick, flash and RAM of each variant of the firmware.

use std::path::Path;

use anyhow::{Result, ensure};

use super::file::Figures;
use super::{deepest, sizes};
use crate::boards::{Board, Variant};
use crate::firmware;

/// The flash of a firmware is rounded up to a multiple of this. The paths in it are not counted, but the padding around them
/// differs by a few bytes between computers.
const UNIT: u64 = 1024;

/// The machine code gives the stack of the deepest chain of calls, the stack paint that of the ticks that ran. The paint may show
/// less by this fraction (1/16): the innermost functions, which copy and multiply numbers, need not run where the stack is deepest.
const MAX_GAP: u64 = 16;

/// The figures of a board's loops, of its default firmware and of the `other` variants.
pub fn measure(board: &Board, other: &[Variant]) -> Result<Vec<(String, Figures)>> {
    let mut figures = Vec::new();
    for variant in other {
        figures.push(((*variant).to_owned(), whole(&board.build(variant)?)?));
    }
    let elf = board.build(board.variants()[0])?;
    figures.push(("firmware".to_owned(), whole(&elf)?));
    if board.model.is_some() {
        figures.extend(loops(board, &elf)?);
    }
    Ok(figures)
}

/// Flash and RAM of a program.
fn whole(elf: &Path) -> Result<Figures> {
    let sizes = sizes::of(elf)?;
    let flash = (sizes.program - sizes.folders).next_multiple_of(UNIT);
    Ok(Figures { flash: Some(flash), ram: Some(sizes.variables), ..Figures::default() })
}

/// Instructions and stack of each loop.
fn loops(board: &Board, elf: &Path) -> Result<Vec<(String, Figures)>> {
    let mut figures = Vec::new();
    for name in board.loops {
        let usual = firmware::log(board, elf, &[name], |_| ())?;
        // Painting the stack takes time, so the instructions come from the other run.
        let painted = firmware::log(board, elf, &[name, "stack"], |_| ())?;
        let stack = painted.timing.number("stack")?;
        // The firmware logs `u32::MAX` if the tick overwrote all of the paint.
        ensure!((1..u64::from(u32::MAX)).contains(&stack), "{}: {name} overwrites all stack paint", board.name);
        let instructions = board.instructions(&usual.timing)?;
        let measured = Figures { instructions: Some(instructions), stack: Some(stack), ..Figures::default() };
        figures.push(((*name).to_owned(), measured));
    }
    let deepest = deepest::below(elf, &["7session", "6sample"])?;
    let painted = figures.iter().filter_map(|(_, figures)| figures.stack).max().unwrap_or_default();
    println!("  {:12} {painted} bytes of stack used, at most {deepest} by the deepest chain of calls", board.name);
    let (name, near) = (board.name, deepest - deepest / MAX_GAP..=deepest);
    ensure!(near.contains(&painted), "{name}: {painted} bytes of stack are used, the deepest calls take {deepest}");
    Ok(figures)
}

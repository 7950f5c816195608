//! The firmware of a board: what its loops take of a tick and of the stack, and what the whole of it takes of flash and RAM, in each way
//! of building it.

use std::path::Path;

use anyhow::{Result, ensure};

use super::file::Figures;
use super::{deepest, sizes};
use crate::boards::Board;
use crate::firmware;

/// Firmware's flash is kept in units of so many bytes: around the folders that are left out of it, gaps of a few bytes differ
/// between computers.
const UNIT: u64 = 1024;

/// The code knows the stack of the deepest chain of calls, the paint that of the ticks that were run. They may be apart by this part
/// of it: the last functions of the chain, which copy and multiply numbers, need not be called where the stack is deepest.
const APART: u64 = 16;

/// The figures of a board's loops and of its firmware.
pub fn measure(board: &Board) -> Result<Vec<(String, Figures)>> {
    let [usual, others @ ..] = board.ways() else { return Ok(Vec::new()) };
    let mut figures = Vec::new();
    for way in others {
        figures.push((way.name.to_owned(), whole(&board.build_for(way)?)?));
    }
    let elf = board.build_for(usual)?;
    figures.push(("firmware".to_owned(), whole(&elf)?));
    if board.emulated.is_some() {
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
    for name in board.loops() {
        let usual = firmware::log(board, elf, &[name], |_| ())?;
        // Painting takes time before a tick, so that its times are those of another run.
        let painted = firmware::log(board, elf, &[name, "stack"], |_| ())?;
        let stack = painted.timing.stack;
        // What stands there if the tick goes beyond the paint.
        ensure!((1..u64::from(u32::MAX)).contains(&stack), "{}: {name} leaves no paint", board.name);
        let instructions = board.instructions(&usual.timing)?;
        let measured = Figures { instructions: Some(instructions), stack: Some(stack), ..Figures::default() };
        figures.push(((*name).to_owned(), measured));
    }
    let deepest = deepest::below(elf, &["7session", "6sample"])?;
    let painted = figures.iter().filter_map(|(_, figures)| figures.stack).max().unwrap_or_default();
    println!("  {:12} {painted} bytes of stack painted over, {deepest} along the deepest calls", board.name);
    ensure!(
        (deepest - deepest / APART..=deepest).contains(&painted),
        "{}: {painted} bytes of stack are painted over, the deepest calls take {deepest}",
        board.name
    );
    Ok(figures)
}

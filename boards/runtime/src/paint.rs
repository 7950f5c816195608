//! How much stack something takes: what lies below is painted before, and looked at afterwards.

use core::arch::asm;

/// Bytes below the stack pointer that are painted; what is measured must stay within. Of 16 KB of RAM, statics and the main program
/// leave little more.
pub const PAINTED: usize = 4 * 1024;

/// What nobody is likely to store at the far end of the stack.
const PAINT: u32 = 0x7a17_c0de;

/// Bytes below `top` that are paint no more; `None` if that is all of it.
pub fn painted_over(top: usize) -> Option<usize> {
    let bottom = top - PAINTED;
    // SAFETY: the words from the bottom of the paint to the stack pointer are RAM that nothing else uses.
    let is_paint = |address: &usize| unsafe { (*address as *const u32).read_volatile() } == PAINT;
    let untouched = (bottom..top).step_by(4).take_while(is_paint).count() * 4;
    (untouched > 0).then_some(PAINTED - untouched)
}

/// Paints what lies below the stack pointer, and returns the stack pointer.
#[inline(always)]
pub fn paint() -> usize {
    let top: usize;
    // SAFETY: only reads the stack pointer.
    unsafe {
        #[cfg(target_arch = "arm")]
        asm!("mov {}, sp", out(reg) top);
        #[cfg(target_arch = "riscv32")]
        asm!("mv {}, sp", out(reg) top);
    }
    let bottom = top - PAINTED;
    // SAFETY: writes RAM below the stack pointer, where nothing lives. In assembly, since a function of its own would have its
    // frame there.
    unsafe {
        #[cfg(target_arch = "arm")]
        asm!(
            "2: str {paint}, [{place}]", "adds {place}, #4", "cmp {place}, {top}", "blo 2b",
            place = inout(reg) bottom => _, top = in(reg) top, paint = in(reg) PAINT,
        );
        #[cfg(target_arch = "riscv32")]
        asm!(
            "2: sw {paint}, 0({place})", "addi {place}, {place}, 4", "bltu {place}, {top}, 2b",
            place = inout(reg) bottom => _, top = in(reg) top, paint = in(reg) PAINT,
        );
    }
    top
}

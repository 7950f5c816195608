//! Measures the stack that a call uses: fills the memory below the stack pointer with a pattern before the call, and checks afterwards
//! how much of it is overwritten. The call must use less than the painted bytes.

use core::arch::asm;

/// The pattern. Code is unlikely to store this value at the far end of the stack.
const PAINT: u32 = 0x7a17_c0de;

/// The overwritten bytes below `top`; `None` if all of the paint was overwritten.
pub fn painted_over<const BYTES: usize>(top: usize) -> Option<usize> {
    let bottom = top - BYTES;
    // SAFETY: the words from the bottom of the paint to the stack pointer are RAM that nothing else uses.
    let is_paint = |address: &usize| unsafe { (*address as *const u32).read_volatile() } == PAINT;
    let untouched = (bottom..top).step_by(4).take_while(is_paint).count() * 4;
    (untouched > 0).then_some(BYTES - untouched)
}

/// Paints the memory below the stack pointer, and returns the stack pointer.
#[inline(always)]
pub fn paint<const BYTES: usize>() -> usize {
    let top: usize;
    // SAFETY: only reads the stack pointer.
    unsafe {
        #[cfg(target_arch = "arm")]
        asm!("mov {}, sp", out(reg) top);
        #[cfg(target_arch = "riscv32")]
        asm!("mv {}, sp", out(reg) top);
    }
    let bottom = top - BYTES;
    // SAFETY: writes unused RAM below the stack pointer. In assembly, because the frame of a called function would be there.
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

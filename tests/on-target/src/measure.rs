//! Counting what a kernel costs: instructions through the machine's counter, bytes of stack by painting it.
//!
//! Both call the kernel through a pointer whose value the compiler does not know, from the same instructions for every kernel of
//! a type. The same call of a kernel that does nothing is measured along with it; subtracted, it leaves what the kernel itself
//! executes, without the call and the return.

use core::arch::asm;
use core::hint::black_box;
use core::mem::MaybeUninit;

use crate::kernels::{Kernel, Sample};

/// Bytes below the stack pointer that are painted; what a kernel uses must stay within.
const PAINTED: usize = 6 * 1024;

/// What no kernel is likely to store at the far end of its stack.
const PAINT: u32 = 0x7a17_c0de;

/// What a kernel costs at most over the samples of its input.
pub struct Cost {
    /// Readings of the counter: [`counter`] says of what.
    pub ticks: u32,
    /// The same for the kernel that does nothing.
    pub ticks_of_nothing: u32,
    /// Bytes of stack; `None` if it reached the end of the paint.
    pub stack: Option<usize>,
}

/// What a kernel costs at most over the samples of its input.
pub fn cost<I: Sample, O>(kernel: Kernel<I, O>) -> Cost {
    let mut worst = Cost { ticks: 0, ticks_of_nothing: 0, stack: Some(0) };
    for input in (0..).map_while(I::sample) {
        worst.ticks = worst.ticks.max(ticks(kernel, &input));
        worst.ticks_of_nothing = worst.ticks_of_nothing.max(ticks(nothing::<I, O>, &input));
        worst.stack = worst.stack.zip(stack(kernel, &input)).map(|(left, right)| left.max(right));
    }
    worst
}

fn nothing<I, O>(_: &I, _: &mut MaybeUninit<O>) {}

#[inline(never)]
fn ticks<I, O>(kernel: Kernel<I, O>, input: &I) -> u32 {
    let kernel = black_box(kernel);
    let mut output = MaybeUninit::uninit();
    let begin = counter::read();
    kernel(black_box(input), &mut output);
    let end = counter::read();
    black_box(&output);
    counter::elapsed(begin, end)
}

#[inline(never)]
fn stack<I, O>(kernel: Kernel<I, O>, input: &I) -> Option<usize> {
    let kernel = black_box(kernel);
    let mut output = MaybeUninit::uninit();
    let top = paint();
    kernel(black_box(input), &mut output);
    black_box(&output);
    painted_over(top)
}

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

/// Readings of the counter for blocks of `nop` instructions, to calibrate against: `(instructions, ticks)`.
pub fn calibration() -> [(u32, u32); 3] {
    macro_rules! block {
        ($length:literal) => {{
            // A function of its own, so that the block lies between no other code and its constants.
            #[inline(never)]
            fn ticks() -> u32 {
                let begin = counter::read();
                // SAFETY: does nothing.
                unsafe { asm!(concat!(".rept ", $length), "nop", ".endr") };
                let end = counter::read();
                counter::elapsed(begin, end)
            }
            ($length, ticks())
        }};
    }
    [block!(0), block!(40), block!(400)]
}

/// SysTick at the processor's clock. The emulator's virtual time advances by a fixed time for each instruction, so that ticks are
/// instructions times a factor.
#[cfg(target_arch = "arm")]
pub mod counter {
    use cortex_m::peripheral::{Peripherals, SYST, syst::SystClkSource};

    const LONGEST: u32 = 0x00ff_ffff;

    /// Ticks of a round.
    pub const ROUND: u64 = LONGEST as u64 + 1;

    /// Whether a round ends between two readings less than one round apart.
    pub fn wraps(begin: u32, end: u32) -> bool {
        end > begin
    }

    /// Lets the counter run.
    pub fn start() {
        if let Some(mut peripherals) = Peripherals::take() {
            peripherals.SYST.set_clock_source(SystClkSource::Core);
            peripherals.SYST.set_reload(LONGEST);
            peripherals.SYST.clear_current();
            peripherals.SYST.enable_counter();
        }
    }

    /// The counter, which counts down.
    #[inline(always)]
    pub fn read() -> u32 {
        SYST::get_current()
    }

    /// Ticks between two readings less than one round apart.
    pub fn elapsed(begin: u32, end: u32) -> u32 {
        begin.wrapping_sub(end) & LONGEST
    }
}

/// `minstret`, which counts instructions.
#[cfg(target_arch = "riscv32")]
pub mod counter {
    use core::arch::asm;

    /// Ticks of a round.
    pub const ROUND: u64 = 1 << 32;

    /// Whether a round ends between two readings less than one round apart.
    pub fn wraps(begin: u32, end: u32) -> bool {
        end < begin
    }

    /// The counter always runs.
    pub fn start() {}

    /// The counter's lower half.
    #[inline(always)]
    pub fn read() -> u32 {
        let count;
        // SAFETY: reads a counter.
        unsafe { asm!("csrr {}, minstret", out(reg) count) };
        count
    }

    /// Ticks between two readings.
    pub fn elapsed(begin: u32, end: u32) -> u32 {
        end.wrapping_sub(begin)
    }
}

/// Rounds of the counter, for what takes longer than one. They are counted where a program has [`count_rounds`](crate::count_rounds)
/// and has started them; elsewhere there are none, and everything is shorter than a round.
pub mod rounds {
    use core::arch::asm;
    use core::sync::atomic::{AtomicU32, Ordering};

    use super::counter;

    static PASSED: AtomicU32 = AtomicU32::new(0);

    /// Lets the counter interrupt the program at the end of each round.
    #[cfg(target_arch = "arm")]
    pub fn start() {
        // SAFETY: only what uses the counter starts its rounds.
        unsafe { cortex_m::Peripherals::steal() }.SYST.enable_interrupt();
    }

    /// A round of this counter is long enough.
    #[cfg(target_arch = "riscv32")]
    pub fn start() {}

    /// Counts a round: nothing but the interrupt's handler calls it.
    pub fn pass() {
        // A Cortex-M0 has no atomic addition, and nobody else writes.
        PASSED.store(PASSED.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }

    /// The rounds counted.
    pub fn passed() -> u32 {
        PASSED.load(Ordering::Relaxed)
    }

    /// A loop of known length that takes several rounds, to calibrate against: its instructions, and their ticks with the
    /// instructions of the interrupts.
    #[inline(never)]
    pub fn calibration() -> (u32, u64) {
        const TURNS: u32 = 2_000_000;
        let rounds = passed();
        let begin = counter::read();
        // SAFETY: counts a register down.
        unsafe {
            #[cfg(target_arch = "arm")]
            asm!("2: subs {turns}, #1", "bne 2b", turns = inout(reg) TURNS => _);
            #[cfg(target_arch = "riscv32")]
            asm!("2: addi {turns}, {turns}, -1", "bnez {turns}, 2b", turns = inout(reg) TURNS => _);
        }
        let end = counter::read();
        (2 * TURNS, elapsed(begin, end, passed().wrapping_sub(rounds)))
    }

    /// Ticks between two readings with so many ends of rounds in between.
    pub fn elapsed(begin: u32, end: u32, rounds: u32) -> u64 {
        let within = counter::elapsed(begin, end);
        // The end of a round that lies within the remainder is part of it.
        let whole = rounds.saturating_sub(u32::from(counter::wraps(begin, end)));
        u64::from(whole) * counter::ROUND + u64::from(within)
    }
}

/// Counts the rounds of the counter in this program.
#[macro_export]
macro_rules! count_rounds {
    () => {
        #[cfg(target_arch = "arm")]
        #[cortex_m_rt::exception]
        fn SysTick() {
            $crate::measure::rounds::pass();
        }
    };
}

//! Measures the cost of a kernel: instructions with the machine's counter, bytes of stack by painting the stack.
//!
//! Both call the kernel through a pointer whose value the compiler does not know, with the same instructions for every kernel of a
//! type. The same call of an empty kernel is measured as well. The difference, plus the empty kernel's own frame and return, is the kernel
//! itself.

use core::arch::asm;
use core::hint::black_box;
use core::mem::MaybeUninit;

use crate::kernels::{Kernel, Sample};

/// Shared with the boards, so that the unsafe code is written once.
#[path = "../../../boards/runtime/src/paint.rs"]
mod paint;

/// The bytes below the stack pointer to paint. A kernel must use less. The Cortex-M0 has less RAM, and no rows with deep stacks.
const PAINTED: usize = if cfg!(any(target_arch = "riscv32", target_abi = "eabihf")) { 32 * 1024 } else { 12 * 1024 };

/// The largest cost of a kernel over its sample inputs.
pub struct Cost {
    /// Ticks of the [`counter`].
    pub ticks: u32,
    /// The ticks of the empty kernel.
    pub ticks_of_nothing: u32,
    /// Bytes of stack; `None` if all of the paint was overwritten.
    pub stack: Option<usize>,
}

/// Measures the largest cost of a kernel over its sample inputs.
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

/// The overwritten bytes below `top`; `None` if all of the paint was overwritten.
pub fn painted_over(top: usize) -> Option<usize> {
    paint::painted_over::<PAINTED>(top)
}

/// Paints the memory below the stack pointer, and returns the stack pointer.
#[inline(always)]
pub fn paint() -> usize {
    paint::paint::<PAINTED>()
}

/// The same for code that needs more stack: paints this many bytes.
#[inline(always)]
pub fn paint_deep<const BYTES: usize>() -> usize {
    paint::paint::<BYTES>()
}

/// The overwritten bytes below `top`, of so many painted ones; `None` if all were overwritten.
pub fn painted_over_deep<const BYTES: usize>(top: usize) -> Option<usize> {
    paint::painted_over::<BYTES>(top)
}

/// Starts the counter, and prints what is needed to convert its ticks: blocks of `nop` instructions, to check it, and the call of an
/// empty function beside that of a single return. The difference is the frame of the empty function, which a step has as well.
pub fn start() {
    use semihosting::println;

    counter::start();
    for (instructions, ticks) in calibration() {
        println!("nops {instructions} {ticks}");
    }
    println!("empty {} {}", ticks_of_call(empty), ticks_of_call(single_return));
}

extern "C" fn empty() {}

/// One instruction.
#[unsafe(naked)]
extern "C" fn single_return() {
    #[cfg(target_arch = "arm")]
    core::arch::naked_asm!("bx lr");
    #[cfg(target_arch = "riscv32")]
    core::arch::naked_asm!("ret");
}

#[inline(never)]
fn ticks_of_call(function: extern "C" fn()) -> u32 {
    let function = black_box(function);
    let begin = counter::read();
    function();
    let end = counter::read();
    counter::elapsed(begin, end)
}

/// Counts blocks of `nop` instructions: `(instructions, ticks)`.
fn calibration() -> [(u32, u32); 3] {
    macro_rules! block {
        ($length:literal) => {{
            // A separate function, so that the block does not come between other code and its literal pool.
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

/// SysTick at the processor's clock. The emulated time advances by a fixed amount per instruction, so ticks are proportional to
/// instructions.
#[cfg(target_arch = "arm")]
pub mod counter {
    use cortex_m::peripheral::{Peripherals, SYST, syst::SystClkSource};

    const LONGEST: u32 = 0x00ff_ffff;

    /// Ticks until the counter wraps.
    pub const ROUND: u64 = LONGEST as u64 + 1;

    /// Whether the counter wraps between two readings that are less than one round apart.
    pub fn wraps(begin: u32, end: u32) -> bool {
        end > begin
    }

    /// Starts the counter.
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

    /// Ticks until the counter wraps.
    pub const ROUND: u64 = 1 << 32;

    /// Whether the counter wraps between two readings that are less than one round apart.
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

/// Counts the rounds of the counter, for code that takes longer than one round. A program needs [`count_rounds`](crate::count_rounds)
/// and [`start`](rounds::start); in other programs the number of rounds stays 0.
pub mod rounds {
    use core::arch::asm;
    use core::sync::atomic::{AtomicU32, Ordering};

    use super::counter;

    static PASSED: AtomicU32 = AtomicU32::new(0);

    /// Enables the counter's interrupt at the end of each round.
    #[cfg(target_arch = "arm")]
    pub fn start() {
        // SAFETY: only the user of the counter calls this.
        unsafe { cortex_m::Peripherals::steal() }.SYST.enable_interrupt();
    }

    /// Does nothing: a round of this counter is long enough.
    #[cfg(target_arch = "riscv32")]
    pub fn start() {}

    /// Counts a round. Only the interrupt handler calls it.
    pub fn pass() {
        // A Cortex-M0 has no atomic addition; a load and a store suffice, because nothing else writes.
        PASSED.store(PASSED.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }

    /// The number of rounds so far.
    pub fn passed() -> u32 {
        PASSED.load(Ordering::Relaxed)
    }

    /// Counts a loop of known length that takes several rounds, to check the counter. Returns its instructions and its ticks, which
    /// include those of the interrupts.
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

    /// Ticks between two readings with this many wraps in between.
    pub fn elapsed(begin: u32, end: u32, rounds: u32) -> u64 {
        let within = counter::elapsed(begin, end);
        // A wrap within the remainder is already part of it.
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

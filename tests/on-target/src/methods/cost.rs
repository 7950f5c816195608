//! What a step costs: the mean over the first steps of a run, for without instructions for its floating-point numbers a machine
//! takes more or less time with the numbers.
//!
//! Each step is a function of its own that no caller knows, takes model, method and state from memory and leaves the whole
//! result in memory.

use core::hint::black_box;
use core::mem::MaybeUninit;

use semihosting::println;
use taut::method::StepSize;
use taut::scalar::Float;

use super::combinations::{Scalar, Visitor};
use super::method::{Method, Outcome};
use super::problem::{Judged, Motion};
use crate::digits::Digits;
use crate::kind::kind;
use crate::measure::{counter, rounds};

/// How many steps are counted.
const STEPS: usize = 100;

/// Their size, in seconds.
const STEP_SIZE: f64 = 1e-3;

/// A counted step.
pub type Step<System, Way, State, R> = fn(&System, &Way, &mut State) -> R;

/// Prints the readings of the counter for all steps together and for as many that do nothing.
pub struct Count {
    /// Ticks of the counter's usual clock in a tick of the present one.
    ticks_per_tick: u64,
}

impl Count {
    /// Makes the counter ready for the steps of a precision. Single precision is counted to the instruction. Double precision is
    /// a matter of millions, too many for a round of a counter that is fast.
    pub fn for_scalar<T: Float>() -> Self {
        Self { ticks_per_tick: if size_of::<T>() > size_of::<f32>() { slow_down() } else { 1 } }
    }

    /// Makes the counter ready for steps of any length: its rounds are counted as well. For a program with
    /// [`count_rounds`](crate::count_rounds).
    pub fn with_rounds() -> Self {
        counter::start();
        rounds::start();
        Self { ticks_per_tick: 1 }
    }
}

/// Lets SysTick run on its other clock, an eighth of the processor's on this chip: a round is 25 million instructions.
#[cfg(target_arch = "arm")]
fn slow_down() -> u64 {
    use cortex_m::peripheral::{Peripherals, syst::SystClkSource};

    // SAFETY: nothing else uses the counter, which is between two readings.
    unsafe { Peripherals::steal() }.SYST.set_clock_source(SystClkSource::External);
    8
}

/// A round of this counter is long enough.
#[cfg(target_arch = "riscv32")]
fn slow_down() -> u64 {
    1
}

impl Visitor for Count {
    fn visit<System, Way, P, const N: usize, const M: usize>(&mut self)
    where
        System: Judged<N, M>,
        Way: Method<System::Base>,
        P: Digits,
    {
        let (way, system_name, scalar) = (Way::NAME, System::NAME, Scalar::<System::Base, P>::name());
        let system = System::system();
        let size = StepSize::seconds(System::Base::from_f64(STEP_SIZE)).expect("a valid step size");
        let method = Way::with_step(size);
        let mut state = system.start::<P>();
        let (mut ticks, mut ticks_of_nothing) = (0, 0);
        for _ in 0..STEPS {
            let nothing = nothing::<System, Way, _, Outcome<System::Base, M>>;
            ticks_of_nothing += measured(nothing, &system, &method, &mut state).0;
            let (step_ticks, outcome) = measured(step, &system, &method, &mut state);
            if let Err(error) = outcome {
                println!("failure {way} {system_name} {scalar} {}", kind(&error));
                return;
            }
            ticks += step_ticks;
        }
        let (ticks, ticks_of_nothing) = (ticks * self.ticks_per_tick, ticks_of_nothing * self.ticks_per_tick);
        println!("cost {way} {system_name} {scalar} {STEPS} {ticks} {ticks_of_nothing}");
    }
}

#[inline(never)]
fn step<System, Way, P, const N: usize, const M: usize>(
    system: &System,
    method: &Way,
    state: &mut Motion<System::Base, P, N, M>,
) -> Outcome<System::Base, M>
where
    System: Judged<N, M>,
    Way: Method<System::Base>,
    P: Digits,
{
    method.step(system, state)
}

/// The same call, which leaves nothing in the same memory.
pub fn nothing<System, Way, State, R>(_: &System, _: &Way, _: &mut State) -> MaybeUninit<R> {
    MaybeUninit::uninit()
}

/// Makes a step and counts it. The same instructions call every step, also the one that does nothing.
#[inline(never)]
pub fn measured<System, Way, State, R>(
    step: Step<System, Way, State, R>,
    system: &System,
    method: &Way,
    state: &mut State,
) -> (u64, R) {
    let step = black_box(step);
    let rounds = rounds::passed();
    let begin = counter::read();
    let outcome = step(black_box(system), black_box(method), black_box(state));
    let end = counter::read();
    let rounds = rounds::passed().wrapping_sub(rounds);
    (rounds::elapsed(begin, end, rounds), black_box(outcome))
}

//! Counts the cost of a step: the mean over the first steps of a run, because in software the cost of floating-point arithmetic depends
//! on the operands.
//!
//! Each step is called through a pointer that the compiler cannot see through: it reads model, method and state from memory and writes
//! the whole result to memory.

use core::convert::Infallible;
use core::hint::black_box;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use semihosting::println;
use taut::method::{Step, StepError};
use taut::scalar::Float;

use super::combinations::{Scalar, Stepped, Visitor};
use super::problem::Judged;
use crate::digits::Digits;
use crate::kind::kind;
use crate::measure::{counter, rounds};

/// The number of counted steps.
const STEPS: usize = 100;

/// Prints the ticks of all steps together, and of as many empty steps.
pub struct Count {
    /// Ticks of the counter's usual clock per tick of its present clock.
    ticks_per_tick: u64,
}

impl Count {
    /// Prepares the counter for the steps of a precision. Single precision is counted to the instruction. Double precision takes
    /// millions of instructions, more than a round of the counter at its usual clock.
    pub fn for_scalar<T: Float>() -> Self {
        Self { ticks_per_tick: if size_of::<T>() > size_of::<f32>() { slow_down() } else { 1 } }
    }

    /// Prepares the counter for steps of any length by counting its rounds as well. The program needs
    /// [`count_rounds`](crate::count_rounds).
    pub fn with_rounds() -> Self {
        counter::start();
        rounds::start();
        Self { ticks_per_tick: 1 }
    }
}

/// Switches SysTick to its other clock, 1/8 of the processor's on this chip: a round is 25 million instructions.
#[cfg(target_arch = "arm")]
fn slow_down() -> u64 {
    use cortex_m::peripheral::{Peripherals, syst::SystClkSource};

    // SAFETY: nothing else uses the counter, and no measurement is running.
    unsafe { Peripherals::steal() }.SYST.set_clock_source(SystClkSource::External);
    8
}

/// Does nothing: a round of this counter is long enough.
#[cfg(target_arch = "riscv32")]
fn slow_down() -> u64 {
    1
}

impl Visitor for Count {
    fn visit<System, P, Held, R, const N: usize, const M: usize>(
        &mut self,
        Stepped { method, begin, .. }: &Stepped<'_, System, P, Held, R, N, M>,
    ) where
        System: Judged<N, M>,
        P: Digits,
    {
        let (name, system_name, scalar) = (method.name(), System::NAME, Scalar::<System::Base, P>::name());
        let system = System::system();
        let mut state = match begin(&system, system.start::<P>(System::COUNTED_STEP)) {
            Ok(state) => state,
            Err(error) => {
                println!("failure {name} {system_name} {scalar} {}", kind(&error));
                return;
            }
        };
        let nothing = Nothing::<Result<R, StepError<System::Base>>>(PhantomData);
        let (mut ticks, mut ticks_of_nothing) = (0, 0);
        for _ in 0..STEPS {
            ticks_of_nothing += measured(&nothing, &system, &mut state).0;
            let (step_ticks, outcome) = measured(*method, &system, &mut state);
            if let Err(error) = outcome {
                println!("failure {name} {system_name} {scalar} {}", kind(&error));
                return;
            }
            ticks += step_ticks;
        }
        let (ticks, ticks_of_nothing) = (ticks * self.ticks_per_tick, ticks_of_nothing * self.ticks_per_tick);
        println!("cost {name} {system_name} {scalar} {STEPS} {ticks} {ticks_of_nothing}");
    }
}

/// An empty step: it is called in the same way and writes no result.
pub struct Nothing<R>(pub PhantomData<R>);

impl<System, State, R> Step<System, State> for Nothing<R> {
    type Report = MaybeUninit<R>;
    type Error = Infallible;

    fn name(&self) -> &'static str {
        "nothing"
    }

    fn step(&self, _: &System, _: &mut State) -> Result<MaybeUninit<R>, Infallible> {
        Ok(MaybeUninit::uninit())
    }
}

/// Makes a step and counts it. The same instructions call every step, including the empty one.
#[inline(never)]
pub fn measured<System, State, R, E>(
    method: &dyn Step<System, State, Report = R, Error = E>,
    system: &System,
    state: &mut State,
) -> (u64, Result<R, E>) {
    // Before the count begins, hide the method from the compiler: if it saw that there is only one, it would pass the arguments differently.
    let (method, system, state) = (black_box(method), black_box(system), black_box(state));
    let rounds = rounds::passed();
    let begin = counter::read();
    let outcome = method.step(system, state);
    let end = counter::read();
    let rounds = rounds::passed().wrapping_sub(rounds);
    (rounds::elapsed(begin, end, rounds), black_box(outcome))
}

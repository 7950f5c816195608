//! Counts every step of a long run, every way to fail, and the stack of a step and of a start.

use core::hint::black_box;
use core::mem::MaybeUninit;

use on_target::kind::kind;
use on_target::measure::{counter, paint_deep, painted_over_deep};
use semihosting::println;
use taut::method::{SerialReport, StepError};
use taut::start::{Clock, Precision, SerialState, StartError};
use taut::system::Serial;

/// The number of counted steps of each case. Fewer where floating-point arithmetic is in software.
const STEPS: usize = if cfg!(all(target_arch = "arm", not(target_abi = "eabihf"))) { 100 } else { 1_000 };

/// The bytes below the stack pointer to paint. A start must use less.
const PAINTED: usize = 40 * 1024;

/// A system with its initial positions and velocities.
type Begin<System, const N: usize, const D: usize> = (System, [[f32; D]; N], [[f32; D]; N]);

/// A mechanism with cases.
pub trait Case<const N: usize, const D: usize, const E: usize>: Serial<N, D, E, Base = f32> {
    /// The cases that every step must survive, numbered from 0; `None` after the last.
    fn case(index: usize) -> Option<Begin<Self, N, D>>;

    /// The changed models with which the first step of case 0 must fail, numbered from 0; `None` after the last.
    fn failing(index: usize) -> Option<Self>;
}

/// The result of a step.
pub trait Outcome {
    /// The kind of error, if it is one.
    fn error(&self) -> Option<&'static str>;
}

impl Outcome for bool {
    fn error(&self) -> Option<&'static str> {
        (!*self).then_some("failure")
    }
}

impl<const N: usize, const E: usize> Outcome for Result<SerialReport<f32, N, E>, StepError<f32>> {
    fn error(&self) -> Option<&'static str> {
        self.as_ref().err().map(kind)
    }
}

/// A counted step.
type Counted<System, Method, R, P, const N: usize, const D: usize, const E: usize> =
    fn(&System, &Method, &mut SerialState<f32, N, D, E, P>) -> R;

/// Gives a plain state more digits.
type Digits<System, P, const N: usize, const D: usize, const E: usize> =
    fn(SerialState<f32, N, D, E>, &System) -> Result<SerialState<f32, N, D, E, P>, StartError<f32>>;

/// Prints the row of a step, and its failures. Not inlined: the states of all rows together would not fit into the RAM of a Cortex-M0.
#[inline(never)]
pub fn print_steps<System, Method, R, P, const N: usize, const D: usize, const E: usize>(
    name: &str,
    step: Counted<System, Method, R, P, N, D, E>,
    method: &Method,
    digits: Digits<System, P, N, D, E>,
) where
    System: Case<N, D, E>,
    R: Outcome,
    P: Precision,
{
    let (mut cheapest, mut costliest, mut overhead, mut stack, mut count) = (u32::MAX, 0, 0, 0, 0);
    for index in 0.. {
        let Some((system, q, v)) = System::case(index) else { break };
        let mut state = start(digits, &system, &q, &v);
        overhead = measured(nothing::<System, Method, R, P, N, D, E>, &system, method, &mut state).0.max(overhead);
        let Some(deepest) = stack_of(step, &system, method, &mut state) else {
            panic!("the step's stack is within the paint")
        };
        stack = deepest.max(stack);
        for number in 0..STEPS {
            let (ticks, outcome) = measured(step, &system, method, &mut state);
            if let Some(error) = outcome.error() {
                panic!("step {number} of case {index} fails: {error}");
            }
            (cheapest, costliest) = (ticks.min(cheapest), ticks.max(costliest));
        }
        count += STEPS;
    }
    println!("step {name} {cheapest} {costliest} {overhead} {stack} {count}");
    for index in 0.. {
        let Some((system, q, v)) = System::case(0) else { break };
        let Some(changed) = System::failing(index) else { break };
        let (ticks, outcome) = measured(step, &changed, method, &mut start(digits, &system, &q, &v));
        match outcome.error() {
            Some(error) => println!("failure {name} {error} {ticks}"),
            None => panic!("failing case {index} does not fail"),
        }
    }
}

/// A start at rest at these positions.
type Started<System, const N: usize, const D: usize, const E: usize> =
    fn(&System, &[[f32; D]; N], Clock<f32>) -> Option<SerialState<f32, N, D, E>>;

/// Prints the row of a start: the instructions of the first case, and the stack with the returned state.
#[inline(never)]
pub fn print_start<System, const N: usize, const D: usize, const E: usize>(name: &str, begin: Started<System, N, D, E>)
where
    System: Case<N, D, E>,
{
    let (Some((system, q, _)), Ok(clock)) = (System::case(0), Clock::at_rate(1e3)) else { return };
    let begin = black_box(begin);
    let top = paint_deep::<PAINTED>();
    let before = counter::read();
    black_box(begin(black_box(&system), black_box(&q), clock));
    let ticks = counter::elapsed(before, counter::read());
    let Some(stack) = painted_over_deep::<PAINTED>(top) else { panic!("the start's stack is within the paint") };
    println!("kernel {name} {ticks} 0 {stack}");
}

/// The state before the first step. Not inlined, so that its stack is free again when the steps begin.
#[inline(never)]
fn start<System: Case<N, D, E>, P: Precision, const N: usize, const D: usize, const E: usize>(
    digits: Digits<System, P, N, D, E>,
    system: &System,
    q: &[[f32; D]; N],
    v: &[[f32; D]; N],
) -> SerialState<f32, N, D, E, P> {
    let Ok(clock) = Clock::at_rate(1e3) else { panic!("a rate that is not above zero") };
    let Ok(state) = SerialState::moving(system, clock.at_tick(1 << 40), *q, *v) else { panic!("no consistent start") };
    let Ok(state) = digits(state, system) else { panic!("no start with more digits") };
    state
}

/// An empty step: it is called in the same way and writes no result.
fn nothing<System, Method, R, P: Precision, const N: usize, const D: usize, const E: usize>(
    _: &System,
    _: &Method,
    _: &mut SerialState<f32, N, D, E, P>,
) -> MaybeUninit<R> {
    MaybeUninit::uninit()
}

/// Makes a step and counts it.
#[inline(never)]
fn measured<System, Method, R, P: Precision, const N: usize, const D: usize, const E: usize>(
    step: Counted<System, Method, R, P, N, D, E>,
    system: &System,
    method: &Method,
    state: &mut SerialState<f32, N, D, E, P>,
) -> (u32, R) {
    let step = black_box(step);
    let begin = counter::read();
    let outcome = step(black_box(system), black_box(method), black_box(state));
    let end = counter::read();
    (counter::elapsed(begin, end), black_box(outcome))
}

/// Makes a step and measures its stack.
#[inline(never)]
fn stack_of<System, Method, R, P: Precision, const N: usize, const D: usize, const E: usize>(
    step: Counted<System, Method, R, P, N, D, E>,
    system: &System,
    method: &Method,
    state: &mut SerialState<f32, N, D, E, P>,
) -> Option<usize> {
    let step = black_box(step);
    let top = paint_deep::<PAINTED>();
    black_box(step(black_box(system), black_box(method), black_box(state)));
    painted_over_deep::<PAINTED>(top)
}

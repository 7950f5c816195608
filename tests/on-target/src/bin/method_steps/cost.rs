//! What the first steps of a run cost, each counted by itself.

use core::hint::black_box;
use core::mem::MaybeUninit;

use on_target::measure::{counter, paint, painted_over};
use semihosting::println;

/// How many are counted.
const STEPS: usize = 200;

/// A counted step: takes model, method and state from memory and leaves the whole result in memory.
pub type Step<System, Method, State, R> = fn(&System, &Method, &mut State) -> R;

/// What a step comes back with.
pub trait Outcome {
    /// Whether it is an error.
    fn is_failure(&self) -> bool;
}

impl<R, E> Outcome for Result<R, E> {
    fn is_failure(&self) -> bool {
        self.is_err()
    }
}

impl Outcome for bool {
    fn is_failure(&self) -> bool {
        !*self
    }
}

/// Prints what the steps of a run cost: the cheapest, the dearest, a step that does nothing, bytes of stack, their number.
pub fn print<System, Method, State: Clone, R: Outcome>(
    name: &str,
    step: Step<System, Method, State, R>,
    system: &System,
    method: &Method,
    mut state: State,
) {
    let (nothing, _) = measured(nothing::<System, Method, State, R>, system, method, &mut state);
    let stack = stack(step, system, method, &mut state.clone()).expect("the step's stack lies within the paint");
    let (mut cheapest, mut dearest) = (u32::MAX, 0);
    for number in 0..STEPS {
        let (ticks, outcome) = measured(step, system, method, &mut state);
        if outcome.is_failure() {
            panic!("step {number} of {name} fails");
        }
        (cheapest, dearest) = (cheapest.min(ticks), dearest.max(ticks));
    }
    println!("step {name} {cheapest} {dearest} {nothing} {stack} {STEPS}");
}

/// The same call, which leaves nothing in the same memory.
fn nothing<System, Method, State, R>(_: &System, _: &Method, _: &mut State) -> MaybeUninit<R> {
    MaybeUninit::uninit()
}

/// Makes a step and counts it. The same instructions call every step.
#[inline(never)]
fn measured<System, Method, State, R>(
    step: Step<System, Method, State, R>,
    system: &System,
    method: &Method,
    state: &mut State,
) -> (u32, R) {
    let step = black_box(step);
    let begin = counter::read();
    let outcome = step(black_box(system), black_box(method), black_box(state));
    let end = counter::read();
    (counter::elapsed(begin, end), black_box(outcome))
}

/// Makes a step and measures its stack.
#[inline(never)]
fn stack<System, Method, State, R>(
    step: Step<System, Method, State, R>,
    system: &System,
    method: &Method,
    state: &mut State,
) -> Option<usize> {
    let step = black_box(step);
    let top = paint();
    let outcome = step(black_box(system), black_box(method), black_box(state));
    black_box(&outcome);
    painted_over(top)
}

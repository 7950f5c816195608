//! Counts each of the first steps of a run, and every step of runs through hostile states.

use core::hint::black_box;
use core::mem::MaybeUninit;

use on_target::hostile::Hostile;
use on_target::kind::kind;
use on_target::measure::{counter, paint, painted_over};
use semihosting::println;
use taut::linalg::Ldlt;
use taut::method::{Report, StepError};
use taut::start::{Plain, State};

/// The number of counted first steps.
const STEPS: usize = 200;

/// The number of counted steps in hostile states. Fewer where floating-point arithmetic is in software: its cost depends on the operands,
/// and no number of steps would find the costliest one.
const HOSTILE_STEPS: usize = if cfg!(all(target_arch = "arm", not(target_abi = "eabihf"))) { 240 } else { 10_000 };

/// A counted step: reads model, method and state from memory and writes the whole result to memory.
pub type Counted<System, Method, State, R> = fn(&System, &Method, &mut State) -> R;

/// The result of a step.
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

/// Prints the costs of the steps of a run: the cheapest, the costliest, an empty step, the bytes of stack and the number of steps.
pub fn print<System, Method, State: Clone, R: Outcome>(
    name: &str,
    step: Counted<System, Method, State, R>,
    system: &System,
    method: &Method,
    mut state: State,
) {
    let (nothing, _) = measured(nothing::<System, Method, State, R>, system, method, &mut state);
    let stack = stack(step, system, method, &mut state.clone()).expect("the step's stack is within the paint");
    let (mut cheapest, mut costliest) = (u32::MAX, 0);
    for number in 0..STEPS {
        let (ticks, outcome) = measured(step, system, method, &mut state);
        if outcome.is_failure() {
            panic!("step {number} of {name} fails");
        }
        (cheapest, costliest) = (cheapest.min(ticks), costliest.max(ticks));
    }
    println!("step {name} {cheapest} {costliest} {nothing} {stack} {STEPS}");
}

/// A plain state: it contains no more than a method in plain C would.
pub type Plainly<const N: usize, const M: usize> = State<f32, N, M, Ldlt<f32, M>, Plain>;

/// A counted step of a mechanical system.
pub type Mechanically<System, Method, const N: usize, const M: usize> =
    Counted<System, Method, Plainly<N, M>, Result<Report<f32, M>, StepError<f32>>>;

/// The same for runs through hostile states. A failed step ends the run. Where every method must fail, the first step is asserted to
/// fail. The costliest failure is printed after the successes.
pub fn print_hostile<System: Hostile<N, M>, Method, const N: usize, const M: usize>(
    name: &str,
    step: Mechanically<System, Method, N, M>,
    method: &Method,
) {
    let cases = (0..).map_while(System::case).count();
    let (mut cheapest, mut costliest, mut idle, mut deepest, mut count) = (u32::MAX, 0, 0, 0, 0);
    let mut failure = None;
    let mut fail = |error: &StepError<f32>, ticks| {
        if failure.is_none_or(|(_, max_ticks)| ticks > max_ticks) {
            failure = Some((kind(error), ticks));
        }
    };
    for (index, case) in (0..).map_while(System::case).enumerate() {
        let mut state = case.start();
        let (ticks, _) =
            measured(nothing::<_, _, _, Result<Report<f32, M>, StepError<f32>>>, &case.system, method, &mut state);
        idle = idle.max(ticks);
        let stack = stack(step, &case.system, method, &mut state.clone());
        deepest = deepest.max(stack.expect("the step's stack is within the paint"));
        for number in 0..HOSTILE_STEPS.div_ceil(cases) {
            let (ticks, outcome) = measured(step, &case.system, method, &mut state);
            if let Err(error) = outcome {
                // From rest at 1 kHz no method may fail in the first steps; later, methods that drift may.
                assert!(index > 0 || number >= STEPS, "step {number} of {name} fails: {}", kind(&error));
                fail(&error, ticks);
                break;
            }
            (cheapest, costliest, count) = (cheapest.min(ticks), costliest.max(ticks), count + 1);
        }
    }
    for case in (0..).map_while(System::failing) {
        let (ticks, outcome) = measured(step, &case.system, method, &mut case.start());
        match outcome {
            Err(error) => fail(&error, ticks),
            Ok(_) => (cheapest, costliest, count) = (cheapest.min(ticks), costliest.max(ticks), count + 1),
        }
    }
    let (kind, ticks) = failure.expect("a force that is not a number is refused");
    println!("step {name} {cheapest} {costliest} {idle} {deepest} {count}");
    println!("failure {name} {kind} {ticks}");
}

/// An empty step: it is called in the same way and writes no result.
fn nothing<System, Method, State, R>(_: &System, _: &Method, _: &mut State) -> MaybeUninit<R> {
    MaybeUninit::uninit()
}

/// Makes a step and counts it. The same instructions call every step.
#[inline(never)]
fn measured<System, Method, State, R>(
    step: Counted<System, Method, State, R>,
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
    step: Counted<System, Method, State, R>,
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

//! What the first steps of a run cost, and all of runs through hostile states, each counted by itself.

use core::hint::black_box;
use core::mem::MaybeUninit;

use on_target::hostile::{Case, Hostile};
use on_target::kind::kind;
use on_target::measure::{counter, paint, painted_over};
use semihosting::println;
use taut::linalg::Ldlt;
use taut::method::{Report, StepError, StepSize};
use taut::start::{Plain, State};

/// How many first steps are counted.
const STEPS: usize = 200;

/// How many steps are counted in hostile states. Without instructions for floating-point numbers, what an addition costs depends on
/// the numbers, and no number of steps would show the dearest.
const HOSTILE_STEPS: usize = if cfg!(all(target_arch = "arm", not(target_abi = "eabihf"))) { 240 } else { 10_000 };

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

/// The state that is stepped: nothing that a method in plain C would not carry.
pub type Plainly<const N: usize, const M: usize> = State<f32, N, M, Ldlt<f32, M>, Plain>;

/// A counted step of a mechanical system.
pub type Mechanically<System, Method, const N: usize, const M: usize> =
    Step<System, Method, Plainly<N, M>, Result<Report<f32, M>, StepError<f32>>>;

/// The same for runs through hostile states. A step that a method refuses in one of them ends the run there; where every method must fail,
/// it does. The dearest of the failures is printed behind the successes.
pub fn print_hostile<System: Hostile<N, M>, Method, const N: usize, const M: usize>(
    name: &str,
    step: Mechanically<System, Method, N, M>,
    method: fn(StepSize<f32>) -> Method,
) {
    let cases = (0..).map_while(System::case).count();
    let (mut cheapest, mut dearest, mut idle, mut deepest, mut count) = (u32::MAX, 0, 0, 0, 0);
    let mut failure = None;
    let mut fail = |error: &StepError<f32>, ticks| {
        if failure.is_none_or(|(_, most)| ticks > most) {
            failure = Some((kind(error), ticks));
        }
    };
    for (index, case) in (0..).map_while(System::case).enumerate() {
        let (method, mut state) = (of(&case, method), case.start());
        let (ticks, _) =
            measured(nothing::<_, _, _, Result<Report<f32, M>, StepError<f32>>>, &case.system, &method, &mut state);
        idle = idle.max(ticks);
        let stack = stack(step, &case.system, &method, &mut state.clone());
        deepest = deepest.max(stack.expect("the step's stack lies within the paint"));
        for number in 0..HOSTILE_STEPS.div_ceil(cases) {
            let (ticks, outcome) = measured(step, &case.system, &method, &mut state);
            if let Err(error) = outcome {
                // From rest at 1 kHz no method may fail, until those that drift are too far off.
                assert!(index > 0 || number >= STEPS, "step {number} of {name} fails: {}", kind(&error));
                fail(&error, ticks);
                break;
            }
            (cheapest, dearest, count) = (cheapest.min(ticks), dearest.max(ticks), count + 1);
        }
    }
    for case in (0..).map_while(System::failing) {
        let (ticks, outcome) = measured(step, &case.system, &of(&case, method), &mut case.start());
        match outcome {
            Err(error) => fail(&error, ticks),
            Ok(_) => (cheapest, dearest, count) = (cheapest.min(ticks), dearest.max(ticks), count + 1),
        }
    }
    let (kind, ticks) = failure.expect("a force that is not a number is refused");
    println!("step {name} {cheapest} {dearest} {idle} {deepest} {count}");
    println!("failure {name} {kind} {ticks}");
}

/// The method at the rate of a case.
fn of<System: Hostile<N, M>, Method, const N: usize, const M: usize>(
    case: &Case<System, N, M>,
    method: fn(StepSize<f32>) -> Method,
) -> Method {
    method(StepSize::at_rate(case.rate).expect("a rate above zero"))
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

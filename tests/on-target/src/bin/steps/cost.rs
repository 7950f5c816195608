//! What a step costs: every single one of a long run is counted, and so is every way to fail.

use core::hint::black_box;
use core::mem::MaybeUninit;

use on_target::digits::Digits;
use on_target::hostile::Hostile;
use on_target::measure::{counter, paint, painted_over};
use taut::linalg::Ldlt;
use taut::method::Rattle;
use taut::start::{Precision, State};

use crate::table::{Outcome, Step};

/// Steps of a run. A tenth says enough where no step costs the same as another: without instructions for floating-point numbers,
/// what an addition costs depends on the numbers.
const STEPS: usize = if cfg!(all(target_arch = "arm", not(target_abi = "eabihf"))) { 1_000 } else { 10_000 };

/// What the steps of a run cost, in readings of the counter.
pub struct Cost {
    /// The cheapest step that succeeded.
    pub cheapest: u32,
    /// The dearest step that succeeded.
    pub dearest: u32,
    /// The same call of a step that does nothing.
    pub nothing: u32,
    /// Bytes of stack; `None` if it reached the end of the paint.
    pub stack: Option<usize>,
    /// How many steps were counted.
    pub steps: usize,
}

/// Counts the steps of all cases, the same number in each.
pub fn cost<System, R, P, const K: usize, const N: usize, const M: usize>(step: Step<System, R, P, K, N, M>) -> Cost
where
    System: Hostile<N, M>,
    R: Outcome,
    P: Digits,
{
    let cases = (0..).map_while(System::case).count();
    let mut cost = Cost { cheapest: u32::MAX, dearest: 0, nothing: 0, stack: Some(0), steps: 0 };
    for (index, case) in (0..).map_while(System::case).enumerate() {
        let (system, method, mut state) = (&case.system, method(case.rate), case.start());
        let (ticks, _) = measured(nothing::<System, R, P, K, N, M>, system, &method, &mut state);
        cost.nothing = cost.nothing.max(ticks);
        let stack = stack(step, system, &method, &mut state.clone());
        cost.stack = cost.stack.zip(stack).map(|(left, right)| left.max(right));
        for number in 0..STEPS.div_ceil(cases) {
            let (ticks, outcome) = measured(step, system, &method, &mut state);
            if let Some(error) = outcome.error() {
                panic!("step {number} of case {index} fails: {error}");
            }
            cost.cheapest = cost.cheapest.min(ticks);
            cost.dearest = cost.dearest.max(ticks);
            cost.steps += 1;
        }
    }
    cost
}

/// Counts every step that must fail, and says how each has failed.
pub fn failures<System, R, P, const K: usize, const N: usize, const M: usize>(
    step: Step<System, R, P, K, N, M>,
    mut say: impl FnMut(&str, u32),
) where
    System: Hostile<N, M>,
    R: Outcome,
    P: Digits,
{
    for (index, case) in (0..).map_while(System::failing).enumerate() {
        let (ticks, outcome) = measured(step, &case.system, &method(case.rate), &mut case.start());
        match outcome.error() {
            Some(error) => say(error, ticks),
            None => panic!("failing case {index} does not fail"),
        }
    }
}

fn method<const K: usize>(rate: f32) -> Rattle<f32, K> {
    let Ok(method) = Rattle::at_rate(rate) else { panic!("a rate that is not above zero") };
    method.iterations()
}

/// The same call, which leaves nothing in the same memory.
fn nothing<System, R, P: Precision, const K: usize, const N: usize, const M: usize>(
    _: &System,
    _: &Rattle<f32, K>,
    _: &mut State<f32, N, M, Ldlt<f32, M>, P>,
) -> MaybeUninit<R> {
    MaybeUninit::uninit()
}

/// Makes a step and counts it. The same instructions call every step of a type, also the one that does nothing.
#[inline(never)]
fn measured<System, R, P: Precision, const K: usize, const N: usize, const M: usize>(
    step: Step<System, R, P, K, N, M>,
    system: &System,
    method: &Rattle<f32, K>,
    state: &mut State<f32, N, M, Ldlt<f32, M>, P>,
) -> (u32, R) {
    let step = black_box(step);
    let begin = counter::read();
    let outcome = step(black_box(system), black_box(method), black_box(state));
    let end = counter::read();
    (counter::elapsed(begin, end), black_box(outcome))
}

/// Makes a step and measures its stack.
#[inline(never)]
fn stack<System, R, P: Precision, const K: usize, const N: usize, const M: usize>(
    step: Step<System, R, P, K, N, M>,
    system: &System,
    method: &Rattle<f32, K>,
    state: &mut State<f32, N, M, Ldlt<f32, M>, P>,
) -> Option<usize> {
    let step = black_box(step);
    let top = paint();
    let outcome = step(black_box(system), black_box(method), black_box(state));
    black_box(outcome);
    painted_over(top)
}

//! Counts every step of a long run, and every way to fail.

use core::hint::black_box;
use core::mem::MaybeUninit;

use on_target::digits::Digits;
use on_target::hostile::Hostile;
use on_target::measure::{counter, paint, painted_over};
use taut::linalg::Ldlt;
use taut::method::Rattle;
use taut::start::{Precision, State};

use crate::table::{Counted, Outcome};

/// The number of counted steps. A tenth where floating-point arithmetic is in software: its cost depends on the operands, so the steps
/// differ in any case.
const STEPS: usize = if cfg!(all(target_arch = "arm", not(target_abi = "eabihf"))) { 1_000 } else { 10_000 };

/// The costs of the steps of a run, in ticks of the counter.
pub struct Cost {
    /// The cheapest step that succeeded.
    pub cheapest: u32,
    /// The costliest step that succeeded.
    pub costliest: u32,
    /// An empty step, called in the same way.
    pub nothing: u32,
    /// Bytes of stack; `None` if all of the paint was overwritten.
    pub stack: Option<usize>,
    /// The number of counted steps.
    pub steps: usize,
}

/// Counts the steps of all cases, the same number in each.
pub fn cost<System, R, P, const K: usize, const N: usize, const M: usize>(step: Counted<System, R, P, K, N, M>) -> Cost
where
    System: Hostile<N, M>,
    R: Outcome,
    P: Digits,
{
    let cases = (0..).map_while(System::case).count();
    let mut cost = Cost { cheapest: u32::MAX, costliest: 0, nothing: 0, stack: Some(0), steps: 0 };
    for (index, case) in (0..).map_while(System::case).enumerate() {
        let (system, method, mut state) = (&case.system, Rattle::new().iterations(), case.start());
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
            cost.costliest = cost.costliest.max(ticks);
            cost.steps += 1;
        }
    }
    cost
}

/// Counts every step that must fail, and passes on the kind of each failure.
pub fn failures<System, R, P, const K: usize, const N: usize, const M: usize>(
    step: Counted<System, R, P, K, N, M>,
    mut say: impl FnMut(&str, u32),
) where
    System: Hostile<N, M>,
    R: Outcome,
    P: Digits,
{
    for (index, case) in (0..).map_while(System::failing).enumerate() {
        let (ticks, outcome) = measured(step, &case.system, &Rattle::new().iterations(), &mut case.start());
        match outcome.error() {
            Some(error) => say(error, ticks),
            None => panic!("failing case {index} does not fail"),
        }
    }
}

/// An empty step: it is called in the same way and writes no result.
fn nothing<System, R, P: Precision, const K: usize, const N: usize, const M: usize>(
    _: &System,
    _: &Rattle<K>,
    _: &mut State<f32, N, M, Ldlt<f32, M>, P>,
) -> MaybeUninit<R> {
    MaybeUninit::uninit()
}

/// Makes a step and counts it. The same instructions call every step of a type, including the empty one.
#[inline(never)]
fn measured<System, R, P: Precision, const K: usize, const N: usize, const M: usize>(
    step: Counted<System, R, P, K, N, M>,
    system: &System,
    method: &Rattle<K>,
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
    step: Counted<System, R, P, K, N, M>,
    system: &System,
    method: &Rattle<K>,
    state: &mut State<f32, N, M, Ldlt<f32, M>, P>,
) -> Option<usize> {
    let step = black_box(step);
    let top = paint();
    let outcome = step(black_box(system), black_box(method), black_box(state));
    black_box(outcome);
    painted_over(top)
}

//! Steps of the general forms: semi-explicit, M u' = F, and index 3.

use core::fmt::Debug;

use mechanisms::LinearImplicit;
use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::method::{HalfExplicit, ImplicitEuler, RadauIia, RungeKutta4, Step, StepError};
use taut::scalar::Real;
use taut::start::{Clock, ImplicitState, IndexThreeState, SemiExplicitState};
use taut::system::{IndexThree, SemiExplicit};

use crate::all_finite;
use crate::bytes::Bytes;

/// Takes up to eight steps; an error leaves the state. `judge` gets the states before and after a step. Returns the calls.
fn walk<System, State: Copy + Debug + PartialEq, Report>(
    method: &dyn Step<System, State, Report = Report, Error = StepError<f64>>,
    system: &System,
    start: &State,
    judge: impl Fn([&State; 2], &Report) -> bool,
) -> u64 {
    let (mut state, name) = (*start, method.name());
    for calls in 1..=8 {
        let before = state;
        match method.step(system, &mut state) {
            Ok(report) => assert!(judge([&before, &state], &report), "{name}: {before:?} to {state:?}"),
            // By text, because NaN is not equal to itself.
            Err(error) => {
                let same = state == before || format!("{state:?}") == format!("{before:?}");
                assert!(same, "{name}: {error}: {before:?} to {state:?}");
                return calls;
            }
        }
    }
    8
}

/// y' = (a y₁ + b z, c y₀ + d sin t), 0 = e y₀ + f y₁ + g y₀² + k + m sin t, plus n z + o z² with index 1.
struct Semi<const INDEX: usize> {
    rate: [f64; 4],
    constraint: [f64; 7],
}

impl<const INDEX: usize> SemiExplicit<2, 1> for Semi<INDEX> {
    type Base = f64;
    const INDEX: usize = INDEX;

    fn rate<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 2>, z: &Vector<S, 1>) -> Vector<S, 2> {
        let [a, b, c, d] = self.rate;
        vector![y.y * a + z.x * b, y.x * c + t.sin() * d]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 2>, z: &Vector<S, 1>) -> Vector<S, 1> {
        let [e, f, g, k, m, n, o] = self.constraint;
        let sum = y.x * e + y.y * f + y.x * y.x * g + k + t.sin() * m;
        vector![if INDEX == 1 { sum + z.x * n + z.x * z.x * o } else { sum }]
    }
}

/// With index `INDEX`, 1 or 2.
pub fn semi_explicit<const INDEX: usize>(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let rate = bytes.numbers([1.0, 1.0, -1.0, 0.0]);
    let system = Semi::<INDEX> { rate, constraint: bytes.numbers([1.0, 0.0, 0.0, -0.5, 0.0, 1.0, 0.0]) };
    let ([y, other, z], [h, t, limit]) = (bytes.numbers([0.5, 0.2, 0.0]), bytes.numbers([1e-3, 0.0, 1.5e-8]));
    let Ok(clock) = Clock::with_step(h).map(|clock| clock.at_time(t)) else { return 1 };
    let start = match bytes.byte() & 1 {
        0 => SemiExplicitState::start(&system, clock, [y, other], [z]),
        _ => SemiExplicitState::given(&system, clock, [y, other], [z], limit),
    };
    let Ok(start) = start else { return 2 };
    let good = |[before, state]: [&SemiExplicitState<f64, 2, 1>; 2]| {
        let finite = all_finite(state.differential().iter().chain(state.algebraic()));
        finite && state.clock().tick() == before.clock().tick() + 1
    };
    let judge = |states: [&SemiExplicitState<f64, 2, 1>; 2], _: &()| good(states);
    let judge_stage = |states: [&SemiExplicitState<f64, 2, 1>; 2], z: &Vector<f64, 1>| good(states) && all_finite(z);
    2 + walk(&HalfExplicit::order_one(), &system, &start, judge)
        + walk(&HalfExplicit::order_two(), &system, &start, judge)
        + walk(&HalfExplicit::order_three(), &system, &start, judge)
        + walk(&HalfExplicit::order_four(), &system, &start, judge)
        + walk(&RungeKutta4::new(), &system, &start, judge)
        + walk(&ImplicitEuler::new(), &system, &start, judge)
        + walk(&RadauIia::order_three(), &system, &start, judge_stage)
        + walk(&RadauIia::order_five(), &system, &start, judge_stage)
}

/// Any M and any F.
pub fn implicit(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let force = Matrix::from_column_slice(&bytes.numbers([-1.0, 1.0, 0.0, 1.0]));
    let system = LinearImplicit { mass: bytes.numbers([1.0, 0.0]), force };
    let (given, u, [h, t]) = (bytes.byte() & 1 == 1, bytes.numbers([0.0, 0.0]), bytes.numbers([1e-3, 0.0]));
    let Ok(clock) = Clock::with_step(h).map(|clock| clock.at_time(t)) else { return 1 };
    let start = if given { ImplicitState::given } else { ImplicitState::start };
    let Ok(start) = start(&system, clock, Vector::from(u)) else { return 2 };
    assert!(start.derivative(&system).is_ok_and(|slope| all_finite(&slope)), "{start:?}");
    let judge = |[before, state]: [&ImplicitState<f64, 2>; 2], _: &()| {
        all_finite(state.variables()) && state.clock().tick() == before.clock().tick() + 1
    };
    3 + walk(&ImplicitEuler::new(), &system, &start, judge)
        + walk(&RadauIia::order_three(), &system, &start, judge)
        + walk(&RadauIia::order_five(), &system, &start, judge)
}

/// A cart on a path, pushed by Λ; a second coordinate drifts with it and no constraint sees it.
struct Cart([f64; 6]);

impl IndexThree<2, 2, 1> for Cart {
    type Base = f64;

    fn rate<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 2> {
        vector![q.x, q.y + self.0[0]]
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, p: &Vector<S, 2>, q: &Vector<S, 2>) -> Vector<S, 2> {
        vector![q.x * -self.0[1], p.x - q.y * q.y * q.y + self.0[2]]
    }
    fn coupling<S: Real<Base = f64>>(&self, _t: S, _p: &Vector<S, 2>, _q: &Vector<S, 2>) -> Matrix<S, 2, 1> {
        matrix![S::from(self.0[3]); S::zero()]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, p: &Vector<S, 2>) -> Vector<S, 1> {
        vector![p.x + p.x * p.x * self.0[4] - t.sin() - self.0[5]]
    }
}

pub fn index_three(data: &[u8]) -> u64 {
    let (mut bytes, euler) = (Bytes(data), ImplicitEuler::new());
    let cart = Cart(bytes.numbers([0.0, 0.1, 0.0, 2.0, 0.0, 0.0]));
    let [other, rate, h, t] = bytes.numbers::<f64, 4>([0.3, 0.2, 1e-3, 0.0]);
    let Ok(clock) = Clock::with_step(h).map(|clock| clock.at_time(t)) else { return 1 };
    let (p, q, [.., bend, place]) = ([cart.0[5] + Real::sin(t), other], [Real::cos(t), rate], cart.0);
    let mut calls = 1;
    if let Ok(start) = IndexThreeState::start(&cart, clock, p, q) {
        // √ε is the limit of the constraint and of h q₁ = h q₀ + h² (F + G Λ), up to the round-off of their terms.
        let judge = |[before, state]: [&IndexThreeState<f64, 2, 2, 1>; 2], multipliers: &Vector<f64, 1>| {
            let (p, q, t) = (state.position(), state.velocity(), state.clock().time());
            let terms = [*q, -before.velocity(), cart.force(t, p, q) * -h, cart.coupling(t, p, q) * multipliers * -h];
            let off = terms.iter().sum::<Vector<f64, 2>>().amax() * h;
            let scale = terms.iter().map(|term| term.amax()).sum::<f64>() * h;
            let round_off = 4.0 * f64::EPSILON * (p.x.abs() + p.x * p.x * bend.abs() + place.abs() + 1.0);
            all_finite(p.iter().chain(q).chain(multipliers))
                && cart.constraint(t, p)[0].abs() <= 1.5e-8 + round_off
                && off <= 1.5e-8 + 1e-15 * scale
                && state.clock().tick() == before.clock().tick() + 1
        };
        let mut consistent = start;
        match euler.make_consistent(&cart, &mut consistent) {
            Err(_) => assert_eq!(consistent, start),
            Ok(()) => assert!(all_finite(consistent.velocity()), "{consistent:?}"),
        }
        calls += walk(&euler, &cart, &start, judge) + walk(&euler, &cart, &consistent, judge);
    }
    if let Ok(start) = IndexThreeState::start_precise(&cart, clock, p, q) {
        assert!(all_finite(start.position().iter().chain(start.velocity())), "{start:?}");
        calls += walk(&euler, &cart, &start, |[_, state], multipliers| {
            all_finite(state.position().iter().chain(state.velocity()).chain(multipliers))
        });
    }
    calls
}

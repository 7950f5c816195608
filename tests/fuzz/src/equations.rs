//! Steps of the general forms: semi-explicit, M u' = F, and index 3.

use core::fmt::Debug;

use mechanisms::LinearImplicit;
use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::method::{
    Bdf2, HalfExplicit, ImplicitEuler, RadauIia, Report, RungeKutta4, Step, StepError, TwoNodes, every_method,
};
use taut::scalar::Real;
use taut::start::{Clock, ImplicitState, IndexThreeState, Precise, SemiExplicitState, Start};
use taut::system::{Diagonal, IndexThree, MIXED, Massless, Mechanical, SemiExplicit};

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

/// The nodes of BDF2 for such a system.
type Nodes<const Z: usize> = TwoNodes<SemiExplicitState<f64, 2, Z>, Vector<f64, 2>>;

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
    let judge_nodes = |[before, nodes]: [&Nodes<1>; 2], (): &()| good([before.state(), nodes.state()]);
    let by_two_nodes = |nodes| walk(&Bdf2::new(), &system, &nodes, judge_nodes);
    2 + Bdf2::new().begin_semi_explicit(&system, start).map_or(1, by_two_nodes)
        + walk(&HalfExplicit::order_one(), &system, &start, judge)
        + walk(&HalfExplicit::order_two(), &system, &start, judge)
        + walk(&HalfExplicit::order_three(), &system, &start, judge)
        + walk(&HalfExplicit::order_four(), &system, &start, judge)
        + walk(&RungeKutta4::new(), &system, &start, judge)
        + walk(&ImplicitEuler::new(), &system, &start, judge)
        + walk(&RadauIia::order_three(), &system, &start, judge_stage)
        + walk(&RadauIia::order_five(), &system, &start, judge_stage)
}

/// y' = (z₁ + a y₂, z₂ + b y₁), 0 = c y₁ + d z₁ + e z₂ + sin t and 0 = f y₂ + g z₁ + k z₂: of index 1, 2 or both.
struct Mixed([f64; 8]);

impl SemiExplicit<2, 2> for Mixed {
    type Base = f64;
    const INDEX: usize = MIXED;

    fn rate<S: Real<Base = f64>>(&self, _t: S, y: &Vector<S, 2>, z: &Vector<S, 2>) -> Vector<S, 2> {
        let [a, b, ..] = self.0;
        vector![z.x + y.y * a, z.y + y.x * b]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 2>, z: &Vector<S, 2>) -> Vector<S, 2> {
        let [_, _, c, d, e, f, g, k] = self.0;
        vector![y.x * c + z.x * d + z.y * e + t.sin(), y.y * f + z.x * g + z.y * k]
    }
}

/// Any combination of constraints of index 1 and 2.
pub fn mixed_index(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let system = Mixed(bytes.numbers([1.0, -1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0]));
    let ([y, other, z, w], [h, t, limit]) = (bytes.numbers([0.5, 0.2, 0.0, 0.0]), bytes.numbers([1e-3, 0.0, 1.5e-8]));
    let Ok(clock) = Clock::with_step(h).map(|clock| clock.at_time(t)) else { return 1 };
    let start = match bytes.byte() & 1 {
        0 => SemiExplicitState::start(&system, clock, [y, other], [z, w]),
        _ => SemiExplicitState::given(&system, clock, [y, other], [z, w], limit),
    };
    let Ok(start) = start else { return 2 };
    let good = |[before, state]: [&SemiExplicitState<f64, 2, 2>; 2]| {
        let finite = all_finite(state.differential().iter().chain(state.algebraic()));
        finite && state.clock().tick() == before.clock().tick() + 1
    };
    let judge = |states: [&SemiExplicitState<f64, 2, 2>; 2], _: &()| good(states);
    let judge_stage = |states: [&SemiExplicitState<f64, 2, 2>; 2], z: &Vector<f64, 2>| good(states) && all_finite(z);
    let judge_nodes = |[before, nodes]: [&Nodes<2>; 2], (): &()| good([before.state(), nodes.state()]);
    let by_two_nodes = |nodes| walk(&Bdf2::new(), &system, &nodes, judge_nodes);
    2 + Bdf2::new().begin_semi_explicit(&system, start).map_or(1, by_two_nodes)
        + walk(&HalfExplicit::order_one(), &system, &start, judge)
        + walk(&HalfExplicit::order_four(), &system, &start, judge)
        + walk(&ImplicitEuler::new(), &system, &start, judge)
        + walk(&RadauIia::order_three(), &system, &start, judge_stage)
}

/// A pendulum (x, y) with a third coordinate of any mass on any line of x and y.
struct Connector {
    masses: [f64; 3],
    line: [f64; 4],
}

impl Mechanical<3, 2> for Connector {
    type Base = f64;
    type Mass = Diagonal<f64, 3>;

    fn mass(&self) -> Diagonal<f64, 3> {
        Diagonal::new(self.masses)
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 3>, _v: &Vector<S, 3>) -> Vector<S, 3> {
        vector![S::zero(), S::from(-9.81), S::from(self.line[3])]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 3>) -> Vector<S, 2> {
        let [a, b, c, _] = self.line;
        vector![(q.x * q.x + q.y * q.y - S::one()) * 0.5, q.x * t.cos() * a + q.y * b + q.z * c]
    }
}

/// Masses that may be zero, and a weight for them.
pub fn massless(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let system = Connector { masses: bytes.numbers([1.0, 1.0, 0.0]), line: bytes.numbers([0.1, -1.0, 1.0, 0.5]) };
    let ([weight, h, t], q, v) =
        (bytes.numbers([1.0, 1e-3, 0.0]), bytes.numbers([0.6, -0.8, -0.8]), bytes.numbers([0.8, 0.6, 0.6]));
    let Ok(system) = Massless::new(system, weight) else { return 1 };
    let Ok(clock) = Clock::with_step(h).map(|clock| clock.at_time(t)) else { return 2 };
    let Ok(start) = Start::at(&system, clock, q).moving(v) else { return 3 };
    let mut calls = 3;
    every_method(|method| {
        let mut state = start;
        for _ in 0..4 {
            calls += 1;
            let before = format!("{state:?}");
            let result: Result<Report<f64, 2>, StepError<f64>> = method.step(&system, &mut state);
            match result {
                Ok(report) => {
                    let numbers = state.position().iter().chain(state.velocity()).chain(&report.multipliers);
                    assert!(all_finite(numbers), "{}: {before} to {state:?}", method.name());
                }
                Err(error) => {
                    assert_eq!(format!("{state:?}"), before, "{}: {error}", method.name());
                    break;
                }
            }
        }
    });
    calls
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
    if let Ok(pencil) = start.index(&system) {
        assert!(pencil.index() <= 2 && pencil.dynamics() <= 2, "{start:?}: {pencil:?}");
    }
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
        // Radau IIA projects the velocities instead.
        let judge_radau = |[before, state]: [&IndexThreeState<f64, 2, 2, 1>; 2], multipliers: &Vector<f64, 1>| {
            let (p, q, t) = (state.position(), state.velocity(), state.clock().time());
            let round_off = 4.0 * f64::EPSILON * (p.x.abs() + p.x * p.x * bend.abs() + place.abs() + 1.0);
            all_finite(p.iter().chain(q).chain(multipliers))
                && cart.constraint(t, p)[0].abs() <= 1.5e-8 + round_off
                && state.clock().tick() == before.clock().tick() + 1
        };
        calls += walk(&RadauIia::order_three(), &cart, &start, judge_radau)
            + walk(&RadauIia::order_five(), &cart, &start, judge_radau);
        let mut consistent = start;
        match euler.make_consistent(&cart, &mut consistent) {
            Err(_) => assert_eq!(consistent, start),
            Ok(()) => assert!(all_finite(consistent.velocity()), "{consistent:?}"),
        }
        calls += walk(&euler, &cart, &start, judge) + walk(&euler, &cart, &consistent, judge);
    }
    if let Ok(start) = IndexThreeState::start_precise(&cart, clock, p, q) {
        assert!(all_finite(start.position().iter().chain(start.velocity())), "{start:?}");
        let judge = |[_, state]: [&IndexThreeState<f64, 2, 2, 1, Precise>; 2], multipliers: &Vector<f64, 1>| {
            all_finite(state.position().iter().chain(state.velocity()).chain(multipliers))
        };
        calls += walk(&euler, &cart, &start, judge) + walk(&RadauIia::order_three(), &cart, &start, judge);
    }
    calls
}

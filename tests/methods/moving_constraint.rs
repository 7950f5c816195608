//! A constraint that moves, damping, a gyroscopic force and a torque that jumps: every method keeps its order.
//!
//! Slopes are judged against an independent fine solution, the classical Runge–Kutta method written out in this file.

use crate::variants::{Any, Claim, Exact, assert_order, assert_slopes, errors, every_variant};
use nalgebra::vector;
use taut::linalg::{Ldlt, Vector};
use taut::method::{Composition, Rattle, Step, SymplecticEuler};
use taut::scalar::Real;
use taut::start::{Clock, Start, State};
use taut::system::{Diagonal, Inertia, Mechanical};

fn clock(h: f64) -> Clock<f64> {
    Clock::with_step(h).unwrap()
}

/// The acceleration and the multipliers of the acceleration level.
fn acceleration<System: Mechanical<N, M, Base = f64>, const N: usize, const M: usize>(
    system: &System,
    t: f64,
    q: &Vector<f64, N>,
    v: &Vector<f64, N>,
) -> (Vector<f64, N>, Vector<f64, M>) {
    let inertia = system.inertia(q).unwrap();
    let jacobian = system.jacobian(t, q);
    let free = inertia.acceleration(&system.force(t, q, v));
    let directions = nalgebra::SMatrix::<f64, N, M>::from_fn(|i, j| {
        inertia.acceleration(&Vector::<f64, N>::from_fn(|k, _| jacobian[(j, k)]))[i]
    });
    let right = jacobian * free + system.acceleration_terms(t, q, v);
    let multipliers = Ldlt::factor(jacobian * directions).unwrap().solve(right);
    (free - directions * multipliers, multipliers)
}

/// The classical Runge–Kutta method on the underlying ordinary differential equation, `model(t)` constant over each of the
/// `pieces` of the interval.
fn runge_kutta<System: Mechanical<N, M, Base = f64>, const N: usize, const M: usize>(
    model: impl Fn(usize) -> System,
    pieces: usize,
    time: f64,
    q: Vector<f64, N>,
    v: Vector<f64, N>,
) -> Exact<N, M> {
    let (mut q, mut v) = (q, v);
    let steps = 8_000 / pieces;
    let h = time / (steps * pieces) as f64;
    for piece in 0..pieces {
        let system = model(piece);
        for n in 0..steps {
            let t = (piece * steps + n) as f64 * h;
            let (v1, a1) = (v, acceleration(&system, t, &q, &v).0);
            let v2 = v + a1 * (h / 2.0);
            let a2 = acceleration(&system, t + h / 2.0, &(q + v1 * (h / 2.0)), &v2).0;
            let v3 = v + a2 * (h / 2.0);
            let a3 = acceleration(&system, t + h / 2.0, &(q + v2 * (h / 2.0)), &v3).0;
            let v4 = v + a3 * h;
            let a4 = acceleration(&system, t + h, &(q + v3 * h), &v4).0;
            q += (v1 + v2 * 2.0 + v3 * 2.0 + v4) * (h / 6.0);
            v += (a1 + a2 * 2.0 + a3 * 2.0 + a4) * (h / 6.0);
        }
    }
    let multipliers = acceleration(&model(pieces - 1), time, &q, &v).1;
    Exact { q, v, multipliers }
}

/// Two unequal masses on two rods in space, hanging from a pivot that moves; damped, in a rotating frame or a magnetic
/// field, driven by a torque about the vertical axis.
#[derive(Clone, Copy)]
struct Crane {
    damping: f64,
    gyroscopic: f64,
    torque: f64,
}

impl Mechanical<6, 2> for Crane {
    type Base = f64;
    type Mass = Diagonal<f64, 6>;

    fn mass(&self) -> Diagonal<f64, 6> {
        Diagonal::new([1.0, 1.0, 1.0, 0.5, 0.5, 0.5])
    }
    fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 6>, v: &Vector<S, 6>) -> Vector<S, 6> {
        // −c v + b e × v with e = (1, 2, 2)/3, a torque on the first mass, weight, and a wind that varies in time.
        let part = |i: usize| [v[3 * i], v[3 * i + 1], v[3 * i + 2]];
        let mut force = Vector::<S, 6>::zeros();
        for (mass, v) in [part(0), part(1)].into_iter().enumerate() {
            let b = self.gyroscopic / 3.0;
            let cross = [v[2] * 2.0 - v[1] * 2.0, v[0] * 2.0 - v[2], v[1] - v[0] * 2.0];
            for axis in 0..3 {
                force[3 * mass + axis] = cross[axis] * b - v[axis] * self.damping;
            }
        }
        force[0] -= q[1] * self.torque;
        force[1] += q[0] * self.torque;
        force[2] -= S::from(9.81);
        force[5] -= S::from(4.905);
        force[4] += (t * 3.0).sin();
        force
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 6>) -> Vector<S, 2> {
        let pivot = [(t * 4.0).sin() * 0.2, t * t * 0.3, (t * 3.0).cos() * 0.1];
        let (mut upper, mut lower) = (S::from(-1.0), S::from(-0.64));
        for axis in 0..3 {
            let (a, b) = (q[axis] - pivot[axis], q[3 + axis] - q[axis]);
            upper += a * a;
            lower += b * b;
        }
        // Not the half: G is the derivative of the constraint as written.
        vector![upper, lower]
    }
}

impl Crane {
    fn start(&self) -> State<f64, 6, 2> {
        Start::at(self, clock(1e-3), [0.6, 0.1, -0.7, 0.9, 0.6, -1.2]).moving([0.0, 1.0, 0.0, -1.0, 0.5, 0.0]).unwrap()
    }
}

#[test]
fn rattle_keeps_order_two_with_damping_a_gyroscopic_force_and_a_moving_constraint() {
    let crane = Crane { damping: 0.8, gyroscopic: 2.5, torque: 0.0 };
    let first = crane.start();
    let exact = runge_kutta(|_| crane, 1, 1.0, *first.position(), *first.velocity());
    let mut errors = [vec![], vec![], vec![]];
    for divisions in [100, 200, 400, 800] {
        let rattle = Rattle::new();
        let mut state = first;
        state.clock_mut().set_step(1.0 / f64::from(divisions)).unwrap();
        for _ in 0..divisions {
            let _ = rattle.step(&crane, &mut state).unwrap();
        }
        errors[0].push((state.position() - exact.q).norm());
        errors[1].push((state.velocity() - exact.v).norm());
        // The report of the step that begins at t = 1 has the multiplier there.
        let report = rattle.step(&crane, &mut state).unwrap();
        errors[2].push((report.multipliers - exact.multipliers).norm());
    }
    for (what, errors) in ["q", "v", "node multipliers"].iter().zip(&errors) {
        assert_slopes(what, errors, 2.0, 0.1);
        assert!(errors[3] < 1e-3, "{what}: {errors:?}");
    }
}

#[test]
fn compositions_keep_their_order_with_forces_that_use_the_velocity() {
    let crane = Crane { damping: 0.8, gyroscopic: 2.5, torque: 0.7 };
    let first = crane.start();
    let exact = runge_kutta(|_| crane, 1, 1.0, *first.position(), *first.velocity());
    let (mut suzuki_errors, mut kahan_li_errors) = (vec![], vec![]);
    let mut multiplier_errors = [vec![], vec![]];
    for divisions in [40, 80, 160] {
        let suzuki = Composition::suzuki().iterations::<12>();
        let mut state = first;
        state.clock_mut().set_step(1.0 / f64::from(divisions)).unwrap();
        for _ in 0..divisions {
            let _ = suzuki.step(&crane, &mut state).unwrap();
        }
        suzuki_errors.push((state.position() - exact.q).norm());
        let report = suzuki.step(&crane, &mut state).unwrap();
        multiplier_errors[0].push((report.multipliers - exact.multipliers).norm());
    }
    for divisions in [20, 40, 80] {
        let kahan_li = Composition::kahan_li().iterations::<20>();
        let mut state = first;
        state.clock_mut().set_step(1.0 / f64::from(divisions)).unwrap();
        for _ in 0..divisions {
            let _ = kahan_li.step(&crane, &mut state).unwrap();
        }
        kahan_li_errors.push((state.position() - exact.q).norm());
        let report = kahan_li.step(&crane, &mut state).unwrap();
        multiplier_errors[1].push((report.multipliers - exact.multipliers).norm());
    }
    assert_slopes("Suzuki", &suzuki_errors, 4.0, 0.15);
    // Multipliers are the mean of one-sided values of two stages: order 2, whatever the composition's.
    assert_slopes("Suzuki's multipliers", &multiplier_errors[0], 2.0, 0.15);
    assert_slopes("Kahan and Li's multipliers", &multiplier_errors[1], 2.0, 0.15);
    assert_slopes("Kahan and Li", &kahan_li_errors, 6.0, 0.3);
}

#[test]
fn a_composition_with_given_coefficients_keeps_its_order() {
    // Yoshida 1990, order 6 with seven stages, solution A.
    let [a, b, c] = [0.784_513_610_477_560, 0.235_573_213_359_357, -1.177_679_984_178_87];
    let yoshida = Composition::<f64, 7>::new("yoshida_6", [a, b, c, 1.0 - 2.0 * (a + b + c), c, b, a]).unwrap();
    let crane = Crane { damping: 0.8, gyroscopic: 2.5, torque: 0.7 };
    let first = crane.start();
    let exact = runge_kutta(|_| crane, 1, 1.0, *first.position(), *first.velocity());
    let errors = [40, 80, 160].map(|divisions| {
        let mut state = first;
        state.clock_mut().set_step(1.0 / f64::from(divisions)).unwrap();
        for _ in 0..divisions {
            let _ = yoshida.iterations::<20>().step(&crane, &mut state).unwrap();
        }
        (state.position() - exact.q).norm()
    });
    assert_slopes("order six", &errors, 6.0, 0.3);
}

/// A torque that jumps ten times a second.
fn torque(piece: usize) -> f64 {
    [3.0, -2.0, 0.0, 4.0, -4.0, 1.0, -3.0, 2.5, -1.0, 0.5][piece % 10]
}

/// The errors in q and v at t = 1 of RATTLE with the torque of `lag` ticks before.
fn with_jumping_torque(divisions: usize, lag: usize) -> [f64; 2] {
    let crane = |piece| Crane { damping: 0.8, gyroscopic: 2.5, torque: torque(piece) };
    let first = crane(0).start();
    let exact = runge_kutta(crane, 10, 1.0, *first.position(), *first.velocity());
    let rattle = Rattle::new();
    let mut state = first;
    state.clock_mut().set_step(1.0 / divisions as f64).unwrap();
    for n in 0..divisions {
        // The model is the same one throughout; only its input changes, as in a control loop.
        let input = torque(n.saturating_sub(lag) * 10 / divisions);
        let _ = rattle.step(&Crane { torque: input, ..crane(0) }, &mut state).unwrap();
    }
    [(state.position() - exact.q).norm(), (state.velocity() - exact.v).norm()]
}

#[test]
fn a_torque_that_jumps_between_ticks_acts_at_once() {
    // The solution whose force is that same piecewise constant function of time is met to second order: an input holds over
    // the whole step, both kicks see it. A kick kept from the step before would act half a tick late, to first order.
    let errors = [100, 200, 400, 800].map(|divisions| with_jumping_torque(divisions, 0));
    for (component, what) in ["q", "v"].iter().enumerate() {
        let errors = errors.map(|errors| errors[component]);
        assert_slopes(what, &errors, 2.0, 0.1);
        // The test can tell: the same torque one tick later is a first-order error, ten times as large.
        let late = [400, 800].map(|divisions| with_jumping_torque(divisions, 1)[component]);
        assert!(late[1] > 10.0 * errors[3], "{what}: {late:?} against {errors:?}");
        assert_slopes(&format!("{what}, one tick late"), &late, 1.0, 0.2);
    }
}

#[test]
fn every_method_keeps_its_order_in_positions_velocities_and_multipliers() {
    let crane = Crane { damping: 0.8, gyroscopic: 2.5, torque: 0.3 };
    let [q, v] = [*crane.start().position(), *crane.start().velocity()];
    // The levels below that of the positions drift.
    let first = Start::at(&crane, clock(1e-3), q).limit(0.1).moving(v).unwrap();
    let exact = runge_kutta(|_| crane, 1, 1.0, q, v);
    every_variant(&mut |method: &Any<Crane, f64, 6, 2>| {
        let divisions = Claim::of(method.name()).divisions();
        assert_order(method.name(), 0.2, divisions.map(|count| errors(method, &crane, &first, (1.0, count), &exact)));
    });
}

#[test]
fn symplectic_euler_keeps_order_one() {
    let crane = Crane { damping: 0.8, gyroscopic: 2.5, torque: 0.3 };
    let first = crane.start();
    let exact = runge_kutta(|_| crane, 1, 1.0, *first.position(), *first.velocity());
    let mut errors = [vec![], vec![], vec![]];
    for divisions in [800, 1600, 3200] {
        let euler = SymplecticEuler::new();
        let mut state = first;
        state.clock_mut().set_step(1.0 / f64::from(divisions)).unwrap();
        let mut multipliers = Vector::zeros();
        for _ in 0..divisions {
            // λ + μ, where the step ended.
            multipliers = euler.step(&crane, &mut state).unwrap().multipliers;
        }
        errors[0].push((state.position() - exact.q).norm());
        errors[1].push((state.velocity() - exact.v).norm());
        errors[2].push((multipliers - exact.multipliers).norm());
    }
    for (what, errors) in ["q", "v", "multipliers"].iter().zip(&errors) {
        assert_slopes(what, errors, 1.0, 0.1);
    }
}

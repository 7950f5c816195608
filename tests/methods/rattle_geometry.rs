//! What RATTLE preserves (Hairer, "Solving Differential Equations on Manifolds", V.5): its positions are those of SHAKE's
//! three-term recursion (5.1), it is symmetric (Theorem V.5.1), and it conserves linear and angular momentum.

use crate::variants::Any;
use mechanisms::{DoublePendulum, Pendulum, SphericalPendulum};
use nalgebra::vector;
use taut::linalg::{Lu, Matrix, Vector};
use taut::method::{Composition, Rattle, Step, SymplecticEuler};
use taut::scalar::Real;
use taut::start::{Clock, Coordinates, Start, State};
use taut::system::{Diagonal, Mechanical};

fn clock(h: f64) -> Clock<f64> {
    Clock::with_step(h).unwrap()
}

/// q_n₊₁ = 2 q_n − q_n₋₁ + h² M⁻¹ (f − G(q_n)ᵀ λ_n), 0 = g(q_n₊₁), for unit masses.
fn shake<System: Mechanical<N, M, Base = f64>, const N: usize, const M: usize>(
    system: &System,
    [before, here]: [Vector<f64, N>; 2],
    h: f64,
) -> Vector<f64, N> {
    let gradients = system.jacobian(0.0, &here).transpose();
    let force = system.force(0.0, &here, &Vector::zeros());
    let mut next = here + (here - before) + force * (h * h);
    // Newton's method with its matrix evaluated anew, to round-off.
    for _ in 0..8 {
        let matrix: Matrix<f64, M, M> = system.jacobian(0.0, &next) * gradients;
        next -= gradients * Lu::factor(matrix).unwrap().solve(system.constraint(0.0, &next));
    }
    next
}

#[test]
fn the_positions_are_those_of_shake() {
    let (h, n) = (0.01, 1_000);
    let rattle = Rattle::new().iterations::<12>();
    let system = SphericalPendulum::<f64>::default();
    let mut state =
        Start::at(&system, clock(h), SphericalPendulum::position()).moving(SphericalPendulum::velocity()).unwrap();
    // The recursion needs two positions; after them it has no velocity and no multiplier in common with RATTLE.
    let mut shake_positions = [*state.position(); 2];
    let mut largest = 0.0_f64;
    for step in 0..n {
        let _ = rattle.step(&system, &mut state).unwrap();
        let next = if step == 0 { *state.position() } else { shake(&system, shake_positions, h) };
        shake_positions = [shake_positions[1], next];
        largest = largest.max((state.position() - next).amax());
    }
    // The recursion sums differences of positions: its round-off grows like n^(3/2) ε = 7e-12.
    assert!(largest < 1e-11, "spherical pendulum: {largest:e}");
    assert!(largest > 0.0);

    let (h, n) = (0.002, 1_000);
    let rattle = Rattle::new().iterations::<12>();
    let system = DoublePendulum::<f64>::standard();
    let mut state = Start::at(&system, clock(h), [1.0, 0.0, 2.0, 0.0]).moving([0.0, 1.0, 0.0, -1.0]).unwrap();
    let mut shake_positions = [*state.position(); 2];
    let mut largest = 0.0_f64;
    for step in 0..n {
        let _ = rattle.step(&system, &mut state).unwrap();
        let next = if step == 0 { *state.position() } else { shake(&system, shake_positions, h) };
        shake_positions = [shake_positions[1], next];
        largest = largest.max((state.position() - next).amax());
    }
    assert!(largest < 1e-11, "double pendulum: {largest:e}");
}

/// The same place, going back.
fn turned_back<System: Mechanical<N, M, Base = f64>, const N: usize, const M: usize>(
    system: &System,
    state: &State<f64, N, M>,
) -> State<f64, N, M> {
    let mut saved = state.save();
    saved.v = Coordinates::new(-state.velocity());
    saved.sealed().restore(system).unwrap()
}

/// How far from its start a run ends after `n` steps there and `n` steps back, in positions and velocities.
fn there_and_back<System: Mechanical<N, M, Base = f64>, const N: usize, const M: usize>(
    system: &System,
    start: State<f64, N, M>,
    n: usize,
    method: &Any<System, f64, N, M>,
) -> f64 {
    let mut state = start;
    for _ in 0..n {
        let _ = method.step(system, &mut state).unwrap();
    }
    assert!((state.position() - start.position()).norm() > 0.1, "it must have gone somewhere");
    let mut state = turned_back(system, &state);
    for _ in 0..n {
        let _ = method.step(system, &mut state).unwrap();
    }
    (state.position() - start.position()).amax().max((state.velocity() + start.velocity()).amax())
}

#[test]
fn a_run_backwards_returns_to_its_start() {
    let h = 1e-3;
    let rattle = Rattle::new();
    // Round-off: a random walk of n steps of ε that the motion stretches, n^(3/2) h ε = 2e-13.
    let pendulum = Pendulum::<f64>::standard();
    let start = Start::at(&pendulum, clock(h), [1.0, 0.0]).moving([0.0, 0.5]).unwrap();
    let distance = there_and_back(&pendulum, start, 10_000, &rattle);
    assert!(distance < 1e-12, "pendulum: {distance:e}");
    // Chaotic, but for a few swings not much worse.
    let double = DoublePendulum::<f64>::standard();
    let start = Start::at(&double, clock(h), [1.0, 0.0, 2.0, 0.0]).moving([0.0, 1.0, 0.0, -1.0]).unwrap();
    let distance = there_and_back(&double, start, 2_000, &rattle);
    assert!(distance < 1e-12, "double pendulum: {distance:e}");

    // So do symmetric compositions, with a large step.
    let spherical = SphericalPendulum::<f64>::default();
    let start = Start::at(&spherical, clock(0.02), SphericalPendulum::position())
        .moving(SphericalPendulum::velocity())
        .unwrap();
    let (suzuki, kahan_li) = (Composition::suzuki(), Composition::kahan_li());
    let distance = there_and_back(&spherical, start, 500, &suzuki);
    assert!(distance < 1e-11, "Suzuki: {distance:e}");
    let kahan_li = kahan_li.iterations::<12>();
    let distance = there_and_back(&spherical, start, 500, &kahan_li);
    assert!(distance < 1e-11, "Kahan and Li: {distance:e}");

    // Symplectic Euler is not symmetric and does not.
    let euler = SymplecticEuler::new();
    let start = Start::at(&pendulum, clock(h), [1.0, 0.0]).at_rest().unwrap();
    let distance = there_and_back(&pendulum, start, 1_500, &euler);
    assert!(distance > 1e-4, "symplectic Euler: {distance:e}");
}

/// Two unequal masses on a massless rod, in free flight, with a spring between them that the rod resists.
struct Dumbbell;

const MASSES: [f64; 2] = [1.0, 0.3];

impl Mechanical<6, 1> for Dumbbell {
    type Base = f64;
    type Mass = Diagonal<f64, 6>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;

    fn mass(&self) -> Diagonal<f64, 6> {
        let [a, b] = MASSES;
        Diagonal::new([a, a, a, b, b, b])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 6>, _v: &Vector<S, 6>) -> Vector<S, 6> {
        let pull = |axis: usize| (q[3 + axis] - q[axis]) * 5.0;
        vector![pull(0), pull(1), pull(2), -pull(0), -pull(1), -pull(2)]
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 6>) -> Vector<S, 1> {
        let (x, y, z) = (q[3] - q[0], q[4] - q[1], q[5] - q[2]);
        vector![(x * x + y * y + z * z - 0.64) * 0.5]
    }
}

/// Linear momentum, then angular momentum about the origin.
fn momenta(state: &State<f64, 6, 1>) -> Vector<f64, 6> {
    let mut sum = Vector::<f64, 6>::zeros();
    for (i, mass) in MASSES.into_iter().enumerate() {
        let q = state.position().fixed_rows::<3>(3 * i).into_owned();
        let p = state.velocity().fixed_rows::<3>(3 * i) * mass;
        let l = q.cross(&p);
        sum += vector![p.x, p.y, p.z, l.x, l.y, l.z];
    }
    sum
}

#[test]
fn linear_and_angular_momentum_are_conserved() {
    let h = 0.01;
    let start =
        Start::at(&Dumbbell, clock(h), [0.0, 0.1, 0.0, 0.8, 0.0, 0.1]).moving([0.1, 3.0, 1.0, 0.2, -2.0, 4.0]).unwrap();
    let first = momenta(&start);
    assert!(first.iter().all(|component| component.abs() > 0.1), "nothing to conserve: {first}");
    let methods: [&Any<Dumbbell, f64, 6, 1>; 3] = [&Rattle::new(), &SymplecticEuler::new(), &Composition::suzuki()];
    for method in methods {
        let mut state = start;
        for _ in 0..10_000 {
            let _ = method.step(&Dumbbell, &mut state).unwrap();
        }
        // In 100 s it has flown far and turned many times. Round-off of the velocity is a random walk of 1e4 steps of about
        // ε; times the distance it is that of the angular momentum.
        let change = momenta(&state) - first;
        let travelled = state.position().norm();
        assert!(travelled > 50.0);
        assert!(change.fixed_rows::<3>(0).amax() < 1e-13, "{}: linear momentum changed by {change}", method.name());
        assert!(change.fixed_rows::<3>(3).amax() < 1e-13 * travelled, "{}: angular momentum {change}", method.name());
    }
}

#[test]
fn the_vertical_angular_momentum_of_the_spherical_pendulum_is_conserved() {
    let system = SphericalPendulum::<f64>::default();
    let mut state =
        Start::at(&system, clock(0.05), SphericalPendulum::position()).moving(SphericalPendulum::velocity()).unwrap();
    let momentum = |state: &State<f64, 3, 1>| state.position().cross(state.velocity()).z;
    let first = momentum(&state);
    // A large step, so that nothing but the method keeps it: the error of the positions is of the order of one.
    let rattle = Rattle::new().iterations::<20>();
    for _ in 0..100_000 {
        let _ = rattle.step(&system, &mut state).unwrap();
        // Round-off has a bias, seen as 0.014 ε in every step: 0.1 ε in 1e5 of them.
        assert!((momentum(&state) - first).abs() < 1e4 * f64::EPSILON * first, "{:e}", momentum(&state) - first);
    }
}

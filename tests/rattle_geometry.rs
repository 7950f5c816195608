//! What RATTLE preserves (Hairer, "Solving Differential Equations on Manifolds", V.5): its positions are those of SHAKE's
//! three-term recursion (5.1), it is symmetric (Theorem V.5.1), it conserves linear and angular momentum, its energy does
//! not drift, and where its time begins does not matter.
//!
//! The energy does drift when the Newton iteration stops too early, with another error at every node: the numbers of
//! iterations that are enough and too few were found independently.

use nalgebra::vector;
use systems::{DoublePendulum, Pendulum, SphericalPendulum};
use taut::linalg::{Lu, Matrix, Vector, magnitude};
use taut::method::{Composition, Rattle, Report, StepError, StepSize, SymplecticEuler};
use taut::scalar::{Float, Real};
use taut::start::{Coordinates, Start, State};
use taut::system::{Lumped, Mechanical};

fn size(h: f64) -> StepSize<f64> {
    StepSize::seconds(h).unwrap()
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
    let rattle = Rattle::with_step(size(h)).iterations::<12>();
    let system = SphericalPendulum::<f64>::default();
    let mut state = Start::at(&system, SphericalPendulum::position()).moving(SphericalPendulum::velocity()).unwrap();
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
    let rattle = Rattle::with_step(size(h)).iterations::<12>();
    let system = DoublePendulum::<f64>::standard();
    let mut state = Start::at(&system, [1.0, 0.0, 2.0, 0.0]).moving([0.0, 1.0, 0.0, -1.0]).unwrap();
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
    h: f64,
) -> State<f64, N, M> {
    let mut saved = state.save();
    saved.v = Coordinates::new(-state.velocity());
    Start::restore(system, &saved).unchanged(h).unwrap()
}

/// How far from its start a run ends after `n` steps there and `n` steps back, in positions and velocities.
fn there_and_back<System: Mechanical<N, M, Base = f64>, const N: usize, const M: usize>(
    system: &System,
    start: State<f64, N, M>,
    h: f64,
    n: usize,
    step: impl Fn(&System, &mut State<f64, N, M>) -> Result<Report<f64, M>, StepError<f64>>,
) -> f64 {
    let mut state = start;
    for _ in 0..n {
        let _ = step(system, &mut state).unwrap();
    }
    assert!((state.position() - start.position()).norm() > 0.1, "it must have gone somewhere");
    let mut state = turned_back(system, &state, h);
    for _ in 0..n {
        let _ = step(system, &mut state).unwrap();
    }
    (state.position() - start.position()).amax().max((state.velocity() + start.velocity()).amax())
}

#[test]
fn run_backwards_it_returns_to_its_start() {
    let h = 1e-3;
    let rattle = Rattle::with_step(size(h));
    // Round-off: a random walk of n steps of ε that the motion stretches, n^(3/2) h ε = 2e-13.
    let pendulum = Pendulum::<f64>::standard();
    let start = Start::at(&pendulum, [1.0, 0.0]).moving([0.0, 0.5]).unwrap();
    let distance = there_and_back(&pendulum, start, h, 10_000, |system, state| rattle.step(system, state));
    assert!(distance < 1e-12, "pendulum: {distance:e}");
    // Chaotic, but for a few swings not much worse.
    let double = DoublePendulum::<f64>::standard();
    let start = Start::at(&double, [1.0, 0.0, 2.0, 0.0]).moving([0.0, 1.0, 0.0, -1.0]).unwrap();
    let distance = there_and_back(&double, start, h, 2_000, |system, state| rattle.step(system, state));
    assert!(distance < 1e-12, "double pendulum: {distance:e}");

    // So do symmetric compositions, with a large step.
    let spherical = SphericalPendulum::<f64>::default();
    let start = Start::at(&spherical, SphericalPendulum::position()).moving(SphericalPendulum::velocity()).unwrap();
    let (suzuki, kahan_li) = (Composition::suzuki(size(0.02)), Composition::kahan_li(size(0.02)));
    let distance = there_and_back(&spherical, start, 0.02, 500, |system, state| suzuki.step(system, state));
    assert!(distance < 1e-11, "Suzuki: {distance:e}");
    let kahan_li = kahan_li.iterations::<12>();
    let distance = there_and_back(&spherical, start, 0.02, 500, |system, state| kahan_li.step(system, state));
    assert!(distance < 1e-11, "Kahan and Li: {distance:e}");

    // Symplectic Euler is not symmetric and does not.
    let euler = SymplecticEuler::with_step(size(h));
    let distance =
        there_and_back(&pendulum, Start::at(&pendulum, [1.0, 0.0]).at_rest().unwrap(), h, 1_500, |s, state| {
            euler.step(s, state)
        });
    assert!(distance > 1e-4, "symplectic Euler: {distance:e}");
}

/// Two unequal masses on a massless rod, in free flight, with a spring between them that the rod resists.
struct Dumbbell;

const MASSES: [f64; 2] = [1.0, 0.3];

impl Mechanical<6, 1> for Dumbbell {
    type Base = f64;
    type Mass = Lumped<f64, 6>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;

    fn mass(&self) -> Lumped<f64, 6> {
        let [a, b] = MASSES;
        Lumped::new([a, a, a, b, b, b])
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
    let start = Start::at(&Dumbbell, [0.0, 0.1, 0.0, 0.8, 0.0, 0.1]).moving([0.1, 3.0, 1.0, 0.2, -2.0, 4.0]).unwrap();
    let first = momenta(&start);
    assert!(first.iter().all(|component| component.abs() > 0.1), "nothing to conserve: {first}");
    let rattle = Rattle::with_step(size(h));
    let (euler, suzuki) = (SymplecticEuler::with_step(size(h)), Composition::suzuki(size(h)));
    type Step<'a> = &'a dyn Fn(&mut State<f64, 6, 1>) -> Result<Report<f64, 1>, StepError<f64>>;
    let methods: [(&str, Step); 3] = [
        ("RATTLE", &|state| rattle.step(&Dumbbell, state)),
        ("symplectic Euler", &|state| euler.step(&Dumbbell, state)),
        ("Suzuki", &|state| suzuki.step(&Dumbbell, state)),
    ];
    for (name, step) in methods {
        let mut state = start;
        for _ in 0..10_000 {
            let _ = step(&mut state).unwrap();
        }
        // In 100 s it has flown far and turned many times. Round-off of the velocity is a random walk of 1e4 steps of about
        // ε; times the distance it is that of the angular momentum.
        let change = momenta(&state) - first;
        let travelled = state.position().norm();
        assert!(travelled > 50.0);
        assert!(change.fixed_rows::<3>(0).amax() < 1e-13, "{name}: linear momentum changed by {change}");
        assert!(change.fixed_rows::<3>(3).amax() < 1e-13 * travelled, "{name}: angular momentum {change}");
    }
}

#[test]
fn the_vertical_angular_momentum_of_the_spherical_pendulum_is_conserved() {
    let system = SphericalPendulum::<f64>::default();
    let mut state = Start::at(&system, SphericalPendulum::position()).moving(SphericalPendulum::velocity()).unwrap();
    let momentum = |state: &State<f64, 3, 1>| state.position().cross(state.velocity()).z;
    let first = momentum(&state);
    // A large step, so that nothing but the method keeps it: the error of the positions is of the order of one.
    let rattle = Rattle::with_step(size(0.05)).iterations::<20>();
    for _ in 0..100_000 {
        let _ = rattle.step(&system, &mut state).unwrap();
        // Round-off has a bias, seen as 0.014 ε in every step: 0.1 ε in 1e5 of them.
        assert!((momentum(&state) - first).abs() < 1e4 * f64::EPSILON * first, "{:e}", momentum(&state) - first);
    }
}

/// The energy error over a run: its largest magnitude, and its mean over the first and over the last tenth.
struct Energy {
    largest: f64,
    first: f64,
    last: f64,
}

impl Energy {
    fn drift(&self) -> f64 {
        self.last - self.first
    }
}

/// A pendulum from (1, 0). Means are taken over whole swings, from one passage of the lowest point to the right to the
/// next, so that the oscillation of the energy leaves them and a drift shows down to round-off.
fn pendulum_energy<const K: usize>(system: &Pendulum<f64>, velocity: [f64; 2], h: f64, n: usize) -> Energy {
    let rattle = Rattle::with_step(size(h)).iterations::<K>();
    let mut state = Start::at(system, [1.0, 0.0]).moving(velocity).unwrap();
    let start = system.energy(state.position(), state.velocity());
    let (mut largest, mut swings) = (0.0_f64, Vec::new());
    let (mut sum, mut weight, mut x_before) = (0.0, 0.0, 1.0);
    for _ in 0..n {
        let _ = rattle.step(system, &mut state).unwrap();
        let energy = system.energy(state.position(), state.velocity()) - start;
        largest = largest.max(energy.abs());
        let x = state.position().x;
        // A sample on either side of a passage counts in parts for both swings.
        let after = if x_before < 0.0 && x >= 0.0 { x / (x - x_before) } else { 0.0 };
        sum += energy * (1.0 - after);
        weight += 1.0 - after;
        if after > 0.0 {
            swings.push(sum / weight);
            (sum, weight) = (energy * after, after);
        }
        x_before = x;
    }
    // The first swing was not a whole one.
    let swings = &swings[1..];
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let tenth = swings.len() / 10;
    Energy { largest, first: mean(&swings[..tenth]), last: mean(&swings[swings.len() - tenth..]) }
}

/// The double pendulum from (1, 0, 2, 0) at rest. It is chaotic: the mean over a tenth of a long run is a mean over the whole
/// energy surface.
fn double_pendulum_energy<const K: usize>(system: &DoublePendulum<f64>, h: f64, n: usize) -> Energy {
    let rattle = Rattle::with_step(size(h)).iterations::<K>();
    // With too few iterations the residuals are large: allow them, the energy is what is looked at.
    let mut state = Start::at(system, [1.0, 0.0, 2.0, 0.0]).limit(1e-3).at_rest().unwrap();
    let start = system.energy(state.position(), state.velocity());
    let mut run = Energy { largest: 0.0, first: 0.0, last: 0.0 };
    let tenth = n / 10;
    for i in 0..n {
        let _ = rattle.step(system, &mut state).unwrap();
        let energy = system.energy(state.position(), state.velocity()) - start;
        run.largest = run.largest.max(energy.abs());
        if i < tenth {
            run.first += energy / tenth as f64;
        } else if i >= n - tenth {
            run.last += energy / tenth as f64;
        }
    }
    run
}

const DEFAULT: usize = taut::method::DEFAULT_ITERATIONS;

#[test]
fn the_energy_of_the_pendulum_does_not_drift() {
    // Ten million steps. The error oscillates with an amplitude of 3.6e-5; its mean may move by round-off: iterations that go
    // on at the level of round-off have a bias, seen as 0.025 ε of the energy's scale in every step.
    let steps = 10_000_000;
    let run = pendulum_energy::<DEFAULT>(&Pendulum::standard(), [0.0, 0.0], 1e-3, steps);
    let bound = 0.1 * f64::EPSILON * 9.81 * steps as f64;
    assert!((run.largest - 3.6e-5).abs() < 1e-6, "{:e}", run.largest);
    assert!(run.drift().abs() < bound, "{:e} against {bound:e}", run.drift());
}

#[test]
fn the_energy_of_the_double_pendulum_does_not_drift() {
    // The error reaches 0.125 J; its mean over a tenth of the run is −5.6e-3 J and varies by 2e-4 J or so from tenth to
    // tenth, with any number of iterations. Four iterations instead of the default six move it by 1.6e-2 J.
    let run = double_pendulum_energy::<DEFAULT>(&DoublePendulum::standard(), 1e-2, 1_000_000);
    assert!(run.largest < 0.15, "{:e}", run.largest);
    assert!(run.drift().abs() < 1e-3, "{:e}", run.drift());
    // With unit gravity the same step is three times as small in the pendulum's own time.
    let run = double_pendulum_energy::<DEFAULT>(&DoublePendulum::unit(), 1e-2, 1_000_000);
    assert!(run.largest < 1.5e-3, "{:e}", run.largest);
    assert!(run.drift().abs() < 1e-5, "{:e}", run.drift());
}

#[test]
fn too_few_iterations_drift() {
    let steps = 1_000_000;
    // Found independently for the unit double pendulum: one iteration at h = 1e-3 drifts by 3e-5; at h = 1e-2 two drift by
    // 2.8e-4, three a little, six not at all. Chaos allows a factor of two.
    let unit = DoublePendulum::unit();
    let drift = double_pendulum_energy::<1>(&unit, 1e-3, steps).drift();
    assert!((1.5e-5..6e-5).contains(&drift), "one, 1e-3: {drift:e}");
    let drift = double_pendulum_energy::<2>(&unit, 1e-2, steps).drift();
    assert!((1.4e-4..5.6e-4).contains(&drift), "two, 1e-2: {drift:e}");
    let drift = double_pendulum_energy::<3>(&unit, 1e-2, steps).drift();
    assert!((3e-5..1.5e-4).contains(&drift), "three, 1e-2: {drift:e}");
    let drift = double_pendulum_energy::<1>(&unit, 1e-2, steps).drift();
    assert!(drift > 0.1, "one, 1e-2: {drift:e}");

    // One iteration is enough for the pendulum at h = 1e-3, to round-off, and not at h = 1e-2.
    let unit = Pendulum::unit();
    let drift = pendulum_energy::<1>(&unit, [0.0, -1.0], 1e-3, steps).drift();
    assert!(drift.abs() < 0.1 * f64::EPSILON * steps as f64, "pendulum, one, 1e-3: {drift:e}");
    let drift = pendulum_energy::<1>(&unit, [0.0, -1.0], 1e-2, steps).drift();
    assert!(drift < -1e-7, "pendulum, one, 1e-2: {drift:e}");
    let drift = pendulum_energy::<2>(&unit, [0.0, -1.0], 1e-2, steps).drift();
    assert!(drift < -3e-11, "pendulum, two, 1e-2: {drift:e}");
    let drift = pendulum_energy::<DEFAULT>(&unit, [0.0, -1.0], 1e-2, steps).drift();
    assert!(drift.abs() < 0.1 * f64::EPSILON * steps as f64, "pendulum, default, 1e-2: {drift:e}");
}

/// A pendulum whose pivot is shaken along x.
struct Shaken<T> {
    amplitude: T,
}

impl<T: Float> Mechanical<2, 1> for Shaken<T> {
    type Base = T;
    type Mass = Lumped<T, 2>;

    fn mass(&self) -> Lumped<T, 2> {
        Lumped::new([T::one(); 2])
    }
    fn force<S: Real<Base = T>>(&self, t: S, _q: &Vector<S, 2>, v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![(t * T::from_f64(3.0)).cos() - v.x * T::from_f64(0.1), S::constant(-9.81)]
    }
    fn constraint<S: Real<Base = T>>(&self, t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        let x = q.x - (t * T::from_f64(7.0)).sin() * self.amplitude;
        vector![(x * x + q.y * q.y - T::one()) * T::from_f64(0.5)]
    }
}

fn runs_alike_from_any_tick<T: Float>() {
    let system = Shaken { amplitude: T::from_f64(0.1) };
    let h = StepSize::seconds(T::from_f64(1e-3)).unwrap();
    let (rattle, euler, suzuki) = (Rattle::with_step(h), SymplecticEuler::with_step(h), Composition::suzuki(h));
    let start = |tick: u64| {
        let guess = [T::one(), T::zero()];
        Start::at(&system, guess).at_tick(tick).at_time(T::from_f64(0.25)).at_rest().unwrap()
    };
    type Step<'a, T> = &'a dyn Fn(&mut State<T, 2, 1>) -> Result<Report<T, 1>, StepError<T>>;
    let methods: [Step<T>; 3] = [&|state| rattle.step(&system, state), &|state| euler.step(&system, state), &|state| {
        suzuki.step(&system, state)
    }];
    // 1e9 ticks of a millisecond are eleven days; the last one passes the largest tick there is.
    for late in [1_000_000_000, u64::MAX - 500] {
        for step in methods {
            let (mut early_state, mut late_state) = (start(0), start(late));
            for n in 1..=1_000_u64 {
                let (early_report, late_report) = (step(&mut early_state).unwrap(), step(&mut late_state).unwrap());
                assert_eq!(early_report, late_report);
                assert_eq!(early_state.position(), late_state.position());
                assert_eq!(early_state.velocity(), late_state.velocity());
                assert_eq!((early_state.tick(), late_state.tick()), (n, late.wrapping_add(n)));
            }
            // It has moved, and so has the pivot.
            assert!(magnitude(&(early_state.position() - start(0).position())) > T::from_f64(0.1));
        }
    }
}

#[test]
fn a_run_at_tick_one_billion_is_the_run_at_tick_zero() {
    runs_alike_from_any_tick::<f32>();
    runs_alike_from_any_tick::<f64>();
}

#[test]
fn the_epoch_can_move_with_a_periodic_constraint() {
    // After a whole number of periods of the prescribed motion, 2000 ticks here, the epoch may be moved without moving the
    // constraint: the run goes on as if nothing had happened, but the model's time stays small.
    let h = core::f64::consts::TAU / 2_000.0;
    let system = Shaken { amplitude: 0.1 };
    let rattle = Rattle::with_step(size(h));
    let start = Start::at(&system, [0.0, -1.0]).at_tick(1_000_000_000).at_rest().unwrap();
    let (mut moved, mut unmoved) = (start, start);
    for n in 1..=8_000_u32 {
        let _ = rattle.step(&system, &mut moved).unwrap();
        let _ = rattle.step(&system, &mut unmoved).unwrap();
        if n % 2_000 == 0 {
            moved.set_epoch(0.0);
        }
    }
    assert_eq!(moved.tick(), unmoved.tick());
    assert_eq!((moved.time(h), unmoved.time(h)), (0.0, 8_000.0 * h));
    assert!((moved.position() - unmoved.position()).amax() < 1e-10);
}

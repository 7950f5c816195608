//! The energy of RATTLE does not drift (Hairer, V.5). It does when the Newton iteration stops too early, with another error at
//! every node: the numbers of iterations that are enough and too few were found independently.

use mechanisms::{DoublePendulum, Pendulum};
use taut::method::{Rattle, Step};
use taut::start::{Clock, Start};

fn clock(h: f64) -> Clock<f64> {
    Clock::with_step(h).unwrap()
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
    let rattle = Rattle::new().iterations::<K>();
    let mut state = Start::at(system, clock(h), [1.0, 0.0]).moving(velocity).unwrap();
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
    let rattle = Rattle::new().iterations::<K>();
    // With too few iterations the residuals are large: allow them, the energy is what is looked at.
    let mut state = Start::at(system, clock(h), [1.0, 0.0, 2.0, 0.0]).limit(1e-3).at_rest().unwrap();
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

//! Time in `f32`: a path is tracked after ten minutes, and at tick 1e9, as it is at the start.

use core::num::NonZeroU64;

use nalgebra::vector;
use taut::linalg::{Ldlt, Vector};
use taut::method::Rattle;
use taut::scalar::Real;
use taut::start::{Precision, Start, State};
use taut::system::{Lumped, Mechanical};

/// A mass that is led along sin(2π t), once a second.
struct Led;

impl Mechanical<1, 1> for Led {
    type Base = f32;
    type Mass = Lumped<f32, 1>;
    const VELOCITY_DEPENDENT: bool = false;

    fn mass(&self) -> Lumped<f32, 1> {
        Lumped::new([1.0])
    }
    fn force<S: Real<Base = f32>>(&self, _t: S, _q: &Vector<S, 1>, _v: &Vector<S, 1>) -> Vector<S, 1> {
        vector![S::from(0.0)]
    }
    fn constraint<S: Real<Base = f32>>(&self, t: S, q: &Vector<S, 1>) -> Vector<S, 1> {
        vector![q.x - (t * core::f32::consts::TAU).sin()]
    }
}

const PERIOD: u64 = 1_000;

/// The largest errors of position, velocity and multiplier over three periods, against the path in double precision; the multiplier
/// is minus the acceleration.
fn errors<P: Precision>(state: &mut State<f32, 1, 1, Ldlt<f32, 1>, P>) -> [f64; 3] {
    let rattle = Rattle::at_rate(1_000.0_f32).unwrap();
    let (h, turn) = (f64::from(rattle.step_size()), f64::from(core::f32::consts::TAU));
    let mut errors = [0.0_f64; 3];
    // Three periods: their seams, where 1000 h is 5e-8 more than a second, must not show.
    for _ in 0..3 * PERIOD {
        let phase = |ticks: u64| turn * h * (ticks % PERIOD) as f64;
        let begin = phase(state.tick());
        let multiplier = f64::from(rattle.step(&Led, state).unwrap().multipliers[0]);
        // The last tick of a period is reached along the old period: t = 1 there, not 0.
        let end = turn * h * ((state.tick() - 1) % PERIOD + 1) as f64;
        let found = [
            f64::from(state.position().x) - end.sin(),
            f64::from(state.velocity().x) - turn * end.cos(),
            multiplier - turn * turn * begin.sin(),
        ];
        for (worst, found) in errors.iter_mut().zip(found) {
            *worst = worst.max(found.abs());
        }
    }
    errors
}

fn start<P: Precision>(start: Start<'_, Led, f32, 1, 1, Ldlt<f32, 1>, P>) -> State<f32, 1, 1, Ldlt<f32, 1>, P> {
    let mut state = start.moving([core::f32::consts::TAU]).unwrap();
    state.set_period(NonZeroU64::new(PERIOD));
    state
}

#[test]
fn periodic_paths_are_tracked_for_ever() {
    let rattle = Rattle::at_rate(1_000.0_f32).unwrap();
    let mut state = start(Start::at(&Led, [0.0]));
    // Position and velocity: a few roundings of the sine, of 2π of it, and of 1000 h, which is 5e-8 above a second.
    let early = errors(&mut state);
    assert!(early[0] < 4e-7 && early[1] < 4e-6, "{early:?}");
    while state.tick() < 600_000 {
        rattle.step(&Led, &mut state).unwrap();
    }
    let late = errors(&mut state);
    let mut state = start(Start::at(&Led, [0.0]).at_tick(1_000_000_000));
    assert_eq!(errors(&mut state), early);
    assert_eq!(state.tick(), 1_000_003_000);
    for (late, early) in late.iter().zip(early) {
        assert!(*late <= 1.5 * early, "{late:e} after ten minutes, {early:e} at the start");
    }
}

#[test]
fn multipliers_of_a_path_are_not_noise() {
    // Plain states round positions by ε/2 in every step, which makes 0.06 of a multiplier of 39 for each rounding; carried
    // digits leave ε/2 2π/h = 4e-4 for each; precise states leave the method's own error, h²/12 (2π)⁴ = 1.3e-4.
    let plain = errors(&mut start(Start::at(&Led, [0.0]).plain()))[2];
    let compensated = errors(&mut start(Start::at(&Led, [0.0]).compensated()))[2];
    let precise = errors(&mut start(Start::at(&Led, [0.0]).precise()))[2];
    assert!(plain > 0.06 && compensated < 4e-3 && precise < 2e-4, "{plain:e}, {compensated:e}, {precise:e}");
}

#[test]
fn a_period_that_is_set_late_counts_from_the_epoch() {
    let rattle = Rattle::at_rate(1_000.0_f32).unwrap();
    let h = rattle.step_size();
    let mut state = Start::at(&Led, [0.0]).moving([core::f32::consts::TAU]).unwrap();
    for _ in 0..1_500 {
        rattle.step(&Led, &mut state).unwrap();
    }
    state.set_period(NonZeroU64::new(PERIOD));
    assert_eq!(state.time(h), 500.0 * h);
    for _ in 0..10_250 {
        rattle.step(&Led, &mut state).unwrap();
    }
    assert_eq!(state.time(h), 750.0 * h);
}

//! Time in `f32`: a path is tracked after ten minutes, and at tick 1e9, as accurately as at the start.

use core::num::NonZeroU64;

use crate::clock;
use nalgebra::vector;
use taut::linalg::{Ldlt, Vector};
use taut::method::{Rattle, Step};
use taut::scalar::Real;
use taut::start::{Clock, Precision, Start, State};
use taut::system::{Diagonal, Mechanical};

/// A mass that is led along sin(2π t), once a second.
#[derive(Clone, Copy)]
struct Led;

impl Mechanical<1, 1> for Led {
    type Base = f32;
    type Mass = Diagonal<f32, 1>;
    const VELOCITY_DEPENDENT: bool = false;

    fn mass(&self) -> Diagonal<f32, 1> {
        Diagonal::new([1.0])
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
    let rattle = Rattle::new();
    let (h, turn) = (f64::from(state.clock().step()), f64::from(core::f32::consts::TAU));
    let mut errors = [0.0_f64; 3];
    // Three periods: their seams, where 1000 h is 5e-8 more than a second, must not show.
    for _ in 0..3 * PERIOD {
        let phase = |ticks: u64| turn * h * (ticks % PERIOD) as f64;
        let begin = phase(state.clock().tick());
        let multiplier = f64::from(rattle.step(&Led, state).unwrap().multipliers[0]);
        // The last tick of a period is reached along the old period: t = 1 there, not 0.
        let end = turn * h * ((state.clock().tick() - 1) % PERIOD + 1) as f64;
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

fn start<P: Precision>(start: Start<'_, Led, 1, 1, Ldlt<f32, 1>, P>) -> State<f32, 1, 1, Ldlt<f32, 1>, P> {
    let mut state = start.moving([core::f32::consts::TAU]).unwrap();
    state.clock_mut().set_period(NonZeroU64::new(PERIOD));
    state
}

/// Early, after ten minutes of steps, and at tick 1e9: started there, and restored there with the time that began at tick zero.
fn is_tracked_for_ever<P: Precision>(begin: impl Fn(Clock<f32>) -> Start<'static, Led, 1, 1, Ldlt<f32, 1>, P>) {
    let rattle = Rattle::new();
    let mut state = start(begin(clock()));
    let mut saved = state.save();
    // Roundings of t, 3e-8 times 2π, of 2π t, 2.4e-7, of the sine, 9e-8, and of the position; the velocity has 2π times as many.
    let early = errors(&mut state);
    assert!(early[0] < 5.5e-7 && early[1] < 4e-6, "{early:?}");
    while state.clock().tick() < 600_000 {
        rattle.step(&Led, &mut state).unwrap();
    }
    let late = errors(&mut state);
    for (late, early) in late.iter().zip(early) {
        assert!(*late <= 1.5 * early, "{late:e} after ten minutes, {early:e} at the start");
    }

    let mut state = start(begin(clock().at_tick(1_000_000_000)));
    assert_eq!(errors(&mut state), early);
    assert_eq!(state.clock().tick(), 1_000_003_000);
    saved.tick = 1_000_000_000;
    assert_eq!((saved.epoch, saved.period), (0, PERIOD));
    let mut state = saved.sealed().restore(&Led).unwrap();
    assert_eq!(errors(&mut state), early);
}

#[test]
fn periodic_paths_are_tracked_for_ever() {
    is_tracked_for_ever(|clock| Start::at(&Led, clock, [0.0]).plain());
    is_tracked_for_ever(|clock| Start::at(&Led, clock, [0.0]).compensated());
    is_tracked_for_ever(|clock| Start::at(&Led, clock, [0.0]).precise());
}

/// Without a period or an epoch that moves, a state with twice the digits still has its positions on the path: its constraint sees
/// the time with its low part, half an ulp of a float off. Rounded, the time would be off by 3e-5 s and the sine by 2e-4.
#[test]
fn precise_positions_need_neither_period_nor_epoch_for_ten_minutes() {
    let rattle = Rattle::new();
    let turn = f64::from(core::f32::consts::TAU) * f64::from(clock::<f32>().step());
    let mut state = Start::at(&Led, clock(), [0.0]).precise().moving([core::f32::consts::TAU]).unwrap();
    let mut worst = [0.0_f64; 2];
    for tick in 1..=603_000 {
        rattle.step(&Led, &mut state).unwrap();
        let error = (f64::from(state.position().x) - (turn * f64::from(tick)).sin()).abs();
        let part = usize::from(tick > 600_000);
        worst[part] = worst[part].max(error);
    }
    assert!(worst[0] < 4e-8 && worst[1] < 4e-8, "{worst:?}");
}

#[test]
fn multipliers_of_a_path_are_not_noise() {
    // Plain states round positions by ε/2 in every step, which makes 0.06 of a multiplier of 39 for each rounding; carried
    // digits leave ε/2 2π/h = 4e-4 for each; precise states leave the method's own error, h²/12 (2π)⁴ = 1.3e-4.
    let plain = errors(&mut start(Start::at(&Led, clock(), [0.0]).plain()))[2];
    let compensated = errors(&mut start(Start::at(&Led, clock(), [0.0]).compensated()))[2];
    let precise = errors(&mut start(Start::at(&Led, clock(), [0.0]).precise()))[2];
    assert!(plain > 0.06 && compensated < 4e-3 && precise < 2e-4, "{plain:e}, {compensated:e}, {precise:e}");
}

#[test]
fn a_period_that_is_set_late_counts_from_the_epoch() {
    let (rattle, h) = (Rattle::new(), clock::<f32>().step());
    let mut state = Start::at(&Led, clock(), [0.0]).moving([core::f32::consts::TAU]).unwrap();
    for _ in 0..1_500 {
        rattle.step(&Led, &mut state).unwrap();
    }
    state.clock_mut().set_period(NonZeroU64::new(PERIOD));
    assert_eq!(state.clock().time(), 500.0 * h);
    for _ in 0..10_250 {
        rattle.step(&Led, &mut state).unwrap();
    }
    assert_eq!(state.clock().time(), 750.0 * h);
}

//! Where time begins does not matter: the tick of the start, and an epoch that moves.

use nalgebra::vector;
use taut::linalg::{Vector, magnitude};
use taut::method::{Composition, Rattle, Report, StepError, StepSize, SymplecticEuler};
use taut::scalar::{Float, Real};
use taut::start::{Start, State};
use taut::system::{Lumped, Mechanical};

fn size(h: f64) -> StepSize<f64> {
    StepSize::seconds(h).unwrap()
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

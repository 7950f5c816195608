//! The tick of the start and a moving epoch do not change a run. The time is continuous where the step size changes.

use crate::variants::{Any, Claim, Exact, every_variant};
use mechanisms::Bead;
use nalgebra::vector;
use taut::linalg::{Vector, magnitude};
use taut::method::{Composition, Rattle, Step, SymplecticEuler};
use taut::scalar::{Float, Real};
use taut::start::{Clock, Start};
use taut::system::{Diagonal, Mechanical};

fn clock(h: f64) -> Clock<f64> {
    Clock::with_step(h).unwrap()
}

/// A pendulum whose pivot is shaken along x.
struct Shaken<T> {
    amplitude: T,
}

impl<T: Float> Mechanical<2, 1> for Shaken<T> {
    type Base = T;
    type Mass = Diagonal<T, 2>;

    fn mass(&self) -> Diagonal<T, 2> {
        Diagonal::new([T::one(); 2])
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
    let clock = Clock::with_step(T::from_f64(1e-3)).unwrap();
    let start = |tick: u64| {
        let guess = [T::one(), T::zero()];
        Start::at(&system, clock.at_tick(tick).at_time(T::from_f64(0.25)), guess).at_rest().unwrap()
    };
    let methods: [&Any<Shaken<T>, T, 2, 1>; 3] = [&Rattle::new(), &SymplecticEuler::new(), &Composition::suzuki()];
    // 1e9 ticks of a millisecond are eleven days; the last one passes the largest tick there is.
    for late in [1_000_000_000, u64::MAX - 500] {
        for method in methods {
            let (mut early_state, mut late_state) = (start(0), start(late));
            for n in 1..=1_000_u64 {
                let [early_report, late_report] =
                    [&mut early_state, &mut late_state].map(|state| method.step(&system, state).unwrap());
                assert_eq!(early_report, late_report);
                assert_eq!(early_state.position(), late_state.position());
                assert_eq!(early_state.velocity(), late_state.velocity());
                assert_eq!((early_state.clock().tick(), late_state.clock().tick()), (n, late.wrapping_add(n)));
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
    let rattle = Rattle::new();
    let start = Start::at(&system, clock(h).at_tick(1_000_000_000), [0.0, -1.0]).at_rest().unwrap();
    let (mut moved, mut unmoved) = (start, start);
    for n in 1..=8_000_u32 {
        let _ = rattle.step(&system, &mut moved).unwrap();
        let _ = rattle.step(&system, &mut unmoved).unwrap();
        if n % 2_000 == 0 {
            moved.clock_mut().set_epoch(0.0);
        }
    }
    assert_eq!(moved.clock().tick(), unmoved.clock().tick());
    assert_eq!((moved.clock().time(), unmoved.clock().time()), (0.0, 8_000.0 * h));
    assert!((moved.position() - unmoved.position()).amax() < 1e-10);
}

/// A bead on a wire that turns: along it r'' = 9 r, and λ is minus the Coriolis force, 12 r'.
fn bead(t: f64) -> Exact<2, 1> {
    let (sinh, cosh) = ((3.0 * t).sinh(), (3.0 * t).cosh());
    let (r, rate) = (1.5 * cosh + 0.7 / 3.0 * sinh, 4.5 * sinh + 0.7 * cosh);
    let (sin, cos) = (3.0 * t).sin_cos();
    let (along, across) = (vector![cos, sin], vector![-sin, cos]);
    Exact { q: along * r, v: along * rate + across * (3.0 * r), multipliers: vector![-12.0 * rate] }
}

#[test]
fn another_step_in_mid_run_keeps_the_time_and_the_order() {
    let Exact { q, v, .. } = bead(0.0);
    let start = Start::at(&Bead, clock(0.5), q).limit(1.0).moving(v).unwrap();
    every_variant(&mut |method: &Any<Bead, f64, 2, 1>| {
        let claim = Claim::of(method.name());
        // Half of the time with steps of one size, the other half with steps half as long. Order 6 is soon at round-off.
        let errors = claim.divisions().map(|count| {
            let count = if claim.order == 6 { count / 2 } else { count };
            let mut state = start;
            let mut errors = [0.0; 4];
            for (part, steps) in [count, 2 * count].into_iter().enumerate() {
                let (time, tick) = (state.clock().time(), state.clock().tick());
                state.clock_mut().set_step(0.5 / f64::from(steps)).unwrap();
                assert_eq!((state.clock().time(), state.clock().tick()), (time, tick));
                for _ in 0..steps {
                    let _ = method.step(&Bead, &mut state).unwrap();
                }
                let end = 0.5 * (part + 1) as f64;
                assert!((state.clock().time() - end).abs() < 1e-15, "{}", state.clock().time());
                assert_eq!(state.clock().tick(), tick + u64::from(steps));
                let exact = bead(end);
                // λ where the step changes as well: it comes from the state, not from steps of either size.
                let multipliers = state.multipliers(&Bead).unwrap();
                errors[part] = (multipliers - exact.multipliers).norm();
                errors[2] = (state.position() - exact.q).norm();
                errors[3] = (state.velocity() - exact.v).norm();
            }
            errors
        });
        // At least the order: symplectic Euler is better here. Of order 8, one halving lies between steps that are too coarse and
        // round-off, which its last position begins to feel.
        let (errors, tolerance) = if claim.order == 8 { (&errors[1..], 0.9) } else { (&errors[..], 0.3) };
        for (k, what) in ["multiplier at the change", "multiplier", "q", "v"].into_iter().enumerate() {
            // Off its positions, the last multiplier is not yet asymptotic: the next term of its error has the other sign and half the
            // size. Its slopes rise, 3.6 and 4.3; with smaller steps it is at round-off.
            if claim.name == "radau_iia_5_bare" && what == "multiplier" {
                continue;
            }
            for pair in errors.windows(2) {
                let slope = (pair[0][k] / pair[1][k]).log2();
                // Some tens of steps leave round-off of up to 100 ε, which tells nothing of the order.
                let is_round_off = pair[1][k] < 100.0 * f64::EPSILON;
                assert!(
                    is_round_off || slope > f64::from(claim.order) - tolerance,
                    "{}, {what}: slope {slope}, {errors:?}",
                    claim.name
                );
            }
        }
    });
}

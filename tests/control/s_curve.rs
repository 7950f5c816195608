//! Jerk-limited motions: limits are kept, derivatives are continuous, and none is faster.
//!
//! Durations from rest to rest are those of the closed formulas (Biagiotti and Melchiorri, *Trajectory Planning for Automatic
//! Machines and Robots*, section 3.4); those from other motions were computed by linear programming.

use nalgebra::vector;
use proptest::prelude::*;
use taut::scalar::{Float, Jet, Real, Taylor};
use taut::trajectory::{Limits, Motion, SCurve, Trajectory, TrajectoryError};

fn moving<T: Float>(position: T, velocity: T, acceleration: T) -> Motion<T, 1> {
    Motion { velocity: vector![velocity], acceleration: vector![acceleration], ..Motion::at_rest([position]) }
}

/// The shortest time from rest to rest over a distance.
fn shortest(distance: f64, v: f64, a: f64, j: f64) -> f64 {
    let d = distance.abs();
    // The acceleration is reached if v ≥ a²/j, the velocity if the distance is enough for it.
    let to_top = if v * j >= a * a { v / a + a / j } else { 2.0 * (v / j).sqrt() };
    if d >= v * to_top {
        return d / v + to_top;
    }
    if d >= 2.0 * a * a * a / (j * j) {
        a / j + ((a / j) * (a / j) + 4.0 * d / a).sqrt()
    } else {
        (32.0 * d / j).cbrt()
    }
}

/// The duration is that of the formula, for a distance with a few roundings.
fn assert_shortest<T: Float>(curve: &SCurve<T>, distance: T, limits: (T, T, T)) {
    let error = 16.0 * T::EPSILON.to_f64();
    let (d, found) = (distance.to_f64().abs(), curve.duration().to_f64());
    let [low, high] = [1.0 - error, 1.0 + error]
        .map(|factor| shortest(d * factor, limits.0.to_f64(), limits.1.to_f64(), limits.2.to_f64()) * factor);
    assert!((low..=high).contains(&found), "{found} is not between {low} and {high}");
}

/// Limits are kept and derivatives continuous, at many times and on both sides of every change of the jerk.
fn check<T: Float>(curve: &SCurve<T>, start: &Motion<T, 1>, target: T, limits: (T, T, T)) {
    let number = |x: T| x.to_f64();
    let (v_max, a_max, j_max) = (number(limits.0), number(limits.1), number(limits.2));
    let duration = curve.duration();
    let eps = number(T::EPSILON);
    // Velocities are sums of a few terms that are no larger than the limit; likewise accelerations. A start may be above by
    // 64 ε, which is what a re-plan needs.
    let slack = 1.0 + 96.0 * eps;
    let span = number(target).abs() + number(start.position[0]).abs() + v_max * number(duration);
    let first = curve.at(Jet::variable(T::zero()))[0];
    if duration > T::zero() {
        assert_eq!(
            (first.value, first.first, first.second),
            (start.position[0], start.velocity[0], start.acceleration[0])
        );
    }
    assert_eq!(curve.at(duration)[0], target);
    let count = 2_000;
    let mut before: Option<[f64; 3]> = None;
    let dt = number(duration) / f64::from(count);
    for k in 0..=count {
        let t = duration * T::from_f64(f64::from(k) / f64::from(count));
        let now = curve.at(Taylor::<T, 3>::variable(t))[0];
        let [v, a, j] = now.derivatives().map(number);
        assert!(v.abs() <= v_max * slack, "velocity {v} above {v_max} at {t}");
        assert!(a.abs() <= a_max * slack, "acceleration {a} above {a_max} at {t}");
        assert!(j.abs() <= j_max * slack, "jerk {j} above {j_max} at {t}");
        if let Some([x0, v0, a0]) = before {
            // By the mean value theorem, if there is no jump; plus round-off in t.
            let dt = dt + 4.0 * eps * number(duration);
            let x = number(now.value);
            assert!((x - x0).abs() <= v_max * dt * slack + 16.0 * eps * span, "position jumps at {t}: {x0} {x}");
            // The rest that a plan leaves over is of the order of rounding in the distance, divided by the time it has left.
            assert!((v - v0).abs() <= a_max * dt * slack + 64.0 * eps * v_max, "velocity jumps at {t}: {v0} {v}");
            assert!((a - a0).abs() <= j_max * dt * slack + 64.0 * eps * a_max, "acceleration jumps at {t}: {a0} {a}");
        }
        before = Some([number(now.value), v, a]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn from_rest_it_keeps_its_limits_and_is_as_fast_as_the_formula(
        from in -10.0..10.0_f64, to in -10.0..10.0_f64,
        v in -2.0..2.0_f64, a in -2.0..2.0_f64, j in -2.0..3.0_f64, short in -7.0..0.0_f64,
    ) {
        // Limits over four decades, distances over seven: every case of missing phases.
        let (v, a, j) = (10.0_f64.powf(v), 10.0_f64.powf(a), 10.0_f64.powf(j));
        let to = from + (to - from) * 10.0_f64.powf(short);
        let limits = Limits::new(v, a, j).unwrap();
        let curve = SCurve::point_to_point(from, to, &limits).unwrap();
        check(&curve, &Motion::at_rest([from]), to, (v, a, j));
        assert_shortest(&curve, to - from, (v, a, j));

        let (from, to, v, a, j) = (from as f32, to as f32, v as f32, a as f32, j as f32);
        let curve = SCurve::point_to_point(from, to, &Limits::new(v, a, j).unwrap()).unwrap();
        check(&curve, &Motion::at_rest([from]), to, (v, a, j));
        assert_shortest(&curve, to - from, (v, a, j));
    }

    #[test]
    fn from_any_motion_within_its_limits_it_keeps_them(
        to in -3.0..3.0_f64, v0 in -1.0..1.0_f64, a0 in -1.0..1.0_f64,
        v in -1.0..1.0_f64, a in -1.0..1.0_f64, j in -1.0..2.0_f64,
    ) {
        let (v, a, j) = (10.0_f64.powf(v), 10.0_f64.powf(a), 10.0_f64.powf(j));
        let (v0, a0) = (v0 * v, a0 * a);
        let start = moving(0.5, v0, a0);
        let limits = Limits::new(v, a, j).unwrap();
        let level = v0 + a0 * a0.abs() / (2.0 * j);
        match SCurve::between(&start, to, &limits) {
            Ok(curve) => {
                check(&curve, &start, to, (v, a, j));
                let single = moving(0.5_f32, v0 as f32, a0 as f32);
                let limits = (v as f32, a as f32, j as f32);
                if let Ok(curve) = SCurve::between(&single, to as f32, &Limits::new(limits.0, limits.1, limits.2).unwrap()) {
                    check(&curve, &single, to as f32, limits);
                }
            }
            Err(error) => {
                prop_assert!(level.abs() > v, "{error}");
                let refused = matches!(error, TrajectoryError::TooFast { derivative: 1, .. });
                prop_assert!(refused);
            }
        }
    }

    #[test]
    fn a_plan_made_anew_on_the_way_arrives_at_the_same_time(
        to in -3.0..3.0_f64, v in -1.0..1.0_f64, a in -1.0..1.0_f64, j in -1.0..2.0_f64, part in 0.0..1.0_f64,
        v0 in -0.9..0.9_f64, a0 in -0.9..0.9_f64,
    ) {
        // Bellman: the rest of the fastest motion is the fastest motion from there. A plan that takes longer than it could, from
        // some motion, does not have this property.
        let (v, a, j) = (10.0_f64.powf(v), 10.0_f64.powf(a), 10.0_f64.powf(j));
        let limits = Limits::new(v, a, j).unwrap();
        let Ok(curve) = SCurve::between(&moving(0.0, v0 * v, a0 * a), to, &limits) else { return Ok(()) };
        let t = curve.duration() * part;
        let again = SCurve::departing(&curve, t, to, &limits).unwrap();
        let left = curve.duration() - t;
        // A rounding of the position at the end of a motion changes its time by the cube root: (ε · 10/j)^⅓.
        let limit = 1e-4 * (to.abs().max(1.0) / j).cbrt();
        prop_assert!((again.duration() - left).abs() <= limit, "{} {left}", again.duration());
    }
}

#[test]
fn from_other_motions_none_is_faster() {
    // Velocity, acceleration, target; the shortest time of a piecewise constant jerk with 120 pieces, by linear programming, for
    // limits 1, 2 and 10 from the position 0. That is above the minimum by a piece or so at each of the changes of the jerk.
    let table = [
        (0.8, 0.0, 0.5, 0.88684),
        (0.8, 0.0, 1.5, 1.87838),
        (-0.6, 0.0, 0.3, 1.46977),
        (0.5, 1.5, 0.6, 1.02469),
        (0.5, -1.5, 0.12, 0.49049),
        (0.5, -1.5, 0.14, 0.54364),
        (0.9, -1.8, 0.35, 0.74561),
        (0.9, -1.8, 0.05, 1.14564),
        (-0.3, -1.5, 0.2, 1.40494),
        (0.1, 1.9, -0.4, 1.54005),
        (0.05, -1.9, 0.0, 0.73462),
    ];
    let limits = Limits::new(1.0, 2.0, 10.0).unwrap();
    for (v, a, to, time) in table {
        let duration = SCurve::between(&moving(0.0, v, a), to, &limits).unwrap().duration();
        assert!(duration <= time + 1e-5 && duration > time * 0.998, "from ({v}, {a}) to {to}: {duration}, not {time}");
    }
}

#[test]
fn nothing_to_do_takes_no_time() {
    let limits = Limits::new(1.0_f32, 1.0, 1.0).unwrap();
    let curve = SCurve::point_to_point(3.0, 3.0, &limits).unwrap();
    assert_eq!(curve.duration(), 0.0);
    assert_eq!(curve.at(0.0_f32)[0], 3.0);
    assert_eq!(curve.at(5.0_f32)[0], 3.0);
}

#[test]
fn a_target_behind_is_reached_by_turning_back() {
    let limits = Limits::new(1.0, 2.0, 10.0).unwrap();
    let curve = SCurve::between(&moving(0.0, 0.9, 0.5), 0.01, &limits).unwrap();
    let furthest = (0..1000).map(|k| curve.at(curve.duration() * f64::from(k) / 1000.0)[0]).fold(0.0, f64::max);
    assert!(furthest > 0.2);
    assert_eq!(curve.at(10.0)[0], 0.01);
}

#[test]
fn bad_input_is_refused() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Limits::new(bad, 1.0, 1.0).is_err() && Limits::new(1.0, bad, 1.0).is_err());
        assert!(Limits::new(1.0, 1.0, bad).is_err());
    }
    let limits = Limits::new(1.0, 1.0, 1.0).unwrap();
    for bad in [f64::NAN, f64::INFINITY] {
        assert!(matches!(SCurve::point_to_point(bad, 1.0, &limits), Err(TrajectoryError::NonFinite { .. })));
        assert!(matches!(SCurve::point_to_point(1.0, bad, &limits), Err(TrajectoryError::NonFinite { .. })));
        assert!(SCurve::between(&moving(0.0, bad, 0.0), 1.0, &limits).is_err());
        assert!(SCurve::between(&moving(0.0, 0.0, bad), 1.0, &limits).is_err());
    }
    let fast = SCurve::between(&moving(0.0, 1.1, 0.0), 1.0, &limits);
    assert_eq!(fast, Err(TrajectoryError::TooFast { derivative: 1, found: 1.1, limit: 1.0 }));
    let hard = SCurve::between(&moving(0.0, 0.0, -1.5), 1.0, &limits);
    assert!(matches!(hard, Err(TrajectoryError::TooFast { .. })));
    // Within the limits now, but not when the acceleration has been taken back: 0.8 + 0.5.
    let soon = SCurve::between(&moving(0.0, 0.8, 1.0), 1.0, &limits);
    assert_eq!(soon, Err(TrajectoryError::TooFast { derivative: 1, found: 1.3, limit: 1.0 }));
    assert!(SCurve::point_to_point(-f64::MAX, f64::MAX, &limits).is_err());
    assert!(
        Real::abs(SCurve::point_to_point(-1e30_f32, 1e30, &Limits::new(1.0, 1.0, 1.0).unwrap()).unwrap().duration())
            > 1e30
    );
}

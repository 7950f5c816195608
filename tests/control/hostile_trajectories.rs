//! Trajectories from any numbers whatsoever: refused, or finite, and as continuous as they say.

use core::fmt::Debug;

use heapless::Vec;
use proptest::prelude::*;
use taut::linalg::Vector;
use taut::scalar::Float;
use taut::trajectory::{
    Axes, Blend, Circle, CubicSpline, Either, Limits, Line, Lissajous, MinimumJerk, Motion, Nonic, QuinticSpline,
    SCurve, Sequence, Then, Timed, Trajectory, TrajectoryError, Waypoint,
};

/// Ordinary numbers, and those that nobody should give.
fn any_number<T: Float + Debug>() -> impl Strategy<Value = T> {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        1e-3,
        1e3,
        1e-20,
        1e20,
        -1e20,
        1e-37,
        3e37,
        f64::from(f32::MAX),
        -f64::from(f32::MAX),
        1e-45,
        1e-300,
        1e300,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    prop_oneof![
        3 => (-10.0..10.0_f64).prop_map(T::from_f64),
        1 => (-45.0..38.0_f64).prop_map(|power| T::from_f64(10.0_f64.powf(power))),
        2 => prop::sample::select(special.to_vec()).prop_map(T::from_f64),
    ]
}

/// Numbers that may well be a duration or a limit.
fn any_positive<T: Float + Debug>() -> impl Strategy<Value = T> {
    prop_oneof![2 => any_number::<T>(), 2 => (-6.0..6.0_f64).prop_map(|power| T::from_f64(10.0_f64.powf(power)))]
}

/// Every position is a number, at any time that is one.
fn is_finite<P: Trajectory<D>, const D: usize>(path: &P) -> Result<(), TestCaseError> {
    let end = if path.duration().is_finite() { path.duration() } else { P::Base::from_f64(10.0) };
    for part in [-1.0, 0.0, 1e-6, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999, 1.0, 1.5] {
        let t = end * P::Base::from_f64(part);
        let position = path.at(t);
        prop_assert!(!t.is_finite() || position.iter().all(|x| x.is_finite()), "at {t:e} of {end:e}: {position:?}");
    }
    prop_assert!(path.duration() >= P::Base::from_f64(0.0), "{:e}", path.duration());
    Ok(())
}

fn motion<T: Float>([x, v, a]: [T; 3]) -> Motion<T, 1> {
    Motion { velocity: Vector::from([v]), acceleration: Vector::from([a]), ..Motion::at_rest([x]) }
}

macro_rules! any_numbers {
    ($float:ident, $blends:ident, $curves:ident, $periodic:ident, $splines:ident) => {
        proptest! {
            #![proptest_config(ProptestConfig { max_shrink_iters: 500, failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

            #[test]
            fn $blends(
                start in prop::array::uniform3(any_number::<$float>()),
                end in prop::array::uniform3(any_number::<$float>()),
                duration in any_positive::<$float>(),
            ) {
                if let Ok(path) = Blend::<$float, 1, 4>::between(&motion(start), &motion(end), duration) {
                    is_finite(&path)?;
                }
                if let Ok(path) = MinimumJerk::between(&motion(start), &motion(end), duration) {
                    is_finite(&path)?;
                    if let Ok(line) = Line::towards([start[1], end[1]], [start[2], end[2]], path) {
                        is_finite(&line)?;
                    }
                }
                if let Ok(path) = Nonic::between(&motion(start), &motion(end), duration) {
                    is_finite(&path)?;
                    let again = Nonic::departing(&path, duration * 0.3, [start[0]], duration);
                    if let Ok(again) = again {
                        is_finite(&again)?;
                    }
                    if let Ok(both) = Then::<_, _, 2>::new(path, path) {
                        is_finite(&both)?;
                    }
                }
            }

            #[test]
            fn $curves(
                start in prop::array::uniform3(any_number::<$float>()),
                to in any_number::<$float>(),
                limits in prop::array::uniform3(any_positive::<$float>()),
            ) {
                let [v, a, j] = limits;
                let Ok(limits) = Limits::new(v, a, j) else {
                    let is_odd = |limit: &$float| !(*limit > 0.0 && limit.is_finite());
                    prop_assert!([v, a, j].iter().any(is_odd) || [v / a, a / j, a * a, a * j, v * j].iter().any(|x| !x.is_normal()));
                    return Ok(());
                };
                for curve in [SCurve::between(&motion(start), to, &limits), SCurve::point_to_point(start[0], to, &limits)] {
                    let Ok(curve) = curve else { continue };
                    is_finite(&curve)?;
                    prop_assert_eq!(curve.at(curve.duration())[0], to);
                    for part in 0..=64_u8 {
                        let now = curve.motion(curve.duration() * (<$float>::from(part) / 64.0));
                        for (found, limit) in [(now.velocity[0], v), (now.acceleration[0], a), (now.jerk[0], j)] {
                            // A start may be above its limit by 64 ε; the smallest numbers have fewer digits.
                            let slack = 128.0 * $float::EPSILON * (limit + $float::MIN_POSITIVE);
                            prop_assert!(found.abs() <= limit + slack, "{} above {}", found, limit);
                        }
                    }
                }
            }

            #[test]
            fn $periodic(
                centre in any_number::<$float>(),
                radius in any_number::<$float>(),
                phase in any_number::<$float>(),
                turns in any::<i32>(),
                ticks in any::<u64>(),
                h in any_positive::<$float>(),
            ) {
                for ticks in [ticks, ticks % 5_000] {
                    for turns in [turns, turns % 10] {
                        if let Ok(path) = Circle::around([centre, centre], radius, turns, ticks, h) {
                            is_finite(&path)?;
                            prop_assert!(path.reduced(u64::MAX, h) < ticks);
                        }
                        if let Ok(path) = Lissajous::around([centre], [radius], [turns], [phase], ticks, h) {
                            is_finite(&path)?;
                        }
                    }
                }
            }

            #[test]
            fn $splines(
                times in prop::array::uniform4(any_number::<$float>()),
                steps in prop::array::uniform4(any_positive::<$float>()),
                places in prop::array::uniform4(any_number::<$float>()),
                velocity in any_number::<$float>(),
                limits in prop::array::uniform3(any_positive::<$float>()),
            ) {
                let mut later = times[0];
                let sums = steps.map(|step| { later += step; later });
                for times in [times, sums] {
                    for count in 0..=4 {
                        let points: Vec<_, 4> =
                            times.iter().zip(places).take(count).map(|(t, x)| Waypoint::new(*t, [x])).collect();
                        let moving = motion([0.0, velocity, 0.0]);
                        let rest = motion([0.0; 3]);
                        if let Ok(spline) = CubicSpline::through_moving(&points, &moving, &rest) {
                            is_finite(&spline)?;
                            if let Ok(Ok(slow)) = Limits::new(limits[0], limits[1], limits[2]).map(|l| spline.slowed_to(&l)) {
                                is_finite(&slow)?;
                            }
                        }
                        if let Ok(spline) = QuinticSpline::through_moving(&points, &rest, &moving) {
                            is_finite(&spline)?;
                        }
                    }
                }
            }
        }
    };
}

any_numbers!(f32, blends_f32, curves_f32, periodic_f32, splines_f32);
any_numbers!(f64, blends_f64, curves_f64, periodic_f64, splines_f64);

/// A motion that ends with a velocity, and after it nothing that takes a time: its end would be a jump.
#[test]
fn a_motion_without_duration_does_not_hide_a_jump() {
    let limits = Limits::new(1.0, 1.0, 1.0).unwrap();
    let moving = MinimumJerk::between(&motion([0.0, 0.0, 0.0]), &motion([1.0, 0.5, 0.0]), 2.0).unwrap();
    let nothing = SCurve::point_to_point(1.0, 1.0, &limits).unwrap();
    assert_eq!(nothing.duration(), 0.0);
    let jump = Then::<_, _, 2>::new(moving, nothing).unwrap_err();
    assert!(matches!(jump, TrajectoryError::Jump { derivative: 1, before: 0.5, after: 0.0, .. }), "{jump}");
    // Without a velocity there is none.
    let still = MinimumJerk::point_to_point([0.0], [1.0], 2.0).unwrap();
    let both = Then::<_, _, 2>::new(still, nothing).unwrap();
    assert_eq!((Trajectory::<1>::duration(&both), both.at(2.0)[0]), (2.0, 1.0));
    let twice = [nothing; 2].into_iter().collect::<Vec<_, 2>>();
    assert_eq!(Sequence::<_, 2, 2>::new(twice).unwrap().at(1.0)[0], 1.0);
}

/// The product of a timing and a direction, and its sum with the origin, may overflow although each of them is finite.
#[test]
fn a_line_that_overflows_on_its_way_is_refused() {
    let timing = MinimumJerk::point_to_point([0.0], [1e30_f32], 2.0).unwrap();
    let overflow = TrajectoryError::NonFinite { what: "line" };
    assert_eq!(Line::towards([0.0, 0.0], [0.0, 1e10], timing).unwrap_err(), overflow);
    assert_eq!(Line::towards([0.0, 3e38], [1.0, 3e8], timing).unwrap_err(), overflow);
    assert_eq!(
        Line::towards([0.0], [1e10], timing).unwrap_err().to_string(),
        "line: a number is NaN, infinite or too large"
    );
    assert!(Line::towards([0.0, 1e37], [1.0, 1e6], timing).is_ok());
    // Out and back: finite at both ends.
    let there_and_back = MinimumJerk::between(&motion([0.0, 4e30, 0.0]), &motion([0.0, -4e30, 0.0]), 1.0_f32).unwrap();
    assert_eq!(Line::towards([0.0], [1e9], there_and_back).unwrap_err(), overflow);
    // To and fro for ever, from the middle.
    for (ticks, h) in [(8, 1e-3), (2_000, 1e-3), (65_536, 0.1)] {
        let timing = Lissajous::around([0.0_f32], [1e20], [1], [0.0], ticks, h).unwrap();
        assert_eq!(Line::towards([0.0], [1e19], timing).unwrap_err(), overflow, "{ticks} ticks of {h} s");
        assert!(Line::towards([0.0], [1e5], timing).is_ok(), "{ticks} ticks of {h} s");
    }
}

/// Orders above the degree are zero, and cost no loop: `usize::MAX` would not end.
#[test]
fn bounds_of_derivatives_of_any_order() {
    let blend = MinimumJerk::point_to_point([0.0], [1.0_f64], 2.0).unwrap();
    let points = [Waypoint::new(0.0, [0.0_f64]), Waypoint::new(1.0, [1.0]), Waypoint::new(2.0, [3.0])];
    let spline = CubicSpline::through(&points.into_iter().collect::<Vec<_, 3>>()).unwrap();
    // The position, and 720 τ − 360 over 2⁴ s⁴, the slope of the jerk of c₅; its fifth derivative 720/2⁵.
    for (order, largest) in [(0, 1.0), (4, 22.5), (5, 22.5)] {
        let bound = blend.largest(order);
        assert!(bound >= largest * (1.0 - 1e-12) && bound < largest * 1.05, "{order}: {bound}");
    }
    assert!(spline.largest(3) > 0.0);
    for order in [6, 7, 1_000, usize::MAX] {
        assert_eq!((blend.largest(order), spline.largest(order), spline.largest(4)), (0.0, 0.0, 0.0), "{order}");
    }
}

/// A timing that leaves the path in between would hold it there, in the middle of a motion.
#[test]
fn a_timing_that_overshoots_is_refused() {
    let path = MinimumJerk::between(&motion([0.0, 1.0, 0.0]), &motion([1.0, 1.0, 0.0]), 1.0_f64).unwrap();
    let overshooting = MinimumJerk::between(&motion([0.0, 0.0, 0.0]), &motion([1.0, -2.0, 0.0]), 1.0).unwrap();
    let refused = Timed::new(path, overshooting).unwrap_err();
    assert!(matches!(refused, TrajectoryError::OutOfRange { given, duration: 1.0 } if given > 1.0), "{refused}");
    let backwards = MinimumJerk::between(&motion([0.0, -1.0, 0.0]), &motion([1.0, 0.0, 0.0]), 1.0).unwrap();
    assert!(matches!(Timed::new(path, backwards), Err(TrajectoryError::OutOfRange { given, .. }) if given < 0.0));
    assert!(Timed::new(path, MinimumJerk::point_to_point([0.0], [1.0], 3.0).unwrap()).is_ok());
}

/// To and fro for ever is as exact after a billion ticks as at first.
#[test]
fn a_periodic_timing_is_reduced() {
    let path = Line::towards([0.0, 1.0], [1.0, -1.0], Nonic::point_to_point([0.0], [0.3_f32], 1.0).unwrap()).unwrap();
    let timing = Lissajous::around([0.5], [0.5], [1], [0.0], 2_000, 1e-3).unwrap();
    let shuttle = Timed::new(path, timing).unwrap();
    let [early, late] = [77, 77 + 2_000_000_000].map(|ticks| Trajectory::<2>::motion_after(&shuttle, ticks, 1e-3));
    assert_eq!(early, late);
    assert!(early.velocity.norm() > 0.1);
    // A sequence that ends on a circle, like a `Then` of both.
    let circle = Circle::around([0.0, 0.0], 0.2, 1, 1_000, 1e-3_f32).unwrap();
    let approach = Nonic::between(&Motion::at_rest([0.3, -0.3]), &circle.motion(0.0), 0.5).unwrap();
    let paths = [Either::First(approach), Either::Second(circle)].into_iter().collect::<Vec<_, 2>>();
    let sequence = Sequence::<_, 2, 4>::new(paths).unwrap();
    let then = Then::<_, _, 4>::new(approach, circle).unwrap();
    for ticks in [0, 77, 500, 501, 502, 1_500, 500 + 2_000_000_250] {
        let [motion, same] = [sequence.motion_after(ticks, 1e-3), then.motion_after(ticks, 1e-3)];
        assert_eq!(motion, same, "tick {ticks}");
    }
    assert_eq!(sequence.motion_after(750, 1e-3), sequence.motion_after(750 + 2_000_000_000, 1e-3));
    let axes = Axes([timing, timing]);
    assert_eq!(Trajectory::<2>::motion_after(&axes, 5, 1e-3), Trajectory::<2>::motion_after(&axes, 8_000_005, 1e-3));
}

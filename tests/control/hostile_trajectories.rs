//! Trajectories that hide a jump or an overshoot are refused. `tests/fuzz` makes them of any numbers.

use heapless::Vec;
use taut::linalg::Vector;
use taut::scalar::Float;
use taut::trajectory::{
    Axes, Circle, CubicSpline, Either, Limits, Line, Lissajous, MinimumJerk, Motion, Nonic, SCurve, Sequence, Then,
    Timed, Trajectory, TrajectoryError, Waypoint,
};

fn motion<T: Float>([x, v, a]: [T; 3]) -> Motion<T, 1> {
    Motion { velocity: Vector::from([v]), acceleration: Vector::from([a]), ..Motion::at_rest([x]) }
}

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

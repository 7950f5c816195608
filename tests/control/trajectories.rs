//! Trajectories: the derivatives that they call continuous are, splines keep their limits, periodic paths stay exact for ever,
//! and bad input is refused.

use heapless::Vec;
use nalgebra::vector;
use proptest::prelude::*;
use taut::linalg::Vector;
use taut::method::{RungeKutta4, Step};
use taut::scalar::{DoubleFloat, Float, Jet, Real, Taylor};
use taut::start::{Clock, Start};
use taut::system::{Diagonal, Mechanical};
use taut::trajectory::{
    Axes, Blend, Circle, Cubic, CubicSpline, Limits, Line, Lissajous, MinimumJerk, Motion, Nonic, QuinticSpline,
    SCurve, Septic, Sequence, Spline, Then, Timed, Trajectory, TrajectoryError, Waypoint,
};

/// No derivative up to `order` jumps at a time: from both sides, δ away, they differ by the next derivative times 2δ at most.
/// `sizes` are those of the derivatives, whose roundings count.
fn assert_continuous<P: Trajectory<D>, const D: usize>(path: &P, t: f64, order: usize, sizes: [f64; 5], what: &str) {
    let eps = <P::Base as Float>::EPSILON.to_f64();
    let delta = (eps.sqrt() * t.abs().max(0.1)).max(4.0 * eps * t.abs());
    let [before, after] = [-delta, delta].map(|shift| path.motion(P::Base::from_f64(t + shift)));
    for k in 0..=order {
        let next = if k < 4 { sizes[k + 1] } else { sizes[4] * 100.0 };
        for i in 0..D {
            let jump = (after.derivative(k)[i] - before.derivative(k)[i]).abs().to_f64();
            // Sums of up to ten terms, each no larger than a hundred times the result.
            let limit = 4.0 * delta * next + 1_000.0 * eps * sizes[k];
            assert!(jump <= limit, "{what}: derivative {k} jumps by {jump:e} at {t}, limit {limit:e}");
        }
    }
}

/// The largest derivatives over a time.
fn sizes<P: Trajectory<D>, const D: usize>(path: &P, end: f64) -> [f64; 5] {
    let mut sizes = [0.0_f64; 5];
    for step in 0..=400 {
        let motion = path.motion(P::Base::from_f64(end * f64::from(step) / 400.0));
        for (k, size) in sizes.iter_mut().enumerate() {
            for x in motion.derivative(k).iter() {
                *size = size.max(x.abs().to_f64());
            }
        }
    }
    sizes
}

fn waypoints<T: Float, const N: usize>(gaps: &[f64], places: &[(f64, f64)]) -> Vec<Waypoint<T, 2>, N> {
    let mut points = Vec::new();
    let mut time = 0.25;
    for (gap, (x, y)) in gaps.iter().zip(places) {
        points.push(Waypoint::new(T::from_f64(time), [T::from_f64(*x), T::from_f64(*y)])).expect("room");
        time += gap;
    }
    points
}

/// Through its points, continuous, and within limits when slowed down to them.
fn check_spline<T: Float, const COUNT: usize>(gaps: &[f64], places: &[(f64, f64)], limits: (f64, f64, f64)) {
    let eps = T::EPSILON.to_f64();
    let points = waypoints::<T, 8>(gaps, places);
    let spline = Spline::<T, 2, COUNT, 8>::through(&points).unwrap();
    let end = spline.duration().to_f64();
    let sizes = sizes(&spline, end * 0.9999);
    let mut time = 0.0;
    for (gap, (x, y)) in gaps.iter().zip(places) {
        let there = spline.at(T::from_f64(time));
        // A waypoint is met up to the rounding of its time.
        let limit = 100.0 * eps * (10.0 + end * sizes[1]);
        assert!((there[0].to_f64() - x).abs() <= limit && (there[1].to_f64() - y).abs() <= limit);
        if time > 0.0 && time < end * 0.999 {
            assert_continuous(&spline, time, COUNT - 2, sizes, "spline");
        }
        time += gap;
    }
    // The hold.
    assert_eq!(spline.continuity(), COUNT / 2 - 1);
    assert_continuous(&spline, end, spline.continuity(), sizes, "end of spline");

    let (v, a, j) = limits;
    let limits = Limits::new(T::from_f64(v), T::from_f64(a), T::from_f64(j)).unwrap();
    let slow = spline.slowed_to(&limits).unwrap();
    slow.check(&limits).unwrap();
    let end = slow.duration();
    let mut largest = [0.0_f64; 3];
    for step in 0..2_000 {
        let now = slow.motion(end * T::from_f64(f64::from(step) / 2_000.0));
        for (k, largest) in largest.iter_mut().enumerate() {
            *largest = largest.max(now.derivative(k + 1).map(|x| x.to_f64()).norm());
        }
    }
    for (found, limit) in
        largest.into_iter().zip([limits_of(v, T::EPSILON), limits_of(a, T::EPSILON), limits_of(j, T::EPSILON)])
    {
        assert!(found <= limit, "{found} above {limit}");
    }
    // Not slower than needed, by the two percent of the bound, or not slowed at all.
    let tight = largest.into_iter().zip([v, a, j]).any(|(found, limit)| found > 0.94 * limit);
    assert!(tight || slow.duration() == spline.duration(), "{largest:?}");
}

/// A limit as rounded to the scalar.
fn limits_of<T: Float>(limit: f64, epsilon: T) -> f64 {
    limit * (1.0 + epsilon.to_f64())
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn splines_meet_their_points_are_continuous_and_keep_limits(
        gaps in prop::collection::vec(0.2..2.0_f64, 2..8),
        places in prop::collection::vec((-1.0..1.0_f64, -1.0..1.0_f64), 8),
        v in -1.0..1.0_f64, a in -1.0..1.0_f64, j in -1.0..2.0_f64,
    ) {
        let limits = (10.0_f64.powf(v), 10.0_f64.powf(a), 10.0_f64.powf(j));
        check_spline::<f64, 4>(&gaps, &places, limits);
        check_spline::<f64, 6>(&gaps, &places, limits);
        check_spline::<f32, 4>(&gaps, &places, limits);
        check_spline::<f32, 6>(&gaps, &places, limits);
    }

    #[test]
    fn blends_take_over_the_motion_and_hold(
        from in -5.0..5.0_f64, to in -5.0..5.0_f64, v in -2.0..2.0_f64, a in -3.0..3.0_f64,
        jerk in -5.0..5.0_f64, snap in -9.0..9.0_f64, duration in 0.1..20.0_f64,
    ) {
        fn check<T: Float, const COUNT: usize>(start: [f64; 5], to: f64, duration: f64) {
            let [position, velocity, acceleration, jerk, snap] = start.map(|x| vector![T::from_f64(x)]);
            let start = Motion { position, velocity, acceleration, jerk, snap };
            let blend = Blend::<T, 1, COUNT>::between(&start, &Motion::at_rest([T::from_f64(to)]), T::from_f64(duration)).unwrap();
            let order = COUNT / 2 - 1;
            assert_eq!((Blend::<T, 1, COUNT>::CONTINUITY, blend.continuity()), (order, order));
            let begin = blend.motion(T::zero());
            let eps = T::EPSILON.to_f64();
            for k in 0..=order {
                let (given, found) = (start.derivative(k)[0].to_f64(), begin.derivative(k)[0].to_f64());
                // Scaled by Tᵏ and back: k roundings each.
                assert!((given - found).abs() <= 8.0 * eps * given.abs(), "derivative {k}: {given} {found}");
            }
            let sizes = sizes(&blend, duration);
            assert_continuous(&blend, blend.duration().to_f64(), order, sizes, "end of blend");
            // In the middle the expansion changes from one end to the other.
            assert_continuous(&blend, duration / 2.0, 4, sizes, "middle of blend");
            assert_eq!(blend.at(T::from_f64(duration * 2.0))[0], T::from_f64(to));
        }
        let start = [from, v, a, jerk, snap];
        check::<f64, 4>(start, to, duration);
        check::<f64, 6>(start, to, duration);
        check::<f64, 8>(start, to, duration);
        check::<f64, 10>(start, to, duration);
        check::<f32, 4>(start, to, duration);
        check::<f32, 6>(start, to, duration);
        check::<f32, 8>(start, to, duration);
        check::<f32, 10>(start, to, duration);
    }
}

#[test]
fn the_ninth_degree_has_the_values_of_the_crane() {
    // c₉(s) = 126 s⁵ − 420 s⁶ + 540 s⁷ − 315 s⁸ + 70 s⁹ in f64, at its accuracy; in f32 from both ends, where the powers alone
    // would be off by 1e-4.
    let exact = |s: f64| s.powi(5) * (126.0 - 420.0 * s + 540.0 * s * s - 315.0 * s.powi(3) + 70.0 * s.powi(4));
    let (double, single) =
        (Nonic::point_to_point([0.0], [5.0_f64], 6.0).unwrap(), Nonic::point_to_point([0.0], [5.0_f32], 6.0).unwrap());
    for k in 0..=600 {
        let s = f64::from(k) / 600.0;
        assert!((double.at(s * 6.0)[0] - 5.0 * exact(s)).abs() < 1e-12);
        let t = (s * 6.0) as f32;
        assert!((f64::from(single.at(t)[0]) - 5.0 * exact(f64::from(t) / 6.0)).abs() < 3e-6);
    }
}

#[test]
fn minimum_jerk_has_less_jerk_than_its_neighbours() {
    let integral = |path: &dyn Fn(f64) -> f64| {
        (0..1_000).map(|k| path((f64::from(k) + 0.5) / 1_000.0).powi(2)).sum::<f64>() / 1_000.0
    };
    let least = MinimumJerk::point_to_point([0.0], [1.0_f64], 1.0).unwrap();
    let septic = Septic::point_to_point([0.0], [1.0_f64], 1.0).unwrap();
    let of = |t: f64| least.motion(t).jerk[0];
    // 720 for a unit way in a unit time (Flash and Hogan).
    assert!((integral(&of) - 720.0).abs() < 1e-2);
    // Any other with the same ends has more: mixtures with the seventh degree.
    for part in [-0.1, 0.1, 0.5] {
        let mixed = |t: f64| (1.0 - part) * of(t) + part * septic.motion(t).jerk[0];
        assert!(integral(&mixed) > integral(&of) + 1e-3);
    }
}

#[test]
fn a_circle_is_as_good_after_a_billion_ticks_as_at_the_start() {
    // Three turns in 1000 ticks of 1 ms, whose period is no whole number of ticks.
    let circle = Circle::around([0.25_f32, -0.5], 0.4, 3, 1_000, 1e-3).unwrap();
    let eight = Lissajous::around([0.0_f32, 0.1], [0.3, 0.2], [1, 2], [0.0, 0.5], 700, 1e-3).unwrap();
    let approach = Then::<_, _, 2>::new(
        MinimumJerk::between(&Motion::at_rest([0.0_f32, 0.0]), &circle.motion(0.0), 0.7315).unwrap(),
        circle,
    )
    .unwrap();
    let mut worst = [0.0_f64; 3];
    for start in [0, 1_000_000_000_u64, 1_000_000_000_000_007] {
        for k in (0..3_000).step_by(7) {
            let ticks = start + k;
            let turn = std::f64::consts::TAU * ((ticks * 3) % 1_000) as f64 / 1_000.0;
            let exact = vector![0.25 + 0.4 * turn.cos(), -0.5 + 0.4 * turn.sin()];
            let found = circle.motion_after(ticks, 1e-3).position.map(f64::from);
            worst[0] = worst[0].max((found - exact).norm());
            let turn = std::f64::consts::TAU * (ticks % 700) as f64 / 700.0;
            let exact = vector![0.3 * turn.sin(), 0.1 + 0.2 * (2.0 * turn + 0.5).sin()];
            let found = eight.motion_after(ticks, 1e-3).position.map(f64::from);
            worst[1] = worst[1].max((found - exact).norm());
            if ticks > 1_000 {
                let since = (ticks * 10_000 - 7_315_000) % 10_000_000; // in units of 0.1 µs
                let turn = std::f64::consts::TAU * 3.0 * since as f64 / 10_000_000.0;
                let exact = vector![0.25 + 0.4 * turn.cos(), -0.5 + 0.4 * turn.sin()];
                let found = approach.motion_after(ticks, 1e-3).position.map(f64::from);
                worst[2] = worst[2].max((found - exact).norm());
            }
        }
    }
    // Angles up to 6π in f32: ε/2 · 6π · 3 roundings · radius; with the time of the approach before it, one rounding more of 2 s.
    assert!(worst[0] < 1.5e-6 && worst[1] < 1.5e-6 && worst[2] < 3e-6, "{worst:?}");
}

#[test]
fn a_time_of_any_scalar() {
    let path = Timed::new(
        Circle::around([0.0_f32, 0.0], 1.0, 1, 1_000, 1e-3).unwrap(),
        Nonic::point_to_point([0.0], [3.0], 4.0).unwrap(),
    )
    .unwrap();
    let t = 1.3_f32;
    let jet = path.at(Jet::variable(t));
    let motion = path.motion(t);
    let plain = path.at(t);
    let double = path.at(DoubleFloat::from(t));
    for i in 0..2 {
        assert_eq!((jet[i].value, plain[i]), (motion.position[i], motion.position[i]));
        // The same sums in a different order.
        assert!(
            (jet[i].first - motion.velocity[i]).abs() < 1e-4 && (jet[i].second - motion.acceleration[i]).abs() < 1e-3
        );
        assert!((double[i].value() - plain[i]).abs() < 2e-6);
    }
    assert_eq!(path.require::<4>(), Ok(()));
}

#[test]
fn timing_makes_a_spline_as_smooth_at_its_ends_as_within() {
    let points = waypoints::<f64, 8>(&[0.5, 0.7, 0.4, 0.6], &[(0.0, 0.0), (1.0, 0.2), (0.5, 0.8), (0.0, 1.0)]);
    let spline = QuinticSpline::through(&points).unwrap();
    assert_eq!(spline.require::<4>(), Err(TrajectoryError::TooFewDerivatives { asked: 4, continuous: 2 }));
    let timing = Nonic::point_to_point([0.0], [spline.duration()], 5.0).unwrap();
    let timed = Timed::new(spline.clone(), timing).unwrap();
    timed.require::<4>().unwrap();
    assert_continuous(&timed, 5.0, 4, sizes(&timed, 5.0), "timed spline");
    assert!((timed.at(9.0) - spline.at(9.0)).norm() < 1e-15);
    // Every waypoint is still on the path, when the timing gets there.
    let long = Nonic::point_to_point([0.0], [spline.duration() * 1.01], 5.0).unwrap();
    assert!(matches!(Timed::new(spline, long), Err(TrajectoryError::OutOfRange { .. })));
}

#[test]
fn a_sequence_that_jumps_is_refused_with_the_derivative_that_does() {
    let there = Septic::point_to_point([0.0], [1.0_f64], 1.0).unwrap();
    let back = Septic::point_to_point([1.0], [0.0_f64], 2.0).unwrap();
    let both = Then::<_, _, 3>::new(there, back).unwrap();
    assert_eq!(Trajectory::<1>::duration(&both), 3.0);
    assert_eq!((both.at(1.0)[0], both.at(5.0)[0]), (1.0, 0.0));
    assert_continuous(&both, 1.0, 3, sizes(&both, 3.0), "sequence");
    both.require::<3>().unwrap();

    let moving = |velocity: f64, acceleration: f64| {
        let end = Motion { velocity: vector![velocity], acceleration: vector![acceleration], ..Motion::at_rest([1.0]) };
        MinimumJerk::between(&Motion::at_rest([0.0]), &end, 1.0).unwrap()
    };
    let rest = MinimumJerk::point_to_point([1.0], [2.0], 1.0).unwrap();
    assert!(matches!(Then::<_, _, 1>::new(moving(0.1, 0.0), rest), Err(TrajectoryError::Jump { derivative: 1, .. })));
    assert!(Then::<_, _, 1>::new(moving(0.0, 0.1), rest).is_ok());
    assert!(matches!(Then::<_, _, 2>::new(moving(0.0, 0.1), rest), Err(TrajectoryError::Jump { derivative: 2, .. })));
    let far = MinimumJerk::point_to_point([1.1], [2.0], 1.0).unwrap();
    assert!(matches!(Then::<_, _, 0>::new(moving(0.0, 0.0), far), Err(TrajectoryError::Jump { derivative: 0, .. })));
    // A moving end does not hold.
    assert_eq!(moving(0.1, 0.0).continuity(), 0);
    assert!(moving(0.1, 0.0).require::<1>().is_err());
    // Nothing comes after for ever.
    let circle = Circle::around([0.0, 0.0], 1.0, 1, 100, 0.01).unwrap();
    assert!(Then::<_, _, 0>::new(circle, circle).is_err());
}

#[test]
fn many_moves_in_a_row_and_limits_of_a_blend() {
    let mut moves = Vec::<_, 4>::new();
    let targets = [0.0, 1.0, 0.3, -0.5];
    for pair in targets.windows(2) {
        moves.push(Septic::point_to_point([pair[0]], [pair[1]], 1.0_f64).unwrap()).unwrap();
    }
    let program = Sequence::<_, 4, 3>::new(moves.clone()).unwrap();
    program.require::<3>().unwrap();
    let s = sizes(&program, 3.0);
    for (k, target) in targets.into_iter().enumerate() {
        assert!((program.at(k as f64)[0] - target).abs() < 1e-15);
        if k > 0 {
            assert_continuous(&program, k as f64, 3, s, "sequence");
        }
    }
    moves.swap(0, 1);
    assert!(matches!(Sequence::<_, 4, 3>::new(moves), Err(TrajectoryError::Jump { derivative: 0, .. })));
    assert!(Sequence::<Septic<f64, 1>, 4, 3>::new(Vec::new()).is_err());

    // A metre in a second needs 15/8 m/s with minimum jerk.
    let quick = MinimumJerk::point_to_point([0.0], [1.0_f64], 1.0).unwrap();
    assert!(quick.check(&Limits::new(1.95, 6.0, 61.0).unwrap()).is_ok());
    let too_fast = quick.check(&Limits::new(1.87, 6.0, 61.0).unwrap());
    assert!(matches!(too_fast, Err(TrajectoryError::TooFast { derivative: 1, .. })));
    let jerky = quick.check(&Limits::new(1.95, 6.0, 59.0).unwrap());
    assert!(matches!(jerky, Err(TrajectoryError::TooFast { derivative: 3, .. })));
}

/// A cart that a motor keeps on a path: the multiplier is minus its force.
struct Cart<Path>(Path);

impl<Path: Trajectory<1>> Mechanical<1, 1> for Cart<Path> {
    type Base = Path::Base;
    type Mass = Diagonal<Path::Base, 1>;

    fn mass(&self) -> Self::Mass {
        Diagonal::new([Path::Base::from_f64(2.0)])
    }
    fn force<S: Real<Base = Path::Base>>(&self, _t: S, _q: &Vector<S, 1>, _v: &Vector<S, 1>) -> Vector<S, 1> {
        Vector::zeros()
    }
    fn constraint<S: Real<Base = Path::Base>>(&self, t: S, q: &Vector<S, 1>) -> Vector<S, 1> {
        q - self.0.at(t)
    }
}

#[test]
fn a_moving_constraint_gets_its_derivatives_from_the_path() {
    let cart = Cart(Nonic::point_to_point([0.5], [1.5_f64], 2.0).unwrap());
    let rk4 = RungeKutta4::new();
    let mut state = Start::at(&cart, Clock::with_step(0.01).unwrap(), [0.5]).at_rest().unwrap();
    for step in 0..300 {
        let motion = cart.0.motion(f64::from(step) * 0.01);
        let report = rk4.step(&cart, &mut state).unwrap();
        // λ of the acceleration level at the beginning of the step: λ = −2 γ'', to roundings of second derivatives.
        assert!((report.multipliers[0] + 2.0 * motion.acceleration[0]).abs() < 1e-11, "step {step}");
    }
    assert!((state.position()[0] - 1.5).abs() < 1e-14 && state.velocity()[0].abs() < 1e-13);
}

#[test]
fn lines_and_axes_hold_when_they_have_arrived() {
    let limits = Limits::new(1.0_f64, 2.0, 10.0).unwrap();
    let (x, y) =
        (SCurve::point_to_point(0.0, 2.0, &limits).unwrap(), SCurve::point_to_point(1.0, 0.0, &limits).unwrap());
    let axes = Axes([x, y]);
    assert_eq!((axes.duration(), axes.continuity()), (x.duration(), 2));
    assert_eq!(axes.at(y.duration() + 0.1)[1], 0.0);
    let s = sizes(&axes, axes.duration());
    assert_continuous(&axes, y.duration(), 2, s, "axes");
    let line = Line::towards([1.0, 1.0], [0.6, -0.8], x).unwrap();
    assert_eq!(line.at(100.0), vector![1.0 + 0.6 * 2.0, 1.0 - 0.8 * 2.0]);
    assert!(Line::towards([1.0, f64::NAN], [0.6, -0.8], x).is_err());
}

#[test]
fn two_points_make_a_spline_that_is_a_blend() {
    let points = waypoints::<f64, 2>(&[1.5, 0.0], &[(0.0, 1.0), (2.0, -1.0)]);
    let cubic = CubicSpline::through(&points).unwrap();
    let blend = Cubic::point_to_point([0.0, 1.0], [2.0, -1.0], 1.5).unwrap();
    let quintic = QuinticSpline::through(&points).unwrap();
    let jerk = MinimumJerk::point_to_point([0.0, 1.0], [2.0, -1.0], 1.5).unwrap();
    for k in 0..=15 {
        let t = f64::from(k) * 0.1;
        assert!((cubic.at(t) - blend.at(t)).norm() < 1e-15 && (quintic.at(t) - jerk.at(t)).norm() < 1e-15);
    }
}

#[test]
fn bad_input_is_refused() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-310] {
        assert!(matches!(Nonic::point_to_point([0.0], [1.0], bad), Err(TrajectoryError::NotPositive { .. })), "{bad}");
        assert!(Circle::around([0.0, 0.0], 1.0, 1, 100, bad).is_err());
    }
    assert!(Circle::around([0.0, 0.0], 1.0, 1, 0, 1e-3_f64).is_err());
    for bad in [f64::NAN, f64::INFINITY] {
        assert!(matches!(Nonic::point_to_point([bad], [1.0], 1.0), Err(TrajectoryError::NonFinite { what: "start" })));
        assert!(matches!(Nonic::point_to_point([0.0], [bad], 1.0), Err(TrajectoryError::NonFinite { what: "end" })));
        assert!(Circle::around([0.0, 0.0], bad, 1, 100, 1e-3).is_err());
        assert!(Lissajous::around([0.0], [1.0], [1], [bad], 100, 1e-3).is_err());
    }
    assert!(Nonic::point_to_point([-f64::MAX], [f64::MAX], 1.0).is_err());

    let spline = |times: &[f64], x: f64| {
        let points: Vec<Waypoint<f64, 1>, 4> = times.iter().map(|t| Waypoint::new(*t, [x])).collect();
        CubicSpline::through(&points).map(|_| ())
    };
    assert_eq!(spline(&[], 0.0), Err(TrajectoryError::TooFewPoints { given: 0 }));
    assert_eq!(spline(&[1.0], 0.0), Err(TrajectoryError::TooFewPoints { given: 1 }));
    let late = TrajectoryError::NotIncreasing { index: 2, before: 1.0, given: 1.0 };
    assert_eq!(spline(&[0.0, 1.0, 1.0], 0.0), Err(late));
    assert!(spline(&[0.0, 1.0, 0.5], 0.0).is_err() && spline(&[0.0, f64::NAN], 0.0).is_err());
    assert!(spline(&[0.0, 1.0], f64::NAN).is_err() && spline(&[0.0, 1e-310], 0.0).is_err());
    assert!(!late.to_string().is_empty());
}

#[test]
fn a_nan_time_gives_nan_and_not_a_position() {
    let path = Nonic::point_to_point([0.0], [1.0_f32], 1.0).unwrap();
    assert!(path.at(f32::NAN)[0].is_nan());
    let curve = SCurve::point_to_point(0.0, 1.0, &Limits::new(1.0_f32, 1.0, 1.0).unwrap()).unwrap();
    assert!(curve.at(f32::NAN)[0].is_nan());
    let series: Vector<Taylor<f32, 4>, 1> = path.at(Taylor::constant(0.5));
    assert_eq!(series[0].derivatives(), [0.0; 4]);
}

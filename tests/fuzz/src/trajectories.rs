//! Trajectories of any numbers: refused, or finite at every time.

use heapless::Vec;
use taut::linalg::Vector;
use taut::scalar::Float;
use taut::trajectory::*;

use crate::all_finite;
use crate::bytes::Bytes;

pub fn trajectories(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    if bytes.byte() & 1 == 0 { every::<f32>(bytes) } else { every::<f64>(bytes) }
}

/// Asserts that every position is finite, at any finite time. Returns the calls.
fn judged<P: Trajectory<D>, const D: usize>(path: Result<P, TrajectoryError<P::Base>>) -> u64 {
    let Ok(path) = path else { return 1 };
    let duration = path.duration();
    assert!(duration >= P::Base::from_f64(0.0), "lasts {duration:e}");
    let end = if duration.is_finite() { duration } else { P::Base::from_f64(10.0) };
    for part in [-1.0, 0.0, 1e-6, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999, 1.0, 1.5] {
        let t = end * P::Base::from_f64(part);
        let position = path.at(t);
        assert!(!t.is_finite() || all_finite(&position), "{position:?} at {t:e} of {end:e}");
    }
    12
}

fn motion<T: Float>(bytes: &mut Bytes<'_>, position: f64) -> Motion<T, 1> {
    let [x, v, a] = bytes.numbers::<T, 3>([position, 0.0, 0.0]);
    Motion { velocity: Vector::from([v]), acceleration: Vector::from([a]), ..Motion::at_rest([x]) }
}

fn every<T: Float>(mut bytes: Bytes<'_>) -> u64 {
    let (start, end) = (motion::<T>(&mut bytes, 0.0), motion::<T>(&mut bytes, 1.0));
    let ([duration, to, h], given) = (bytes.numbers([1.0, 1.0, 1e-3]), bytes.numbers([1.0, 2.0, 10.0]));
    let limits: Option<Limits<T>> = Limits::new(given[0], given[1], given[2]).ok();
    let bound = |largest: T| assert!(largest >= T::zero(), "{largest:e}");
    match bytes.byte() % 5 {
        0 => {
            let path = Blend::<T, 1, 4>::between(&start, &end, duration);
            let _ = path.map(|path| bound(path.largest(bytes.below(12))));
            judged(path) + judged(MinimumJerk::between(&start, &end, duration))
        }
        1 => {
            let Ok(path) = Nonic::between(&start, &end, duration) else { return 1 };
            let line = Line::<_, 2>::towards(bytes.numbers([0.0, 1.0]), bytes.numbers([0.6, 0.8]), path);
            let calls = judged(line);
            let departing = Nonic::departing(&path, duration * bytes.number(0.3), [to], duration);
            calls + judged(Ok(path)) + judged(departing) + judged::<_, 1>(Then::<_, _, 2>::new(path, path))
        }
        2 => {
            let Some(limits) = limits else { return 1 };
            let curves = [SCurve::between(&start, to, &limits), SCurve::point_to_point(start.position[0], to, &limits)];
            for curve in curves.iter().flatten() {
                assert_eq!(curve.at(curve.duration())[0].to_f64(), to.to_f64());
                for part in 0..=64 {
                    let now = curve.motion(curve.duration() * T::from_f64(f64::from(part) / 64.0));
                    for (found, limit) in [now.velocity[0], now.acceleration[0], now.jerk[0]].iter().zip(given) {
                        // A start may be above its limit by 64 ε; the smallest numbers have fewer digits.
                        let slack = (limit + T::MIN_POSITIVE) * T::EPSILON * T::from_f64(128.0);
                        assert!(found.abs() <= limit + slack, "{found:e} above {limit:e}");
                    }
                }
            }
            curves.map(judged).iter().sum()
        }
        3 => {
            let (turns, ticks) = (bytes.bits(4) as i32, bytes.bits(8));
            let [centre, radius, phase] = bytes.numbers([0.0, 0.5, 0.0]);
            let (turns, ticks) = if bytes.byte() & 1 == 1 { (turns, ticks) } else { (turns % 10, ticks % 5_000) };
            let circle = Circle::around([centre, centre], radius, turns, ticks, h);
            assert!(circle.is_err() || circle.is_ok_and(|path| path.reduced(u64::MAX, h) < ticks));
            let lissajous = Lissajous::around([centre], [radius], [turns], [phase], ticks, h);
            judged(circle) + judged::<_, 2>(lissajous.map(|path| Axes([path, path])))
        }
        _ => {
            let (mut later, mut points) = (bytes.number::<T>(0.0), Vec::<_, 4>::new());
            for _ in 0..bytes.below(5) {
                later += bytes.number(0.5);
                let _ = points.push(Waypoint::new(later, [bytes.number::<T>(1.0)]));
            }
            let quintic = judged(QuinticSpline::through_moving(&points, &start, &end));
            let Ok(spline) = CubicSpline::through_moving(&points, &start, &end) else { return quintic };
            bound(spline.largest(bytes.below(12)));
            let slow = limits.map_or(0, |limits| judged(spline.slowed_to(&limits)));
            quintic + judged(Ok(spline)) + slow
        }
    }
}

/// Paths with another timing, several paths one after another, and either of two kinds.
pub fn joined(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    match bytes.byte() % 4 {
        0 => timed::<f32>(bytes),
        1 => timed::<f64>(bytes),
        2 => sequence::<f32>(bytes),
        _ => sequence::<f64>(bytes),
    }
}

/// A circle, a move or a spline.
type AnyPath<T> = Either<Circle<T, 2>, Either<MinimumJerk<T, 2>, CubicSpline<T, 2, 4>>>;

/// A circle, a move or a spline with the timing of a move or an S-curve.
fn timed<T: Float>(mut bytes: Bytes<'_>) -> u64 {
    let (start, end, [duration, h]) =
        (motion::<T>(&mut bytes, 0.0), motion::<T>(&mut bytes, 1.0), bytes.numbers([1.0, 1e-3]));
    let timing = if bytes.byte() & 1 == 0 {
        Nonic::between(&start, &end, duration).map(Either::First)
    } else {
        let [velocity, acceleration, jerk] = bytes.numbers([1.0, 2.0, 10.0]);
        let limits = Limits::new(velocity, acceleration, jerk);
        limits.and_then(|limits| SCurve::between(&start, end.position[0], &limits)).map(Either::Second)
    };
    let Ok(timing): Result<Either<Nonic<T, 1>, SCurve<T>>, _> = timing else { return 1 };
    let [x, y, radius] = bytes.numbers([0.0, 0.2, 0.5]);
    let path = match bytes.byte() % 3 {
        0 => Circle::around([x, y], radius, 2, 1_000, h).map(Either::First),
        1 => MinimumJerk::point_to_point([x, y], [y, radius], duration).map(|path| Either::Second(Either::First(path))),
        _ => {
            let points = [(T::from_f64(0.0), x), (duration, y)].map(|(t, x)| Waypoint::new(t, [x, radius]));
            CubicSpline::through(&points.into_iter().collect::<Vec<_, 4>>())
                .map(|path| Either::Second(Either::Second(path)))
        }
    };
    let Ok(path): Result<AnyPath<T>, _> = path else {
        return 2;
    };
    let timed = Timed::new(path.clone(), timing);
    if let Ok(timed) = &timed {
        let ticks = bytes.bits(8);
        assert!(timed.reduced(ticks, h) <= ticks);
    }
    judged(Ok(path)) + judged(timed)
}

/// Up to four moves, each from where the last one ends, or nearly there.
fn sequence<T: Float>(mut bytes: Bytes<'_>) -> u64 {
    let (mut paths, mut from) = (Vec::<_, 4>::new(), bytes.number::<T>(0.0));
    for part in 0..1 + bytes.below(4) {
        let (to, duration) = (bytes.number::<T>(part as f64), bytes.number(0.5));
        let path = if bytes.byte() & 1 == 0 {
            Cubic::point_to_point([from], [to], duration).map(Either::First)
        } else {
            MinimumJerk::point_to_point([from], [to], duration).map(Either::Second)
        };
        let Ok(path): Result<Either<Cubic<T, 1>, MinimumJerk<T, 1>>, _> = path else { return 1 };
        let _ = paths.push(path);
        from = bytes.number(to.to_f64());
    }
    let whole = Sequence::<_, 4, 1>::new(paths);
    if let Ok(whole) = &whole {
        let (ticks, h) = (bytes.bits(8), bytes.number(1e-3));
        assert!(whole.reduced(ticks, h) <= ticks);
    }
    judged(whole)
}

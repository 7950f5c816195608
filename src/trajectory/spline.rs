//! Splines through waypoints: of the third degree with continuous acceleration, of the fifth with continuous snap.
//!
//! Between waypoints a spline is a polynomial; the velocities at the waypoints (and accelerations, for the fifth degree) are such
//! that the acceleration (jerk and snap) does not jump. The third degree has the least integral of the acceleration
//! squared, the fifth that of the jerk squared.
//!
//! Splines begin and end at rest by default. The hold after the end still makes derivatives jump: the acceleration for the third degree,
//! jerk and snap for the fifth. [`Timed`](super::Timed) with a smoother timing avoids this.

use heapless::Vec;

use super::error::{TrajectoryError, finite, positive};
use super::limits::Limits;
use super::motion::Motion;
use super::path::Trajectory;
use super::piece::{Piece, last};
use super::tridiagonal::{accelerations_continuous, snaps_continuous};
use crate::linalg::Vector;
use crate::scalar::{Float, Real};

/// A position at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint<T, const D: usize> {
    /// The time in seconds. Only differences count: the spline is at its first waypoint at t = 0.
    pub time: T,
    /// The position.
    pub position: Vector<T, D>,
}

impl<T: Float, const D: usize> Waypoint<T, D> {
    /// From a time and a position.
    pub fn new(time: T, position: impl Into<Vector<T, D>>) -> Self {
        Self { time, position: position.into() }
    }
}

/// A spline through at most `N` waypoints, with `COUNT` coefficients (4 or 6) in each coordinate of a piece.
///
/// ```
/// use heapless::Vec;
/// use taut::trajectory::{CubicSpline, Limits, Trajectory, Waypoint};
///
/// let mut points = Vec::<_, 8>::new();
/// for (time, x, y) in [(0.0, 0.0, 0.0), (1.0, 0.5, 0.2), (1.5, 0.6, 0.6), (3.0, 0.0, 1.0)] {
///     points.push(Waypoint::new(time, [x, y])).expect("room for eight");
/// }
/// let spline = CubicSpline::through(&points)?;
/// assert_eq!(spline.at(1.5)[1], 0.6);
///
/// // The same path, slow enough.
/// let limits = Limits::new(0.3, 1.0, 10.0)?;
/// assert!(spline.check(&limits).is_err());
/// let slower = spline.slowed_to(&limits)?;
/// assert!(slower.duration() > 3.0);
/// # Ok::<(), taut::trajectory::TrajectoryError<f64>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Spline<T, const D: usize, const COUNT: usize, const N: usize> {
    spans: Vec<Span<T, D, COUNT>, N>,
    duration: T,
    continuity: usize,
}

/// A piece, when it begins, and one over its duration.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span<T, const D: usize, const COUNT: usize> {
    begin: T,
    inverse: T,
    piece: Piece<T, D, COUNT>,
}

/// Of the third degree: accelerations are continuous.
pub type CubicSpline<T, const D: usize, const N: usize> = Spline<T, D, 4, N>;
/// Of the fifth degree: snaps are continuous.
pub type QuinticSpline<T, const D: usize, const N: usize> = Spline<T, D, 6, N>;

impl<T: Float, const D: usize, const COUNT: usize, const N: usize> Spline<T, D, COUNT, N> {
    /// From rest to rest.
    pub fn through(waypoints: &Vec<Waypoint<T, D>, N>) -> Result<Self, TrajectoryError<T>> {
        let rest = Motion::at_rest(Vector::zeros());
        Self::through_moving(waypoints, &rest, &rest)
    }

    /// With the velocities (and accelerations, for the fifth degree) of these motions at its ends.
    pub fn through_moving(
        waypoints: &Vec<Waypoint<T, D>, N>,
        start: &Motion<T, D>,
        end: &Motion<T, D>,
    ) -> Result<Self, TrajectoryError<T>> {
        const { assert!(COUNT == 4 || COUNT == 6, "of degree 3 or 5") };
        if waypoints.len() < 2 {
            return Err(TrajectoryError::TooFewPoints { given: waypoints.len() });
        }
        start.check("start")?;
        end.check("end")?;
        let mut motions = Vec::<Motion<T, D>, N>::new();
        let mut durations = Vec::<T, N>::new();
        let mut before: Option<T> = None;
        for (index, point) in waypoints.iter().enumerate() {
            finite("waypoint", &[point.time])?;
            finite("waypoint", &point.position.data.0[0])?;
            if let Some(before) = before {
                let duration = point.time - before;
                if !(duration > T::zero()) {
                    return Err(TrajectoryError::NotIncreasing { index, before, given: point.time });
                }
                positive("time between waypoints", T::one() / duration)?;
                let _ = durations.push(positive("time between waypoints", duration)?);
            }
            before = Some(point.time);
            let _ = motions.push(Motion::at_rest(point.position));
        }
        if let Some(first) = motions.first_mut() {
            (first.velocity, first.acceleration) = (start.velocity, start.acceleration);
        }
        if let Some(last) = motions.last_mut() {
            (last.velocity, last.acceleration) = (end.velocity, end.acceleration);
        }
        if COUNT == 4 {
            accelerations_continuous(&mut motions, &durations);
        } else {
            snaps_continuous(&mut motions, &durations);
        }

        let mut spans = Vec::new();
        let mut begin = T::zero();
        for ((pair, next), duration) in motions.iter().zip(motions.iter().skip(1)).zip(&durations) {
            pair.check("spline")?;
            let piece = Piece::between(pair, next, *duration);
            piece.check("spline")?;
            let _ = spans.push(Span { begin, inverse: T::one() / *duration, piece });
            begin += *duration;
        }
        positive("duration", begin)?;
        let continuity = end.resting().min(COUNT / 2 - 1);
        Ok(Self { spans, duration: begin, continuity })
    }

    /// An upper bound of a derivative between waypoints, as the norm over all coordinates; about a percent above the maximum.
    /// `derivative` is its order: 1 for the velocity, 2 for the acceleration, 3 for the jerk, and 0 for the position. Orders above the
    /// degree of the polynomials give zero; the jumps of derivatives at waypoints do not count.
    pub fn largest(&self, derivative: usize) -> T {
        let mut largest = T::zero();
        for span in &self.spans {
            let bound = span.piece.largest(derivative, span.inverse);
            if !(bound <= largest) {
                largest = bound;
            }
        }
        largest
    }

    /// Checks limits of velocity, acceleration and jerk, as norms over all coordinates.
    pub fn check(&self, limits: &Limits<T>) -> Result<(), TrajectoryError<T>> {
        limits.check(|derivative| self.largest(derivative))
    }

    /// The same path, slowed down evenly to the limits. The velocities at its ends are slowed down, too. Unchanged if it keeps the limits.
    pub fn slowed_to(&self, limits: &Limits<T>) -> Result<Self, TrajectoryError<T>> {
        let mut factor = T::one();
        for derivative in 1..=3 {
            let ratio = self.largest(derivative) / limits.of(derivative);
            finite("ratio to the limit", &[ratio])?;
            if ratio > T::one() {
                // The k-th root, and a little more: the roots are rounded.
                let root = match derivative {
                    1 => ratio,
                    2 => ratio.sqrt(),
                    _ => (ratio.ln() / T::from_f64(3.0)).exp(),
                };
                let root = root * (T::one() + T::EPSILON * T::from_f64(16.0));
                factor = if root > factor { root } else { factor };
            }
        }
        let mut slower = self.clone();
        for span in slower.spans.iter_mut() {
            span.begin *= factor;
            span.inverse /= factor;
        }
        slower.duration = positive("duration", self.duration * factor)?;
        Ok(slower)
    }
}

impl<T: Float, const D: usize, const COUNT: usize, const N: usize> Trajectory<D> for Spline<T, D, COUNT, N> {
    type Base = T;

    /// 2 for the third degree, 4 for the fifth.
    const CONTINUITY: usize = COUNT - 2;

    fn continuity(&self) -> usize {
        self.continuity
    }

    fn duration(&self) -> T {
        self.duration
    }

    #[inline]
    fn within<S: Real<Base = T>>(&self, t: S) -> Vector<S, D> {
        let now = t.value();
        let mut current = self.spans.first();
        for span in &self.spans {
            if span.begin <= now {
                current = Some(span);
            }
        }
        match current {
            Some(span) => {
                let unit = (t - span.begin) * span.inverse;
                span.piece.at(if now >= self.duration { last(unit) } else { unit })
            }
            None => Vector::zeros(),
        }
    }
}

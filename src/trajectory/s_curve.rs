//! Jerk-limited motions: as fast as limits of velocity, acceleration and jerk allow.
//!
//! The jerk is ±J or zero in at most seven phases: the acceleration rises, stays, falls; the velocity stays; the
//! acceleration falls, stays, rises. Where the way is short, phases are missing. A motion that starts at rest takes, with the
//! velocity V, the acceleration A and the jerk J all reached, D/V + V/A + A/J for the distance D.
//!
//! From any velocity and acceleration to rest, the shortest motion follows from where the fastest stop would end
//! (Haschke, Weitnauer and Ritter 2008). If that is short of the target, there is a peak of the velocity, and the distance grows
//! with it; bisection finds it. If the motion brakes already, v₀ − a₀²/2J > 0 with a₀ < 0, there may be no peak: then it is the
//! least deceleration in between on which the distance depends.
//!
//! Velocity and acceleration are continuous. The jerk is not: a servo constraint of index 5 needs another trajectory.

use super::error::{TrajectoryError, finite};
use super::limits::Limits;
use super::motion::Motion;
use super::path::Trajectory;
use super::phases::{Brake, Phases};
use crate::linalg::Vector;
use crate::scalar::{Float, Real};

/// A jerk-limited motion of one coordinate that ends at rest.
///
/// ```
/// use taut::trajectory::{Limits, Motion, SCurve, Trajectory};
///
/// let limits = Limits::new(0.5_f64, 2.0, 40.0)?;
/// let curve = SCurve::point_to_point(0.0, 1.0, &limits)?;
/// assert!((curve.duration() - (1.0 / 0.5 + 0.5 / 2.0 + 2.0 / 40.0)).abs() < 1e-12);
///
/// // Back, from the middle of it.
/// let back = SCurve::departing(&curve, 0.9, 0.0, &limits)?;
/// assert_eq!(back.motion(0.0).velocity, curve.motion(0.9).velocity);
/// # Ok::<(), taut::trajectory::TrajectoryError<f64>>(())
/// ```
///
/// For a straight line in several coordinates see [`Line`](super::Line), for axes that move independently
/// [`Axes`](super::Axes).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SCurve<T> {
    phases: Phases<T>,
}

impl<T: Float> SCurve<T> {
    /// From rest to rest.
    pub fn point_to_point(from: T, to: T, limits: &Limits<T>) -> Result<Self, TrajectoryError<T>> {
        Self::between(&Motion::at_rest([from]), to, limits)
    }

    /// From the motion of another trajectory at time `t`, to rest: a re-plan without a jump.
    pub fn departing<Path: Trajectory<1, Base = T>>(
        path: &Path,
        t: T,
        to: T,
        limits: &Limits<T>,
    ) -> Result<Self, TrajectoryError<T>> {
        Self::between(&path.motion(t), to, limits)
    }

    /// From a position, velocity and acceleration to rest. Refused if a limit is exceeded at the start, or before the acceleration can be
    /// reduced to zero.
    pub fn between(start: &Motion<T, 1>, to: T, limits: &Limits<T>) -> Result<Self, TrajectoryError<T>> {
        finite("start", &[start.position[0], start.velocity[0], start.acceleration[0]])?;
        finite("target", &[to])?;
        let (v, a) = (start.velocity[0], start.acceleration[0]);
        let half = T::from_f64(0.5);
        // The velocity when the acceleration has been taken back to zero.
        let v_level = v + a * a.abs() / limits.jerk * half;
        // A re-plan from a motion within the same limits may exceed them by round-off.
        let slack = T::one() + T::EPSILON * T::from_f64(64.0);
        for (derivative, found) in [(1, v), (1, v_level), (2, a)] {
            let limit = limits.of(derivative);
            if !(found.abs() <= limit * slack) {
                return Err(TrajectoryError::TooFast { derivative, found, limit });
            }
        }
        let a = if a.abs() > limits.acceleration { limits.acceleration.copysign(a) } else { a };
        let distance = to - start.position[0];
        finite("distance", &[distance])?;

        let stop = Brake::new(v, a, T::zero(), limits).displacement();
        // Positive in the direction from where it would stop to the target.
        let sign = if distance >= stop { T::one() } else { -T::one() };
        let phases = plan(v * sign, a * sign, v_level * sign, distance * sign, limits);
        let phases = phases.placed(start.position[0], v, a, to, sign);
        phases.check()?;
        Ok(Self { phases })
    }
}

/// The phases over a distance that is not shorter than that of the fastest stop.
fn plan<T: Float>(v: T, a: T, v_level: T, distance: T, limits: &Limits<T>) -> Phases<T> {
    let largest = |a: T, b: T| if a >= b { a } else { b };
    let with_peak = |peak: T| {
        let there = Brake::new(v, a, peak, limits);
        let back = Brake::new(peak, T::zero(), T::zero(), limits);
        (there, back, there.displacement() + back.displacement())
    };
    // The velocity of a braking motion when its deceleration has ended.
    let least = largest(v_level, T::zero());
    if a < T::zero() && v_level > T::zero() && with_peak(least).2 > distance {
        let with_least_deceleration = |middle: T| {
            let pause = (middle - a) / limits.jerk;
            let v_middle = v + (a + middle) * pause * T::from_f64(0.5);
            let brake = Brake::new(v_middle, middle, T::zero(), limits);
            (pause, brake, Phases::displacement_of(v, a, limits.jerk, pause) + brake.displacement())
        };
        let middle = bisect(a, T::zero(), |middle| with_least_deceleration(middle).2 <= distance);
        let (pause, brake, _) = with_least_deceleration(middle);
        return Phases::braking(pause, &brake, limits);
    }
    let top = largest(limits.velocity, least);
    let (there, back, covered) = with_peak(top);
    if covered <= distance {
        let cruise = (distance - covered) / top;
        return Phases::peaking(&there, cruise, &back);
    }
    // A rounding error of the distance remains. It gets no cruise time, which would be long at a small peak.
    let (there, back, _) = with_peak(bisect(least, top, |peak| with_peak(peak).2 <= distance));
    Phases::peaking(&there, T::zero(), &back)
}

/// The largest number between `low` and `high` for which the condition holds; it must hold at `low`. The number of evaluations is
/// fixed: enough for full precision unless the result is below 2⁻⁴⁰ of the range.
fn bisect<T: Float>(mut low: T, mut high: T, holds: impl Fn(T) -> bool) -> T {
    let evaluations = if T::EPSILON > T::from_f64(1e-10) { 64 } else { 96 };
    for _ in 0..evaluations {
        let middle = low + (high - low) * T::from_f64(0.5);
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

impl<T: Float> Trajectory<1> for SCurve<T> {
    type Base = T;

    const CONTINUITY: usize = 2;

    fn duration(&self) -> T {
        self.phases.duration
    }

    #[inline]
    fn within<S: Real<Base = T>>(&self, t: S) -> Vector<S, 1> {
        Vector::from([self.phases.at(t)])
    }
}

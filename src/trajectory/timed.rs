//! Time scaling: a path with another timing.

use core::num::NonZeroU64;

use super::error::{TrajectoryError, finite};
use super::path::{Trajectory, samples, smaller};
use crate::linalg::Vector;
use crate::scalar::{Float, Real};

/// γ(s(t)): a path γ with the timing s, a trajectory of one coordinate.
///
/// If s begins and ends at rest, so does the motion, as smoothly as s. Use it to start and stop a periodic path, to give a spline as many
/// continuous derivatives at its ends as inside, or to slow a motion down without leaving its path.
///
/// ```
/// use taut::trajectory::{Circle, Nonic, Timed, Trajectory};
///
/// // Ten turns of half a second, from rest to rest in eight seconds.
/// let circle = Circle::around([0.0, 0.0], 0.2, 1, 500, 1e-3_f64)?;
/// let timing = Nonic::point_to_point([0.0], [5.0], 8.0)?;
/// let turns = Timed::new(circle, timing)?;
/// turns.require::<4>()?;
/// assert_eq!(turns.motion(0.0).snap.norm(), 0.0);
/// # Ok::<(), taut::trajectory::TrajectoryError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed<Path, Timing> {
    path: Path,
    timing: Timing,
}

impl<Path, Timing: Trajectory<1, Base = T>, T: Float> Timed<Path, Timing> {
    /// The path with this timing, which must stay within the path's duration, and where its positions must be finite: after 1e37 s the angle
    /// of a circle overflows in `f32`. This is checked at both ends and at 62 times in between, so an overshoot is usually found. Beyond its
    /// ends the path holds.
    pub fn new<const D: usize>(path: Path, timing: Timing) -> Result<Self, TrajectoryError<T>>
    where
        Path: Trajectory<D, Base = T>,
    {
        let duration = path.duration();
        let times = if timing.duration().is_finite() { 64 } else { 1 };
        for t in samples(timing.duration()).take(times) {
            let given = timing.within(t)[0];
            // A timing made for exactly this duration may end a rounding after it.
            if !(given >= T::zero() && given <= duration + duration * T::EPSILON * T::from_f64(8.0)) {
                return Err(TrajectoryError::OutOfRange { given, duration });
            }
            finite("position", &path.at(given).data.0[0])?;
        }
        Ok(Self { path, timing })
    }
}

impl<Path: Trajectory<D, Base = T>, Timing: Trajectory<1, Base = T>, T: Float, const D: usize> Trajectory<D>
    for Timed<Path, Timing>
{
    type Base = T;

    const CONTINUITY: usize = smaller(Path::CONTINUITY, Timing::CONTINUITY);

    fn continuity(&self) -> usize {
        // At the ends the timing comes to rest.
        Path::CONTINUITY.min(self.timing.continuity())
    }

    fn duration(&self) -> T {
        self.timing.duration()
    }

    #[inline]
    fn within<S: Real<Base = T>>(&self, t: S) -> Vector<S, D> {
        let [time] = self.timing.within(t).data.0[0];
        self.path.at(time)
    }

    fn period(&self) -> Option<NonZeroU64> {
        self.timing.period()
    }

    fn reduced(&self, ticks: u64, h: T) -> u64 {
        self.timing.reduced(ticks, h)
    }
}

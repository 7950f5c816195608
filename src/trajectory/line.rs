//! From one coordinate to several: a straight line with the timing of a single coordinate, and axes that move independently.

use core::num::NonZeroU64;

use super::error::{TrajectoryError, finite};
use super::motion::Motion;
use super::path::{Trajectory, samples};
use crate::linalg::Vector;
use crate::scalar::{Float, Real, Taylor};

/// A straight line in `D` coordinates. A trajectory of one coordinate gives the distance along it.
///
/// ```
/// use taut::trajectory::{Limits, Line, SCurve, Trajectory};
///
/// // From (0, 0) to (3, 4), five metres, at one metre a second.
/// let timing = SCurve::point_to_point(0.0, 5.0, &Limits::new(1.0_f64, 2.0, 10.0)?)?;
/// let line = Line::towards([0.0, 0.0], [0.6, 0.8], timing)?;
/// let middle = line.motion(line.duration() / 2.0);
/// assert!((middle.position[1] - 2.0).abs() < 1e-12 && (middle.velocity.norm() - 1.0).abs() < 1e-12);
/// # Ok::<(), taut::trajectory::TrajectoryError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line<Timing: Trajectory<1>, const D: usize> {
    origin: Vector<Timing::Base, D>,
    direction: Vector<Timing::Base, D>,
    timing: Timing,
}

impl<Timing: Trajectory<1>, const D: usize> Line<Timing, D> {
    /// γ = origin + direction · timing.
    ///
    /// An error if the position or a derivative overflows: it is checked at both ends of the timing and at 62 times in between, with a
    /// factor of two to spare. A periodic timing is checked at 24 times within four hours.
    pub fn towards(
        origin: impl Into<Vector<Timing::Base, D>>,
        direction: impl Into<Vector<Timing::Base, D>>,
        timing: Timing,
    ) -> Result<Self, TrajectoryError<Timing::Base>> {
        let (origin, direction) = (origin.into(), direction.into());
        finite("origin", &origin.data.0[0])?;
        finite("direction", &direction.data.0[0])?;
        let line = Self { origin, direction, timing };
        let duration = line.duration();
        if duration.is_finite() {
            samples(duration).try_for_each(|t| line.check(t))?;
        } else {
            // Doubled again and again, a time meets many phases of any period.
            let golden = Timing::Base::from_f64(1.618_033_988_749_895);
            (-10..14).try_for_each(|k| line.check(golden * Timing::Base::power_of_two(k)))?;
        }
        Ok(line)
    }

    /// Refuses a line on which the position or a derivative overflows at this time, or might next to it.
    fn check(&self, t: Timing::Base) -> Result<(), TrajectoryError<Timing::Base>> {
        let motion = Motion::from_series(&self.within(Taylor::<_, 4>::variable(t)));
        (0..=4)
            .try_for_each(|order| finite("line", &(motion.derivative(order) * Timing::Base::from_f64(2.0)).data.0[0]))
    }
}

impl<Timing: Trajectory<1>, const D: usize> Trajectory<D> for Line<Timing, D> {
    type Base = Timing::Base;

    const CONTINUITY: usize = Timing::CONTINUITY;

    fn continuity(&self) -> usize {
        self.timing.continuity()
    }

    fn duration(&self) -> Self::Base {
        self.timing.duration()
    }

    #[inline]
    fn within<S: Real<Base = Self::Base>>(&self, t: S) -> Vector<S, D> {
        let [along] = self.timing.within(t).data.0[0];
        Vector::from(core::array::from_fn(|i| along * self.direction.data.0[0][i] + self.origin.data.0[0][i]))
    }

    fn period(&self) -> Option<NonZeroU64> {
        self.timing.period()
    }

    fn reduced(&self, ticks: u64, h: Self::Base) -> u64 {
        self.timing.reduced(ticks, h)
    }
}

/// Coordinates that move independently. Those that arrive first wait.
///
/// ```
/// use taut::trajectory::{Axes, Limits, SCurve, Trajectory};
///
/// let limits = Limits::new(1.0_f32, 2.0, 10.0)?;
/// let (x, y) = (SCurve::point_to_point(0.0, 5.0, &limits)?, SCurve::point_to_point(0.0, 1.0, &limits)?);
/// let both = Axes([x, y]);
/// assert_eq!(both.duration(), x.duration());
/// assert_eq!(both.at(3.0_f32)[1], 1.0);
/// # Ok::<(), taut::trajectory::TrajectoryError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes<Axis, const D: usize>(pub [Axis; D]);

impl<Axis: Trajectory<1>, const D: usize> Trajectory<D> for Axes<Axis, D> {
    type Base = Axis::Base;

    const CONTINUITY: usize = Axis::CONTINUITY;

    fn continuity(&self) -> usize {
        self.0.iter().map(Axis::continuity).min().unwrap_or(super::SMOOTH)
    }

    fn duration(&self) -> Self::Base {
        use num_traits::Zero;
        self.0.iter().map(Axis::duration).fold(Self::Base::zero(), |a, b| if b > a { b } else { a })
    }

    #[inline]
    fn within<S: Real<Base = Self::Base>>(&self, t: S) -> Vector<S, D> {
        let end = self.duration();
        Vector::from(core::array::from_fn(|i| {
            let axis = &self.0[i];
            // At the end, the longest axes may still move; the others hold.
            let [x] = if axis.duration() >= end { axis.within(t) } else { axis.at(t) }.data.0[0];
            x
        }))
    }

    /// The common period of all axes; `None` if they differ.
    fn period(&self) -> Option<NonZeroU64> {
        let first = self.0.first().and_then(Axis::period)?;
        self.0.iter().all(|axis| axis.period() == Some(first)).then_some(first)
    }
}

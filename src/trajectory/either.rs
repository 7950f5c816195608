//! A trajectory chosen at run time.

use core::num::NonZeroU64;

use super::path::{Trajectory, smaller};
use crate::linalg::Vector;
use crate::scalar::{Float, Real};

/// One of two kinds of trajectories, chosen at run time; for more kinds, one of them is another `Either`.
///
/// It needs no heap and no lifetime, and costs as much as the chosen one.
///
/// ```
/// use taut::trajectory::{Circle, Either, MinimumJerk, Trajectory};
///
/// type Path = Either<Circle<f32, 2>, MinimumJerk<f32, 2>>;
///
/// fn choose(round: bool) -> Result<Path, taut::trajectory::TrajectoryError<f32>> {
///     Ok(if round {
///         Either::First(Circle::around([0.0, 0.17], 0.03, 2, 1_000, 1e-3)?)
///     } else {
///         Either::Second(MinimumJerk::point_to_point([0.03, 0.17], [-0.03, 0.17], 0.5)?)
///     })
/// }
/// assert_eq!(choose(true)?.at(0.0_f32), choose(false)?.at(0.0_f32));
/// # Ok::<(), taut::trajectory::TrajectoryError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Either<First, Second> {
    /// One kind.
    First(First),
    /// The other kind.
    Second(Second),
}

/// Calls the chosen one.
macro_rules! chosen {
    ($either:expr, $path:ident => $answer:expr) => {
        match $either {
            Either::First($path) => $answer,
            Either::Second($path) => $answer,
        }
    };
}

impl<First: Trajectory<D, Base = T>, Second: Trajectory<D, Base = T>, T: Float, const D: usize> Trajectory<D>
    for Either<First, Second>
{
    type Base = T;

    const CONTINUITY: usize = smaller(First::CONTINUITY, Second::CONTINUITY);

    fn continuity(&self) -> usize {
        chosen!(self, path => path.continuity())
    }

    fn duration(&self) -> T {
        chosen!(self, path => path.duration())
    }

    #[inline]
    fn within<S: Real<Base = T>>(&self, t: S) -> Vector<S, D> {
        chosen!(self, path => path.within(t))
    }

    fn period(&self) -> Option<NonZeroU64> {
        chosen!(self, path => path.period())
    }

    fn reduced(&self, ticks: u64, h: T) -> u64 {
        chosen!(self, path => path.reduced(ticks, h))
    }
}

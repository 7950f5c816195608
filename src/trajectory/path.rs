//! What every trajectory can be asked.

use core::num::NonZeroU64;

use super::error::TrajectoryError;
use super::motion::Motion;
use crate::linalg::Vector;
use crate::scalar::{Float, Real, Taylor};

/// As many continuous derivatives as anybody asks for.
pub const SMOOTH: usize = usize::MAX;

/// A path γ(t) in `D` coordinates, from t = 0 on. After its duration it holds where it ended, before zero where it begins.
///
/// Time may be any scalar: a servo constraint writes `q - trajectory.at(t)` and its time derivatives follow from those of the
/// scalar.
///
/// ```
/// use taut::scalar::Jet;
/// use taut::trajectory::{Nonic, Trajectory};
///
/// let lift = Nonic::point_to_point([0.0], [2.0_f64], 4.0)?;
/// lift.require::<4>()?; // a crane needs four derivatives
/// let now = lift.at(Jet::variable(2.0))[0]; // position, velocity, acceleration
/// assert_eq!((now.value, now.second), (1.0, 0.0));
/// assert_eq!(lift.at(7.0)[0], 2.0); // holds
/// # Ok::<(), taut::trajectory::TrajectoryError<f64>>(())
/// ```
///
/// More derivatives than a kind of trajectory can have are refused by the compiler:
///
/// ```compile_fail
/// # use taut::trajectory::{MinimumJerk, Trajectory};
/// let lift = MinimumJerk::point_to_point([0.0], [2.0_f64], 4.0).unwrap();
/// lift.require::<4>().unwrap();
/// ```
pub trait Trajectory<const D: usize> {
    /// The plain float of parameters and results.
    type Base: Float;

    /// How many derivatives are continuous within the duration, for every trajectory of this kind.
    const CONTINUITY: usize;

    /// How many derivatives of this trajectory are continuous from zero on, with the hold at its end.
    fn continuity(&self) -> usize;

    /// When it ends; infinite for a periodic one.
    fn duration(&self) -> Self::Base;

    /// γ(t) within the duration, ends included, where derivatives are those from within.
    fn within<S: Real<Base = Self::Base>>(&self, t: S) -> Vector<S, D>;

    /// The number of ticks after which a periodic trajectory repeats itself, for [`State::set_period`](crate::start::State::set_period).
    fn period(&self) -> Option<NonZeroU64> {
        None
    }

    /// The smallest number of ticks since the start at which the trajectory is as after this many: a periodic one leaves
    /// out whole periods. `h` is the length of a tick.
    #[inline]
    fn reduced(&self, ticks: u64, _h: Self::Base) -> u64 {
        self.period().map_or(ticks, |period| ticks % period)
    }

    /// γ(t), with the hold before and after.
    #[inline]
    fn at<S: Real<Base = Self::Base>>(&self, t: S) -> Vector<S, D> {
        use num_traits::Zero;
        let (now, end) = (t.value(), self.duration());
        // At a time that stands still a path holds, and costs what it costs where it moves.
        let t = if now >= end {
            S::from(end)
        } else if now < Self::Base::zero() {
            S::zero()
        } else {
            t
        };
        self.within(t)
    }

    /// Position and derivatives at a time. Those beyond [`CONTINUITY`](Self::CONTINUITY) are from the right.
    #[inline]
    fn motion(&self, t: Self::Base) -> Motion<Self::Base, D> {
        Motion::from_series(&self.at(Taylor::<_, 4>::variable(t)))
    }

    /// Position and derivatives after a number of ticks since the start, as exact after a billion as after one.
    #[inline]
    fn motion_after(&self, ticks: u64, h: Self::Base) -> Motion<Self::Base, D> {
        self.motion(Self::Base::from_ticks(self.reduced(ticks, h)) * h)
    }

    /// Makes sure that `K` derivatives are continuous: at compile time for this kind of trajectory, now for this one.
    fn require<const K: usize>(&self) -> Result<(), TrajectoryError<Self::Base>> {
        const { assert!(K <= Self::CONTINUITY, "this kind of trajectory has fewer continuous derivatives") };
        let continuous = self.continuity();
        if K <= continuous { Ok(()) } else { Err(TrajectoryError::TooFewDerivatives { asked: K, continuous }) }
    }
}

/// The smaller of two numbers, at compile time.
pub(super) const fn smaller(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

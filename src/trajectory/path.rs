//! The trait of all trajectories.

use core::num::{NonZeroU32, NonZeroU64};

use super::error::TrajectoryError;
use super::motion::Motion;
use crate::linalg::Vector;
use crate::scalar::{Float, Real, Taylor};

/// The [`CONTINUITY`](Trajectory::CONTINUITY) of a path with any number of continuous derivatives.
pub const SMOOTH: usize = usize::MAX;

/// A path γ(t) in `D` coordinates from t = 0 to its duration. Afterwards it holds its end, before zero its beginning.
///
/// Time may be any scalar: a servo constraint writes `q - trajectory.at(t)`, and its time derivatives follow from the scalar.
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
/// The compiler refuses a kind of trajectory with too few derivatives, and tells both numbers:
///
/// ```compile_fail
/// # use taut::trajectory::{MinimumJerk, Trajectory};
/// let lift = MinimumJerk::point_to_point([0.0], [2.0_f64], 4.0).unwrap();
/// lift.require::<4>().unwrap();
/// ```
pub trait Trajectory<const D: usize> {
    /// The float type of parameters and results.
    type Base: Float;

    /// How many derivatives are continuous within the duration, for every trajectory of this kind.
    const CONTINUITY: usize;

    /// How many derivatives of this trajectory are continuous for t ≥ 0, with the hold at its end.
    fn continuity(&self) -> usize {
        Self::CONTINUITY
    }

    /// The duration in seconds; infinite for a periodic trajectory.
    fn duration(&self) -> Self::Base;

    /// γ(t) for 0 ≤ t ≤ duration. At the ends derivatives are one-sided, from inside.
    fn within<S: Real<Base = Self::Base>>(&self, t: S) -> Vector<S, D>;

    /// The number of ticks after which a periodic trajectory repeats itself, for [`Clock::set_period`](crate::start::Clock::set_period).
    fn period(&self) -> Option<NonZeroU64> {
        None
    }

    /// The number of ticks less whole periods. `h` is the length of a tick.
    #[inline]
    fn reduced(&self, ticks: u64, _h: Self::Base) -> u64 {
        self.period().map_or(ticks, |period| remainder(ticks, period))
    }

    /// γ(t), with the hold before and after.
    #[inline]
    fn at<S: Real<Base = Self::Base>>(&self, t: S) -> Vector<S, D> {
        use num_traits::Zero;
        let (now, end) = (t.value(), self.duration());
        // A constant time makes all derivatives zero. The cost is the same as in motion.
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

    /// Position and derivatives after a number of ticks. Periodic trajectories stay exact after billions of ticks.
    #[inline]
    fn motion_after(&self, ticks: u64, h: Self::Base) -> Motion<Self::Base, D> {
        self.motion(Self::Base::from_ticks(self.reduced(ticks, h)) * h)
    }

    /// Checks that `K` derivatives are continuous: at compile time for the type, at run time for this trajectory.
    fn require<const K: usize>(&self) -> Result<(), TrajectoryError<Self::Base>> {
        const { enough_derivatives(K, Self::CONTINUITY) };
        let continuous = self.continuity();
        if K <= continuous { Ok(()) } else { Err(TrajectoryError::TooFewDerivatives { asked: K, continuous }) }
    }
}

/// The ticks less whole periods. With 32 bits, which last for 49 days at 1 kHz, the remainder takes two instructions instead of 44.
#[inline]
fn remainder(ticks: u64, period: NonZeroU64) -> u64 {
    match (u32::try_from(ticks), NonZeroU32::try_from(period)) {
        (Ok(ticks), Ok(period)) => u64::from(ticks % period),
        _ => ticks % period,
    }
}

/// The times in a duration at which a trajectory is checked, its ends among them.
pub(super) fn samples<T: Float>(duration: T) -> impl Iterator<Item = T> {
    const LAST: u64 = 63;
    (0..=LAST).map(move |part| match part {
        0 => T::zero(),
        LAST => duration,
        _ => duration * (T::from_ticks(part) * T::from_f64(1.0 / LAST as f64)),
    })
}

/// Stops the build where fewer derivatives are continuous than are needed. The compiler adds the type of the trajectory.
pub(super) const fn enough_derivatives(needed: usize, continuous: usize) {
    let mut text = *b"0 continuous derivatives needed, this kind of trajectory has 0";
    let [first, .., last] = &mut text;
    (*first, *last) = (b'0' | needed as u8, b'0' | continuous as u8);
    let text = if let Ok(text) = core::str::from_utf8(&text) { text } else { "too few continuous derivatives" };
    assert!(needed <= continuous, "{}", text);
}

/// The smaller of two numbers, at compile time.
pub(super) const fn smaller(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

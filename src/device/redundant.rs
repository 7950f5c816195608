//! Two encoders that measure one position and must agree.

use core::fmt::{self, Debug, Display};

use super::machine::Encoder;
use super::setup::{SetupError, between, usable};
use crate::scalar::Float;

/// Two encoders do not measure the same position: one slips, has a wrong zero, or is broken.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Disagreement<T> {
    /// The reading of the first encoder.
    pub first: T,
    /// What the first should read by the second one: ratio · b + offset.
    pub second: T,
    /// How far they may be apart.
    pub limit: T,
}

impl<T: Float> fmt::Display for Disagreement<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, second, limit } = self;
        write!(f, "two encoders disagree: {first:e} and {second:e}, limit {limit:e}; check coupling and zeros")
    }
}

impl<T: Float> core::error::Error for Disagreement<T> {}

/// Why a [`Redundant`] encoder gives no reading.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum RedundantError<A, B, T> {
    /// The first encoder failed.
    First(A),
    /// The second encoder failed.
    Second(B),
    /// Both read, but not the same.
    Disagreement(Disagreement<T>),
}

impl<A: Debug, B: Debug, T: Float> fmt::Display for RedundantError<A, B, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First(cause) => write!(f, "first of two encoders: {cause:?}"),
            Self::Second(cause) => write!(f, "second of two encoders: {cause:?}"),
            Self::Disagreement(cause) => Display::fmt(cause, f),
        }
    }
}

impl<A: Debug, B: Debug, T: Float> core::error::Error for RedundantError<A, B, T> {}

/// An encoder made of two that measure the same position, for example one on the motor and one on the joint. It reads both, checks
///
/// ```text
///     |a − (ratio · b + offset)| ≤ limit
/// ```
///
/// and returns a. A slip of s per second is found after at most limit/s seconds, plus a tick; a wrong zero beyond the limit at the first
/// reading. If one of them fails, that is the error: the other one is not used alone. A read costs both reads, and three operations.
///
/// The check needs both zeros. While one of them is [without a reference](Encoder::is_referenced), the pair is, too, and a is returned
/// unchecked.
///
/// ```
/// use taut::device::{Disagreement, Encoder, Redundant, RedundantError};
///
/// struct Fixed(f32);
/// impl Encoder<f32> for Fixed {
///     type Error = core::convert::Infallible;
///     fn read(&mut self) -> Result<f32, Self::Error> {
///         Ok(self.0)
///     }
/// }
///
/// // The second encoder is on the motor, behind a gear of 8 : 1.
/// let mut joint = Redundant::new(Fixed(1.0), Fixed(8.0), 0.125, 0.0, 0.01)?;
/// assert_eq!(joint.read(), Ok(1.0));
/// joint.second.0 = 9.0;
/// let cause = Disagreement { first: 1.0, second: 1.125, limit: 0.01 };
/// assert_eq!(joint.read(), Err(RedundantError::Disagreement(cause)));
/// # Ok::<(), taut::device::SetupError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Redundant<A, B, T> {
    /// The encoder whose reading is returned.
    pub first: A,
    /// The encoder that it is compared with.
    pub second: B,
    ratio: T,
    offset: T,
    limit: T,
}

impl<A, B, T: Float> Redundant<A, B, T> {
    /// From two encoders, the motion of the first per motion of the second, finite and not zero, the reading of the first at zero of the second,
    /// finite, and how far they may be apart, finite and positive. See [how to choose the limit](super#limits).
    pub fn new(first: A, second: B, ratio: T, offset: T, limit: T) -> Result<Self, SetupError<T>> {
        Ok(Self {
            first,
            second,
            ratio: usable("ratio of two encoders", ratio)?,
            offset: between("offset of two encoders", offset, -T::INFINITY, T::INFINITY)?,
            limit: between("disagreement of two encoders", limit, T::zero(), T::INFINITY)?,
        })
    }
}

impl<A: Encoder<T>, B: Encoder<T>, T: Float> Encoder<T> for Redundant<A, B, T> {
    type Error = RedundantError<A::Error, B::Error, T>;

    fn read(&mut self) -> Result<T, Self::Error> {
        // Both are read even if one fails, because turns are counted only in a read.
        let (first, second) = (self.first.read(), self.second.read());
        let first = first.map_err(RedundantError::First)?;
        let second = self.ratio * second.map_err(RedundantError::Second)? + self.offset;
        // NaN is a disagreement.
        if self.is_referenced() && !((first - second).abs() <= self.limit) {
            return Err(RedundantError::Disagreement(Disagreement { first, second, limit: self.limit }));
        }
        Ok(first)
    }

    fn is_referenced(&self) -> bool {
        self.first.is_referenced() && self.second.is_referenced()
    }

    fn lose_reference(&mut self) {
        self.first.lose_reference();
        self.second.lose_reference();
    }
}

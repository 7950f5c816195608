//! An encoder made of a counter modulo 2ᵇ: it counts turns, refuses jumps, scales, and knows whether its zero is known.

use core::fmt::{self, Debug};

use super::machine::Encoder;
use super::scale::Scale;
use super::setup::SetupError;
use super::unwrapped::{CountError, Unwrapped};
use crate::scalar::Float;

/// A counter with `BITS` bits, 3 to 32, that wraps in both directions: a timer in encoder mode, whose auto-reload value is 2 to the
/// power of `BITS` less one; a magnetic encoder; a converter.
pub trait Counter<const BITS: u32>: Sized {
    /// Why there is no count; `Infallible` for most timers.
    type Error: Debug;

    /// The count now.
    fn count(&mut self) -> Result<u32, Self::Error>;

    /// Makes an absolute encoder of the counter, for a machine that stays within one range of it, such as a turn. The first reading is
    /// within half a range of the scale's zero, so put that into the middle of the travel.
    ///
    /// `limit` is the furthest that the encoder moves between two reads, in units of the scale: at least half a count and below a quarter
    /// of the counter's range. It is rounded to whole counts. See [how to choose it](super#limits).
    fn scaled<T: Float>(self, scale: Scale<T>, limit: T) -> Result<Scaled<Self, T, BITS>, SetupError<T>> {
        let counts = limit / scale.unit().abs();
        let (half, highest) = (T::from_f64(0.5), T::from_ticks(Unwrapped::<BITS>::LIMIT.into()));
        let invalid = SetupError::OutOfRange {
            what: "motion between two reads",
            given: limit,
            above: scale.unit().abs() * half,
            below: scale.unit().abs() * highest,
        };
        if !(counts >= half && counts < highest) {
            return Err(invalid);
        }
        let total = Unwrapped::new((counts + half).to_count()).ok_or(invalid)?.near(scale.zero());
        Ok(Scaled { counter: self, scale, total, offset: T::zero(), reference: Reference::Absolute })
    }

    /// Makes an incremental encoder of the counter, whose count at power-on means nothing. It is without a reference until
    /// [`position_here`](Scaled::position_here) or [`position_at`](Scaled::position_at). Use it, too, for an absolute encoder that turns more
    /// than once. `limit` is that of [`scaled`](Self::scaled).
    fn incremental<T: Float>(self, scale: Scale<T>, limit: T) -> Result<Scaled<Self, T, BITS>, SetupError<T>> {
        Ok(Scaled { reference: Reference::Unknown, ..self.scaled(scale, limit)? })
    }
}

/// Why a [`Scaled`] counter gives no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ScaledError<E> {
    /// The counter failed. This counts as a missed update.
    Counter(E),
    /// The count is refused.
    Count(CountError),
}

impl<E: Debug> fmt::Display for ScaledError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Counter(cause) => write!(f, "counter: {cause:?}"),
            Self::Count(cause) => write!(f, "counter: {cause}"),
        }
    }
}

impl<E: Debug> core::error::Error for ScaledError<E> {}

/// The position of an encoder cannot be set.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ReferenceError<T> {
    /// The given position is NaN or infinite.
    NonFinite {
        /// The given position.
        given: T,
    },
    /// The last read failed, or fewer than two reads agree since the start: it is not known where the encoder is now.
    NoReading,
}

impl<T: Float> fmt::Display for ReferenceError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonFinite { given } => write!(f, "position {given:e} of a reference: it must be finite"),
            Self::NoReading => f.write_str("no reference without two good readings; read the encoder first"),
        }
    }
}

impl<T: Float> core::error::Error for ReferenceError<T> {}

/// What is known of an encoder's zero.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Reference {
    /// It is that of the scale.
    Absolute,
    /// Incremental, before a reference.
    Unknown,
    /// Incremental, after a reference.
    Given,
}

/// A [`Counter`] as an encoder that counts turns: [absolute](Counter::scaled) or [incremental](Counter::incremental).
///
/// A count that is further from the last accepted one than the limit is an error, and the position stays: see [`Unwrapped`]. A failed
/// read makes the limit of the next one larger. After so many of them that turns may be lost, every read is an error until
/// [`lose_reference`](Encoder::lose_reference).
///
/// ```
/// use taut::device::{Counter, Encoder, Scale};
///
/// struct Timer(u16); // counts the edges of an incremental encoder
/// impl Counter<16> for Timer {
///     type Error = core::convert::Infallible;
///     fn count(&mut self) -> Result<u32, Self::Error> {
///         self.0 = self.0.wrapping_add(1_024);
///         Ok(self.0.into())
///     }
/// }
///
/// // 4096 counts per turn; at most half a turn per read.
/// let mut encoder = Timer(777).incremental(Scale::turn(12_u8), core::f64::consts::PI)?;
/// encoder.read()?;
/// encoder.read()?;
/// assert!(!encoder.is_referenced());
/// encoder.position_here(0.5)?; // it stands at a limit switch
/// assert!(encoder.is_referenced());
/// for read in 1..=1_000_u16 {
///     assert_eq!(encoder.read(), Ok(0.5 + f64::from(read) * core::f64::consts::FRAC_PI_2));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaled<C, T, const BITS: u32> {
    /// The counter.
    pub counter: C,
    scale: Scale<T>,
    total: Unwrapped<BITS>,
    /// The position at the scale's zero.
    offset: T,
    reference: Reference,
}

impl<C, T: Float, const BITS: u32> Scaled<C, T, BITS> {
    /// The position at the last successful read; `None` before it.
    pub fn last_good(&self) -> Option<T> {
        self.total.total().map(|total| self.position(total))
    }

    /// Sets the position at the last read, which is the present one if the machine stands still: at a limit switch, or where an operator
    /// has put it. The position must be finite, the last read good, and two reads must agree since the start; otherwise nothing changes.
    /// After a restart an absolute encoder reads within half a range of this position.
    pub fn position_here(&mut self, position: T) -> Result<(), ReferenceError<T>> {
        let total = self.total.present().ok_or(ReferenceError::NoReading)?;
        self.refer(total, position)
    }

    /// Sets the position at a count that a timer captured, as at the index pulse. The counter must have moved by less than half its range
    /// since. Conditions are those of [`position_here`](Self::position_here).
    pub fn position_at(&mut self, captured: u32, position: T) -> Result<(), ReferenceError<T>> {
        let total = self.total.present().ok_or(ReferenceError::NoReading)?;
        self.refer(total.wrapping_add(self.total.distance(captured).into()), position)
    }

    fn refer(&mut self, total: i64, position: T) -> Result<(), ReferenceError<T>> {
        if !position.is_finite() {
            return Err(ReferenceError::NonFinite { given: position });
        }
        self.scale = self.scale.zero_at(total);
        self.total = self.total.near(total);
        self.offset = position;
        if self.reference == Reference::Unknown {
            self.reference = Reference::Given;
        }
        Ok(())
    }

    #[inline]
    fn position(&self, total: i64) -> T {
        self.scale.value(total) + self.offset
    }
}

impl<C: Counter<BITS>, T: Float, const BITS: u32> Encoder<T> for Scaled<C, T, BITS> {
    type Error = ScaledError<C::Error>;

    #[inline]
    fn read(&mut self) -> Result<T, Self::Error> {
        let count = self.counter.count().map_err(|cause| {
            self.total.miss();
            ScaledError::Counter(cause)
        })?;
        let total = self.total.update(count).map_err(|cause| {
            if matches!(cause, CountError::TurnsLost { .. }) {
                self.forget_reference();
            }
            ScaledError::Count(cause)
        })?;
        Ok(self.position(total))
    }

    fn is_referenced(&self) -> bool {
        self.reference != Reference::Unknown
    }

    /// Starts anew: an absolute encoder within one range of its counter, an incremental one without a reference.
    fn lose_reference(&mut self) {
        self.total.restart();
        self.forget_reference();
    }
}

impl<C, T, const BITS: u32> Scaled<C, T, BITS> {
    fn forget_reference(&mut self) {
        if self.reference == Reference::Given {
            self.reference = Reference::Unknown;
        }
    }
}

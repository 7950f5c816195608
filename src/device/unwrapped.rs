//! Extends a counter that wraps to 64 bits, and refuses counts that the machine cannot have reached.
//!
//! The new total for a count c modulo 2ᵇ, which is the nearest one to the last total C:
//!
//! ```text
//!     C + d,    d = ((c − C + 2ᵇ⁻¹) mod 2ᵇ) − 2ᵇ⁻¹,    accepted if |d| ≤ n L
//! ```
//!
//! L is the limit per update and n the number of updates since the last accepted one, with those that failed. Without the check one
//! glitch of more than half the range minus the motion costs a turn for ever: with 14 bits 100, 8291, 90 ended at 16474.
//!
//! A glitch within the limit is accepted, and the total is then off by at most 2 n₀ L, with n₀ the updates before it. The nearest total is
//! still the right one after n more updates if 2 n₀ L + n L < 2ᵇ − n L, that is (n₀ + n) L < 2ᵇ⁻¹. Otherwise the turns are lost. So L must be
//! below a quarter of the range.

use core::fmt;

/// Why a count is refused. The total is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum CountError {
    /// The count is further from the last accepted one than the machine can move in between.
    Jump {
        /// The last accepted total.
        from: i64,
        /// How far the count is from it.
        moved: i32,
        /// How far the machine can move in the updates between them.
        limit: u32,
    },
    /// No count was accepted for so long that the counter may have wrapped unseen. The total is unknown until a
    /// [restart](Unwrapped::restart).
    TurnsLost {
        /// The last accepted total.
        from: i64,
        /// How many updates ago that was.
        updates: u32,
    },
}

impl fmt::Display for CountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Jump { from, moved, limit } => write!(f, "the count jumps by {moved} from {from}, limit {limit}"),
            Self::TurnsLost { from, updates } => {
                write!(
                    f,
                    "no good count for {updates} updates since {from}: turns may be lost, find the position again"
                )
            }
        }
    }
}

impl core::error::Error for CountError {}

/// A count of `BITS` bits, 3 to 32, extended to 64.
///
/// The first total is within half the range of zero: for an encoder of one turn an angle in [−π, π). It is accepted, but the next count must
/// agree with it; otherwise that one is refused and becomes the first. So a glitch at the start does no harm either.
///
/// ```
/// use taut::device::{CountError, Unwrapped};
///
/// let mut count = Unwrapped::<14>::new(200).ok_or("a limit below a quarter of the range")?;
/// assert_eq!(count.update(16_383), Ok(-1));
/// assert_eq!(count.update(100), Ok(100));
/// assert_eq!(count.update(8_291), Err(CountError::Jump { from: 100, moved: 8_191, limit: 200 }));
/// assert_eq!(count.update(90), Ok(90));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Unwrapped<const BITS: u32> {
    total: i64,
    /// The first total is within half the range of this one.
    origin: i64,
    /// The furthest that the count moves in one update.
    limit: u32,
    /// Updates since the last accepted one, up to and without this one.
    missed: u32,
    /// Updates between the last two accepted ones; 1 for the first.
    gap: u32,
    /// How many counts since the start agree: none, one, or enough to believe them.
    agreeing: u8,
}

/// That many agreeing counts are believed.
const ENOUGH: u8 = 2;

impl<const BITS: u32> Unwrapped<BITS> {
    /// Every limit is below this one: a quarter of the range.
    pub const LIMIT: u32 = {
        assert!(BITS >= 3 && BITS <= 32, "a count has 3 to 32 bits");
        1 << (BITS - 2)
    };

    /// From the furthest that the count moves in one update: at least 1 and below [`LIMIT`](Self::LIMIT), otherwise `None`.
    pub const fn new(limit: u32) -> Option<Self> {
        if limit == 0 || limit >= Self::LIMIT {
            return None;
        }
        Some(Self { total: 0, origin: 0, limit, missed: 0, gap: 1, agreeing: 0 })
    }

    /// With a first total within half the range of this one, instead of zero.
    pub const fn near(self, origin: i64) -> Self {
        Self { origin, ..self }
    }

    /// Takes the present count, without the bits above `BITS`, and returns the new total.
    #[inline]
    pub fn update(&mut self, count: u32) -> Result<i64, CountError> {
        self.miss();
        let moved = self.distance(count);
        match self.judge(moved) {
            Err(error) if self.is_believed() => Err(error),
            Err(error) => {
                // Before two counts agree there are no turns to lose.
                let first = self.agreeing == 0 || matches!(error, CountError::TurnsLost { .. });
                self.total = self.origin;
                self.total = self.total.wrapping_add(self.distance(count).into());
                (self.missed, self.gap, self.agreeing) = (0, 1, 1);
                if first { Ok(self.total) } else { Err(error) }
            }
            Ok(()) => {
                self.total = self.total.wrapping_add(i64::from(moved));
                (self.gap, self.missed) = (self.missed, 0);
                self.agreeing = ENOUGH;
                Ok(self.total)
            }
        }
    }

    /// Judges a distance from the last total.
    #[inline]
    fn judge(&self, moved: i32) -> Result<(), CountError> {
        let Self { total: from, limit, missed, gap, agreeing, .. } = *self;
        let reach = u64::from(limit) * u64::from(missed);
        if reach + u64::from(limit) * u64::from(gap) >= u64::from(Self::LIMIT) << 1 {
            return Err(CountError::TurnsLost { from, updates: missed });
        }
        // Below half the range, so it fits.
        let limit = reach as u32;
        if agreeing == 0 || moved.unsigned_abs() > limit {
            return Err(CountError::Jump { from, moved, limit });
        }
        Ok(())
    }

    /// Counts an update without a count, such as a bus that failed.
    #[inline]
    pub fn miss(&mut self) {
        self.missed = self.missed.saturating_add(1);
    }

    /// Forgets the turns: the next count is taken as the first.
    pub fn restart(&mut self) {
        (self.missed, self.gap, self.agreeing) = (0, 1, 0);
    }

    /// The total at the last accepted update; `None` before the first.
    #[inline]
    pub const fn total(&self) -> Option<i64> {
        if self.agreeing == 0 { None } else { Some(self.total) }
    }

    /// The total, if it is certain: two counts since the start agree, and the last update was accepted.
    #[inline]
    pub fn present(&self) -> Option<i64> {
        (self.is_believed() && self.missed == 0).then_some(self.total)
    }

    const fn is_believed(&self) -> bool {
        self.agreeing == ENOUGH
    }

    /// The shorter distance of a count from the total. Half the range counts as backwards.
    #[inline]
    pub(super) const fn distance(&self, count: u32) -> i32 {
        // The bits of the difference modulo 2ᵇ, shifted up and arithmetically back, have the sign that brings it nearest to zero.
        let shift = Self::LIMIT.leading_zeros() - 1;
        (count.wrapping_sub(self.total as u32) << shift) as i32 >> shift
    }
}

//! An encoder made of a counter modulo 2ᵇ: it counts turns, scales, and keeps the last good value.

use core::fmt::Debug;

use super::machine::Encoder;
use super::scale::Scale;
use super::unwrapped::Unwrapped;
use crate::scalar::Float;

/// A counter with `BITS` bits, 1 to 32, that wraps in both directions: a timer in encoder mode, whose auto-reload value is 2 to the
/// power of `BITS` less one; a magnetic encoder; a converter.
pub trait Counter<const BITS: u32>: Sized {
    /// Why there is no count; `Infallible` for most timers.
    type Error: Debug;

    /// The count now.
    fn count(&mut self) -> Result<u32, Self::Error>;

    /// Makes an encoder of the counter, with a scale.
    fn scaled<T>(self, scale: Scale<T>) -> Scaled<Self, T, BITS> {
        Scaled { counter: self, scale, total: Unwrapped::new(), seen: false }
    }
}

/// A [`Counter`] as an encoder that counts turns.
///
/// No turn is lost as long as the counter moves by less than half its range per tick: 8 000 turns per second with 16 bits and 4096
/// counts per turn at 1 kHz. A failed read makes the gap between two counts a tick longer.
///
/// ```
/// use taut::device::{Counter, Encoder, Scale};
///
/// struct Timer(u16); // counts the edges of an incremental encoder
/// impl Counter<16> for Timer {
///     type Error = core::convert::Infallible;
///     fn count(&mut self) -> Result<u32, Self::Error> {
///         self.0 = self.0.wrapping_add(30_000);
///         Ok(self.0.into())
///     }
/// }
///
/// let mut encoder = Timer(0).scaled(Scale::turn(12_u8));
/// for tick in 1..=1_000_u16 {
///     let turns = f64::from(tick) * 30_000.0 / 4_096.0;
///     assert_eq!(encoder.read(), Ok(turns * core::f64::consts::TAU));
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaled<C, T, const BITS: u32> {
    /// The counter.
    pub counter: C,
    scale: Scale<T>,
    total: Unwrapped<BITS>,
    /// Whether a read has succeeded.
    seen: bool,
}

impl<C, T: Float, const BITS: u32> Scaled<C, T, BITS> {
    /// The position at the last successful read; `None` before it.
    pub fn last_good(&self) -> Option<T> {
        self.seen.then(|| self.scale.value(self.total.total()))
    }

    /// Makes the position at the last read the zero, as at the end of a homing run. Does nothing before the first read.
    pub fn zero_here(&mut self) {
        if self.seen {
            self.scale = self.scale.zero_at(self.total.total());
        }
    }
}

impl<C: Counter<BITS>, T: Float, const BITS: u32> Encoder<T> for Scaled<C, T, BITS> {
    type Error = C::Error;

    #[inline]
    fn read(&mut self) -> Result<T, C::Error> {
        let count = self.counter.count()?;
        self.seen = true;
        Ok(self.scale.value(self.total.update(count)))
    }
}

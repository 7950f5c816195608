//! An incremental encoder on a timer that counts its edges.

use core::fmt::Debug;

use super::machine::Encoder;
use super::position::Position;
use super::scale::Scale;
use crate::scalar::Float;

/// A hardware counter of `BITS` bits, 1 to 32, that turns over in both directions: a timer in encoder mode.
///
/// Its automatic reload must be 2 to the power of `BITS`, less one.
pub trait Counter<const BITS: u32> {
    /// Why there is no count; `Infallible` for most timers.
    type Error: Debug;

    /// The count now.
    fn count(&mut self) -> Result<u32, Self::Error>;
}

/// An incremental encoder on a [`Counter`]; turns of the counter are counted.
///
/// Nothing is lost below half the counter's range a tick: with 16 bits and 4096 counts a turn at 1 kHz, 8 000 turns a second.
/// A read that fails makes the gap between two counts a tick longer.
///
/// ```
/// use taut::control::device::{Counter, Encoder, Quadrature, Scale};
///
/// struct Timer(u16);
/// impl Counter<16> for Timer {
///     type Error = core::convert::Infallible;
///     fn count(&mut self) -> Result<u32, Self::Error> {
///         self.0 = self.0.wrapping_add(30_000);
///         Ok(self.0.into())
///     }
/// }
///
/// let mut encoder = Quadrature::new(Timer(0), Scale::turn(12_u8));
/// for tick in 1..=1_000_u16 {
///     let turns = f64::from(tick) * 30_000.0 / 4_096.0;
///     assert_eq!(encoder.read(), Ok(turns * core::f64::consts::TAU));
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quadrature<C, T, const BITS: u32> {
    counter: C,
    position: Position<T, BITS>,
}

impl<C: Counter<BITS>, T: Float, const BITS: u32> Quadrature<C, T, BITS> {
    /// A counter and what a count of it means.
    pub fn new(counter: C, scale: Scale<T>) -> Self {
        Self { counter, position: Position::new(scale) }
    }

    /// The position at the last read that did not fail.
    pub fn last_good(&self) -> Option<T> {
        self.position.last_good()
    }

    /// Makes the position at the last read the zero, as at the end of a homing run; nothing before the first read.
    pub fn zero_here(&mut self) {
        self.position.zero_here();
    }

    /// Gives the counter back.
    pub fn release(self) -> C {
        self.counter
    }
}

impl<C: Counter<BITS>, T: Float, const BITS: u32> Encoder<T> for Quadrature<C, T, BITS> {
    type Error = C::Error;

    #[inline]
    fn read(&mut self) -> Result<T, C::Error> {
        let count = self.counter.count()?;
        Ok(self.position.accept(count))
    }
}

//! A delay of whole ticks.

use crate::control::error::ControlError;
use crate::scalar::Float;

/// The most ticks that a value can be delayed by.
pub const LONGEST_DELAY: usize = 8;

/// Hands out what was put in some ticks ago.
///
/// ```
/// use taut::control::Delay;
///
/// let mut line = Delay::of(2, 0.0_f32)?;
/// let out = [1.0, 2.0, 3.0, 4.0].map(|value| line.pass(value));
/// assert_eq!(out, [0.0, 0.0, 1.0, 2.0]);
/// assert!(Delay::of::<f32>(9, 0.0).is_err());
/// # Ok::<(), taut::control::ControlError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delay<X> {
    /// What was put in last, at index zero, and before.
    line: [X; LONGEST_DELAY],
    ticks: usize,
}

impl<X: Copy> Delay<X> {
    /// By so many ticks, [`LONGEST_DELAY`] at most; before, it hands out `initial`.
    pub fn of<T: Float>(ticks: usize, initial: X) -> Result<Self, ControlError<T>> {
        if ticks > LONGEST_DELAY {
            return Err(ControlError::TooLong { what: "delay", ticks, limit: LONGEST_DELAY });
        }
        Ok(Self { ticks, ..Self::none(initial) })
    }

    /// No delay.
    pub fn none(initial: X) -> Self {
        Self { line: [initial; LONGEST_DELAY], ticks: 0 }
    }

    /// Puts in a value and hands out the one of `ticks` ago; itself without a delay.
    #[inline]
    pub fn pass(&mut self, value: X) -> X {
        let out = match self.ticks.checked_sub(1) {
            None => value,
            Some(last) => self.line.get(last).copied().unwrap_or(value),
        };
        self.line.rotate_right(1);
        if let Some(first) = self.line.first_mut() {
            *first = value;
        }
        out
    }
}

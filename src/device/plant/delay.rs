//! A delay of whole ticks.

use crate::control::ControlError;
use crate::scalar::Float;

/// The most ticks that a value can be delayed by.
pub const LONGEST_DELAY: usize = 8;

/// A delay line: returns the value of some ticks ago.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Delay<X> {
    /// Past values, the latest at index zero.
    line: [X; LONGEST_DELAY],
    ticks: usize,
}

impl<X: Copy> Delay<X> {
    /// Delays by `ticks`, at most [`LONGEST_DELAY`]. Until then it returns `initial`.
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

    /// Stores a value and returns the one of `ticks` ago; the value itself without a delay.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_returns_the_value_of_some_ticks_ago() {
        let mut line = Delay::of::<f32>(2, 0.0).unwrap();
        let out = [1.0, 2.0, 3.0, 4.0].map(|value| line.pass(value));
        assert_eq!(out, [0.0, 0.0, 1.0, 2.0]);
        assert!(Delay::of::<f32>(9, 0.0).is_err());
    }
}

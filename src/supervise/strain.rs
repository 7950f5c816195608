//! Judges a motor that is at its limit: does it still move the machine?
//!
//! A motor at its limit is harmless while it wins: the machine goes where the motor pushes it, or at least slows down on its way to
//! elsewhere. Then the error of a held machine shrinks. If it does not win, the load is too heavy, the axis is blocked, or the encoder
//! counts backwards, and pushing on makes things worse.
//!
//! The window is [`patience`](super::Watch::patience) ticks long. With the readings r₀, r₁, r₂ at its beginning, middle and end, and the
//! sign s of the effort, the motor wins if
//!
//! ```text
//!     s (r₂ − r₁) > w    or    s (r₂ − 2 r₁ + r₀) > 2 w
//! ```
//!
//! The first is motion in the direction of the effort, the second acceleration. w is three counts, so that a reading which dithers does
//! not count as motion.

use crate::scalar::Float;

/// The ticks that a motor has been at its limit, and where it was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Strain<T> {
    ticks: u32,
    begin: T,
    middle: T,
}

impl<T: Float> Strain<T> {
    /// Not at its limit.
    pub(super) fn none() -> Self {
        Self { ticks: 0, begin: T::zero(), middle: T::zero() }
    }

    /// Below its limit from now on.
    #[inline(always)]
    pub(super) fn relax(&mut self) {
        self.ticks = 0;
    }

    /// Counts a tick, with the same work at the limit and below it. Returns whether a window at the limit ends: then
    /// [`wins`](Self::wins) judges it.
    #[inline(always)]
    pub(super) fn ends(&mut self, at_limit: bool, reading: T, patience: u32) -> bool {
        self.begin = if self.ticks == 0 { reading } else { self.begin };
        self.middle = if self.ticks <= patience >> 1 { reading } else { self.middle };
        self.ticks = if at_limit { self.ticks.saturating_add(1) } else { 0 };
        self.ticks > patience
    }

    /// Whether the motor wins, at the end of a window with this reading and effort. Begins the next window.
    #[inline(never)]
    pub(super) fn wins(&mut self, reading: T, effort: T, window: T) -> bool {
        self.ticks = 0;
        let (first, second) = (self.middle - self.begin, reading - self.middle);
        let along = |motion: T| if effort > T::zero() { motion } else { -motion };
        along(second) > window || along(second - first) > window + window
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    const COUNT: f32 = 1e-4;
    const PATIENCE: u32 = 20;

    fn judge(strain: &mut Strain<f32>, reading: f32, effort: f32, patience: u32) -> Option<bool> {
        strain.ends(true, reading, patience).then(|| strain.wins(reading, effort, 3.0 * COUNT))
    }

    /// What is said at the end of each window, of a motor at r(t) with t in ticks.
    fn verdicts(effort: f32, reading: impl Fn(f32) -> f32) -> Vec<bool> {
        let mut strain = Strain::none();
        (0..63_u8)
            .filter_map(|tick| {
                let counts = (reading(f32::from(tick)) / COUNT).round();
                judge(&mut strain, counts * COUNT, effort, PATIENCE)
            })
            .collect()
    }

    #[test]
    fn a_motor_wins_while_the_machine_moves_or_slows_down_as_it_pushes() {
        assert_eq!(verdicts(1.0, |t| 1e-3 * t), [true; 3]);
        assert_eq!(verdicts(-1.0, |t| -1e-3 * t), [true; 3]);
        // It coasts, the motor brakes: 5 rad/s less in 60 ms.
        assert_eq!(verdicts(-1.0, |t| 5e-3 * t * (1.0 - t / 120.0)), [true; 3]);
    }

    #[test]
    fn a_motor_does_not_win_against_a_block_a_weight_or_its_own_encoder() {
        // Blocked, with a reading that dithers by a count to both sides, in the worst way.
        assert_eq!(verdicts(1.0, |t| if t % 21.0 == 10.0 { -COUNT } else { COUNT }), [false; 3]);
        // A weight that falls faster and faster; an encoder that counts backwards looks the same.
        assert_eq!(verdicts(1.0, |t| -1e-4 * t * t), [false; 3]);
        assert_eq!(verdicts(-1.0, |t| 1e-4 * t * t), [false; 3]);
        // It falls at a constant speed.
        assert_eq!(verdicts(1.0, |t| -1e-3 * t), [false; 3]);
    }

    #[test]
    fn no_verdict_before_the_end_of_a_window() {
        let mut strain = Strain::none();
        assert!((0..20).all(|_| judge(&mut strain, 0.0, 1.0, 20).is_none()));
        assert_eq!(judge(&mut strain, 0.0, 1.0, 20), Some(false));
        // A tick below the limit begins anew.
        assert!((0..20).all(|_| judge(&mut strain, 0.0, 1.0, 20).is_none()));
        assert!(!strain.ends(false, 0.0, 20) && judge(&mut strain, 0.0, 1.0, 20).is_none());
        let mut patient = Strain::none();
        assert!((0..100).all(|_| judge(&mut patient, 0.0, 1.0, u32::MAX).is_none()));
        assert_eq!(judge(&mut Strain::none(), 0.0, 1.0, 0), Some(false));
    }
}

//! Differences of angles that jump at the end of a turn.
//!
//! ```text
//!     x − y − 2π round((x − y)/2π)
//! ```
//!
//! A model that reads an angle by `atan2` begins a new turn at ±π; the encoder of its machine counts on, and so does a path. Their
//! difference by the shorter way is right while they are less than half a turn apart. Where nothing wraps, nothing is computed.

use super::actuated::Actuated;
use super::sensed::Sensed;
use crate::linalg::Vector;
use crate::scalar::Float;

/// The whole turns in an angle, in radians: zero up to half a turn.
#[inline(always)]
pub(crate) fn whole_turns<T: Float>(angle: T) -> T {
    if angle.abs() <= T::PI {
        return T::zero();
    }
    let turn = T::PI + T::PI;
    (angle / turn).round() * turn
}

/// Whether any of some angles wraps.
pub(crate) const fn any<const E: usize>(wraps: [bool; E]) -> bool {
    let mut i = 0;
    while i < E {
        if wraps[i] {
            return true;
        }
        i += 1;
    }
    false
}

/// The difference of two readings of one sensor, by the shorter way if it wraps.
#[inline(always)]
pub(crate) fn off_by_at<System, const N: usize, const M: usize, const E: usize>(
    sensor: usize,
    difference: System::Base,
) -> System::Base
where
    System: Sensed<N, M, E>,
{
    if const { any(System::WRAPS) } && matches!(System::WRAPS.get(sensor), Some(true)) {
        difference - whole_turns(difference)
    } else {
        difference
    }
}

/// A reading of one sensor on the turn where it is nearest to another one, if it wraps.
#[inline(always)]
pub(crate) fn on_turn_of<System, const N: usize, const M: usize, const E: usize>(
    sensor: usize,
    reading: System::Base,
    other: System::Base,
) -> System::Base
where
    System: Sensed<N, M, E>,
{
    if const { any(System::WRAPS) } && matches!(System::WRAPS.get(sensor), Some(true)) {
        reading - whole_turns(reading - other)
    } else {
        reading
    }
}

/// Outputs of the model less those that are wanted: by the shorter way where an output wraps.
#[inline(always)]
pub(super) fn outputs_off_by<System, const N: usize, const M: usize, const U: usize>(
    mut difference: Vector<System::Base, U>,
) -> Vector<System::Base, U>
where
    System: Actuated<N, M, U>,
{
    if const { any(System::OUTPUT_WRAPS) } {
        for (off, wraps) in difference.data.0[0].iter_mut().zip(System::OUTPUT_WRAPS) {
            *off = if wraps { *off - whole_turns(*off) } else { *off };
        }
    }
    difference
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_turns_are_those_beyond_half_a_turn() {
        let pi = core::f64::consts::PI;
        for (angle, turns) in [(0.0, 0.0), (pi, 0.0), (-pi, 0.0), (3.2, 1.0), (-3.2, -1.0), (9.0, 1.0), (-13.0, -2.0)] {
            assert_eq!(whole_turns(angle), turns * (pi + pi), "{angle}");
        }
        assert!(whole_turns(f64::NAN).is_nan());
    }
}

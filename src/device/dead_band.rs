//! Compensation of a motor that does not turn at small duties.
//!
//! A duty below d only heats the motor. Commands are moved above d. Around zero they follow a steep line instead of a jump, which
//! would make a controller chatter:
//!
//! ```text
//!     |u| ↦ min(|u| · (d + (1 − d) w)/w, d + (1 − d) |u|)
//! ```
//!
//! w is the command where the two lines meet. The function is odd, continuous and increasing, from 0 at 0 to 1 at 1.

use super::setup::{SetupError, between};
use crate::scalar::Float;

/// Moves commands above the duty at which a motor starts to turn.
///
/// ```
/// use taut::device::DeadBand;
///
/// let dead_band = DeadBand::new(0.2_f32, 0.01)?; // turns above 20 %; passed within 1 % of the command
/// assert_eq!(dead_band.compensate(0.0), 0.0);
/// assert_eq!(dead_band.compensate(0.5), 0.6);
/// assert_eq!(dead_band.compensate(-1.0), -1.0);
/// # Ok::<(), taut::device::SetupError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DeadBand<T> {
    duty: T,
    slope: T,
}

impl<T: Float> DeadBand<T> {
    /// From the duty d at which the motor starts to turn, and the command w where the steep line ends: both above 0 and below 1.
    pub fn new(duty: T, width: T) -> Result<Self, SetupError<T>> {
        between("dead band", duty, T::zero(), T::one())?;
        between("width of the dead band's compensation", width, T::zero(), T::one())?;
        let slope = (duty + (T::one() - duty) * width) / width;
        // If the slope overflows, the largest finite one avoids 0 · ∞.
        Ok(Self { duty, slope: if slope.is_finite() { slope } else { T::MAX } })
    }

    /// The duty for a command in [−1, 1].
    #[inline]
    pub fn compensate(&self, command: T) -> T {
        let magnitude = command.abs();
        let (near, far) = (magnitude * self.slope, self.duty + (T::one() - self.duty) * magnitude);
        let duty = if near < far { near } else { far };
        if duty < T::one() { duty.copysign(command) } else { T::one().copysign(command) }
    }
}

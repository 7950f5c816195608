//! A motor that does not turn at small duties, made to.
//!
//! A duty below d does nothing but heat. Commands are moved above it, and around zero they pass through it on a steep line instead
//! of in a jump, which would make a controller chatter:
//!
//! ```text
//!     |u| ↦ min(|u| · (d + (1 − d) w)/w, d + (1 − d) |u|)
//! ```
//!
//! with w the command where the two lines meet. It is odd, continuous and increasing, from 0 at 0 to 1 at 1.

use super::setup::{SetupError, between};
use crate::scalar::Float;

/// Moves commands above the duty at which a motor starts to turn.
///
/// ```
/// use taut::control::device::DeadBand;
///
/// let dead_band = DeadBand::new(0.2_f32, 0.01)?; // turns above 20 %; passed within 1 % of the command
/// assert_eq!(dead_band.compensate(0.0), 0.0);
/// assert_eq!(dead_band.compensate(0.5), 0.6);
/// assert_eq!(dead_band.compensate(-1.0), -1.0);
/// # Ok::<(), taut::control::device::SetupError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DeadBand<T> {
    duty: T,
    slope: T,
}

impl<T: Float> DeadBand<T> {
    /// From the duty at which the motor starts to turn, and the command at which that is passed: both above 0 and below 1.
    pub fn new(duty: T, width: T) -> Result<Self, SetupError<T>> {
        between("dead band", duty, T::zero(), T::one())?;
        between("width of the dead band's compensation", width, T::zero(), T::one())?;
        let slope = (duty + (T::one() - duty) * width) / width;
        // A width so small that the slope overflows is a jump, and 0 · ∞ is none of ours.
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

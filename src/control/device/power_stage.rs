//! What can be switched off.

use super::machine::{DeviceError, Encoder, Motor, Wired};

/// A motor that can be switched off, which is its safe output, and that says when it was asked for more than it has.
pub trait PowerStage<T>: Motor<T> {
    /// Makes the motor follow commands, beginning with none: effort zero until the first one.
    fn enable(&mut self) -> Result<(), Self::Error>;

    /// The safe output, whatever was commanded before: effort zero and the power stage off, until it is enabled again.
    ///
    /// Every part of it is tried even if another one fails; the first failure is returned.
    fn disable(&mut self) -> Result<(), Self::Error>;

    /// Whether the last command was cut to what the motor can do.
    fn saturated(&self) -> bool;
}

impl<R, D, const E: usize, const U: usize> Wired<R, D, E, U> {
    /// Enables all motors; if one of them fails, all are disabled.
    pub fn enable<T>(&mut self) -> Result<(), DeviceError<R::Error, D::Error>>
    where
        R: Encoder<T>,
        D: PowerStage<T>,
    {
        for (index, motor) in self.motors.iter_mut().enumerate() {
            if let Err(cause) = motor.enable() {
                // The first failure is the cause.
                let _ = self.disable();
                return Err(DeviceError::Motor { index, cause });
            }
        }
        Ok(())
    }

    /// The safe output of all motors, each tried whatever the others do; the first failure is returned.
    pub fn disable<T>(&mut self) -> Result<(), DeviceError<R::Error, D::Error>>
    where
        R: Encoder<T>,
        D: PowerStage<T>,
    {
        let mut failure = None;
        for (index, motor) in self.motors.iter_mut().enumerate() {
            if let Err(cause) = motor.disable() {
                failure = failure.or(Some(DeviceError::Motor { index, cause }));
            }
        }
        failure.map_or(Ok(()), Err)
    }
}

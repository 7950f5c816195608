//! What a controller is wired to: encoders that it reads and motors that it drives.
//!
//! A board implements [`Encoder`] and [`Motor`] for its timers and drivers; a [`Plant`](crate::control::Plant) made of taut stands behind
//! the same traits. So the code that runs on the bench is the code that the tests ran.

use core::fmt::Debug;

/// Measures one position: an angle in radians or a distance in metres.
pub trait Encoder<T> {
    /// Why there is no reading.
    type Error: Debug;

    /// The position now, since the encoder's zero; turns are counted, not wrapped.
    fn read(&mut self) -> Result<T, Self::Error>;
}

/// Drives with a torque in newton metres or a force in newtons.
pub trait Motor<T> {
    /// Why it can not be driven.
    type Error: Debug;

    /// Applies this from now on, until the next command.
    fn drive(&mut self, effort: T) -> Result<(), Self::Error>;

    /// Makes the motor follow commands, beginning with none: effort zero until the first one. Nothing, where it can not be
    /// switched.
    fn enable(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The safe output, whatever was commanded before: effort zero, and off where it can be switched, until it is enabled again.
    ///
    /// Every part of it is tried even if another one fails; the first failure is returned.
    fn disable(&mut self) -> Result<(), Self::Error>
    where
        T: Default,
    {
        self.drive(T::default())
    }
}

/// `E` encoders and `U` motors: all that a control loop sees of its machine.
///
/// Encoders are read all at once and before motors are driven, so that the delay is the same in every tick.
///
/// ```
/// use taut::control::{Encoder, Machine, Motor, Wired};
///
/// struct Timer(i16); // counts of 12 bits a turn
/// impl Encoder<f32> for Timer {
///     type Error = ();
///     fn read(&mut self) -> Result<f32, ()> {
///         Ok(f32::from(self.0) * (core::f32::consts::TAU / 4096.0))
///     }
/// }
/// struct Bridge(f32);
/// impl Motor<f32> for Bridge {
///     type Error = ();
///     fn drive(&mut self, torque: f32) -> Result<(), ()> {
///         self.0 = torque;
///         Ok(())
///     }
/// }
///
/// let mut arm = Wired { encoders: [Timer(1024)], motors: [Bridge(0.0)] };
/// let [angle] = arm.read().unwrap();
/// arm.drive(&[0.5 * angle]).unwrap();
/// assert_eq!(arm.motors[0].0, 0.25 * core::f32::consts::PI);
/// ```
pub trait Machine<T, const E: usize, const U: usize> {
    /// What failed.
    type Error: Debug;

    /// All positions now.
    fn read(&mut self) -> Result<[T; E], Self::Error>;

    /// Drives all motors until the next command.
    fn drive(&mut self, efforts: &[T; U]) -> Result<(), Self::Error>;

    /// Makes all motors follow commands, brakes opened where it has any. Nothing by default.
    fn enable(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The safe output without readings: no effort by default; motors off and brakes closed where it has switches and brakes. Until
    /// it is enabled again.
    fn disable(&mut self) -> Result<(), Self::Error>
    where
        T: Default + Copy,
    {
        self.drive(&[T::default(); U])
    }
}

/// Encoders and motors of one kind each, as a machine.
///
/// One that fails keeps none of the others from being read or driven in the same tick; the first failure is returned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wired<Sensor, Actuator, const E: usize, const U: usize> {
    /// The encoders, in the order of the model's sensors.
    pub encoders: [Sensor; E],
    /// The motors, in the order of the model's inputs.
    pub motors: [Actuator; U],
}

/// Which device of a machine failed, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DeviceError<R, D> {
    /// An encoder gave no reading.
    Encoder {
        /// Which one.
        index: usize,
        /// Why.
        cause: R,
    },
    /// A motor could not be driven.
    Motor {
        /// Which one.
        index: usize,
        /// Why.
        cause: D,
    },
}

impl<T: Copy + Default, R: Encoder<T>, D: Motor<T>, const E: usize, const U: usize> Machine<T, E, U>
    for Wired<R, D, E, U>
{
    type Error = DeviceError<R::Error, D::Error>;

    fn read(&mut self) -> Result<[T; E], Self::Error> {
        let mut positions = [T::default(); E];
        let mut failure = None;
        for (index, (position, encoder)) in positions.iter_mut().zip(&mut self.encoders).enumerate() {
            match encoder.read() {
                Ok(reading) => *position = reading,
                Err(cause) => failure = failure.or(Some(DeviceError::Encoder { index, cause })),
            }
        }
        failure.map_or(Ok(positions), Err)
    }

    fn drive(&mut self, efforts: &[T; U]) -> Result<(), Self::Error> {
        let mut failure = None;
        for (index, (effort, motor)) in efforts.iter().zip(&mut self.motors).enumerate() {
            if let Err(cause) = motor.drive(*effort) {
                failure = failure.or(Some(DeviceError::Motor { index, cause }));
            }
        }
        failure.map_or(Ok(()), Err)
    }

    /// If one of the motors fails, all are disabled.
    fn enable(&mut self) -> Result<(), Self::Error> {
        for (index, motor) in self.motors.iter_mut().enumerate() {
            if let Err(cause) = motor.enable() {
                // The first failure is the cause.
                let _ = Machine::<T, E, U>::disable(self);
                return Err(DeviceError::Motor { index, cause });
            }
        }
        Ok(())
    }

    /// Each motor is tried whatever the others do.
    fn disable(&mut self) -> Result<(), Self::Error> {
        let mut failure = None;
        for (index, motor) in self.motors.iter_mut().enumerate() {
            if let Err(cause) = motor.disable() {
                failure = failure.or(Some(DeviceError::Motor { index, cause }));
            }
        }
        failure.map_or(Ok(()), Err)
    }
}

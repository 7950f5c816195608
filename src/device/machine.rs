//! The interface of a machine: encoders that the loop reads and motors that it drives.
//!
//! A board implements [`Encoder`] and [`Motor`] for its timers and drivers. A simulated [`Plant`](crate::device::Plant) is a
//! [`Machine`], too. So tests run the same control code as the bench.

use core::fmt::{self, Debug};

use super::failure::Failure;

/// Measures one position: an angle in radians or a distance in metres.
pub trait Encoder<T> {
    /// Why there is no reading.
    type Error: Debug;

    /// The present position from the encoder's zero. Turns are counted, not wrapped.
    fn read(&mut self) -> Result<T, Self::Error>;

    /// Whether the encoder's zero is known. Always true for an absolute encoder. If it is false, readings are distances from an
    /// unknown place, and a loop must not move the machine.
    fn is_referenced(&self) -> bool {
        true
    }

    /// Starts anew, as after power-on: an incremental encoder forgets its zero, an absolute one how often it has turned. Does nothing
    /// by default. Call it at rest, before the position of the machine is found again.
    fn lose_reference(&mut self) {}
}

/// Drives with a torque in newton metres or a force in newtons.
pub trait Motor<T> {
    /// Why it cannot be driven.
    type Error: Debug;

    /// Applies this effort until the next command. `speed` is that of the motor's shaft, in the units of its encoder per second: a motor
    /// on a voltage needs it to compensate its back-EMF. Other motors ignore it. Pass zero if it is unknown.
    fn drive(&mut self, effort: T, speed: T) -> Result<(), Self::Error>;

    /// Enables the motor, with zero effort until the first command. Does nothing for a motor without a switch.
    fn enable(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The safe output: zero effort, and off if the motor has a switch, until it is enabled again.
    ///
    /// Implementations try every part even if another one fails, and return the first failure.
    fn disable(&mut self) -> Result<(), Self::Error>
    where
        T: Default,
    {
        self.drive(T::default(), T::default())
    }
}

/// A machine with `E` encoders and `U` motors, as a control loop sees it.
///
/// All encoders are read at once, before the motors are driven, so that the delay is the same in every tick.
///
/// ```
/// use taut::device::{Encoder, Machine, Motor, Wired};
///
/// struct Timer(i16); // counts of 12 bits a turn
/// impl Encoder<f32> for Timer {
///     type Error = core::convert::Infallible;
///     fn read(&mut self) -> Result<f32, Self::Error> {
///         Ok(f32::from(self.0) * (core::f32::consts::TAU / 4096.0))
///     }
/// }
/// struct Bridge(f32);
/// impl Motor<f32> for Bridge {
///     type Error = &'static str;
///     fn drive(&mut self, torque: f32, _speed: f32) -> Result<(), Self::Error> {
///         self.0 = torque;
///         Ok(())
///     }
/// }
///
/// let mut arm = Wired::new([Timer(1024)], [Bridge(0.0)]);
/// let [angle] = arm.read()?;
/// arm.drive(&[0.5 * angle], &[0.0])?;
/// assert_eq!(arm.motors[0].0, 0.25 * core::f32::consts::PI);
/// # Ok::<(), taut::device::DeviceError>(())
/// ```
pub trait Machine<T, const E: usize, const U: usize> {
    /// What failed.
    type Error: Debug;

    /// The present positions of all encoders.
    fn read(&mut self) -> Result<[T; E], Self::Error>;

    /// Drives all motors until the next command. `speeds` are those of the motors' shafts, as in [`Motor::drive`]: a loop passes the
    /// target speeds of the first `U` encoders, which sit on these shafts.
    fn drive(&mut self, efforts: &[T; U], speeds: &[T; U]) -> Result<(), Self::Error>;

    /// Enables all motors and opens the brakes. Does nothing by default.
    fn enable(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The safe output, which needs no readings. It stays until the machine is enabled again. Zero effort by default. Override it to switch motors off and close
    /// brakes.
    fn disable(&mut self) -> Result<(), Self::Error>
    where
        T: Default + Copy,
    {
        self.drive(&[T::default(); U], &[T::default(); U])
    }

    /// The first encoder whose zero is unknown; `None` by default, for absolute encoders. While there is one, a loop must not move the
    /// machine.
    fn unreferenced(&self) -> Option<usize> {
        None
    }

    /// All encoders start anew, as after power-on: see [`Encoder::lose_reference`]. Does nothing by default.
    fn lose_reference(&mut self) {}
}

/// A machine made of encoders and motors: arrays of one type, or tuples of up to six different types, such as the timers of a HAL.
///
/// If one device fails, the others are still read or driven in the same tick. The first failure is returned.
///
/// ```
/// use core::convert::Infallible;
/// use taut::device::{DeviceError, Encoder, Failure, Machine, Motor, Wired};
///
/// struct Timer<const BITS: u32>(u32); // another type for every width
/// impl<const BITS: u32> Encoder<f32> for Timer<BITS> {
///     type Error = Infallible;
///     fn read(&mut self) -> Result<f32, Infallible> {
///         Ok(self.0 as f32 / (1_u32 << BITS) as f32)
///     }
/// }
/// struct Servo; // on a bus of its own
/// impl Motor<f32> for Servo {
///     type Error = &'static str;
///     fn drive(&mut self, torque: f32, _speed: f32) -> Result<(), &'static str> {
///         if torque > 1.0 { Err("servo: too much") } else { Ok(()) }
///     }
/// }
/// struct Bridge(f32);
/// impl Motor<f32> for Bridge {
///     type Error = Infallible;
///     fn drive(&mut self, torque: f32, _speed: f32) -> Result<(), Infallible> {
///         self.0 = torque;
///         Ok(())
///     }
/// }
///
/// let mut machine = Wired::new((Timer::<12>(1024), Timer::<16>(1024)), (Servo, Bridge(0.0)));
/// assert_eq!(machine.read(), Ok([0.25, 0.015625]));
/// let cause = Failure::Other("servo: too much");
/// assert_eq!(machine.drive(&[2.0, 0.5], &[0.0; 2]), Err(DeviceError::Motor { index: 0, cause }));
/// assert_eq!(machine.motors.1.0, 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wired<Encoders, Motors> {
    /// The encoders, in the order of the model's sensors.
    pub encoders: Encoders,
    /// The motors, in the order of the model's inputs.
    pub motors: Motors,
}

impl<Encoders, Motors> Wired<Encoders, Motors> {
    /// From encoders and motors that are ready to use.
    pub const fn new(encoders: Encoders, motors: Motors) -> Self {
        Self { encoders, motors }
    }
}

/// Which device of a machine failed, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DeviceError {
    /// An encoder gave no reading.
    Encoder {
        /// Which one.
        index: usize,
        /// Why.
        cause: Failure,
    },
    /// A motor could not be driven.
    Motor {
        /// Which one.
        index: usize,
        /// Why.
        cause: Failure,
    },
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (device, index, cause) = match self {
            Self::Encoder { index, cause } => ("encoder", index, cause),
            Self::Motor { index, cause } => ("motor", index, cause),
        };
        write!(f, "{device} {index}: {cause}")
    }
}

impl core::error::Error for DeviceError {}

/// `E` encoders: an array, or a tuple of different ones, whose errors all become a [`Failure`].
pub trait Encoders<T, const E: usize> {
    /// The present positions. Each encoder is read even if another one fails, because turns are counted only in a read.
    fn read(&mut self) -> Result<[T; E], DeviceError>;

    /// The first encoder whose zero is unknown.
    fn unreferenced(&self) -> Option<usize>;

    /// Each encoder starts anew.
    fn lose_reference(&mut self);
}

/// `U` motors: an array, or a tuple of different ones, whose errors all become a [`Failure`].
pub trait Motors<T, const U: usize> {
    /// Drives each, even if another one fails.
    fn drive(&mut self, efforts: &[T; U], speeds: &[T; U]) -> Result<(), DeviceError>;

    /// Enables one after the other until one fails.
    fn enable(&mut self) -> Result<(), DeviceError>;

    /// Disables each, even if another one fails.
    fn disable(&mut self) -> Result<(), DeviceError>;
}

/// Names the encoder that failed.
fn encoder<R, C: Into<Failure>>(index: usize, result: Result<R, C>) -> Result<R, DeviceError> {
    result.map_err(|cause| DeviceError::Encoder { index, cause: cause.into() })
}

/// Names the motor that failed.
fn motor<C: Into<Failure>>(index: usize, result: Result<(), C>) -> Result<(), DeviceError> {
    result.map_err(|cause| DeviceError::Motor { index, cause: cause.into() })
}

impl<T: Copy + Default, R: Encoder<T, Error: Into<Failure>>, const E: usize> Encoders<T, E> for [R; E] {
    fn read(&mut self) -> Result<[T; E], DeviceError> {
        let mut positions = [T::default(); E];
        let mut failure = Ok(());
        for (index, (position, device)) in positions.iter_mut().zip(self).enumerate() {
            failure = failure.and(encoder(index, device.read()).map(|reading| *position = reading));
        }
        failure.map(|()| positions)
    }

    fn unreferenced(&self) -> Option<usize> {
        self.iter().position(|device| !device.is_referenced())
    }

    fn lose_reference(&mut self) {
        self.iter_mut().for_each(Encoder::lose_reference);
    }
}

impl<T: Copy + Default, D: Motor<T, Error: Into<Failure>>, const U: usize> Motors<T, U> for [D; U] {
    fn drive(&mut self, efforts: &[T; U], speeds: &[T; U]) -> Result<(), DeviceError> {
        let mut driven = Ok(());
        for (index, ((effort, speed), device)) in efforts.iter().zip(speeds).zip(self).enumerate() {
            driven = driven.and(motor(index, device.drive(*effort, *speed)));
        }
        driven
    }

    fn enable(&mut self) -> Result<(), DeviceError> {
        self.iter_mut().enumerate().try_for_each(|(index, device)| motor(index, device.enable()))
    }

    fn disable(&mut self) -> Result<(), DeviceError> {
        let mut disabled = Ok(());
        for (index, device) in self.iter_mut().enumerate() {
            disabled = disabled.and(motor(index, device.disable()));
        }
        disabled
    }
}

/// Tuples of different devices, from the types and the places of their elements.
macro_rules! tuples {
    ($($size:literal: $($Device:ident $index:tt),+;)+) => {$(
        impl<T, $($Device: Encoder<T, Error: Into<Failure>>),+> Encoders<T, $size> for ($($Device,)+) {
            fn read(&mut self) -> Result<[T; $size], DeviceError> {
                let readings = ($(self.$index.read(),)+);
                Ok([$(encoder($index, readings.$index)?),+])
            }

            fn unreferenced(&self) -> Option<usize> {
                [$(self.$index.is_referenced()),+].iter().position(|known| !known)
            }

            fn lose_reference(&mut self) {
                $(self.$index.lose_reference();)+
            }
        }

        impl<T: Copy + Default, $($Device: Motor<T, Error: Into<Failure>>),+> Motors<T, $size> for ($($Device,)+) {
            fn drive(&mut self, efforts: &[T; $size], speeds: &[T; $size]) -> Result<(), DeviceError> {
                let driven = ($(self.$index.drive(efforts[$index], speeds[$index]),)+);
                $(motor($index, driven.$index)?;)+
                Ok(())
            }

            fn enable(&mut self) -> Result<(), DeviceError> {
                $(motor($index, self.$index.enable())?;)+
                Ok(())
            }

            fn disable(&mut self) -> Result<(), DeviceError> {
                let disabled = ($(self.$index.disable(),)+);
                $(motor($index, disabled.$index)?;)+
                Ok(())
            }
        }
    )+};
}

tuples! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, F 4;
    6: A 0, B 1, C 2, D 3, F 4, G 5;
}

impl<T, R: Encoders<T, E>, D: Motors<T, U>, const E: usize, const U: usize> Machine<T, E, U> for Wired<R, D> {
    type Error = DeviceError;

    fn read(&mut self) -> Result<[T; E], DeviceError> {
        self.encoders.read()
    }

    fn drive(&mut self, efforts: &[T; U], speeds: &[T; U]) -> Result<(), DeviceError> {
        self.motors.drive(efforts, speeds)
    }

    /// If one of the motors fails, all are disabled.
    fn enable(&mut self) -> Result<(), DeviceError> {
        self.motors.enable().inspect_err(|_| {
            // The first failure is the cause.
            let _ = self.motors.disable();
        })
    }

    fn disable(&mut self) -> Result<(), DeviceError> {
        self.motors.disable()
    }

    fn unreferenced(&self) -> Option<usize> {
        self.encoders.unreferenced()
    }

    fn lose_reference(&mut self) {
        self.encoders.lose_reference();
    }
}

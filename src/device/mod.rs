//! Encoders that a loop reads and motors that it drives, on the pins, timers and buses of `embedded-hal` 1.0.
//!
//! A loop sees a [`Machine`]: a simulated [`Plant`], or the devices of a board, [`Wired`] as an array of one type or a tuple of different
//! types, such as the timers of a HAL.
//!
//! | device | on | trait |
//! |---|---|---|
//! | [`PwmMotor`] | `SetDutyCycle`, a direction and an enable `OutputPin` | [`Motor`] |
//! | [`As504x`], AS5047 and AS5048 | `SpiDevice` | [`Counter`] |
//! | [`As5600`] | `I2c` | [`Counter`] |
//! | [`Analog`] | a converter's channel, a [`Counter`] | [`Counter`] |
//! | [`Scaled`] | any [`Counter`], such as a timer in encoder mode | [`Encoder`] |
//!
//! The loop detects readings that jump or are stuck, because it knows the targets: see [`Watch`](crate::supervise::Watch). It has a
//! [`JumpDetector`] and a [`StuckDetector`] for each encoder.
//!
//! `embedded-hal` has no traits for counters and converters. [`Counter`] is such a trait, with one function.
//!
//! Each device has its own error, with the frame, the status or the limit. A bus error is kept as its `ErrorKind`, so errors are plain
//! values on every board. A failed read changes nothing: the last good position stays available, and the next read starts anew. No
//! device waits: one call sends a bounded number of bytes.

mod analog;
mod as504x;
mod as5600;
mod dead_band;
mod failure;
mod frame;
mod jump;
mod machine;
mod motor;
mod motor_error;
mod plant;
mod scale;
mod scaled;
mod setup;
mod stuck;
mod unwrapped;

pub use analog::{Analog, AnalogError};
pub use as504x::{As504x, As504xError, Magnet};
pub use as5600::{As5600, As5600Error};
pub use dead_band::DeadBand;
pub use failure::Failure;
pub use frame::{decode, read_command, with_parity};
pub use jump::{Jump, JumpDetector};
pub use machine::{DeviceError, Encoder, Encoders, Machine, Motor, Motors, Wired};
pub use motor::{NoPin, PwmMotor};
pub use motor_error::MotorError;
pub use plant::{Friction, LONGEST_DELAY, Plant, PlantError, PlantFor, Sensor, Simulated};
pub use scale::Scale;
pub use scaled::{Counter, Scaled};
pub use setup::SetupError;
pub use stuck::{Stuck, StuckDetector};
pub use unwrapped::Unwrapped;

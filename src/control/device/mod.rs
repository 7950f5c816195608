//! What a controller is wired to: encoders that it reads and motors that it drives, on the pins, timers and buses of
//! `embedded-hal` 1.0.
//!
//! A [`Machine`] is all that a loop sees: a [`Plant`](super::Plant) made of taut, or the devices of a board, [`Wired`].
//!
//! | device | on | trait |
//! |---|---|---|
//! | [`PwmMotor`] | `SetDutyCycle`, a direction and an enable `OutputPin` | [`Motor`], [`PowerStage`] |
//! | [`As504x`], AS5047 and AS5048 | `SpiDevice` | [`Encoder`] |
//! | [`As5600`] | `I2c` | [`Encoder`] |
//! | [`Quadrature`] | [`Counter`], a timer in encoder mode | [`Encoder`] |
//! | [`Analog`] | [`AnalogInput`], a converter's channel | [`Encoder`] |
//! | [`Watched`] | any encoder: refuses jumps and stuck readings | [`Encoder`] |
//!
//! `embedded-hal` has no counters and no converters, hence [`Counter`] and [`AnalogInput`], of one function each.
//!
//! What a device can not do it says in an error of its own: which frame, which status, against which limit. A bus error is kept
//! as its `ErrorKind`, so that errors are plain values on every board. A read that fails changes nothing: the last good
//! position stays available, and the next read starts afresh. No device waits: what one call sends on a bus is bounded.

mod analog;
mod as504x;
mod as5600;
mod dead_band;
mod frame;
mod jump;
mod machine;
mod motor;
mod motor_error;
mod position;
mod power_stage;
mod quadrature;
mod scale;
mod setup;
mod stuck;
mod unwrapped;
mod watched;

pub use analog::{Analog, AnalogError, AnalogInput};
pub use as504x::{As504x, As504xError, Magnet};
pub use as5600::{As5600, As5600Error};
pub use dead_band::DeadBand;
pub use frame::{FrameError, decode, read_command, with_parity};
pub use jump::{Jump, JumpDetector};
pub use machine::{DeviceError, Encoder, Machine, Motor, Wired};
pub use motor::{NoPin, PwmMotor};
pub use motor_error::MotorError;
pub use power_stage::PowerStage;
pub use quadrature::{Counter, Quadrature};
pub use scale::Scale;
pub use setup::SetupError;
pub use stuck::{Stuck, StuckDetector};
pub use unwrapped::Unwrapped;
pub use watched::{WatchError, Watched};

//! Encoders that a loop reads and motors that it drives, on the pins, timers and buses of `embedded-hal` 1.0.
//!
//! A loop sees a [`Machine`]: a simulated [`Plant`], or the devices of a board, [`Wired`] as an array of one type or a tuple of different
//! types, such as the timers of a HAL.
//!
//! | device | on | trait |
//! |---|---|---|
//! | [`PwmMotor`], with the data sheet of a [`DcMotor`] | `SetDutyCycle`, a direction and an enable `OutputPin` | [`Motor`] |
//! | [`As504x`], AS5047 and AS5048 | `SpiDevice` | [`Counter`] |
//! | [`As5600`] | `I2c` | [`Counter`] |
//! | [`Analog`] | a converter's channel, a [`Counter`] | [`Counter`] |
//! | [`Scaled`], absolute or incremental | any [`Counter`], such as a timer in encoder mode | [`Encoder`] |
//! | [`Redundant`] | two encoders of one position | [`Encoder`] |
//!
//! An incremental encoder has no reference at power-on: it counts, but nobody knows from where. A loop does not move such a machine until
//! [`position_here`](Scaled::position_here) or [`position_at`](Scaled::position_at) sets the position.
//!
//! The loop detects readings that jump or are stuck, because it knows the targets: see [`Watch`](crate::supervise::Watch). It has a
//! [`JumpDetector`] and a [`StuckDetector`] for each encoder.
//!
//! `embedded-hal` has no traits for counters and converters. [`Counter`] is such a trait, with one function.
//!
//! Each device has its own error, with the frame, the status or the limit. A bus error is kept as its `ErrorKind`, so errors are plain
//! values on every board. A failed read leaves the last good position, and counts as a missed update. No device waits: one call sends a
//! bounded number of bytes.
//!
//! # Limits
//!
//! With the tick h, the largest speed v of the path or of homing, the value c of one count, and the noise r of a reading (its largest, not
//! its rms):
//!
//! | limit | choose | bounds |
//! |---|---|---|
//! | motion between two reads, [`Counter::scaled`] | 2 v h + c + r | at least c/2, below a quarter of the counter's range |
//! | current, [`DcMotor::current_limit`] | the smaller of the motor's peak current and the bridge's | above the current that holds the load |
//! | effort, [`Actuators`](crate::control::Actuators) | [`DcMotor::largest_effort`] at v | above the largest effort of the path |
//! | disagreement, [`Redundant::new`] | c₁ + ratio · c₂ + r + backlash + wind-up of the coupling | below the error that does harm |
//!
//! **Motion.** The factor of two has a reason: a glitch within the limit is accepted, and a machine at half the limit or below is read again
//! after at most four reads; one at the full limit may outrun the check. At 1 kHz, 14 bits and 10 rad/s it is
//! 0.02 + 0.0004 rad. A smaller limit also bridges longer gaps: with the range W turns are lost more than W/(2 · limit) − 1 reads
//! after the last good count, here after 153 ms. A speed that needs more than a quarter of the range per read needs a faster tick.
//!
//! **Effort.** The torque limit follows from the data sheet and the speed of the path, and stands in one place. If the path needs more,
//! the plan refuses it before the machine moves.
//!
//! **Disagreement.** A slip of s per second is found after limit/s seconds, and until then the machine is off by at most the limit.

mod analog;
mod as504x;
mod as5600;
mod dc_motor;
mod dead_band;
mod failure;
mod frame;
mod jump;
mod machine;
mod magnet;
mod motor;
mod motor_error;
mod plant;
mod redundant;
mod scale;
mod scaled;
mod setup;
mod stuck;
mod unwrapped;

pub use analog::{Analog, AnalogError};
pub use as504x::{As504x, As504xError};
pub use as5600::{As5600, As5600Error};
pub use dc_motor::{DcMotor, MotorLimit};
pub use dead_band::DeadBand;
pub use failure::Failure;
pub use frame::{decode, read_command, with_parity};
pub use jump::{Jump, JumpDetector};
pub use machine::{DeviceError, Encoder, Encoders, Machine, Motor, Motors, Wired};
pub use magnet::Magnet;
pub use motor::{NoPin, PwmMotor};
pub use motor_error::MotorError;
pub use plant::{Friction, LONGEST_DELAY, Plant, PlantError, PlantFor, Sensor, Simulated};
pub use redundant::{Disagreement, Redundant, RedundantError};
pub use scale::Scale;
pub use scaled::{Counter, ReferenceError, Scaled, ScaledError};
pub use setup::SetupError;
pub use stuck::{Stuck, StuckDetector};
pub use unwrapped::{CountError, Unwrapped};

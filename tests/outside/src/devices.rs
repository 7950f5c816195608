//! Three encoders and three motors of different types: drivers of taut and one written here, on simulated peripherals.

use core::convert::Infallible;
use core::f32::consts::TAU;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use embedded_hal::digital::{self, OutputPin};
use embedded_hal::i2c::{self, I2c, Operation};
use embedded_hal::pwm::{self, SetDutyCycle};
use taut::device::{Analog, As5600, Counter, Motor, NoPin, PwmMotor, Scale, Scaled, SetupError, Wired};

/// The torque of a motor at full duty, N m.
const FULL_EFFORT: f32 = 4.0;
/// The furthest that an encoder moves in a tick, rad.
const LARGEST_STEP: f32 = 0.1;
/// The potentiometer's counts at angle 0. The other encoders wrap there.
const MIDDLE: i32 = 2_048;

type Encoders = (Scaled<Timer, f32, 16>, Scaled<As5600<Bus>, f32, 12>, Scaled<Analog<Converter>, f32, 32>);
type Motors = (PwmMotor<Channel, Direction, Enable, f32>, PwmMotor<Channel, Direction, NoPin, f32>, Drive);

/// The robot's three axes.
pub type Machine = Wired<Encoders, Motors>;

/// Connects the devices.
pub fn wire() -> Result<Machine, SetupError<f32>> {
    let scale = Scale::new(TAU / 4_096.0, MIDDLE.into())?;
    let encoders = (
        Timer.scaled(Scale::turn(14_u8), LARGEST_STEP)?,
        As5600::new(Bus).scaled(Scale::turn(12_u8), LARGEST_STEP)?,
        Analog::within(Converter, 100, 3_996).scaled(scale, LARGEST_STEP)?,
    );
    let motors = (
        PwmMotor::new(Channel(&AXES[0]), Direction(&AXES[0]), Enable, FULL_EFFORT)?,
        PwmMotor::new(Channel(&AXES[1]), Direction(&AXES[1]), NoPin, FULL_EFFORT)?,
        Drive(&AXES[2]),
    );
    Ok(Wired::new(encoders, motors))
}

/// The connection between a device and the simulated machine: angle and torque as bits, and the direction of a bridge.
struct Axis {
    angle: AtomicU32,
    torque: AtomicU32,
    forward: AtomicBool,
}

static AXES: [Axis; 3] =
    [const { Axis { angle: AtomicU32::new(0), torque: AtomicU32::new(0), forward: AtomicBool::new(true) } }; 3];

/// Whether the first bridge is enabled. While it is not, the brakes are closed.
static POWER: AtomicBool = AtomicBool::new(false);

/// Switches the bridges off and closes the brakes, without the devices.
pub fn switch_off() {
    POWER.store(false, Ordering::Relaxed);
}

/// Sets the angles of the shafts.
pub fn turn(angles: [f32; 3]) {
    for (axis, angle) in AXES.iter().zip(angles) {
        axis.angle.store(angle.to_bits(), Ordering::Relaxed);
    }
}

/// The torques of the motors; `None` while the brakes are closed.
pub fn torques() -> Option<[f32; 3]> {
    let torque = |axis: &Axis| f32::from_bits(axis.torque.load(Ordering::Relaxed));
    POWER.load(Ordering::Relaxed).then(|| AXES.each_ref().map(torque))
}

impl Axis {
    fn counts(&self, a_turn: f32) -> i32 {
        (f32::from_bits(self.angle.load(Ordering::Relaxed)) * (a_turn / TAU)) as i32
    }

    fn push(&self, torque: f32) {
        self.torque.store(torque.to_bits(), Ordering::Relaxed);
    }
}

/// A timer in encoder mode.
pub struct Timer;

impl Counter<16> for Timer {
    type Error = Infallible;

    fn count(&mut self) -> Result<u32, Infallible> {
        Ok((AXES[0].counts(16_384.0) & 0xffff) as u32)
    }
}

/// A bus with an AS5600 that detects its magnet.
pub struct Bus;

impl i2c::ErrorType for Bus {
    type Error = Infallible;
}

impl I2c for Bus {
    fn transaction(&mut self, _address: u8, operations: &mut [Operation<'_>]) -> Result<(), Infallible> {
        let [high, low] = ((AXES[1].counts(4_096.0) & 0xfff) as u16).to_be_bytes();
        for operation in operations {
            if let Operation::Read(bytes) = operation {
                for (byte, answer) in bytes.iter_mut().zip([0x20, high, low]) {
                    *byte = answer;
                }
            }
        }
        Ok(())
    }
}

/// A converter with a potentiometer.
pub struct Converter;

impl Counter<32> for Converter {
    type Error = &'static str;

    fn count(&mut self) -> Result<u32, &'static str> {
        u32::try_from(AXES[2].counts(4_096.0) + MIDDLE).map_err(|_| "converter: below its range")
    }
}

/// The PWM channel of a bridge.
pub struct Channel(&'static Axis);

impl pwm::ErrorType for Channel {
    type Error = Infallible;
}

impl SetDutyCycle for Channel {
    fn max_duty_cycle(&self) -> u16 {
        4_200
    }

    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), Infallible> {
        let torque = f32::from(duty) * (FULL_EFFORT / 4_200.0);
        self.0.push(if self.0.forward.load(Ordering::Relaxed) { torque } else { -torque });
        Ok(())
    }
}

/// The direction pin of a bridge.
pub struct Direction(&'static Axis);

impl digital::ErrorType for Direction {
    type Error = Infallible;
}

impl OutputPin for Direction {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.forward.store(false, Ordering::Relaxed);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.forward.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// The enable pin of the first bridge, which also opens the brakes.
pub struct Enable;

impl digital::ErrorType for Enable {
    type Error = Infallible;
}

impl OutputPin for Enable {
    fn set_low(&mut self) -> Result<(), Infallible> {
        POWER.store(false, Ordering::Relaxed);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        POWER.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// A servo drive that takes a torque in N m, up to a limit: an example of a driver that you write yourself.
pub struct Drive(&'static Axis);

impl Motor<f32> for Drive {
    type Error = &'static str;

    fn drive(&mut self, effort: f32, _speed: f32) -> Result<(), &'static str> {
        if effort.abs() > FULL_EFFORT {
            return Err("drive: too much torque");
        }
        self.0.push(effort);
        Ok(())
    }
}

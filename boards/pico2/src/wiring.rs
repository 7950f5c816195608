//! Two motors on the pulses of slices 0 and 1, two AS5600 on a bus each: they all have the same address. The pins' places are in
//! the README.

use rp235x_hal::fugit::{HertzU32, RateExtU32};
use rp235x_hal::gpio::bank0::{Gpio4, Gpio5, Gpio6, Gpio7, Gpio17, Gpio19, Gpio20, Gpio21, Gpio22};
use rp235x_hal::gpio::{FunctionI2C, FunctionSioInput, FunctionSioOutput, Pin, Pins, PullDown, PullUp};
use rp235x_hal::i2c::I2C;
use rp235x_hal::pac::{I2C0, I2C1, PWM, RESETS};
use rp235x_hal::pwm::{A, Channel, FreeRunning, Pwm0, Pwm1, Slice, SliceId, Slices};
use runtime::axes::{Axes, Axis};
use taut::control::device::{As5600, PwmMotor, Scale, SetupError};

/// The motors' torque at full duty, N m.
const FULL_EFFORT: f32 = 2.0;
/// Cycles of the processor in a period of the bridges' duty: 20 kHz at 150 MHz, above what one hears.
const PWM_PERIOD: u16 = 7_500;

type Bus<Unit, Data, Clock> = I2C<Unit, (Pin<Data, FunctionI2C, PullUp>, Pin<Clock, FunctionI2C, PullUp>)>;
type OutputPin<Id> = Pin<Id, FunctionSioOutput, PullDown>;
type Motor<Id, Direction, Enable> =
    PwmMotor<Channel<Slice<Id, FreeRunning>, A>, OutputPin<Direction>, OutputPin<Enable>, f32>;
type First = Axis<As5600<Bus<I2C0, Gpio4, Gpio5>, f32>, Motor<Pwm0, Gpio17, Gpio20>>;
type Second = Axis<As5600<Bus<I2C1, Gpio6, Gpio7>, f32>, Motor<Pwm1, Gpio19, Gpio21>>;

/// The linkage's two axes.
pub type Machine = Axes<First, Second>;

/// A button between its pin and ground.
pub type Button = Pin<Gpio22, FunctionSioInput, PullUp>;

/// Wires them.
pub fn wire(
    pins: Pins,
    pwm: PWM,
    (first, second): (I2C0, I2C1),
    resets: &mut RESETS,
    clock: HertzU32,
) -> Result<(Machine, Button), SetupError<f32>> {
    let Slices { pwm0, pwm1, .. } = Slices::new(pwm, resets);
    let (mut duty, mut other_duty) = (pulses(pwm0), pulses(pwm1));
    duty.output_to(pins.gpio16);
    other_duty.output_to(pins.gpio18);
    let motor = PwmMotor::new(duty, pins.gpio17.reconfigure(), pins.gpio20.reconfigure(), FULL_EFFORT)?;
    let other_motor = PwmMotor::new(other_duty, pins.gpio19.reconfigure(), pins.gpio21.reconfigure(), FULL_EFFORT)?;

    let bus = I2C::i2c0(first, pins.gpio4.reconfigure(), pins.gpio5.reconfigure(), 1.MHz(), resets, clock);
    let other_bus = I2C::i2c1(second, pins.gpio6.reconfigure(), pins.gpio7.reconfigure(), 1.MHz(), resets, clock);
    let axes = Axes(
        Axis { encoder: As5600::new(bus, Scale::turn(12_u8)), motor },
        Axis { encoder: As5600::new(other_bus, Scale::turn(12_u8)), motor: other_motor },
    );
    Ok((axes, pins.gpio22.reconfigure()))
}

/// Starts a slice, with no duty.
fn pulses<Id: SliceId>(mut slice: Slice<Id, FreeRunning>) -> Channel<Slice<Id, FreeRunning>, A> {
    slice.default_config();
    slice.set_top(PWM_PERIOD - 1);
    slice.enable();
    slice.channel_a
}

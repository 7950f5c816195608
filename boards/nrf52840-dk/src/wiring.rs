//! Two motors on PWM0, two AS5048 on SPIM2 and SPIM3. The pins' places on the headers are in the README.

use nrf52840_hal::gpio::{Disconnected, Input, Level, Output, Pin, PullUp, PushPull, p0, p1};
use nrf52840_hal::pac::{P0, P1, PWM0, SPIM2, SPIM3};
use nrf52840_hal::pwm::{Channel, Pwm, PwmChannel};
use nrf52840_hal::spim::{Frequency, MODE_1, Pins, Spim};
use nrf52840_hal::time::U32Ext;
use runtime::axes::{Axes, Axis};
use runtime::framed::Framed;
use taut::control::device::{As504x, PwmMotor, Scale, SetupError};

/// The processor's clock, Hz.
pub const FREQUENCY: u32 = 64_000_000;
/// The motors' torque at full duty, N m.
const FULL_EFFORT: f32 = 2.0;
/// How long a chip-select must have been low before a frame and high between two, ns (ams, AS5048A data sheet, SPI timing).
const SETTLING: u32 = 350;
/// The frequency of the bridges' duty, Hz: above what one hears.
const PWM_FREQUENCY: u32 = 20_000;

type OutputPin = Pin<Output<PushPull>>;
type Encoder<Bus> = As504x<Framed<Spim<Bus>, OutputPin>, f32>;
type Motor = PwmMotor<PwmChannel<'static, PWM0>, OutputPin, OutputPin, f32>;

/// The linkage's two axes.
pub type Machine = Axes<Axis<Encoder<SPIM2>, Motor>, Axis<Encoder<SPIM3>, Motor>>;

/// Wires them, whose channels borrow what makes the pulses; what comes with them is the board's first button.
pub fn wire(
    (p0, p1): (P0, P1),
    pulses: &'static Pwm<PWM0>,
    (first, second): (SPIM2, SPIM3),
) -> Result<(Machine, Pin<Input<PullUp>>), SetupError<f32>> {
    let (p0, p1) = (p0::Parts::new(p0), p1::Parts::new(p1));
    pulses.set_period(PWM_FREQUENCY.hz());
    pulses.set_output_pin(Channel::C0, p1.p1_01.into_push_pull_output(Level::Low).degrade());
    pulses.set_output_pin(Channel::C1, p1.p1_02.into_push_pull_output(Level::Low).degrade());
    let motor =
        |channel, direction, enable| PwmMotor::new(PwmChannel::new(pulses, channel), direction, enable, FULL_EFFORT);
    let low = |pin: Pin<Disconnected>| pin.into_push_pull_output(Level::Low);
    let motors = (
        motor(Channel::C0, low(p1.p1_03.degrade()), low(p1.p1_05.degrade()))?,
        motor(Channel::C1, low(p1.p1_04.degrade()), low(p1.p1_06.degrade()))?,
    );

    let pins = Pins {
        sck: Some(p1.p1_15.into_push_pull_output(Level::Low).degrade()),
        mosi: Some(p1.p1_13.into_push_pull_output(Level::Low).degrade()),
        miso: Some(p1.p1_14.into_floating_input().degrade()),
    };
    let bus = Spim::new(first, pins, Frequency::M8, MODE_1, 0);
    let select = p1.p1_12.into_push_pull_output(Level::High).degrade();
    let encoder = As504x::as5048(Framed::new(bus, select, SETTLING, FREQUENCY), Scale::turn(14_u8));

    let pins = Pins {
        sck: Some(p0.p0_03.into_push_pull_output(Level::Low).degrade()),
        mosi: Some(p0.p0_04.into_push_pull_output(Level::Low).degrade()),
        miso: Some(p0.p0_28.into_floating_input().degrade()),
    };
    let bus = Spim::new(second, pins, Frequency::M8, MODE_1, 0);
    let select = p0.p0_29.into_push_pull_output(Level::High).degrade();
    let other_encoder = As504x::as5048(Framed::new(bus, select, SETTLING, FREQUENCY), Scale::turn(14_u8));

    let axes = Axes(Axis { encoder, motor: motors.0 }, Axis { encoder: other_encoder, motor: motors.1 });
    Ok((axes, p0.p0_11.into_pullup_input().degrade()))
}

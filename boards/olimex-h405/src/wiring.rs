//! Two motors on TIM3, two AS5047 on SPI1 and SPI2. The pins' places on the header are in the README.

use runtime::axes::{Axes, Axis};
use runtime::framed::Framed;
use stm32f4xx_hal::gpio::{Input, Output, PA0, PA4, PB12, PC0, PC1, PC2, PC3};
use stm32f4xx_hal::pac::{GPIOA, GPIOB, GPIOC, SPI1, SPI2, TIM3};
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::Rcc;
use stm32f4xx_hal::spi::{Mode, Phase, Polarity, Spi};
use stm32f4xx_hal::timer::{PwmChannel, PwmExt};
use taut::control::device::{As504x, PwmMotor, Scale, SetupError};

use crate::clock::FREQUENCY;

/// The motors' torque at full duty, N m.
const FULL_EFFORT: f32 = 2.0;
/// How long a chip-select must have been low before a frame and high between two, ns (ams, AS5047P data sheet, SPI timing).
const SETTLING: u32 = 350;
/// The encoders' mode of the bus: the clock idles low, data is taken at its falling edge.
const MODE: Mode = Mode { polarity: Polarity::IdleLow, phase: Phase::CaptureOnSecondTransition };

type Encoder<Bus, Select> = As504x<Framed<Spi<Bus>, Select>, f32>;
type Motor<const CHANNEL: u8, Direction, Enable> = PwmMotor<PwmChannel<TIM3, CHANNEL>, Direction, Enable, f32>;
type First = Axis<Encoder<SPI1, PA4<Output>>, Motor<0, PC0<Output>, PC1<Output>>>;
type Second = Axis<Encoder<SPI2, PB12<Output>>, Motor<1, PC2<Output>, PC3<Output>>>;

/// The linkage's two axes.
pub type Machine = Axes<First, Second>;

/// The board's button, which is high when pressed.
pub type Button = PA0<Input>;

/// Wires them.
pub fn wire(
    (gpioa, gpiob, gpioc): (GPIOA, GPIOB, GPIOC),
    timer: TIM3,
    (first, second): (SPI1, SPI2),
    rcc: &mut Rcc,
) -> Result<(Machine, Button), SetupError<f32>> {
    let (a, b, c) = (gpioa.split(rcc), gpiob.split(rcc), gpioc.split(rcc));
    let (_, (duty, other_duty, ..)) = timer.pwm_hz(20.kHz(), rcc);
    let (mut duty, mut other_duty) = (duty.with(c.pc6), other_duty.with(c.pc7));
    duty.enable();
    other_duty.enable();
    let motor = PwmMotor::new(duty, c.pc0.into_push_pull_output(), c.pc1.into_push_pull_output(), FULL_EFFORT)?;
    let other_motor =
        PwmMotor::new(other_duty, c.pc2.into_push_pull_output(), c.pc3.into_push_pull_output(), FULL_EFFORT)?;

    let bus = Spi::new(first, (Some(a.pa5), Some(a.pa6), Some(a.pa7)), MODE, 8.MHz(), rcc);
    let select = a.pa4.into_push_pull_output_in_state(true.into());
    let encoder = As504x::as5047(Framed::new(bus, select, SETTLING, FREQUENCY), Scale::turn(14_u8));
    let bus = Spi::new(second, (Some(b.pb13), Some(b.pb14), Some(b.pb15)), MODE, 8.MHz(), rcc);
    let select = b.pb12.into_push_pull_output_in_state(true.into());
    let other_encoder = As504x::as5047(Framed::new(bus, select, SETTLING, FREQUENCY), Scale::turn(14_u8));

    let axes = Axes(Axis { encoder, motor }, Axis { encoder: other_encoder, motor: other_motor });
    Ok((axes, a.pa0.into_floating_input()))
}

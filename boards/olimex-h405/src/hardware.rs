//! The firmware for the board: a five-bar linkage with two motors on TIM3 and two AS5047 on SPI1 and SPI2. The README lists the pins.

use loops::five_bar;
use runtime::framed::Framed;
use runtime::systick::SysTick;
use runtime::{Bench, Button, OrSay, PinState, Run, Setup};
use stm32f4xx_hal::gpio::{Input, Output, PA0, PA4, PB12, PC0, PC1, PC2, PC3};
use stm32f4xx_hal::pac::{Peripherals, SPI1, SPI2, TIM3};
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::spi::{Mode, Phase, Polarity, Spi};
use stm32f4xx_hal::timer::{PwmChannel, PwmExt};
use stm32f4xx_hal::watchdog::IndependentWatchdog;
use taut::device::{As504x, Counter, PwmMotor, Scale, Scaled, Wired};

use crate::{FREQUENCY, start_clock};

/// The motors' torque at full duty, N m.
const FULL_EFFORT: f32 = 2.0;
/// The time in ns for which a chip-select must be low before a frame and high between two (ams, AS5047P data sheet, SPI timing).
const SETTLING: u32 = 350;
/// The encoders' mode of the bus: the clock idles low, data is taken at its falling edge.
const MODE: Mode = Mode { polarity: Polarity::IdleLow, phase: Phase::CaptureOnSecondTransition };

type Encoder<Bus, Select> = Scaled<As504x<Framed<Spi<Bus>, Select>>, f32, 14>;
type Motor<const CHANNEL: u8, Direction, Enable> = PwmMotor<PwmChannel<TIM3, CHANNEL>, Direction, Enable, f32>;
type Encoders = (Encoder<SPI1, PA4<Output>>, Encoder<SPI2, PB12<Output>>);
type Motors = (Motor<0, PC0<Output>, PC1<Output>>, Motor<1, PC2<Output>, PC3<Output>>);

/// The linkage, its two axes and the board's button.
pub type Program = Bench<five_bar::Control, Wired<Encoders, Motors>, Button<PA0<Input>>>;

/// The chip's watchdog. It resets the chip if it is not fed for 25 ms.
pub struct Watchdog(IndependentWatchdog);

impl taut::supervise::Watchdog for Watchdog {
    fn feed(&mut self) {
        self.0.feed();
    }
}

/// Sets up the devices and the loop.
pub fn set_up() -> Result<Setup<SysTick, Program, Watchdog>, &'static str> {
    let (device, mut core) =
        Peripherals::take().zip(cortex_m::Peripherals::take()).ok_or("the peripherals are taken")?;
    let rcc = &mut start_clock(device.RCC);
    let (a, b, c) = (device.GPIOA.split(rcc), device.GPIOB.split(rcc), device.GPIOC.split(rcc));
    let (_, (duty, other_duty, ..)) = device.TIM3.pwm_hz(20.kHz(), rcc);
    let (mut duty, mut other_duty) = (duty.with(c.pc6), other_duty.with(c.pc7));
    duty.enable();
    other_duty.enable();
    let motors = (
        PwmMotor::new(duty, c.pc0.into_push_pull_output(), c.pc1.into_push_pull_output(), FULL_EFFORT)
            .or_say("the first motor cannot be wired")?,
        PwmMotor::new(other_duty, c.pc2.into_push_pull_output(), c.pc3.into_push_pull_output(), FULL_EFFORT)
            .or_say("the second motor cannot be wired")?,
    );

    let bus = Spi::new(device.SPI1, (Some(a.pa5), Some(a.pa6), Some(a.pa7)), MODE, 8.MHz(), rcc);
    let select = a.pa4.into_push_pull_output_in_state(true.into());
    let encoder = As504x::as5047(Framed::new(bus, select, SETTLING, FREQUENCY)).scaled(Scale::turn(14_u8));
    let bus = Spi::new(device.SPI2, (Some(b.pb13), Some(b.pb14), Some(b.pb15)), MODE, 8.MHz(), rcc);
    let select = b.pb12.into_push_pull_output_in_state(true.into());
    let other_encoder = As504x::as5047(Framed::new(bus, select, SETTLING, FREQUENCY)).scaled(Scale::turn(14_u8));

    let machine = Wired::new((encoder, other_encoder), motors);
    let control = five_bar::control(FREQUENCY / five_bar::RATE).or_say("the loop cannot be made")?;
    let program = Bench::new(control, machine, Button::new(a.pa0.into_floating_input(), PinState::High));
    let mut watchdog = IndependentWatchdog::new(device.IWDG);
    watchdog.start(25.millis());
    let beat = SysTick::start(core.SYST, &mut core.SCB, FREQUENCY, five_bar::RATE)?;
    Ok(Setup { beat, program, watchdog: Watchdog(watchdog), run: Run::endless(100) })
}

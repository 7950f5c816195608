//! The firmware for the board: a five-bar linkage with two motors on TIM3 and two AS5047 on SPI1 and SPI2, a button and a stop contact. The
//! README lists the pins.

use loops::five_bar;
use runtime::framed::Framed;
use runtime::systick::SysTick;
use runtime::{Bench, Button, OrSay, Panel, PinState, Run, Setup, StopContact};
use stm32f4xx_hal::gpio::{Input, Output, PA0, PA4, PB12, PC0, PC1, PC2, PC3, PC4};
use stm32f4xx_hal::pac::{Peripherals, SPI1, SPI2, TIM3, WWDG};
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::spi::{Mode, Phase, Polarity, Spi};
use stm32f4xx_hal::timer::{PwmChannel, PwmExt};
use stm32f4xx_hal::watchdog::IndependentWatchdog;
use taut::device::{As504x, Counter, PwmMotor, Scale, Scaled, Wired};

use crate::{FREQUENCY, reset_cause, start_clock};

/// The motors' torque at full duty, N m.
const FULL_EFFORT: f32 = 2.0;
/// The furthest that an encoder moves in a tick, rad.
const LARGEST_STEP: f32 = 0.1;
/// The time in ns for which a chip-select must be low before a frame and high between two (ams, AS5047P data sheet, SPI timing).
const SETTLING: u32 = 350;
/// The encoders' mode of the bus: the clock idles low, data is taken at its falling edge.
const MODE: Mode = Mode { polarity: Polarity::IdleLow, phase: Phase::CaptureOnSecondTransition };

type Encoder<Bus, Select> = Scaled<As504x<Framed<Spi<Bus>, Select>>, f32, 14>;
type Motor<const CHANNEL: u8, Direction, Enable> = PwmMotor<PwmChannel<TIM3, CHANNEL>, Direction, Enable, f32>;
type Encoders = (Encoder<SPI1, PA4<Output>>, Encoder<SPI2, PB12<Output>>);
type Motors = (Motor<0, PC0<Output>, PC1<Output>>, Motor<1, PC2<Output>, PC3<Output>>);

/// The linkage, its two axes, the board's button and a stop contact.
pub type Program = Bench<five_bar::Control, Wired<Encoders, Motors>, Panel<Button<PA0<Input>>, PC4<Input>>>;

/// The chip's two watchdogs. The independent one has its own oscillator and resets the chip if it is not fed for 25 ms. The one with a
/// window counts every 97.5 µs, 4096 cycles of the bus at 42 MHz (RM0090, WWDG). It resets the chip if it is not fed for 6.2 ms, and if it
/// is fed again within four counts, 0.29 to 0.39 ms: a loop that runs three times too fast. Ticks in time are 0.5 ms apart or more.
pub struct Watchdog(IndependentWatchdog, WWDG);

/// The counter of the watchdog with a window after it is fed. The chip is reset below 64.
const FULL: u8 = 127;
/// It may be fed when its counter is this or less.
const WINDOW: u8 = FULL - 4;

impl Watchdog {
    fn start(independent: IndependentWatchdog, windowed: WWDG) -> Self {
        // SAFETY: a window of seven bits.
        windowed.cfr().write(|w| unsafe { w.wdgtb().div1().w().bits(WINDOW) });
        // SAFETY: a counter of seven bits, with its highest bit set.
        windowed.cr().write(|w| unsafe { w.wdga().enabled().t().bits(FULL) });
        Self(independent, windowed)
    }
}

impl taut::supervise::Watchdog for Watchdog {
    fn feed(&mut self) {
        self.0.feed();
        // SAFETY: a counter of seven bits, with its highest bit set.
        self.1.cr().write(|w| unsafe { w.wdga().enabled().t().bits(FULL) });
    }
}

/// Sets up the devices and the loop.
pub fn set_up() -> Result<Setup<SysTick, Program, Watchdog>, &'static str> {
    let (device, mut core) =
        Peripherals::take().zip(cortex_m::Peripherals::take()).ok_or("the peripherals are taken")?;
    reset_cause(&device.RCC).log();
    let rcc = &mut start_clock(device.RCC);
    rcc.apb1enr().modify(|_, w| w.wwdgen().set_bit());
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
    let encoder = As504x::as5047(Framed::new(bus, select, SETTLING, FREQUENCY))
        .scaled(Scale::turn(14_u8), LARGEST_STEP)
        .or_say("the first encoder has no limit")?;
    let bus = Spi::new(device.SPI2, (Some(b.pb13), Some(b.pb14), Some(b.pb15)), MODE, 8.MHz(), rcc);
    let select = b.pb12.into_push_pull_output_in_state(true.into());
    let other_encoder = As504x::as5047(Framed::new(bus, select, SETTLING, FREQUENCY))
        .scaled(Scale::turn(14_u8), LARGEST_STEP)
        .or_say("the second encoder has no limit")?;

    let machine = Wired::new((encoder, other_encoder), motors);
    let control = five_bar::control(FREQUENCY / five_bar::RATE).or_say("the loop cannot be made")?;
    let button = Button::new(a.pa0.into_floating_input(), PinState::High, five_bar::RATE);
    let stop = StopContact::new(c.pc4.into_pull_up_input(), PinState::Low, five_bar::RATE);
    let program = Bench::new(control, machine, Panel::new(button, stop));
    let mut independent = IndependentWatchdog::new(device.IWDG);
    independent.start(25.millis());
    let beat = SysTick::start(core.SYST, &mut core.SCB, FREQUENCY, five_bar::RATE)?;
    let watchdog = Watchdog::start(independent, device.WWDG);
    Ok(Setup { beat, program, watchdog, run: Run::endless(100) })
}

//! A five-bar linkage at 1 kHz. SysTick triggers the interrupt that runs the loop, and the main program logs its samples. Compiled and
//! linked by the tests, not yet run on hardware.
//!
//! Two motors on TIM1, two incremental encoders on TIM2 and TIM3. The README lists the pins.

#![no_std]
#![no_main]

use core::convert::Infallible;

use loops::five_bar;
use runtime::systick::SysTick;
use runtime::{Bench, Button, OrSay, PinState, Run, Setup};
use stm32g4xx_hal::gpio::{
    AF1, AF2, AF6, Input, Output, PA0, PA1, PA8, PA9, PA10, PB4, PB5, PB10, PC6, PC7, PC13, PushPull,
};
use stm32g4xx_hal::independent_watchdog::IndependentWatchdog;
use stm32g4xx_hal::prelude::*;
use stm32g4xx_hal::pwm::{ActiveHigh, C1, C2, ComplementaryDisabled, Pwm};
use stm32g4xx_hal::pwr::{PwrExt, VoltageScale};
use stm32g4xx_hal::rcc::{Config, Enable, PllConfig, PllMDiv, PllNMul, PllRDiv, PllSrc, Reset};
use stm32g4xx_hal::stm32::{Peripherals, TIM1, TIM2, TIM3};
use stm32g4xx_hal::time::{ExtU32, RateExtU32};
use taut::device::{Counter, PwmMotor, Scale, Scaled, Wired};

/// The processor's clock, Hz: the chip's internal 16 MHz oscillator / 4 × 85 / 2.
const FREQUENCY: u32 = 170_000_000;
const PLL: PllConfig =
    PllConfig { mux: PllSrc::HSI, m: PllMDiv::DIV_4, n: PllNMul::MUL_85, r: Some(PllRDiv::DIV_2), q: None, p: None };
/// The motors' torque at full duty, N m.
const FULL_EFFORT: f32 = 2.0;
/// Four counts for each of the 1024 lines of an encoder.
const COUNTS_PER_TURN: u32 = 4 * 1_024;
/// The PWM frequency of the bridges in Hz, above the audible range.
const PWM_FREQUENCY: u32 = 20_000;
/// The timers' mode (SMS) that counts both edges of both tracks.
const ENCODER_MODE_3: u8 = 0b011;

type Channel<C> = Pwm<TIM1, C, ComplementaryDisabled, ActiveHigh, ActiveHigh>;
type Encoders = (Scaled<Tim2, f32, 32>, Scaled<Tim3, f32, 16>);
type Motors = (
    PwmMotor<Channel<C1>, PB10<Output<PushPull>>, PB4<Output<PushPull>>, f32>,
    PwmMotor<Channel<C2>, PB5<Output<PushPull>>, PA10<Output<PushPull>>, f32>,
);

/// The linkage, its two axes and the board's blue button.
type Program = Bench<five_bar::Control, Wired<Encoders, Motors>, Button<PC13<Input>>>;

/// The chip's watchdog. It resets the chip if it is not fed for 25 ms.
struct Watchdog(IndependentWatchdog);

impl taut::supervise::Watchdog for Watchdog {
    fn feed(&mut self) {
        self.0.feed();
    }
}

runtime::on_systick!(Program, Watchdog, 32, set_up);

/// Sets up the devices and the loop.
fn set_up() -> Result<Setup<SysTick, Program, Watchdog>, &'static str> {
    let (device, mut core) =
        Peripherals::take().zip(cortex_m::Peripherals::take()).ok_or("the peripherals are taken")?;
    let power = device.PWR.constrain().vos(VoltageScale::Range1 { enable_boost: true }).freeze();
    let rcc = &mut device.RCC.freeze(Config::pll().pll_cfg(PLL), power);
    let (a, b, c) = (device.GPIOA.split(rcc), device.GPIOB.split(rcc), device.GPIOC.split(rcc));
    let (first, second) = (device.TIM2, device.TIM3);
    let duties: (PA8<AF6>, PA9<AF6>) = (a.pa8.into_alternate(), a.pa9.into_alternate());
    let (mut duty, mut other_duty) = device.TIM1.pwm(duties, PWM_FREQUENCY.Hz(), rcc);
    duty.enable();
    other_duty.enable();
    let _: (PA0<AF1>, PA1<AF1>) = (a.pa0.into_alternate(), a.pa1.into_alternate());
    let _: (PC6<AF2>, PC7<AF2>) = (c.pc6.into_alternate(), c.pc7.into_alternate());
    TIM2::enable(rcc);
    TIM2::reset(rcc);
    // SAFETY: a mode of the reference manual.
    first.smcr().write(|w| unsafe { w.sms().bits(ENCODER_MODE_3) });
    // SAFETY: the largest reload of 32 bits, so that the counter wraps.
    first.arr().write(|w| unsafe { w.bits(u32::MAX) });
    first.cr1().write(|w| w.cen().set_bit());
    TIM3::enable(rcc);
    TIM3::reset(rcc);
    // SAFETY: a mode of the reference manual.
    second.smcr().write(|w| unsafe { w.sms().bits(ENCODER_MODE_3) });
    // SAFETY: the largest reload of 16 bits.
    second.arr().write(|w| unsafe { w.bits(u16::MAX.into()) });
    second.cr1().write(|w| w.cen().set_bit());

    let scale = Scale::counts_per_turn(COUNTS_PER_TURN).or_say("the encoders have no scale")?;
    let (forward, enable) = (b.pb10.into_push_pull_output(), b.pb4.into_push_pull_output());
    let (other_forward, other_enable) = (b.pb5.into_push_pull_output(), a.pa10.into_push_pull_output());
    let motors = (
        PwmMotor::new(duty, forward, enable, FULL_EFFORT).or_say("the first motor cannot be wired")?,
        PwmMotor::new(other_duty, other_forward, other_enable, FULL_EFFORT)
            .or_say("the second motor cannot be wired")?,
    );
    let encoders = (Tim2(first).scaled(scale), Tim3(second).scaled(scale));

    let control = five_bar::control(FREQUENCY / five_bar::RATE).or_say("the loop cannot be made")?;
    let button = Button::new(c.pc13.into_floating_input(), PinState::High);
    let mut watchdog = IndependentWatchdog::new(device.IWDG);
    watchdog.start(25.millis());
    let beat = SysTick::start(core.SYST, &mut core.SCB, FREQUENCY, five_bar::RATE)?;
    let program = Bench::new(control, Wired::new(encoders, motors), button);
    Ok(Setup { beat, program, watchdog: Watchdog(watchdog), run: Run::endless(100) })
}

/// A timer that counts the edges of an encoder.
struct Tim2(TIM2);

impl Counter<32> for Tim2 {
    type Error = Infallible;

    fn count(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.cnt().read().bits())
    }
}

/// A timer of 16 bits that counts the edges of an encoder.
struct Tim3(TIM3);

impl Counter<16> for Tim3 {
    type Error = Infallible;

    fn count(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.cnt().read().cnt().bits().into())
    }
}

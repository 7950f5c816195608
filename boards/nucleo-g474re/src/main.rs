//! A five-bar linkage at 1 kHz. SysTick triggers the interrupt that runs the loop, and the main program logs its samples. Compiled and
//! linked by the tests, not yet run on hardware.
//!
//! Two motors on TIM1, two incremental encoders on TIM2 and TIM3, a button and a stop contact. The README lists the pins.

#![no_std]
#![no_main]

use core::convert::Infallible;

use loops::five_bar;
use runtime::systick::SysTick;
use runtime::{Bench, Button, OrSay, Panel, PinState, ResetCause, Run, Setup, StopContact};
use stm32g4xx_hal::gpio::{
    AF1, AF2, AF6, Input, Output, PA0, PA1, PA4, PA8, PA9, PA10, PB4, PB5, PB10, PC6, PC7, PC13, PushPull,
};
use stm32g4xx_hal::prelude::*;
use stm32g4xx_hal::pwm::{ActiveHigh, C1, C2, ComplementaryDisabled, Pwm};
use stm32g4xx_hal::pwr::{PwrExt, VoltageScale};
use stm32g4xx_hal::rcc::{Config, Enable, PllConfig, PllMDiv, PllNMul, PllRDiv, PllSrc, Reset};
use stm32g4xx_hal::stm32::{GPIOA, GPIOB, IWDG, Peripherals, RCC, TIM1, TIM2, TIM3};
use stm32g4xx_hal::time::RateExtU32;
use taut::device::{Counter, PwmMotor, Scale, Scaled, Wired};

/// The processor's clock, Hz: the chip's internal 16 MHz oscillator / 4 × 85 / 2.
const FREQUENCY: u32 = 170_000_000;
const PLL: PllConfig =
    PllConfig { mux: PllSrc::HSI, m: PllMDiv::DIV_4, n: PllNMul::MUL_85, r: Some(PllRDiv::DIV_2), q: None, p: None };
/// The motors' torque at full duty, N m.
const FULL_EFFORT: f32 = 2.0;
/// The furthest that an encoder moves in a tick, rad.
const LARGEST_STEP: f32 = 0.1;
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

/// The linkage, its two axes, the board's blue button and a stop contact.
type Program = Bench<five_bar::Control, Wired<Encoders, Motors>, Panel<Button<PC13<Input>>, PA4<Input>>>;

/// The chip's watchdog, with an oscillator of its own of 32 kHz, divided by four. It resets the chip if it is not fed for 200 counts, 25 ms,
/// and if it is fed again within three counts, 0.23 to 0.41 ms with the tolerance of the oscillator: a loop that runs too fast, also if
/// the processor's clock is the reason. Ticks in time are 0.5 ms apart or more.
struct Watchdog(IWDG);

/// The counter of the watchdog after it is fed, and the largest at which it may be fed.
const FULL: u16 = 200;
const WINDOW: u16 = FULL - 3;

impl Watchdog {
    /// The order of RM0440, IWDG. To write the window also feeds it.
    fn start(watchdog: IWDG) -> Self {
        watchdog.kr().write(|w| w.key().start());
        watchdog.kr().write(|w| w.key().unlock());
        watchdog.pr().write(|w| w.pr().divide_by4());
        // SAFETY: a counter of twelve bits.
        watchdog.rlr().write(|w| unsafe { w.rl().bits(FULL) });
        while watchdog.sr().read().bits() != 0 {}
        // SAFETY: a counter of twelve bits.
        watchdog.winr().write(|w| unsafe { w.win().bits(WINDOW) });
        Self(watchdog)
    }
}

impl taut::supervise::Watchdog for Watchdog {
    fn feed(&mut self) {
        self.0.kr().write(|w| w.key().feed());
    }
}

runtime::on_systick!(Program, Watchdog, 32, set_up, switch_off);

/// Why the chip started (RM0440, RCC_CSR), and clears it.
fn reset_cause(rcc: &RCC) -> ResetCause {
    // A brown-out and power-on share a bit.
    const CAUSES: [(u32, ResetCause); 5] = [
        (0b11 << 29, ResetCause::Watchdog),
        (1 << 28 | 1 << 25, ResetCause::Software),
        (1 << 31, ResetCause::WakeUp),
        (1 << 27, ResetCause::PowerOn),
        (1 << 26, ResetCause::Pin),
    ];
    let register = rcc.csr().read().bits();
    rcc.csr().modify(|_, w| w.rmvf().set_bit());
    ResetCause::of(register, &CAUSES)
}

/// Switches both bridges off: their enable pins PB4 and PA10 low, then the outputs of TIM1 off.
fn switch_off() {
    // SAFETY: the program does not go on, so nothing else uses the pins and the timer.
    let (a, b, pulses) = unsafe { (&*GPIOA::ptr(), &*GPIOB::ptr(), &*TIM1::ptr()) };
    // SAFETY: resets a pin.
    b.bsrr().write(|w| unsafe { w.bits(1 << 4 << 16) });
    // SAFETY: resets a pin.
    a.bsrr().write(|w| unsafe { w.bits(1 << 10 << 16) });
    pulses.bdtr().modify(|_, w| w.moe().clear_bit());
}

/// The cranks stand along the line between them.
fn reference(machine: &mut Wired<Encoders, Motors>) {
    // A counter that has not been read yet stays without a reference, and the loop refuses to run.
    let _ = machine.encoders.0.position_here(0.0);
    let _ = machine.encoders.1.position_here(0.0);
}

/// Sets up the devices and the loop.
fn set_up() -> Result<Setup<SysTick, Program, Watchdog>, &'static str> {
    let (device, mut core) =
        Peripherals::take().zip(cortex_m::Peripherals::take()).ok_or("the peripherals are taken")?;
    reset_cause(&device.RCC).log();
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
    let encoders = (
        Tim2(first).incremental(scale, LARGEST_STEP).or_say("the first encoder has no limit")?,
        Tim3(second).incremental(scale, LARGEST_STEP).or_say("the second encoder has no limit")?,
    );

    let control = five_bar::control(FREQUENCY / five_bar::RATE).or_say("the loop cannot be made")?;
    let button = Button::new(c.pc13.into_floating_input(), PinState::High, five_bar::RATE);
    let stop = StopContact::new(a.pa4.into_pull_up_input(), PinState::Low, five_bar::RATE);
    let beat = SysTick::start(core.SYST, &mut core.SCB, FREQUENCY, five_bar::RATE)?;
    let program = Bench::new(control, Wired::new(encoders, motors), Panel::new(button, stop)).with_reference(reference);
    Ok(Setup { beat, program, watchdog: Watchdog::start(device.IWDG), run: Run::endless(100) })
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

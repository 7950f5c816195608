//! Two motors on TIM1, two incremental encoders on TIM2 and TIM3. The pins' places on the headers are in the README.

use core::convert::Infallible;

use runtime::axes::{Axes, Axis};
use stm32g4xx_hal::gpio::{
    AF1, AF2, AF6, Input, Output, PA0, PA1, PA8, PA9, PA10, PB4, PB5, PB10, PC6, PC7, PC13, PushPull,
};
use stm32g4xx_hal::prelude::*;
use stm32g4xx_hal::pwm::{ActiveHigh, C1, C2, ComplementaryDisabled, Pwm};
use stm32g4xx_hal::rcc::{Enable, Rcc, Reset};
use stm32g4xx_hal::stm32::{GPIOA, GPIOB, GPIOC, TIM1, TIM2, TIM3};
use stm32g4xx_hal::time::RateExtU32;
use taut::control::device::{Counter, PwmMotor, Quadrature, Scale, SetupError};

/// The motors' torque at full duty, N m.
const FULL_EFFORT: f32 = 2.0;
/// Four counts for each of the 1024 lines of an encoder.
const COUNTS_PER_TURN: u32 = 4 * 1_024;
/// The frequency of the bridges' duty, Hz: above what one hears.
const PWM_FREQUENCY: u32 = 20_000;
/// The timers' mode (SMS) that counts both edges of both tracks.
const ENCODER_MODE_3: u8 = 0b011;

type Channel<C> = Pwm<TIM1, C, ComplementaryDisabled, ActiveHigh, ActiveHigh>;
type First = Axis<Quadrature<Tim2, f32, 32>, PwmMotor<Channel<C1>, PB10<Output<PushPull>>, PB4<Output<PushPull>>, f32>>;
type Second =
    Axis<Quadrature<Tim3, f32, 16>, PwmMotor<Channel<C2>, PB5<Output<PushPull>>, PA10<Output<PushPull>>, f32>>;

/// The linkage's two axes.
pub type Machine = Axes<First, Second>;

/// Wires them; what comes with them is the board's blue button.
pub fn wire(
    (gpioa, gpiob, gpioc): (GPIOA, GPIOB, GPIOC),
    (motors, first, second): (TIM1, TIM2, TIM3),
    rcc: &mut Rcc,
) -> Result<(Machine, PC13<Input>), SetupError<f32>> {
    let (a, b, c) = (gpioa.split(rcc), gpiob.split(rcc), gpioc.split(rcc));
    let duties: (PA8<AF6>, PA9<AF6>) = (a.pa8.into_alternate(), a.pa9.into_alternate());
    let (mut duty, mut other_duty) = motors.pwm(duties, PWM_FREQUENCY.Hz(), rcc);
    duty.enable();
    other_duty.enable();
    let _: (PA0<AF1>, PA1<AF1>) = (a.pa0.into_alternate(), a.pa1.into_alternate());
    let _: (PC6<AF2>, PC7<AF2>) = (c.pc6.into_alternate(), c.pc7.into_alternate());
    TIM2::enable(rcc);
    TIM2::reset(rcc);
    // SAFETY: a mode of the reference manual.
    first.smcr().write(|w| unsafe { w.sms().bits(ENCODER_MODE_3) });
    // SAFETY: the largest reload of 32 bits, so that the counter turns over.
    first.arr().write(|w| unsafe { w.bits(u32::MAX) });
    first.cr1().write(|w| w.cen().set_bit());
    TIM3::enable(rcc);
    TIM3::reset(rcc);
    // SAFETY: a mode of the reference manual.
    second.smcr().write(|w| unsafe { w.sms().bits(ENCODER_MODE_3) });
    // SAFETY: the largest reload of 16 bits.
    second.arr().write(|w| unsafe { w.bits(u16::MAX.into()) });
    second.cr1().write(|w| w.cen().set_bit());

    let scale = Scale::counts_per_turn(COUNTS_PER_TURN)?;
    let (forward, enable) = (b.pb10.into_push_pull_output(), b.pb4.into_push_pull_output());
    let (other_forward, other_enable) = (b.pb5.into_push_pull_output(), a.pa10.into_push_pull_output());
    let motor = PwmMotor::new(duty, forward, enable, FULL_EFFORT)?;
    let other_motor = PwmMotor::new(other_duty, other_forward, other_enable, FULL_EFFORT)?;
    let axes = Axes(
        Axis { encoder: Quadrature::new(Tim2(first), scale), motor },
        Axis { encoder: Quadrature::new(Tim3(second), scale), motor: other_motor },
    );
    Ok((axes, c.pc13.into_floating_input()))
}

/// A timer that counts the edges of an encoder.
pub struct Tim2(TIM2);

impl Counter<32> for Tim2 {
    type Error = Infallible;

    fn count(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.cnt().read().bits())
    }
}

/// A timer of 16 bits that counts the edges of an encoder.
pub struct Tim3(TIM3);

impl Counter<16> for Tim3 {
    type Error = Infallible;

    fn count(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.cnt().read().cnt().bits().into())
    }
}

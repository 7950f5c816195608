//! A five-bar linkage at 1 kHz. SysTick triggers the interrupt that runs the loop, and the main program logs its samples. Compiled and
//! linked by the tests, not yet run on hardware.
//!
//! Two motors on PWM slices 0 and 1, two AS5600, each on its own bus because all have the same address, two buttons and a stop contact. The
//! README lists the pins.

#![no_std]
#![no_main]

use loops::five_bar;
use rp235x_hal::block::ImageDef;
use rp235x_hal::clocks::init_clocks_and_plls;
use rp235x_hal::fugit::{ExtU32, RateExtU32};
use rp235x_hal::gpio::bank0::{Gpio4, Gpio5, Gpio6, Gpio7, Gpio17, Gpio19, Gpio20, Gpio21, Gpio22, Gpio26, Gpio27};
use rp235x_hal::gpio::{FunctionI2C, FunctionSioInput, FunctionSioOutput, Pin, Pins, PullDown, PullUp};
use rp235x_hal::i2c::I2C;
use rp235x_hal::pac::{I2C0, I2C1, POWMAN, PWM, Peripherals, SIO};
use rp235x_hal::pwm::{A, Channel, FreeRunning, Pwm0, Pwm1, Slice, SliceId, Slices};
use rp235x_hal::{Clock, Sio, watchdog};
use runtime::systick::SysTick;
use runtime::{Bench, Button, OrSay, Panel, PinState, ResetCause, Run, Setup, StopContact};
use taut::device::{As5600, Counter, PwmMotor, Scale, Scaled, Wired};

/// The board's crystal, Hz.
const CRYSTAL: u32 = 12_000_000;
/// The processor's clock, Hz, which the HAL derives from the crystal.
const FREQUENCY: u32 = 150_000_000;
/// The motors' torque at full duty, N m.
const FULL_EFFORT: f32 = 2.0;
/// The furthest that an encoder moves in a tick, rad.
const LARGEST_STEP: f32 = 0.1;
/// The processor cycles of a PWM period of the bridges: 20 kHz at 150 MHz, above the audible range.
const PWM_PERIOD: u16 = 7_500;

type Bus<Unit, Data, Clock> = I2C<Unit, (Pin<Data, FunctionI2C, PullUp>, Pin<Clock, FunctionI2C, PullUp>)>;
type OutputPin<Id> = Pin<Id, FunctionSioOutput, PullDown>;
type Motor<Id, Direction, Enable> =
    PwmMotor<Channel<Slice<Id, FreeRunning>, A>, OutputPin<Direction>, OutputPin<Enable>, f32>;
type Encoder<Bus> = Scaled<As5600<Bus>, f32, 12>;
type Encoders = (Encoder<Bus<I2C0, Gpio4, Gpio5>>, Encoder<Bus<I2C1, Gpio6, Gpio7>>);
type Motors = (Motor<Pwm0, Gpio17, Gpio20>, Motor<Pwm1, Gpio19, Gpio21>);

/// A button or a contact between a pin and ground.
type InputPin<Id> = Pin<Id, FunctionSioInput, PullUp>;
type Buttons = (Button<InputPin<Gpio22>>, Button<InputPin<Gpio26>>);

/// The linkage, its two axes, two buttons and a stop contact.
type Program = Bench<five_bar::Control, Wired<Encoders, Motors>, Panel<Buttons, InputPin<Gpio27>>>;

/// The chip's watchdog. It resets the chip if it is not fed for 25 ms. It has no window.
struct Watchdog(watchdog::Watchdog);

impl taut::supervise::Watchdog for Watchdog {
    fn feed(&mut self) {
        self.0.feed();
    }
}

runtime::on_systick!(Program, Watchdog, 32, set_up, switch_off, rp235x_hal::entry);

/// Why the chip started (RP2350 data sheet, POWMAN: CHIP_RESET). The next reset overwrites it, so there is nothing to clear.
fn reset_cause(power: &POWMAN) -> ResetCause {
    const CAUSES: [(u32, ResetCause); 6] = [
        (1 << 28 | 0b111 << 22, ResetCause::Watchdog),
        (1 << 27 | 1 << 21 | 1 << 19, ResetCause::Debugger),
        (1 << 25, ResetCause::WakeUp),
        (1 << 26 | 1 << 17, ResetCause::BrownOut),
        (1 << 18, ResetCause::Pin),
        (1 << 16, ResetCause::PowerOn),
    ];
    ResetCause::of(power.chip_reset().read().bits(), &CAUSES)
}

/// Switches both bridges off: their enable pins GPIO20 and GPIO21 low, then all PWM slices off.
fn switch_off() {
    // SAFETY: the program does not go on, so nothing else uses the pins and the PWM unit.
    let (pins, pulses) = unsafe { (&*SIO::ptr(), &*PWM::ptr()) };
    // SAFETY: resets two pins.
    pins.gpio_out_clr().write(|w| unsafe { w.bits(1 << 20 | 1 << 21) });
    pulses.en().reset();
}

/// The image definition for the boot ROM.
#[unsafe(link_section = ".start_block")]
#[used]
static IMAGE: ImageDef = ImageDef::secure_exe();

/// Sets up the devices and the loop.
fn set_up() -> Result<Setup<SysTick, Program, Watchdog>, &'static str> {
    let (mut device, mut core) =
        Peripherals::take().zip(cortex_m::Peripherals::take()).ok_or("the peripherals are taken")?;
    reset_cause(&device.POWMAN).log();
    let resets = &mut device.RESETS;
    let mut watchdog = watchdog::Watchdog::new(device.WATCHDOG);
    let plls = (device.PLL_SYS, device.PLL_USB);
    let clocks = init_clocks_and_plls(CRYSTAL, device.XOSC, device.CLOCKS, plls.0, plls.1, resets, &mut watchdog)
        .map_err(|_| "the crystal does not swing")?;
    let clock = clocks.system_clock.freq();
    let pins = Pins::new(device.IO_BANK0, device.PADS_BANK0, Sio::new(device.SIO).gpio_bank0, resets);
    let Slices { pwm0, pwm1, .. } = Slices::new(device.PWM, resets);
    let (mut duty, mut other_duty) = (pulses(pwm0), pulses(pwm1));
    duty.output_to(pins.gpio16);
    other_duty.output_to(pins.gpio18);
    let motors = (
        PwmMotor::new(duty, pins.gpio17.reconfigure(), pins.gpio20.reconfigure(), FULL_EFFORT)
            .or_say("the first motor cannot be wired")?,
        PwmMotor::new(other_duty, pins.gpio19.reconfigure(), pins.gpio21.reconfigure(), FULL_EFFORT)
            .or_say("the second motor cannot be wired")?,
    );
    let bus = I2C::i2c0(device.I2C0, pins.gpio4.reconfigure(), pins.gpio5.reconfigure(), 1.MHz(), resets, clock);
    let other_bus = I2C::i2c1(device.I2C1, pins.gpio6.reconfigure(), pins.gpio7.reconfigure(), 1.MHz(), resets, clock);
    let encoders = (
        As5600::new(bus).scaled(Scale::turn(12_u8), LARGEST_STEP).or_say("the first encoder has no limit")?,
        As5600::new(other_bus).scaled(Scale::turn(12_u8), LARGEST_STEP).or_say("the second encoder has no limit")?,
    );

    let control = five_bar::control(FREQUENCY / five_bar::RATE).or_say("the loop cannot be made")?;
    let rate = five_bar::RATE;
    let run = Button::new(pins.gpio22.reconfigure(), PinState::Low, rate);
    let reset = Button::new(pins.gpio26.reconfigure(), PinState::Low, rate);
    let stop = StopContact::new(pins.gpio27.reconfigure(), PinState::Low, rate);
    watchdog.start(25.millis());
    let beat = SysTick::start(core.SYST, &mut core.SCB, FREQUENCY, five_bar::RATE)?;
    let program = Bench::new(control, Wired::new(encoders, motors), Panel::new((run, reset), stop));
    Ok(Setup { beat, program, watchdog: Watchdog(watchdog), run: Run::endless(100) })
}

/// Starts a PWM slice with a duty of zero.
fn pulses<Id: SliceId>(mut slice: Slice<Id, FreeRunning>) -> Channel<Slice<Id, FreeRunning>, A> {
    slice.default_config();
    slice.set_top(PWM_PERIOD - 1);
    slice.enable();
    slice.channel_a
}

//! A five-bar linkage at 1 kHz. SysTick triggers the interrupt that runs the loop, and the main program logs its samples. Compiled and
//! linked by the tests, not yet run on hardware.
//!
//! Two motors on PWM0, two AS5048 on SPIM2 and SPIM3, two buttons and a stop contact. The README lists the pins.

#![no_std]
#![no_main]

use core::convert::Infallible;

use embedded_hal::pwm::{ErrorType, SetDutyCycle};
use loops::five_bar;
use nrf52840_hal::Clocks;
use nrf52840_hal::gpio::{Disconnected, Input, Level, Output, Pin, PullUp, PushPull, p0, p1};
use nrf52840_hal::pac::{P1, POWER, PWM0, Peripherals, SPIM2, SPIM3};
use nrf52840_hal::pwm::{Channel, Pwm};
use nrf52840_hal::spim::{Frequency, MODE_1, Pins, Spim};
use nrf52840_hal::time::U32Ext;
use nrf52840_hal::wdt::handles::Hdl0;
use nrf52840_hal::wdt::{self, WatchdogHandle, count};
use runtime::framed::Framed;
use runtime::systick::SysTick;
use runtime::{Bench, Button, Once, OrSay, Panel, PinState, ResetCause, Run, Setup, StopContact};
use taut::device::{As504x, Counter, PwmMotor, Scale, Scaled, Wired};

/// The processor's clock, Hz.
const FREQUENCY: u32 = 64_000_000;
/// The motors' torque at full duty, N m.
const FULL_EFFORT: f32 = 2.0;
/// The furthest that an encoder moves in a tick, rad.
const LARGEST_STEP: f32 = 0.1;
/// The time in ns for which a chip-select must be low before a frame and high between two (ams, AS5048A data sheet, SPI timing).
const SETTLING: u32 = 350;
/// The PWM frequency of the bridges in Hz, above the audible range.
const PWM_FREQUENCY: u32 = 20_000;

/// The watchdog resets the chip if it is not fed for this many cycles of its 32,768 Hz clock: 25 ms.
const STARVED: u32 = 819;

type OutputPin = Pin<Output<PushPull>>;
type Encoder<Bus> = Scaled<As504x<Framed<Spim<Bus>, OutputPin>>, f32, 14>;
type Motor = PwmMotor<Duty, OutputPin, OutputPin, f32>;

type InputPin = Pin<Input<PullUp>>;
type Machine = Wired<(Encoder<SPIM2>, Encoder<SPIM3>), (Motor, Motor)>;

/// The linkage, its two axes, the board's first two buttons and a stop contact.
type Program = Bench<five_bar::Control, Machine, Panel<(Button<InputPin>, Button<InputPin>), InputPin>>;

/// The chip's watchdog, which has an oscillator of its own but no window.
struct Watchdog(WatchdogHandle<Hdl0>);

impl taut::supervise::Watchdog for Watchdog {
    fn feed(&mut self) {
        self.0.pet();
    }
}

/// The PWM unit of both motors.
static PULSES: Once<Pwm<PWM0>> = Once::new();

/// The PWM channel of a motor.
struct Duty(&'static Pwm<PWM0>, Channel);

// SAFETY: both motors move to the interrupt together, and nothing else uses their PWM unit.
unsafe impl Send for Duty {}

impl ErrorType for Duty {
    type Error = Infallible;
}

impl SetDutyCycle for Duty {
    fn max_duty_cycle(&self) -> u16 {
        self.0.max_duty()
    }

    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), Infallible> {
        self.0.set_duty_on(self.1, duty);
        Ok(())
    }
}

runtime::on_systick!(Program, Watchdog, 32, set_up, switch_off);

/// Why the chip started (nRF52840 Product Specification, RESETREAS). No bit is set after power-on and brown-out. A one clears a bit.
fn reset_cause(power: &POWER) -> ResetCause {
    const CAUSES: [(u32, ResetCause); 5] = [
        (1 << 1, ResetCause::Watchdog),
        (1 << 3, ResetCause::Lockup),
        (1 << 2, ResetCause::Software),
        (0b1_1011 << 16, ResetCause::WakeUp),
        (1 << 0, ResetCause::Pin),
    ];
    let register = power.resetreas.read().bits();
    // SAFETY: clears the bits.
    power.resetreas.write(|w| unsafe { w.bits(register) });
    match register {
        0 => ResetCause::PowerOn,
        _ if register & 1 << 18 != 0 => ResetCause::Debugger,
        _ => ResetCause::of(register, &CAUSES),
    }
}

/// Switches both bridges off: their enable pins P1.05 and P1.06 low, then the PWM unit off, which leaves its pins low.
fn switch_off() {
    // SAFETY: the program does not go on, so nothing else uses the pins and the PWM unit.
    let (pins, pulses) = unsafe { (&*P1::ptr(), &*PWM0::ptr()) };
    // SAFETY: resets two pins.
    pins.outclr.write(|w| unsafe { w.bits(1 << 5 | 1 << 6) });
    pulses.enable.write(|w| w.enable().disabled());
}

/// Sets up the devices and the loop.
fn set_up() -> Result<Setup<SysTick, Program, Watchdog>, &'static str> {
    let (device, mut core) =
        Peripherals::take().zip(cortex_m::Peripherals::take()).ok_or("the peripherals are taken")?;
    reset_cause(&device.POWER).log();
    Clocks::new(device.CLOCK).enable_ext_hfosc();
    let (p0, p1) = (p0::Parts::new(device.P0), p1::Parts::new(device.P1));
    let pulses: &'static _ = PULSES.fill(Pwm::new(device.PWM0)).ok_or("the pulses are taken")?;
    pulses.set_period(PWM_FREQUENCY.hz());
    pulses.set_output_pin(Channel::C0, p1.p1_01.into_push_pull_output(Level::Low).degrade());
    pulses.set_output_pin(Channel::C1, p1.p1_02.into_push_pull_output(Level::Low).degrade());
    let low = |pin: Pin<Disconnected>| pin.into_push_pull_output(Level::Low);
    let motor = |channel, direction, enable| {
        PwmMotor::new(Duty(pulses, channel), low(direction), low(enable), FULL_EFFORT).or_say("a motor cannot be wired")
    };
    let motors = (
        motor(Channel::C0, p1.p1_03.degrade(), p1.p1_05.degrade())?,
        motor(Channel::C1, p1.p1_04.degrade(), p1.p1_06.degrade())?,
    );

    let pins = Pins {
        sck: Some(p1.p1_15.into_push_pull_output(Level::Low).degrade()),
        mosi: Some(p1.p1_13.into_push_pull_output(Level::Low).degrade()),
        miso: Some(p1.p1_14.into_floating_input().degrade()),
    };
    let bus = Spim::new(device.SPIM2, pins, Frequency::M8, MODE_1, 0);
    let select = p1.p1_12.into_push_pull_output(Level::High).degrade();
    let encoder = As504x::as5048(Framed::new(bus, select, SETTLING, FREQUENCY))
        .scaled(Scale::turn(14_u8), LARGEST_STEP)
        .or_say("the first encoder has no limit")?;

    let pins = Pins {
        sck: Some(p0.p0_03.into_push_pull_output(Level::Low).degrade()),
        mosi: Some(p0.p0_04.into_push_pull_output(Level::Low).degrade()),
        miso: Some(p0.p0_28.into_floating_input().degrade()),
    };
    let bus = Spim::new(device.SPIM3, pins, Frequency::M8, MODE_1, 0);
    let select = p0.p0_29.into_push_pull_output(Level::High).degrade();
    let other_encoder = As504x::as5048(Framed::new(bus, select, SETTLING, FREQUENCY))
        .scaled(Scale::turn(14_u8), LARGEST_STEP)
        .or_say("the second encoder has no limit")?;

    let control = five_bar::control(FREQUENCY / five_bar::RATE).or_say("the loop cannot be made")?;
    let button = |pin: Pin<Disconnected>| Button::new(pin.into_pullup_input(), PinState::Low, five_bar::RATE);
    let buttons = (button(p0.p0_11.degrade()), button(p0.p0_12.degrade()));
    let stop = StopContact::new(p1.p1_08.into_pullup_input().degrade(), PinState::Low, five_bar::RATE);
    let mut watchdog = wdt::Watchdog::try_new(device.WDT).map_err(|_| "the watchdog runs already")?;
    watchdog.set_lfosc_ticks(STARVED);
    let watchdog = Watchdog(watchdog.activate::<count::One>().handles.0);
    let beat = SysTick::start(core.SYST, &mut core.SCB, FREQUENCY, five_bar::RATE)?;
    let program = Bench::new(control, Wired::new((encoder, other_encoder), motors), Panel::new(buttons, stop));
    Ok(Setup { beat, program, watchdog, run: Run::endless(100) })
}

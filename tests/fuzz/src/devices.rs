//! Encoders and motors on buses and pins that fail and lie.

use core::cell::{Cell, RefCell};

use embedded_hal::digital::{self, OutputPin};
use embedded_hal::i2c::{self, I2c};
use embedded_hal::pwm::{self, SetDutyCycle};
use embedded_hal::spi::{self, SpiDevice};
use taut::device::*;

use crate::bytes::Bytes;

/// A bus that answers with the bytes of the input. One in sixteen transfers fails, three in four have a good parity.
struct Bus<'a>(RefCell<Bytes<'a>>);

impl Bus<'_> {
    fn answer<E>(&self, bytes: &mut [u8], failure: E) -> Result<(), E> {
        let mut source = self.0.borrow_mut();
        let kind = source.byte();
        bytes.fill_with(|| source.byte());
        if let ([high, low], true) = (&mut *bytes, kind & 3 != 0) {
            [*high, *low] = with_parity(u16::from_be_bytes([*high, *low])).to_be_bytes();
        }
        if kind >> 4 == 15 { Err(failure) } else { Ok(()) }
    }
}

impl spi::ErrorType for &Bus<'_> {
    type Error = spi::ErrorKind;
}

impl SpiDevice for &Bus<'_> {
    fn transaction(&mut self, operations: &mut [spi::Operation<'_, u8>]) -> Result<(), spi::ErrorKind> {
        operations.iter_mut().try_for_each(|operation| match operation {
            spi::Operation::TransferInPlace(bytes) => self.answer(bytes, spi::ErrorKind::Overrun),
            _ => Ok(()),
        })
    }
}

impl i2c::ErrorType for &Bus<'_> {
    type Error = i2c::ErrorKind;
}

impl I2c for &Bus<'_> {
    fn transaction(&mut self, _: u8, operations: &mut [i2c::Operation<'_>]) -> Result<(), i2c::ErrorKind> {
        operations.iter_mut().try_for_each(|operation| match operation {
            i2c::Operation::Read(bytes) => self.answer(bytes, i2c::ErrorKind::Bus),
            i2c::Operation::Write(_) => Ok(()),
        })
    }
}

/// Reads until the input ends. After the first two readings agree, a reading is within the limit of the last good one, which grows with the
/// reads since, and an error leaves it.
fn readings<C: Counter<BITS> + Clone, const BITS: u32>(
    bus: &Bus<'_>,
    counter: C,
    scale: Scale<f64>,
    limit: f64,
) -> u64 {
    let Ok(mut encoder) = counter.scaled(scale, limit) else { return 1 };
    // Half a count, because the limit is rounded to whole counts.
    let limit = limit * 1.000_001 + 0.5 * (scale.value(1) - scale.value(0)).abs();
    let (mut calls, mut reads, mut agree) = (0, 1.0, false);
    while bus.0.borrow().more() && calls < 64 {
        let before = encoder.last_good();
        match encoder.read() {
            Err(_) => {
                assert!(!agree || encoder.last_good() == before);
                reads += 1.0;
            }
            Ok(reading) => {
                assert_eq!(encoder.last_good(), Some(reading));
                let moved = (reading - before.unwrap_or(reading)).abs();
                assert!(!agree || moved <= limit * reads, "{before:?} to {reading}");
                // Only then a position can be set.
                agree = encoder.clone().position_here(0.0).is_ok();
                reads = 1.0;
            }
        }
        calls += 1;
    }
    calls
}

pub fn encoders(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let (kind, unit) = (bytes.byte() % 5, bytes.number::<f64>(1e-3));
    let bus = Bus(RefCell::new(bytes));
    match kind {
        0 => readings(&bus, As504x::as5047(&bus), Scale::turn(14), 1.5),
        1 => {
            let mut encoder = As504x::as5048(&bus).pipelined();
            let _ = encoder.magnet();
            readings(&bus, encoder, Scale::turn(14), 0.5)
        }
        2 => {
            let Ok(scale) = Scale::new(unit, 0) else { return 1 };
            readings(&bus, As5600::new(&bus), scale, unit.abs() * 1000.0)
        }
        3 => {
            let Some(unwrapped) = Unwrapped::<14>::new(bus.0.borrow_mut().bits(2) as u32) else { return 1 };
            let mut unwrapped = unwrapped.near(bus.0.borrow_mut().bits(8) as i64);
            for _ in 0..16 {
                let (before, count) = (unwrapped.total(), bus.0.borrow_mut().bits(4) as u32);
                let Ok(total) = unwrapped.update(count) else { continue };
                assert_eq!((total as u32 ^ count) & 0x3FFF, 0);
                assert!(before.is_none_or(|before| total.wrapping_sub(before).unsigned_abs() < 1 << 13));
            }
            16
        }
        _ => detectors(&mut bus.0.borrow_mut(), unit),
    }
}

/// A detector accepts only finite readings within its limit, which grows with the ticks since the last good one.
fn detectors(bytes: &mut Bytes<'_>, limit: f64) -> u64 {
    let (Ok(mut jump), Ok(mut stuck)) = (JumpDetector::new(limit), StuckDetector::new(limit * 0.25, limit)) else {
        return 2;
    };
    let (mut calls, mut last, mut ticks) = (2, None, 0.0);
    while bytes.more() && calls < 100 {
        let kind = bytes.byte() % 8;
        if kind == 6 {
            jump.miss();
        } else if kind == 7 {
            jump.restart();
            stuck.restart();
            last = None;
        }
        ticks += if kind == 6 { 2.0 } else { 1.0 };
        let reading = bytes.number(1.0);
        if jump.check(reading).is_ok() {
            let moved = (reading - last.unwrap_or(reading)).abs();
            assert!(moved <= limit * ticks * 1.000_001, "{last:?} to {reading}, limit {limit}");
            (last, ticks) = (Some(reading), 0.0);
        }
        let _ = stuck.check(reading, bytes.number(1.0));
        calls += 2;
    }
    calls
}

/// The duty and the pins of a motor; setting each may fail.
struct Stage<'a> {
    faults: RefCell<Bytes<'a>>,
    /// Duty, direction and enable.
    set: [Cell<u16>; 3],
    full: u16,
    /// Whether an operation has failed since the last call that succeeded.
    failed: Cell<bool>,
}

/// One of the three.
struct Part<'a>(&'a Stage<'a>, usize);

impl Part<'_> {
    fn set<E>(&self, value: u16, failure: E) -> Result<(), E> {
        let Self(stage, index) = *self;
        if stage.faults.borrow_mut().byte() >> 4 == 15 {
            stage.failed.set(true);
            return Err(failure);
        }
        stage.set[index].set(value);
        Ok(())
    }
}

impl digital::ErrorType for Part<'_> {
    type Error = digital::ErrorKind;
}

impl OutputPin for Part<'_> {
    fn set_low(&mut self) -> Result<(), digital::ErrorKind> {
        self.set(0, digital::ErrorKind::Other)
    }
    fn set_high(&mut self) -> Result<(), digital::ErrorKind> {
        self.set(1, digital::ErrorKind::Other)
    }
}

impl pwm::ErrorType for Part<'_> {
    type Error = pwm::ErrorKind;
}

impl SetDutyCycle for Part<'_> {
    fn max_duty_cycle(&self) -> u16 {
        self.0.full
    }
    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), pwm::ErrorKind> {
        assert!(duty <= self.0.full, "{duty} of {}", self.0.full);
        self.set(duty, pwm::ErrorKind::Other)
    }
}

/// A data sheet with any numbers.
fn dc_motor(bytes: &mut Bytes<'_>) -> DcMotor<f32> {
    let [torque_constant, resistance, supply, current_limit, gear_ratio, efficiency] =
        bytes.numbers([0.030, 0.60, 24.0, 4.0, 20.0, 0.8]);
    DcMotor { torque_constant, resistance, supply, current_limit, gear_ratio, efficiency }
}

/// A motor that is told anything: its duty is within the range, its sign that of the effort, and a failure switches it off.
pub fn motors(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let (full, full_effort) = (bytes.bits(2) as u16, bytes.number::<f32>(2.0));
    let (duty, width) = (bytes.number(0.1), bytes.number(0.02));
    let sheet = if bytes.byte() & 1 == 1 { Some(dc_motor(&mut bytes)) } else { None };
    let commands: [(u8, f32, f32); 24] =
        core::array::from_fn(|_| (bytes.byte(), bytes.number(1.0), sheet.map_or(0.0, |_| bytes.number(0.0))));
    let stage = Stage { faults: RefCell::new(bytes), set: [0; 3].map(Cell::new), full, failed: Cell::new(false) };
    let [pwm, direction, enable] = [0, 1, 2].map(|index| Part(&stage, index));
    let (motor, full_effort) = match sheet {
        Some(sheet) => (PwmMotor::dc(pwm, direction, enable, sheet), sheet.gear_ratio),
        None => (PwmMotor::new(pwm, direction, enable, full_effort), full_effort),
    };
    let Ok(mut motor) = motor else { return 1 };
    if let Ok(dead_band) = DeadBand::new(duty, width) {
        motor = motor.compensating(dead_band);
    }
    for (command, mut effort, speed) in commands {
        let mut is_possible = false;
        if let (Some(sheet), 2) = (sheet, command % 8) {
            // A little less than the most at this speed. Numbers far from those of any motor round or overflow.
            let most = sheet.largest_effort(speed);
            let DcMotor { torque_constant, resistance, supply, gear_ratio, efficiency, .. } = sheet;
            let stall = (torque_constant * gear_ratio * efficiency * supply / resistance).abs();
            let numbers = [torque_constant, resistance, supply, gear_ratio.abs(), efficiency, stall];
            is_possible = numbers.iter().all(|x| (1e-6..1e6).contains(x)) && most > 1e-3 * stall;
            effort = (0.999 * most).copysign(effort);
        }
        let result = match command % 8 {
            0 => motor.disable(),
            1 => motor.enable(),
            _ => motor.drive(effort, speed),
        };
        assert!(motor.duty().abs() <= 1.0, "{}", motor.duty());
        assert!(!is_possible || motor.clipped().is_none(), "{effort} at {speed}: {:?}", motor.clipped());
        let [duty, forward, enabled] = stage.set.each_ref().map(Cell::get);
        if result.is_err() {
            assert!(!motor.is_enabled() && motor.duty() == 0.0);
            // It is off, unless switching it off failed, too.
            assert!(stage.failed.get() || enabled == 0 && duty == 0);
        } else {
            stage.failed.set(false);
            assert_eq!(enabled == 1, motor.is_enabled());
            // With a speed, the back-EMF has its part in the sign.
            let same_sign = (forward == 1) == ((effort > 0.0) == (full_effort > 0.0));
            assert!(duty == 0 || same_sign || speed != 0.0, "{effort} of {full_effort}, duty {duty}");
        }
    }
    24
}

/// A channel that converts the next two bytes. One in sixteen conversions fails.
#[derive(Clone, Copy)]
struct Channel<'a>(&'a Bus<'a>);

impl Counter<32> for Channel<'_> {
    type Error = &'static str;

    fn count(&mut self) -> Result<u32, &'static str> {
        let mut source = self.0.0.borrow_mut();
        if source.byte() >> 4 == 15 { Err("converter") } else { Ok(source.bits(2) as u32) }
    }
}

/// An encoder with any readings, zero known or not.
#[derive(Clone, Copy)]
struct Told<'a> {
    bus: &'a Bus<'a>,
    last: f64,
    reads: u32,
    referenced: bool,
}

impl Encoder<f64> for Told<'_> {
    type Error = &'static str;

    fn read(&mut self) -> Result<f64, &'static str> {
        self.reads += 1;
        let mut source = self.bus.0.borrow_mut();
        if source.byte() >> 4 == 15 {
            return Err("told");
        }
        self.last = source.number(0.0);
        Ok(self.last)
    }
    fn is_referenced(&self) -> bool {
        self.referenced
    }
    fn lose_reference(&mut self) {
        self.referenced = false;
    }
}

/// A motor of a [`Wired`] whose calls fail by the input.
struct Counting<'a> {
    bus: &'a Bus<'a>,
    on: bool,
    drives: u32,
}

impl Counting<'_> {
    fn works(&self) -> Result<(), &'static str> {
        if self.bus.0.borrow_mut().byte() >> 4 == 15 { Err("motor") } else { Ok(()) }
    }
}

impl Motor<f64> for Counting<'_> {
    type Error = &'static str;

    fn drive(&mut self, _effort: f64, _speed: f64) -> Result<(), &'static str> {
        self.drives += 1;
        self.works()
    }
    fn enable(&mut self) -> Result<(), &'static str> {
        self.on = true;
        self.works()
    }
    fn disable(&mut self) -> Result<(), &'static str> {
        self.on = false;
        self.works()
    }
}

/// An analog input, a pair of encoders, and both wired as a machine with two motors.
pub fn wired(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let ([unit, limit], [lowest, highest]) = (bytes.numbers([1e-3, 10.0]), [bytes.bits(2), bytes.bits(2)]);
    let ([ratio, offset, apart], referenced) = (bytes.numbers([1.0, 0.0, 0.1]), bytes.byte() & 3 != 3);
    let kind = bytes.byte() & 3;
    let bus = Bus(RefCell::new(bytes));
    let Ok(scale) = Scale::new(unit, 0) else { return 1 };
    let slider = Analog::within(Channel(&bus), lowest as u32, (highest ^ 0xFFFF) as u32);
    if kind == 0 {
        return readings(&bus, slider, scale, limit);
    }
    let Ok(slider) = slider.scaled(scale, limit) else { return 1 };
    let told = Told { bus: &bus, last: 0.0, reads: 0, referenced: true };
    let Ok(joint) = Redundant::new(told, Told { referenced, ..told }, ratio, offset, apart) else { return 2 };
    let motor = || Counting { bus: &bus, on: false, drives: 0 };
    let (mut machine, mut calls) = (Wired::new((slider, joint), [motor(), motor()]), 0);
    while bus.0.borrow().more() && calls < 64 {
        let kind = bus.0.borrow_mut().byte() % 8;
        let both_off = |machine: &Wired<_, [Counting<'_>; 2]>| machine.motors.iter().all(|motor| !motor.on);
        match kind {
            0 => {
                machine.lose_reference();
                assert!(machine.unreferenced().is_some());
            }
            1 => match machine.enable() {
                Ok(()) => assert!(machine.motors.iter().all(|motor| motor.on)),
                Err(_) => assert!(both_off(&machine)),
            },
            2 => {
                let _ = machine.disable();
                assert!(both_off(&machine));
            }
            3 => {
                let drives = machine.motors.each_ref().map(|motor| motor.drives + 1);
                let _ = machine.drive(&[0.0, 1.0], &[0.0; 2]);
                assert_eq!(machine.motors.each_ref().map(|motor| motor.drives), drives);
            }
            _ => {
                let joint = &machine.encoders.1;
                let reads = [joint.first.reads + 1, joint.second.reads + 1];
                let result = machine.read();
                let (slider, joint) = &machine.encoders;
                // Each is read, even if another one fails.
                assert_eq!([joint.first.reads, joint.second.reads], reads);
                if let Ok([position, angle]) = result {
                    assert_eq!(Some(position), slider.last_good());
                    let counts = (position / unit).round();
                    assert!((lowest as f64 - 0.5..=(highest ^ 0xFFFF) as f64 + 0.5).contains(&counts), "{counts}");
                    let off = (joint.first.last - (ratio * joint.second.last + offset)).abs();
                    let agrees = angle == joint.first.last && off <= apart;
                    assert!(agrees || !joint.is_referenced(), "{angle}, off by {off:e}, limit {apart:e}");
                }
            }
        }
        calls += 1;
    }
    calls + 2
}

//! Calls everything that a loop calls on its devices, through buses and pins that are unknown to the compiler. It links only if none of
//! that can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use embedded_hal::{digital, i2c, pwm, spi};
#[cfg(target_os = "none")]
use panic_never as _;
use taut::device::{
    Analog, As504x, As5600, Counter, DcMotor, DeadBand, Encoder, JumpDetector, Machine, Motor, PwmMotor, Redundant,
    Scale, StuckDetector, Wired,
};
use taut::scalar::Float;

on_target::program!(every_device);

fn every_device() {
    reach::<f32>();
    reach::<f64>();
}

#[inline(never)]
fn reach<T: Float>() {
    let number = |number: f64| T::from_f64(black_box(number));
    let Ok(scale) = Scale::turn(black_box(14_u8)).times(number(0.5)) else { return };
    let scale = scale.zero_at(black_box(77));

    let limit = number(0.1);

    let Ok(mut as504x) = As504x::as5047(Port).scaled(scale, limit) else { return };
    watch(&mut as504x);
    let _ = black_box((as504x.counter.magnet(), as504x.last_good()));
    let _ = black_box(as504x.position_here(number(0.3)));
    let Ok(mut as5048) = As504x::as5048(Port).pipelined().scaled(scale, limit) else { return };
    watch(&mut as5048);
    let Ok(as5600) = As5600::new(Port).scaled(scale, limit) else { return };
    let Ok(mut timer) = Counter::<16>::incremental(Port, scale, limit) else { return };
    watch(&mut timer);
    let _ = black_box((timer.position_here(number(0.3)), timer.position_at(black_box(77), number(f64::NAN))));
    let Ok(mut wide) = Counter::<32>::scaled(Port, scale, limit) else { return };
    watch(&mut wide);
    let Ok(mut analog) = Analog::within(Port, black_box(100), black_box(4_000)).scaled(scale, limit) else { return };
    watch(&mut analog);
    let Ok(mut both) = Redundant::new(as5600, timer, number(0.5), number(0.1), limit) else { return };
    watch(&mut both);

    let data = DcMotor {
        torque_constant: number(0.03),
        resistance: number(0.6),
        supply: number(24.0),
        current_limit: number(4.0),
        gear_ratio: number(20.0),
        efficiency: number(0.8),
    };
    let (Ok(motor), Ok(plain), Ok(dead_band)) = (
        PwmMotor::dc(Port, Port, Port, data),
        PwmMotor::new(Port, Port, Port, data.largest_effort(number(10.0))),
        DeadBand::new(number(0.1), number(0.01)),
    ) else {
        return;
    };
    let mut wired = Wired { encoders: [both], motors: [motor.compensating(dead_band), plain] };
    let _ = black_box(Machine::<T, 1, 2>::unreferenced(&wired));
    Machine::<T, 1, 2>::lose_reference(&mut wired);
    let _ = black_box(wired.enable());
    let _ = black_box(Machine::read(&mut wired));
    let _ = black_box(wired.drive(&[number(0.5), number(f64::NAN)], &[number(3.0); 2]));
    let _ = black_box(wired.disable());
    let [motor, _] = &mut wired.motors;
    let _ = black_box((
        motor.enable(),
        motor.drive(number(1.0), number(2.0)),
        motor.duty(),
        motor.clipped(),
        motor.disable(),
    ));
}

/// Reads an encoder as a loop does.
#[inline(never)]
fn watch<T: Float, E: Encoder<T>>(encoder: &mut E) {
    let number = |number: f64| T::from_f64(black_box(number));
    let (Ok(jump), Ok(stuck)) = (JumpDetector::new(number(0.1)), StuckDetector::new(number(0.01), number(0.1))) else {
        return;
    };
    let Ok(jump) = jump.within(number(3.0)) else { return };
    let (mut jump, mut stuck) = (jump, stuck);
    for _ in 0..black_box(3) {
        if let Ok(reading) = encoder.read() {
            let _ = black_box((jump.check(reading).is_ok(), stuck.check(reading, number(0.2)).is_ok()));
        } else {
            jump.miss();
        }
    }
    let _ = black_box(encoder.is_referenced());
    encoder.lose_reference();
    jump.restart();
    stuck.restart();
}

/// Any bus, pin, timer or converter. The compiler knows neither its answers nor whether it fails.
#[derive(Clone)]
struct Port;

impl Port {
    #[inline(never)]
    fn outcome<E>(error: E) -> Result<(), E> {
        if black_box(false) { Err(error) } else { Ok(()) }
    }
}

impl spi::ErrorType for Port {
    type Error = spi::ErrorKind;
}

impl spi::SpiDevice for Port {
    fn transaction(&mut self, operations: &mut [spi::Operation<'_, u8>]) -> Result<(), spi::ErrorKind> {
        for operation in operations {
            if let spi::Operation::TransferInPlace(bytes) = operation {
                bytes.iter_mut().for_each(|byte| *byte = black_box(*byte));
            }
        }
        Self::outcome(spi::ErrorKind::Overrun)
    }
}

impl i2c::ErrorType for Port {
    type Error = i2c::ErrorKind;
}

impl i2c::I2c for Port {
    fn transaction(&mut self, _: u8, operations: &mut [i2c::Operation<'_>]) -> Result<(), i2c::ErrorKind> {
        for operation in operations {
            if let i2c::Operation::Read(bytes) = operation {
                bytes.iter_mut().for_each(|byte| *byte = black_box(*byte));
            }
        }
        Self::outcome(i2c::ErrorKind::Bus)
    }
}

impl pwm::ErrorType for Port {
    type Error = pwm::ErrorKind;
}

impl pwm::SetDutyCycle for Port {
    fn max_duty_cycle(&self) -> u16 {
        black_box(1_000)
    }
    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), pwm::ErrorKind> {
        black_box(duty);
        Self::outcome(pwm::ErrorKind::Other)
    }
}

impl digital::ErrorType for Port {
    type Error = digital::ErrorKind;
}

impl digital::OutputPin for Port {
    fn set_low(&mut self) -> Result<(), digital::ErrorKind> {
        Self::outcome(digital::ErrorKind::Other)
    }
    fn set_high(&mut self) -> Result<(), digital::ErrorKind> {
        Self::outcome(digital::ErrorKind::Other)
    }
}

impl<const BITS: u32> Counter<BITS> for Port {
    type Error = &'static str;
    fn count(&mut self) -> Result<u32, &'static str> {
        Self::outcome("no count").map(|()| black_box(70_000))
    }
}

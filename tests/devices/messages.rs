//! The texts of device errors, as an engineer reads them at 3 a.m.

use embedded_hal::{digital, i2c, pwm, spi};
use taut::device::{
    AnalogError, As504xError, As5600Error, CountError, DeviceError, Disagreement, Failure, Jump, Magnet, MotorError,
    PlantError, RedundantError, ReferenceError, ScaledError, SetupError, Stuck,
};

#[test]
fn messages_name_the_device_the_number_the_limit_and_the_remedy() {
    let bus = As504xError::Bus(spi::ErrorKind::Overrun);
    let messages = [
        (bus.to_string(), "AS504x: SPI: The peripheral receive buffer was overrun"),
        (As504xError::Parity { frame: 0x12 }.to_string(), "AS504x: odd parity in answer 0x0012; check the wiring"),
        (
            As504xError::Refused { framing: true, address: false, parity: false }.to_string(),
            "AS504x: command refused: errors of framing true, address false, parity false",
        ),
        (
            As504xError::NoAnswer { register: 0x3FFF }.to_string(),
            "AS504x: no answer, register 0x3fff; check the wiring",
        ),
        (
            As504xError::Magnet(Magnet { ready: true, overflow: false, too_strong: false, too_weak: true, gain: 255 })
                .to_string(),
            "AS504x: bad magnet: ready true, overflow false, too strong false, too weak true, gain 255",
        ),
        (
            ScaledError::<u8>::Count(CountError::Jump { from: 100, moved: 8_191, limit: 200 }).to_string(),
            "counter: the count jumps by 8191 from 100, limit 200",
        ),
        (
            Failure::from(CountError::TurnsLost { from: 100, updates: 41 }).to_string(),
            "no good count for 41 updates since 100: turns may be lost, find the position again",
        ),
        (ScaledError::Counter("dead").to_string(), "counter: \"dead\""),
        (
            Failure::from(RedundantError::<&str, &str, f32>::Disagreement(Disagreement {
                first: 1.0,
                second: 1.125,
                limit: 0.5,
            }))
            .to_string(),
            "two encoders disagree: 1e0 and 1.125e0, limit 5e-1; check coupling and zeros",
        ),
        (RedundantError::<&str, &str, f32>::Second("dead").to_string(), "second of two encoders: \"dead\""),
        (
            ReferenceError::<f32>::NoReading.to_string(),
            "no reference without two good readings; read the encoder first",
        ),
        (ReferenceError::NonFinite { given: f32::NAN }.to_string(), "position NaN of a reference: it must be finite"),
        (As5600Error::Bus(i2c::ErrorKind::Bus).to_string(), "AS5600: I2C: Bus error occurred"),
        (As5600Error::NoMagnet { status: 0 }.to_string(), "AS5600: no magnet, status 0x00; mount one"),
        (As5600Error::TooWeak { status: 0x30 }.to_string(), "AS5600: magnet too weak, status 0x30; move it nearer"),
        (As5600Error::TooStrong { status: 0x28 }.to_string(), "AS5600: magnet too strong, status 0x28; move it away"),
        (As5600Error::Contradiction { status: 0xFF }.to_string(), "AS5600: impossible status 0xff; check the wiring"),
        (
            AnalogError::<u8>::OutOfRange { counts: 7, lowest: 10, highest: 20 }.to_string(),
            "analog input: 7 counts, not 10 to 20: broken wire or short circuit",
        ),
        (AnalogError::Input("dead").to_string(), "analog input: \"dead\""),
        (MotorError::NonFinite.to_string(), "command is NaN or infinite: the motor is off, enable it again"),
        (MotorError::Disabled.to_string(), "disabled: enable the motor first"),
        (
            MotorError::Pwm(pwm::ErrorKind::Other).to_string(),
            "duty: A different error occurred. The original error may contain more information",
        ),
        (
            MotorError::Direction(digital::ErrorKind::Other).to_string(),
            "direction pin: A different error occurred. The original error may contain more information",
        ),
        (
            MotorError::Enable(digital::ErrorKind::Other).to_string(),
            "enable pin: A different error occurred. The original error may contain more information",
        ),
        (
            Jump::Implausible { from: 1.0_f32, to: 2.0, limit: 0.5 }.to_string(),
            "the reading jumps from 1e0 to 2e0, limit 5e-1",
        ),
        (
            Jump::TurnsLost { from: 1.0_f32, ticks: 9 }.to_string(),
            "no good reading for 9 ticks since 1e0: turns may be lost, home again",
        ),
        (
            Stuck { reading: 1.0_f32, ticks: 9, travel: 2.0, limit: 0.5 }.to_string(),
            "stuck at 1e0 for 9 ticks, but the target moved by 2e0, limit 5e-1",
        ),
        (
            DeviceError::Encoder { index: 2, cause: bus.into() }.to_string(),
            "encoder 2: AS504x: SPI: The peripheral receive buffer was overrun",
        ),
        (DeviceError::Motor { index: 1, cause: Failure::Other("brake: worn") }.to_string(), "motor 1: brake: worn"),
        (
            PlantError::Slack { tick: 7, row: 0, multiplier: -2.0_f32 }.to_string(),
            "plant: tick 7: constraint 0 only pulls, but its multiplier is -2e0",
        ),
        (PlantError::<f32>::Effort { index: 1 }.to_string(), "plant: the command of motor 1 is NaN or infinite"),
        (
            SetupError::Degenerate { what: "unit of a count", given: 0.0_f32 }.to_string(),
            "unit of a count is 0e0: it must be finite and not zero",
        ),
        (
            SetupError::OutOfRange { what: "dead band", given: 2.0_f32, above: 0.0, below: 1.0 }.to_string(),
            "dead band is 2e0: it must be above 0e0 and below 1e0",
        ),
    ];
    for (message, expected) in messages {
        assert_eq!(message, expected);
    }
}

//! What is read at 3 a.m.

use embedded_hal::{digital, i2c, pwm, spi};
use taut::control::device::{
    AnalogError, As504xError, As5600Error, FrameError, Jump, MotorError, SetupError, Stuck, WatchError,
};

#[test]
fn errors_say_what_and_against_which_limit() {
    let bus = As504xError::Bus(spi::ErrorKind::Overrun);
    let messages = [
        (bus.to_string(), "encoder: SPI: The peripheral receive buffer was overrun"),
        (As504xError::Parity { frame: 0x12 }.to_string(), "encoder: odd parity in answer 0x0012"),
        (
            As504xError::Refused { framing: true, address: false, parity: false }.to_string(),
            "encoder: command refused: framing error true, address error false, parity error false",
        ),
        (As504xError::NoAnswer { register: 0x3FFF }.to_string(), "encoder: nobody answers, error register 0x3fff"),
        (As5600Error::Bus(i2c::ErrorKind::Bus).to_string(), "encoder: I2C: Bus error occurred"),
        (As5600Error::NoMagnet { status: 0 }.to_string(), "encoder: no magnet, status 0x00"),
        (As5600Error::TooWeak { status: 0x30 }.to_string(), "encoder: magnet too weak, status 0x30"),
        (As5600Error::TooStrong { status: 0x28 }.to_string(), "encoder: magnet too strong, status 0x28"),
        (As5600Error::Contradiction { status: 0xFF }.to_string(), "encoder: impossible status 0xff"),
        (FrameError::Parity.to_string(), "odd parity"),
        (FrameError::Flagged.to_string(), "error flag"),
        (
            AnalogError::<u8>::OutOfRange { counts: 7, lowest: 10, highest: 20 }.to_string(),
            "analog input: 7 counts are not within 10 to 20: broken wire or short circuit",
        ),
        (AnalogError::Input("dead").to_string(), "analog input: \"dead\""),
        (MotorError::NonFinite.to_string(), "motor: command is not finite"),
        (MotorError::Disabled.to_string(), "motor: disabled"),
        (
            MotorError::Pwm(pwm::ErrorKind::Other).to_string(),
            "motor: duty: A different error occurred. The original error may contain more information",
        ),
        (
            MotorError::Direction(digital::ErrorKind::Other).to_string(),
            "motor: direction pin: A different error occurred. The original error may contain more information",
        ),
        (
            MotorError::Enable(digital::ErrorKind::Other).to_string(),
            "motor: enable pin: A different error occurred. The original error may contain more information",
        ),
        (
            WatchError::<As504xError, f32>::Jump(Jump::TooFar { from: 1.0, to: 2.0, limit: 0.5 }).to_string(),
            "encoder: jump from 1e0 to 2e0, limit 5e-1",
        ),
        (
            WatchError::<As504xError, f32>::Jump(Jump::Lost { from: 1.0, ticks: 9 }).to_string(),
            "encoder: position unknown, last reading 1e0 was 9 ticks ago",
        ),
        (
            WatchError::<As504xError, f32>::Stuck(Stuck { reading: 1.0, ticks: 9, travel: 2.0, limit: 0.5 })
                .to_string(),
            "encoder: stuck at 1e0 for 9 ticks while the command moved by 2e0, limit 5e-1",
        ),
        (
            WatchError::<As504xError, f32>::Encoder(bus).to_string(),
            "encoder: SPI: The peripheral receive buffer was overrun",
        ),
        (WatchError::<As504xError, f32>::NonFinite.to_string(), "encoder: reading is not finite"),
        (
            SetupError::Degenerate { what: "unit of a count", given: 0.0_f32 }.to_string(),
            "unit of a count: 0e0 is not finite and different from zero",
        ),
        (
            SetupError::OutOfRange { what: "dead band", given: 2.0_f32, above: 0.0, below: 1.0 }.to_string(),
            "dead band: 2e0 is not above 0e0 and below 1e0",
        ),
    ];
    for (message, expected) in messages {
        assert_eq!(message, expected);
    }
}

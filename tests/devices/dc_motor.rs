//! A motor on a voltage against its own equations: with the back-EMF compensated its torque is the one commanded.

use embedded_hal::pwm::{ErrorType, SetDutyCycle};
use proptest::prelude::*;
use std::convert::Infallible;
use taut::control::Actuators;
use taut::device::{DcMotor, Motor, MotorLimit, NoPin, PwmMotor, SetupError};

/// A timer that takes every duty.
struct AnyDuty;

impl ErrorType for AnyDuty {
    type Error = Infallible;
}

impl SetDutyCycle for AnyDuty {
    fn max_duty_cycle(&self) -> u16 {
        1_000
    }
    fn set_duty_cycle(&mut self, _: u16) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A motor of 24 V and 90 W with a gear without losses: k n = 0.6 N m/A.
const LOSSLESS: DcMotor<f64> = DcMotor {
    torque_constant: 0.030,
    resistance: 0.60,
    supply: 24.0,
    current_limit: 4.0,
    gear_ratio: 20.0,
    efficiency: 1.0,
};

/// The duty for an effort at a speed, and the limit that clipped it.
fn drive(data: DcMotor<f64>, effort: f64, speed: f64) -> (f64, Option<MotorLimit>) {
    let mut motor = PwmMotor::dc(AnyDuty, NoPin, NoPin, data).unwrap();
    motor.enable().unwrap();
    motor.drive(effort, speed).unwrap();
    (motor.duty(), motor.clipped())
}

/// The torque and the current of a real motor that turns at a speed: U = R i + k n ω, and the gear's loss acts against the motion.
fn real(data: DcMotor<f64>, duty: f64, speed: f64) -> (f64, f64) {
    let constant = data.torque_constant * data.gear_ratio;
    let current = (duty * data.supply - constant * speed) / data.resistance;
    let ideal = constant * current;
    let loss = if ideal * speed > 0.0 {
        data.efficiency
    } else if ideal * speed < 0.0 {
        1.0 / data.efficiency
    } else {
        1.0
    };
    (ideal * loss, current)
}

/// The loss of (k n)² ω/R at 10 rad/s: 6 N m, more than the motor has.
#[test]
fn without_compensation_the_torque_at_speed_is_too_small() {
    let (speed, effort) = (10.0, 1.5);
    let (torque, _) = real(LOSSLESS, drive(LOSSLESS, effort, speed).0, speed);
    // Four operations, and 24 V of duty against 1.5 V of the current: 16 rounding errors each.
    assert!((torque - effort).abs() < 64.0 * f64::EPSILON, "{torque}");
    let (torque, _) = real(LOSSLESS, drive(LOSSLESS, effort, 0.0).0, speed);
    assert!((effort - torque - 0.6 * 0.6 * speed / 0.60).abs() < 64.0 * f64::EPSILON, "{torque}");
}

proptest! {
    #[test]
    fn the_torque_is_the_commanded_one_or_a_limit_is_named(
        effort in -6.0..6.0_f64, speed in -60.0..60.0_f64, efficiency in 0.5..=1.0_f64, backwards: bool,
    ) {
        let data = DcMotor { efficiency, gear_ratio: if backwards { -20.0 } else { 20.0 }, ..LOSSLESS };
        let (duty, clipped) = drive(data, effort, speed);
        let (torque, current) = real(data, duty, speed);
        prop_assert!(duty.abs() <= 1.0);
        match clipped {
            // 40 V at most, in a motor of 0.6 N m/A and 0.6 Ω.
            None => prop_assert!((torque - effort).abs() < 1e-13, "{torque} for {effort}"),
            Some(MotorLimit::Current) => {
                // Exactly the limit, unless the supply does not even reach that.
                prop_assert!(duty.abs() == 1.0 || (current.abs() - 4.0).abs() < 1e-13, "{current}");
                prop_assert!(effort.abs() > data.largest_effort(0.0));
            }
            Some(_) => prop_assert_eq!(duty.abs(), 1.0),
        }
        // Within the effort that the data sheet promises at this speed nothing clips.
        if effort.abs() < data.largest_effort(speed) * (1.0 - 1e-12) {
            prop_assert_eq!(clipped, None);
        }
    }
}

#[test]
fn the_largest_effort_is_that_of_the_current_and_then_of_the_voltage() {
    let data = DcMotor { efficiency: 0.8, ..LOSSLESS };
    // 0.6 N m/A · 4 A · 0.8 up to (24 V − 0.6 Ω · 4 A)/0.6 V s/rad = 36 rad/s; nothing at 24 V/0.6 V s/rad.
    for (speed, effort) in [(0.0, 1.92), (36.0, 1.92), (38.0, 0.96), (-38.0, 0.96), (40.0, 0.0), (50.0, 0.0)] {
        assert!((data.largest_effort(speed) - effort).abs() < 1e-13, "{speed}");
    }
    let unlimited = DcMotor { current_limit: f64::INFINITY, ..data };
    assert!((unlimited.largest_effort(0.0) - 0.6 * 40.0 * 0.8).abs() < 1e-13, "stalled");
    // A path that the motor cannot follow has no actuators.
    assert!(Actuators::new([data.largest_effort(30.0)]).is_ok());
    assert!(Actuators::new([data.largest_effort(40.0)]).is_err());
    for unknown in [DcMotor { supply: f64::NAN, ..data }, DcMotor { current_limit: f64::NAN, ..data }] {
        assert!(unknown.largest_effort(0.0).is_nan());
    }
}

#[test]
fn clipping_names_its_limit() {
    let (duty, clipped) = drive(LOSSLESS, 2.5, 0.0);
    assert_eq!(clipped, Some(MotorLimit::Current));
    assert!((duty - 0.1).abs() < f64::EPSILON, "4 A · 0.6 Ω of 24 V");
    assert_eq!(drive(LOSSLESS, 2.0, 39.0), (1.0, Some(MotorLimit::Voltage)));
    assert_eq!(drive(LOSSLESS, -2.0, 39.0).1, None, "braking takes less voltage");
    // Terms that overflow against each other: no motor has such numbers, and zero is safe.
    let mad = DcMotor { supply: 1e-200, current_limit: f64::INFINITY, ..LOSSLESS };
    assert_eq!(drive(mad, 1e300, -1e300), (0.0, Some(MotorLimit::Voltage)));
}

#[test]
fn invalid_data_sheets_are_refused() {
    let refused = |data| PwmMotor::dc(AnyDuty, NoPin, NoPin, data).err();
    assert!(refused(LOSSLESS).is_none());
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let table = [
            ("torque constant", DcMotor { torque_constant: wrong, ..LOSSLESS }),
            ("terminal resistance", DcMotor { resistance: wrong, ..LOSSLESS }),
            ("supply voltage", DcMotor { supply: wrong, ..LOSSLESS }),
            ("current limit", DcMotor { current_limit: wrong, ..LOSSLESS }),
            ("efficiency of the gear", DcMotor { efficiency: wrong, ..LOSSLESS }),
        ];
        for (name, data) in table {
            let error = refused(data);
            if name == "current limit" && wrong == f64::INFINITY {
                assert!(error.is_none());
                continue;
            }
            assert!(matches!(error, Some(SetupError::OutOfRange { what, .. }) if what == name), "{name} {wrong}");
        }
    }
    for wrong in [0.0, f64::NAN, f64::INFINITY] {
        let error = refused(DcMotor { gear_ratio: wrong, ..LOSSLESS });
        assert!(matches!(error, Some(SetupError::Degenerate { what: "gear ratio", .. })));
    }
    assert!(refused(DcMotor { efficiency: 1.1, ..LOSSLESS }).is_some());
    assert!(refused(DcMotor { torque_constant: 1e-200, gear_ratio: 1e-200, ..LOSSLESS }).is_some());
}

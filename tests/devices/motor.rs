//! A motor on a bridge: never a wrong direction, never a NaN, never on after a failure.

use embedded_hal::{digital, pwm};
use embedded_hal_mock::eh1::MockError;
use embedded_hal_mock::eh1::digital::{Mock as Pin, State, Transaction as Set};
use embedded_hal_mock::eh1::pwm::{Mock as Pwm, Transaction as Duty};
use proptest::prelude::*;
use taut::device::{DeadBand, Motor, MotorError, MotorLimit, NoPin, PwmMotor, SetupError};

use crate::bench::{DirectionPin, EnablePin, Shared, Timer, Told};

type Bench = PwmMotor<Timer, DirectionPin, EnablePin, f32>;

/// A motor of 2 Nm on a bridge of 1000 steps.
fn motor(bridge: &Shared) -> Bench {
    let (timer, direction, enable) =
        (Timer(bridge.clone(), 1_000), DirectionPin(bridge.clone()), EnablePin(bridge.clone()));
    PwmMotor::new(timer, direction, enable, 2.0).unwrap()
}

fn io() -> MockError {
    MockError::Io(std::io::ErrorKind::NotConnected)
}

#[test]
fn duty_direction_and_enable_come_in_a_safe_order() {
    let bridge = Shared::default();
    let mut motor = motor(&bridge);
    assert!(bridge.borrow().told.is_empty(), "nothing is sent unasked");
    motor.enable().unwrap();
    for effort in [1.0, 0.5, 0.0, 0.25, -0.25, -2.0, 0.0, 2.0] {
        motor.drive(effort, 0.0).unwrap();
        assert_eq!(motor.duty(), effort / 2.0);
    }
    motor.disable().unwrap();
    use Told::{Direction, Duty, Enable};
    let expected = [
        (vec![Duty(0), Enable(true)], "enabled with no effort"),
        (vec![Duty(0), Direction(true), Duty(500)], "the first direction"),
        (vec![Duty(250)], "the same direction"),
        (vec![Duty(0)], "zero has no direction"),
        (vec![Duty(125)], "the same direction after zero"),
        (vec![Duty(0), Direction(false), Duty(125)], "no duty while the direction changes"),
        (vec![Duty(1_000)], "full duty"),
        (vec![Duty(0)], "zero"),
        (vec![Duty(0), Direction(true), Duty(1_000)], "the other direction after zero"),
        (vec![Duty(0), Enable(false)], "disabled"),
    ];
    assert_eq!(bridge.borrow().told, expected.map(|(told, _)| told).concat());
}

#[test]
fn a_motor_that_is_not_enabled_is_not_driven() {
    let bridge = Shared::default();
    let mut motor = motor(&bridge);
    for effort in [1.0, f32::NAN] {
        assert_eq!(motor.drive(effort, 0.0), Err(MotorError::Disabled));
    }
    assert!(bridge.borrow().told.is_empty());
    assert!(!motor.is_enabled());
}

#[test]
fn a_nan_or_infinite_command_gives_the_safe_output_until_enabled_again() {
    for command in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let bridge = Shared::default();
        let mut motor = motor(&bridge);
        motor.enable().unwrap();
        motor.drive(3.0, 0.0).unwrap();
        assert_eq!(motor.clipped(), Some(MotorLimit::Current));
        assert_eq!(motor.drive(1.0, command), Err(MotorError::NonFinite), "as a speed");
        motor.enable().unwrap();
        assert_eq!(motor.drive(command, 0.0), Err(MotorError::NonFinite));
        assert_eq!((bridge.borrow().duty, bridge.borrow().on), (0, false));
        assert_eq!((motor.duty(), motor.is_enabled(), motor.clipped()), (0.0, false, None));
        assert_eq!(motor.drive(1.0, 0.0), Err(MotorError::Disabled));
        assert_eq!((bridge.borrow().duty, bridge.borrow().on), (0, false));
        motor.enable().unwrap();
        motor.drive(1.0, 0.0).unwrap();
        assert_eq!((bridge.borrow().duty, bridge.borrow().on), (500, true));
    }
}

#[test]
fn after_any_failed_call_the_bridge_is_off_or_was_never_enabled() {
    // enable, forwards, backwards: 2 + 3 + 3 calls, then disable: 2.
    let kinds = ["duty", "enable", "duty", "direction", "duty", "duty", "direction", "duty", "duty", "enable"];
    for (failing, kind) in kinds.into_iter().enumerate() {
        let bridge = Shared::default();
        bridge.borrow_mut().failing = Some(failing);
        let mut motor = motor(&bridge);
        let outcome = motor
            .enable()
            .and_then(|()| motor.drive(1.0, 0.0))
            .and_then(|()| motor.drive(-1.0, 0.0))
            .and_then(|()| motor.disable());
        let error = match kind {
            "duty" => MotorError::Pwm(pwm::ErrorKind::Other),
            "direction" => MotorError::Direction(digital::ErrorKind::Other),
            _ => MotorError::Enable(digital::ErrorKind::Other),
        };
        assert_eq!(outcome, Err(error), "call {failing}");
        assert!(!motor.is_enabled());
        assert_eq!(motor.drive(1.0, 0.0), Err(MotorError::Disabled));
        // Only the pin that refused to be switched off at the end is not off; the duty is zero even then.
        let bridge = bridge.borrow();
        assert_eq!(bridge.on, failing == 9, "call {failing}");
        assert_eq!(bridge.duty, if failing == 8 { 500 } else { 0 }, "call {failing}");
        assert!(bridge.duty == 0 || !bridge.on);
    }
}

#[test]
fn mocks_agree_and_an_enable_pin_may_be_on_when_low() {
    let mut pwm = Pwm::new(&[
        Duty::set_duty_cycle(0),
        Duty::set_duty_cycle(0),
        Duty::max_duty_cycle(100),
        Duty::set_duty_cycle(50).with_error(io()),
        Duty::set_duty_cycle(0).with_error(io()),
    ]);
    let mut direction = Pin::new(&[Set::set(State::High)]);
    // Switched off although the duty could not be.
    let mut enable = Pin::new(&[Set::set(State::Low), Set::set(State::High)]);
    let mut motor = PwmMotor::new(pwm.clone(), direction.clone(), enable.clone(), 1.0_f64).unwrap().enabled_low();
    motor.enable().unwrap();
    assert_eq!(motor.drive(0.5, 0.0), Err(MotorError::Pwm(pwm::ErrorKind::Other)));
    drop(motor.release());
    pwm.done();
    direction.done();
    enable.done();
}

#[test]
fn of_two_failures_the_first_is_named() {
    let mut pwm = Pwm::new(&[Duty::set_duty_cycle(0).with_error(io())]);
    let mut enable = Pin::new(&[Set::set(State::Low).with_error(io())]);
    let mut motor = PwmMotor::new(pwm.clone(), NoPin, enable.clone(), 1.0_f32).unwrap();
    assert_eq!(motor.disable(), Err(MotorError::Pwm(pwm::ErrorKind::Other)));
    pwm.done();
    enable.done();
}

#[test]
fn a_motor_can_turn_the_other_way_and_need_no_enable() {
    let mut pwm = Pwm::new(&[
        Duty::set_duty_cycle(0),
        Duty::set_duty_cycle(0),
        Duty::max_duty_cycle(u16::MAX),
        Duty::set_duty_cycle(u16::MAX),
    ]);
    let mut direction = Pin::new(&[Set::set(State::Low)]);
    let mut motor = PwmMotor::new(pwm.clone(), direction.clone(), NoPin, -0.5_f32).unwrap();
    motor.enable().unwrap();
    motor.drive(7.0, 0.0).unwrap();
    assert_eq!(motor.clipped(), Some(MotorLimit::Current));
    assert_eq!(motor.duty(), -1.0);
    pwm.done();
    direction.done();
}

#[test]
fn invalid_motor_parameters_are_refused() {
    for effort in [0.0_f32, f32::NAN, f32::INFINITY] {
        let bridge = Shared::default();
        let refused = PwmMotor::new(Timer(bridge.clone(), 1_000), DirectionPin(bridge), NoPin, effort);
        assert!(matches!(refused, Err(SetupError::Degenerate { what: "effort at full duty", .. })));
    }
    for wrong in [0.0, 1.0, -0.1, f32::NAN, f32::INFINITY] {
        assert!(matches!(DeadBand::new(wrong, 0.1), Err(SetupError::OutOfRange { what: "dead band", .. })));
        assert!(DeadBand::new(0.1, wrong).is_err());
    }
}

#[test]
fn a_dead_band_as_narrow_as_a_float_allows_is_a_jump() {
    let dead_band = DeadBand::new(0.5_f32, f32::from_bits(1)).unwrap();
    assert_eq!(dead_band.compensate(0.0), 0.0);
    assert_eq!(dead_band.compensate(1e-30), 0.5);
    assert_eq!(dead_band.compensate(-1e-30), -0.5);
}

proptest! {
    #[test]
    fn a_dead_band_is_odd_increasing_and_skipped(
        duty in 1e-3_f32..0.999, width in 1e-3_f32..0.999, one in -1.0_f32..=1.0, other in -1.0_f32..=1.0,
    ) {
        let dead_band = DeadBand::new(duty, width).unwrap();
        let (low, high) = (one.min(other), one.max(other));
        let (below, above) = (dead_band.compensate(low), dead_band.compensate(high));
        prop_assert!(below <= above);
        prop_assert_eq!(dead_band.compensate(-one).to_bits(), (-dead_band.compensate(one)).to_bits());
        prop_assert!(above.abs() <= 1.0);
        prop_assert!(above.abs() >= high.abs() * (1.0 - 2.0 * f32::EPSILON));
        // Where the lines meet both are right, up to the rounding of the slope.
        if high.abs() >= width {
            prop_assert!(above.abs() >= duty * (1.0 - 4.0 * f32::EPSILON));
        }
        prop_assert_eq!(dead_band.compensate(1.0), 1.0);
    }

    /// Any bits as a command: a duty within its range in the direction asked for, or the safe output and an error.
    #[test]
    fn any_command_is_a_duty_or_the_safe_output(
        commands in prop::collection::vec(prop_oneof![any::<u32>().prop_map(f32::from_bits), -3.0_f32..3.0], 1..20),
        compensated: bool,
    ) {
        let bridge = Shared::default();
        let mut motor = motor(&bridge);
        if compensated {
            motor = motor.compensating(DeadBand::new(0.1, 0.05).unwrap());
        }
        motor.enable().unwrap();
        for command in commands {
            let before = bridge.borrow().applied.len();
            let outcome = motor.drive(command, 0.0);
            // A duty that was ever applied on the way had the direction of this command.
            for &(forward, duty) in &bridge.borrow().applied[before..] {
                prop_assert!(duty == 0 || forward == (command > 0.0));
            }
            let (duty, on) = (bridge.borrow().duty, bridge.borrow().on);
            if command.is_finite() {
                prop_assert_eq!(outcome, Ok(()));
                prop_assert_eq!(motor.clipped().is_some(), command.abs() > 2.0);
                prop_assert!(motor.duty().abs() <= 1.0);
                prop_assert!(motor.duty() == 0.0 || (motor.duty() > 0.0) == (command > 0.0));
                prop_assert!((f32::from(duty) - motor.duty().abs() * 1_000.0).abs() <= 0.5 + 1e-3);
                if !compensated {
                    prop_assert_eq!(motor.duty(), (command / 2.0).clamp(-1.0, 1.0));
                }
                prop_assert!(on);
            } else {
                prop_assert_eq!(outcome, Err(MotorError::NonFinite));
                prop_assert!(duty == 0 && !on);
                motor.enable().unwrap();
            }
        }
    }
}

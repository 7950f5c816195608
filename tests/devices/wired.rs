//! Several devices as one machine: one that fails keeps none of the others from what they do.

use embedded_hal::{digital, pwm};
use taut::control::device::{DeviceError, Machine, MotorError, PowerStage, PwmMotor, Wired};

use crate::bench::{DirectionPin, EnablePin, Readings, Shared, Timer, Zero};

type Bench = PwmMotor<Timer, DirectionPin, EnablePin, f32>;

fn motor(bridge: &Shared) -> Bench {
    let (timer, direction, enable) =
        (Timer(bridge.clone(), 1_000), DirectionPin(bridge.clone()), EnablePin(bridge.clone()));
    PwmMotor::new(timer, direction, enable, 1.0).unwrap()
}

fn machine() -> ([Shared; 3], Wired<Zero, Bench, 1, 3>) {
    let bridges = [Shared::default(), Shared::default(), Shared::default()];
    let motors = [motor(&bridges[0]), motor(&bridges[1]), motor(&bridges[2])];
    (bridges, Wired { encoders: [Zero], motors })
}

fn state(bridges: &[Shared; 3]) -> [(u16, bool); 3] {
    bridges.each_ref().map(|bridge| (bridge.borrow().duty, bridge.borrow().on))
}

#[test]
fn all_encoders_are_read_and_the_first_failure_is_named() {
    let encoders = [Readings(vec![Some(1.0), Some(2.0)]), Readings(vec![None, None]), Readings(vec![None, Some(3.0)])];
    let mut wired = Wired { encoders, motors: [] as [Bench; 0] };
    for _ in 0..2 {
        let read = Machine::<f32, 3, 0>::read(&mut wired);
        assert_eq!(read, Err(DeviceError::Encoder { index: 1, cause: "dead" }));
    }
    assert!(wired.encoders.iter().all(|encoder| encoder.0.is_empty()));
}

#[test]
fn a_motor_that_refuses_a_command_keeps_none_of_the_others_from_theirs() {
    let (bridges, mut wired) = machine();
    wired.enable().unwrap();
    wired.drive(&[0.5, 0.5, 0.5]).unwrap();
    assert_eq!(state(&bridges), [(500, true); 3]);
    let refused = wired.drive(&[0.1, f32::NAN, 0.3]);
    assert_eq!(refused, Err(DeviceError::Motor { index: 1, cause: MotorError::NonFinite }));
    assert_eq!(state(&bridges), [(100, true), (0, false), (300, true)]);
    assert_eq!(wired.disable(), Ok(()));
    assert_eq!(state(&bridges), [(0, false); 3]);
}

#[test]
fn a_motor_that_can_not_be_enabled_disables_all() {
    let (bridges, mut wired) = machine();
    bridges[1].borrow_mut().failing = Some(1);
    let cause = MotorError::Enable(digital::ErrorKind::Other);
    assert_eq!(wired.enable(), Err(DeviceError::Motor { index: 1, cause }));
    assert_eq!(state(&bridges), [(0, false); 3]);
    assert!(wired.motors.iter().all(|motor| !motor.is_enabled() && !motor.saturated()));
}

#[test]
fn a_motor_that_can_not_be_disabled_keeps_none_of_the_others_on() {
    let (bridges, mut wired) = machine();
    wired.enable().unwrap();
    wired.drive(&[0.5, 0.5, 0.5]).unwrap();
    let calls = bridges[0].borrow().calls;
    bridges[0].borrow_mut().failing = Some(calls);
    let cause = MotorError::Pwm(pwm::ErrorKind::Other);
    assert_eq!(wired.disable(), Err(DeviceError::Motor { index: 0, cause }));
    assert_eq!(state(&bridges), [(500, false), (0, false), (0, false)]);
}

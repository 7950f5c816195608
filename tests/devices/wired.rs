//! Several devices as one machine: one that fails keeps none of the others from what they do.

use core::convert::Infallible;
use std::cell::RefCell;
use std::rc::Rc;

use embedded_hal::{digital, pwm};
use taut::device::{
    Analog, As504xError, As5600Error, Counter, DeviceError, Failure, Machine, Motor, MotorError, PwmMotor, Scale, Wired,
};

use crate::bench::{DirectionPin, EnablePin, Readings, Shared, Timer, Zero};

pub type Bench = PwmMotor<Timer, DirectionPin, EnablePin, f32>;

fn motor(bridge: &Shared) -> Bench {
    let (timer, direction, enable) =
        (Timer(bridge.clone(), 1_000), DirectionPin(bridge.clone()), EnablePin(bridge.clone()));
    PwmMotor::new(timer, direction, enable, 1.0).unwrap()
}

fn machine() -> ([Shared; 3], Wired<[Zero; 1], [Bench; 3]>) {
    let bridges = [Shared::default(), Shared::default(), Shared::default()];
    let motors = [motor(&bridges[0]), motor(&bridges[1]), motor(&bridges[2])];
    (bridges, Wired::new([Zero], motors))
}

fn state(bridges: &[Shared; 3]) -> [(u16, bool); 3] {
    bridges.each_ref().map(|bridge| (bridge.borrow().duty, bridge.borrow().on))
}

#[test]
fn all_encoders_are_read_and_the_first_failure_is_named() {
    let encoders = [Readings(vec![Some(1.0), Some(2.0)]), Readings(vec![None, None]), Readings(vec![None, Some(3.0)])];
    let mut wired = Wired::new(encoders, [] as [Bench; 0]);
    for _ in 0..2 {
        let read = Machine::<f32, 3, 0>::read(&mut wired);
        assert_eq!(read, Err(DeviceError::Encoder { index: 1, cause: Failure::Other("dead") }));
    }
    assert!(wired.encoders.iter().all(|encoder| encoder.0.is_empty()));
}

#[test]
fn if_one_motor_refuses_a_command_the_others_are_still_driven() {
    let (bridges, mut wired) = machine();
    wired.enable().unwrap();
    wired.drive(&[0.5, 0.5, 0.5], &[0.0; 3]).unwrap();
    assert_eq!(state(&bridges), [(500, true); 3]);
    let refused = wired.drive(&[0.1, f32::NAN, 0.3], &[0.0; 3]);
    assert_eq!(refused, Err(DeviceError::Motor { index: 1, cause: MotorError::NonFinite.into() }));
    assert_eq!(state(&bridges), [(100, true), (0, false), (300, true)]);
    assert_eq!(wired.disable(), Ok(()));
    assert_eq!(state(&bridges), [(0, false); 3]);
}

#[test]
fn a_motor_that_cannot_be_enabled_disables_all() {
    let (bridges, mut wired) = machine();
    bridges[1].borrow_mut().failing = Some(1);
    let cause = MotorError::Enable(digital::ErrorKind::Other).into();
    assert_eq!(wired.enable(), Err(DeviceError::Motor { index: 1, cause }));
    assert_eq!(state(&bridges), [(0, false); 3]);
    assert!(wired.motors.iter().all(|motor| !motor.is_enabled() && motor.clipped().is_none()));
}

#[test]
fn if_one_motor_cannot_be_disabled_the_others_still_are() {
    let (bridges, mut wired) = machine();
    wired.enable().unwrap();
    wired.drive(&[0.5, 0.5, 0.5], &[0.0; 3]).unwrap();
    let calls = bridges[0].borrow().calls;
    bridges[0].borrow_mut().failing = Some(calls);
    let cause = MotorError::Pwm(pwm::ErrorKind::Other).into();
    assert_eq!(wired.disable(), Err(DeviceError::Motor { index: 0, cause }));
    assert_eq!(state(&bridges), [(500, false), (0, false), (0, false)]);
}

/// Which axis was told which effort; `None` to be enabled or disabled.
type Told = Rc<RefCell<Vec<(usize, Option<f32>)>>>;

/// A motor that notes what it is told, and may fail at it; not of the type of a bridge.
struct Servo {
    told: Told,
    axis: usize,
    broken: bool,
}

impl Servo {
    fn tell(&mut self, effort: Option<f32>) -> Result<(), &'static str> {
        self.told.borrow_mut().push((self.axis, effort));
        if self.broken { Err("servo: broken") } else { Ok(()) }
    }
}

impl Motor<f32> for Servo {
    type Error = &'static str;

    fn drive(&mut self, effort: f32, _: f32) -> Result<(), &'static str> {
        self.tell(Some(effort))
    }

    fn enable(&mut self) -> Result<(), &'static str> {
        self.tell(None)
    }
}

/// A converter with nothing but the number of its counts.
struct Counts(u32);

impl Counter<32> for Counts {
    type Error = Infallible;

    fn count(&mut self) -> Result<u32, Infallible> {
        Ok(self.0)
    }
}

/// Three encoders of three types, and three motors of two.
#[test]
fn a_tuple_of_different_devices_is_a_machine() {
    let (bridge, told) = (Shared::default(), Rc::default());
    let servo = |axis| Servo { told: Rc::clone(&told), axis, broken: false };
    let potentiometer =
        Analog::within(Counts(500), 100, 900).scaled(Scale::counts_per_turn(1_000).unwrap(), 0.1).unwrap();
    let encoders = (Zero, Readings(vec![Some(2.0), None]), potentiometer);
    let mut wired = Wired::new(encoders, (servo(0), motor(&bridge), servo(2)));
    wired.enable().unwrap();
    assert_eq!(wired.read(), Ok([0.0, 2.0, core::f32::consts::PI]));
    wired.drive(&[1.0, 0.5, 3.0], &[0.0; 3]).unwrap();
    assert_eq!(bridge.borrow().duty, 500);
    assert_eq!(*told.borrow(), [(0, None), (2, None), (0, Some(1.0)), (2, Some(3.0))]);

    // Each failure names its axis, and the axes after it are driven all the same.
    assert_eq!(wired.read(), Err(DeviceError::Encoder { index: 1, cause: Failure::Other("dead") }));
    let refused = wired.drive(&[1.5, f32::NAN, 3.5], &[0.0; 3]);
    assert_eq!(refused, Err(DeviceError::Motor { index: 1, cause: Failure::Motor(MotorError::NonFinite) }));
    assert_eq!(told.borrow()[4..], [(0, Some(1.5)), (2, Some(3.5))]);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "motor 1: command is NaN or infinite: the motor is off, enable it again"
    );
}

#[test]
fn a_motor_of_a_tuple_that_cannot_be_enabled_disables_all_and_the_ones_after_it_stay_off() {
    let (bridge, told) = (Shared::default(), Rc::default());
    let servo = |axis, broken| Servo { told: Rc::clone(&told), axis, broken };
    let mut wired = Wired::new((Zero,), (motor(&bridge), servo(1, true), servo(2, false)));
    let enabled = Machine::<f32, 1, 3>::enable(&mut wired);
    assert_eq!(enabled, Err(DeviceError::Motor { index: 1, cause: Failure::Other("servo: broken") }));
    assert!(!bridge.borrow().on);
    assert_eq!(*told.borrow(), [(1, None), (1, Some(0.0)), (2, Some(0.0))]);
}

#[test]
fn every_error_of_a_device_becomes_one_error() {
    let parity = As504xError::Parity { frame: 7 };
    assert_eq!(Failure::from(parity), Failure::As504x(parity));
    assert_eq!(
        Failure::from(As5600Error::NoMagnet { status: 0 }).to_string(),
        "AS5600: no magnet, status 0x00; mount one"
    );
    let mut broken = Analog::within(Counts(950), 100, 900);
    let cause = Failure::from(broken.count().unwrap_err());
    let text = "analog input: 950 counts, not 100 to 900: broken wire or short circuit";
    assert_eq!(cause.to_string(), text);
}

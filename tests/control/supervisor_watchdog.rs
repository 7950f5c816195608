//! A loop whose motors cannot be switched off: the watchdog is the last resort, and is not fed.

use mechanisms::Arm;
use taut::device::{Machine, Plant, PlantError, PlantFor};
use taut::method::Rattle;
use taut::start::{Clock, Start};
use taut::supervise::{Code, LoopState, Output, Request, State, Watchdog};

use crate::supervisor_homing::{Law, Plan, asked, watch};

type Inner = PlantFor<Plan, Rattle, 1>;

/// A machine whose encoder and whose switch fail when they are told to.
struct Stubborn {
    plant: Inner,
    blind: bool,
    jammed: bool,
}

impl Machine<f32, 1, 1> for Stubborn {
    type Error = PlantError<f32>;

    fn read(&mut self) -> Result<[f32; 1], Self::Error> {
        if self.blind { Err(PlantError::Effort { index: 7 }) } else { self.plant.read() }
    }

    fn drive(&mut self, efforts: &[f32; 1], speeds: &[f32; 1]) -> Result<(), Self::Error> {
        self.plant.drive(efforts, speeds)
    }

    fn disable(&mut self) -> Result<(), Self::Error> {
        if self.jammed { Err(PlantError::Effort { index: 9 }) } else { self.plant.drive(&[0.0], &[0.0]) }
    }
}

struct Fed(u32);

impl Watchdog for Fed {
    fn feed(&mut self) {
        self.0 += 1;
    }
}

#[test]
fn a_safe_output_that_fails_is_left_to_the_watchdog() {
    let arm = Arm::standard();
    let (supervisor, mut control) = asked(watch());
    let state = Start::at(&arm, Clock::at_rate(250.0).unwrap(), [0.0, -0.5]).at_rest().unwrap();
    let plant = Plant::new(arm, state, Rattle::new());
    let mut machine = Stubborn { plant, blind: false, jammed: false };

    let (mut count, mut fed) = (0_u32, Fed(0));
    let mut tick = |control: &mut LoopState<Plan, Law, 1>, machine: &mut Stubborn, fed: &mut Fed| {
        let device = supervisor.tick(control, machine, &mut { count }, fed);
        count += 1_000;
        machine.plant.tick().unwrap();
        device
    };
    for _ in 0..1_000 {
        tick(&mut control, &mut machine, &mut fed);
    }
    assert_eq!((control.state(), fed.0), (State::Running, 1_000));

    // Blind, and off: fed, so that the reason can be read.
    machine.blind = true;
    let device = tick(&mut control, &mut machine, &mut fed);
    assert_eq!(
        (control.state(), control.record().output, control.record().code),
        (State::Fault, Output::Off, Code::Device)
    );
    assert_eq!((device, fed.0), (Some(PlantError::Effort { index: 7 }), 1_001));
    let latched = *control.latched().unwrap();
    assert_eq!((latched.tick, latched.state), (1_000, State::Running));

    // Not off any more: not fed, and the reason is still the first.
    machine.jammed = true;
    let device = tick(&mut control, &mut machine, &mut fed);
    assert_eq!((device, fed.0), (Some(PlantError::Effort { index: 9 }), 1_001));
    assert_eq!(control.latched(), Some(&latched));

    // The same in idle.
    (machine.blind, machine.jammed) = (false, false);
    supervisor.request(&mut control, Request::Reset).unwrap();
    tick(&mut control, &mut machine, &mut fed);
    assert_eq!((control.state(), fed.0), (State::Idle, 1_002));
    machine.jammed = true;
    tick(&mut control, &mut machine, &mut fed);
    assert_eq!((control.state(), fed.0), (State::Fault, 1_002));
}

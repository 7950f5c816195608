//! A bench with an arm, a button and a stop contact whose levels the test sets.

use std::cell::Cell;
use std::rc::Rc;

use embedded_hal::digital::{ErrorKind, ErrorType, InputPin};
use mechanisms::Arm;
use runtime::{Bench, Button, Panel, PinState, Program, StopContact};
use taut::control::{Actuators, ComputedTorque, InverseDynamics};
use taut::device::{Machine, Plant, PlantError, PlantFor};
use taut::method::Rattle;
use taut::start::{Clock, Start};
use taut::supervise::{Code, Deadline, EncoderLimits, LoopState, Output, Record, State, Supervisor, Watch};
use taut::trajectory::Lissajous;

const RATE: u32 = 250;
const TICK: f32 = 4e-3;

type Plan = InverseDynamics<Arm<f32>, Lissajous<f32, 1>, 2, 1, 1>;
type Law = ComputedTorque<f32, 2, 1, 1>;
type Loop = (Supervisor<Plan, Law, 1>, LoopState<Plan, Law, 1>);

/// A pin whose level the test sets; `None` if it cannot be read.
#[derive(Clone)]
struct Pin(Rc<Cell<Option<bool>>>);

impl ErrorType for Pin {
    type Error = ErrorKind;
}

impl InputPin for Pin {
    fn is_high(&mut self) -> Result<bool, ErrorKind> {
        self.0.get().ok_or(ErrorKind::Other)
    }

    fn is_low(&mut self) -> Result<bool, ErrorKind> {
        self.is_high().map(|is_high| !is_high)
    }
}

/// A simulated machine, which goes on by a tick before it is read, and whether it has its reference.
struct Simulated(PlantFor<Plan, Rattle, 1>, bool);

impl Machine<f32, 1, 1> for Simulated {
    type Error = PlantError<f32>;

    fn read(&mut self) -> Result<[f32; 1], PlantError<f32>> {
        self.0.tick()?;
        self.0.read()
    }

    fn drive(&mut self, efforts: &[f32; 1], speeds: &[f32; 1]) -> Result<(), PlantError<f32>> {
        self.0.drive(efforts, speeds)
    }

    fn unreferenced(&self) -> Option<usize> {
        if self.1 { None } else { Some(0) }
    }
}

struct Rig {
    bench: Bench<Loop, Simulated, Panel<Button<Pin>, Pin>>,
    button: Pin,
    contact: Pin,
    ticks: u32,
}

impl Rig {
    fn new() -> Self {
        Self::with_reference(true)
    }

    fn with_reference(referenced: bool) -> Self {
        let arm = Arm::standard();
        let path = Lissajous::around([0.0], [0.25], [1], [-core::f32::consts::FRAC_PI_2], 250, TICK).unwrap();
        let plan = Plan::new(arm, path, TICK, [0.433, -0.25]).unwrap();
        // The arm has no brake: after a stop it swings.
        let encoder = EncoderLimits { resolution: 1e-4, top_speed: 20.0, largest_error: 0.5 };
        let watch = Watch::new(Actuators::new([12.0]).unwrap(), [encoder]);
        let law = Law::by_rule(&plan, [25.0], &watch).unwrap();
        let supervisor = Supervisor::new(plan, law, watch).unwrap();
        let state = supervisor.start(Deadline::new(1_000, None)).unwrap();
        let at_rest = Start::at(&arm, Clock::at_rate(250.0).unwrap(), [0.0, -0.5]).at_rest().unwrap();
        let [button, contact] = [false, true].map(|level| Pin(Rc::new(Cell::new(Some(level)))));
        let stop = StopContact::new(contact.clone(), PinState::High, RATE);
        let panel = Panel::new(Button::new(button.clone(), PinState::High, RATE), stop);
        let machine = Simulated(Plant::new(arm, at_rest, Rattle::new()), referenced);
        let bench = Bench::new((supervisor, state), machine, panel).with_reference(|machine| machine.1 = true);
        Self { bench, button, contact, ticks: 0 }
    }

    fn tick(&mut self) -> Record<f32, 1, 1> {
        let record = self.bench.tick(&mut (self.ticks * 1_000), &mut ());
        self.ticks += 1;
        record
    }

    fn run(&mut self, ticks: u32) -> Record<f32, 1, 1> {
        (0..ticks).map(|_| self.tick()).last().unwrap()
    }

    /// Presses the button for 100 ms.
    fn press(&mut self) {
        self.button.0.set(Some(true));
        self.run(25);
        self.button.0.set(Some(false));
        self.run(25);
    }
}

/// An open contact, or a wire that cannot be read.
#[test]
fn the_stop_contact_wins_over_everything_and_the_loop_does_not_start_again_by_itself() {
    for open in [Some(false), None] {
        let mut rig = Rig::new();
        rig.run(10);
        rig.press();
        let running = rig.run(1_000);
        assert_eq!((running.state, running.output), (State::Running, Output::Following));
        rig.contact.0.set(open);
        let stopped = rig.tick();
        assert_eq!((stopped.state, stopped.output), (State::Idle, Output::Off), "in the same tick");
        for _ in 0..4 {
            // A press does not start it, in no tick.
            rig.button.0.set(Some(true));
            assert!((0..25).all(|_| rig.tick().output == Output::Off));
            rig.button.0.set(Some(false));
            assert!((0..25).all(|_| rig.tick().output == Output::Off));
        }
        rig.contact.0.set(Some(true));
        let idle = rig.run(250);
        assert_eq!((idle.state, idle.output), (State::Idle, Output::Off));
        // It takes another press, after which it begins with homing. The arm has no brake and still swings.
        rig.button.0.set(Some(true));
        rig.run(25);
        rig.button.0.set(Some(false));
        assert!((0..25).any(|_| rig.tick().state == State::Homing));
    }
}

/// Incremental encoders: a press runs nothing until a long press in idle has said where the machine stands.
#[test]
fn a_machine_without_a_reference_gets_it_from_a_long_press_in_idle() {
    let mut rig = Rig::with_reference(false);
    rig.run(10);
    rig.press();
    let refused = rig.run(10);
    assert_eq!((refused.state, refused.code, refused.output), (State::Fault, Code::Unreferenced, Output::Off));
    // A long press resets the fault, the next one gives the reference. Neither runs the loop.
    for _ in 0..2 {
        rig.button.0.set(Some(true));
        assert!((0..300).all(|_| rig.tick().output == Output::Off));
        rig.button.0.set(Some(false));
        let idle = rig.run(25);
        assert_eq!((idle.state, idle.output), (State::Idle, Output::Off));
    }
    rig.press();
    assert_eq!(rig.run(1_000).state, State::Running);
}

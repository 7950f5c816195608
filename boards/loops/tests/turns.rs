//! An encoder that is a turn off: homing must not wind the machine, and a restart with incremental encoders must not move it at all.

use core::f32::consts::{PI, TAU};

use loops::{Brake, Braked, Simulation, five_bar};
use mechanisms::FiveBar;
use taut::device::{Machine, Plant, PlantError};
use taut::method::RungeKutta4;
use taut::start::{self, Clock, Start};
use taut::supervise::{Output, Reason, Request, State};

type Linkage = Braked<FiveBar<f32>, RungeKutta4<f32>, start::State<f32, 4, 2>, 2, 2>;

/// A linkage whose first encoder is off, and may have no reference.
struct Off {
    linkage: Linkage,
    by: f32,
    referenced: bool,
}

impl Machine<f32, 2, 2> for Off {
    type Error = PlantError<f32>;

    fn read(&mut self) -> Result<[f32; 2], Self::Error> {
        self.linkage.read().map(|[first, second]| [first + self.by, second])
    }

    fn drive(&mut self, efforts: &[f32; 2], speeds: &[f32; 2]) -> Result<(), Self::Error> {
        self.linkage.drive(efforts, speeds)
    }

    fn enable(&mut self) -> Result<(), Self::Error> {
        self.linkage.enable()
    }

    fn disable(&mut self) -> Result<(), Self::Error> {
        self.linkage.disable()
    }

    fn unreferenced(&self) -> Option<usize> {
        (!self.referenced).then_some(0)
    }
}

/// Asks a loop to run for two seconds: its state and reason, and whether the brakes were always closed.
fn run(by: f32, referenced: bool) -> (State, Option<Reason<f32>>, bool) {
    let linkage = FiveBar::standard();
    let pose = linkage.elbows_out([-0.02, 0.15].into());
    let at_rest = Start::at(&linkage, Clock::at_rate(1_000.0).unwrap(), pose).at_rest().unwrap();
    let plant = Plant::new(linkage, at_rest, RungeKutta4::new());
    let linkage = Braked::new(plant, [Brake { stiffness: 180.0, damping: 0.9 }; 2]);
    let mut machine = Off { linkage, by, referenced };
    let (supervisor, mut state) = five_bar::control(1_000).unwrap();
    supervisor.request(&mut state, Request::Run).unwrap();
    let mut closed = true;
    for tick in 0..2_000 {
        supervisor.tick(&mut state, &mut machine, &mut (tick * 1_000), &mut ());
        machine.linkage.tick().unwrap();
        closed &= machine.linkage.is_closed() && state.record().output == Output::Off;
    }
    (state.state(), state.latched().map(|latched| latched.reason), closed)
}

/// Both ways; the true way home is 1 rad and less.
#[test]
fn homing_does_not_wind_back_a_turn_that_is_not_there() {
    for turn in [TAU, -TAU] {
        let (state, reason, closed) = run(turn, true);
        let Some(Reason::TooFar { index: 0, distance, limit }) = reason else { panic!("{reason:?}") };
        assert!(distance.abs() > 5.0 && limit == PI, "{distance}");
        assert_eq!((state, closed), (State::Fault, true));
    }
    assert_eq!(run(0.0, true), (State::Running, None, false));
}

/// After a reset of the board an incremental encoder reads from zero: whatever it reads, the machine does not move.
#[test]
fn a_restart_with_incremental_encoders_does_not_move_the_machine() {
    for by in [0.0, -0.5, 1.0] {
        assert_eq!(run(by, false), (State::Fault, Some(Reason::Unreferenced { index: 0 }), true));
    }
}

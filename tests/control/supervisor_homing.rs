//! Homing with a machine that cannot be where the path begins: readings without a pose, and motors that do not move.

use mechanisms::Arm;
use taut::control::{Actuators, ComputedTorque, InverseDynamics};
use taut::device::Machine;
use taut::supervise::{Deadline, EncoderLimits, LoopState, Output, Reason, Request, State, Supervisor, Watch};
use taut::trajectory::Lissajous;

const TICK: f32 = 4e-3;

pub type Plan = InverseDynamics<Arm<f32>, Lissajous<f32, 1>, 2, 1, 1>;
pub type Law = ComputedTorque<f32, 2, 1, 1>;

/// Limits for an encoder that moves by 0.1 rad in a tick at most, and errors that nobody minds.
pub fn watch() -> Watch<f32, 1, 1> {
    let encoder = EncoderLimits { resolution: 1e-4, top_speed: 24.95, largest_error: 8.0 };
    Watch { arrival: [0.05], ..Watch::new(Actuators::new([500.0]).unwrap(), [encoder]) }
}

/// Reads one angle whatever its motor does.
struct Still(f32);

impl Machine<f32, 1, 1> for Still {
    type Error = ();

    fn read(&mut self) -> Result<[f32; 1], ()> {
        Ok([self.0])
    }
    fn drive(&mut self, _: &[f32; 1], _: &[f32; 1]) -> Result<(), ()> {
        Ok(())
    }
}

/// A loop that is asked to run; its path begins at a quarter of a turn.
pub fn asked(watch: Watch<f32, 1, 1>) -> (Supervisor<Plan, Law, 1>, LoopState<Plan, Law, 1>) {
    let path = Lissajous::around([0.0], [0.25], [1], [0.0], 250, TICK).unwrap();
    let plan = Plan::new(Arm::standard(), path, TICK, [0.5, 0.0]).unwrap();
    let supervisor = Supervisor::new(plan, Law::new([25.0], TICK, 57.5).unwrap(), watch).unwrap();
    let mut control = supervisor.start(Deadline::new(1_000, None)).unwrap();
    supervisor.request(&mut control, Request::Run).unwrap();
    (supervisor, control)
}

/// The model's angle is that of atan2. No pose has an angle above π.
#[test]
fn readings_without_a_pose_are_refused_before_the_motors_are_on() {
    let (supervisor, mut control) = asked(watch());
    for _ in 0..16 {
        assert_eq!((control.latched(), control.record().output), (None, Output::Off));
        supervisor.step(&mut control, &mut Still(4.0));
    }
    let latched = control.latched().unwrap();
    assert!(matches!(latched.reason, Reason::NoPose { index: 0, limit: 0.01, .. }), "{latched}");
    assert_eq!((latched.tick, latched.state, control.record().output), (15, State::Homing, Output::Off));
}

/// The loop must not follow a path at which the machine has not arrived. The readings are good, so it is held. The motor pushes at its
/// limit until then; with the usual patience, that would be the fault.
#[test]
fn a_machine_that_has_not_arrived_is_held() {
    let (supervisor, mut control) = asked(Watch { patience: 1_000, ..watch() });
    while control.state() == State::Homing {
        supervisor.step(&mut control, &mut Still(0.5));
    }
    let latched = control.latched().unwrap();
    assert!(matches!(latched.reason, Reason::NotHome { index: 0, error, limit: 0.05 } if error > 1.0), "{latched}");
    assert_eq!((latched.state, control.record().output), (State::Homing, Output::Held));
}

/// A tick that is skipped allows a reading the motion of two ticks, and no more; a reset allows any reading.
#[test]
fn skipped_ticks_and_a_reset_count_for_jumps() {
    let (supervisor, mut control) = asked(watch());
    let tick = |control: &mut LoopState<Plan, Law, 1>, clock: u32, reading| {
        supervisor.tick(control, &mut Still(reading), &mut { clock }, &mut ());
        control.latched().map(|latched| latched.reason)
    };
    assert_eq!(tick(&mut control, 0, 0.5), None);
    assert_eq!(tick(&mut control, 2_000, 0.65), None);
    assert!(matches!(tick(&mut control, 4_000, 0.9), Some(Reason::Jump { index: 0, .. })));
    supervisor.request(&mut control, Request::Reset).unwrap();
    assert_eq!(tick(&mut control, 5_000, -1.0), None);
}

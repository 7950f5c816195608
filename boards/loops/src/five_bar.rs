//! A five-bar linkage in `f32` at 1 kHz: its tip on a circle of radius 0.03 m about (0, 0.17), at two revolutions per second.

use mechanisms::FiveBar;
use taut::control::{Actuators, ComputedTorque, InverseDynamics};
use taut::device::{Plant, Sensor};
use taut::linalg::Vector;
use taut::method::RungeKutta4;
use taut::start::{Clock, Start, State};
use taut::supervise::{Deadline, EncoderLimits, LoopState, Supervisor, Watch};
use taut::trajectory::{Circle, Either, Trajectory};

use crate::{Brake, Braked, Detours, Options, Path, Place, Rig, Unusable};

/// Ticks a second.
pub const RATE: u32 = 1_000;
const TICK: f32 = 1e-3;

type Plan<Path> = InverseDynamics<FiveBar<f32>, Path, 4, 2, 2>;
type Loop<Path> = Supervisor<Plan<Path>, Law, 2>;
type Law = ComputedTorque<f32, 4, 2, 2>;
type Machine = Braked<FiveBar<f32>, RungeKutta4<f32>, State<f32, 4, 2>, 2, 2>;

/// The loop alone and its state, for a machine on a bench.
pub type Control = (Loop<Circle<f32, 2>>, LoopState<Plan<Circle<f32, 2>>, Law, 2>);

/// The loop and its machine.
pub type Program = Rig<Plan<Path<Circle<f32, 2>, 2>>, Law, Machine, 2, 2>;

impl Place<4> for FiveBar<f32> {
    fn place(&self, q: &Vector<f32, 4>) -> [f32; 2] {
        [q[2], q[3]]
    }
}

/// A machine with its tip at rest at (−0.02, 0.15), a twentieth heavier there than its model, with encoders of 16 bits; and its loop, for a
/// clock of so many counts a tick.
pub fn program(options: Options, period: u32) -> Result<Program, Unusable> {
    let heavy = FiveBar { tip_mass: 0.105, ..FiveBar::standard() };
    let state = Start::at(&heavy, Clock::at_rate(1_000.0)?, heavy.elbows_out([-0.02, 0.15].into())).at_rest()?;
    let plant = Plant::new(heavy, state, RungeKutta4::new()).sensors([Sensor::bits_per_turn(16); 2]);
    // 2e-3 kg m² at each motor: 300 rad/s, well damped.
    let machine = Braked::new(plant, [Brake { stiffness: 180.0, damping: 0.9 }; 2]);
    // The arms are stretched at y = √(0.26² − 0.05²).
    let detours = Detours { infeasible: ([0.0, 0.30], 0.5), singular: ([0.0, 0.255_147], 1.5) };
    Ok(Rig::new(supervisor(Either::First(circle()?))?, machine, detours, (options, period))?)
}

/// The loop without a machine, for a clock of so many counts a tick. The encoders read the angles of the two cranks, in radians from the
/// line between them, and the motors have 1 N m.
pub fn control(period: u32) -> Result<Control, Unusable> {
    let supervisor = supervisor(circle()?)?;
    let state = supervisor.start(Deadline::new(period, None))?;
    Ok((supervisor, state))
}

fn circle() -> Result<Circle<f32, 2>, Unusable> {
    Ok(Circle::around([0.0, 0.17], 0.03, 2, 1_000, TICK)?)
}

fn supervisor<Path: Trajectory<2, Base = f32> + Clone>(path: Path) -> Result<Loop<Path>, Unusable> {
    let linkage = FiveBar::standard();
    let start = linkage.elbows_out(path.at(0.0));
    let plan = InverseDynamics::new(linkage, path, TICK, start)?.with_velocity_limits([8.0, 8.0, 1.0, 1.0])?;
    let law = ComputedTorque::new([100.0; 2], TICK, 230.0)?;
    // A count of 16 bits; twice the largest speed of a plan; less than the space around the cranks.
    let encoder = EncoderLimits { resolution: 1e-4, top_speed: 16.0, largest_error: 0.1 };
    let watch = Watch {
        stuck_travel: [0.02; 2],
        // At 8 rad/s a brake of 300 rad/s takes 0.013 rad.
        off_travel: Some([0.03; 2]),
        homing_speed: [2.0; 2],
        ..Watch::new(Actuators::new([1.0; 2])?, [encoder; 2])
    };
    Ok(Supervisor::new(plan, law, watch)?)
}

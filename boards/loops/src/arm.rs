//! An arm with a motor in its joint, in `f32` at 250 Hz: the height of its bob swings by 0.25 m about the joint's, once a second.
//!
//! Small enough for a processor without an FPU: at 16 MHz a tick has 64,000 instructions. Hence the controller is a PID around the feedforward, and the
//! machine's state a plain one.

use mechanisms::Arm;
use taut::control::{Actuators, Gains, InverseDynamics, Pid};
use taut::device::{Plant, Sensor};
use taut::linalg::{Ldlt, Vector};
use taut::method::Rattle;
use taut::start::{Clock, Plain, Start, State};
use taut::supervise::{EncoderLimits, Supervisor, Watch};
use taut::trajectory::{Either, Lissajous};

use crate::{Brake, Braked, Detours, Options, Path, Place, Rig, Unusable};

/// Ticks a second.
pub const RATE: u32 = 250;
const TICK: f32 = 4e-3;

type Plan = InverseDynamics<Arm<f32>, Path<Lissajous<f32, 1>, 1>, 2, 1, 1>;
type Machine = Braked<Arm<f32>, Rattle, State<f32, 2, 1, Ldlt<f32, 1>, Plain>, 1, 1>;

/// The loop and its machine.
pub type Program = Rig<Plan, Pid<f32, 1>, Machine, 1, 1>;

impl Place<2> for Arm<f32> {
    fn place(&self, q: &Vector<f32, 2>) -> [f32; 2] {
        [q[0], q[1]]
    }
}

/// A machine that hangs at rest, 0.3 rad from its lowest position, a twentieth heavier than its model, with an encoder of 16 bits; and its loop, for a
/// clock of so many counts a tick.
pub fn program(options: Options, period: u32) -> Result<Program, Unusable> {
    let arm = Arm::standard();
    // From the lowest point on, where it is at rest: no run-up is needed.
    let path = Either::First(Lissajous::around([0.0], [0.25], [1], [-core::f32::consts::FRAC_PI_2], 250, TICK)?);
    let plan = InverseDynamics::new(arm, path, TICK, [0.433, -0.25])?.with_velocity_limits([3.0; 2])?;
    // ω = 25/s: ω² and 2 ω times the inertia of 0.25 kg m².
    let gains = Gains { proportional: 156.25, integral: 0.0, derivative: 12.5 };
    let law = Pid::new([gains], TICK, 150.0)?;
    // A count of 16 bits; twice the speed of a fall from the top.
    let encoder = EncoderLimits { resolution: 1e-4, top_speed: 25.0, largest_error: 0.2 };
    // At 8 rad/s a brake of 100 rad/s takes 0.05 rad.
    let watch =
        Watch { off_travel: Some([0.1]), homing_speed: [2.0], ..Watch::new(Actuators::new([12.0])?, [encoder]) };
    let supervisor = Supervisor::new(plan, law, watch)?;

    let heavy = Arm { mass: 1.05, ..arm };
    let (sin, cos) = (0.295_520_2, 0.955_336_5);
    let state = Start::at(&heavy, Clock::at_rate(250.0)?, [0.5 * sin, -0.5 * cos]).plain().at_rest()?;
    let plant = Plant::new(heavy, state, Rattle::new()).sensors([Sensor::bits_per_turn(16)]);
    // 0.25 kg m²: 100 rad/s, well damped.
    let machine = Braked::new(plant, [Brake { stiffness: 2_500.0, damping: 35.0 }]);
    // Hanging down, no motion of the arm lowers the bob.
    let detours = Detours { infeasible: ([-0.6], 0.5), singular: ([-0.5], 0.5) };
    Ok(Rig::new(supervisor, machine, detours, (options, period))?)
}

//! An overhead crane in `f32` at 1 kHz: its load of 100 kg by 5 m and up by 3 m in 6 s, without a swing.

use mechanisms::Crane;
use taut::control::{Actuators, ComputedTorque, FlatInverse, Pendulous, SwingDamping};
use taut::device::{Plant, Sensor};
use taut::linalg::Vector;
use taut::method::Rattle;
use taut::start::{Clock, Start, State};
use taut::supervise::{EncoderLimits, Supervisor, Watch};
use taut::trajectory::{Either, Nonic};

use crate::{Brake, Braked, Detours, Options, Path, Place, Rig, Unusable};

/// Ticks a second.
pub const RATE: u32 = 1_000;
const TICK: f32 = 1e-3;

type Plan = FlatInverse<Crane<f32>, Path<Nonic<f32, 2>, 2>, 4, 1, 2>;
type Law = SwingDamping<ComputedTorque<f32, 4, 1, 2>, f32>;
type Machine = Braked<Crane<f32>, Rattle, State<f32, 4, 1>, 3, 2>;

/// The loop and its machine.
pub type Program = Rig<Plan, Law, Machine, 3, 2>;

impl Place<4> for Crane<f32> {
    fn place(&self, q: &Vector<f32, 4>) -> [f32; 2] {
        [q[0], q[1]]
    }
}

/// A machine at rest, 0.02 m to the side and 0.1 m up, its load a twentieth heavier than its model's, with encoders of 16 bits; and its loop, for
/// a clock of so many counts a tick.
pub fn program(options: Options, period: u32) -> Result<Program, Unusable> {
    let crane = Crane::standard();
    let path = Either::First(Nonic::point_to_point([0.0, -4.0], [5.0, -1.0], 6.0)?);
    let plan = FlatInverse::new(crane, path, TICK)?.with_velocity_limits([4.0; 4])?;
    let stiff = ComputedTorque::new([20.0; 2], TICK, 46.0)?;
    let rope = Pendulous { motor: 0, encoder: 2, length: 2.0, gravity: 9.81 };
    let law = SwingDamping::around(stiff, rope, 1.5, TICK, 100.0)?;
    // Counts of 16 bits, at a drum of 0.1 m; twice the speed of the plan; a rope that swings by 30°.
    let drum = EncoderLimits { resolution: 1e-5, top_speed: 8.0, largest_error: 0.5 };
    let rope = EncoderLimits { resolution: 1e-4, top_speed: 8.0, largest_error: 0.5 };
    let watch = Watch {
        stuck_travel: [0.02, 0.02, 0.1],
        off_travel: Some([0.1; 2]),
        braking: 0.3,
        stopping_distance: [2.0; 2],
        homing_speed: [0.5; 2],
        shortest_homing: 4.0,
        arrival: [0.05; 2],
        ..Watch::new(Actuators::new([1_000.0, 4_000.0])?, [drum, EncoderLimits { largest_error: 0.2, ..drum }, rope])
    };
    let supervisor = Supervisor::new(plan, law, watch)?;

    let heavy = Crane { load: 105.0, ..crane };
    let state = Start::at(&heavy, Clock::at_rate(1_000.0)?, [0.02, -3.9, 0.02, 3.9]).at_rest()?;
    let drum = Sensor::bits_per_turn_of_drum(16, 0.1);
    let plant = Plant::new(heavy, state, Rattle::new()).sensors([drum, drum, Sensor::bits_per_turn(16)]);
    // The trolley of 10 kg at 100 rad/s; winch and load at the same.
    let machine =
        Braked::new(plant, [Brake { stiffness: 1e5, damping: 1_400.0 }, Brake { stiffness: 1e6, damping: 10_000.0 }]);
    // In 0.5 s the load would have to fall faster than it falls; at the height of the trolley there is no rope.
    let detours = Detours { infeasible: ([5.0, -10.0], 0.5), singular: ([0.0, 0.0], 4.0) };
    Ok(Rig::new(supervisor, machine, detours, (options, period))?)
}

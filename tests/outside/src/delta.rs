//! A delta robot: three motors on the base turn three arms, and three rods from their elbows carry the tip. The angles of the arms count
//! downwards from the horizontal.

use loops::Unusable;
use loops::machine::{self, Circle, Task};
use taut::control::Actuators;
use taut::supervise::{EncoderLimits, Watch};

/// Half the square root of three.
const H: f64 = 0.866_025_403_784_438_6;

taut::mechanism! {
    /// The robot, with a load at its tip.
    pub struct Delta in space {
        base_1: Fixed { at: [0.05, 0.0, 0.0] },
        base_2: Fixed { at: [-0.025, 0.05 * H, 0.0] },
        base_3: Fixed { at: [-0.025, -0.05 * H, 0.0] },
        arm_1: Arm(base_1) { zero: [1.0, 0.0, 0.0], quarter: [0.0, 0.0, -1.0], length: 0.10, mass: 0.05 },
        arm_2: Arm(base_2) { zero: [-0.5, H, 0.0], quarter: [0.0, 0.0, -1.0], length: 0.10, mass: 0.05 },
        arm_3: Arm(base_3) { zero: [-0.5, -H, 0.0], quarter: [0.0, 0.0, -1.0], length: 0.10, mass: 0.05 },
        tip: Point { mass: 0.10 } near [0.0, 0.01, -0.21],
        rod_1: Rod(arm_1, tip) { length: 0.25, mass: 0.04 },
        rod_2: Rod(arm_2, tip) { length: 0.25, mass: 0.04 },
        rod_3: Rod(arm_3, tip) { length: 0.25, mass: 0.04 },
    }
    motors arm_1, arm_2, arm_3;
    encoders arm_1, arm_2, arm_3;
    output tip;
}

/// Ticks a second.
pub const RATE: u32 = 500;
/// The circle of the tip, in metres.
pub const CENTRE: [f32; 3] = [0.0, 0.0, -0.22];
pub const RADIUS: f32 = 0.03;

/// The circle, one turn a second.
pub fn task() -> Result<Task<Circle<f32, 3>, 3, 3>, Unusable> {
    // 14 bits a turn; at most 20 rad/s; an error of 0.1 rad is a fault.
    let encoder = EncoderLimits { resolution: 4e-4, top_speed: 20.0, largest_error: 0.1 };
    Ok(Task {
        rate: RATE,
        path: machine::circle(CENTRE, [RADIUS, 0.0, 0.0], [0.0, RADIUS, 0.0], 1, RATE)?,
        // N m
        watch: Watch::new(Actuators::new([3.0; 3])?, [encoder; 3]),
        // rad/s
        frequency: [40.0; 3],
    })
}

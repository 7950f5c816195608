//! How it is driven: servo constraints, which say what inputs a prescribed motion takes, controllers around them, and the loop.
//!
//! An [`Actuated`] system is a [`Mechanical`](crate::system::Mechanical) one with inputs u and as many outputs s(q), and a servo
//! constraint makes its output follow a [trajectory](crate::trajectory) γ:
//!
//! ```text
//!     M q'' = f(t, q, v) + B(q) u − G(t, q)ᵀ λ,    0 = g(t, q),    s(q) = γ(t)
//! ```
//!
//! Solving that for u is inverse dynamics, a [`Feedforward`]: at each tick it gives the [`Reference`], how the system is to
//! move and the inputs that make it move so. A tracking controller adds what is needed because the model is not the plant.
//!
//! | feedforward | for | derivatives of γ | index |
//! |---|---|---|---|
//! | [`InverseDynamics`] | as many outputs as degrees of freedom: linkages, arms | 2 | 3, reduced to 1 |
//! | [`FlatInverse`] | fewer inputs than degrees of freedom, a [`Flat`] output: cranes, elastic joints | 4 | 5, reduced to 1 |
//! | [`ProjectedInverse`] | the same, in `f64`, with fewer derivatives | 3 | 5, reduced to 3 |
//!
//! Each states how many continuous derivatives it needs and refuses a trajectory that has fewer, at compile time where its kind
//! decides. The first two have no memory that could be wrong: their inputs are right at the first tick and after every
//! re-plan. A servo constraint of index 5 that is discretised as it stands is a backward difference of the fourth order:
//! thousands of newtons at the start, and noise of ε/h⁴.
//!
//! What cannot be done is said, not done: a target out of reach or too far from the last, a singular pose, a velocity or
//! an input above its limit, a rope that would have to push. Then everything is as it was before, see [`ControlError`].
//! [`rehearse`] goes through a motion before it begins.
//!
//! # In a loop
//!
//! [`Tracking`] reads the encoders of a [`Machine`], asks a feedforward where they should be, lets a [`Controller`] say what the motors
//! are to do about the difference, and keeps to what the [`Actuators`] have. What it cannot follow it reports, and brings the
//! motors to rest: the safe hold, described there.
//!
//! | controller | knows | choose it |
//! |---|---|---|
//! | [`ComputedTorque`] | the model: feedback acts alike in every pose and motion; an observer on the constraints makes velocities of counts | by default |
//! | [`Pid`] | nothing: each motor on its own around the feedforward | for a fraction of the cost, where inertias at the motors vary little |
//! | [`SwingDamping`] around one of them | what hangs from a motor's axis | for cranes |
//!
//! [`supervisor`] is the loop around that, as a board runs it: states from idle to fault, the way to where the path begins, deadlines, faults and their
//! safe outputs, telemetry.
//!
//! A [`Plant`] is a machine made of taut: any model, with encoders that count, noise, delays, friction and parameters of its own. A
//! board's encoders and motors stand behind the same traits, [`Encoder`] and [`Motor`]: [`device`] has them on `embedded-hal`. At 1 kHz in `f32`, the distance from
//! the path is at most, with [`ComputedTorque`]:
//!
//! | | exact parameters | masses 5% off, encoders of 12 bits |
//! |---|---|---|
//! | crane, 5 m × 3 m in 6 s, over the length of the rope (ω = 20/s) | 7.4e-5 | 1.7e-3; 1.2e-3 with a re-plan on the way |
//! | five-bar linkage, circle at 2 revolutions per second, over the reach (ω = 100/s) | 2.1e-5 | 7.1e-4 |
//!
//! A whole tick takes 2,475 instructions for the crane and 5,542 for the linkage on a Cortex-M4F, 1,664 and 3,790 with a [`Pid`], and the
//! same in every tick to a percent.
//!
//! ```
//! use systems::FiveBar;
//! use taut::control::{Actuators, ComputedTorque, InverseDynamics, Plant, Sensor, Tracking, Watch};
//! use taut::method::RungeKutta4;
//! use taut::start::Start;
//! use taut::trajectory::{MinimumJerk, Trajectory};
//!
//! let (linkage, h) = (FiveBar::<f32>::standard(), 1e-3);
//! let path = MinimumJerk::point_to_point([0.03, 0.17], [-0.03, 0.17], 0.5)?;
//! let pose = linkage.elbows_out(path.at(0.0));
//!
//! // What the machine is, here a simulated one, whose tip is heavier than it should be ...
//! let heavy = FiveBar { tip_mass: 0.105, ..linkage };
//! let state = Start::at(&heavy, pose).at_rest()?;
//! let mut plant = Plant::new(heavy, state, RungeKutta4::at_rate(1_000.0)?).sensors([Sensor::bits_per_turn(12); 2]);
//!
//! // ... and what drives it.
//! let feedforward = InverseDynamics::new(linkage, path, h, pose)?;
//! let law = ComputedTorque::<f32, 4, 2, 2>::new([100.0; 2], h, 500.0)?; // rad/s
//! let motors = Actuators::new([1.0; 2], [f32::INFINITY; 2], h)?; // N m, and as fast as they please
//! let mut tracking = Tracking::new(linkage, feedforward, law, motors, Watch::standard(), 0)?;
//! for _ in 0..600 {
//!     let report = tracking.tick(&mut plant)?;
//!     assert!(report.fault.is_none());
//!     plant.tick()?;
//! }
//! assert!((plant.state().position()[2] + 0.03).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod actuated;
mod actuator;
mod bounds;
mod computed_torque;
mod controller;
mod course;
pub mod device;
mod error;
mod feedforward;
mod flat;
mod flat_inverse;
mod inverse_dynamics;
mod pid;
mod plant;
mod projected_inverse;
mod rehearsal;
mod report;
mod sensed;
pub mod supervisor;
mod swing;
mod tangent;
mod tracking;

pub use actuated::Actuated;
pub use actuator::{Actuators, Clip};
pub use computed_torque::ComputedTorque;
pub use controller::{Controller, Target};
pub use device::{DeviceError, Encoder, Machine, Motor, Wired};
pub use error::{ControlError, Equation, Singularity};
pub use feedforward::{Feedforward, Reference};
pub use flat::Flat;
pub use flat_inverse::FlatInverse;
pub use inverse_dynamics::InverseDynamics;
pub use pid::{Gains, Pid};
pub use plant::{Delay, Friction, LONGEST_DELAY, Plant, PlantError, Random, Sensor, Steps};
pub use projected_inverse::ProjectedInverse;
pub use rehearsal::{Demand, rehearse};
pub use report::{Fault, LoopError, TickReport, Watch};
pub use sensed::{Sensed, Shafts};
pub use swing::{Pendulous, SwingDamping};
pub use tracking::Tracking;

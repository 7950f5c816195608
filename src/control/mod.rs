//! How it is driven: servo constraints compute the inputs of a prescribed motion, controllers add feedback.
//!
//! An [`Actuated`] system is a [`Mechanical`](crate::system::Mechanical) one with inputs u and as many outputs s(q). A servo
//! constraint makes its output follow a [trajectory](crate::trajectory) γ:
//!
//! ```text
//!     M q'' = f(t, q, v) + B(q) u − G(t, q)ᵀ λ,    0 = g(t, q),    s(q) = γ(t)
//! ```
//!
//! Solving this for u is inverse dynamics, a [`Feedforward`]. At each tick it gives the [`Reference`]: the wanted motion and the
//! inputs that it takes. A controller corrects the difference between model and machine.
//!
//! | feedforward | for | derivatives of γ | index |
//! |---|---|---|---|
//! | [`InverseDynamics`] | as many outputs as degrees of freedom: linkages, arms | 2 | 3, reduced to 1 |
//! | [`FlatInverse`] | fewer inputs than degrees of freedom, a [`Flat`] output: cranes, elastic joints | 4 | 5, reduced to 1 |
//! | [`ProjectedInverse`] | the same, in `f64`, with fewer derivatives | 3 | 5, reduced to 3 |
//!
//! Each states how many continuous derivatives it needs, and refuses a trajectory that has fewer: at compile time if the type of the
//! trajectory tells, else when the plan is made. The first two use no history, so their inputs are right at the first tick and
//! after every re-plan. A servo constraint of index 5 without index reduction is a backward difference of fourth order: thousands of
//! newtons at the start, and noise of ε/h⁴.
//!
//! | controller | uses | choose it |
//! |---|---|---|
//! | [`ComputedTorque`] | the model: feedback acts alike in every pose and motion; an observer on the constraints estimates velocities from counts | by default |
//! | [`Pid`] | no model: each motor on its own, plus the feedforward | for a fraction of the cost, if the inertias at the motors vary little |
//! | [`SwingDamping`] around one of them | the length of the rope | for cranes |
//!
//! Plans and controllers are immutable configuration; their state is passed in, as it is to the [methods](crate::method). A plan
//! refuses a target out of reach or too far from the last one, a singular pose, a velocity or an input above its limit, and a
//! rope that would have to push. The state is then unchanged, see [`ControlError`]. [`rehearse`] checks a whole motion before it
//! begins.
//!
//! # In a loop
//!
//! A [`Supervisor`](crate::supervise::Supervisor) reads the encoders of a [`Machine`](crate::device::Machine), asks the feedforward
//! for the target, asks the [`Controller`] for efforts, and clips them to the limits of the [`Actuators`]. A
//! [`Plant`](crate::device::Plant) is a simulated machine. The largest distance from the path at 1 kHz in `f32` with
//! [`ComputedTorque`]:
//!
//! | | exact parameters | masses 5% off, encoders of 12 bits |
//! |---|---|---|
//! | crane, 5 m × 3 m in 6 s, over the length of the rope (ω = 20/s) | 7.4e-5 | 1.7e-3; 1.2e-3 with a re-plan on the way |
//! | five-bar linkage, circle at 2 revolutions per second, over the reach (ω = 100/s) | 2.1e-5 | 7.1e-4 |
//!
//! `cargo xtask budget` counts the instructions of a whole tick. They vary by a percent at most.
//!
//! ```
//! use mechanisms::FiveBar;
//! use taut::control::{Actuators, ComputedTorque, Feedforward, InverseDynamics};
//! use taut::device::{Plant, Sensor};
//! use taut::method::RungeKutta4;
//! use taut::start::{Clock, Start};
//! use taut::supervise::{Supervisor, Watch};
//! use taut::trajectory::{MinimumJerk, Trajectory};
//!
//! let (linkage, h) = (FiveBar::<f32>::standard(), 1e-3);
//! let path = MinimumJerk::point_to_point([0.03, 0.17], [-0.03, 0.17], 0.5)?;
//! let pose = linkage.elbows_out(path.at(0.0));
//!
//! // The machine, here simulated, with a heavier tip than the model ...
//! let heavy = FiveBar { tip_mass: 0.105, ..linkage };
//! let state = Start::at(&heavy, Clock::at_rate(1_000.0)?, pose).at_rest()?;
//! let mut plant = Plant::new(heavy, state, RungeKutta4::new()).sensors([Sensor::bits_per_turn(12); 2]);
//!
//! // ... and its control loop.
//! let plan = InverseDynamics::new(linkage, path, h, pose)?;
//! let law = ComputedTorque::<f32, 4, 2, 2>::new([100.0; 2], h, 500.0)?; // rad/s
//! let motors = Actuators::new([1.0; 2], [f32::INFINITY; 2], h)?; // N m, at any rate of change
//! let supervisor = Supervisor::new(plan, law, Watch { motors, ..Watch::standard() })?;
//! let mut control = supervisor.start_on_path(plan.start()?, 0)?;
//! for _ in 0..600 {
//!     supervisor.step(&mut control, &mut plant);
//!     assert!(control.latched().is_none());
//!     plant.tick()?;
//! }
//! assert!((plant.state().position()[2] + 0.03).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod actuated;
mod actuator;
pub(crate) mod checks;
mod computed_torque;
mod controller;
mod course;
mod error;
mod feedforward;
mod flat;
mod flat_inverse;
mod inverse;
mod inverse_dynamics;
mod pid;
mod projected_inverse;
mod rehearsal;
mod sensed;
mod swing;
pub(crate) mod tangent;

pub use actuated::{Actuated, Driven};
pub use actuator::{Actuators, Clip};
pub use computed_torque::{ComputedTorque, Observer};
pub use controller::{Controller, Stateful, Target};
pub use error::{ControlError, Singularity};
pub use feedforward::{Feedforward, Reference};
pub use flat::Flat;
pub use flat_inverse::FlatInverse;
pub use inverse::{Following, Inverse};
pub use inverse_dynamics::InverseDynamics;
pub use pid::{Gains, Pid, PidState};
pub use projected_inverse::ProjectedInverse;
pub use rehearsal::rehearse;
pub use sensed::Sensed;
pub use swing::{Pendulous, SwingDamping, SwingState};

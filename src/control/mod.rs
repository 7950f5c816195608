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
//! A linear plant needs no flat output: a [`Hessenberg`] system of any index gives the input through the lag of an actuator, spring and
//! filter, with the derivatives that it takes.
//!
//! | controller | uses | choose it |
//! |---|---|---|
//! | [`ComputedTorque`] | the model: feedback acts alike in every pose and motion; an observer on the constraints estimates velocities from counts, and disturbances such as friction | by default |
//! | [`Pid`] | no model: each motor on its own, plus the feedforward | for a fraction of the cost, if the inertias at the motors vary little |
//! | [`SwingDamping`] around one of them | the length of the rope | for cranes |
//! | [`GainTable`] | the model, [linearised](linearise) around a motion | for fewer motors than degrees of freedom: gains of least quadratic cost |
//!
//! # Kinematics and statics
//!
//! [`Kinematics`] maps velocities and forces between motors, coordinates and tool in a pose, and tells which torques hold a load.
//! [`MotorLimits`] gives the positions, speeds and accelerations of the motors along a plan: all that a machine with steppers needs.
//!
//! # Gains
//!
//! [`ComputedTorque::by_rule`] and [`Pid::by_rule`] take one number for each motor, the frequency ω with which errors decay. The guide's
//! page [`tune`](crate::guide::tune) compares both controllers. The rule:
//!
//! | quantity | rule | because |
//! |---|---|---|
//! | ω | at most 1/(8 tick) | with one more tick of delay, the loop still keeps a distance of 0.25 from instability |
//! | bandwidth of the observer | 2.3 ω | less noise and less error than a PID controller of the same ω |
//! | effort that one count moves | at most a quarter of the motor's largest | the rest is for the motion |
//! | gains of a PID controller | K_p = J ω², K_d = 2 J ω, K_i = J ω³/8, derivative up to 5 ω | a double pole at −ω; T_i = 4 T_d (Ziegler and Nichols) |
//!
//! J is the [inertia at the motor](inertia_at_motors) where the path begins, with the other motors held.
//!
//! # Limits
//!
//! Plans and controllers are immutable configuration; their state is passed in, as it is to the [methods](crate::method). A plan
//! refuses a target out of reach or too far from the last one, a pose that is or is nearly singular, a velocity, a position or an
//! input beyond its limit, and a rope that would have to push. The state is then unchanged, see [`ControlError`]. [`rehearse`] checks a
//! whole motion before it begins, [`Inverse::look_ahead`] another one on the way.
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
//! | crane, 5 m × 3 m in 6 s, over the length of the rope (ω = 20/s) | 1.2e-5 | 6.5e-4; 7.9e-4 with a re-plan on the way |
//! | five-bar linkage, circle at 2 revolutions per second, over the reach (ω = 100/s) | 5.9e-6 | 5.3e-4 |
//!
//! `cargo xtask budget` counts the instructions of a whole tick. They vary by a percent at most.
//!
//! ```
//! use mechanisms::FiveBar;
//! use taut::control::{Actuators, ComputedTorque, Feedforward, InverseDynamics};
//! use taut::device::{Plant, Sensor};
//! use taut::method::RungeKutta4;
//! use taut::start::{Clock, Start};
//! use taut::supervise::{EncoderLimits, Supervisor, Watch};
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
//! let encoder = EncoderLimits { resolution: 1.6e-3, top_speed: 10.0, largest_error: 0.1 }; // rad, rad/s, rad
//! let watch = Watch::new(Actuators::new([1.0; 2])?, [encoder; 2]); // N m
//! let law = ComputedTorque::<f32, 4, 2, 2>::by_rule(&plan, [100.0; 2], &watch)?; // rad/s
//! let supervisor = Supervisor::new(plan, law, watch)?;
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
mod blocks;
pub(crate) mod checks;
mod computed_torque;
mod controller;
mod course;
mod error;
mod estimation;
mod feedforward;
mod flat;
mod flat_inverse;
mod hessenberg;
mod hessenberg_constant;
mod hessenberg_error;
mod hessenberg_state;
mod inertia;
mod inverse;
mod inverse_dynamics;
mod kinematics;
mod linear_quadratic;
mod linearised;
mod pid;
mod projected_inverse;
mod rehearsal;
mod rule;
mod sensed;
mod singular_arc;
mod singularity;
mod structure;
mod swing;
pub(crate) mod tangent;
pub(crate) mod turns;

pub use actuated::{Actuated, Driven};
pub use actuator::{Actuators, Clip};
pub use computed_torque::{ComputedTorque, Observer};
pub use controller::{Controller, Stateful, Target};
pub use error::ControlError;
pub use feedforward::{Feedforward, Reference};
pub use flat::Flat;
pub use flat_inverse::FlatInverse;
pub use hessenberg::{Hessenberg, HessenbergTables, StateSpace, state_space_series};
pub use hessenberg_constant::ConstantHessenberg;
pub use hessenberg_error::HessenbergError;
pub use hessenberg_state::{HessenbergState, boundary_value};
pub use inertia::inertia_at_motors;
pub use inverse::{Following, Inverse};
pub use inverse_dynamics::InverseDynamics;
pub use kinematics::{Kinematics, MotorLimits};
pub use linear_quadratic::{GainTable, LinearQuadratic, QuadraticError};
pub use linearised::linearise;
pub use pid::{Gains, Pid, PidState};
pub use projected_inverse::ProjectedInverse;
pub use rehearsal::rehearse;
pub use sensed::Sensed;
pub use singular_arc::SingularArc;
pub use singularity::Singularity;
pub use swing::{Pendulous, SwingDamping, SwingState};

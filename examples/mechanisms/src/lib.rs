//! The systems that tests, budgets, examples and firmware share: one definition each, so that all
//! numbers refer to the same system.
//!
//! Each is generic over its base scalar. A system with hand-written derivatives implements [`HandWritten`], and
//! [`ByHand`] steps it with those instead of the automatic ones.

#![no_std]

mod arm;
mod bead;
mod both;
mod breathing;
mod by_hand;
mod cart_pole;
mod chain;
mod crane;
mod delta;
mod delta_points;
mod double_pendulum;
mod driven;
mod encoders;
mod five_bar;
mod five_bar_points;
mod four_bar;
mod four_bar_points;
mod hanging_chain;
mod heavy_slider_crank;
mod index_one;
mod kepler;
mod lagging_motor;
mod linear_implicit;
mod lines;
mod massless;
mod mobile;
pub mod parts;
mod pendulum;
mod pinned_bars;
mod problem_5_1;
mod problem_5_2;
mod prothero_robinson;
mod rigid_body;
mod ring;
mod robot_arm;
mod slider_crank;
mod spherical_pendulum;
mod steering_wheel;
mod stiff_actuator;
mod suspended_chain;
mod turning;
mod turning_line;
mod two_masses;

pub use arm::Arm;
pub use bead::Bead;
pub use both::Both;
pub use breathing::Breathing;
pub use by_hand::{ByHand, HandWritten};
pub use cart_pole::CartPole;
pub use chain::Chain;
pub use crane::Crane;
pub use delta::Delta;
pub use delta_points::DeltaPoints;
pub use double_pendulum::DoublePendulum;
pub use driven::Driven;
pub use five_bar::FiveBar;
pub use five_bar_points::FiveBarPoints;
pub use four_bar::FourBar;
pub use four_bar_points::FourBarPoints;
pub use hanging_chain::{ChainLink, HangingChain};
pub use heavy_slider_crank::HeavySliderCrank;
pub use index_one::IndexOne;
pub use kepler::Kepler;
pub use lagging_motor::{LaggingMotor, Sine};
pub use linear_implicit::{GearPetzold, LinearImplicit, Pencil};
pub use lines::Lines;
pub use massless::{Connector, Lever};
pub use mobile::Mobile;
pub use pendulum::Pendulum;
pub use pinned_bars::PinnedBars;
pub use problem_5_1::Problem51;
pub use problem_5_2::Problem52;
pub use prothero_robinson::ProtheroRobinson;
pub use rigid_body::{BodyInvariants, RigidBody};
pub use ring::Ring;
pub use robot_arm::RobotArm;
pub use slider_crank::SliderCrank;
pub use spherical_pendulum::SphericalPendulum;
pub use steering_wheel::{SteeringWheel, Transformed};
pub use stiff_actuator::StiffActuator;
pub use suspended_chain::SuspendedChain;
pub use turning::{FreeBody, HeavyTop, LinearRate};
pub use turning_line::Turning;
pub use two_masses::TwoMasses;

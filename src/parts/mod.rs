//! Mechanisms from a list of parts.
//!
//! Rods, arms, sliders, springs, motors and encoders, each with a name, become a model: coordinates, masses, constraints, their pattern and
//! all derivatives follow from the list.
//!
#![doc = include_str!("../guide/figures/gallery.svg")]
//!
//! The lists of these mechanisms are in `examples/mechanisms/src/parts`. `cargo xtask gallery` lets them move.
//!
//! ```
//! use taut::prelude::*;
//!
//! taut::mechanism! {
//!     /// Two motors move a tip in the plane.
//!     pub struct FiveBar in plane, arms as angles {
//!         left: Fixed { at: [-0.05, 0.0] },
//!         right: Fixed { at: [0.05, 0.0] },
//!         one: Arm(left) { length: 0.10, mass: 0.05 } near 2.0,
//!         two: Arm(right) { length: 0.10, mass: 0.05 } near 1.0,
//!         tip: Point { mass: 0.10 } near [0.0, 0.17],
//!         rod_one: Rod(one, tip) { length: 0.16, mass: 0.05 },
//!         rod_two: Rod(two, tip) { length: 0.16, mass: 0.05 },
//!     }
//!     motors one, two;
//!     encoders one, two;
//!     output tip;
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let linkage = FiveBar::<f32>::new().build()?;
//! let clock = Clock::at_rate(1_000.0)?;
//! let mut state = Start::at(&linkage, clock, linkage.assembled()).at_rest()?;
//! for _ in 0..100 {
//!     RungeKutta4::new().step(&linkage, &mut state)?;
//! }
//!
//! // Parameters are fields. A change takes effect when the mechanism is built anew.
//! let mut description = FiveBar::<f32>::new();
//! description.tip.mass *= 1.05;
//! let heavier = description.build()?;
//!
//! // An error names the part.
//! description.right.at = [0.9, 0.0];
//! let error = description.build().unwrap_err();
//! assert!(error.part == "rod_one" || error.part == "rod_two");
//! assert!(error.to_string().contains(": 0.16 m does not fit between "));
//! # Ok(())
//! # }
//! ```
//!
//! # The parts
//!
//! | part | on | its fields | what it is |
//! |---|---|---|---|
//! | [`Fixed`] | | `at` | a point of the ground |
//! | [`Point`] | | `mass` | a point that moves freely |
//! | [`Arm`](plane::angles::Arm) | a point | `length`, `mass`; in space also `zero`, `quarter` | a uniform arm that turns about the point; its end is a point |
//! | [`Slider`] | a point | `along`, `mass` | a point that slides along a line through the point |
//! | [`Rod`], [`Strut`] | two points | `length`, `mass`; a strut has no mass | a uniform rod, and one without mass |
//! | [`Body`] | two points | `length`, `centre`, `mass`, `inertia` | a rigid body; in the plane |
//! | [`Corner`] | a rod, a strut or a body | `along`, `across`, `mass` | another of its points; in the plane |
//! | [`Pin`] | two points | `offset` | holds them together: a ball joint |
//! | [`Spring`], [`Damper`] | two points | `length`, `stiffness`; `damping` | a force along their distance |
//! | [`Piston`] | two points | `offset` | a motor that pushes them apart |
//! | [`Elbow`] | two arms | `offset` | a motor mounted on the first arm that turns the second |
//! | [`Rope`] | three points | `length` | a rope from the first over the second to the third |
//! | [`Gear`] | two arms, `arms as angles` | `ratio`, `offset` | a ratio of their angles |
//! | [`Guide`] | a point | `position`, `velocity`, `acceleration`, `since` | prescribed motion of the point; see [`motion`](Mechanism::motion) |
//! | [`Feed`] | a slider, or an arm, `arms as angles` | the same | prescribed displacement or angle |
//!
//! In space, there are bodies with three axes of their own, and joints between them:
//!
//! | part | on | its fields | what it is |
//! |---|---|---|---|
//! | [`Body`](SpaceBody) | | `mass`, `centre`, `moments` | a rigid body; as a point, the origin of its frame |
//! | [`SkewBody`] | | `mass`, `centre`, `moments`, `products` | the same with any inertia |
//! | [`Top`] | a point | `mass`, `centre`, `moments` about the point | a body that turns about the point |
//! | [`Corner`](SpaceCorner) | a body or a top | `at` | another of its points |
//! | [`Hinge`] | two points of bodies | `axis` | holds the points together and the axis common to both |
//! | [`Universal`] | two points of bodies | `first`, `second` | holds the points together and the two axes perpendicular |
//! | [`Prismatic`] | two points of bodies | `axis` | the second slides along the axis; the frames stay parallel |
//! | [`Weld`] | two points of bodies | `offset` | holds the points together and the frames parallel |
//! | [`Aligned`], [`Square`] | two bodies | as [`Hinge`] and [`Universal`] | the same without the points |
//!
//! A point of a body is the body itself (its origin), a corner, or a [`Fixed`] point: the ground has the axes x, y and z.
//! So a joint on the ground is the same part as one between two bodies.
//!
//! - **Units** are metres, kilograms, seconds and radians.
//! - **A part comes after those that it is on.** The coordinates and the constraints of a mechanism are in the order of the list;
//!   [`part_of_coordinate`](Mechanism::part_of_coordinate) names them.
//! - **`near`** is a guess of a part's coordinates: a position, an angle, or the displacement of a slider. A rough one suffices to assemble
//!   the mechanism; it decides which of several assemblies is found. Guesses that are off by a tenth of the shortest rod, and by 0.2 rad,
//!   find the same assembly for every mechanism of the gallery without redundant constraints (`tests/parts/near.rs`). Without `near`,
//!   coordinates are guessed as zero.
//! - **Errors** of starts, steps, plans and simulated machines have numbers of coordinates, constraints or motors.
//!   [`explain`](Mechanism::explain) names the part.
//! - **Masses** may be zero where another part at the same place has one. [`build_kinematics`](Mechanism::build_kinematics) needs none: for
//!   machines with steppers.
//! - **`gravity`** is a field of every list, 9.81 m/s² along −y in the plane and −z in space. A machine that lies on a table says
//!   `gravity 0.0;` behind its parts. No part can have this name.
//! - **Motors and encoders** sit on arms, elbows, sliders, pistons, hinges and prismatic joints. The encoders of the motors come first, in the
//!   order of the motors. A motor on an arm acts from the ground, also if the arm's pivot moves; one on an elbow, a hinge or a prismatic joint
//!   reacts on the part that it is mounted on.
//! - **The output** is what follows a path: points, corners, bodies, or whatever has a motor, with as many numbers as there are motors. That of an arm is its
//!   angle; to prescribe the position of its end, pin a [`Point`] to it. A mechanism without motors leaves out `motors`, `encoders` and `output`.
//!
//! # From the list to the torques
//!
//! A mechanism with motors and encoders is [`Actuated`](crate::control::Actuated) and [`Sensed`](crate::control::Sensed): every plan and
//! controller of the [guide](crate::guide::drive) takes it. A linear delta robot in space, on a circle:
//!
//! ```
//! use taut::control::{Feedforward, InverseDynamics};
//! use taut::trajectory::Circle;
//!
//! taut::mechanism! {
//!     pub struct LinearDelta in space, arms as points {
//!         foot_1: Fixed { at: [0.12, 0.0, 0.0] },
//!         foot_2: Fixed { at: [-0.06, 0.104, 0.0] },
//!         foot_3: Fixed { at: [-0.06, -0.104, 0.0] },
//!         slider_1: Slider(foot_1) { along: [0.0, 0.0, 1.0], mass: 0.15 } near 0.3,
//!         slider_2: Slider(foot_2) { along: [0.0, 0.0, 1.0], mass: 0.15 } near 0.3,
//!         slider_3: Slider(foot_3) { along: [0.0, 0.0, 1.0], mass: 0.15 } near 0.3,
//!         tip: Point { mass: 0.2 } near [0.0, 0.0, 0.1],
//!         rod_1: Rod(slider_1, tip) { length: 0.25, mass: 0.04 },
//!         rod_2: Rod(slider_2, tip) { length: 0.25, mass: 0.04 },
//!         rod_3: Rod(slider_3, tip) { length: 0.25, mass: 0.04 },
//!     }
//!     motors slider_1, slider_2, slider_3;
//!     encoders slider_1, slider_2, slider_3;
//!     output tip;
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let robot = LinearDelta::<f32>::new().build()?;
//! let tick = 1e-3;
//! // A turn a second, 3 cm about the axis, 10 cm above the feet.
//! let circle = Circle::ellipse([0.0, 0.0, 0.1], [0.03, 0.0, 0.0], [0.0, 0.03, 0.0], 1, 1_000, tick)?;
//! let plan = InverseDynamics::new(robot, circle, tick, robot.assembled())?;
//! let mut state = plan.start()?;
//! for tick in 0..1_000 {
//!     let reference = plan.at(&mut state, tick)?;
//!     let forces = reference.inputs; // of the three motors, in newtons
//!     assert!(forces.amax() < 5.0);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Angles or points
//!
//! One word chooses the coordinates of the arms:
//!
//! - `arms as points`: the ends of the arms are points, and the mass matrix is constant. For simulation: [RATTLE](crate::method::Rattle)
//!   needs a constant mass, and there are no sines. The encoder of such an arm, or of a hinge, reads an
//!   angle in [−π, π] [that jumps](crate::control::Sensed::WRAPS) at the end of a turn. Machines count the turns, also a simulated
//!   one, a [`Plant`](crate::device::Plant), and so do paths; plans, controllers and loops compare them by the shorter way.
//! - `arms as angles`: fewer coordinates, and angles that count their turns. For control: a tick solves equations in all coordinates. The mass varies, so
//!   [`RungeKutta4`](crate::method::RungeKutta4) steps it, and RATTLE does not.
//!
//! A list that says neither has angles if it has motors, and points if not: `pub struct FourBar in plane { … }`.
//!
//! # Loops with redundant constraints
//!
//! Hinges in space hold more than a closed loop needs: four parallel hinges in a loop are a four-bar linkage, although by their number nothing
//! could move. Say `redundant` in the header of such a list. Then the rank of the constraints is determined in each step, and the
//! multipliers are those of smallest norm. Without the word, [`build`](Mechanism::build) names the first part that depends on others.
//! [`start`](Mechanism::start) starts either kind.
//!
//! ```
//! use taut::prelude::*;
//!
//! taut::mechanism! {
//!     /// Two cranks and a coupler, with four parallel hinges.
//!     struct Parallelogram in space, arms as points, redundant {
//!         left: Fixed { at: [0.0, 0.0, 0.0] },
//!         right: Fixed { at: [0.4, 0.0, 0.0] },
//!         one: Body { mass: 0.2, centre: [0.0, 0.0, 0.1], moments: [8e-4, 8e-4, 1e-4] } near [0.0, 0.0, 0.0],
//!         two: Body { mass: 0.2, centre: [0.0, 0.0, 0.1], moments: [8e-4, 8e-4, 1e-4] } near [0.4, 0.0, 0.0],
//!         plate: Body { mass: 1.0, centre: [0.2, 0.0, 0.0], moments: [2e-3, 2e-2, 2e-2] } near [0.0, 0.0, 0.2],
//!         top_one: Corner(one) { at: [0.0, 0.0, 0.2] },
//!         top_two: Corner(two) { at: [0.0, 0.0, 0.2] },
//!         end: Corner(plate) { at: [0.4, 0.0, 0.0] },
//!         hinge_1: Hinge(left, one) { axis: [0.0, 1.0, 0.0] },
//!         hinge_2: Hinge(right, two) { axis: [0.0, 1.0, 0.0] },
//!         hinge_3: Hinge(top_one, plate) { axis: [0.0, 1.0, 0.0] },
//!         hinge_4: Hinge(top_two, end) { axis: [0.0, 1.0, 0.0] },
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let linkage = Parallelogram::<f64>::new().build()?;
//! let state = linkage.start(Clock::at_rate(1_000.0)?).at_rest()?;
//! // 36 coordinates and 38 constraints; one motion is left.
//! assert_eq!(state.correction().rank(), 35);
//! # Ok(())
//! # }
//! ```
//!
//! # What it costs
//!
//! About as much as the same equations written by hand: the parts are types, and all of their code is inlined. The rows `parts_` of
//! `tests/on-target/budget.toml` have the figures.
//!
//! # What is left out
//!
//! - A [`Gear`] between arms `as points`: it needs whole angles, turns included, and the angle of a point jumps after half a turn. A list
//!   with gears says `arms as angles`.
//! - A rod in space with a given centre and moment of inertia. A [`Rod`] with masses at its ends is one: for a mass m, a centre at c from
//!   the first end and a moment I about it, across the rod, let b = (I + m c²)/l². The rod has the mass 6 (m c/l − b), the second end
//!   3 b − 2 m c/l and the first end m − 4 m c/l + 3 b. If one of these is negative, or the rod is not thin, it is a [`Body`](SpaceBody).
//! - The attitude of a body as an output: a body's output is the position of its point, three numbers. A platform that tilts has its own
//!   motors as output, as the Stewart platform of the gallery; a body on hinges has the angles of the hinges.
//!
//! # From MJCF and URDF
//!
//! `cargo xtask import FILE` prints the list of a mechanism that is a file of MuJoCo (MJCF) or a URDF; `--loops FILE` closes the loops that URDF
//! cannot say. Every body becomes a `Body` or a `SkewBody` in a frame that is parallel to the ground's in the pose of the file. What the list cannot say,
//! such as limits, damping and collisions, is named above it.
//!
//! # Without the macro
//!
//! [`mechanism!`](crate::mechanism) writes a struct and one implementation of [`List`](by_hand::List): a table of names and kinds, and a function that
//! places one part after the other. The same can be written [by hand](by_hand); the test `tests/parts/by_hand.rs` does it.

mod arm;
mod arm_as_point;
mod body;
mod build;
mod corner;
mod elbow;
mod error;
mod explain;
mod fixed;
mod frame;
mod gear;
mod guide;
mod hinge;
mod list;
mod macros;
mod mass;
mod mechanism;
mod patterns;
mod pin;
mod piston;
mod place;
mod point;
mod prismatic;
mod quantities;
mod relation;
mod rod;
mod rope;
mod shape;
mod slider;
mod solid;
mod space_arm_as_point;
mod space_corner;
mod spring;
mod table;
mod top;
mod universal;

pub use arm::{PlaneArm, SpaceArm};
pub use arm_as_point::PlaneArmAsPoint;
pub use body::Body;
pub use corner::Corner;
pub use elbow::Elbow;
pub use error::{BuildError, Problem};
pub use explain::Explained;
pub use fixed::Fixed;
pub use gear::Gear;
pub use guide::{Feed, Guide};
pub use hinge::{Aligned, Hinge};
pub use mechanism::Mechanism;
pub use pin::Pin;
pub use piston::Piston;
pub use point::Point;
pub use prismatic::{Prismatic, Weld};
pub use rod::{Rod, Strut};
pub use rope::Rope;
pub use shape::Shape;
pub use slider::Slider;
pub use solid::{NearPose, SkewBody, SpaceBody};
pub use space_arm_as_point::SpaceArmAsPoint;
pub use space_corner::SpaceCorner;
pub use spring::{Damper, Spring};
pub use top::Top;
pub use universal::{Square, Universal};

/// What a list consists of, for lists and parts that are written without the macro.
pub mod by_hand {
    pub use super::elbow::Turns;
    pub use super::explain::{About, Located};
    pub use super::frame::Frame;
    pub use super::gear::Angle;
    pub use super::guide::{OneCoordinate, Prescribed};
    pub use super::list::{
        Described, Element, Encoded, List, Motorised, Output, Part, Pose, Push, Shaft, Visitor, Wiring, guessed, placed,
    };
    #[doc(hidden)]
    pub use super::macros::Given;
    pub use super::mass::{BuiltMass, ConstantMatrix, VaryingMatrix};
    #[doc(hidden)]
    pub use super::mass::{Choose, ChooseFactors, Chosen, Factorised, FactorsOf, MassOf};
    pub use super::place::{Load, Place, Rows, Sink, Symmetric};
    pub use super::table::{
        Entry, Kind, Slot, constraints, coordinates, encoders_fit, has_shaft, movable, named_once, on_different_parts,
        outputs, redundant, slot, varies,
    };
}

/// The parts in the plane.
pub mod plane {
    /// The number of dimensions.
    pub const D: usize = 2;

    /// The parts, with the angle of an arm as its coordinate.
    pub mod angles {
        pub use super::kinds::*;
        pub use crate::parts::PlaneArm as Arm;
    }

    /// The parts, with the end of an arm as its coordinates.
    pub mod points {
        pub use super::kinds::*;
        pub use crate::parts::PlaneArmAsPoint as Arm;
    }

    mod kinds {
        use crate::parts;
        pub use crate::parts::{Body, Corner};
        /// See [`parts::Fixed`].
        pub type Fixed<T> = parts::Fixed<T, 2>;
        /// See [`parts::Point`].
        pub type Point<T> = parts::Point<T, 2>;
        /// See [`parts::Rod`].
        pub type Rod<T> = parts::Rod<T, 2>;
        /// See [`parts::Strut`].
        pub type Strut<T> = parts::Strut<T, 2>;
        /// See [`parts::Slider`].
        pub type Slider<T> = parts::Slider<T, 2>;
        /// See [`parts::Spring`].
        pub type Spring<T> = parts::Spring<T, 2>;
        /// See [`parts::Damper`].
        pub type Damper<T> = parts::Damper<T, 2>;
        /// See [`parts::Pin`].
        pub type Pin<T> = parts::Pin<T, 2>;
        /// See [`parts::Piston`].
        pub type Piston<T> = parts::Piston<T, 2>;
        /// See [`parts::Guide`].
        pub type Guide<T> = parts::Guide<T, 2>;
        /// See [`parts::Feed`].
        pub type Feed<T> = parts::Feed<T, 2>;
        /// See [`parts::Elbow`].
        pub type Elbow<T> = parts::Elbow<T, 2>;
        /// See [`parts::Rope`].
        pub type Rope<T> = parts::Rope<T, 2>;
        /// See [`parts::Gear`].
        pub type Gear<T> = parts::Gear<T, 2>;
    }
}

/// The parts in space.
pub mod space {
    /// The number of dimensions.
    pub const D: usize = 3;

    /// The parts, with the angle of an arm as its coordinate.
    pub mod angles {
        pub use super::kinds::*;
        pub use crate::parts::SpaceArm as Arm;
    }

    /// The parts, with the end of an arm as its coordinates.
    pub mod points {
        pub use super::kinds::*;
        pub use crate::parts::SpaceArmAsPoint as Arm;
    }

    mod kinds {
        use crate::parts;
        pub use crate::parts::{
            Aligned, Hinge, Prismatic, SkewBody, SpaceBody as Body, SpaceCorner as Corner, Square, Top, Universal, Weld,
        };
        /// See [`parts::Fixed`].
        pub type Fixed<T> = parts::Fixed<T, 3>;
        /// See [`parts::Point`].
        pub type Point<T> = parts::Point<T, 3>;
        /// See [`parts::Rod`].
        pub type Rod<T> = parts::Rod<T, 3>;
        /// See [`parts::Strut`].
        pub type Strut<T> = parts::Strut<T, 3>;
        /// See [`parts::Slider`].
        pub type Slider<T> = parts::Slider<T, 3>;
        /// See [`parts::Spring`].
        pub type Spring<T> = parts::Spring<T, 3>;
        /// See [`parts::Damper`].
        pub type Damper<T> = parts::Damper<T, 3>;
        /// See [`parts::Pin`].
        pub type Pin<T> = parts::Pin<T, 3>;
        /// See [`parts::Piston`].
        pub type Piston<T> = parts::Piston<T, 3>;
        /// See [`parts::Guide`].
        pub type Guide<T> = parts::Guide<T, 3>;
        /// See [`parts::Feed`].
        pub type Feed<T> = parts::Feed<T, 3>;
        /// See [`parts::Elbow`].
        pub type Elbow<T> = parts::Elbow<T, 3>;
        /// See [`parts::Rope`].
        pub type Rope<T> = parts::Rope<T, 3>;
        /// See [`parts::Gear`].
        pub type Gear<T> = parts::Gear<T, 3>;
    }
}

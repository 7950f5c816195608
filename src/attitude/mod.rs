//! How a body turns: rotations, and methods that step on them (Lie group methods on SO(3)).
//!
//! An attitude is a unit quaternion R, a [`Rotation`]. A step multiplies it by a rotation, so it stays one; no angle is singular.
//!
//! | what turns | method | order | preserves |
//! |---|---|---|---|
//! | a known angular velocity, [`AngularRate`] | [`Magnus2`], [`Magnus4`] | 2, 4 | |R| = 1 |
//! | the samples of a gyro | [`Attitude::turn`] by [`coning`] | 4 | |R| = 1 |
//! | a rigid body with torques, [`Body`] | [`MuntheKaas`] | 1, 2, 4 | |R| = 1 |
//! | the same | [`ImplicitMidpoint`] | 2 | of a free body also |Π|, energy, R Π |
//!
//! Choose [`Magnus4`] for given rates, [`MuntheKaas::order_four`] for driven bodies, [`ImplicitMidpoint`] for long runs of free bodies and for
//! stiff torques. The page of each module has formulas, order and cost.
//!
//! All step through [`Step`](crate::method::Step). A state, [`Attitude`] or [`BodyState`], is checked when it starts and carries the rounding
//! errors of its sums, unless it is plain. A step fails with [`StepError::Turn`](crate::method::StepError::Turn) if the body would turn by
//! more than half a turn, and with `NonFinite` for rates and torques that are NaN or infinite; then the state is as it was.
//!
//! A body with constraints, such as a linkage in space, is a [`Mechanical`](crate::system::Mechanical) system instead.

pub mod implicit_midpoint;
pub mod magnus;
pub mod rigid_body;
pub mod rotation;
mod state;

pub use implicit_midpoint::ImplicitMidpoint;
pub use magnus::{AngularRate, Magnus2, Magnus4, coning};
pub use rigid_body::{Body, MuntheKaas};
pub use rotation::{Rotation, dexp_inverse};
pub use state::{Attitude, BodyState};

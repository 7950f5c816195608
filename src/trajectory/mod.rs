//! What to follow: paths in time, with the derivatives that a servo constraint needs.
//!
//! | trajectory | continuous derivatives | with the hold at its end |
//! |---|---|---|
//! | [`Cubic`], [`MinimumJerk`], [`Septic`], [`Nonic`]: from one motion to another | 1, 2, 3, 4 | the same, if it ends at rest |
//! | [`SCurve`]: as fast as limits of velocity, acceleration and jerk allow | 2 | 2 |
//! | [`CubicSpline`], [`QuinticSpline`]: through waypoints | 2, 4 | 1, 2, if it ends at rest |
//! | [`Circle`], [`Lissajous`]: for ever | all | all |
//! | [`Line`], [`Axes`]: one-coordinate trajectories in several coordinates | theirs | theirs |
//! | [`Timed`]: a path with another timing | the fewer of both | the fewer of the path's and those that the timing holds |
//! | [`Then`], [`Sequence`]: one after another | as many as agree, checked | the fewer of these and those of the last |
//! | [`Either`]: one of two kinds, chosen at run time | the fewer of both | those of the chosen one |
//!
//! A trajectory gives its position at a time of any [scalar](crate::scalar), so that a constraint `q − γ(t)` has all its derivatives.
//! It also gives its [`Motion`], up to the snap. [`require`](Trajectory::require) refuses a trajectory with too few continuous
//! derivatives: at compile time if its type tells, else at run time.
//!
//! A re-plan starts from the present motion ([`Blend::departing`], [`SCurve::departing`]), so that nothing jumps.

mod blend;
mod either;
mod error;
mod limits;
mod line;
mod motion;
mod path;
mod periodic;
mod phases;
mod piece;
mod s_curve;
mod sequence;
mod spline;
mod timed;
mod tridiagonal;

pub use blend::{Blend, Cubic, MinimumJerk, Nonic, Septic};
pub use either::Either;
pub use error::TrajectoryError;
pub use limits::Limits;
pub use line::{Axes, Line};
pub use motion::Motion;
pub use path::{SMOOTH, Trajectory};
pub use periodic::{Circle, Lissajous};
pub use s_curve::SCurve;
pub use sequence::{Sequence, Then};
pub use spline::{CubicSpline, QuinticSpline, Spline, Waypoint};
pub use timed::Timed;

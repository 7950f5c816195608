//! Point-to-point motions: polynomials of degree 3, 5, 7 and 9 between two motions.
//!
//! ```text
//!     c₃ = 3τ² − 2τ³                                    velocity continuous
//!     c₅ = 10τ³ − 15τ⁴ + 6τ⁵                            and acceleration: minimum jerk (Flash and Hogan 1985)
//!     c₇ = 35τ⁴ − 84τ⁵ + 70τ⁶ − 20τ⁷                    and jerk
//!     c₉ = 126τ⁵ − 420τ⁶ + 540τ⁷ − 315τ⁸ + 70τ⁹         and snap, as a crane or an elastic joint needs it
//! ```
//!
//! Of all motions with the same positions, velocities and accelerations at both ends, the fifth degree has the least integral of the
//! jerk squared. Choose the fifth degree for arms, the ninth for servo constraints of index 5, and an [`SCurve`](super::SCurve) for
//! motions at their limits. A re-plan starts from the present motion: [`departing`](Blend::departing).

use super::error::{TrajectoryError, positive};
use super::limits::Limits;
use super::motion::Motion;
use super::path::Trajectory;
use super::piece::{Piece, last};
use crate::linalg::Vector;
use crate::scalar::{Float, Real};

/// A polynomial with `COUNT` coefficients (4, 6, 8 or 10) in each coordinate, from one motion to another.
///
/// ```
/// use taut::trajectory::{Motion, Nonic, Trajectory};
///
/// let first = Nonic::point_to_point([0.0, 0.0], [1.0_f64, 0.5], 2.0)?;
/// // At t = 0.7 there is another target: no derivative jumps.
/// let second = Nonic::departing(&first, 0.7, [0.0, 1.0], 2.0)?;
/// let (before, after) = (first.motion(0.7), second.motion(0.0));
/// assert!((before.snap - after.snap).norm() < 1e-12);
/// # Ok::<(), taut::trajectory::TrajectoryError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend<T, const D: usize, const COUNT: usize> {
    piece: Piece<T, D, COUNT>,
    duration: T,
    inverse: T,
    continuity: usize,
}

/// Of the third degree: velocities are continuous.
pub type Cubic<T, const D: usize> = Blend<T, D, 4>;
/// Of the fifth degree: minimum jerk; accelerations are continuous.
pub type MinimumJerk<T, const D: usize> = Blend<T, D, 6>;
/// Of the seventh degree: jerks are continuous.
pub type Septic<T, const D: usize> = Blend<T, D, 8>;
/// Of the ninth degree: snaps are continuous.
pub type Nonic<T, const D: usize> = Blend<T, D, 10>;

impl<T: Float, const D: usize, const COUNT: usize> Blend<T, D, COUNT> {
    /// From rest to rest.
    pub fn point_to_point(
        from: impl Into<Vector<T, D>>,
        to: impl Into<Vector<T, D>>,
        duration: T,
    ) -> Result<Self, TrajectoryError<T>> {
        Self::between(&Motion::at_rest(from), &Motion::at_rest(to), duration)
    }

    /// From the motion of another trajectory at time `t`, to rest: a re-plan without a jump.
    pub fn departing<Path: Trajectory<D, Base = T>>(
        path: &Path,
        t: T,
        to: impl Into<Vector<T, D>>,
        duration: T,
    ) -> Result<Self, TrajectoryError<T>> {
        Self::between(&path.motion(t), &Motion::at_rest(to), duration)
    }

    /// From one motion to another, with as many of their derivatives as the degree allows. If the end is not at rest, another trajectory
    /// must follow: the hold after the end would be a jump. [`continuity`](Trajectory::continuity) accounts for it.
    pub fn between(start: &Motion<T, D>, end: &Motion<T, D>, duration: T) -> Result<Self, TrajectoryError<T>> {
        positive("duration", duration)?;
        start.check("start")?;
        end.check("end")?;
        let inverse = positive("duration", T::one() / duration)?;
        let piece = Piece::between(start, end, duration);
        piece.check("polynomial")?;
        Ok(Self { piece, duration, inverse, continuity: end.resting().min(Self::CONTINUITY) })
    }

    /// An upper bound of a derivative within the duration, as the norm over all coordinates; a few percent above the maximum.
    /// `derivative` is its order: 1 for the velocity, 2 for the acceleration, 3 for the jerk, and 0 for the position. Orders above the
    /// degree of the polynomial give zero.
    pub fn largest(&self, derivative: usize) -> T {
        self.piece.largest(derivative, self.inverse)
    }

    /// Checks limits of velocity, acceleration and jerk, as norms over all coordinates, before the motion begins.
    pub fn check(&self, limits: &Limits<T>) -> Result<(), TrajectoryError<T>> {
        limits.check(|derivative| self.largest(derivative))
    }
}

impl<T: Float, const D: usize, const COUNT: usize> Trajectory<D> for Blend<T, D, COUNT> {
    type Base = T;

    const CONTINUITY: usize = COUNT / 2 - 1;

    fn continuity(&self) -> usize {
        self.continuity
    }

    fn duration(&self) -> T {
        self.duration
    }

    #[inline]
    fn within<S: Real<Base = T>>(&self, t: S) -> Vector<S, D> {
        let unit = t * self.inverse;
        self.piece.at(if t.value() >= self.duration { last(unit) } else { unit })
    }
}

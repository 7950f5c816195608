//! The redundant robot arm of Hairer, *Solving Differential Equations on Manifolds*, Example I.2.1: a control problem of index 2.

use nalgebra::vector;
use taut::linalg::Vector;
use taut::scalar::Real;
use taut::system::SemiExplicit;
use taut::trajectory::Trajectory;

/// y = θ, the absolute angles of `N` segments of length one. The hand follows a path with the least joint velocities:
/// θ' = g'(θ)ᵀ z, 0 = g(θ) − γ(t).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RobotArm<Path, const N: usize> {
    /// γ, the path of the hand.
    pub path: Path,
}

impl<Path, const N: usize> RobotArm<Path, N> {
    /// g(θ), the position of the hand: the sum of the segments.
    pub fn hand<S: Real>(angles: &Vector<S, N>) -> Vector<S, 2> {
        angles.iter().fold(Vector::zeros(), |hand: Vector<S, 2>, angle| {
            let (sin, cos) = angle.sin_cos();
            hand + vector![cos, sin]
        })
    }
}

impl<Path: Trajectory<2>, const N: usize> SemiExplicit<N, 2> for RobotArm<Path, N> {
    type Base = Path::Base;
    const INDEX: usize = 2;

    fn rate<S: Real<Base = Path::Base>>(&self, _t: S, y: &Vector<S, N>, z: &Vector<S, 2>) -> Vector<S, N> {
        y.map(|angle| {
            let (sin, cos) = angle.sin_cos();
            cos * z[1] - sin * z[0]
        })
    }

    fn constraint<S: Real<Base = Path::Base>>(&self, t: S, y: &Vector<S, N>, _z: &Vector<S, 2>) -> Vector<S, 2> {
        Self::hand(y) - self.path.at(t)
    }
}

//! A free rigid body, whose angular momentum stays on a sphere and on an ellipsoid (Hairer, *Solving Differential Equations on
//! Manifolds*, I.1).

use nalgebra::vector;
use taut::linalg::Vector;
use taut::project::Invariant;
use taut::scalar::{Float, Real};

/// y' = y × ω with ωᵢ = yᵢ/Iᵢ; y is the angular momentum.
pub struct RigidBody;

impl RigidBody {
    /// I.
    pub const INERTIA: [f64; 3] = [1.6, 1.0, 2.0 / 3.0];

    /// The initial point, on the unit sphere.
    pub fn momentum<T: Float>() -> Vector<T, 3> {
        let (sin, cos) = T::from_f64(0.9).sin_cos();
        vector![cos, T::zero(), sin]
    }

    /// y'.
    pub fn rate<T: Float>(y: &Vector<T, 3>) -> Vector<T, 3> {
        let turning = y.zip_map(&Vector::from(Self::INERTIA), |y, inertia| y / T::from_f64(inertia));
        vector![
            y[1] * turning[2] - y[2] * turning[1],
            y[2] * turning[0] - y[0] * turning[2],
            y[0] * turning[1] - y[1] * turning[0]
        ]
    }
}

/// |y|²/2 and Σ yᵢ²/(2 Iᵢ) minus their initial values; the first `K` of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyInvariants<T, const K: usize>(pub [T; 2]);

impl<T: Float> BodyInvariants<T, 2> {
    /// The values at a point, to be subtracted.
    pub fn of(y: &Vector<T, 3>) -> Vector<T, 2> {
        Self([T::zero(); 2]).residual(y)
    }
}

impl<T: Float, const K: usize> Invariant<3, K> for BodyInvariants<T, K> {
    type Base = T;

    fn residual<S: Real<Base = T>>(&self, y: &Vector<S, 3>) -> Vector<S, K> {
        let half = T::from_f64(0.5);
        let energy = (0..3).fold(S::zero(), |sum, i| sum + y[i] * y[i] * T::from_f64(0.5 / RigidBody::INERTIA[i]));
        let both = [y.dot(y) * half - self.0[0], energy - self.0[1]];
        Vector::from_fn(|row, _| both[row])
    }
}

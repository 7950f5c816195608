//! Two masses and a spring between them, of which one is pushed and the other is to follow: underactuated, index 5.

use nalgebra::{matrix, vector};
use taut::control::{Actuated, Flat};
use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Diagonal, Mechanical};

/// q = (x₁, x₂): m₁ x₁'' = −k (x₁ − x₂) + F, m₂ x₂'' = k (x₁ − x₂); the output is x₂.
///
/// With x₂ = γ: F = (m₁ + m₂) γ'' + (m₁ m₂/k) γ''''.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoMasses<T> {
    /// m₁, on which the force acts, and m₂.
    pub masses: [T; 2],
    /// k.
    pub stiffness: T,
}

impl<T: Float> TwoMasses<T> {
    /// 1 kg and 0.5 kg, 200 N/m.
    pub fn standard() -> Self {
        Self { masses: [1.0, 0.5].map(T::from_f64), stiffness: T::from_f64(200.0) }
    }
}

impl<T: Float> Mechanical<2, 0> for TwoMasses<T> {
    type Base = T;
    type Mass = Diagonal<T, 2>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;

    #[inline]
    fn mass(&self) -> Diagonal<T, 2> {
        Diagonal::new(self.masses)
    }

    #[inline]
    fn force<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        let spring = (q[0] - q[1]) * self.stiffness;
        vector![-spring, spring]
    }

    #[inline]
    fn constraint<S: Real<Base = T>>(&self, _t: S, _q: &Vector<S, 2>) -> Vector<S, 0> {
        Vector::zeros()
    }
}

impl<T: Float> Actuated<2, 0, 1> for TwoMasses<T> {
    #[inline]
    fn actuation<S: Real<Base = T>>(&self, _q: &Vector<S, 2>) -> Matrix<S, 2, 1> {
        matrix![S::one(); S::zero()]
    }

    #[inline]
    fn output<S: Real<Base = T>>(&self, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![q[1]]
    }
}

impl<T: Float> Flat<2, 0, 1> for TwoMasses<T> {
    /// x₁ = x₂ + m₂ x₂''/k.
    #[inline]
    fn configuration<S: Real<Base = T>>(
        &self,
        output: &Vector<S, 1>,
        acceleration: &Vector<S, 1>,
    ) -> (Vector<S, 2>, Vector<S, 0>) {
        let stretch = acceleration[0] * (self.masses[1] / self.stiffness);
        (vector![output[0] + stretch, output[0]], Vector::zeros())
    }
}

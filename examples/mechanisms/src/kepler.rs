//! The perturbed Kepler problem, whose energy and angular momentum are constant (Hairer & Wanner, *Solving Ordinary Differential Equations
//! II*, VII.2, (2.15)).

use nalgebra::vector;
use taut::linalg::Vector;
use taut::project::{Invariant, OnManifold};
use taut::scalar::{Float, Real};

/// y = (q, p), q' = p, p' = −q/r³ − 0.015 q/r⁵. Its invariant is the energy less this value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kepler<T> {
    /// The energy.
    pub energy: T,
}

impl<T: Float> Kepler<T> {
    /// The initial point, with the eccentricity 0.6.
    pub fn start() -> Vector<T, 4> {
        vector![T::from_f64(0.4), T::zero(), T::zero(), T::from_f64(2.0)]
    }

    /// y'.
    pub fn rate<S: Real<Base = T>>(y: &Vector<S, 4>) -> Vector<S, 4> {
        let inverse = S::one() / (y[0] * y[0] + y[1] * y[1]);
        let pull = inverse.sqrt() * inverse * (inverse * T::from_f64(0.015) + S::one());
        vector![y[2], y[3], y[0] * -pull, y[1] * -pull]
    }

    /// Energy and angular momentum.
    pub fn invariants<S: Real<Base = T>>(y: &Vector<S, 4>) -> Vector<S, 2> {
        let inverse = S::one() / (y[0] * y[0] + y[1] * y[1]);
        let potential = inverse.sqrt() * (inverse * S::constant(0.005) + S::one());
        vector![(y[2] * y[2] + y[3] * y[3]) * S::constant(0.5) - potential, y[0] * y[3] - y[1] * y[2]]
    }
}

impl<T: Float> Invariant<4, 1> for Kepler<T> {
    type Base = T;

    fn residual<S: Real<Base = T>>(&self, y: &Vector<S, 4>) -> Vector<S, 1> {
        vector![Self::invariants(y)[0] - self.energy]
    }
}

impl<T: Float> OnManifold<4, 1> for Kepler<T> {
    fn rate(&self, _t: T, y: &Vector<T, 4>) -> Vector<T, 4> {
        Self::rate(y)
    }
}

//! A field that a steering wheel keeps tangent to a circle: (1.9) of Hairer and Wanner, *Solving Ordinary Differential Equations II*, VII.1,
//! as a semi-explicit system, and as M u' = F(t, u) in any variables.

use nalgebra::vector;
use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Implicit, SemiExplicit};

/// z steers y along the unit circle: index 2. For index 1, z follows from 0 = z + z³/4 − y₁ y₂ − t.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SteeringWheel<T, const INDEX: usize = 2> {
    base: core::marker::PhantomData<T>,
}

impl<T: Float, const INDEX: usize> SteeringWheel<T, INDEX> {
    /// There are no parameters.
    pub fn new() -> Self {
        Self { base: core::marker::PhantomData }
    }
}

impl<T: Float, const INDEX: usize> SemiExplicit<2, 1> for SteeringWheel<T, INDEX> {
    type Base = T;
    const INDEX: usize = INDEX;

    #[inline]
    fn rate<S: Real<Base = T>>(&self, _t: S, y: &Vector<S, 2>, z: &Vector<S, 1>) -> Vector<S, 2> {
        let (sin, cos) = (z[0] * S::constant(2.5)).sin_cos();
        vector![y[1] * S::constant(0.7) + sin, y[0] * S::constant(1.4) + cos]
    }

    #[inline]
    fn constraint<S: Real<Base = T>>(&self, t: S, y: &Vector<S, 2>, z: &Vector<S, 1>) -> Vector<S, 1> {
        if INDEX == 2 {
            vector![y.dot(y) - S::one()]
        } else {
            vector![z[0] + z[0] * z[0] * z[0] * S::constant(0.25) - y[0] * y[1] - t]
        }
    }
}

/// u = (y, z), M = diag(1, 1, 0).
impl<T: Float, const INDEX: usize> Implicit<3> for SteeringWheel<T, INDEX> {
    type Base = T;

    #[inline]
    fn mass(&self) -> Matrix<T, 3, 3> {
        Matrix::from_diagonal(&vector![T::one(), T::one(), T::zero()])
    }

    #[inline]
    fn force<S: Real<Base = T>>(&self, t: S, u: &Vector<S, 3>) -> Vector<S, 3> {
        let (y, z) = (vector![u[0], u[1]], vector![u[2]]);
        let (f, g) = (self.rate(t, &y, &z), self.constraint(t, &y, &z));
        vector![f[0], f[1], g[0]]
    }
}

/// The same in other variables and with its equations mixed: M = A diag(1, 1, 0) B, (y, z) = B u (Hairer, *Solving Differential
/// Equations on Manifolds*, V, (1.7)–(1.10)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transformed<T, const INDEX: usize> {
    /// A, which mixes the equations.
    pub a: Matrix<T, 3, 3>,
    /// B, which mixes the variables.
    pub b: Matrix<T, 3, 3>,
}

impl<T: Float, const INDEX: usize> Implicit<3> for Transformed<T, INDEX> {
    type Base = T;

    fn mass(&self) -> Matrix<T, 3, 3> {
        self.a * Implicit::mass(&SteeringWheel::<T, INDEX>::new()) * self.b
    }

    fn force<S: Real<Base = T>>(&self, t: S, u: &Vector<S, 3>) -> Vector<S, 3> {
        self.a.map(S::from) * SteeringWheel::<T, INDEX>::new().force(t, &(self.b.map(S::from) * u))
    }
}

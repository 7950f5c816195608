//! M u' = F(t, u), linear in u: of every index from 0 to 3, and with a pencil that is singular.

use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::Implicit;

/// M u' = F u − (0, t) with a diagonal M.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearImplicit {
    /// The diagonal of M.
    pub mass: [f64; 2],
    /// F.
    pub force: Matrix<f64, 2, 2>,
}

impl Implicit<2> for LinearImplicit {
    type Base = f64;

    fn mass(&self) -> Matrix<f64, 2, 2> {
        Matrix::from_diagonal(&Vector::from(self.mass))
    }

    fn force<S: Real<Base = f64>>(&self, t: S, u: &Vector<S, 2>) -> Vector<S, 2> {
        self.force.map(S::from) * u - vector![S::zero(), t]
    }
}

/// (6.3) of Hairer, *Solving Differential Equations on Manifolds*, V.6, the form with a constant matrix of (6.1): u = (y, z, z'), f = sin t,
/// g = exp(t/2). Of index 3; with η = −1 the pencil is singular.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GearPetzold {
    /// η.
    pub eta: f64,
}

impl Implicit<3> for GearPetzold {
    type Base = f64;

    fn mass(&self) -> Matrix<f64, 3, 3> {
        Matrix::from_diagonal(&vector![1.0, 1.0, 0.0])
    }

    fn force<S: Real<Base = f64>>(&self, t: S, u: &Vector<S, 3>) -> Vector<S, 3> {
        let coupling = t * self.eta;
        vector![(t * 0.5).exp() - u[1] * (1.0 + self.eta) - coupling * u[2], u[2], t.sin() - u[0] - coupling * u[1]]
    }
}

impl GearPetzold {
    /// z = g − f', y = f − η t z, and z'.
    pub fn exact(&self, t: f64) -> [f64; 3] {
        let (sin, cos) = Real::sin_cos(t);
        let growth = Real::exp(t / 2.0);
        let z = growth - cos;
        [sin - self.eta * t * z, z, growth / 2.0 + sin]
    }
}

/// M u' + A u = d(t), d = (t², 3 t, 0, …).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pencil<T, const N: usize> {
    /// M.
    pub mass: Matrix<T, N, N>,
    /// A.
    pub a: Matrix<T, N, N>,
}

impl Pencil<f64, 3> {
    /// Hairer & Wanner VII.1, (1.12): nilpotent.
    pub fn nilpotent() -> Self {
        Self { mass: matrix![0.0, 1.0, 0.0; 0.0, 0.0, 1.0; 0.0, 0.0, 0.0], a: Matrix::identity() }
    }
}

impl Pencil<f64, 2> {
    /// Hairer, *Solving Differential Equations on Manifolds*, IV.5, exercise 1.
    pub fn exercise_iv_5_1() -> Self {
        Self { mass: matrix![1.0, 2.0; 2.0, 4.0], a: matrix![1.0, 0.0; 1.0, 1.0] }
    }
}

impl Pencil<f64, 5> {
    /// The optimality conditions of y' = A y + B u with the cost ½∫ yᵀCy + R u², for a double integrator and C = I (Hairer, *Solving
    /// Differential Equations on Manifolds*, IV.3, (3.4)): u = (y, λ, u).
    pub fn optimality(r: f64) -> Self {
        let a = matrix![
            0.0, -1.0, 0.0, 0.0, 0.0;
            0.0, 0.0, 0.0, 0.0, -1.0;
            1.0, 0.0, 0.0, 0.0, 0.0;
            0.0, 1.0, 1.0, 0.0, 0.0;
            0.0, 0.0, 0.0, 1.0, r
        ];
        Self { mass: Matrix::from_diagonal(&vector![1.0, 1.0, 1.0, 1.0, 0.0]), a }
    }
}

impl<T: Float, const N: usize> Implicit<N> for Pencil<T, N> {
    type Base = T;

    fn mass(&self) -> Matrix<T, N, N> {
        self.mass
    }
    fn force<S: Real<Base = T>>(&self, t: S, u: &Vector<S, N>) -> Vector<S, N> {
        let mut force = -(self.a.map(S::from) * u);
        force[0] += t * t;
        force[1] += t * S::constant(3.0);
        force
    }
}

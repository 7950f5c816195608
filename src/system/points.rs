//! The mass of points that rods couple.

use super::mass::{ConstantMass, Inertia, Mass};
use crate::linalg::{FactorError, Ldlt, Matrix, Vector};
use crate::scalar::{Float, Real};

/// The constant mass matrix of `P` points in `D` dimensions, for the coordinates (x₁, y₁, …, x₂, y₂, …): a matrix over the points, the
/// same in each dimension. Build it once and keep it in the model.
///
/// A uniform rod of mass m between two points has the kinetic energy m (a² + a·b + b²)/6, where a and b are the velocities of its
/// ends. So it adds m/3 to the masses of both points, and m/6 couples them.
///
/// ```
/// use nalgebra::{matrix, vector};
/// use taut::linalg::FactorError;
/// use taut::system::{Inertia, Points};
///
/// // A rod of 3 kg in the plane.
/// let rod = Points::<f64, 2, 2>::new(matrix![1.0, 0.5; 0.5, 1.0])?;
/// assert_eq!(rod.momentum(&vector![1.0, 0.0, 1.0, 0.0]), vector![1.5, 0.0, 1.5, 0.0]);
/// let pushed = rod.acceleration(&vector![0.0, 3.0, 0.0, 0.0]); // at one end: the other one goes back
/// assert!((pushed - vector![0.0, 4.0, 0.0, -2.0]).norm() < 1e-14);
/// # Ok::<(), FactorError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Points<T, const P: usize, const D: usize> {
    matrix: Matrix<T, P, P>,
    inverse: Matrix<T, P, P>,
}

impl<T: Float, const P: usize, const D: usize> Points<T, P, D> {
    /// From the symmetric positive definite matrix over the points; only its lower triangle is read. The error names the point whose row
    /// is not positive definite.
    pub fn new(mut matrix: Matrix<T, P, P>) -> Result<Self, FactorError<T>> {
        let factors = Ldlt::factor(matrix)?;
        matrix.fill_upper_triangle_with_lower_triangle();
        let mut inverse = Matrix::<T, P, P>::identity();
        for column in &mut inverse.data.0 {
            *column = factors.solve(Vector::from(*column)).data.0[0];
        }
        Ok(Self { matrix, inverse })
    }
}

/// A matrix over the points times coordinates, in each dimension.
#[inline(always)]
fn times<S: Real<Base = T>, T: Float, const N: usize, const P: usize, const D: usize>(
    matrix: &Matrix<T, P, P>,
    x: &Vector<S, N>,
) -> Vector<S, N> {
    const { assert!(N == P * D, "as many coordinates as points times dimensions") };
    let mut product = Vector::zeros();
    for i in 0..P {
        for d in 0..D {
            let mut sum = x.data.0[0][d] * matrix.data.0[0][i];
            for j in 1..P {
                sum += x.data.0[0][D * j + d] * matrix.data.0[j][i];
            }
            product.data.0[0][D * i + d] = sum;
        }
    }
    product
}

impl<T: Float, const N: usize, const P: usize, const D: usize> Inertia<T, N> for Points<T, P, D> {
    /// Its constructor has factorised the matrix.
    const POSITIVE: bool = true;

    #[inline(always)]
    fn acceleration(&self, force: &Vector<T, N>) -> Vector<T, N> {
        times::<T, T, N, P, D>(&self.inverse, force)
    }

    #[inline(always)]
    fn momentum(&self, velocity: &Vector<T, N>) -> Vector<T, N> {
        times::<T, T, N, P, D>(&self.matrix, velocity)
    }
}

impl<T: Float, const N: usize, const P: usize, const D: usize> Mass<T, N> for Points<T, P, D> {
    type Inertia = Self;

    #[inline(always)]
    fn inertia(&self, _: impl FnOnce() -> Matrix<T, N, N>) -> Result<Self, FactorError<T>> {
        Ok(*self)
    }

    #[inline(always)]
    fn workspace(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn update(&self, _: &mut Self, _: impl FnOnce() -> Matrix<T, N, N>) -> Result<(), FactorError<T>> {
        Ok(())
    }

    fn constant<S: Real<Base = T>>(&self) -> Matrix<S, N, N> {
        Matrix::from_fn(|row, column| {
            let coupled = D > 0 && row % D == column % D;
            if coupled { S::from(self.matrix[(row / D, column / D)]) } else { S::zero() }
        })
    }

    #[inline(always)]
    fn times<S: Real<Base = T>>(&self, _: impl FnOnce() -> Matrix<S, N, N>, x: &Vector<S, N>) -> Vector<S, N> {
        times::<S, T, N, P, D>(&self.matrix, x)
    }
}

impl<T: Float, const N: usize, const P: usize, const D: usize> ConstantMass<T, N> for Points<T, P, D> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_undoes_the_mass() {
        let mass =
            Points::<f64, 3, 2>::new(Matrix::<f64, 3, 3>::new(2.0, 0.0, 0.5, 0.0, 3.0, 0.25, 0.5, 0.25, 1.0)).unwrap();
        let v = Vector::<f64, 6>::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
        let matrix: Matrix<f64, 6, 6> = mass.constant();
        assert_eq!(mass.momentum(&v), matrix * v);
        // A few roundings, condition about three.
        assert!((mass.acceleration(&mass.momentum(&v)) - v).amax() < 1e-14);
    }

    #[test]
    fn a_point_without_mass_is_refused() {
        let refused = Points::<f32, 2, 3>::new(Matrix::<f32, 2, 2>::new(1.0, 0.0, 0.0, 0.0));
        assert!(matches!(refused, Err(FactorError::SmallPivot { index: 1, .. })), "{refused:?}");
    }
}

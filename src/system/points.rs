//! The mass of points that rods couple.
//!
//! A uniform rod of mass m between two points has the kinetic energy m/6 (v₁² + v₁·v₂ + v₂²): it adds m/3 to the mass of each of its ends,
//! and m/6 between them. So the mass of `P` points in `D` dimensions is a P × P matrix, the same for every axis.

use super::mass::{ConstantMass, Inertia, Mass, is_its_own_inertia};
use crate::linalg::entries::{zero_matrix, zeros};
use crate::linalg::written_out::{add, for_each};
use crate::linalg::{FactorError, Ldlt, Matrix, Vector};
use crate::scalar::{Float, Real};

/// The mass of `P` points in `D` dimensions, the coordinates point by point: (x₁, y₁, x₂, y₂, …). It couples coordinates of the same axis
/// only. Build it once and keep it in the model.
///
/// A step takes fewer instructions than with a [`Full`](super::Full) matrix: an acceleration takes P² D products instead of the solution
/// of P D equations.
///
/// ```
/// use nalgebra::{matrix, vector};
/// use taut::linalg::{FactorError, Vector};
/// use taut::system::{Inertia, Points};
///
/// // A uniform rod of 6 kg between two points in the plane.
/// let rod = Points::<f64, 2, 2>::new(matrix![2.0, 1.0; 1.0, 2.0])?;
/// let velocity: Vector<f64, 4> = vector![1.0, 0.0, 1.0, 0.0];
/// assert_eq!(rod.momentum(&velocity), vector![3.0, 0.0, 3.0, 0.0]);
/// # Ok::<(), FactorError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Points<T, const P: usize, const D: usize> {
    /// The masses; symmetric.
    matrix: Matrix<T, P, P>,
    /// Their inverse; symmetric, too.
    inverse: Matrix<T, P, P>,
}

impl<T: Float, const P: usize, const D: usize> Points<T, P, D> {
    /// From the masses: symmetric and positive definite; only the lower triangle is read. The error names the point whose row is not.
    pub fn new(mut matrix: Matrix<T, P, P>) -> Result<Self, FactorError<T>> {
        let factors = Ldlt::factor(matrix)?;
        matrix.fill_upper_triangle_with_lower_triangle();
        let mut inverse = zero_matrix();
        for column in 0..P {
            let mut unit = zeros::<T, P>();
            unit.data.0[0][column] = T::one();
            let solution = factors.solve(unit);
            for row in column..P {
                inverse.data.0[column][row] = solution.data.0[0][row];
                inverse.data.0[row][column] = solution.data.0[0][row];
            }
        }
        Ok(Self { matrix, inverse })
    }
}

/// The entry `i` of a matrix of points times x: the sum over the coordinates of the same axis.
#[inline(always)]
fn entry<T: Float, S: Real<Base = T>, const N: usize, const P: usize, const D: usize>(
    matrix: &Matrix<T, P, P>,
    x: &Vector<S, N>,
    i: usize,
) -> S {
    let mut sum = None;
    for_each!(J < P => {
        if let (Some(column), Some(x)) = (matrix.data.0.get(i / D), x.data.0[0].get(J * D + i % D)) {
            sum = add(sum, *x * column[J]);
        }
    });
    sum.unwrap_or(S::zero())
}

impl<T: Float, const N: usize, const P: usize, const D: usize> Inertia<T, N> for Points<T, P, D> {
    const COUPLES: [[bool; N]; N] = {
        assert!(N == P * D, "the system has D coordinates for each of P points");
        let (mut couples, mut i) = ([[false; N]; N], 0);
        while i < N {
            let mut j = 0;
            while j < N {
                couples[i][j] = i % D == j % D;
                j += 1;
            }
            i += 1;
        }
        couples
    };
    const KEEPS_INVERSE: bool = true;

    #[inline(always)]
    fn inverse(&self, i: usize, j: usize) -> T {
        self.inverse.data.0[j / D][i / D]
    }

    #[inline(always)]
    fn acceleration(&self, force: &Vector<T, N>) -> Vector<T, N> {
        let mut result = zeros::<T, N>();
        for_each!(I < N => { result.data.0[0][I] = entry::<T, T, N, P, D>(&self.inverse, force, I); });
        result
    }

    #[inline(always)]
    fn momentum(&self, velocity: &Vector<T, N>) -> Vector<T, N> {
        let mut result = zeros::<T, N>();
        for_each!(I < N => { result.data.0[0][I] = entry::<T, T, N, P, D>(&self.matrix, velocity, I); });
        result
    }
}

impl<T: Float, const N: usize, const P: usize, const D: usize> Mass<T, N> for Points<T, P, D> {
    is_its_own_inertia! {}

    fn constant<S: Real<Base = T>>(&self) -> Matrix<S, N, N> {
        Matrix::from_fn(|i, j| if i % D == j % D { S::from(self.matrix[(i / D, j / D)]) } else { S::zero() })
    }

    #[inline(always)]
    fn times<S: Real<Base = T>>(&self, _: impl FnOnce() -> Matrix<S, N, N>, x: &Vector<S, N>) -> Vector<S, N> {
        let mut product = Vector::<S, N>::zeros();
        for_each!(I < N => { product.data.0[0][I] = entry::<T, S, N, P, D>(&self.matrix, x, I); });
        product
    }
}

impl<T: Float, const N: usize, const P: usize, const D: usize> ConstantMass<T, N> for Points<T, P, D> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Full;

    /// Three points on two rods of 6 and 12 kg.
    fn rods() -> Points<f64, 3, 2> {
        Points::new(Matrix::<f64, 3, 3>::new(2.0, 1.0, 0.0, 1.0, 6.0, 2.0, 0.0, 2.0, 4.0)).unwrap()
    }

    #[test]
    fn points_have_the_mass_of_the_full_matrix() {
        let full = Full::<f64, 6>::new(Mass::<f64, 6>::constant(&rods())).unwrap();
        let x = Vector::<f64, 6>::new(1.0, -2.0, 0.5, 3.0, -0.25, 0.125);
        assert!((rods().momentum(&x) - full.momentum(&x)).amax() < 1e-14);
        assert!((rods().acceleration(&x) - full.acceleration(&x)).amax() < 1e-14);
        let times = Mass::<f64, 6>::times(&rods(), || unreachable!(), &x);
        assert!((times - full.momentum(&x)).amax() < 1e-14);
        for i in 0..6 {
            for j in 0..6 {
                let unit = Vector::<f64, 6>::ith(j, 1.0);
                let inverse = full.acceleration(&unit)[i];
                if <Points<f64, 3, 2> as Inertia<f64, 6>>::COUPLES[i][j] {
                    assert!((Inertia::<f64, 6>::inverse(&rods(), i, j) - inverse).abs() < 1e-15, "{i} {j}");
                } else {
                    assert_eq!(inverse, 0.0, "{i} {j}");
                }
            }
        }
    }

    #[test]
    fn masses_that_are_not_positive_are_refused_with_their_point() {
        let negative = Points::<f32, 2, 3>::new(Matrix::<f32, 2, 2>::new(1.0, 0.0, 0.0, -1.0));
        assert!(matches!(negative, Err(FactorError::SmallPivot { index: 1, .. })));
        let coupled = Points::<f32, 2, 2>::new(Matrix::<f32, 2, 2>::new(1.0, 2.0, 2.0, 1.0));
        assert!(matches!(coupled, Err(FactorError::SmallPivot { index: 1, .. })));
    }
}

//! Projections of matrices: onto orthogonal matrices, and onto matrices of a given determinant.
//!
//! ```text
//!     orthogonal:   X ← ½ (X + X⁻ᵀ)                                           the polar factor, in the Frobenius norm the nearest
//!     determinant:  Y = Ỹ + μ Ỹ⁻ᵀ,   μ ← μ + (d/det Y − 1)/trace((ỸᵀỸ)⁻¹)
//! ```
//!
//! (Hairer, *Solving Differential Equations on Manifolds*, III.1, example 1.2.) The first converges quadratically, the second linearly with
//! a factor of the distance.

use super::residual::{Level, ProjectError, all_finite, within};
use crate::linalg::{FactorError, Lu, Matrix, Vector, product_of};
use crate::scalar::Float;

/// X⁻ᵀ. In errors a column of the matrix counts as a position.
fn inverse_transposed<T: Float, const N: usize>(matrix: &Matrix<T, N, N>) -> Result<Matrix<T, N, N>, ProjectError<T>> {
    let factors = Lu::factor(*matrix).map_err(ProjectError::Constraints)?;
    let mut inverse = Matrix::<T, N, N>::zeros();
    for column in 0..N {
        let mut unit = Vector::<T, N>::zeros();
        unit.data.0[0][column] = T::one();
        inverse.data.0[column] = factors.solve_transposed(unit).data.0[0];
    }
    Ok(inverse)
}

/// The orthogonal matrix nearest to a matrix. Four iterations suffice for a matrix that is off by a tenth.
///
/// For calibration matrices and attitudes that have drifted. An error if the matrix is singular or not finite, or if a product of two columns
/// is off by more than √ε after the iterations. A matrix with a negative determinant gives a reflection;
/// [`Rotation::nearest`](crate::attitude::Rotation::nearest) refuses it.
///
/// ```
/// use nalgebra::matrix;
/// use taut::project::onto_orthogonal;
///
/// let drifted = matrix![0.0, -1.01; 0.98, 0.001];
/// let x = onto_orthogonal(&drifted, 4)?;
/// assert!((x * x.transpose()).is_identity(1e-15_f64));
/// # Ok::<(), taut::project::ProjectError<f64>>(())
/// ```
pub fn onto_orthogonal<T: Float, const N: usize>(
    matrix: &Matrix<T, N, N>,
    iterations: usize,
) -> Result<Matrix<T, N, N>, ProjectError<T>> {
    let mut x = *matrix;
    for _ in 0..iterations {
        x = (x + inverse_transposed(&x)?) * T::from_f64(0.5);
    }
    let off = product_of(&x.transpose(), &x) - Matrix::identity();
    for column in 0..N {
        let off = Vector::<T, N>::from(off.data.0[column]);
        within(Level::Position, &off, &Vector::repeat(T::ROOT_EPSILON)).map_err(ProjectError::NotReached)?;
    }
    Ok(x)
}

/// The matrix Ỹ + μ Ỹ⁻ᵀ with this determinant: to first order the nearest one.
///
/// For solutions of Y' = A(t) Y with trace A = 0, whose determinant is constant. An error if the matrix is singular or not finite, or if the
/// determinant is off by more than √ε |d| after the iterations.
///
/// ```
/// use nalgebra::matrix;
/// use taut::project::onto_determinant;
///
/// let y = onto_determinant(&matrix![1.1, 0.2; 0.1, 0.9], 1.0, 12)?;
/// assert!((y.determinant() - 1.0_f64).abs() < 1e-15);
/// # Ok::<(), taut::project::ProjectError<f64>>(())
/// ```
pub fn onto_determinant<T: Float, const N: usize>(
    matrix: &Matrix<T, N, N>,
    determinant: T,
    iterations: usize,
) -> Result<Matrix<T, N, N>, ProjectError<T>> {
    all_finite(Level::Position, &Vector::from([determinant]))?;
    let direction = inverse_transposed(matrix)?;
    let trace = direction.iter().fold(T::zero(), |sum, x| sum + x.square());
    let mut corrected = *matrix;
    for _ in 0..iterations {
        let now = Lu::factor(corrected).map_err(ProjectError::Constraints)?.determinant();
        corrected += direction * ((determinant / now - T::one()) / trace);
    }
    let reached = Lu::factor(corrected).map_err(ProjectError::Constraints)?.determinant();
    let limit = determinant.abs() * T::ROOT_EPSILON;
    within(Level::Position, &Vector::from([reached - determinant]), &Vector::from([limit]))
        .map_err(ProjectError::NotReached)?;
    Ok(corrected)
}

/// Refuses a matrix with a negative determinant.
pub(crate) fn check_rotation<T: Float, const N: usize>(matrix: &Matrix<T, N, N>) -> Result<(), ProjectError<T>> {
    let determinant = Lu::factor(*matrix).map_err(ProjectError::Constraints)?.determinant();
    if determinant > T::zero() {
        return Ok(());
    }
    Err(ProjectError::Constraints(FactorError::SmallPivot { index: N, pivot: determinant, limit: T::zero() }))
}

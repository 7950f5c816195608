//! The limits of the residuals of a semi-explicit system.
//!
//! Equations may be written in any units, so a limit follows from the gradients: a residual may be as large as a change of every
//! variable x by `limit` (1 + |x|) can make it:
//!
//! ```text
//!     limit_i = limit (Σⱼ |∂g_i/∂y_j| (1 + |y|) + Σⱼ |∂g_i/∂z_j| (1 + |z|))
//! ```
//!
//! |y| and |z| are the largest magnitudes; they are kept apart because they may have different units. The gradients are those at the
//! start, the variables those of the step. Sums of magnitudes are used because squares could overflow or underflow.

use super::error::StartError;
use crate::linalg::{FactorError, Matrix, Vector, magnitude};
use crate::scalar::{Dual, Float};
use crate::system::SemiExplicit;
use crate::system::automatic::from_partials;

/// The sums of the magnitudes in the rows of g_y and g_z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gradients<T, const Z: usize> {
    by_y: Vector<T, Z>,
    by_z: Vector<T, Z>,
}

impl<T: Float, const Z: usize> Gradients<T, Z> {
    /// The gradients of g. An error if g uses z although the index is 2.
    pub(super) fn of_constraint<System: SemiExplicit<Y, Z, Base = T>, const Y: usize>(
        system: &System,
        t: T,
        y: &Vector<T, Y>,
        z: &Vector<T, Z>,
    ) -> Result<Self, StartError<T>> {
        let (by_y, by_z) = (Vector::from(Dual::variables(y.data.0[0])), Vector::from(Dual::variables(z.data.0[0])));
        let by_y: Matrix<T, Z, Y> = from_partials(&system.constraint(Dual::constant(t), &by_y, &z.map(Dual::constant)));
        let by_z: Matrix<T, Z, Z> = from_partials(&system.constraint(Dual::constant(t), &y.map(Dual::constant), &by_z));
        let gradients = Self::from_matrices(&by_y, &by_z)?;
        if System::INDEX == 2
            && let Some(row) = gradients.by_z.iter().position(|sum| *sum != T::zero())
        {
            return Err(StartError::WrongIndex { row });
        }
        Ok(gradients)
    }

    fn from_matrices<const Y: usize>(by_y: &Matrix<T, Z, Y>, by_z: &Matrix<T, Z, Z>) -> Result<Self, StartError<T>> {
        let gradients = Self { by_y: row_sums(by_y), by_z: row_sums(by_z) };
        match (gradients.by_y + gradients.by_z).iter().position(|sum| !sum.is_finite()) {
            Some(index) => Err(StartError::Constraints(FactorError::NonFinite { index })),
            None => Ok(gradients),
        }
    }

    /// The limits of the residuals of g.
    #[inline]
    pub(crate) fn limits<const Y: usize>(&self, limit: T, y: &Vector<T, Y>, z: &Vector<T, Z>) -> Vector<T, Z> {
        let (of_y, of_z) = (limit * (T::one() + magnitude(y)), limit * (T::one() + magnitude(z)));
        self.by_y.zip_map(&self.by_z, |by_y, by_z| by_y * of_y + by_z * of_z)
    }

    /// The limits of the residuals of the hidden constraint g_y f + g_t: as for g, with f as one more variable.
    pub(super) fn hidden_limits<System: SemiExplicit<Y, Z, Base = T>, const Y: usize>(
        &self,
        system: &System,
        limit: T,
        t: T,
        y: &Vector<T, Y>,
        z: &Vector<T, Z>,
    ) -> Result<Vector<T, Z>, StartError<T>> {
        let variables = Vector::from(Dual::variables(y.data.0[0]));
        let by_y: Matrix<T, Z, Y> =
            from_partials(&system.hidden_constraint(Dual::constant(t), &variables, &z.map(Dual::constant)));
        let hidden = Self::from_matrices(&by_y, &system.algebraic_matrix(t, y, z))?;
        let of_rate = limit * magnitude(&system.rate(t, y, z));
        Ok(hidden.limits(limit, y, z).zip_map(&self.by_y, |limit, by_y| limit + by_y * of_rate))
    }
}

/// The sum of the magnitudes in each row.
pub(super) fn row_sums<T: Float, const R: usize, const C: usize>(matrix: &Matrix<T, R, C>) -> Vector<T, R> {
    let mut sums = Vector::<T, R>::zeros();
    for column in 0..C {
        for row in 0..R {
            sums.data.0[0][row] += matrix.data.0[column][row].abs();
        }
    }
    sums
}

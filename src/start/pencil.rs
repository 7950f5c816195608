//! The pencil M − s F_u of an implicit system: the rank of M, its row space and kernel, and whether M u' = F has a solution.

use crate::linalg::{FactorError, Lu, Matrix, pivot_tolerance};
use crate::scalar::Float;

/// The elimination in M.
#[derive(Clone, Copy)]
pub(super) struct Pencil<T, const N: usize> {
    /// E. The rows of E M are zero from row `rank` on.
    pub(super) elimination: Matrix<T, N, N>,
    /// The rank of M.
    pub(super) rank: usize,
}

/// Eliminates with full pivoting.
pub(super) fn eliminate<T: Float, const N: usize>(mass: &Matrix<T, N, N>) -> Result<Pencil<T, N>, FactorError<T>> {
    let mut left = mass.transpose().data.0; // left[row][column]
    let mut elimination = Matrix::<T, N, N>::identity().data.0; // elimination[row][column], symmetric to begin with
    let mut largest = T::zero();
    for (index, row) in left.iter().enumerate() {
        for entry in row {
            if !entry.is_finite() {
                return Err(FactorError::NonFinite { index });
            }
            largest = if entry.abs() > largest { entry.abs() } else { largest };
        }
    }
    let limit = largest * pivot_tolerance(N);
    let mut rank = 0;
    for k in 0..N {
        let (mut size, mut at) = (limit, None);
        for (i, row) in left.iter().enumerate().skip(k) {
            for (j, entry) in row.iter().enumerate() {
                if entry.abs() > size {
                    (size, at) = (entry.abs(), Some((i, j)));
                }
            }
        }
        let Some((i, j)) = at else { break };
        if i < N && k < N {
            left.swap(i, k);
            elimination.swap(i, k);
        }
        let (pivot_row, pivot_elimination) = (left[k], elimination[k]);
        let pivot = pivot_row.get(j).copied().unwrap_or_else(T::one);
        for (row, entries) in left.iter_mut().zip(elimination.iter_mut()).skip(k + 1) {
            let factor = row.get(j).copied().unwrap_or_else(T::zero) / pivot;
            for c in 0..N {
                row[c] -= pivot_row[c] * factor;
                entries[c] -= pivot_elimination[c] * factor;
            }
            if let Some(entry) = row.get_mut(j) {
                *entry = T::zero();
            }
        }
        rank = k + 1;
    }
    let mut matrix = Matrix::zeros();
    for i in 0..N {
        for j in 0..N {
            matrix.data.0[j][i] = elimination[i][j];
        }
    }
    Ok(Pencil { elimination: matrix, rank })
}

/// Checks that M − s F_u is regular for one of three values of s, scaled by |M|/|F_u|.
pub(super) fn regular<T: Float, const N: usize>(
    mass: &Matrix<T, N, N>,
    derivative: &Matrix<T, N, N>,
) -> Result<(), FactorError<T>> {
    // Both matrices scaled to a largest entry of one; a zero matrix stays.
    let scaled = |matrix: &Matrix<T, N, N>| {
        let size = matrix.iter().fold(T::zero(), |size, entry| if entry.abs() > size { entry.abs() } else { size });
        if size > T::zero() { matrix.map(|entry| entry / size) } else { *matrix }
    };
    let (mass, derivative) = (scaled(mass), scaled(derivative));
    let mut outcome = Ok(());
    for factor in [0.137, -0.71, 1.93] {
        outcome = Lu::factor(mass - derivative * T::from_f64(factor)).map(|_| ());
        if outcome.is_ok() {
            break;
        }
    }
    outcome
}

/// An orthogonal matrix. Its first `rank` rows span the rows of E M, the others the kernel of M.
///
/// Gram–Schmidt, made twice for accuracy. The rows of the kernel start from the unit vectors that depend least on the rows before.
pub(super) fn split<T: Float, const N: usize>(reduced: &Matrix<T, N, N>, rank: usize) -> Matrix<T, N, N> {
    let mut rows = reduced.transpose().data.0; // rows[row][column]
    for k in 0..N {
        if k >= rank {
            let left = |column: usize| {
                rows.iter().take(k).fold(T::one(), |left, row| row.get(column).map_or(left, |x| left - *x * *x))
            };
            let mut best = 0;
            for column in 1..N {
                if left(column) > left(best) {
                    best = column;
                }
            }
            rows[k] = core::array::from_fn(|column| if column == best { T::one() } else { T::zero() });
        }
        // Scaled, so that no square overflows.
        let size = rows[k].iter().fold(T::zero(), |size, x| if x.abs() > size { x.abs() } else { size });
        let mut row = rows[k].map(|x| x / size);
        for _ in 0..2 {
            for before in rows.iter().take(k) {
                let along = dot(before, &row);
                for column in 0..N {
                    row[column] -= before[column] * along;
                }
            }
            let norm = dot(&row, &row).sqrt();
            row = row.map(|x| x / norm);
        }
        rows[k] = row;
    }
    let mut matrix = Matrix::zeros();
    for row in 0..N {
        for column in 0..N {
            matrix.data.0[column][row] = rows[row][column];
        }
    }
    matrix
}

fn dot<T: Float, const N: usize>(a: &[T; N], b: &[T; N]) -> T {
    let mut sum = T::zero();
    for i in 0..N {
        sum += a[i] * b[i];
    }
    sum
}

#[cfg(test)]
mod tests {
    use nalgebra::{matrix, vector};

    use super::*;

    #[test]
    fn a_matrix_is_split_into_its_row_space_and_its_kernel() {
        // Rank 2: the third row is the sum of the others, and (1, 1, −1) is the kernel.
        let mass: Matrix<f64, 3, 3> = matrix![1.0, 2.0, 3.0; 1e3, 0.0, 1e3; 1001.0, 2.0, 1003.0];
        let Pencil { elimination, rank } = eliminate(&mass).unwrap();
        assert_eq!(rank, 2);
        let reduced = elimination * mass;
        assert!(reduced.row(2).amax() < 1e-12);
        let split = split(&reduced, rank);
        assert!((split * split.transpose() - Matrix::identity()).amax() < 1e-15);
        assert!((mass * split.transpose().column(2)).amax() < 1e-12);
        assert!((split.row(2).transpose().cross(&vector![1.0, 1.0, -1.0])).amax() < 1e-14);
    }
}

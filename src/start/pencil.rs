//! The pencil M − s F_u of an implicit system: the rank of M, its row space and kernel, whether M u' = F has a solution, and the index.
//!
//! Index and dimension of the dynamics are those of Weierstrass's canonical form (Hairer & Wanner VII.1, theorem 1.1): with E =
//! (M − s F_u)⁻¹ M, the index is the smallest k with rank Eᵏ = rank Eᵏ⁺¹, and this rank is the dimension. Powers are not formed: those of a
//! stiff system would lose small eigenvalues. Let Q be an orthonormal basis of the range of Eᵏ. Then rank Eᵏ⁺¹ = rank E Q.

use super::error::StartError;
use crate::linalg::{FactorError, Lu, Matrix, Qr, Vector, pivot_tolerance, product_of};
use crate::scalar::{Dual, Float};
use crate::system::Implicit;
use crate::system::automatic::from_partials;

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

/// Index and dimension of the dynamics of the pencil M − s F_u: what is true of M u' = F_u u + c. For nonlinear equations it is true at
/// the point of the derivatives.
///
/// Ranks are decided with the digits of the scalar. Rows and columns are scaled to a largest entry of one first; what is then smaller than
/// ε^(5/8), 2e-10 in `f64` and 5e-5 in `f32`, counts as zero: a time constant by which another one is longer, too. Each unit of the index
/// costs digits: above 3, in variables that mix everything, the ranks may come out too large.
///
/// ```
/// # use nalgebra::{matrix, vector};
/// # use taut::linalg::{Matrix, Vector};
/// # use taut::scalar::Real;
/// # use taut::system::Implicit;
/// # struct Circuit;
/// # impl Implicit<2> for Circuit {
/// #     type Base = f64;
/// #     fn mass(&self) -> Matrix<f64, 2, 2> { matrix![1e-3, -1e-3; 0.0, 0.0] }
/// #     fn force<S: Real<Base = f64>>(&self, t: S, u: &Vector<S, 2>) -> Vector<S, 2> {
/// #         vector![u[1] / 100.0, u[0] - t.cos()]
/// #     }
/// # }
/// use taut::start::PencilIndex;
///
/// let pencil = PencilIndex::at(&Circuit, 0.0, &vector![1.0, 0.2])?;
/// // One initial value is free: the voltage of the capacitor.
/// assert_eq!((pencil.index(), pencil.dynamics()), (1, 1));
/// # Ok::<(), taut::start::StartError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PencilIndex<const N: usize> {
    ranks: [usize; N],
}

impl<const N: usize> PencilIndex<N> {
    /// At a time and a point, which need not be consistent. An error if M − s F_u is singular for every s that was tried, or not finite.
    pub fn at<T: Float, System: Implicit<N, Base = T>>(
        system: &System,
        t: T,
        u: &Vector<T, N>,
    ) -> Result<Self, StartError<T>> {
        Self::of(&system.mass(), &derivative(system, t, u)).map_err(StartError::Pencil)
    }

    /// From M and F_u.
    pub(super) fn of<T: Float>(mass: &Matrix<T, N, N>, derivative: &Matrix<T, N, N>) -> Result<Self, FactorError<T>> {
        let (mut mass, mut derivative) = (scaled(mass), scaled(derivative));
        // Rows and columns get a largest entry of one, so that units do not matter. Neither changes a rank.
        for _ in 0..2 {
            for row in 0..N {
                let size = |matrix: &Matrix<T, N, N>| {
                    (0..N).fold(T::zero(), |size, column| larger(size, matrix.data.0[column][row].abs()))
                };
                let size = larger(size(&mass), size(&derivative));
                for column in 0..N {
                    if size > T::zero() {
                        mass.data.0[column][row] /= size;
                        derivative.data.0[column][row] /= size;
                    }
                }
            }
            (mass, derivative) = (mass.transpose(), derivative.transpose());
        }
        // The s whose matrix is furthest from singular: slow and fast parts may differ by powers of ten.
        let mut best = regular(&mass, &derivative)?;
        let (mass, derivative) = (scaled(&mass), scaled(&derivative));
        let mut largest = best.smallest_pivot();
        for s in [-3.1, 13.7, -97.0, 411.0, -5.3e3].map(T::from_f64) {
            if let Ok(factors) = Lu::factor(mass - derivative * s)
                && factors.smallest_pivot() / s.abs() > largest
            {
                (best, largest) = (factors, factors.smallest_pivot() / s.abs());
            }
        }
        let mut powers = Matrix::<T, N, N>::identity();
        let mut of_mass = mass;
        for column in &mut of_mass.data.0 {
            *column = best.solve(Vector::from(*column)).data.0[0];
        }
        let of_mass = scaled(&of_mass);
        // Between the round-off that the solutions make of a zero and the smallest eigenvalue of a stiff system: ε^(5/8).
        let tolerance = T::ROOT_EPSILON * T::FOURTH_ROOT_EPSILON.sqrt();
        let (mut ranks, mut before) = ([0; N], N);
        for rank in &mut ranks {
            let mut range = product_of(&of_mass, &powers);
            for column in &mut range.data.0 {
                if column.iter().all(|entry| entry.abs() <= tolerance) {
                    *column = [T::zero(); N];
                }
            }
            let factors = Qr::factor_with(range, before, tolerance)?;
            (*rank, powers) = (factors.rank(), factors.range());
            before = *rank;
        }
        Ok(Self { ranks })
    }

    /// The index: 0 for differential equations, 1 if the constraints determine the algebraic variables, 2 if their derivatives do, and so on.
    pub fn index(&self) -> usize {
        let before = core::iter::once(&N).chain(&self.ranks);
        before.zip(&self.ranks).take_while(|(before, rank)| rank < before).count()
    }

    /// The dimension of the dynamics: the number of initial values that can be chosen.
    pub fn dynamics(&self) -> usize {
        self.ranks.last().copied().unwrap_or(0)
    }

    /// The ranks of E, E², …, Eᴺ.
    pub fn ranks(&self) -> &[usize; N] {
        &self.ranks
    }
}

/// F_u.
pub(super) fn derivative<T: Float, System: Implicit<N, Base = T>, const N: usize>(
    system: &System,
    t: T,
    u: &Vector<T, N>,
) -> Matrix<T, N, N> {
    from_partials(&system.force(Dual::constant(t), &Vector::from(Dual::<T, N>::variables(u.data.0[0]))))
}

fn larger<T: Float>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

/// The matrix with a largest entry of one; a zero matrix stays.
fn scaled<T: Float, const N: usize>(matrix: &Matrix<T, N, N>) -> Matrix<T, N, N> {
    let size = matrix.iter().fold(T::zero(), |size, entry| larger(size, entry.abs()));
    if size > T::zero() { matrix.map(|entry| entry / size) } else { *matrix }
}

/// The factors of M − s F_u for the first of three values of s, scaled by |M|/|F_u|, with which it is regular.
pub(super) fn regular<T: Float, const N: usize>(
    mass: &Matrix<T, N, N>,
    derivative: &Matrix<T, N, N>,
) -> Result<Lu<T, N>, FactorError<T>> {
    let (mass, derivative) = (scaled(mass), scaled(derivative));
    let with = |factor| Lu::factor(mass - derivative * T::from_f64(factor));
    with(0.137).or_else(|_| with(-0.71)).or_else(|_| with(1.93))
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

//! Finds a consistent u of M u' = F(t, u) near a guess.
//!
//! Let r be the rank of M. The elimination E makes the rows of E M zero from row r on. An orthogonal matrix Q splits u = Qᵀ (y, z): its
//! first r rows span the rows of M, the others the kernel of M. In y and z the system is semi-explicit (Hairer, V, (1.7)–(1.10)):
//!
//! ```text
//!     y' = f(t, y, z),    0 = g(t, y, z),    g the rows of E F from r on
//! ```
//!
//! The rows of g are combined into g₁ and g₂. g₁(t, y, z) has as many rows as g_z has rank; it determines part of z (index 1). g₂(t, y)
//! does not use z (index 2); its hidden constraint 0 = g₂_y f + g₂_t determines the rest of z. An iteration makes the steps
//!
//! ```text
//!     y ← y − G⁺ g₂,    G = ∂g₂/∂y          the smallest change; with index 1 y stays
//!     z ← z − S⁻¹ (g₁, g₂_y f + g₂_t)       S is the derivative by z: g_z, or g_y f_z
//! ```
//!
//! first of y alone, then of both. All derivatives are automatic. The hidden constraint is the derivative of F along (u', 1) with
//! u' = W F, where W inverts M on its row space.

use super::error::StartError;
use super::pencil::{Pencil, PencilIndex, split};
use crate::linalg::{FactorError, Lu, Matrix, Qr, Vector, pivot_tolerance, product, product_of};
use crate::scalar::{Dual, Float};
use crate::system::Implicit;
use crate::system::automatic::from_partials;

/// The number of Newton iterations of each kind; enough for a rough guess.
pub(super) const ITERATIONS: usize = 32;

/// The largest index whose hidden constraints are solved.
const LARGEST_INDEX: usize = 2;

/// The system in the variables y and z.
pub(super) struct Consistent<T, const N: usize> {
    elimination: Matrix<T, N, N>,
    rank: usize,
    /// Q.
    split: Matrix<T, N, N>,
    /// W.
    inverse: Matrix<T, N, N>,
}

/// Which variables a step changes.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    /// y.
    Differential,
    /// y and z.
    Both,
}

/// Values and their derivatives by (y, z), one row each.
#[derive(Clone, Copy)]
struct Rows<T, const N: usize> {
    values: [T; N],
    slopes: [[T; N]; N],
}

impl<T: Float, const N: usize> Consistent<T, N> {
    /// From M and its elimination.
    pub(super) fn of(mass: &Matrix<T, N, N>, pencil: &Pencil<T, N>) -> Result<Self, FactorError<T>> {
        let Pencil { elimination, rank } = *pencil;
        let reduced = product_of(&elimination, mass);
        let split = split(&reduced, rank);
        // E M Qᵀ is a regular block above zero rows. The identity completes it. Each row is divided by its size.
        let mut block = product_of(&reduced, &split.transpose());
        let mut right = elimination;
        for row in 0..N {
            let mut size = T::zero();
            for column in 0..N {
                size += block.data.0[column][row].abs();
            }
            for column in 0..N {
                let (entry, beside) = (&mut block.data.0[column][row], &mut right.data.0[column][row]);
                if row < rank {
                    (*entry, *beside) = (*entry / size, *beside / size);
                } else {
                    (*entry, *beside) = (if row == column { T::one() } else { T::zero() }, T::zero());
                }
            }
        }
        let factors = Lu::factor(block)?;
        for column in 0..N {
            right.data.0[column] = factors.solve(Vector::from(right.data.0[column])).data.0[0];
        }
        Ok(Self { elimination, rank, split, inverse: product_of(&split.transpose(), &right) })
    }

    /// One step towards a consistent u, of y alone or of both.
    fn iterate<System>(&self, system: &System, t: T, u: &mut Vector<T, N>, of: Step) -> Result<(), FactorError<T>>
    where
        System: Implicit<N, Base = T>,
    {
        let (mut rows, mut rates) = self.rows(system, t, u);
        let determined = self.combine(&mut rows, &mut rates);

        // The gradients of the rows without z, as columns, for the smallest change of y.
        let (mut gradients, mut off) = (Matrix::<T, N, N>::zeros(), Vector::<T, N>::zeros());
        let (mut matrix, mut right) = (Matrix::<T, N, N>::identity(), Vector::<T, N>::zeros());
        for row in self.rank..N {
            let (hidden, source) = (row >= determined, if row >= determined { &rates } else { &rows });
            right.data.0[0][row] = source.values[row];
            for column in 0..N {
                if column < self.rank {
                    matrix.data.0[column][row] = T::zero();
                    gradients.data.0[row][column] = if hidden { rows.slopes[row][column] } else { T::zero() };
                } else {
                    matrix.data.0[column][row] = source.slopes[row][column];
                }
            }
            off.data.0[0][row] = if hidden { rows.values[row] } else { T::zero() };
        }
        let onto = Qr::factor(gradients)?;
        if onto.rank() + determined < N {
            let (pivot, limit) = (T::zero(), pivot_tolerance(N));
            return Err(FactorError::SmallPivot { index: determined + onto.rank(), pivot, limit });
        }
        let mut step = onto.solve_transposed(off);
        if of == Step::Both {
            step += Lu::factor(matrix)?.solve(right);
        }
        *u -= product(&self.split.transpose(), &step);
        Ok(())
    }

    /// The rows of E F, and of its derivative along (u', 1), each divided by the size of its gradient.
    fn rows<System: Implicit<N, Base = T>>(&self, system: &System, t: T, u: &Vector<T, N>) -> (Rows<T, N>, Rows<T, N>) {
        let variables = Vector::from(Dual::<T, N>::variables(u.data.0[0]));
        let force = system.force(Dual::constant(t), &variables);
        let mut along = variables.map(|u| Dual::<Dual<T, N>, 1, T>::constant(u));
        for i in 0..N {
            let mut slope = Dual::constant(T::zero());
            for k in 0..N {
                slope += force.data.0[0][k] * self.inverse.data.0[k][i];
            }
            along.data.0[0][i].partials = [slope];
        }
        let time = Dual::new(Dual::constant(t), [Dual::constant(T::one())]);
        let change = system.force(time, &along).map(|force| force.partials[0]);

        let derivative: Matrix<T, N, N> = from_partials(&force);
        let mut sizes = [T::zero(); N];
        for row in 0..N {
            for k in 0..N {
                for column in 0..N {
                    sizes[row] += (self.elimination.data.0[k][row] * derivative.data.0[column][k]).abs();
                }
            }
        }
        (self.reduced(&force, &sizes), self.reduced(&change, &sizes))
    }

    /// E times a function of u, its rows divided by their sizes, differentiated by (y, z).
    fn reduced(&self, function: &Vector<Dual<T, N>, N>, sizes: &[T; N]) -> Rows<T, N> {
        let values = product(&self.elimination, &function.map(|f| f.value)).data.0[0];
        let slopes = product_of(&self.elimination, &product_of(&from_partials(function), &self.split.transpose()));
        let slopes = slopes.transpose().data.0; // slopes[row][column]
        let mut rows = Rows { values, slopes };
        for row in 0..N {
            if sizes[row] > T::zero() {
                rows.values[row] /= sizes[row];
                rows.slopes[row] = rows.slopes[row].map(|slope| slope / sizes[row]);
            }
        }
        rows
    }

    /// Combines the algebraic rows, and in the same way their derivatives, by elimination with full pivoting in g_z. From the returned
    /// row on they do not use z.
    fn combine(&self, rows: &mut Rows<T, N>, rates: &mut Rows<T, N>) -> usize {
        // Rows have size one; zeros computed with E, F_u and Q are a few ε.
        let limit = pivot_tolerance::<T>(N) * T::from_f64(4.0);
        let mut determined = self.rank;
        for k in self.rank..N {
            let (mut size, mut at) = (limit, None);
            for i in k..N {
                for j in self.rank..N {
                    if rows.slopes[i][j].abs() > size {
                        (size, at) = (rows.slopes[i][j].abs(), Some((i, j)));
                    }
                }
            }
            let Some((i, j)) = at.filter(|&(i, j)| i < N && j < N) else { break };
            for rows in [&mut *rows, &mut *rates] {
                rows.values.swap(i, k);
                rows.slopes.swap(i, k);
            }
            let pivot = rows.slopes[k][j];
            for i in k + 1..N {
                let factor = rows.slopes[i][j] / pivot;
                for rows in [&mut *rows, &mut *rates] {
                    let (value, slopes) = (rows.values[k], rows.slopes[k]);
                    rows.values[i] -= value * factor;
                    for column in 0..N {
                        rows.slopes[i][column] -= slopes[column] * factor;
                    }
                }
                rows.slopes[i][j] = T::zero();
            }
            determined = k + 1;
        }
        determined
    }
}

/// Finds a consistent u near a guess.
pub(super) fn near<T: Float, System: Implicit<N, Base = T>, const N: usize>(
    system: &System,
    t: T,
    mass: &Matrix<T, N, N>,
    pencil: &Pencil<T, N>,
    mut u: Vector<T, N>,
) -> Result<Vector<T, N>, StartError<T>> {
    let consistent = Consistent::of(mass, pencil).map_err(StartError::Pencil)?;
    for of in [Step::Differential, Step::Both] {
        for _ in 0..ITERATIONS {
            let start = u;
            consistent.iterate(system, t, &mut u, of).map_err(|cause| match PencilIndex::at(system, t, &start) {
                Ok(pencil) if pencil.index() > LARGEST_INDEX => {
                    StartError::Index { found: pencil.index(), largest: LARGEST_INDEX }
                }
                _ => StartError::Constraints(cause),
            })?;
        }
    }
    Ok(u)
}

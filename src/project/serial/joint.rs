//! A joint of a serial mechanism: its blocks of G, and its part of the elimination.

use super::tree::Solved;
use super::{Rows, Side, joints};
use crate::linalg::blocks::{
    add_times, add_transposed_times, difference, row, scaled, subtract_times, sum, times, times_transposed,
    transposed_times, weighted,
};
use crate::linalg::entries::negative_zeros;
use crate::linalg::written_out::written_out;
use crate::linalg::{Dense, FactorError, Ldlt, Matrix, SymmetricFactors, Vector, pivot_tolerance};
use crate::scalar::Float;
use crate::system::Serial;

/// The geometry of a joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joint<T, const D: usize, const E: usize> {
    /// A: the derivative by the coordinates before. Not set if it is −B.
    before: Matrix<T, E, D>,
    /// B: the derivative by the coordinates behind.
    pub(super) behind: Matrix<T, E, D>,
    /// L of a row. That of a tree is not kept: see `tree`.
    lower: Matrix<T, E, E>,
    /// The factors of D.
    factors: Ldlt<T, E>,
    /// r: what the forward pass leaves of a right-hand side.
    pub(crate) rest: Vector<T, E>,
    /// The sum of the corrections of the positions in the step that ended here.
    pub(crate) impulse: Vector<T, E>,
    /// The one-sided multipliers where the step ended, before they are multiplied by `per_impulse` of the state; after a start, those of the
    /// acceleration level.
    pub(crate) multipliers: Vector<T, E>,
}

/// What the elimination of a joint takes from the element before it.
pub(super) struct Before<T, const D: usize, const E: usize> {
    pub(super) inverse_masses: Vector<T, D>,
    /// B W of the joint before.
    directions: Matrix<T, E, D>,
    factors: Ldlt<T, E>,
    rest: Vector<T, E>,
}

impl<T: Float, const D: usize, const E: usize> Before<T, D, E> {
    /// The ground has no inverse mass.
    #[inline(always)]
    pub(super) fn ground() -> Self {
        Self {
            inverse_masses: Vector::zeros(),
            directions: Matrix::zeros(),
            factors: Ldlt::workspace(),
            rest: Vector::zeros(),
        }
    }
}

/// What the backward pass takes from the joint behind, or from the branches of a tree.
pub(crate) struct Behind<T, const N: usize, const D: usize, const E: usize> {
    /// Lᵀ x.
    coupled: Vector<T, E>,
    /// Aᵀ times the multipliers.
    pull: Vector<T, D>,
    branches: Option<Solved<T, N, D, E>>,
}

impl<T: Float, const N: usize, const D: usize, const E: usize> Behind<T, N, D, E> {
    /// Behind the last joint is nothing. The pass solves with the factors of one side, for what the forward pass has left in the other.
    #[inline(always)]
    pub(crate) fn last<System: Serial<N, D, E, Base = T>>(rows: &Rows<T, N, D, E>, factors: Side, rests: Side) -> Self {
        let is_row = const { System::PARENTS.is_row() };
        let branches = if is_row { None } else { Some(Solved::of::<System>(rows, factors, rests)) };
        Self { coupled: Vector::zeros(), pull: negative_zeros(), branches }
    }
}

impl<T: Float, const D: usize, const E: usize> Joint<T, D, E> {
    pub(super) fn workspace() -> Self {
        Self {
            before: Matrix::zeros(),
            behind: Matrix::zeros(),
            lower: Matrix::zeros(),
            factors: Ldlt::workspace(),
            rest: Vector::zeros(),
            impulse: Vector::zeros(),
            multipliers: Vector::zeros(),
        }
    }

    /// A of a joint of this system.
    #[inline(always)]
    pub(super) fn before<System: Serial<N, D, E>, const N: usize>(&self) -> Matrix<T, E, D> {
        if System::RELATIVE { negative(&self.behind) } else { self.before }
    }

    /// A x + B y.
    #[inline(always)]
    pub(crate) fn along<System: Serial<N, D, E>, const N: usize>(
        &self,
        before: &Vector<T, D>,
        behind: &Vector<T, D>,
    ) -> Vector<T, E> {
        add_times(&times(&self.before::<System, N>(), before), &self.behind, behind)
    }

    /// Keeps blocks and right-hand side for the elimination of a tree.
    pub(super) fn set<System: Serial<N, D, E>, const N: usize>(
        &mut self,
        [a, b]: [Matrix<T, E, D>; 2],
        right: Vector<T, E>,
    ) {
        (self.behind, self.rest) = (b, right);
        if !System::RELATIVE {
            self.before = a;
        }
    }

    /// Eliminates this joint, and makes its part of the forward pass. Returns the diagonal of S_jj and the inverse pivots; the caller judges
    /// them. `before` becomes what the next joint needs.
    #[inline(always)]
    pub(super) fn eliminate<System: Serial<N, D, E>, const N: usize>(
        &mut self,
        [a, b]: [Matrix<T, E, D>; 2],
        right: &Vector<T, E>,
        before: &mut Before<T, D, E>,
        inverse_masses: &Vector<T, D>,
    ) -> [Vector<T, E>; 2] {
        let directions = weighted(&b, inverse_masses);
        let own = add(&times_transposed(&weighted(&a, &before.inverse_masses), &a), &times_transposed(&directions, &b));
        // S_j,j₋₁ and, row by row, L_j.
        let coupling = times_transposed(&a, &before.directions);
        let mut lower = Matrix::zeros();
        written_out!(ROW where ROW < E => {
            let solved = before.factors.solve_with::<Dense>(row::<T, E, E, ROW>(&coupling));
            set_row::<T, E, ROW>(&mut lower, &solved);
        });
        let rest = subtract_times(right, &lower, &before.rest);

        let mut factors = Ldlt::workspace();
        *factors.matrix() = subtract(&own, &times_transposed(&lower, &coupling));
        factorise::<System, T, N, D, E>(&mut factors, &diagonal(&own));

        (self.behind, self.lower, self.factors, self.rest) = (b, lower, factors, rest);
        if !System::RELATIVE {
            self.before = a;
        }
        *before = Before { inverse_masses: *inverse_masses, directions, factors, rest };
        [diagonal(&own), diagonal(factors.matrix())]
    }

    /// The part of this joint in the factorisation of a tree, from the masses and mobilities before and behind. Returns the diagonal of S_jj
    /// and the inverse pivots.
    #[inline(always)]
    pub(super) fn eliminate_branch<System: Serial<N, D, E>, const N: usize>(
        &mut self,
        [masses_before, masses]: [Vector<T, D>; 2],
        [mobility_before, mobility]: &[Matrix<T, D, D>; 2],
    ) -> [Vector<T, E>; 2] {
        let (a, b) = (self.before::<System, N>(), self.behind);
        let own = weighted_squares(&a, &masses_before) + weighted_squares(&b, &masses);
        // Mobilities are symmetric.
        let [before, behind] = [times_transposed(&a, mobility_before), times_transposed(&b, mobility)];
        *self.factors.matrix() = add(&times_transposed(&behind, &b), &times_transposed(&before, &a));
        factorise::<System, T, N, D, E>(&mut self.factors, &own);
        [own, diagonal(self.factors.matrix())]
    }

    /// L of a tree. The mobility before becomes what this joint leaves of it.
    #[inline(always)]
    pub(super) fn reach<System: Serial<N, D, E>, const N: usize>(
        &self,
        mobility: &mut Matrix<T, D, D>,
    ) -> Matrix<T, E, D> {
        let (directions, mut reach) = (times_transposed(&self.before::<System, N>(), mobility), Matrix::zeros());
        written_out!(K where K < D => {
            let column = self.factors.solve_with::<Dense>(Vector::from(directions.data.0[K]));
            let change = transposed_times(&directions, &column);
            mobility.data.0[K] = difference(&Vector::from(mobility.data.0[K]), &change).data.0[0];
            reach.data.0[K] = column.data.0[0];
        });
        reach
    }

    /// The forward pass: what is left of a right-hand side. A tree has its own passes: see [`Behind::last`].
    #[inline(always)]
    pub(crate) fn forward<System: Serial<N, D, E>, const N: usize>(
        &self,
        right: &Vector<T, E>,
        rest_before: &Vector<T, E>,
    ) -> Vector<T, E> {
        if const { System::PARENTS.is_row() } { subtract_times(right, &self.lower, rest_before) } else { *right }
    }

    /// The backward pass: the solution x of this joint, number `i`, from what the forward pass has left.
    #[inline(always)]
    pub(crate) fn backward<System: Serial<N, D, E>, const N: usize>(
        &self,
        i: usize,
        rest: &Vector<T, E>,
        behind: &Behind<T, N, D, E>,
    ) -> Vector<T, E> {
        if const { System::PARENTS.is_row() } {
            return difference(&self.factors.solve_with::<Dense>(*rest), &behind.coupled);
        }
        behind.branches.as_ref().map_or(*rest, |solved| solved.solution(i))
    }

    /// Gᵀ times the multipliers of this joint and of the one behind, at the element between them. `behind` becomes what the joint before
    /// needs.
    #[inline(always)]
    pub(crate) fn pull<System: Serial<N, D, E>, const N: usize>(
        &self,
        i: usize,
        solution: &Vector<T, E>,
        multipliers: &Vector<T, E>,
        behind: &mut Behind<T, N, D, E>,
    ) -> Vector<T, D> {
        if const { !System::PARENTS.is_row() } {
            let pulled = behind.branches.as_mut().map(|solved| solved.pull::<System>(i, self, multipliers));
            return pulled.unwrap_or(behind.pull);
        }
        let pull = add_transposed_times(&behind.pull, &self.behind, multipliers);
        behind.coupled = transposed_times(&self.lower, solution);
        behind.pull = transposed_times(&self.before::<System, N>(), multipliers);
        pull
    }

    /// D⁻¹ r.
    pub(crate) fn solve(&self, rest: &Vector<T, E>) -> Vector<T, E> {
        self.factors.solve(*rest)
    }

    /// Refuses the first pivot that is not above its limit, `tolerance` times the diagonal entry of G W Gᵀ. `row` is that of the first
    /// constraint of this joint.
    pub(super) fn judge<System: Serial<N, D, E>, const N: usize>(
        &self,
        [before, behind]: [&Vector<T, D>; 2],
        tolerance: T,
        row: usize,
    ) -> Result<(), FactorError<T>> {
        let diagonal = weighted_squares(&self.before::<System, N>(), before) + weighted_squares(&self.behind, behind);
        let mut factors = self.factors;
        for k in 0..E {
            let (pivot, limit) = (T::one() / factors.matrix().data.0[k][k], diagonal.data.0[0][k] * tolerance);
            if !(pivot > limit) {
                return Err(FactorError::refusing(row + k, pivot, limit));
            }
        }
        Ok(())
    }

    /// The number of independent constraints of this joint.
    pub(super) fn rank(&self) -> usize {
        let mut factors = self.factors;
        (0..E).filter(|k| factors.matrix().data.0[*k][*k] != T::zero()).count()
    }

    pub(super) fn smallest_pivot(&self) -> T {
        self.factors.smallest_pivot()
    }

    /// The squared norm of each row of G.
    pub(crate) fn squared_gradients<System: Serial<N, D, E>, const N: usize>(&self) -> Vector<T, E> {
        let one = Vector::repeat(T::one());
        weighted_squares(&self.before::<System, N>(), &one) + weighted_squares(&self.behind, &one)
    }
}

/// Factorises D; `diagonal` is that of S_jj. The caller judges the pivots.
#[inline(always)]
fn factorise<System: Serial<N, D, E>, T: Float, const N: usize, const D: usize, const E: usize>(
    factors: &mut Ldlt<T, E>,
    diagonal: &Vector<T, E>,
) {
    if System::REDUNDANT {
        let tolerance = pivot_tolerance::<T>(joints::<System, N, D, E>() * E);
        factors.eliminate_to_rank(&scaled(diagonal, tolerance));
    } else {
        // Accepts every pivot.
        let _ = factors.eliminate::<Dense>(|_, _, _| Ok(()));
    }
}

/// The diagonal of A W Aᵀ.
fn weighted_squares<T: Float, const D: usize, const E: usize>(a: &Matrix<T, E, D>, w: &Vector<T, D>) -> Vector<T, E> {
    diagonal(&times_transposed(&weighted(a, w), a))
}

#[inline(always)]
fn add<T: Float, const E: usize>(x: &Matrix<T, E, E>, y: &Matrix<T, E, E>) -> Matrix<T, E, E> {
    let mut result = *x;
    written_out!(K where K < E => {
        result.data.0[K] = sum(&Vector::from(x.data.0[K]), &Vector::from(y.data.0[K])).data.0[0];
    });
    result
}

#[inline(always)]
fn subtract<T: Float, const E: usize>(x: &Matrix<T, E, E>, y: &Matrix<T, E, E>) -> Matrix<T, E, E> {
    let mut result = *x;
    written_out!(K where K < E => {
        result.data.0[K] = difference(&Vector::from(x.data.0[K]), &Vector::from(y.data.0[K])).data.0[0];
    });
    result
}

/// −A.
#[inline(always)]
fn negative<T: Float, const R: usize, const C: usize>(a: &Matrix<T, R, C>) -> Matrix<T, R, C> {
    let mut result = *a;
    written_out!(K where K < C => { result.data.0[K] = negative_column(&a.data.0[K]); });
    result
}

#[inline(always)]
fn negative_column<T: Float, const R: usize>(x: &[T; R]) -> [T; R] {
    let mut result = *x;
    written_out!(K where K < R => { result[K] = -x[K]; });
    result
}

#[inline(always)]
fn set_row<T: Float, const E: usize, const ROW: usize>(matrix: &mut Matrix<T, E, E>, row: &Vector<T, E>) {
    written_out!(K where K < E => { matrix.data.0[K][ROW] = row.data.0[0][K]; });
}

#[inline(always)]
fn diagonal<T: Float, const E: usize>(matrix: &Matrix<T, E, E>) -> Vector<T, E> {
    let mut diagonal = Vector::zeros();
    written_out!(K where K < E => { diagonal.data.0[0][K] = matrix.data.0[K][K]; });
    diagonal
}

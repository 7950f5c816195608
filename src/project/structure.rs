//! What the pattern of G tells about M⁻¹ Gᵀ and about the factors of G M⁻¹ Gᵀ, as constants.
//!
//! Two constraints are coupled if a coordinate that one uses is moved by the other. With a diagonal mass that is a coordinate which both
//! use. The elimination couples more of them: its fill. It goes through the constraints in the [order](crate::linalg::fill) that fills in
//! least. Only the factors have that order: rows, multipliers and errors keep the numbers of the model. A *place* is a number in it.

use core::marker::PhantomData;

use crate::linalg::entries::zeros;
use crate::linalg::fill::{MAX_PRODUCTS, fill, lower, natural_order, order, products};
use crate::linalg::written_out::{MAX_WRITTEN_OUT, add, counts, counts_below, written_out};
use crate::linalg::{Fill, MAX_UNROLLED, Matrix, Vector, product};
use crate::scalar::Float;
use crate::system::{Inertia, InertiaOf, Mechanical};

/// The structure of a system's constraints.
pub(crate) trait Structure<const N: usize, const M: usize>: Mechanical<N, M> {
    /// Where G can differ from zero.
    const GRADIENTS: [[bool; N]; M] = *Self::PATTERN.entries();

    /// Where Gᵀ M⁻¹ can differ from zero.
    const DIRECTIONS: [[bool; N]; M] = directions(&Self::GRADIENTS, &InertiaOf::<Self, N, M>::COUPLES);

    /// How many products each entry of G M⁻¹ Gᵀ takes.
    const COUPLING: [[usize; M]; M] = coupling(&Self::GRADIENTS, &Self::DIRECTIONS);

    /// The constraint that is eliminated at each place. Of three, an order could save one entry: the pivots that are judged together
    /// keep their numbers instead.
    const ORDER: [usize; M] = if N <= MAX_WRITTEN_OUT && M <= MAX_WRITTEN_OUT && M > MAX_UNROLLED {
        order(&positive(&Self::COUPLING))
    } else {
        natural_order()
    };

    /// Whether the loops over the constraints are written out.
    const WRITTEN_OUT: bool = N <= MAX_WRITTEN_OUT
        && M <= MAX_WRITTEN_OUT
        && sum(&Self::COUPLING) + products(&<Schur<Self, N> as Fill<M>>::L) <= MAX_PRODUCTS;
}

impl<System: Mechanical<N, M>, const N: usize, const M: usize> Structure<N, M> for System {}

/// The fill of G M⁻¹ Gᵀ of a system with `N` coordinates.
pub(crate) struct Schur<System, const N: usize>(PhantomData<System>);

impl<System: Mechanical<N, M>, const N: usize, const M: usize> Fill<M> for Schur<System, N> {
    const ORDER: [usize; M] = if System::WRITTEN_OUT { System::ORDER } else { natural_order() };
    const L: [[bool; M]; M] = fill(lower(&positive(&System::COUPLING), &System::ORDER));
    const WRITTEN_OUT: bool = <System as Structure<N, M>>::WRITTEN_OUT;
}

/// Which coordinates each constraint moves.
const fn directions<const N: usize, const M: usize>(
    gradients: &[[bool; N]; M],
    couples: &[[bool; N]; N],
) -> [[bool; N]; M] {
    let (mut directions, mut row) = ([[false; N]; M], 0);
    while row < M {
        let mut k = 0;
        while k < N {
            let mut j = 0;
            while j < N {
                directions[row][k] |= gradients[row][j] && couples[k][j];
                j += 1;
            }
            k += 1;
        }
        row += 1;
    }
    directions
}

/// How many products g_i · d_j takes.
const fn coupling<const N: usize, const M: usize>(
    gradients: &[[bool; N]; M],
    directions: &[[bool; N]; M],
) -> [[usize; M]; M] {
    let (mut coupling, mut i) = ([[0; M]; M], 0);
    while i < M {
        let mut j = 0;
        while j < M {
            let mut k = 0;
            while k < N {
                coupling[i][j] += (gradients[i][k] && directions[j][k]) as usize;
                k += 1;
            }
            j += 1;
        }
        i += 1;
    }
    coupling
}

/// Of the lower triangle.
const fn sum<const M: usize>(numbers: &[[usize; M]; M]) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < M {
        let mut j = 0;
        while j <= i {
            sum += numbers[i][j];
            j += 1;
        }
        i += 1;
    }
    sum
}

const fn positive<const M: usize>(numbers: &[[usize; M]; M]) -> [[bool; M]; M] {
    let (mut entries, mut i) = ([[false; M]; M], 0);
    while i < M {
        let mut j = 0;
        while j < M {
            entries[i][j] = numbers[i][j] > 0;
            j += 1;
        }
        i += 1;
    }
    entries
}

/// Whether the entry of G M⁻¹ Gᵀ at two places, the first not before the second, can differ from zero.
const fn coupled<System: Mechanical<N, M>, const N: usize, const M: usize>(row: usize, column: usize) -> bool {
    column <= row && row < M && System::COUPLING[System::ORDER[row]][System::ORDER[column]] > 0
}

/// G x.
#[inline(always)]
pub(crate) fn along<System: Mechanical<N, M, Base = T>, T: Float, const N: usize, const M: usize>(
    jacobian: &Matrix<T, M, N>,
    x: &Vector<T, N>,
) -> Vector<T, M> {
    if !<System as Structure<N, M>>::WRITTEN_OUT {
        return product(jacobian, x);
    }
    let mut result = zeros();
    written_out!(ROW where ROW < M => {
        result.data.0[0][ROW] = along_row::<System, T, N, M, ROW>(jacobian, x).unwrap_or(T::zero());
    });
    result
}

/// x ← x + G y.
#[inline(always)]
pub(crate) fn add_along<System: Mechanical<N, M, Base = T>, T: Float, const N: usize, const M: usize>(
    x: &mut Vector<T, M>,
    jacobian: &Matrix<T, M, N>,
    y: &Vector<T, N>,
) {
    if !<System as Structure<N, M>>::WRITTEN_OUT {
        return crate::linalg::accumulate_product(x, jacobian, y, |sum, term| sum + term);
    }
    written_out!(ROW where ROW < M => { add_row::<System, T, N, M, ROW>(&mut x.data.0[0][ROW], jacobian, y); });
}

#[inline(always)]
fn add_row<System: Mechanical<N, M, Base = T>, T: Float, const N: usize, const M: usize, const ROW: usize>(
    x: &mut T,
    jacobian: &Matrix<T, M, N>,
    y: &Vector<T, N>,
) {
    written_out!(K if counts(&System::GRADIENTS, ROW, K) => { *x += jacobian.data.0[K][ROW] * y.data.0[0][K]; });
}

#[inline(always)]
fn along_row<System: Mechanical<N, M, Base = T>, T: Float, const N: usize, const M: usize, const ROW: usize>(
    jacobian: &Matrix<T, M, N>,
    x: &Vector<T, N>,
) -> Option<T> {
    let mut sum = None;
    written_out!(K if counts(&System::GRADIENTS, ROW, K) => {
        sum = add(sum, jacobian.data.0[K][ROW] * x.data.0[0][K]);
    });
    sum
}

/// x ← x − M⁻¹ Gᵀ ν.
#[inline(always)]
pub(crate) fn subtract<System: Mechanical<N, M, Base = T>, T: Float, const N: usize, const M: usize>(
    x: &mut Vector<T, N>,
    directions: &Matrix<T, N, M>,
    multipliers: &Vector<T, M>,
) {
    if !<System as Structure<N, M>>::WRITTEN_OUT {
        return crate::linalg::subtract_product(x, directions, multipliers);
    }
    written_out!(K where K < N => {
        subtract_entry::<System, T, N, M, K>(&mut x.data.0[0][K], directions, multipliers);
    });
}

#[inline(always)]
fn subtract_entry<System: Mechanical<N, M, Base = T>, T: Float, const N: usize, const M: usize, const K: usize>(
    x: &mut T,
    directions: &Matrix<T, N, M>,
    multipliers: &Vector<T, M>,
) {
    written_out!(ROW if counts(&System::DIRECTIONS, ROW, K) => {
        *x -= directions.data.0[ROW][K] * multipliers.data.0[0][ROW];
    });
}

/// Copies the entries of M⁻¹ Gᵀ that are read.
#[inline(always)]
pub(crate) fn assign<System: Mechanical<N, M, Base = T>, T: Float, const N: usize, const M: usize>(
    directions: &mut Matrix<T, N, M>,
    next: &Matrix<T, N, M>,
) {
    written_out!(ROW where ROW < M => { assign_row::<System, T, N, M, ROW>(directions, next); });
}

#[inline(always)]
fn assign_row<System: Mechanical<N, M, Base = T>, T: Float, const N: usize, const M: usize, const ROW: usize>(
    directions: &mut Matrix<T, N, M>,
    next: &Matrix<T, N, M>,
) {
    written_out!(K if counts(&System::DIRECTIONS, ROW, K) => {
        directions.data.0[ROW][K] = next.data.0[ROW][K];
    });
}

/// Computes M⁻¹ Gᵀ, and the lower triangle of G M⁻¹ Gᵀ in the order of the elimination.
#[inline(always)]
pub(crate) fn assemble<
    System: Mechanical<N, M, Base = T>,
    T: Float,
    const N: usize,
    const M: usize,
    I: Inertia<T, N>,
>(
    jacobian: &Matrix<T, M, N>,
    inertia: &I,
    directions: &mut Matrix<T, N, M>,
    schur: &mut Matrix<T, M, M>,
) {
    if I::KEEPS_INVERSE {
        written_out!(ROW where ROW < M => { direct_row::<System, T, N, M, ROW>(jacobian, inertia, directions); });
    } else {
        inertia.directions(jacobian, directions);
    }
    written_out!(COLUMN where COLUMN < M => { assemble_column::<System, T, N, M, COLUMN>(jacobian, directions, schur); });
}

#[inline(always)]
fn direct_row<System: Mechanical<N, M, Base = T>, T: Float, const N: usize, const M: usize, const ROW: usize>(
    jacobian: &Matrix<T, M, N>,
    inertia: &impl Inertia<T, N>,
    directions: &mut Matrix<T, N, M>,
) {
    written_out!(K where counts(&System::DIRECTIONS, ROW, K) => {
        let entry = direct_entry::<System, T, N, M, ROW, K>(jacobian, inertia);
        directions.data.0[ROW][K] = entry.unwrap_or(T::zero());
    });
}

/// Σ (M⁻¹)_kj g_j.
#[inline(always)]
fn direct_entry<
    System: Mechanical<N, M, Base = T>,
    T: Float,
    const N: usize,
    const M: usize,
    const ROW: usize,
    const K: usize,
>(
    jacobian: &Matrix<T, M, N>,
    inertia: &impl Inertia<T, N>,
) -> Option<T> {
    let mut sum = None;
    written_out!(J if counts(&System::GRADIENTS, ROW, J) && counts(&InertiaOf::<System, N, M>::COUPLES, K, J) => {
        sum = add(sum, jacobian.data.0[J][ROW] * inertia.inverse(K, J));
    });
    sum
}

#[inline(always)]
fn assemble_column<
    System: Mechanical<N, M, Base = T>,
    T: Float,
    const N: usize,
    const M: usize,
    const COLUMN: usize,
>(
    jacobian: &Matrix<T, M, N>,
    directions: &Matrix<T, N, M>,
    schur: &mut Matrix<T, M, M>,
) {
    written_out!(ROW where coupled::<System, N, M>(ROW, COLUMN) => {
        let entry = assemble_entry::<System, T, N, M, ROW, COLUMN>(jacobian, directions);
        schur.data.0[COLUMN][ROW] = entry.unwrap_or(T::zero());
    });
    // The elimination fills these in.
    written_out!(ROW if fills::<System, N, M>(ROW, COLUMN) => {
        schur.data.0[COLUMN][ROW] = T::zero();
    });
}

/// Whether the entry of G M⁻¹ Gᵀ at two places is zero before the elimination, but not after it.
const fn fills<System: Mechanical<N, M>, const N: usize, const M: usize>(row: usize, column: usize) -> bool {
    counts_below(&<Schur<System, N> as Fill<M>>::L, row, column) && !coupled::<System, N, M>(row, column)
}

#[inline(always)]
fn assemble_entry<
    System: Mechanical<N, M, Base = T>,
    T: Float,
    const N: usize,
    const M: usize,
    const ROW: usize,
    const COLUMN: usize,
>(
    jacobian: &Matrix<T, M, N>,
    directions: &Matrix<T, N, M>,
) -> Option<T> {
    let (row, column, mut sum) = (System::ORDER[ROW], System::ORDER[COLUMN], None);
    written_out!(K if counts(&System::GRADIENTS, row, K) && counts(&System::DIRECTIONS, column, K) => {
        sum = add(sum, jacobian.data.0[K][row] * directions.data.0[column][K]);
    });
    sum
}

//! The factorisations of matrices of every kind: well and badly conditioned, of full and lower rank, with ties between pivots, and
//! invalid ones.

use taut::linalg::{FactorError, Ldlt, Lu, Matrix, Qr, Semidefinite, SymmetricFactors, Vector};
use taut::scalar::Float;

use super::RANDOM;
use super::hash::{Absorb, Hash};
use super::inputs::{Draw, Generator};

/// A scalar of matrices.
pub trait Entry: Float + Draw + Absorb {}

impl Entry for f32 {}
impl Entry for f64 {}

/// LDLT of positive definite matrices: factors, then solves.
pub fn ldlt<T: Entry, const N: usize>() -> u64 {
    hash_over(|generator| {
        let (matrix, b) = (symmetric::<T, N>(generator), any::<T, N, 1>(generator));
        Ldlt::factor(matrix).map(|factors| (factors.solve(b), (factors.smallest_pivot(), factors.rank())))
    })
}

/// LDLT of positive semidefinite matrices.
pub fn semidefinite<T: Entry, const N: usize>() -> u64 {
    hash_over(|generator| {
        let (matrix, b) = (symmetric::<T, N>(generator), any::<T, N, 1>(generator));
        Semidefinite::factor(matrix).map(|factors| (factors.solve(b), (factors.smallest_pivot(), factors.rank())))
    })
}

/// LU of square matrices.
pub fn lu<T: Entry, const N: usize>() -> u64 {
    hash_over(|generator| {
        let (matrix, b) = (any::<T, N, N>(generator), any::<T, N, 1>(generator));
        Lu::factor(matrix).map(|factors| (factors.solve(b), (factors.smallest_pivot(), N)))
    })
}

/// QR of matrices of any shape, with both of its solutions.
pub fn qr<T: Entry, const R: usize, const C: usize>() -> u64 {
    hash_over(|generator| {
        let (matrix, b, c) = (any::<T, R, C>(generator), any::<T, R, 1>(generator), any::<T, C, 1>(generator));
        Qr::factor(matrix).map(|factors| {
            let solutions: (Vector<T, C>, Vector<T, R>) = (factors.solve_least_squares(b), factors.solve_transposed(c));
            (solutions, (factors.smallest_pivot(), factors.rank()))
        })
    })
}

fn hash_over<R: Absorb>(body: impl Fn(&mut Generator) -> R) -> u64 {
    let mut hash = Hash::new();
    let mut generator = Generator::new(0);
    for _ in 0..RANDOM {
        body(&mut generator).absorb(&mut hash);
    }
    hash.value()
}

impl<T: Float + Absorb> Absorb for FactorError<T> {
    fn absorb(&self, hash: &mut Hash) {
        match self {
            Self::NonFinite { index } => (0, *index).absorb(hash),
            Self::SmallPivot { index, pivot, limit } => ((1, *index), (*pivot, *limit)).absorb(hash),
            _ => 2.absorb(hash),
        }
    }
}

/// A matrix of any kind.
fn any<T: Entry, const R: usize, const C: usize>(generator: &mut Generator) -> Matrix<T, R, C> {
    let mut matrix = Matrix::<T, R, C>::zeros();
    fill(matrix.as_mut_slice(), R, generator);
    matrix
}

/// Fills columns of `rows` entries. One function for all sizes keeps the program small enough for the smallest machine.
#[inline(never)]
fn fill<T: Entry>(entries: &mut [T], rows: usize, generator: &mut Generator) {
    let kind = generator.below(8);
    let seed = generator.bits();
    let small = T::power_of_two(-(generator.below(60) as i32));
    let special_place = generator.below(entries.len() as u32) as usize;
    for (place, entry) in entries.iter_mut().enumerate() {
        // The same numbers for each column.
        let mut row = Generator::new(seed ^ (place % rows.max(1)) as u64);
        *entry = match kind {
            // Rows of very different sizes.
            0 => T::moderate(generator) * T::power_of_two(row.below(41) as i32 - 20),
            // Few different entries: pivots tie, and ranks are low.
            1 | 2 => T::from_f64(f64::from(generator.below(3) as i32 - 1)),
            // Rank one with a perturbation.
            3 => T::moderate(&mut row) + T::moderate(generator) * small,
            // Any bits at all.
            4 => T::random(generator),
            // One special value among moderate ones.
            5 if place == special_place => T::special(generator.below(100) as usize, generator).unwrap_or(T::zero()),
            _ => T::moderate(generator),
        };
    }
}

/// A matrix for a symmetric factorisation: in three of four cases B Bᵀ, which is semidefinite, in one of them plus 1; else B itself.
#[inline(never)]
fn symmetric<T: Entry, const N: usize>(generator: &mut Generator) -> Matrix<T, N, N> {
    let b = any::<T, N, N>(generator);
    let mut product = b * b.transpose();
    match generator.below(4) {
        0 => b,
        1 => {
            for k in 0..N {
                product.data.0[k][k] += T::one();
            }
            product
        }
        _ => product,
    }
}

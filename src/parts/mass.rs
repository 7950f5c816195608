//! The mass matrices of lists of parts. Their zeros follow from the list: nothing is computed for coordinates that no part couples.

use core::fmt;
use core::marker::PhantomData;

use super::list::List;
use super::patterns::{connected, mass_pattern};
use crate::linalg::entries::{zero_matrix, zeros};
use crate::linalg::fill::{MAX_PRODUCTS, fill, products};
use crate::linalg::written_out::{MAX_WRITTEN_OUT, add, counts, for_each};
use crate::linalg::{FactorError, Fill, Ldlt, Matrix, Semidefinite, SymmetricFactors, Vector};
use crate::scalar::{Float, Real};
use crate::system::{ConstantMass, Inertia, Mass};

/// A kind of mass that a mechanism is built with.
pub trait BuiltMass<T: Float, const N: usize>: Mass<T, N> {
    /// From the matrix at one configuration. The error names the coordinate whose row is not positive definite.
    fn built(matrix: Matrix<T, N, N>) -> Result<Self, FactorError<T>>;

    /// The same if the matrix may be singular: for M a, but not for M⁻¹ f. A start refuses it.
    fn kinematic(matrix: Matrix<T, N, N>) -> Self;
}

/// The kind of mass, by whether a coordinate is an angle.
pub type MassOf<L, T, const VARIES: bool, const N: usize, const M: usize> =
    <Chosen<VARIES> as Choose<L, T, N, M>>::Mass;

/// The factors of the constraints, by whether they may depend on each other.
pub type FactorsOf<T, const REDUNDANT: bool, const M: usize> = <Chosen<REDUNDANT> as ChooseFactors<T, M>>::Factors;

/// Chooses a type.
pub struct Chosen<const TRUE: bool>;

/// See [`FactorsOf`].
pub trait ChooseFactors<T, const M: usize> {
    /// The factors.
    type Factors;
}

impl<T, const M: usize> ChooseFactors<T, M> for Chosen<true> {
    type Factors = Semidefinite<T, M>;
}

impl<T, const M: usize> ChooseFactors<T, M> for Chosen<false> {
    type Factors = Ldlt<T, M>;
}

/// See [`MassOf`].
pub trait Choose<L, T, const N: usize, const M: usize> {
    /// The kind of mass.
    type Mass;
}

impl<L, T, const N: usize, const M: usize> Choose<L, T, N, M> for Chosen<true> {
    type Mass = VaryingMatrix<L, N, M>;
}

impl<L, T, const N: usize, const M: usize> Choose<L, T, N, M> for Chosen<false> {
    type Mass = ConstantMatrix<L, T, N, M>;
}

/// A constant mass matrix, with its inverse kept: no coordinate is an angle.
pub struct ConstantMatrix<L, T, const N: usize, const M: usize> {
    matrix: Matrix<T, N, N>,
    inverse: Matrix<T, N, N>,
    list: PhantomData<fn() -> L>,
}

// Derived impls would need `L: Copy`.
impl<L, T: Float, const N: usize, const M: usize> Clone for ConstantMatrix<L, T, N, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L, T: Float, const N: usize, const M: usize> Copy for ConstantMatrix<L, T, N, M> {}

impl<L, T: Float, const N: usize, const M: usize> fmt::Debug for ConstantMatrix<L, T, N, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.matrix.fmt(f)
    }
}

impl<L: List<N, M>, T: Float, const N: usize, const M: usize> BuiltMass<T, N> for ConstantMatrix<L, T, N, M> {
    fn built(matrix: Matrix<T, N, N>) -> Result<Self, FactorError<T>> {
        let factors = Ldlt::factor(matrix)?;
        let mut inverse = Matrix::zeros();
        for column in 0..N {
            let mut unit = zeros::<T, N>();
            unit[column] = T::one();
            let solution = factors.solve(unit);
            for row in column..N {
                inverse[(row, column)] = solution[row];
                inverse[(column, row)] = solution[row];
            }
        }
        Ok(Self { matrix, inverse, list: PhantomData })
    }

    fn kinematic(matrix: Matrix<T, N, N>) -> Self {
        Self::built(matrix).unwrap_or(Self { matrix, inverse: Matrix::zeros(), list: PhantomData })
    }
}

/// The product of a matrix with known zeros and a vector.
#[inline(always)]
fn times<S: Real, const N: usize>(
    entries: &[[bool; N]; N],
    matrix: &Matrix<S::Base, N, N>,
    x: &Vector<S, N>,
) -> Vector<S, N> {
    let mut product = Vector::from([S::zero(); N]);
    for_each!(ROW < N => { product.data.0[0][ROW] = row_times(entries, matrix, x, ROW); });
    product
}

#[inline(always)]
fn row_times<S: Real, const N: usize>(
    entries: &[[bool; N]; N],
    matrix: &Matrix<S::Base, N, N>,
    x: &Vector<S, N>,
    row: usize,
) -> S {
    let mut sum = None;
    for_each!(COLUMN < N => {
        if counts(entries, row, COLUMN) {
            sum = add(sum, x.data.0[0][COLUMN] * matrix.data.0[COLUMN][row]);
        }
    });
    sum.unwrap_or(S::zero())
}

impl<L: List<N, M>, T: Float, const N: usize, const M: usize> ConstantMatrix<L, T, N, M> {
    const ENTRIES: [[bool; N]; N] = mass_pattern(L::TABLE);
}

impl<L: List<N, M>, T: Float, const N: usize, const M: usize> Inertia<T, N> for ConstantMatrix<L, T, N, M> {
    const COUPLES: [[bool; N]; N] = connected(Self::ENTRIES);
    const KEEPS_INVERSE: bool = true;
    const POSITIVE: bool = true;

    #[inline(always)]
    fn inverse(&self, i: usize, j: usize) -> T {
        self.inverse.data.0[j][i]
    }

    #[inline(always)]
    fn acceleration(&self, force: &Vector<T, N>) -> Vector<T, N> {
        times(&Self::COUPLES, &self.inverse, force)
    }

    #[inline(always)]
    fn momentum(&self, velocity: &Vector<T, N>) -> Vector<T, N> {
        times(&Self::ENTRIES, &self.matrix, velocity)
    }
}

impl<L: List<N, M>, T: Float, const N: usize, const M: usize> Mass<T, N> for ConstantMatrix<L, T, N, M> {
    crate::system::is_its_own_inertia! {}

    /// The inverse of a singular matrix was left at zero.
    fn check(&self) -> Result<(), FactorError<T>> {
        match (0..N).find(|i| !(self.inverse[(*i, *i)] > T::ZERO)) {
            Some(_) => Ldlt::factor(self.matrix).map(drop),
            None => Ok(()),
        }
    }

    fn constant<S: Real<Base = T>>(&self) -> Matrix<S, N, N> {
        self.matrix.map(S::from)
    }

    #[inline(always)]
    fn times<S: Real<Base = T>>(&self, _: impl FnOnce() -> Matrix<S, N, N>, x: &Vector<S, N>) -> Vector<S, N> {
        times(&Self::ENTRIES, &self.matrix, x)
    }
}

impl<L: List<N, M>, T: Float, const N: usize, const M: usize> ConstantMass<T, N> for ConstantMatrix<L, T, N, M> {}

/// A mass matrix that varies, because a coordinate is an angle.
pub struct VaryingMatrix<L, const N: usize, const M: usize>(PhantomData<fn() -> L>);

impl<L, const N: usize, const M: usize> Clone for VaryingMatrix<L, N, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L, const N: usize, const M: usize> Copy for VaryingMatrix<L, N, M> {}

impl<L, const N: usize, const M: usize> fmt::Debug for VaryingMatrix<L, N, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VaryingMatrix")
    }
}

/// A [`VaryingMatrix`] at one configuration, and its factors.
pub struct Factorised<L, T, const N: usize, const M: usize> {
    matrix: Matrix<T, N, N>,
    factors: Ldlt<T, N>,
    list: PhantomData<fn() -> L>,
}

impl<L, T: Float, const N: usize, const M: usize> Clone for Factorised<L, T, N, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L, T: Float, const N: usize, const M: usize> Copy for Factorised<L, T, N, M> {}

impl<L, T: Float, const N: usize, const M: usize> fmt::Debug for Factorised<L, T, N, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.matrix.fmt(f)
    }
}

/// The fill of the mass matrix.
struct MassFill<L, const M: usize>(PhantomData<L>);

impl<L: List<N, M>, const N: usize, const M: usize> Fill<N> for MassFill<L, M> {
    const L: [[bool; N]; N] = fill(mass_pattern(L::TABLE));
    const WRITTEN_OUT: bool = N <= MAX_WRITTEN_OUT && products(&<Self as Fill<N>>::L) <= MAX_PRODUCTS;
}

impl<L: List<N, M>, T: Float, const N: usize, const M: usize> Inertia<T, N> for Factorised<L, T, N, M> {
    const COUPLES: [[bool; N]; N] = connected(mass_pattern(L::TABLE));

    #[inline(always)]
    fn acceleration(&self, force: &Vector<T, N>) -> Vector<T, N> {
        self.factors.solve_with::<MassFill<L, M>>(*force)
    }

    #[inline(always)]
    fn momentum(&self, velocity: &Vector<T, N>) -> Vector<T, N> {
        times(const { &mass_pattern(L::TABLE) }, &self.matrix, velocity)
    }
}

impl<L: List<N, M>, T: Float, const N: usize, const M: usize> BuiltMass<T, N> for VaryingMatrix<L, N, M> {
    fn built(matrix: Matrix<T, N, N>) -> Result<Self, FactorError<T>> {
        Ldlt::factor(matrix).map(|_| Self(PhantomData))
    }

    fn kinematic(_: Matrix<T, N, N>) -> Self {
        Self(PhantomData)
    }
}

impl<L: List<N, M>, T: Float, const N: usize, const M: usize> Mass<T, N> for VaryingMatrix<L, N, M> {
    type Inertia = Factorised<L, T, N, M>;

    #[inline(always)]
    fn inertia(&self, matrix: impl FnOnce() -> Matrix<T, N, N>) -> Result<Self::Inertia, FactorError<T>> {
        let mut inertia = Mass::<T, N>::workspace(self);
        self.update(&mut inertia, matrix)?;
        Ok(inertia)
    }

    #[inline(always)]
    fn workspace(&self) -> Self::Inertia {
        Factorised { matrix: zero_matrix(), factors: Ldlt::workspace(), list: PhantomData }
    }

    #[inline(always)]
    fn update(
        &self,
        inertia: &mut Self::Inertia,
        matrix: impl FnOnce() -> Matrix<T, N, N>,
    ) -> Result<(), FactorError<T>> {
        inertia.matrix = matrix();
        inertia.factors.update_with::<MassFill<L, M>>(&inertia.matrix)
    }

    fn constant<S: Real<Base = T>>(&self) -> Matrix<S, N, N> {
        Matrix::zeros()
    }

    #[inline(always)]
    fn times<S: Real<Base = T>>(&self, matrix: impl FnOnce() -> Matrix<S, N, N>, x: &Vector<S, N>) -> Vector<S, N> {
        matrix() * x
    }
}

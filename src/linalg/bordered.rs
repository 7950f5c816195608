//! The Newton matrix of an implicit Runge–Kutta method on equations with constraints, one eigenvalue μ at a time.
//!
//! ```text
//!     (μ A₁ + A₀ + μ⁻¹ A₂) x + B y = r,      (C₀ + μ⁻¹ C₂) x + D y = s
//! ```
//!
//! μ is an eigenvalue of the inverse of the method's coefficients, real or complex: A₁ belongs to the derivatives of the stages, A₀ and C₀
//! to the stages, A₂ and C₂ to their integrals. The solution eliminates x: it factorises an N×N matrix and the Schur complement, M×M.

use super::{Complex, Entry, FactorError, Lu, Matrix, Vector};
use crate::scalar::Float;

/// The matrices of the equations, for all eigenvalues.
pub(crate) struct Linear<T, const N: usize, const M: usize> {
    /// A₁.
    pub(crate) of_rates: Matrix<T, N, N>,
    /// A₀.
    pub(crate) of_stages: Matrix<T, N, N>,
    /// A₂.
    pub(crate) of_integrals: Matrix<T, N, N>,
    /// B.
    pub(crate) coupling: Matrix<T, N, M>,
    /// C₀.
    pub(crate) gradient: Matrix<T, M, N>,
    /// C₂.
    pub(crate) gradient_of_integrals: Matrix<T, M, N>,
    /// D.
    pub(crate) own: Matrix<T, M, M>,
    /// Which constraints are solved. The others follow from them; their multipliers do not change.
    pub(crate) independent: [bool; M],
}

impl<T: Float, const N: usize, const M: usize> Linear<T, N, M> {
    /// All matrices zero, all constraints independent.
    pub(crate) fn zeros() -> Self {
        let square = Matrix::zeros();
        Self {
            of_rates: square,
            of_stages: square,
            of_integrals: square,
            coupling: Matrix::zeros(),
            gradient: Matrix::zeros(),
            gradient_of_integrals: Matrix::zeros(),
            own: Matrix::zeros(),
            independent: [true; M],
        }
    }
}

/// The factors for one eigenvalue.
pub(crate) struct Bordered<E: Entry, const N: usize, const M: usize> {
    square: Lu<E, N>,
    /// A⁻¹ B.
    columns: Matrix<E, N, M>,
    gradient: Matrix<E, M, N>,
    /// The factors of D − C A⁻¹ B.
    schur: Lu<E, M>,
    independent: [bool; M],
}

impl<T: Float, E: Entry<Base = T>, const N: usize, const M: usize> Bordered<E, N, M> {
    /// Factorises for the eigenvalue μ.
    pub(crate) fn factor(equations: &Linear<T, N, M>, eigenvalue: E) -> Result<Self, FactorError<T>> {
        let (inverse, zero) = (eigenvalue.inverse(), E::real(T::zero()));
        let mut square = Matrix::from([[zero; N]; N]);
        let mut gradient = Matrix::from([[zero; M]; N]);
        for j in 0..N {
            for i in 0..N {
                square.data.0[j][i] = eigenvalue.scaled(equations.of_rates.data.0[j][i])
                    + E::real(equations.of_stages.data.0[j][i])
                    + inverse.scaled(equations.of_integrals.data.0[j][i]);
            }
            for i in 0..M {
                gradient.data.0[j][i] = E::real(equations.gradient.data.0[j][i])
                    + inverse.scaled(equations.gradient_of_integrals.data.0[j][i]);
            }
        }
        let square = Lu::factor(square)?;
        let mut columns = Matrix::from([[zero; N]; M]);
        let mut schur = Matrix::from([[zero; M]; M]);
        let independent = equations.independent;
        for j in 0..M {
            let column = square.solve(Vector::from(equations.coupling.data.0[j].map(E::real)));
            columns.data.0[j] = column.data.0[0];
            for i in 0..M {
                schur.data.0[j][i] = if independent[i] && independent[j] {
                    E::real(equations.own.data.0[j][i]) - row_times(&gradient, i, &column)
                } else {
                    E::real(if i == j { T::one() } else { T::zero() })
                };
            }
        }
        Ok(Self { square, columns, gradient, schur: Lu::factor(schur)?, independent })
    }

    /// Solves for x and y.
    pub(crate) fn solve(&self, r: Vector<E, N>, mut s: Vector<E, M>) -> (Vector<E, N>, Vector<E, M>) {
        let mut x = self.square.solve(r);
        for i in 0..M {
            let missing = s.data.0[0][i] - row_times(&self.gradient, i, &x);
            s.data.0[0][i] = if self.independent[i] { missing } else { E::real(T::zero()) };
        }
        let y = self.schur.solve(s);
        for i in 0..N {
            let along = row_times(&self.columns, i, &y);
            x.data.0[0][i] = x.data.0[0][i] - along;
        }
        (x, y)
    }
}

/// Row i of A times x.
#[inline(always)]
fn row_times<E: Entry, const R: usize, const C: usize>(a: &Matrix<E, R, C>, i: usize, x: &Vector<E, C>) -> E {
    let mut sum = E::real(E::Base::ZERO);
    for j in 0..C {
        sum = sum + a.data.0[j][i] * x.data.0[0][j];
    }
    sum
}

/// A vector of complex numbers from its two parts.
#[inline(always)]
pub(crate) fn complex<T: Float, const N: usize>(re: &Vector<T, N>, im: &Vector<T, N>) -> Vector<Complex<T>, N> {
    let mut result = [Complex { re: T::zero(), im: T::zero() }; N];
    for i in 0..N {
        result[i] = Complex { re: re.data.0[0][i], im: im.data.0[0][i] };
    }
    Vector::from(result)
}

//! A linear system in Hessenberg form whose matrix is constant.

use num_traits::Zero;

use super::hessenberg::{Hessenberg, HessenbergTables, StateSpace, state_space_series};
use super::hessenberg_error::HessenbergError;
use crate::linalg::{Matrix, Vector};
use crate::scalar::{Float, Real, Taylor};

/// A [`Hessenberg`] system whose matrix A is constant: everything that follows from A alone is computed once, or on the host.
///
/// At each time, only g and q are computed, from the Taylor series of f.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantHessenberg<System, T, const S: usize, const U: usize> {
    /// The model.
    pub system: System,
    /// What its matrix determines.
    pub tables: HessenbergTables<T, S, U>,
}

impl<System, T: Float, const S: usize, const U: usize> ConstantHessenberg<System, T, S, U> {
    /// Computes the tables. A matrix that depends on time is refused: one of whose derivatives up to order r is not zero at t = 0. A matrix
    /// that begins to change at a later time is not noticed, and A(0) is used.
    pub fn new<const R: usize>(system: System) -> Result<Self, HessenbergError<T>>
    where
        System: Hessenberg<S, R, U, Base = T>,
    {
        let series = state_space_series(&system, T::zero())?;
        for row in 0..S {
            for column in 0..S {
                let entry = series.tables.matrix.data.0[column][row];
                if !(entry - entry.value).is_zero() {
                    return Err(HessenbergError::Varying { row, column });
                }
            }
        }
        Ok(Self { system, tables: series.tables.map(|x| x.value) })
    }
}

impl<System, T: Float, const S: usize, const R: usize, const U: usize> Hessenberg<S, R, U>
    for ConstantHessenberg<System, T, S, U>
where
    System: Hessenberg<S, R, U, Base = T>,
{
    type Base = T;

    const SIZES: [usize; R] = System::SIZES;

    fn matrix<E: Real<Base = T>>(&self, _t: E) -> Matrix<E, S, S> {
        self.tables.matrix.map(E::from)
    }

    fn input<E: Real<Base = T>>(&self, t: E) -> Vector<E, S> {
        self.system.input(t)
    }

    fn continuity(&self) -> [usize; R] {
        self.system.continuity()
    }

    fn state_space(&self, t: T) -> Result<StateSpace<T, S, U>, HessenbergError<T>> {
        let (forcing, offset) = self.tables.offsets(&self.input(Taylor::<T, R>::variable(t)));
        Ok(StateSpace { tables: self.tables, forcing: forcing.map(|x| x.value), offset: offset.map(|x| x.value) })
    }
}

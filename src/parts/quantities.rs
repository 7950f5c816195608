//! The visitors that add up the shares of all parts: constraint, Jacobian, mass, force and the rest.

use super::list::{Element, Output, Push, Shaft, Visitor};
use super::place::{Load, Rows, Symmetric, nothing};
use super::table::Slot;
use crate::linalg::{Matrix, Vector};
use crate::scalar::Real;

/// The constraints g.
pub(super) struct Constraint<S, const M: usize>(pub(super) Vector<S, M>);

impl<S: Real, const M: usize> Visitor<S> for Constraint<S, M> {
    #[inline(always)]
    fn part<const D: usize>(&mut self, slot: Slot, element: &impl Element<S, D>) {
        element.constraint(&mut self.0.data.0[0][slot.row..]);
    }
}

/// The Jacobian G.
pub(super) struct Jacobian<S, const N: usize, const M: usize>(pub(super) Matrix<S, M, N>);

impl<S: Real, const N: usize, const M: usize> Jacobian<S, N, M> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self(Matrix::from([[nothing::<S>(); M]; N]))
    }
}

impl<S: Real, const N: usize, const M: usize> Visitor<S> for Jacobian<S, N, M> {
    #[inline(always)]
    fn part<const D: usize>(&mut self, slot: Slot, element: &impl Element<S, D>) {
        element.gradient(&mut RowsFrom { jacobian: &mut self.0, first: slot.row });
    }
}

/// The rows of G from one on.
struct RowsFrom<'a, S, const N: usize, const M: usize> {
    jacobian: &'a mut Matrix<S, M, N>,
    first: usize,
}

impl<S: Real, const N: usize, const M: usize> Rows<S> for RowsFrom<'_, S, N, M> {
    #[inline(always)]
    fn add(&mut self, row: usize, coordinate: usize, x: S) {
        self.jacobian.data.0[coordinate][self.first + row] += x;
    }
}

/// g_t.
pub(super) struct TimeDerivative<S, const M: usize>(pub(super) Vector<S, M>);

impl<S: Real, const M: usize> Visitor<S> for TimeDerivative<S, M> {
    #[inline(always)]
    fn part<const D: usize>(&mut self, slot: Slot, element: &impl Element<S, D>) {
        element.time_derivative(&mut self.0.data.0[0][slot.row..]);
    }
}

/// g_qq(v, v) + g_tt.
pub(super) struct AccelerationTerms<'a, S, const N: usize, const M: usize> {
    pub(super) v: &'a Vector<S, N>,
    pub(super) terms: Vector<S, M>,
}

impl<S: Real, const N: usize, const M: usize> Visitor<S> for AccelerationTerms<'_, S, N, M> {
    #[inline(always)]
    fn part<const D: usize>(&mut self, slot: Slot, element: &impl Element<S, D>) {
        element.acceleration_terms(&self.v.data.0[0], &mut self.terms.data.0[0][slot.row..]);
    }
}

/// The lower triangle of M.
pub(super) struct MassMatrix<S, const N: usize>(pub(super) Matrix<S, N, N>);

impl<S: Real, const N: usize> MassMatrix<S, N> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self(Matrix::from([[nothing::<S>(); N]; N]))
    }
}

impl<S: Real, const N: usize> Symmetric<S> for MassMatrix<S, N> {
    #[inline(always)]
    fn diagonal(&mut self, i: usize, x: S) {
        self.0.data.0[i][i] += x;
    }

    #[inline(always)]
    fn pair(&mut self, i: usize, j: usize, x: S) {
        if i == j {
            self.0.data.0[i][i] += x + x;
        } else {
            let (row, column) = if i > j { (i, j) } else { (j, i) };
            self.0.data.0[column][row] += x;
        }
    }
}

impl<S: Real, const N: usize> Visitor<S> for MassMatrix<S, N> {
    #[inline(always)]
    fn part<const D: usize>(&mut self, _slot: Slot, element: &impl Element<S, D>) {
        element.mass(self);
    }
}

/// The force f.
pub(super) struct Force<'a, S: Real, const N: usize> {
    pub(super) gravity: S::Base,
    pub(super) v: &'a Vector<S, N>,
    pub(super) force: Vector<S, N>,
}

impl<S: Real, const N: usize> Visitor<S> for Force<'_, S, N> {
    #[inline(always)]
    fn part<const D: usize>(&mut self, _slot: Slot, element: &impl Element<S, D>) {
        element.force(self.gravity, &self.v.data.0[0], &mut self.force.data.0[0]);
    }
}

/// The potential energy.
pub(super) struct PotentialEnergy<S: Real> {
    pub(super) gravity: S::Base,
    pub(super) sum: S,
}

impl<S: Real> Visitor<S> for PotentialEnergy<S> {
    #[inline(always)]
    fn part<const D: usize>(&mut self, _slot: Slot, element: &impl Element<S, D>) {
        self.sum += element.potential_energy(self.gravity);
    }
}

/// The sums of the masses at each place.
pub(super) struct Loads<S: Real, const N: usize>(pub(super) [Load<S::Base>; N]);

impl<S: Real, const N: usize> Visitor<S> for Loads<S, N> {
    #[inline(always)]
    fn part<const D: usize>(&mut self, _slot: Slot, element: &impl Element<S, D>) {
        element.lump(&mut self.0);
    }
}

/// The actuation matrix B.
pub(super) struct Actuation<S, const N: usize, const U: usize> {
    pub(super) matrix: Matrix<S, N, U>,
    pub(super) next: usize,
}

impl<S: Real, const N: usize, const U: usize> Visitor<S> for Actuation<S, N, U> {
    #[inline(always)]
    fn motor(&mut self, shaft: &impl Shaft<S>) {
        // U columns for U motors. `get_mut`, because the optimiser does not always see that.
        if let Some(column) = self.matrix.data.0.get_mut(self.next) {
            shaft.drive(column);
        }
        self.next += 1;
    }
}

/// The outputs s.
pub(super) struct Outputs<S, const U: usize> {
    pub(super) vector: Vector<S, U>,
    pub(super) next: usize,
}

impl<S: Real, const U: usize> Visitor<S> for Outputs<S, U> {
    #[inline(always)]
    fn output(&mut self, output: &impl Output<S>) {
        output.output(self);
    }
}

impl<S: Real, const U: usize> Push<S> for Outputs<S, U> {
    #[inline(always)]
    fn push(&mut self, x: S) {
        if let Some(entry) = self.vector.data.0[0].get_mut(self.next) {
            *entry = x;
        }
        self.next += 1;
    }
}

/// The readings e of the encoders.
pub(super) struct Readings<S, const E: usize> {
    pub(super) vector: Vector<S, E>,
    pub(super) next: usize,
}

impl<S: Real, const E: usize> Visitor<S> for Readings<S, E> {
    #[inline(always)]
    fn encoder(&mut self, shaft: &impl Shaft<S>) {
        if let Some(entry) = self.vector.data.0[0].get_mut(self.next) {
            *entry = shaft.reading();
        }
        self.next += 1;
    }
}

//! The passes along a serial mechanism: evaluation and elimination, forward and backward substitution, projection.

use core::hint::black_box;
use core::ops::Range;

use super::joint::{Before, Behind};
use super::tree::{self, Solved, Trail};
use super::{Grounds, Row, Side, Sums};
use crate::linalg::blocks::{
    add_squares, add_times, check_size, dot, product_of_entries, subtract_weighted, sum, times,
};
use crate::linalg::entries::negative_zeros;
use crate::linalg::written_out::MAX_WRITTEN_OUT;
use crate::linalg::{FactorError, Matrix, Vector, magnitude, pivot_tolerance};
use crate::scalar::Float;
use crate::system::Serial;
use crate::system::serial::before_joint;

/// Whether the passes along a mechanism are written out: those of a short one with small elements.
pub(crate) const fn is_short(elements: usize, coordinates: usize, constraints: usize) -> bool {
    elements <= MAX_WRITTEN_OUT && elements * coordinates * constraints <= MAX_WRITTEN_OUT
}

/// A pass over the rows from the first element to the last, or `backward`, with their numbers. That of a short mechanism is written out: it
/// has no loop to count, and every number is at a fixed offset. The fences keep the numbers of an element out of the work on others: there
/// are too few registers for them.
macro_rules! along {
    ($i:ident, $row:ident in $rows:expr => $body:block) => {
        if const { $crate::project::serial::is_short(N, D, E) } {
            $crate::linalg::written_out::written_out!(I where I < N && $crate::project::serial::is_short(N, D, E) => {
                let ($i, $row) = (I, &mut $rows.elements[I]);
                $body
                core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::SeqCst);
            });
        } else {
            for ($i, $row) in $rows.elements.iter_mut().enumerate() $body
        }
    };
    (backward $i:ident, $row:ident in $rows:expr => $body:block) => {
        if const { $crate::project::serial::is_short(N, D, E) } {
            $crate::linalg::written_out::written_out!(down I where I < N && $crate::project::serial::is_short(N, D, E) => {
                let ($i, $row) = (I, &mut $rows.elements[I]);
                $body
                core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::SeqCst);
            });
        } else {
            for ($i, $row) in $rows.backward() $body
        }
    };
}

pub(crate) use along;

/// All elements of a mechanism, each with the joint before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<T, const N: usize, const D: usize, const E: usize> {
    pub(crate) elements: [Row<T, D, E>; N],
    /// The joint behind the last element of a closed mechanism. Its element is the ground, without inverse mass.
    pub(crate) closing: Row<T, D, E>,
    /// 2/limit² of each constraint of a joint, with the smallest limit of all joints; see [`Sums::residuals`].
    weights: Vector<T, E>,
}

/// The number of joints.
#[inline(always)]
pub(crate) const fn joints<System: Serial<N, D, E>, const N: usize, const D: usize, const E: usize>() -> usize {
    N + System::CLOSED as usize
}

/// The numbers of all joints, for code that is not in a hurry: how many there are is hidden from the optimiser, so that it unrolls nothing.
#[inline(always)]
pub(crate) fn every_joint<System: Serial<N, D, E>, const N: usize, const D: usize, const E: usize>() -> Range<usize> {
    0..black_box(joints::<System, N, D, E>())
}

impl<T: Float, const N: usize, const D: usize, const E: usize> Rows<T, N, D, E> {
    pub(crate) fn workspace() -> Self {
        const { check_size(D) };
        const { check_size(E) };
        Self { elements: [Row::workspace(); N], closing: Row::workspace(), weights: Vector::zeros() }
    }

    /// The rows from the last element to the first, with their numbers.
    ///
    /// How many there are is hidden from the optimiser. If it knew, it would address every number relative to the first row, which takes up
    /// to two instructions more for each: in a chain of 64 a seventh of the step.
    #[inline(always)]
    pub(crate) fn backward(&mut self) -> impl Iterator<Item = (usize, &mut Row<T, D, E>)> {
        let rows = self.elements.get_mut(..black_box(N)).unwrap_or_default();
        rows.iter_mut().enumerate().rev()
    }

    /// The rows from the first element to the last, with their numbers, for code that is not in a hurry; see [`every_joint`].
    pub(crate) fn elements_slowly(&mut self) -> impl Iterator<Item = (usize, &mut Row<T, D, E>)> {
        self.elements.get_mut(..black_box(N)).unwrap_or_default().iter_mut().enumerate()
    }

    /// The row of a joint.
    pub(crate) fn get(&self, joint: usize) -> &Row<T, D, E> {
        self.elements.get(joint).unwrap_or(&self.closing)
    }

    pub(crate) fn get_mut(&mut self, joint: usize) -> &mut Row<T, D, E> {
        self.elements.get_mut(joint).unwrap_or(&mut self.closing)
    }

    /// The inverse masses of an element; zero for the ground.
    pub(super) fn inverse_masses(&self, element: Option<usize>) -> Vector<T, D> {
        element.and_then(|i| self.elements.get(i)).map_or_else(Vector::zeros, |row| row.inverse_masses)
    }

    /// Sets the limits of a joint, beginning with the first, and the weights to those of the smallest limits so far.
    pub(crate) fn set_limits(&mut self, joint: usize, limits: Vector<T, E>) {
        let largest = if joint == 0 { Vector::zeros() } else { self.weights };
        let weights = limits.map(|limit| (T::one() + T::one()) / (limit * limit));
        self.weights = largest.zip_map(&weights, |largest, weight| if weight <= largest { largest } else { weight });
        self.get_mut(joint).limits = limits;
    }

    /// The weighted sum of squares of residuals, from their sum over all joints.
    #[inline(always)]
    pub(crate) fn weighted(&self, squares: &Vector<T, E>) -> T {
        dot(-T::zero(), squares, &self.weights)
    }

    /// The largest magnitude among the velocities.
    pub(crate) fn speed(&self, side: Side) -> T {
        self.elements.iter().fold(T::zero(), |largest, row| {
            let size = magnitude(&row.at(side).v);
            if size <= largest { largest } else { size }
        })
    }

    /// Position and velocity before a joint, and behind it.
    pub(crate) fn around<System: Serial<N, D, E>>(
        &self,
        side: Side,
        joint: usize,
        grounds: &Grounds<T, D>,
    ) -> [[Vector<T, D>; 2]; 2] {
        let motion = |row: &Row<T, D, E>| [row.at(side).q, row.at(side).v];
        let before = before_joint::<System, N, D, E>(joint);
        let before = before.and_then(|before| self.elements.get(before)).map_or(grounds.near, motion);
        [before, self.elements.get(joint).map_or(grounds.far, motion)]
    }

    /// g of a joint.
    pub(crate) fn position_residual<System: Serial<N, D, E, Base = T>>(
        &self,
        side: Side,
        system: &System,
        grounds: &Grounds<T, D>,
        joint: usize,
    ) -> Vector<T, E> {
        let [[before, _], [behind, _]] = self.around::<System>(side, joint, grounds);
        system.constraint(joint, &before, &behind)
    }

    /// The weighted squares of g of all joints.
    pub(crate) fn squares<System: Serial<N, D, E, Base = T>>(
        &self,
        side: Side,
        system: &System,
        grounds: &Grounds<T, D>,
    ) -> T {
        self.weighted(&every_joint::<System, N, D, E>().fold(Vector::zeros(), |sum, joint| {
            add_squares(&sum, &self.position_residual(side, system, grounds, joint))
        }))
    }

    /// Keeps the multipliers as those of the begin of a step.
    pub(crate) fn keep_multipliers<System: Serial<N, D, E, Base = T>>(&mut self, side: Side) {
        for joint in every_joint::<System, N, D, E>() {
            let joint = &mut self.get_mut(joint).at_mut(side).joint;
            joint.impulse = joint.multipliers;
        }
    }

    /// G v of a joint, with the velocity of the ground.
    pub(crate) fn velocity_residual<System: Serial<N, D, E>>(
        &self,
        side: Side,
        grounds: &Grounds<T, D>,
        joint: usize,
    ) -> Vector<T, E> {
        let [[_, before], [_, behind]] = self.around::<System>(side, joint, grounds);
        self.get(joint).at(side).joint.along::<System, N>(&before, &behind)
    }

    /// Evaluates the geometry at the positions and factorises it. Begins to solve, with the right-hand side G v plus `more` of each joint.
    /// The caller judges the sums.
    #[inline(always)]
    pub(crate) fn factorise<System: Serial<N, D, E, Base = T>>(
        &mut self,
        side: Side,
        system: &System,
        grounds: &Grounds<T, D>,
        more: impl Fn(usize) -> Vector<T, E>,
    ) -> Sums<T> {
        let mut sums = Sums { residuals: T::zero(), obliqueness: T::zero(), probe: T::zero() };
        let mut squares = negative_zeros();
        let (mut trail, mut eliminated) = (Trail::new::<System, D, E>(grounds.near), Before::ground());
        for (i, row) in self.elements.iter_mut().enumerate() {
            let behind = [row.at(side).q, row.at(side).v];
            let before = trail.before::<System, D, E>(i);
            squares = add_squares(&squares, &system.constraint(i, &before[0], &behind[0]));
            row.factorise(side, system, i, [&before, &behind], &more(i), &mut eliminated, &mut sums);
            sums.probe = dot(sums.probe, &behind[0], &behind[1]);
            trail.leave::<System, D, E>(i, behind);
        }
        if System::CLOSED {
            let around = [&trail.before::<System, D, E>(N), &grounds.far];
            squares = add_squares(&squares, &system.constraint(N, &around[0][0], &around[1][0]));
            self.closing.factorise(side, system, N, around, &more(N), &mut eliminated, &mut sums);
        }
        sums.residuals = self.weighted(&squares);
        if const { !System::PARENTS.is_row() } {
            tree::eliminate::<System, T, N, D, E>(self, side, &mut sums);
        }
        sums
    }

    /// The forward pass, with a right-hand side for each joint. Returns rᵀ S⁻¹ r: the squared length of the correction, in the metric of
    /// the mass.
    pub(crate) fn forward<System: Serial<N, D, E, Base = T>>(
        &mut self,
        side: Side,
        right: impl Fn(&Self, usize) -> Vector<T, E>,
    ) -> T {
        let (mut rest, mut distance) = (Vector::zeros(), T::zero());
        for index in every_joint::<System, N, D, E>() {
            let right = right(self, index);
            let joint = &mut self.get_mut(index).at_mut(side).joint;
            rest = joint.forward::<System, N>(&right, &rest);
            joint.rest = rest;
            if const { System::PARENTS.is_row() } {
                distance = dot(distance, &rest, &joint.solve(&rest));
            }
        }
        if const { !System::PARENTS.is_row() } {
            let solved = Solved::of::<System>(self, side, side);
            for index in every_joint::<System, N, D, E>() {
                distance = dot(distance, &self.get(index).at(side).joint.rest, &solved.solution(index));
            }
        }
        distance
    }

    /// q ← q − W Gᵀ ν, with ν from the backward pass.
    pub(crate) fn correct<System: Serial<N, D, E, Base = T>>(&mut self, side: Side) {
        let mut behind = Behind::last::<System>(self, side, side);
        for index in every_joint::<System, N, D, E>().rev() {
            let row = self.get_mut(index);
            let inverse_masses = row.inverse_masses;
            let element = row.at_mut(side);
            let solution = element.joint.backward::<System, N>(index, &element.joint.rest, &behind);
            let pull = element.joint.pull::<System, N>(index, &solution, &solution, &mut behind);
            element.q = subtract_weighted(&element.q, &inverse_masses, &pull);
        }
    }

    /// v ← v − W Gᵀ ν, with ν from the backward pass. If `keeps`, ν become the multipliers of the joints; see `Joint::multipliers`. Returns
    /// the weighted squares of G v; NaN if the squares of the kept ν overflow. Below that, 4/h ν are finite for every step size h.
    #[inline(always)]
    pub(crate) fn project<System: Serial<N, D, E, Base = T>>(
        &mut self,
        side: Side,
        grounds: &Grounds<T, D>,
        keeps: bool,
    ) -> T {
        self.project_by::<System>(side, grounds, keeps, |_, v, inverse_masses, pull| {
            subtract_weighted(v, inverse_masses, pull)
        })
    }

    /// The same, where `change` subtracts W Gᵀ ν from the velocity of an element, from its number, v, W and Gᵀ ν.
    #[inline(always)]
    pub(crate) fn project_by<System: Serial<N, D, E, Base = T>>(
        &mut self,
        side: Side,
        grounds: &Grounds<T, D>,
        keeps: bool,
        mut change: impl FnMut(usize, &Vector<T, D>, &Vector<T, D>, &Vector<T, D>) -> Vector<T, D>,
    ) -> T {
        let (mut behind, mut squares, mut probe) =
            (Behind::last::<System>(self, side, side), negative_zeros(), T::zero());
        // A joint's residual is complete when the velocity of the element before it is known.
        let (mut partial, mut gradients) = (Vector::zeros(), Matrix::zeros());
        if System::CLOSED {
            let joint = &mut self.closing.at_mut(side).joint;
            let solution = joint.backward::<System, N>(N, &joint.rest, &behind);
            joint.pull::<System, N>(N, &solution, &solution, &mut behind);
            if keeps {
                joint.multipliers = solution;
                probe = dot(probe, &solution, &solution);
            }
            partial = times(&joint.behind, &grounds.far[1]);
            gradients = joint.before::<System, N>();
        }
        along!(backward i, row in self => {
            let inverse_masses = row.inverse_masses;
            let element = row.at_mut(side);
            let joint = &mut element.joint;
            let solution = joint.backward::<System, N>(i, &joint.rest, &behind);
            let pull = joint.pull::<System, N>(i, &solution, &solution, &mut behind);
            let v = change(i, &element.v, &inverse_masses, &pull);
            if const { System::PARENTS.is_row() } {
                // Behind the last element of an open mechanism is no joint. A loop does not ask for it: there is zero.
                if System::CLOSED || !is_short(N, D, E) || i + 1 < N {
                    squares = add_squares(&squares, &add_times(&partial, &gradients, &v));
                }
                partial = times(&joint.behind, &v);
                gradients = joint.before::<System, N>();
            }
            if keeps {
                joint.multipliers = solution;
                probe = dot(probe, &solution, &solution);
            }
            element.v = v;
        });
        if const { System::PARENTS.is_row() } {
            squares = add_squares(&squares, &add_times(&partial, &gradients, &grounds.near[1]));
        } else {
            squares = every_joint::<System, N, D, E>()
                .fold(squares, |sum, joint| add_squares(&sum, &self.velocity_residual::<System>(side, grounds, joint)));
        }
        let squares = self.weighted(&squares);
        if keeps { squares + probe * T::zero() } else { squares }
    }

    /// Refuses the first pivot that is not above its limit.
    pub(crate) fn judge_pivots<System: Serial<N, D, E, Base = T>>(&self, side: Side) -> Result<(), FactorError<T>> {
        let joints = joints::<System, N, D, E>();
        for place in every_joint::<System, N, D, E>() {
            // A tree is eliminated from its leaves: the first that is refused spoils those before it.
            let index = if const { System::PARENTS.is_row() } { place } else { joints - 1 - place };
            let row = self.get(index);
            let around = [&self.inverse_masses(before_joint::<System, N, D, E>(index)), &row.inverse_masses];
            row.at(side).joint.judge::<System, N>(around, pivot_tolerance(joints * E), index * E)?;
        }
        Ok(())
    }

    /// The number of independent constraints.
    pub(crate) fn rank<System: Serial<N, D, E, Base = T>>(&self, side: Side) -> usize {
        if !System::REDUNDANT {
            return joints::<System, N, D, E>() * E;
        }
        every_joint::<System, N, D, E>().map(|joint| self.get(joint).at(side).joint.rank()).sum()
    }

    /// The smallest pivot of all joints.
    pub(crate) fn smallest_pivot<System: Serial<N, D, E, Base = T>>(&self, side: Side) -> T {
        let mut smallest = T::INFINITY;
        for joint in every_joint::<System, N, D, E>() {
            let pivot = self.get(joint).at(side).joint.smallest_pivot();
            if pivot < smallest {
                smallest = pivot;
            }
        }
        smallest
    }
}

impl<T: Float, const D: usize, const E: usize> Row<T, D, E> {
    /// The part of a joint in [`Rows::factorise`].
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn factorise<System: Serial<N, D, E, Base = T>, const N: usize>(
        &mut self,
        side: Side,
        system: &System,
        index: usize,
        [[q_before, v_before], [q, v]]: [&[Vector<T, D>; 2]; 2],
        more: &Vector<T, E>,
        before: &mut Before<T, D, E>,
        sums: &mut Sums<T>,
    ) {
        let [a, b] = system.gradients(index, q_before, q);
        let right = sum(&add_times(&times(&a, v_before), &b, v), more);
        let inverse_masses = self.inverse_masses;
        let joint = &mut self.at_mut(side).joint;
        if const { !System::PARENTS.is_row() } {
            return joint.set::<System, N>([a, b], right);
        }
        let [diagonal, inverse_pivots] = joint.eliminate::<System, N>([a, b], &right, before, &inverse_masses);
        let obliqueness = product_of_entries(&diagonal, &inverse_pivots);
        sums.obliqueness = dot(sums.obliqueness, &obliqueness, &obliqueness);
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};

    use super::*;
    use crate::scalar::Real;

    /// Four elements of three coordinates and a closing joint, with constraints of no meaning.
    struct Curved;

    impl Serial<4, 3, 2> for Curved {
        type Base = f64;
        const CLOSED: bool = true;

        fn mass(&self, element: usize) -> Vector<f64, 3> {
            Vector::from([1.0, 2.0, 0.5]) * (element + 1) as f64
        }
        fn force<S: Real<Base = f64>>(&self, _i: usize, _t: S, _q: &Vector<S, 3>, _v: &Vector<S, 3>) -> Vector<S, 3> {
            Vector::zeros()
        }
        fn constraint<S: Real<Base = f64>>(&self, _j: usize, a: &Vector<S, 3>, b: &Vector<S, 3>) -> Vector<S, 2> {
            Vector::from([a.x * b.y - b.z + a.z * 0.3, b.x * b.x + a.y * 2.0 - b.y * a.z])
        }
    }

    fn rows() -> Rows<f64, 4, 3, 2> {
        let mut rows = Rows::workspace();
        for (i, row) in rows.elements.iter_mut().enumerate() {
            row.inverse_masses = Curved.mass(i).map(|mass| 1.0 / mass);
            let element = row.at_mut(Side::First);
            let number = |k: usize| ((7 * i + 3 * k + 2) % 11) as f64 / 5.0 - 1.0;
            (element.q, element.v) = (Vector::from_fn(|k, _| number(k)), Vector::from_fn(|k, _| number(k + 5)));
        }
        rows
    }

    /// G and G W Gᵀ as full matrices.
    fn full(rows: &Rows<f64, 4, 3, 2>, grounds: &Grounds<f64, 3>) -> [DMatrix<f64>; 2] {
        let (mut g, mut w) = (DMatrix::zeros(10, 12), DMatrix::zeros(12, 12));
        for joint in 0..5 {
            let [[before, _], [behind, _]] = rows.around::<Curved>(Side::First, joint, grounds);
            let [a, b] = Curved.gradients(joint, &before, &behind);
            if joint > 0 {
                g.view_mut((2 * joint, 3 * joint - 3), (2, 3)).copy_from(&a);
            }
            if joint < 4 {
                g.view_mut((2 * joint, 3 * joint), (2, 3)).copy_from(&b);
                (0..3).for_each(|k| w[(3 * joint + k, 3 * joint + k)] = rows.elements[joint].inverse_masses[k]);
            }
        }
        let schur = &g * w * g.transpose();
        [g, schur]
    }

    #[test]
    fn the_elimination_along_a_mechanism_solves_the_full_system() {
        let (mut rows, grounds) = (rows(), Grounds::at(&Curved, 0.0));
        let [g, schur] = full(&rows, &grounds);
        rows.factorise(Side::First, &Curved, &grounds, |_| Vector::zeros());
        rows.judge_pivots::<Curved>(Side::First).unwrap();
        let v = DVector::from_fn(12, |i, _| rows.elements[i / 3].at(Side::First).v[i % 3]);
        let expected = schur.clone().lu().solve(&(&g * &v)).unwrap();
        let squares = rows.project::<Curved>(Side::First, &grounds, true);
        assert_eq!(squares, 0.0, "without limits the residuals have no weight");
        for row in 0..10 {
            let multiplier = rows.get(row / 2).at(Side::First).joint.multipliers[row % 2];
            assert!((multiplier - expected[row]).abs() < 1e-11, "{row}: {multiplier}, {}", expected[row]);
            assert!(rows.velocity_residual::<Curved>(Side::First, &grounds, row / 2).amax() < 1e-12);
        }
        // The forward pass alone gives the squared length of the correction.
        let right = |joint: usize| Vector::from([joint as f64 - 1.5, 0.3]);
        let distance = rows.forward::<Curved>(Side::First, |_, joint| right(joint));
        let b = DVector::from_fn(10, |i, _| right(i / 2)[i % 2]);
        assert!((distance / b.dot(&schur.lu().solve(&b).unwrap()) - 1.0).abs() < 1e-11);
    }

    #[test]
    fn a_dependent_joint_is_named() {
        let (mut rows, grounds) = (rows(), Grounds::at(&Curved, 0.0));
        // An element without inverse mass between two grounds cannot be moved.
        rows.elements.iter_mut().for_each(|row| row.inverse_masses = Vector::zeros());
        let sums = rows.factorise(Side::First, &Curved, &grounds, |_| Vector::zeros());
        assert!(!sums.accept_pivots(10));
        assert!(matches!(rows.judge_pivots::<Curved>(Side::First), Err(FactorError::SmallPivot { index: 0, .. })));
    }
}

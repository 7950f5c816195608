//! The geometry of a serial mechanism at one configuration, and the elimination along it.
//!
//! With the blocks A_j and B_j of G by the coordinates before and behind joint j, and W the inverse masses, G W Gᵀ is block-tridiagonal:
//!
//! ```text
//!     S_jj = A_j W_j₋₁ A_jᵀ + B_j W_j B_jᵀ,      S_j,j₋₁ = A_j W_j₋₁ B_j₋₁ᵀ
//! ```
//!
//! It is eliminated from the first joint to the last, in linear time and without fill:
//!
//! ```text
//!     L_j = S_j,j₋₁ D_j₋₁⁻¹,   D_j = S_jj − L_j S_j,j₋₁ᵀ        factors
//!     r_j = b_j − L_j r_j₋₁                                      forward
//!     x_j = D_j⁻¹ r_j − L_j₊₁ᵀ x_j₊₁                             backward
//! ```
//!
//! The ground is an element without inverse mass. So the first joint is no special case, and a ring that closes through the ground has
//! one joint more and the same structure.

mod joint;

use core::hint::black_box;
use core::ops::Range;

use crate::linalg::blocks::{add_times, check_size, dot, product_of_entries, scaled, subtract_weighted, sum, times};
use crate::linalg::{FactorError, Matrix, Vector, magnitude, pivot_tolerance};
use crate::scalar::Float;
use crate::system::Serial;
use crate::system::serial::ground_motion;

use joint::Before;
pub(crate) use joint::{Behind, Joint};

/// All elements of a mechanism, each with the joint before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<T, const N: usize, const D: usize, const E: usize> {
    pub(crate) elements: [Row<T, D, E>; N],
    /// The joint behind the last element of a closed mechanism. Its element is the ground, without inverse mass.
    pub(crate) closing: Row<T, D, E>,
}

/// An element at both nodes of a step: a step leads from one to the other. Side by side, because a pass along the mechanism then needs
/// one pointer only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<T, const D: usize, const E: usize> {
    nodes: [Element<T, D, E>; 2],
    pub(crate) inverse_masses: Vector<T, D>,
    /// The largest residual of each position constraint of the joint.
    pub(crate) limits: Vector<T, E>,
    /// 2/limit² of each; see [`Sums::residuals`].
    pub(crate) weights: Vector<T, E>,
}

/// An element at a node, and the joint before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<T, const D: usize, const E: usize> {
    pub(crate) q: Vector<T, D>,
    pub(crate) v: Vector<T, D>,
    pub(crate) joint: Joint<T, D, E>,
    /// Whole turns subtracted from the coordinates that are angles.
    pub(crate) turns: [i32; D],
}

/// Which of the two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    First,
    Second,
}

impl Side {
    #[inline(always)]
    pub(crate) fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// Position and velocity of the ground before the first element, and behind the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grounds<T, const D: usize> {
    pub(crate) near: [Vector<T, D>; 2],
    pub(crate) far: [Vector<T, D>; 2],
}

/// Sums that check all joints and elements with one comparison each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sums<T> {
    /// The squares of the residuals, each times 2/limit². If the sum is below one, each residual is within its limit, with room for
    /// round-off.
    pub(crate) residuals: T,
    /// The squares of diagonal/pivot: of 1/sin² of the angle between each constraint and those before it.
    obliqueness: T,
    /// A sum of products of all positions and velocities. It is not finite if one of them is not.
    pub(crate) probe: T,
}

impl<T: Float> Sums<T> {
    /// Fast accept of the residuals and of the probe. `false` means: check each.
    #[inline(always)]
    pub(crate) fn accept_residuals(&self) -> bool {
        self.residuals + self.probe * T::zero() < T::one()
    }

    /// Fast accept of the pivots of this many constraints. `false` means: judge each.
    #[inline(always)]
    pub(crate) fn accept_pivots(&self, constraints: usize) -> bool {
        let tolerance = pivot_tolerance::<T>(constraints);
        self.obliqueness * (tolerance * tolerance) < T::one()
    }
}

impl<T: Float, const D: usize, const E: usize> Row<T, D, E> {
    fn workspace() -> Self {
        let (q, v, joint) = (Vector::zeros(), Vector::zeros(), Joint::workspace());
        let (inverse_masses, limits, weights) = (Vector::zeros(), Vector::zeros(), Vector::zeros());
        Self { nodes: [Element { q, v, joint, turns: [0; D] }; 2], inverse_masses, limits, weights }
    }

    #[inline(always)]
    pub(crate) fn at(&self, side: Side) -> &Element<T, D, E> {
        let [first, second] = &self.nodes;
        if side == Side::First { first } else { second }
    }

    #[inline(always)]
    pub(crate) fn at_mut(&mut self, side: Side) -> &mut Element<T, D, E> {
        let [first, second] = &mut self.nodes;
        if side == Side::First { first } else { second }
    }

    /// The element where a step begins, and where it ends.
    #[inline(always)]
    pub(crate) fn from(&mut self, side: Side) -> (&Element<T, D, E>, &mut Element<T, D, E>) {
        let [first, second] = &mut self.nodes;
        if side == Side::First { (first, second) } else { (second, first) }
    }

    /// `sum` plus the weighted squares of the residuals.
    #[inline(always)]
    pub(crate) fn add_squares(&self, sum: T, residual: &Vector<T, E>) -> T {
        add_squares(sum, residual, &self.weights)
    }
}

impl<T: Float, const D: usize> Grounds<T, D> {
    #[inline(always)]
    pub(crate) fn at<System: Serial<N, D, E, Base = T>, const N: usize, const E: usize>(system: &System, t: T) -> Self {
        Self { near: ground_motion(|t| system.ground(t), t), far: ground_motion(|t| system.far_ground(t), t) }
    }
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
        Self { elements: [Row::workspace(); N], closing: Row::workspace() }
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

    /// The row of a joint.
    pub(crate) fn get(&self, joint: usize) -> &Row<T, D, E> {
        self.elements.get(joint).unwrap_or(&self.closing)
    }

    pub(crate) fn get_mut(&mut self, joint: usize) -> &mut Row<T, D, E> {
        self.elements.get_mut(joint).unwrap_or(&mut self.closing)
    }

    /// The largest magnitude among the velocities.
    pub(crate) fn speed(&self, side: Side) -> T {
        self.elements.iter().fold(T::zero(), |largest, row| {
            let size = magnitude(&row.at(side).v);
            if size <= largest { largest } else { size }
        })
    }

    /// Position and velocity before a joint, and behind it.
    pub(crate) fn around(&self, side: Side, joint: usize, grounds: &Grounds<T, D>) -> [[Vector<T, D>; 2]; 2] {
        let motion = |row: &Row<T, D, E>| [row.at(side).q, row.at(side).v];
        let before = joint.checked_sub(1).and_then(|before| self.elements.get(before)).map_or(grounds.near, motion);
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
        let [[before, _], [behind, _]] = self.around(side, joint, grounds);
        system.constraint(joint, &before, &behind)
    }

    /// The weighted squares of g of all joints.
    pub(crate) fn squares<System: Serial<N, D, E, Base = T>>(
        &self,
        side: Side,
        system: &System,
        grounds: &Grounds<T, D>,
    ) -> T {
        every_joint::<System, N, D, E>().fold(T::zero(), |sum, joint| {
            self.get(joint).add_squares(sum, &self.position_residual(side, system, grounds, joint))
        })
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
        let [[_, before], [_, behind]] = self.around(side, joint, grounds);
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
        let (mut before, mut eliminated) = (grounds.near, Before::ground());
        for (i, row) in self.elements.iter_mut().enumerate() {
            let behind = [row.at(side).q, row.at(side).v];
            row.factorise(side, system, i, [&before, &behind], &more(i), &mut eliminated, &mut sums);
            sums.probe = dot(sums.probe, &behind[0], &behind[1]);
            before = behind;
        }
        if System::CLOSED {
            let around = [&before, &grounds.far];
            self.closing.factorise(side, system, N, around, &more(N), &mut eliminated, &mut sums);
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
            rest = joint.forward(&right, &rest);
            joint.rest = rest;
            distance = dot(distance, &rest, &joint.solve(&rest));
        }
        distance
    }

    /// q ← q − W Gᵀ ν, with ν from the backward pass.
    pub(crate) fn correct<System: Serial<N, D, E, Base = T>>(&mut self, side: Side) {
        let mut behind = Behind::nothing();
        for index in every_joint::<System, N, D, E>().rev() {
            let row = self.get_mut(index);
            let inverse_masses = row.inverse_masses;
            let element = row.at_mut(side);
            let solution = element.joint.backward(&element.joint.rest, &behind);
            let pull = element.joint.pull::<System, N>(&solution, &solution, &mut behind);
            element.q = subtract_weighted(&element.q, &inverse_masses, &pull);
        }
    }

    /// v ← v − W Gᵀ ν, with ν from the backward pass. The given multiple of ν, if any, are the multipliers. Returns the weighted squares of
    /// G v.
    #[inline(always)]
    pub(crate) fn project<System: Serial<N, D, E, Base = T>>(
        &mut self,
        side: Side,
        grounds: &Grounds<T, D>,
        multiple: Option<T>,
    ) -> T {
        let (mut behind, mut squares) = (Behind::nothing(), T::zero());
        // A joint's residual is complete when the velocity of the element before it is known.
        let (mut partial, mut gradients, mut weights) = (Vector::zeros(), Matrix::zeros(), Vector::zeros());
        if System::CLOSED {
            weights = self.closing.weights;
            let joint = &mut self.closing.at_mut(side).joint;
            let solution = joint.backward(&joint.rest, &behind);
            joint.pull::<System, N>(&solution, &solution, &mut behind);
            if let Some(multiple) = multiple {
                joint.multipliers = scaled(&solution, multiple);
            }
            partial = times(&joint.behind, &grounds.far[1]);
            gradients = joint.before::<System, N>();
        }
        for (_, row) in self.backward() {
            let (inverse_masses, next_weights) = (row.inverse_masses, row.weights);
            let element = row.at_mut(side);
            let joint = &mut element.joint;
            let solution = joint.backward(&joint.rest, &behind);
            let pull = joint.pull::<System, N>(&solution, &solution, &mut behind);
            let v = subtract_weighted(&element.v, &inverse_masses, &pull);
            squares = add_squares(squares, &add_times(&partial, &gradients, &v), &weights);
            partial = times(&joint.behind, &v);
            (gradients, weights) = (joint.before::<System, N>(), next_weights);
            if let Some(multiple) = multiple {
                joint.multipliers = scaled(&solution, multiple);
            }
            element.v = v;
        }
        add_squares(squares, &add_times(&partial, &gradients, &grounds.near[1]), &weights)
    }

    /// Refuses the first pivot that is not above its limit.
    pub(crate) fn judge_pivots<System: Serial<N, D, E, Base = T>>(&self, side: Side) -> Result<(), FactorError<T>> {
        let joints = joints::<System, N, D, E>();
        let mut before = Vector::zeros();
        for index in every_joint::<System, N, D, E>() {
            let row = self.get(index);
            let around = [&before, &row.inverse_masses];
            row.at(side).joint.judge::<System, N>(around, pivot_tolerance(joints * E), index * E)?;
            before = row.inverse_masses;
        }
        Ok(())
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

/// `sum` plus the weighted squares of residuals.
#[inline(always)]
fn add_squares<T: Float, const E: usize>(sum: T, residual: &Vector<T, E>, weights: &Vector<T, E>) -> T {
    dot(sum, &product_of_entries(residual, residual), weights)
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
        sums.residuals = self.add_squares(sums.residuals, &system.constraint(index, q_before, q));
        let [a, b] = system.gradients(index, q_before, q);
        let right = sum(&add_times(&times(&a, v_before), &b, v), more);
        let inverse_masses = self.inverse_masses;
        let joint = &mut self.at_mut(side).joint;
        let [diagonal, inverse_pivots] = joint.eliminate::<System, N>([a, b], &right, before, &inverse_masses);
        let obliqueness = product_of_entries(&diagonal, &inverse_pivots);
        sums.obliqueness = dot(sums.obliqueness, &obliqueness, &obliqueness);
    }
}

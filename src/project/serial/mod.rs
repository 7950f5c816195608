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

use crate::linalg::blocks::{add_times, check_size, dot, product_of_entries, scaled, subtract_weighted, sum, times};
use crate::linalg::{FactorError, Matrix, Vector, magnitude, pivot_tolerance};
use crate::scalar::Float;
use crate::system::Serial;
use crate::system::serial::ground_motion;

use joint::Before;
pub(crate) use joint::{Behind, Joint};

/// Positions and velocities of all elements, and the geometry of their joints: a step leads from one node to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SerialNode<T, const N: usize, const D: usize, const E: usize> {
    pub(crate) elements: [Element<T, D, E>; N],
    /// The joint behind the last element, of a closed mechanism.
    pub(crate) closing: Joint<T, D, E>,
}

/// An element and the joint before it. A loop along the mechanism needs one pointer for both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<T, const D: usize, const E: usize> {
    pub(crate) q: Vector<T, D>,
    pub(crate) v: Vector<T, D>,
    pub(crate) joint: Joint<T, D, E>,
    /// Whole turns subtracted from the coordinates that are angles.
    pub(crate) turns: [i32; D],
}

/// What is the same at all nodes: the inverse masses of an element, and the limits of the joint before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link<T, const D: usize, const E: usize> {
    pub(crate) inverse_masses: Vector<T, D>,
    /// The largest residual of each position constraint.
    pub(crate) limits: Vector<T, E>,
    /// 2/limit² of each; see [`Sums::residuals`].
    pub(crate) weights: Vector<T, E>,
}

/// The links of all elements, and that of the closing joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Links<T, const N: usize, const D: usize, const E: usize> {
    pub(crate) elements: [Link<T, D, E>; N],
    /// Its inverse masses are zero: behind it is the ground.
    pub(crate) closing: Link<T, D, E>,
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

impl<T: Float, const D: usize, const E: usize> Link<T, D, E> {
    /// `sum` plus the weighted squares of the residuals.
    #[inline(always)]
    pub(crate) fn add_squares(&self, sum: T, residual: &Vector<T, E>) -> T {
        add_squares(sum, residual, &self.weights)
    }
}

impl<T: Float, const N: usize, const D: usize, const E: usize> Links<T, N, D, E> {
    /// The link of a joint.
    pub(crate) fn get(&self, joint: usize) -> &Link<T, D, E> {
        self.elements.get(joint).unwrap_or(&self.closing)
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

impl<T: Float, const N: usize, const D: usize, const E: usize> SerialNode<T, N, D, E> {
    pub(crate) fn workspace() -> Self {
        const { check_size(D) };
        const { check_size(E) };
        let (q, v, joint) = (Vector::zeros(), Vector::zeros(), Joint::workspace());
        Self { elements: [Element { q, v, joint, turns: [0; D] }; N], closing: joint }
    }

    /// A joint.
    pub(crate) fn joint(&self, joint: usize) -> &Joint<T, D, E> {
        self.elements.get(joint).map_or(&self.closing, |element| &element.joint)
    }

    pub(crate) fn joint_mut(&mut self, joint: usize) -> &mut Joint<T, D, E> {
        self.elements.get_mut(joint).map_or(&mut self.closing, |element| &mut element.joint)
    }

    /// The largest magnitude among the velocities.
    pub(crate) fn speed(&self) -> T {
        self.elements.iter().fold(T::zero(), |largest, element| {
            let size = magnitude(&element.v);
            if size <= largest { largest } else { size }
        })
    }

    /// Position and velocity before a joint, and behind it.
    pub(crate) fn around(&self, joint: usize, grounds: &Grounds<T, D>) -> [[Vector<T, D>; 2]; 2] {
        let motion = |element: &Element<T, D, E>| [element.q, element.v];
        let before = joint.checked_sub(1).and_then(|before| self.elements.get(before)).map_or(grounds.near, motion);
        [before, self.elements.get(joint).map_or(grounds.far, motion)]
    }

    /// g of a joint.
    pub(crate) fn position_residual<System: Serial<N, D, E, Base = T>>(
        &self,
        system: &System,
        grounds: &Grounds<T, D>,
        joint: usize,
    ) -> Vector<T, E> {
        let [[before, _], [behind, _]] = self.around(joint, grounds);
        system.constraint(joint, &before, &behind)
    }

    /// G v of a joint, with the velocity of the ground.
    pub(crate) fn velocity_residual<System: Serial<N, D, E>>(&self, grounds: &Grounds<T, D>, joint: usize) -> Vector<T, E> {
        let [[_, before], [_, behind]] = self.around(joint, grounds);
        self.joint(joint).along::<System, N>(&before, &behind)
    }

    /// Evaluates the geometry at the positions and factorises it. Begins to solve, with the right-hand side G v plus `more` of each joint.
    /// The caller judges the sums.
    #[inline(always)]
    pub(crate) fn factorise<System: Serial<N, D, E, Base = T>>(
        &mut self,
        system: &System,
        links: &Links<T, N, D, E>,
        grounds: &Grounds<T, D>,
        more: impl Fn(usize) -> Vector<T, E>,
    ) -> Sums<T> {
        let mut sums = Sums { residuals: T::zero(), obliqueness: T::zero(), probe: T::zero() };
        let (mut before, mut eliminated) = (grounds.near, Before::ground());
        for i in 0..N {
            let (Element { q, v, joint, .. }, link) = (&mut self.elements[i], &links.elements[i]);
            let behind = [*q, *v];
            joint.factorise(system, i, [&before, &behind], link, &more(i), &mut eliminated, &mut sums);
            sums.probe = dot(sums.probe, q, v);
            before = behind;
        }
        if System::CLOSED {
            let around = [&before, &grounds.far];
            self.closing.factorise(system, N, around, &links.closing, &more(N), &mut eliminated, &mut sums);
        }
        sums
    }

    /// The forward pass, with a right-hand side for each joint. Returns rᵀ S⁻¹ r: the squared length of the correction, in the metric of
    /// the mass.
    pub(crate) fn forward<System: Serial<N, D, E, Base = T>>(
        &mut self,
        right: impl Fn(&Self, usize) -> Vector<T, E>,
    ) -> T {
        let (mut rest, mut distance) = (Vector::zeros(), T::zero());
        for i in 0..N {
            let right = right(self, i);
            let joint = &mut self.elements[i].joint;
            rest = joint.forward(&right, &rest);
            joint.rest = rest;
            distance = dot(distance, &rest, &joint.solve(&rest));
        }
        if System::CLOSED {
            let right = right(self, N);
            self.closing.rest = self.closing.forward(&right, &rest);
            distance = dot(distance, &self.closing.rest, &self.closing.solve(&self.closing.rest));
        }
        distance
    }

    /// v ← v − W Gᵀ ν, with ν from the backward pass. Its multiples are the multipliers. Returns the weighted squares of G v.
    #[inline(always)]
    pub(crate) fn project<System: Serial<N, D, E, Base = T>>(
        &mut self,
        links: &Links<T, N, D, E>,
        grounds: &Grounds<T, D>,
        multiple: T,
    ) -> T {
        let (mut behind, mut squares) = (Behind::nothing(), T::zero());
        // A joint's residual is complete when the velocity of the element before it is known.
        let (mut partial, mut gradients, mut weights) = (Vector::zeros(), Matrix::zeros(), Vector::zeros());
        if System::CLOSED {
            let joint = &mut self.closing;
            let solution = joint.backward(&joint.rest, &behind);
            joint.pull::<System, N>(&solution, &solution, &mut behind);
            joint.multipliers = scaled(&solution, multiple);
            partial = times(&joint.behind, &grounds.far[1]);
            (gradients, weights) = (joint.before::<System, N>(), links.closing.weights);
        }
        for (element, link) in self.elements.iter_mut().zip(&links.elements).rev() {
            let joint = &mut element.joint;
            let solution = joint.backward(&joint.rest, &behind);
            let pull = joint.pull::<System, N>(&solution, &solution, &mut behind);
            let v = subtract_weighted(&element.v, &link.inverse_masses, &pull);
            squares = add_squares(squares, &add_times(&partial, &gradients, &v), &weights);
            partial = times(&joint.behind, &v);
            (gradients, weights) = (joint.before::<System, N>(), link.weights);
            (element.v, joint.multipliers) = (v, scaled(&solution, multiple));
        }
        add_squares(squares, &add_times(&partial, &gradients, &grounds.near[1]), &weights)
    }

    /// Refuses the first pivot that is not above its limit.
    pub(crate) fn judge_pivots<System: Serial<N, D, E, Base = T>>(
        &self,
        links: &Links<T, N, D, E>,
    ) -> Result<(), FactorError<T>> {
        let joints = joints::<System, N, D, E>();
        let mut before = Vector::zeros();
        for joint in 0..joints {
            let behind = links.get(joint).inverse_masses;
            self.joint(joint).judge::<System, N>([&before, &behind], pivot_tolerance(joints * E), joint * E)?;
            before = behind;
        }
        Ok(())
    }

    /// The smallest pivot of all joints.
    pub(crate) fn smallest_pivot<System: Serial<N, D, E, Base = T>>(&self) -> T {
        let mut smallest = T::INFINITY;
        for joint in 0..joints::<System, N, D, E>() {
            let pivot = self.joint(joint).smallest_pivot();
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

impl<T: Float, const D: usize, const E: usize> Joint<T, D, E> {
    /// The part of a joint in [`SerialNode::factorise`].
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn factorise<System: Serial<N, D, E, Base = T>, const N: usize>(
        &mut self,
        system: &System,
        index: usize,
        [[q_before, v_before], [q, v]]: [&[Vector<T, D>; 2]; 2],
        link: &Link<T, D, E>,
        more: &Vector<T, E>,
        before: &mut Before<T, D, E>,
        sums: &mut Sums<T>,
    ) {
        sums.residuals = link.add_squares(sums.residuals, &system.constraint(index, q_before, q));
        let [a, b] = system.gradients(index, q_before, q);
        let right = sum(&add_times(&times(&a, v_before), &b, v), more);
        let [diagonal, inverse_pivots] = self.eliminate::<System, N>([a, b], &right, before, &link.inverse_masses);
        let obliqueness = product_of_entries(&diagonal, &inverse_pivots);
        sums.obliqueness = dot(sums.obliqueness, &obliqueness, &obliqueness);
    }
}

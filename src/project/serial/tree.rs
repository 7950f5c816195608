//! The elimination of a mechanism that branches, from its leaves to the ground.
//!
//! In G W Gᵀ all joints of an element are coupled with each other, so its blocks would cost the square of the branches. Instead each
//! element keeps its mobility Ŵ: how it answers to a force once the joints of the elements behind it are eliminated. A leaf has Ŵ = W.
//! Joint i with the element p before it:
//!
//! ```text
//!     D_i = B_i Ŵ_i B_iᵀ + A_i Ŵ_p A_iᵀ,   L_i = D_i⁻¹ A_i Ŵ_p,   Ŵ_p ← Ŵ_p − Ŵ_p A_iᵀ L_i        factors, from the leaves
//!     r_i = b_i − B_i u_i − A_i u_p,       u_p ← u_p + L_iᵀ r_i                                      forward, from the leaves
//!     x_i = D_i⁻¹ r_i − L_i f_p,           f_p ← f_p + A_iᵀ x_i,   f_i ← B_iᵀ x_i                    backward, from the ground
//! ```
//!
//! u is the displacement by the joints that are eliminated, f the pull of those that are solved. The ground has Ŵ = 0: elements may hang
//! from it in any number, and a joint may close a ring through it. The cost is linear in the number of elements, whatever the branches.
//! Every solve computes L anew, so that the state of a row does not grow for it.

use super::joint::Joint;
use super::{Rows, Side, Sums, every_joint};
use crate::linalg::blocks::{add_transposed_times, difference, dot, product_of_entries, subtract_times};
use crate::linalg::written_out::written_out;
use crate::linalg::{Matrix, Vector};
use crate::scalar::Float;
use crate::system::Serial;
use crate::system::serial::before_joint;

/// What visited elements leave for those behind them: of a row the last one, of a tree all. Which it is, is decided at compile time, so
/// that a row keeps it in registers.
pub(crate) struct Trail<V, const N: usize> {
    last: V,
    branches: Option<[V; N]>,
}

impl<V: Copy, const N: usize> Trail<V, N> {
    #[inline(always)]
    pub(crate) fn new<System: Serial<N, D, E>, const D: usize, const E: usize>(ground: V) -> Self {
        Self { last: ground, branches: if const { System::PARENTS.is_row() } { None } else { Some([ground; N]) } }
    }

    /// That of the element before a joint, or of the ground.
    #[inline(always)]
    pub(crate) fn before<System: Serial<N, D, E>, const D: usize, const E: usize>(&self, joint: usize) -> V {
        if const { System::PARENTS.is_row() } {
            return self.last;
        }
        let before = before_joint::<System, N, D, E>(joint).zip(self.branches.as_ref());
        before.and_then(|(before, branches)| branches.get(before)).copied().unwrap_or(self.last)
    }

    #[inline(always)]
    pub(crate) fn leave<System: Serial<N, D, E>, const D: usize, const E: usize>(&mut self, element: usize, value: V) {
        if const { System::PARENTS.is_row() } {
            self.last = value;
        } else if let Some(place) = self.branches.as_mut().and_then(|branches| branches.get_mut(element)) {
            *place = value;
        }
    }
}

/// A value for each joint.
struct PerJoint<V, const N: usize> {
    elements: [V; N],
    /// Of the joint that closes a ring.
    closing: V,
}

impl<V: Copy, const N: usize> PerJoint<V, N> {
    fn of(value: V) -> Self {
        Self { elements: [value; N], closing: value }
    }

    fn get(&self, joint: usize) -> &V {
        self.elements.get(joint).unwrap_or(&self.closing)
    }

    fn get_mut(&mut self, joint: usize) -> &mut V {
        self.elements.get_mut(joint).unwrap_or(&mut self.closing)
    }
}

/// The solution of a tree, and the pull of its joints on each element.
pub(crate) struct Solved<T, const N: usize, const D: usize, const E: usize> {
    solutions: PerJoint<Vector<T, E>, N>,
    /// Gᵀ times the multipliers of the joints that were visited.
    pulls: [Vector<T, D>; N],
}

impl<T: Float, const N: usize, const D: usize, const E: usize> Solved<T, N, D, E> {
    /// Solves with the factors of one side, for the right-hand sides that stand as rests in the other.
    pub(crate) fn of<System: Serial<N, D, E, Base = T>>(rows: &Rows<T, N, D, E>, factors: Side, rests: Side) -> Self {
        let (mut displaced, mut pulls) = ([Vector::zeros(); N], [Vector::zeros(); N]);
        let mut solved = Self { solutions: PerJoint::of(Vector::zeros()), pulls };
        // The ground before a joint has no mobility, and the joint no reach.
        let (mut mobilities, mut reaches) = (inverse_masses(rows), PerJoint::<_, N>::of(Matrix::zeros()));
        for i in every_joint::<System, N, D, E>().rev() {
            let (row, before) = (rows.get(i), before_joint::<System, N, D, E>(i));
            let joint = &row.at(factors).joint;
            let along = joint.along::<System, N>(&at(&displaced, before), &at(&displaced, Some(i)));
            let rest = difference(&row.at(rests).joint.rest, &along);
            if let Some(mobility) = before.and_then(|before| mobilities.get_mut(before)) {
                let reach = joint.reach::<System, N>(mobility);
                add_to(&mut displaced, before, |u| add_transposed_times(u, &reach, &rest));
                *reaches.get_mut(i) = reach;
            }
            *solved.solutions.get_mut(i) = joint.solve(&rest);
        }
        for i in every_joint::<System, N, D, E>() {
            let (joint, before) = (&rows.get(i).at(factors).joint, before_joint::<System, N, D, E>(i));
            let solution = subtract_times(&solved.solution(i), reaches.get_mut(i), &at(&pulls, before));
            add_to(&mut pulls, before, |pull| add_transposed_times(pull, &joint.before::<System, N>(), &solution));
            add_to(&mut pulls, Some(i), |pull| add_transposed_times(pull, &joint.behind, &solution));
            *solved.solutions.get_mut(i) = solution;
        }
        solved
    }

    /// That of a joint.
    pub(crate) fn solution(&self, joint: usize) -> Vector<T, E> {
        *self.solutions.get(joint)
    }

    /// Gᵀ times the multipliers at an element, once all joints behind it were visited.
    pub(super) fn pull<System: Serial<N, D, E>>(
        &mut self,
        i: usize,
        joint: &Joint<T, D, E>,
        multipliers: &Vector<T, E>,
    ) -> Vector<T, D> {
        let before = before_joint::<System, N, D, E>(i);
        add_to(&mut self.pulls, before, |pull| add_transposed_times(pull, &joint.before::<System, N>(), multipliers));
        add_transposed_times(&at(&self.pulls, Some(i)), &joint.behind, multipliers)
    }
}

/// Eliminates all joints, whose blocks A and B are known, and adds up their obliqueness.
pub(super) fn eliminate<System: Serial<N, D, E, Base = T>, T: Float, const N: usize, const D: usize, const E: usize>(
    rows: &mut Rows<T, N, D, E>,
    side: Side,
    sums: &mut Sums<T>,
) {
    let mut mobilities = inverse_masses(rows);
    for i in every_joint::<System, N, D, E>().rev() {
        let before = before_joint::<System, N, D, E>(i);
        let of = |element: Option<usize>| element.and_then(|element| mobilities.get(element)).copied();
        let around = [before, Some(i)].map(|element| of(element).unwrap_or_else(Matrix::zeros));
        let masses = [rows.inverse_masses(before), rows.inverse_masses(Some(i))];
        let joint = &mut rows.get_mut(i).at_mut(side).joint;
        let [diagonal, inverse_pivots] = joint.eliminate_branch::<System, N>(masses, &around);
        if let Some(mobility) = before.and_then(|before| mobilities.get_mut(before)) {
            joint.reach::<System, N>(mobility);
        }
        let obliqueness = product_of_entries(&diagonal, &inverse_pivots);
        sums.obliqueness = dot(sums.obliqueness, &obliqueness, &obliqueness);
    }
}

/// W of each element, where the elimination begins.
fn inverse_masses<T: Float, const N: usize, const D: usize, const E: usize>(
    rows: &Rows<T, N, D, E>,
) -> [Matrix<T, D, D>; N] {
    let mut mobilities = [Matrix::zeros(); N];
    for (mobility, row) in mobilities.iter_mut().zip(&rows.elements) {
        written_out!(K where K < D => { mobility.data.0[K][K] = row.inverse_masses.data.0[0][K]; });
    }
    mobilities
}

/// The vector of an element; zero for the ground.
fn at<T: Float, const N: usize, const D: usize>(vectors: &[Vector<T, D>; N], element: Option<usize>) -> Vector<T, D> {
    element.and_then(|element| vectors.get(element)).copied().unwrap_or_else(Vector::zeros)
}

/// Changes the vector of an element; nothing for the ground.
fn add_to<T: Float, const N: usize, const D: usize>(
    vectors: &mut [Vector<T, D>; N],
    element: Option<usize>,
    sum: impl Fn(&Vector<T, D>) -> Vector<T, D>,
) {
    if let Some(vector) = element.and_then(|element| vectors.get_mut(element)) {
        *vector = sum(vector);
    }
}

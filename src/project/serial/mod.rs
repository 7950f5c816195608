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
//! one joint more and the same structure. A mechanism that branches is eliminated from its leaves: see `tree`.

mod joint;
mod rows;
mod tree;

use crate::linalg::{Vector, pivot_tolerance};
use crate::scalar::Float;
use crate::system::Serial;
use crate::system::serial::ground_motion;

pub(crate) use joint::{Behind, Joint};
pub(crate) use rows::{Rows, along, every_joint, is_short, joints};
pub(crate) use tree::Trail;

/// An element at both nodes of a step: a step leads from one to the other. Side by side, because a pass along the mechanism then needs
/// one pointer only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<T, const D: usize, const E: usize> {
    nodes: [Element<T, D, E>; 2],
    pub(crate) inverse_masses: Vector<T, D>,
    /// The largest residual of each position constraint of the joint.
    pub(crate) limits: Vector<T, E>,
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
    /// The squares of the residuals, each times the weight of [`Rows`]. If the sum is below one, each residual is within its limit, with
    /// room for round-off.
    pub(crate) residuals: T,
    /// The squares of diagonal/pivot: of 1/sin² of the angle between each constraint and those before it.
    obliqueness: T,
    /// A sum of products of all positions and velocities. It is not finite if one of them is not.
    pub(crate) probe: T,
}

impl<T: Float> Sums<T> {
    /// Fast accept of the residuals, of the probe and of the pivots of this many constraints. `false` means: check each.
    #[inline(always)]
    pub(crate) fn accept(&self, constraints: usize) -> bool {
        self.residuals + self.scaled_obliqueness(constraints) + self.probe * T::zero() < T::one()
    }

    /// Fast accept of the pivots alone.
    #[inline(always)]
    pub(crate) fn accept_pivots(&self, constraints: usize) -> bool {
        self.scaled_obliqueness(constraints) < T::one()
    }

    /// Below one, each pivot of this many constraints is above its limit.
    #[inline(always)]
    fn scaled_obliqueness(&self, constraints: usize) -> T {
        let tolerance = pivot_tolerance::<T>(constraints);
        self.obliqueness * (tolerance * tolerance)
    }
}

impl<T: Float, const D: usize, const E: usize> Row<T, D, E> {
    fn workspace() -> Self {
        let (q, v, joint) = (Vector::zeros(), Vector::zeros(), Joint::workspace());
        Self {
            nodes: [Element { q, v, joint, turns: [0; D] }; 2],
            inverse_masses: Vector::zeros(),
            limits: Vector::zeros(),
        }
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
}

impl<T: Float, const D: usize> Grounds<T, D> {
    #[inline(always)]
    pub(crate) fn at<System: Serial<N, D, E, Base = T>, const N: usize, const E: usize>(system: &System, t: T) -> Self {
        Self { near: ground_motion(|t| system.ground(t), t), far: ground_motion(|t| system.far_ground(t), t) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_refuse_what_is_not_finite() {
        let sums = Sums { residuals: 0.1, obliqueness: 10.0, probe: 1e30 };
        assert!(sums.accept(10) && sums.accept_pivots(10));
        for bad in [f64::NAN, f64::INFINITY] {
            assert!(!Sums { probe: bad, ..sums }.accept(10));
            assert!(!Sums { residuals: bad, ..sums }.accept(10));
            assert!(!Sums { obliqueness: bad, ..sums }.accept(10));
            assert!(!Sums { obliqueness: bad, ..sums }.accept_pivots(10));
        }
    }
}

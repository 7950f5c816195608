//! Points and directions of bodies in space.
//!
//! A body has three unit vectors e₁, e₂, e₃ as coordinates. A direction with the components x, y, z in its frame is x e₁ + y e₂ + z e₃, and
//! a point is an origin plus a direction: both are linear in the coordinates, so J is constant.

use super::fixed::Ground;
use super::place::{Place, Rows, Sink, dot, for_axes, plus, square};
use crate::scalar::{Float, Real};

/// A place with axes: what joints in space are between.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no axes",
    label = "joints in space are between bodies, their corners and fixed points: a `Body`, a `Top`, a `Corner` or a `Fixed`"
)]
pub trait Frame<S: Real>: Place<S, 3> {
    /// A direction that turns with it.
    type Direction: Place<S, 3>;

    /// The direction with these components along its axes.
    fn direction(&self, along: [S::Base; 3]) -> Self::Direction;
}

/// The axes of the ground are x, y and z.
impl<S: Real> Frame<S> for Ground<S, 3> {
    type Direction = Self;

    #[inline(always)]
    fn direction(&self, along: [S::Base; 3]) -> Self {
        Ground { at: along.map(S::from) }
    }
}

/// The unit vectors of a body in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Axes<S> {
    /// The coordinate of the first component of e₁; those of e₂ and e₃ follow.
    pub(super) at: usize,
    vectors: [[S; 3]; 3],
}

/// A direction that turns with a body.
#[derive(Clone, Copy, Debug)]
pub struct Direction<S: Real> {
    at: usize,
    weights: [S::Base; 3],
    position: [S; 3],
}

/// A point that moves with a body.
#[derive(Clone, Copy, Debug)]
pub struct PointOf<S: Real, O> {
    origin: O,
    from_origin: Direction<S>,
}

impl<S: Real> Axes<S> {
    /// The axes whose coordinates begin at one.
    #[inline(always)]
    pub(super) fn at(q: &[S], at: usize) -> Self {
        let mut vectors = [[S::zero(); 3]; 3];
        for_axes!(K < 3 => { for_axes!(AXIS < 3 => { vectors[K][AXIS] = q[at + 3 * K + AXIS]; }); });
        Self { at, vectors }
    }

    #[inline(always)]
    pub(super) fn direction(&self, weights: [S::Base; 3]) -> Direction<S> {
        let [a, b, c] = self.vectors;
        let mut position = [S::zero(); 3];
        for_axes!(AXIS < 3 => {
            position[AXIS] = a[AXIS] * weights[0] + b[AXIS] * weights[1] + c[AXIS] * weights[2];
        });
        Direction { at: self.at, weights, position }
    }

    /// A point at these distances from an origin.
    #[inline(always)]
    pub(super) fn point<O: Place<S, 3>>(&self, origin: O, weights: [S::Base; 3]) -> PointOf<S, O> {
        PointOf { origin, from_origin: self.direction(weights) }
    }

    /// (|eᵢ|² − 1)/2 and eᵢ·eⱼ.
    #[inline(always)]
    pub(super) fn constraint(&self, rows: &mut [S]) {
        let [a, b, c] = self.vectors;
        let half = S::Base::from_f64(0.5);
        rows[0] = (square(a) - S::Base::from_f64(1.0)) * half;
        rows[1] = (square(b) - S::Base::from_f64(1.0)) * half;
        rows[2] = (square(c) - S::Base::from_f64(1.0)) * half;
        rows[3] = dot(a, b);
        rows[4] = dot(a, c);
        rows[5] = dot(b, c);
    }

    #[inline(always)]
    pub(super) fn gradient(&self, rows: &mut impl Rows<S>) {
        let [a, b, c] = self.vectors;
        for_axes!(AXIS < 3 => {
            let (first, second, third) = (self.at + AXIS, self.at + 3 + AXIS, self.at + 6 + AXIS);
            rows.add(0, first, a[AXIS]);
            rows.add(1, second, b[AXIS]);
            rows.add(2, third, c[AXIS]);
            rows.add(3, first, b[AXIS]);
            rows.add(3, second, a[AXIS]);
            rows.add(4, first, c[AXIS]);
            rows.add(4, third, a[AXIS]);
            rows.add(5, second, c[AXIS]);
            rows.add(5, third, b[AXIS]);
        });
    }

    /// |eᵢ'|² and 2 eᵢ'·eⱼ'.
    #[inline(always)]
    pub(super) fn acceleration_terms(&self, v: &[S], rows: &mut [S]) {
        let [a, b, c] = Self::at(v, self.at).vectors;
        let two = S::Base::from_f64(2.0);
        rows[0] = square(a);
        rows[1] = square(b);
        rows[2] = square(c);
        rows[3] = dot(a, b) * two;
        rows[4] = dot(a, c) * two;
        rows[5] = dot(b, c) * two;
    }

    /// Writes unit vectors that are turned by a quaternion w + x i + y j + z k of any length. A quaternion of zero becomes NaN, which the
    /// assembly refuses.
    pub(super) fn guess([w, x, y, z]: [S; 4], q: &mut [S]) {
        let two = S::constant(2.0) / (w * w + x * x + y * y + z * z);
        let one = S::one();
        let turned = [
            [one - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y)],
            [two * (x * y - w * z), one - two * (x * x + z * z), two * (y * z + w * x)],
            [two * (x * z + w * y), two * (y * z - w * x), one - two * (x * x + y * y)],
        ];
        q[..9].copy_from_slice(turned.as_flattened());
    }
}

impl<S: Real> Place<S, 3> for Direction<S> {
    const LUMPS: bool = false;

    #[inline(always)]
    fn position(&self) -> [S; 3] {
        self.position
    }

    #[inline(always)]
    fn row(&self, axis: usize, x: S, into: &mut impl Sink<S>) {
        for_axes!(K < 3 => { into.add(self.at + 3 * K + axis, x * self.weights[K]); });
    }
}

impl<S: Real, O: Place<S, 3>> Place<S, 3> for PointOf<S, O> {
    const CURVED: bool = O::CURVED;
    const LUMPS: bool = false;

    #[inline(always)]
    fn position(&self) -> [S; 3] {
        plus(self.origin.position(), self.from_origin.position)
    }

    #[inline(always)]
    fn row(&self, axis: usize, x: S, into: &mut impl Sink<S>) {
        self.origin.row(axis, x, into);
        self.from_origin.row(axis, x, into);
    }

    #[inline(always)]
    fn curvature(&self, v: &[S]) -> [S; 3] {
        self.origin.curvature(v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quaternion_turns_the_axes() {
        let mut q = [0.0_f64; 9];
        // 120° about the diagonal takes x to y, y to z and z to x; its length does not matter.
        Axes::guess([2.0, 2.0, 2.0, 2.0], &mut q);
        assert_eq!(q, [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
        Axes::guess([0.0; 4], &mut q);
        assert!(q[0].is_nan());
    }
}

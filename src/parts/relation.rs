//! What joints in space keep: two points together, two directions perpendicular.

use super::place::{Place, Row, Rows, Sink, dot, for_axes, minus, pull, scaled, velocity};
use crate::scalar::{Float, Real};

/// From one place to another: b − a.
#[derive(Clone, Copy, Debug)]
pub struct Difference<A, B> {
    pub(super) a: A,
    pub(super) b: B,
}

impl<S: Real, A: Place<S, 3>, B: Place<S, 3>> Place<S, 3> for Difference<A, B> {
    const FIXED: bool = A::FIXED && B::FIXED;
    const CURVED: bool = A::CURVED || B::CURVED;
    const LUMPS: bool = false;

    #[inline(always)]
    fn position(&self) -> [S; 3] {
        minus(self.b.position(), self.a.position())
    }

    #[inline(always)]
    fn row(&self, axis: usize, x: S, into: &mut impl Sink<S>) {
        self.b.row(axis, x, into);
        self.a.row(axis, -x, into);
    }

    #[inline(always)]
    fn curvature(&self, v: &[S]) -> [S; 3] {
        let zero = [S::zero(); 3];
        minus(if B::CURVED { self.b.curvature(v) } else { zero }, if A::CURVED { self.a.curvature(v) } else { zero })
    }
}

/// The constraint 0 = b − a: three rows from one on.
pub(super) mod together {
    use super::*;

    #[inline(always)]
    pub fn constraint<S: Real>(gap: &impl Place<S, 3>, rows: &mut [S]) {
        let gap = gap.position();
        for_axes!(AXIS < 3 => { rows[AXIS] = gap[AXIS]; });
    }

    #[inline(always)]
    pub fn gradient<S: Real>(gap: &impl Place<S, 3>, rows: &mut impl Rows<S>) {
        for_axes!(AXIS < 3 => { gap.row(AXIS, S::one(), &mut Row::of(rows, AXIS)); });
    }

    #[inline(always)]
    pub fn acceleration_terms<S: Real, P: Place<S, 3>>(gap: &P, v: &[S], rows: &mut [S]) {
        let curvature = if P::CURVED { gap.curvature(v) } else { [S::zero(); 3] };
        for_axes!(AXIS < 3 => { rows[AXIS] = curvature[AXIS]; });
    }
}

/// The constraint 0 = a · b: one row.
pub(super) mod perpendicular {
    use super::*;

    #[inline(always)]
    pub fn constraint<S: Real>(a: &impl Place<S, 3>, b: &impl Place<S, 3>) -> S {
        dot(a.position(), b.position())
    }

    /// Jₐᵀ b + J_bᵀ a.
    #[inline(always)]
    pub fn gradient<S: Real>(a: &impl Place<S, 3>, b: &impl Place<S, 3>, into: &mut impl Sink<S>) {
        pull(a, b.position(), into);
        pull(b, a.position(), into);
    }

    /// The same, times a factor.
    #[inline(always)]
    pub fn gradient_times<S: Real>(a: &impl Place<S, 3>, b: &impl Place<S, 3>, factor: S, into: &mut impl Sink<S>) {
        pull(a, scaled(b.position(), factor), into);
        pull(b, scaled(a.position(), factor), into);
    }

    /// 2 a'·b' + a·(J_b' v) + b·(Jₐ' v).
    #[inline(always)]
    pub fn acceleration_terms<S: Real, A: Place<S, 3>, B: Place<S, 3>>(a: &A, b: &B, v: &[S]) -> S {
        let mut term = S::zero();
        if !A::FIXED && !B::FIXED {
            term = dot(velocity(a, v), velocity(b, v)) * S::Base::from_f64(2.0);
        }
        if A::CURVED {
            term += dot(b.position(), a.curvature(v));
        }
        if B::CURVED {
            term += dot(a.position(), b.curvature(v));
        }
        term
    }
}

/// Two directions that are perpendicular to a unit vector and to each other, so that p × q is the vector. Duff et al., "Building an
/// orthonormal basis, revisited", Journal of Computer Graphics Techniques 6 (2017): no square root, and no special case.
#[inline(always)]
pub(super) fn perpendiculars<T: Float>([x, y, z]: [T; 3]) -> ([T; 3], [T; 3]) {
    let one = T::from_f64(1.0);
    let sign = if z < T::ZERO { -one } else { one };
    let a = -one / (sign + z);
    let b = x * y * a;
    ([one + sign * x * x * a, sign * b, -sign * x], [b, sign + y * y * a, -y])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::place::square;

    #[test]
    fn perpendiculars_and_the_axis_are_right_handed() {
        for n in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [0.6, 0.0, -0.8], [2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0_f64]] {
            let (p, q) = perpendiculars(n);
            let cross = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
            // Sums of three products near one.
            assert!(square(minus(cross, n)) < 1e-30 && dot(p, q).abs() < 1e-15, "{n:?}: {p:?} {q:?}");
            assert!((square(p) - 1.0).abs() < 1e-15 && (square(q) - 1.0).abs() < 1e-15);
        }
    }
}

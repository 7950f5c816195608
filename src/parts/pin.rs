//! Pins: two points are one. They close the loops of bodies that have points of their own.

use super::error::{Problem, finite};
use super::list::{Described, Element, Part, Pose};
use super::place::{Place, Row, Rows, for_axes};
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// Holds two points together: 0 = b − a − offset. In space it is a ball joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pin<T, const D: usize> {
    /// From the first point to the second: zero for a pin.
    pub offset: [T; D],
}

/// A [`Pin`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Together<S: Real, A, B, const D: usize> {
    a: A,
    b: B,
    offset: [S::Base; D],
}

impl<S: Real<Base = T>, T: Float, A: Place<S, D>, B: Place<S, D>, const D: usize> Part<S, (A, B)> for Pin<T, D> {
    type Placed = Together<S, A, B, D>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (a, b): (A, B), _: &Pose<'_, S, N>, _: Slot) -> Together<S, A, B, D> {
        Together { a, b, offset: self.offset }
    }
}

impl<T: Float, const D: usize> Described<T> for Pin<T, D> {
    const KIND: Kind = Kind { constraints: D, rows_by_axis: D, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        self.offset.into_iter().try_for_each(|x| finite("offset", x))
    }
}

impl<S: Real, A: Place<S, D>, B: Place<S, D>, const D: usize> Element<S, D> for Together<S, A, B, D> {
    #[inline(always)]
    fn constraint(&self, rows: &mut [S]) {
        let (a, b) = (self.a.position(), self.b.position());
        for_axes!(AXIS < D => { rows[AXIS] = b[AXIS] - a[AXIS] - self.offset[AXIS]; });
    }

    #[inline(always)]
    fn gradient(&self, rows: &mut impl Rows<S>) {
        for_axes!(AXIS < D => {
            self.b.row(AXIS, S::one(), &mut Row::of(rows, AXIS));
            self.a.row(AXIS, -S::one(), &mut Row::of(rows, AXIS));
        });
    }

    #[inline(always)]
    fn acceleration_terms(&self, v: &[S], rows: &mut [S]) {
        let zero = [S::zero(); D];
        let a = if A::CURVED { self.a.curvature(v) } else { zero };
        let b = if B::CURVED { self.b.curvature(v) } else { zero };
        for_axes!(AXIS < D => { rows[AXIS] = b[AXIS] - a[AXIS]; });
    }

    fn shape(&self) -> Shape<S, D> {
        Shape::Point(self.a.position())
    }
}

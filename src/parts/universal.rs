//! Universal joints: an axis of one body stays perpendicular to an axis of another.

use super::error::{Problem, unit};
use super::frame::Frame;
use super::list::{Described, Element, Part, Pose};
use super::place::{Place, Row, Rows};
use super::relation::{Difference, perpendicular, together};
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A universal joint between two points of bodies, or between a fixed point and a point of a body. Its cross has no mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Universal<T> {
    /// The axis of the cross that turns in the first body, in the frame of that body: a unit vector.
    pub first: [T; 3],
    /// The axis of the cross that turns in the second body, in the frame of that body: a unit vector.
    pub second: [T; 3],
}

/// A [`Universal`] joint without its point: it keeps two directions perpendicular. For bodies that share a point already, such as
/// [`Top`](super::Top)s on the same point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Square<T> {
    /// The direction in the frame of the first body: a unit vector.
    pub first: [T; 3],
    /// The direction in the frame of the second body: a unit vector.
    pub second: [T; 3],
}

/// A [`Square`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Cross<A, B> {
    first: A,
    second: B,
}

/// A [`Universal`] joint in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Crossed<F, G, A, B> {
    gap: Difference<F, G>,
    cross: Cross<A, B>,
}

impl<S: Real<Base = T>, T: Float, A: Frame<S>, B: Frame<S>> Part<S, (A, B)> for Square<T> {
    type Placed = Cross<A::Direction, B::Direction>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (a, b): (A, B), _: &Pose<'_, S, N>, _: Slot) -> Self::Placed {
        Cross { first: a.direction(self.first), second: b.direction(self.second) }
    }
}

impl<S: Real<Base = T>, T: Float, A: Frame<S>, B: Frame<S>> Part<S, (A, B)> for Universal<T> {
    type Placed = Crossed<A, B, A::Direction, B::Direction>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (a, b): (A, B), _: &Pose<'_, S, N>, _: Slot) -> Self::Placed {
        let cross = Cross { first: a.direction(self.first), second: b.direction(self.second) };
        Crossed { gap: Difference { a, b }, cross }
    }
}

impl<T: Float> Described<T> for Square<T> {
    const KIND: Kind = Kind { constraints: 1, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        unit("first", self.first)?;
        unit("second", self.second)
    }
}

impl<T: Float> Described<T> for Universal<T> {
    const KIND: Kind = Kind { constraints: 4, rows_by_axis: 3, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        unit("first", self.first)?;
        unit("second", self.second)
    }
}

impl<S: Real, A: Place<S, 3>, B: Place<S, 3>> Element<S, 3> for Cross<A, B> {
    #[inline(always)]
    fn constraint(&self, rows: &mut [S]) {
        rows[0] = perpendicular::constraint(&self.first, &self.second);
    }

    #[inline(always)]
    fn gradient(&self, rows: &mut impl Rows<S>) {
        perpendicular::gradient(&self.first, &self.second, &mut Row::of(rows, 0));
    }

    #[inline(always)]
    fn acceleration_terms(&self, v: &[S], rows: &mut [S]) {
        rows[0] = perpendicular::acceleration_terms(&self.first, &self.second, v);
    }

    fn shape(&self) -> Shape<S, 3> {
        Shape::None
    }
}

impl<S, F, G, A, B> Element<S, 3> for Crossed<F, G, A, B>
where
    S: Real,
    F: Place<S, 3>,
    G: Place<S, 3>,
    A: Place<S, 3>,
    B: Place<S, 3>,
{
    #[inline(always)]
    fn constraint(&self, rows: &mut [S]) {
        together::constraint(&self.gap, rows);
        self.cross.constraint(&mut rows[3..]);
    }

    #[inline(always)]
    fn gradient(&self, rows: &mut impl Rows<S>) {
        together::gradient(&self.gap, rows);
        perpendicular::gradient(&self.cross.first, &self.cross.second, &mut Row::of(rows, 3));
    }

    #[inline(always)]
    fn acceleration_terms(&self, v: &[S], rows: &mut [S]) {
        together::acceleration_terms(&self.gap, v, rows);
        self.cross.acceleration_terms(v, &mut rows[3..]);
    }

    fn shape(&self) -> Shape<S, 3> {
        Shape::Point(self.gap.a.position())
    }
}

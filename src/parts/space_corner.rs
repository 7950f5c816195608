//! Points of a rigid body in space.

use super::error::{Problem, finite};
use super::frame::{Axes, Direction, Frame, PointOf};
use super::list::{Described, Element, Output, Part, Pose, Push};
use super::place::{Place, Sink, minus};
use super::point::Free;
use super::shape::Shape;
use super::solid::Solid;
use super::table::{Kind, Slot};
use super::top::Spinning;
use crate::scalar::{Float, Real};

/// A point of a rigid body in space, without mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceCorner<T> {
    /// Where it is, in the frame of the body.
    pub at: [T; 3],
}

/// A [`SpaceCorner`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Mark<S: Real, O> {
    axes: Axes<S>,
    point: PointOf<S, O>,
    /// The origin of the body's frame, for a drawing.
    origin: [S; 3],
}

impl<S: Real<Base = T>, T: Float, const SKEW: bool> Part<S, (Solid<S, SKEW>,)> for SpaceCorner<T> {
    type Placed = Mark<S, Free<S, 3>>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (body,): (Solid<S, SKEW>,), _: &Pose<'_, S, N>, _: Slot) -> Mark<S, Free<S, 3>> {
        let from_centre = minus(self.at, body.offset);
        Mark { axes: body.axes, point: body.axes.point(body.centre, from_centre), origin: body.position() }
    }
}

impl<S: Real<Base = T>, T: Float, O: Place<S, 3>> Part<S, (Spinning<S, O>,)> for SpaceCorner<T> {
    type Placed = Mark<S, O>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (body,): (Spinning<S, O>,), _: &Pose<'_, S, N>, _: Slot) -> Mark<S, O> {
        Mark { axes: body.axes, point: body.axes.point(body.origin, self.at), origin: body.position() }
    }
}

impl<T: Float> Described<T> for SpaceCorner<T> {
    const KIND: Kind = Kind { outputs: 3, by_axis: true, follows: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        self.at.into_iter().try_for_each(|x| finite("at", x))
    }
}

impl<S: Real, O: Place<S, 3>> Place<S, 3> for Mark<S, O> {
    const CURVED: bool = O::CURVED;
    const LUMPS: bool = false;

    #[inline(always)]
    fn position(&self) -> [S; 3] {
        self.point.position()
    }

    #[inline(always)]
    fn row(&self, axis: usize, x: S, into: &mut impl Sink<S>) {
        self.point.row(axis, x, into);
    }

    #[inline(always)]
    fn curvature(&self, v: &[S]) -> [S; 3] {
        self.point.curvature(v)
    }
}

impl<S: Real, O: Place<S, 3>> Frame<S> for Mark<S, O> {
    type Direction = Direction<S>;

    #[inline(always)]
    fn direction(&self, along: [S::Base; 3]) -> Direction<S> {
        self.axes.direction(along)
    }
}

impl<S: Real, O: Place<S, 3>> Element<S, 3> for Mark<S, O> {
    fn shape(&self) -> Shape<S, 3> {
        Shape::Line(self.origin, self.position())
    }
}

impl<S: Real, O: Place<S, 3>> Output<S> for Mark<S, O> {
    #[inline(always)]
    fn output(&self, into: &mut impl Push<S>) {
        for x in self.position() {
            into.push(x);
        }
    }
}

//! Pistons and spindles: a motor that pushes two points apart.

use super::error::{Problem, apart, finite};
use super::list::{Described, Element, Output, Part, Pose, Push, Shaft};
use super::place::{Place, Sink, minus, pull, scaled, square};
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A piston or a spindle between two points. It has no constraint: its motor pushes the points apart, and its encoder reads their distance.
/// The points must not meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piston<T, const D: usize> {
    /// The distance at which the encoder reads zero.
    pub offset: T,
}

/// A [`Piston`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Pushing<S: Real, A, B, const D: usize> {
    ends: (A, B),
    offset: S::Base,
}

impl<S: Real<Base = T>, T: Float, A: Place<S, D>, B: Place<S, D>, const D: usize> Part<S, (A, B)> for Piston<T, D> {
    type Placed = Pushing<S, A, B, D>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, ends: (A, B), _: &Pose<'_, S, N>, _: Slot) -> Pushing<S, A, B, D> {
        Pushing { ends, offset: self.offset }
    }
}

impl<T: Float, const D: usize> Described<T> for Piston<T, D> {
    const KIND: Kind = Kind { outputs: 1, by_axis: true, follows: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        finite("offset", self.offset)
    }
}

impl<S: Real, A: Place<S, D>, B: Place<S, D>, const D: usize> Element<S, D> for Pushing<S, A, B, D> {
    fn check(&self) -> Result<(), Problem<S::Base>> {
        apart(self.along().0)
    }

    fn shape(&self) -> Shape<S, D> {
        Shape::Line(self.ends.0.position(), self.ends.1.position())
    }
}

impl<S: Real, A: Place<S, D>, B: Place<S, D>, const D: usize> Pushing<S, A, B, D> {
    /// From the first point to the second, and their distance.
    #[inline(always)]
    fn along(&self) -> ([S; D], S) {
        let along = minus(self.ends.1.position(), self.ends.0.position());
        (along, square(along).sqrt())
    }
}

impl<S: Real, A: Place<S, D>, B: Place<S, D>, const D: usize> Shaft<S> for Pushing<S, A, B, D> {
    #[inline(always)]
    fn drive(&self, into: &mut impl Sink<S>) {
        let (along, distance) = self.along();
        let unit = scaled(along, S::one() / distance);
        pull(&self.ends.1, unit, into);
        pull(&self.ends.0, unit.map(|x| -x), into);
    }

    #[inline(always)]
    fn reading(&self) -> S {
        self.along().1 - self.offset
    }
}

impl<S: Real, A: Place<S, D>, B: Place<S, D>, const D: usize> Output<S> for Pushing<S, A, B, D> {
    #[inline(always)]
    fn output(&self, into: &mut impl Push<S>) {
        into.push(self.reading());
    }
}

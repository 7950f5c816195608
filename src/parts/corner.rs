//! Points of a rigid body in the plane: a rod with more than two points.
//!
//! A body is given by two of its points a and b. Another point is p = a + α (b − a) + β R (b − a), where R turns by 90°: linear in a and
//! b, so a constant mass stays constant.

use super::body::Rigid;
use super::error::{Problem, finite, not_negative};
use super::list::{Described, Element, Output, Part, Pose, Push};
use super::place::{Place, Sink, Symmetric, couple, pull, weight};
use super::rod::{Distance, Link};
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A point fixed to a rod or a body in the plane, with a mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner<T> {
    /// The distance from the rod's first end, along the rod.
    pub along: T,
    /// The distance from the rod to its left.
    pub across: T,
    /// The mass at the point.
    pub mass: T,
}

/// A [`Corner`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct OnBody<S: Real, A, B> {
    a: A,
    b: B,
    /// α and β.
    along: S::Base,
    across: S::Base,
    mass: S::Base,
}

impl<S: Real<Base = T>, T: Float, A: Place<S, 2>, B: Place<S, 2>> Part<S, (Link<S, A, B, 2>,)> for Corner<T> {
    type Placed = OnBody<S, A, B>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (rod,): (Link<S, A, B, 2>,), pose: &Pose<'_, S, N>, slot: Slot) -> OnBody<S, A, B> {
        self.place((rod.distance,), pose, slot)
    }
}

impl<S: Real<Base = T>, T: Float, A: Place<S, 2>, B: Place<S, 2>> Part<S, (Rigid<S, A, B>,)> for Corner<T> {
    type Placed = OnBody<S, A, B>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (body,): (Rigid<S, A, B>,), pose: &Pose<'_, S, N>, slot: Slot) -> OnBody<S, A, B> {
        self.place((body.distance,), pose, slot)
    }
}

impl<S: Real<Base = T>, T: Float, A: Place<S, 2>, B: Place<S, 2>> Part<S, (Distance<S, A, B, 2>,)> for Corner<T> {
    type Placed = OnBody<S, A, B>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(
        &self,
        (rod,): (Distance<S, A, B, 2>,),
        _pose: &Pose<'_, S, N>,
        _slot: Slot,
    ) -> OnBody<S, A, B> {
        OnBody::at(&rod, [self.along, self.across], self.mass)
    }
}

impl<T: Float> Described<T> for Corner<T> {
    const KIND: Kind = Kind { outputs: 2, follows: true, couples: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        finite("along", self.along)?;
        finite("across", self.across)?;
        not_negative("mass", self.mass)
    }
}

impl<S: Real, A: Place<S, 2>, B: Place<S, 2>> OnBody<S, A, B> {
    /// The point at these distances along and across a rod.
    #[inline(always)]
    pub(super) fn at(rod: &Distance<S, A, B, 2>, [along, across]: [S::Base; 2], mass: S::Base) -> Self {
        OnBody { a: rod.a, b: rod.b, along: along / rod.length, across: across / rod.length, mass }
    }

    /// a + α (b − a) + β R (b − a).
    #[inline(always)]
    fn combine(&self, a: [S; 2], b: [S; 2]) -> [S; 2] {
        let (x, y) = (b[0] - a[0], b[1] - a[1]);
        [a[0] + x * self.along - y * self.across, a[1] + y * self.along + x * self.across]
    }
}

impl<S: Real, A: Place<S, 2>, B: Place<S, 2>> Place<S, 2> for OnBody<S, A, B> {
    const FIXED: bool = A::FIXED && B::FIXED;
    const CURVED: bool = A::CURVED || B::CURVED;
    const LUMPS: bool = false;

    #[inline(always)]
    fn position(&self) -> [S; 2] {
        self.combine(self.a.position(), self.b.position())
    }

    #[inline(always)]
    fn row(&self, axis: usize, x: S, into: &mut impl Sink<S>) {
        // Along x, the other axis enters with −β; along y with β.
        let (along, across) = (x * self.along, if axis == 0 { -(x * self.across) } else { x * self.across });
        self.a.row(axis, x - along, into);
        self.b.row(axis, along, into);
        self.a.row(1 - axis, -across, into);
        self.b.row(1 - axis, across, into);
    }

    #[inline(always)]
    fn curvature(&self, v: &[S]) -> [S; 2] {
        self.combine(self.a.curvature(v), self.b.curvature(v))
    }
}

impl<S: Real, A: Place<S, 2>, B: Place<S, 2>> Element<S, 2> for OnBody<S, A, B> {
    #[inline(always)]
    fn mass(&self, matrix: &mut impl Symmetric<S>) {
        couple(self, self, self.mass * S::Base::from_f64(0.5), matrix);
    }

    #[inline(always)]
    fn force(&self, gravity: S::Base, v: &[S], into: &mut impl Sink<S>) {
        weight(self, self.mass * gravity, into);
        if Self::CURVED {
            pull(self, self.curvature(v).map(|x| x * -self.mass), into);
        }
    }

    #[inline(always)]
    fn potential_energy(&self, gravity: S::Base) -> S {
        self.position()[1] * (self.mass * gravity)
    }

    fn shape(&self) -> Shape<S, 2> {
        Shape::Corner([self.a.position(), self.position(), self.b.position()])
    }
}

impl<S: Real, A: Place<S, 2>, B: Place<S, 2>> Output<S> for OnBody<S, A, B> {
    #[inline(always)]
    fn output(&self, into: &mut impl Push<S>) {
        let [x, y] = self.position();
        into.push(x);
        into.push(y);
    }
}

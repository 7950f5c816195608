//! Sliders along a straight line.

use super::error::{Problem, not_negative, unit};
use super::guide::OneCoordinate;
use super::list::{Described, Element, Output, Part, Pose, Push, Shaft};
use super::place::{Load, Place, Sink, Symmetric, couple, for_axes, pull, weight};
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A point that slides along a straight line through another point. Its coordinate is the displacement along the line.
///
/// The direction stays fixed in the plane or in space: it does not turn with the part that the point belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slider<T, const D: usize> {
    /// The direction of the line: a unit vector.
    pub along: [T; D],
    /// Its mass.
    pub mass: T,
}

/// A [`Slider`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Sliding<S: Real, A, const D: usize> {
    at: usize,
    displacement: S,
    origin: A,
    along: [S::Base; D],
    load: Load<S::Base>,
    mass: S::Base,
}

impl<S: Real<Base = T>, T: Float, A: Place<S, D>, const D: usize> Part<S, (A,)> for Slider<T, D> {
    type Placed = Sliding<S, A, D>;
    type Near = T;

    #[inline(always)]
    fn guess(&self, near: Option<T>, _on: (A,), q: &mut [T]) {
        q[0] = near.unwrap_or(T::ZERO);
    }

    #[inline(always)]
    fn place<const N: usize>(&self, (origin,): (A,), pose: &Pose<'_, S, N>, slot: Slot) -> Sliding<S, A, D> {
        let at = slot.coordinate;
        Sliding { at, displacement: pose.q[at], origin, along: self.along, load: pose.loads[at], mass: self.mass }
    }
}

impl<T: Float, const D: usize> Described<T> for Slider<T, D> {
    const KIND: Kind = Kind { coordinates: 1, outputs: 1, follows: true, couples: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        unit("along", self.along)?;
        not_negative("mass", self.mass)
    }
}

impl<S: Real, A: Place<S, D>, const D: usize> Place<S, D> for Sliding<S, A, D> {
    const CURVED: bool = A::CURVED;
    const LUMPS: bool = A::FIXED;

    #[inline(always)]
    fn position(&self) -> [S; D] {
        let mut position = self.origin.position();
        for_axes!(AXIS < D => { position[AXIS] += self.displacement * self.along[AXIS]; });
        position
    }

    #[inline(always)]
    fn row(&self, axis: usize, x: S, into: &mut impl Sink<S>) {
        into.add(self.at, x * self.along[axis]);
        self.origin.row(axis, x, into);
    }

    #[inline(always)]
    fn curvature(&self, v: &[S]) -> [S; D] {
        self.origin.curvature(v)
    }

    #[inline(always)]
    fn lump(&self, load: Load<S::Base>, loads: &mut [Load<S::Base>]) {
        loads[self.at].add(load, S::Base::from_f64(1.0));
    }
}

impl<S: Real, A: Place<S, D>, const D: usize> Element<S, D> for Sliding<S, A, D> {
    #[inline(always)]
    fn mass(&self, matrix: &mut impl Symmetric<S>) {
        if A::FIXED {
            matrix.diagonal(self.at, S::from(self.load.mass));
        } else {
            couple(self, self, self.mass * S::Base::from_f64(0.5), matrix);
        }
    }

    #[inline(always)]
    fn force(&self, gravity: S::Base, v: &[S], into: &mut impl Sink<S>) {
        if A::FIXED {
            into.add(self.at, S::from(-(self.load.weight * gravity * self.along[D - 1])));
        } else {
            weight(self, self.mass * gravity, into);
            if A::CURVED {
                let curvature = self.curvature(v);
                pull(self, curvature.map(|x| x * -self.mass), into);
            }
        }
    }

    #[inline(always)]
    fn potential_energy(&self, gravity: S::Base) -> S {
        let mass = if A::FIXED { self.load.weight } else { self.mass };
        self.position()[D - 1] * (mass * gravity)
    }

    #[inline(always)]
    fn lump(&self, loads: &mut [Load<S::Base>]) {
        if A::FIXED {
            Place::lump(self, Load::point(self.mass), loads);
        }
    }

    fn shape(&self) -> Shape<S, D> {
        Shape::Slider(self.position(), self.along.map(S::from))
    }
}

impl<S: Real, A, const D: usize> Shaft<S> for Sliding<S, A, D> {
    #[inline(always)]
    fn drive(&self, into: &mut impl Sink<S>) {
        into.add(self.at, S::one());
    }

    #[inline(always)]
    fn reading(&self) -> S {
        self.displacement
    }
}

impl<S: Real, A: Copy, const D: usize> OneCoordinate<S> for Sliding<S, A, D> {
    #[inline(always)]
    fn coordinate(&self) -> (usize, S) {
        (self.at, self.displacement)
    }
}

impl<S: Real, A, const D: usize> Output<S> for Sliding<S, A, D> {
    #[inline(always)]
    fn output(&self, into: &mut impl Push<S>) {
        into.push(self.displacement);
    }
}

//! Rigid bodies in the plane, given by two of their points.
//!
//! The centre of mass is c = a + α (b − a) + β R (b − a), as for a [`Corner`](super::Corner), and the angular velocity is that of b − a: the
//! kinetic energy is m/2 |c'|² + I/(2 l²) |b' − a'|². So a body needs no angle.

use super::corner::OnBody;
use super::error::{Problem, finite, not_negative, positive};
use super::list::{Described, Element, Part, Pose};
use super::place::{Place, Rows, Sink, Symmetric, couple, minus, pull, weight};
use super::rod::Distance;
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A rigid body in the plane that is fixed to two points. More of its points are [`Corner`](super::Corner)s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body<T> {
    /// The distance of the two points.
    pub length: T,
    /// The centre of mass: the distance from the first point towards the second, and the distance to the left of that line.
    pub centre: [T; 2],
    /// Its mass.
    pub mass: T,
    /// Its moment of inertia about the centre of mass.
    pub inertia: T,
}

/// A [`Body`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Rigid<S: Real, A, B> {
    pub(super) distance: Distance<S, A, B, 2>,
    centre: OnBody<S, A, B>,
    mass: S::Base,
    /// I/l².
    turning: S::Base,
}

impl<S: Real<Base = T>, T: Float, A: Place<S, 2>, B: Place<S, 2>> Part<S, (A, B)> for Body<T> {
    type Placed = Rigid<S, A, B>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (a, b): (A, B), _pose: &Pose<'_, S, N>, _slot: Slot) -> Rigid<S, A, B> {
        let distance = Distance::between(a, b, self.length);
        let turning = self.inertia / (self.length * self.length);
        Rigid { centre: OnBody::at(&distance, self.centre, self.mass), distance, mass: self.mass, turning }
    }
}

impl<T: Float> Described<T> for Body<T> {
    const KIND: Kind = Kind { constraints: 1, follows: true, couples: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        positive("length", self.length)?;
        self.centre.into_iter().try_for_each(|x| finite("centre", x))?;
        not_negative("mass", self.mass)?;
        not_negative("inertia", self.inertia)
    }
}

impl<S: Real, A: Place<S, 2>, B: Place<S, 2>> Element<S, 2> for Rigid<S, A, B> {
    #[inline(always)]
    fn constraint(&self, rows: &mut [S]) {
        self.distance.constraint(rows);
    }

    #[inline(always)]
    fn gradient(&self, rows: &mut impl Rows<S>) {
        self.distance.gradient(rows);
    }

    #[inline(always)]
    fn acceleration_terms(&self, v: &[S], rows: &mut [S]) {
        self.distance.acceleration_terms(v, rows);
    }

    #[inline(always)]
    fn mass(&self, matrix: &mut impl Symmetric<S>) {
        let (Distance { a, b, .. }, half) = (&self.distance, S::Base::from_f64(0.5));
        self.centre.mass(matrix);
        couple(a, a, self.turning * half, matrix);
        couple(b, b, self.turning * half, matrix);
        couple(a, b, -self.turning, matrix);
    }

    #[inline(always)]
    fn force(&self, gravity: S::Base, v: &[S], into: &mut impl Sink<S>) {
        weight(&self.centre, self.mass * gravity, into);
        if OnBody::<S, A, B>::CURVED {
            let Distance { a, b, .. } = &self.distance;
            pull(&self.centre, self.centre.curvature(v).map(|x| x * -self.mass), into);
            let turning = minus(b.curvature(v), a.curvature(v)).map(|x| x * self.turning);
            pull(a, turning, into);
            pull(b, turning.map(|x| -x), into);
        }
    }

    #[inline(always)]
    fn potential_energy(&self, gravity: S::Base) -> S {
        self.centre.potential_energy(gravity)
    }

    fn shape(&self) -> Shape<S, 2> {
        self.distance.shape()
    }

    fn length(&self) -> Option<S::Base> {
        self.distance.length()
    }
}

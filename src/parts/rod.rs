//! Rods between two points.
//!
//! A rod keeps the distance of its ends: 0 = (|d|² − l²)/2 with d = b − a. A uniform rod of mass m has the kinetic energy
//! m/6 (|a'|² + a'·b' + |b'|²): a third of its mass at each end and a sixth between them. So it needs no coordinates of its own.

use super::error::{Problem, not_negative, positive};
use super::list::{Described, Element, Part, Pose};
use super::place::{
    Load, Place, Row, Rows, Sink, Symmetric, couple, dot, minus, pull, scaled, square, velocity, weight,
};
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A uniform thin rod between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rod<T, const D: usize> {
    /// Its length.
    pub length: T,
    /// Its mass; zero is allowed, but a [`Strut`] costs less.
    pub mass: T,
}

/// A rod without mass between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strut<T, const D: usize> {
    /// Its length.
    pub length: T,
}

/// A [`Rod`] in a pose, from a to b.
#[derive(Clone, Copy, Debug)]
pub struct Link<S: Real, A, B, const D: usize> {
    pub(super) distance: Distance<S, A, B, D>,
    mass: S::Base,
}

/// The distance of two places is constant.
#[derive(Clone, Copy, Debug)]
pub struct Distance<S: Real, A, B, const D: usize> {
    pub(super) a: A,
    pub(super) b: B,
    /// b − a.
    pub(super) along: [S; D],
    pub(super) length: S::Base,
}

impl<S: Real, A: Place<S, D>, B: Place<S, D>, const D: usize> Distance<S, A, B, D> {
    #[inline(always)]
    pub(super) fn between(a: A, b: B, length: S::Base) -> Self {
        Self { a, b, along: minus(b.position(), a.position()), length }
    }
}

impl<S: Real, A: Place<S, D>, B: Place<S, D>, const D: usize> Element<S, D> for Distance<S, A, B, D> {
    #[inline(always)]
    fn constraint(&self, rows: &mut [S]) {
        rows[0] = (square(self.along) - self.length * self.length) * S::Base::from_f64(0.5);
    }

    /// d · (J_b − J_a).
    #[inline(always)]
    fn gradient(&self, rows: &mut impl Rows<S>) {
        pull(&self.b, self.along, &mut Row::of(rows, 0));
        pull(&self.a, self.along.map(|x| -x), &mut Row::of(rows, 0));
    }

    /// |d'|² + d · (J_b' v − J_a' v).
    #[inline(always)]
    fn acceleration_terms(&self, v: &[S], rows: &mut [S]) {
        let rate = if A::FIXED { velocity(&self.b, v) } else { minus(velocity(&self.b, v), velocity(&self.a, v)) };
        rows[0] = square(rate);
        if B::CURVED {
            rows[0] += dot(self.along, self.b.curvature(v));
        }
        if A::CURVED {
            rows[0] -= dot(self.along, self.a.curvature(v));
        }
    }

    fn shape(&self) -> Shape<S, D> {
        Shape::Line(self.a.position(), self.b.position())
    }

    fn length(&self) -> Option<S::Base> {
        Some(self.length)
    }
}

/// The inertia of a uniform rod between two places.
///
/// A third of the mass at each end is summed with the loads where the place allows it. A sixth between the ends is added here, with the
/// centrifugal forces −m/6 Jₐᵀ (J_b' v) and −m/6 J_bᵀ (Jₐ' v) that belong to it.
#[inline(always)]
pub(super) fn rod_mass<S: Real, const D: usize, A: Place<S, D>, B: Place<S, D>>(
    (a, b): (&A, &B),
    mass: S::Base,
    matrix: &mut impl Symmetric<S>,
) {
    let sixth = S::Base::from_f64(1.0 / 6.0);
    couple(a, b, mass * sixth, matrix);
    if !A::LUMPS {
        couple(a, a, mass * sixth, matrix);
    }
    if !B::LUMPS {
        couple(b, b, mass * sixth, matrix);
    }
}

/// The forces of a uniform rod: see [`rod_mass`].
#[inline(always)]
pub(super) fn rod_force<S: Real, const D: usize, A: Place<S, D>, B: Place<S, D>>(
    (a, b): (&A, &B),
    mass: S::Base,
    gravity: S::Base,
    v: &[S],
    into: &mut impl Sink<S>,
) {
    let part = |place: [S; D], fraction: f64| scaled(place, S::from(mass * S::Base::from_f64(-fraction)));
    if B::CURVED {
        let curvature = b.curvature(v);
        pull(a, part(curvature, 1.0 / 6.0), into);
        if !B::LUMPS {
            pull(b, part(curvature, 1.0 / 3.0), into);
        }
    }
    if A::CURVED {
        let curvature = a.curvature(v);
        pull(b, part(curvature, 1.0 / 6.0), into);
        if !A::LUMPS {
            pull(a, part(curvature, 1.0 / 3.0), into);
        }
    }
    let half = mass * gravity * S::Base::from_f64(0.5);
    if !A::LUMPS {
        weight(a, half, into);
    }
    if !B::LUMPS {
        weight(b, half, into);
    }
}

/// The potential energy of the ends that carry no loads.
#[inline(always)]
pub(super) fn rod_energy<S: Real, const D: usize, A: Place<S, D>, B: Place<S, D>>(
    (a, b): (&A, &B),
    mass: S::Base,
    gravity: S::Base,
) -> S {
    let half = mass * gravity * S::Base::from_f64(0.5);
    let mut energy = S::zero();
    if !A::LUMPS || A::FIXED {
        energy += a.position()[D - 1] * half;
    }
    if !B::LUMPS || B::FIXED {
        energy += b.position()[D - 1] * half;
    }
    energy
}

impl<S: Real<Base = T>, T: Float, A: Place<S, D>, B: Place<S, D>, const D: usize> Part<S, (A, B)> for Rod<T, D> {
    type Placed = Link<S, A, B, D>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (a, b): (A, B), _pose: &Pose<'_, S, N>, _slot: Slot) -> Link<S, A, B, D> {
        Link { distance: Distance::between(a, b, self.length), mass: self.mass }
    }
}

impl<T: Float, const D: usize> Described<T> for Rod<T, D> {
    const KIND: Kind = Kind { constraints: 1, by_axis: true, follows: true, couples: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        positive("length", self.length)?;
        not_negative("mass", self.mass)
    }
}

impl<S: Real<Base = T>, T: Float, A: Place<S, D>, B: Place<S, D>, const D: usize> Part<S, (A, B)> for Strut<T, D> {
    type Placed = Distance<S, A, B, D>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (a, b): (A, B), _pose: &Pose<'_, S, N>, _slot: Slot) -> Distance<S, A, B, D> {
        Distance::between(a, b, self.length)
    }
}

impl<T: Float, const D: usize> Described<T> for Strut<T, D> {
    const KIND: Kind = Kind { constraints: 1, by_axis: true, follows: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        positive("length", self.length)
    }
}

impl<S: Real, A: Place<S, D>, B: Place<S, D>, const D: usize> Element<S, D> for Link<S, A, B, D> {
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
        rod_mass((&self.distance.a, &self.distance.b), self.mass, matrix);
    }

    #[inline(always)]
    fn force(&self, gravity: S::Base, v: &[S], into: &mut impl Sink<S>) {
        rod_force((&self.distance.a, &self.distance.b), self.mass, gravity, v, into);
    }

    #[inline(always)]
    fn potential_energy(&self, gravity: S::Base) -> S {
        rod_energy((&self.distance.a, &self.distance.b), self.mass, gravity)
    }

    #[inline(always)]
    fn lump(&self, loads: &mut [Load<S::Base>]) {
        if A::LUMPS {
            self.distance.a.lump(Load::end_of_rod(self.mass), loads);
        }
        if B::LUMPS {
            self.distance.b.lump(Load::end_of_rod(self.mass), loads);
        }
    }

    fn shape(&self) -> Shape<S, D> {
        self.distance.shape()
    }

    fn length(&self) -> Option<S::Base> {
        self.distance.length()
    }
}

//! Arms in space with the position of their end as coordinates: see [`arm_as_point`](super::arm_as_point).
//!
//! The end p stays at a constant distance from the pivot o and in the plane in which the arm turns: 0 = (|p − o|² − l²)/2 and
//! 0 = n · (p − o), where n = e₁ × e₂ is the axis of rotation. The angle is atan2(e₂ · (p − o), e₁ · (p − o)).

use super::arm_as_point::Swinging;
use super::elbow::Turns;
use super::error::Problem;
use super::list::{Described, Element, Output, Part, Pose, Push, Shaft};
use super::place::{Load, Place, Row, Rows, Sink, Symmetric, cross, dot, minus, plus, pull, scaled};
use super::shape::Shape;
use super::table::{Kind, Slot};
use super::{PlaneArmAsPoint, SpaceArm};
use crate::scalar::{Float, Real};

/// A [`SpaceArm`] with the position of its end as coordinates. Its angle is counted in the same way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceArmAsPoint<T> {
    /// Its direction at the angle zero: a unit vector.
    pub zero: [T; 3],
    /// Its direction at 90°: a unit vector, perpendicular to the first. The axis of the arm is perpendicular to both.
    pub quarter: [T; 3],
    /// Its length.
    pub length: T,
    /// Its mass.
    pub mass: T,
}

/// A [`SpaceArmAsPoint`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct InPlane<S: Real, A> {
    swinging: Swinging<S, A, 3>,
    zero: [S::Base; 3],
    quarter: [S::Base; 3],
    axis: [S::Base; 3],
}

impl<S: Real<Base = T>, T: Float, A: Place<S, 3>> Part<S, (A,)> for SpaceArmAsPoint<T> {
    type Placed = InPlane<S, A>;
    type Near = T;

    #[inline(always)]
    fn guess(&self, near: Option<T>, (pivot,): (A,), q: &mut [T]) {
        let (sin, cos) = near.unwrap_or(T::ZERO).sin_cos();
        let reach = plus(scaled(self.zero, cos * self.length), scaled(self.quarter, sin * self.length));
        q[..3].copy_from_slice(&plus(pivot.position().map(|x| x.value()), reach));
    }

    #[inline(always)]
    fn place<const N: usize>(&self, (pivot,): (A,), pose: &Pose<'_, S, N>, slot: Slot) -> InPlane<S, A> {
        let Self { zero, quarter, length, mass } = *self;
        InPlane { swinging: Swinging::at(pivot, pose, slot, (length, mass)), zero, quarter, axis: cross(zero, quarter) }
    }
}

impl<T: Float> Described<T> for SpaceArmAsPoint<T> {
    const KIND: Kind = Kind { coordinates: 3, constraints: 2, ..PlaneArmAsPoint::<T>::KIND };

    fn check(&self) -> Result<(), Problem<T>> {
        let Self { zero, quarter, length, mass } = *self;
        SpaceArm { zero, quarter, length, mass }.check()
    }
}

impl<S: Real, A: Place<S, 3>> InPlane<S, A> {
    /// The components of the arm along its directions at 0 and 90°: l cos θ and l sin θ.
    #[inline(always)]
    fn components(&self) -> (S, S) {
        let along = self.swinging.distance.along;
        (dot(along, self.zero.map(S::from)), dot(along, self.quarter.map(S::from)))
    }
}

impl<S: Real, A: Place<S, 3>> Place<S, 3> for InPlane<S, A> {
    const LUMPS: bool = true;

    #[inline(always)]
    fn position(&self) -> [S; 3] {
        self.swinging.position()
    }

    #[inline(always)]
    fn row(&self, axis: usize, x: S, into: &mut impl Sink<S>) {
        self.swinging.row(axis, x, into);
    }

    #[inline(always)]
    fn lump(&self, load: Load<S::Base>, loads: &mut [Load<S::Base>]) {
        Place::lump(&self.swinging, load, loads);
    }
}

impl<S: Real, A: Place<S, 3>> Element<S, 3> for InPlane<S, A> {
    #[inline(always)]
    fn constraint(&self, rows: &mut [S]) {
        self.swinging.constraint(rows);
        rows[1] = dot(self.swinging.distance.along, self.axis.map(S::from));
    }

    #[inline(always)]
    fn gradient(&self, rows: &mut impl Rows<S>) {
        self.swinging.gradient(rows);
        let axis = self.axis.map(S::from);
        pull(&self.swinging.distance.b, axis, &mut Row::of(rows, 1));
        pull(&self.swinging.distance.a, minus([S::zero(); 3], axis), &mut Row::of(rows, 1));
    }

    /// Of the plane: −n · (Jₒ' v).
    #[inline(always)]
    fn acceleration_terms(&self, v: &[S], rows: &mut [S]) {
        self.swinging.acceleration_terms(v, rows);
        rows[1] =
            if A::CURVED { -dot(self.swinging.distance.a.curvature(v), self.axis.map(S::from)) } else { S::zero() };
    }

    #[inline(always)]
    fn mass(&self, matrix: &mut impl Symmetric<S>) {
        self.swinging.mass(matrix);
    }

    #[inline(always)]
    fn force(&self, gravity: S::Base, v: &[S], into: &mut impl Sink<S>) {
        self.swinging.force(gravity, v, into);
    }

    #[inline(always)]
    fn potential_energy(&self, gravity: S::Base) -> S {
        self.swinging.potential_energy(gravity)
    }

    #[inline(always)]
    fn lump(&self, loads: &mut [Load<S::Base>]) {
        Element::lump(&self.swinging, loads);
    }

    fn shape(&self) -> Shape<S, 3> {
        self.swinging.shape()
    }

    fn length(&self) -> Option<S::Base> {
        self.swinging.length()
    }
}

impl<S: Real, A: Place<S, 3>> Shaft<S> for InPlane<S, A> {
    /// The direction across the arm is cos θ e₂ − sin θ e₁.
    #[inline(always)]
    fn drive(&self, into: &mut impl Sink<S>) {
        let (cos, sin) = self.components();
        let across = minus(scaled(self.quarter.map(S::from), cos), scaled(self.zero.map(S::from), sin));
        self.swinging.twist(across, into);
    }

    /// The angle in [−π, π]. It jumps at half a turn; a simulated encoder counts the turns.
    #[inline(always)]
    fn reading(&self) -> S {
        let (cos, sin) = self.components();
        sin.atan2(cos)
    }
}

impl<S: Real, A: Place<S, 3>> Turns<S> for InPlane<S, A> {
    #[inline(always)]
    fn axis(&self) -> [S::Base; 3] {
        self.axis
    }
}

impl<S: Real, A: Place<S, 3>> Output<S> for InPlane<S, A> {
    #[inline(always)]
    fn output(&self, into: &mut impl Push<S>) {
        into.push(self.reading());
    }
}

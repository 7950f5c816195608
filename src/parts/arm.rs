//! Arms that turn about a pivot, with their angle as the coordinate.
//!
//! The end of an arm is p = o + r with r = l (cos θ e₁ + sin θ e₂). In the plane e₁ and e₂ are the axes. In space they are perpendicular
//! to the axis of rotation. So J is ∂r/∂θ = l (cos θ e₂ − sin θ e₁), and J' v is −θ'² r.

use super::elbow::Turns;
use super::error::{Problem, not_negative, positive, unit};
use super::gear::Angle;
use super::guide::OneCoordinate;
use super::list::{Described, Element, Output, Part, Pose, Push, Shaft};
use super::place::{Load, Place, Sink, Symmetric, cross, dot, for_axes, plus, scaled};
use super::rod::{rod_energy, rod_force, rod_mass};
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A uniform arm in the plane that turns about a pivot.
///
/// Its angle is counted from the x axis towards y, also if the pivot moves. So a motor on it is held by the ground, as with a belt. An
/// [`Elbow`](super::Elbow) is a motor that is mounted on another arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneArm<T> {
    /// Its length.
    pub length: T,
    /// Its mass.
    pub mass: T,
}

/// A uniform arm in space that turns about a pivot. `zero` and `quarter` do not turn with the pivot; see [`PlaneArm`] for its motor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceArm<T> {
    /// Its direction at the angle zero: a unit vector.
    pub zero: [T; 3],
    /// Its direction at 90°: a unit vector, perpendicular to the first. The axis of the arm is perpendicular to both.
    pub quarter: [T; 3],
    /// Its length.
    pub length: T,
    /// Its mass.
    pub mass: T,
}

/// An [arm](PlaneArm) in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Turning<S: Real, A, const D: usize> {
    at: usize,
    angle: S,
    pivot: A,
    /// r: from the pivot to the end.
    reach: [S; D],
    /// ∂r/∂θ.
    tangent: [S; D],
    axis: [S::Base; 3],
    length: S::Base,
    load: Load<S::Base>,
    mass: S::Base,
}

impl<S: Real<Base = T>, T: Float, A: Place<S, 2>> Part<S, (A,)> for PlaneArm<T> {
    type Placed = Turning<S, A, 2>;
    type Near = T;

    #[inline(always)]
    fn guess(&self, near: Option<T>, _on: (A,), q: &mut [T]) {
        q[0] = near.unwrap_or(T::ZERO);
    }

    #[inline(always)]
    fn place<const N: usize>(&self, (pivot,): (A,), pose: &Pose<'_, S, N>, slot: Slot) -> Turning<S, A, 2> {
        let (at, (sin, cos)) = (slot.coordinate, pose.sines[slot.coordinate]);
        let (x, y) = (cos * self.length, sin * self.length);
        let (reach, tangent) = ([x, y], [-y, x]);
        let (angle, load) = (pose.q[at], pose.loads[at]);
        let axis = [T::ZERO, T::ZERO, T::from_f64(1.0)];
        Turning { at, angle, pivot, reach, tangent, axis, length: self.length, load, mass: self.mass }
    }
}

impl<S: Real<Base = T>, T: Float, A: Place<S, 3>> Part<S, (A,)> for SpaceArm<T> {
    type Placed = Turning<S, A, 3>;
    type Near = T;

    #[inline(always)]
    fn guess(&self, near: Option<T>, _on: (A,), q: &mut [T]) {
        q[0] = near.unwrap_or(T::ZERO);
    }

    #[inline(always)]
    fn place<const N: usize>(&self, (pivot,): (A,), pose: &Pose<'_, S, N>, slot: Slot) -> Turning<S, A, 3> {
        let (at, (sin, cos)) = (slot.coordinate, pose.sines[slot.coordinate]);
        let (x, y) = (cos * self.length, sin * self.length);
        let (mut reach, mut tangent) = ([S::zero(); 3], [S::zero(); 3]);
        for_axes!(AXIS < 3 => {
            reach[AXIS] = x * self.zero[AXIS] + y * self.quarter[AXIS];
            tangent[AXIS] = x * self.quarter[AXIS] - y * self.zero[AXIS];
        });
        let (angle, load) = (pose.q[at], pose.loads[at]);
        let axis = cross(self.zero, self.quarter);
        Turning { at, angle, pivot, reach, tangent, axis, length: self.length, load, mass: self.mass }
    }
}

impl<T: Float> Described<T> for SpaceArm<T> {
    const KIND: Kind = PlaneArm::<T>::KIND;

    fn check(&self) -> Result<(), Problem<T>> {
        unit("zero", self.zero)?;
        unit("quarter", self.quarter)?;
        let cosine = dot(self.zero, self.quarter);
        // As many digits as a unit vector has: see `unit`.
        if !(cosine.abs() <= T::from_f64(2e-6)) {
            return Err(Problem::Perpendicular { cosine });
        }
        positive("length", self.length)?;
        not_negative("mass", self.mass)
    }
}

impl<T: Float> Described<T> for PlaneArm<T> {
    const KIND: Kind = Kind { coordinates: 1, outputs: 1, angle: true, follows: true, couples: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        positive("length", self.length)?;
        not_negative("mass", self.mass)
    }
}

impl<S: Real, A: Place<S, D>, const D: usize> Place<S, D> for Turning<S, A, D> {
    const CURVED: bool = true;
    const LUMPS: bool = A::FIXED;

    #[inline(always)]
    fn position(&self) -> [S; D] {
        plus(self.reach, self.pivot.position())
    }

    #[inline(always)]
    fn row(&self, axis: usize, x: S, into: &mut impl Sink<S>) {
        into.add(self.at, self.tangent[axis] * x);
        self.pivot.row(axis, x, into);
    }

    /// −θ'² r.
    #[inline(always)]
    fn curvature(&self, v: &[S]) -> [S; D] {
        let rate = v[self.at];
        let own = scaled(self.reach, -(rate * rate));
        if A::CURVED { plus(own, self.pivot.curvature(v)) } else { own }
    }

    #[inline(always)]
    fn lump(&self, load: Load<S::Base>, loads: &mut [Load<S::Base>]) {
        loads[self.at].add(load, self.length * self.length);
    }
}

impl<S: Real, A: Place<S, D>, const D: usize> Element<S, D> for Turning<S, A, D> {
    #[inline(always)]
    fn mass(&self, matrix: &mut impl Symmetric<S>) {
        if A::FIXED {
            matrix.diagonal(self.at, S::from(self.load.mass));
        } else {
            rod_mass((&self.pivot, self), self.mass, matrix);
        }
    }

    #[inline(always)]
    fn force(&self, gravity: S::Base, v: &[S], into: &mut impl Sink<S>) {
        if A::FIXED {
            into.add(self.at, self.tangent[D - 1] * -(self.load.weight * gravity));
        } else {
            rod_force((&self.pivot, self), self.mass, gravity, v, into);
        }
    }

    #[inline(always)]
    fn potential_energy(&self, gravity: S::Base) -> S {
        if A::FIXED {
            let half = self.mass * gravity * S::Base::from_f64(0.5);
            self.position()[D - 1] * (self.load.weight * gravity) + self.pivot.position()[D - 1] * half
        } else {
            rod_energy((&self.pivot, self), self.mass, gravity)
        }
    }

    #[inline(always)]
    fn lump(&self, loads: &mut [Load<S::Base>]) {
        if A::FIXED {
            Place::lump(self, Load::end_of_rod(self.mass), loads);
        } else if A::LUMPS {
            self.pivot.lump(Load::end_of_rod(self.mass), loads);
        }
    }

    fn shape(&self) -> Shape<S, D> {
        Shape::Line(self.pivot.position(), self.position())
    }
}

impl<S: Real, A, const D: usize> Shaft<S> for Turning<S, A, D> {
    #[inline(always)]
    fn drive(&self, into: &mut impl Sink<S>) {
        into.add(self.at, S::one());
    }

    #[inline(always)]
    fn reading(&self) -> S {
        self.angle
    }
}

impl<S: Real, A: Copy, const D: usize> Turns<S> for Turning<S, A, D> {
    #[inline(always)]
    fn axis(&self) -> [S::Base; 3] {
        self.axis
    }
}

impl<S: Real, A: Copy, const D: usize> Angle<S> for Turning<S, A, D> {
    #[inline(always)]
    fn angle(&self) -> (usize, S) {
        (self.at, self.angle)
    }
}

impl<S: Real, A: Copy, const D: usize> OneCoordinate<S> for Turning<S, A, D> {
    #[inline(always)]
    fn coordinate(&self) -> (usize, S) {
        (self.at, self.angle)
    }
}

impl<S: Real, A, const D: usize> Output<S> for Turning<S, A, D> {
    #[inline(always)]
    fn output(&self, into: &mut impl Push<S>) {
        into.push(self.angle);
    }
}

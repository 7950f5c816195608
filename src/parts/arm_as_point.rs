//! Arms with the position of their end as coordinates, instead of the angle.
//!
//! The end is a free point at a constant distance from the pivot. There are no sines, and the mass is constant: for simulation with
//! RATTLE.

use super::elbow::Turns;
use super::error::{Problem, not_negative, positive};
use super::list::{Described, Element, Output, Part, Pose, Push, Shaft};
use super::place::{Load, Place, Rows, Sink, Symmetric, minus, pull, scaled};
use super::point::Free;
use super::rod::{Distance, rod_energy, rod_force, rod_mass};
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A [`PlaneArm`](super::PlaneArm) with the position of its end as coordinates. Its angle is counted in the same way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneArmAsPoint<T> {
    /// Its length.
    pub length: T,
    /// Its mass.
    pub mass: T,
}

/// A [`PlaneArmAsPoint`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Swinging<S: Real, A, const D: usize> {
    pub(super) distance: Distance<S, A, Free<S, D>, D>,
    mass: S::Base,
}

impl<S: Real, A: Place<S, D>, const D: usize> Swinging<S, A, D> {
    /// An arm whose end has the coordinates of a slot.
    #[inline(always)]
    pub(super) fn at<const N: usize>(
        pivot: A,
        pose: &Pose<'_, S, N>,
        slot: Slot,
        (length, mass): (S::Base, S::Base),
    ) -> Self {
        Self { distance: Distance::between(pivot, Free::at(pose, slot, S::Base::ZERO), length), mass }
    }

    /// A unit torque about the pivot: a force of 1/l at the end, across the arm, and the opposite one at the pivot. `across` has the length
    /// of the arm.
    #[inline(always)]
    pub(super) fn twist(&self, across: [S; D], into: &mut impl Sink<S>) {
        let Distance { a, b, length, .. } = self.distance;
        let inverse = S::Base::from_f64(1.0) / (length * length);
        let force = scaled(across, S::from(inverse));
        pull(&b, force, into);
        pull(&a, minus([S::zero(); D], force), into);
    }
}

impl<S: Real<Base = T>, T: Float, A: Place<S, 2>> Part<S, (A,)> for PlaneArmAsPoint<T> {
    type Placed = Swinging<S, A, 2>;
    type Near = T;

    #[inline(always)]
    fn guess(&self, near: Option<T>, (pivot,): (A,), q: &mut [T]) {
        let (sin, cos) = near.unwrap_or(T::ZERO).sin_cos();
        let [x, y] = pivot.position();
        (q[0], q[1]) = (x.value() + cos * self.length, y.value() + sin * self.length);
    }

    #[inline(always)]
    fn place<const N: usize>(&self, (pivot,): (A,), pose: &Pose<'_, S, N>, slot: Slot) -> Swinging<S, A, 2> {
        Swinging::at(pivot, pose, slot, (self.length, self.mass))
    }
}

impl<T: Float> Described<T> for PlaneArmAsPoint<T> {
    const KIND: Kind =
        Kind { coordinates: 2, constraints: 1, outputs: 1, by_axis: true, couples: true, wraps: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        positive("length", self.length)?;
        not_negative("mass", self.mass)
    }
}

impl<S: Real, A: Place<S, D>, const D: usize> Place<S, D> for Swinging<S, A, D> {
    const LUMPS: bool = true;

    #[inline(always)]
    fn position(&self) -> [S; D] {
        self.distance.b.position
    }

    #[inline(always)]
    fn row(&self, axis: usize, x: S, into: &mut impl Sink<S>) {
        self.distance.b.row(axis, x, into);
    }

    #[inline(always)]
    fn lump(&self, load: Load<S::Base>, loads: &mut [Load<S::Base>]) {
        Place::lump(&self.distance.b, load, loads);
    }
}

impl<S: Real, A: Place<S, D>, const D: usize> Element<S, D> for Swinging<S, A, D> {
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
        self.distance.b.mass(matrix);
        rod_mass((&self.distance.a, &self.distance.b), self.mass, matrix);
    }

    #[inline(always)]
    fn force(&self, gravity: S::Base, v: &[S], into: &mut impl Sink<S>) {
        self.distance.b.force(gravity, v, into);
        rod_force((&self.distance.a, &self.distance.b), self.mass, gravity, v, into);
    }

    #[inline(always)]
    fn potential_energy(&self, gravity: S::Base) -> S {
        self.distance.b.potential_energy(gravity) + rod_energy((&self.distance.a, &self.distance.b), self.mass, gravity)
    }

    #[inline(always)]
    fn lump(&self, loads: &mut [Load<S::Base>]) {
        if A::LUMPS {
            self.distance.a.lump(Load::end_of_rod(self.mass), loads);
        }
        Place::lump(&self.distance.b, Load::end_of_rod(self.mass), loads);
    }

    fn shape(&self) -> Shape<S, D> {
        self.distance.shape()
    }

    fn length(&self) -> Option<S::Base> {
        self.distance.length()
    }
}

impl<S: Real, A: Place<S, 2>> Shaft<S> for Swinging<S, A, 2> {
    #[inline(always)]
    fn drive(&self, into: &mut impl Sink<S>) {
        let [x, y] = self.distance.along;
        self.twist([-y, x], into);
    }

    /// The angle from the x axis, in [−π, π]. It jumps when the arm points along −x; a simulated encoder counts the turns.
    #[inline(always)]
    fn reading(&self) -> S {
        let [x, y] = self.distance.along;
        y.atan2(x)
    }
}

impl<S: Real, A: Place<S, 2>> Turns<S> for Swinging<S, A, 2> {
    #[inline(always)]
    fn axis(&self) -> [S::Base; 3] {
        [S::Base::ZERO, S::Base::ZERO, S::Base::from_f64(1.0)]
    }
}

impl<S: Real, A: Place<S, 2>> Output<S> for Swinging<S, A, 2> {
    #[inline(always)]
    fn output(&self, into: &mut impl Push<S>) {
        into.push(self.reading());
    }
}

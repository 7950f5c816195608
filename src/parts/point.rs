//! A point that moves freely.

use super::error::{Problem, not_negative};
use super::list::{Described, Element, Output, Part, Pose, Push};
use super::place::{Load, Place, Sink, Symmetric, for_axes, weight};
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A point that moves freely: a joint between rods, a load, a tool. Its coordinates are x and y, in space also z.
///
/// Its mass may be zero if the parts at it have mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point<T, const D: usize> {
    /// The mass at the point.
    pub mass: T,
}

/// A [`Point`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Free<S: Real, const D: usize> {
    pub(super) at: usize,
    pub(super) position: [S; D],
    pub(super) load: Load<S::Base>,
    pub(super) mass: S::Base,
}

impl<S: Real, const D: usize> Free<S, D> {
    /// The point whose coordinates begin at a slot.
    #[inline(always)]
    pub(super) fn at<const N: usize>(pose: &Pose<'_, S, N>, slot: Slot, mass: S::Base) -> Self {
        let mut position = [S::zero(); D];
        for_axes!(AXIS < D => { position[AXIS] = pose.q[slot.coordinate + AXIS]; });
        Self { at: slot.coordinate, position, load: pose.loads[slot.coordinate], mass }
    }
}

impl<S: Real<Base = T>, T: Float, const D: usize> Part<S, ()> for Point<T, D> {
    type Placed = Free<S, D>;
    type Near = [T; D];

    #[inline(always)]
    fn guess(&self, near: Option<[T; D]>, _on: (), q: &mut [T]) {
        q[..D].copy_from_slice(&near.unwrap_or([T::ZERO; D]));
    }

    #[inline(always)]
    fn place<const N: usize>(&self, _on: (), pose: &Pose<'_, S, N>, slot: Slot) -> Free<S, D> {
        Free::at(pose, slot, self.mass)
    }
}

impl<T: Float, const D: usize> Described<T> for Point<T, D> {
    const KIND: Kind = Kind { coordinates: D, outputs: D, by_axis: true, couples: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        not_negative("mass", self.mass)
    }
}

impl<S: Real, const D: usize> Place<S, D> for Free<S, D> {
    const LUMPS: bool = true;

    #[inline(always)]
    fn position(&self) -> [S; D] {
        self.position
    }

    #[inline(always)]
    fn row(&self, axis: usize, x: S, into: &mut impl Sink<S>) {
        into.add(self.at + axis, x);
    }

    #[inline(always)]
    fn lump(&self, load: Load<S::Base>, loads: &mut [Load<S::Base>]) {
        loads[self.at].add(load, S::Base::from_f64(1.0));
    }
}

impl<S: Real, const D: usize> Element<S, D> for Free<S, D> {
    #[inline(always)]
    fn mass(&self, matrix: &mut impl Symmetric<S>) {
        for_axes!(AXIS < D => { matrix.diagonal(self.at + AXIS, S::from(self.load.mass)); });
    }

    #[inline(always)]
    fn force(&self, gravity: S::Base, _v: &[S], into: &mut impl Sink<S>) {
        weight(self, self.load.weight * gravity, into);
    }

    #[inline(always)]
    fn potential_energy(&self, gravity: S::Base) -> S {
        self.position[D - 1] * (self.load.weight * gravity)
    }

    #[inline(always)]
    fn lump(&self, loads: &mut [Load<S::Base>]) {
        Place::lump(self, Load::point(self.mass), loads);
    }

    fn shape(&self) -> Shape<S, D> {
        Shape::Point(self.position)
    }
}

impl<S: Real, const D: usize> Output<S> for Free<S, D> {
    #[inline(always)]
    fn output(&self, into: &mut impl Push<S>) {
        for_axes!(AXIS < D => { into.push(self.position[AXIS]); });
    }
}

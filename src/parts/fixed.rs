//! A point of the ground.

use super::error::{Problem, finite};
use super::list::{Described, Element, Part, Pose};
use super::place::{Place, Sink};
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A point of the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fixed<T, const D: usize> {
    /// Where it is.
    pub at: [T; D],
}

/// A [`Fixed`] point in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Ground<S, const D: usize> {
    pub(super) at: [S; D],
}

impl<S: Real<Base = T>, T: Float, const D: usize> Part<S, ()> for Fixed<T, D> {
    type Placed = Ground<S, D>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, _on: (), _pose: &Pose<'_, S, N>, _slot: Slot) -> Ground<S, D> {
        Ground { at: self.at.map(S::from) }
    }
}

impl<T: Float, const D: usize> Described<T> for Fixed<T, D> {
    const KIND: Kind = Kind::NONE;

    fn check(&self) -> Result<(), Problem<T>> {
        self.at.into_iter().try_for_each(|x| finite("at", x))
    }
}

impl<S: Real, const D: usize> Place<S, D> for Ground<S, D> {
    const FIXED: bool = true;
    const LUMPS: bool = true;

    #[inline(always)]
    fn position(&self) -> [S; D] {
        self.at
    }

    #[inline(always)]
    fn row(&self, _axis: usize, _x: S, _into: &mut impl Sink<S>) {}
}

impl<S: Real, const D: usize> Element<S, D> for Ground<S, D> {
    fn shape(&self) -> Shape<S, D> {
        Shape::Ground(self.at)
    }
}

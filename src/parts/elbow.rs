//! A motor in the joint of two arms: mounted on the first, it turns the second.
//!
//! Its torque acts on the second arm, and the opposite one on the first. Its encoder reads the angle between them:
//!
//! ```text
//!     B = ∂φ/∂q,    φ = θ₂ − σ θ₁ − offset,    σ = n₁ · n₂ = ±1
//! ```
//!
//! where n are the axes that the arms turn about. σ is 1 in the plane.

use super::error::{Problem, finite};
use super::list::{Described, Element, Output, Part, Pose, Push, Shaft};
use super::place::{Sink, dot};
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A motor in the joint of two arms. It is mounted on the first arm and turns the second, and its encoder reads the angle between them.
///
/// Usually the second arm is on the end of the first. In space the axes of the two arms must be parallel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elbow<T, const D: usize> {
    /// The angle from the first arm to the second at which the encoder reads zero.
    pub offset: T,
}

/// A part that turns about an axis which does not move.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not turn about an axis",
    label = "an elbow is between two arms"
)]
pub trait Turns<S: Real>: Shaft<S> + Copy {
    /// The direction of the axis: a unit vector. In the plane it is (0, 0, 1).
    fn axis(&self) -> [S::Base; 3];
}

/// An [`Elbow`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Bent<S: Real, A, B> {
    first: A,
    second: B,
    offset: S::Base,
}

impl<S: Real<Base = T>, T: Float, A: Turns<S>, B: Turns<S>, const D: usize> Part<S, (A, B)> for Elbow<T, D> {
    type Placed = Bent<S, A, B>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (first, second): (A, B), _: &Pose<'_, S, N>, _: Slot) -> Bent<S, A, B> {
        Bent { first, second, offset: self.offset }
    }
}

impl<T: Float, const D: usize> Described<T> for Elbow<T, D> {
    const KIND: Kind = Kind { outputs: 1, between_shafts: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        finite("offset", self.offset)
    }
}

impl<S: Real, A: Turns<S>, B: Turns<S>> Bent<S, A, B> {
    /// Whether the axes have opposite directions.
    #[inline(always)]
    fn opposite(&self) -> bool {
        dot(self.first.axis(), self.second.axis()) < S::Base::ZERO
    }
}

impl<S: Real, A: Turns<S>, B: Turns<S>, const D: usize> Element<S, D> for Bent<S, A, B> {
    fn check(&self) -> Result<(), Problem<S::Base>> {
        let cosine = dot(self.first.axis(), self.second.axis());
        // The cosine of an angle of 1e-3: axes typed with few digits are accepted.
        let parallel = cosine.abs() >= S::Base::from_f64(1.0 - 5e-7);
        if parallel { Ok(()) } else { Err(Problem::NotParallel { cosine }) }
    }

    fn shape(&self) -> Shape<S, D> {
        Shape::None
    }
}

impl<S: Real, A: Turns<S>, B: Turns<S>> Shaft<S> for Bent<S, A, B> {
    #[inline(always)]
    fn drive(&self, into: &mut impl Sink<S>) {
        self.second.drive(into);
        if self.opposite() {
            self.first.drive(into);
        } else {
            self.first.drive(&mut Opposite(into));
        }
    }

    #[inline(always)]
    fn reading(&self) -> S {
        let (first, second) = (self.first.reading(), self.second.reading());
        (if self.opposite() { second + first } else { second - first }) - self.offset
    }
}

/// Adds the opposite of what it is given.
struct Opposite<'a, I>(&'a mut I);

impl<S: Real, I: Sink<S>> Sink<S> for Opposite<'_, I> {
    #[inline(always)]
    fn add(&mut self, coordinate: usize, x: S) {
        self.0.add(coordinate, -x);
    }
}

impl<S: Real, A: Turns<S>, B: Turns<S>> Output<S> for Bent<S, A, B> {
    #[inline(always)]
    fn output(&self, into: &mut impl Push<S>) {
        into.push(self.reading());
    }
}

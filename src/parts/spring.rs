//! Springs and dampers between two points.

use super::error::{Problem, apart, not_negative};
use super::list::{Described, Element, Part, Pose};
use super::place::{Place, Sink, dot, minus, pull, scaled, square, velocity};
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A spring between two points: it pulls with stiffness × (distance − length).
///
/// Unless the length is zero, the points must not meet: the direction is undefined there, and a step is refused because the force is NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring<T, const D: usize> {
    /// The length without force.
    pub length: T,
    /// The stiffness, in N/m.
    pub stiffness: T,
}

/// A damper between two points: it pulls with damping × the rate of their distance. The points must not meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damper<T, const D: usize> {
    /// The damping, in N s/m.
    pub damping: T,
}

/// A [`Spring`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Stretched<S: Real, A, B, const D: usize> {
    ends: (A, B),
    spring: Spring<S::Base, D>,
}

/// A [`Damper`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Damping<S: Real, A, B, const D: usize> {
    ends: (A, B),
    damping: S::Base,
}

impl<S: Real<Base = T>, T: Float, A: Place<S, D>, B: Place<S, D>, const D: usize> Part<S, (A, B)> for Spring<T, D> {
    type Placed = Stretched<S, A, B, D>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, ends: (A, B), _pose: &Pose<'_, S, N>, _slot: Slot) -> Stretched<S, A, B, D> {
        Stretched { ends, spring: *self }
    }
}

impl<S: Real<Base = T>, T: Float, A: Place<S, D>, B: Place<S, D>, const D: usize> Part<S, (A, B)> for Damper<T, D> {
    type Placed = Damping<S, A, B, D>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, ends: (A, B), _pose: &Pose<'_, S, N>, _slot: Slot) -> Damping<S, A, B, D> {
        Damping { ends, damping: self.damping }
    }
}

impl<T: Float, const D: usize> Described<T> for Spring<T, D> {
    const KIND: Kind = Kind::NONE;

    fn check(&self) -> Result<(), Problem<T>> {
        not_negative("length", self.length)?;
        not_negative("stiffness", self.stiffness)
    }
}

impl<T: Float, const D: usize> Described<T> for Damper<T, D> {
    const KIND: Kind = Kind { damps: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        not_negative("damping", self.damping)
    }
}

impl<S: Real, A: Place<S, D>, B: Place<S, D>, const D: usize> Element<S, D> for Stretched<S, A, B, D> {
    fn check(&self) -> Result<(), Problem<S::Base>> {
        if self.spring.length == S::Base::ZERO {
            return Ok(());
        }
        apart(minus(self.ends.1.position(), self.ends.0.position()))
    }

    /// k (1 − l₀/l) d on a, the opposite on b.
    #[inline(always)]
    fn force(&self, _gravity: S::Base, _v: &[S], into: &mut impl Sink<S>) {
        let along = minus(self.ends.1.position(), self.ends.0.position());
        // Without a length at rest the force is k d, also where the points meet.
        let tension = if self.spring.length == S::Base::ZERO {
            S::from(self.spring.stiffness)
        } else {
            let distance = square(along).sqrt();
            (distance - self.spring.length) * self.spring.stiffness / distance
        };
        pull(&self.ends.0, scaled(along, tension), into);
        pull(&self.ends.1, scaled(along, -tension), into);
    }

    fn potential_energy(&self, _gravity: S::Base) -> S {
        let stretch = square(minus(self.ends.1.position(), self.ends.0.position())).sqrt() - self.spring.length;
        stretch * stretch * (self.spring.stiffness * S::Base::from_f64(0.5))
    }

    fn shape(&self) -> Shape<S, D> {
        Shape::Spring(self.ends.0.position(), self.ends.1.position())
    }
}

impl<S: Real, A: Place<S, D>, B: Place<S, D>, const D: usize> Element<S, D> for Damping<S, A, B, D> {
    fn check(&self) -> Result<(), Problem<S::Base>> {
        apart(minus(self.ends.1.position(), self.ends.0.position()))
    }

    /// c (d · d')/l² d on a, the opposite on b.
    #[inline(always)]
    fn force(&self, _gravity: S::Base, v: &[S], into: &mut impl Sink<S>) {
        let (a, b) = &self.ends;
        let along = minus(b.position(), a.position());
        let rate = dot(along, minus(velocity(b, v), velocity(a, v)));
        let tension = rate * self.damping / square(along);
        pull(a, scaled(along, tension), into);
        pull(b, scaled(along, -tension), into);
    }

    fn shape(&self) -> Shape<S, D> {
        Shape::Spring(self.ends.0.position(), self.ends.1.position())
    }
}

//! Ropes of constant length that run from one point over a second to a third.
//!
//! 0 = l₁ + l₂ − l with lᵢ = |dᵢ|. The gradient of a length is the unit vector u = d/|d|, and l'' = u · d'' + (|d'|² − (u · d')²)/l.

use super::error::{Problem, positive};
use super::list::{Described, Element, Part, Pose};
use super::place::{Place, Row, Rows, dot, minus, pull, scaled, square, velocity};
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A rope from the first point over the second, a small pulley, to the third.
///
/// The constraint holds in both directions: a rope that goes slack would push. Controllers and simulated machines refuse that; a plain step
/// does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rope<T, const D: usize> {
    /// Its length.
    pub length: T,
}

/// A [`Rope`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Reeved<S: Real, A, B, C, const D: usize> {
    ends: (A, C),
    pulley: B,
    /// From the pulley to each end: the unit vector and the length.
    sides: [([S; D], S); 2],
    length: S::Base,
}

impl<S, T, A, B, C, const D: usize> Part<S, (A, B, C)> for Rope<T, D>
where
    S: Real<Base = T>,
    T: Float,
    A: Place<S, D>,
    B: Place<S, D>,
    C: Place<S, D>,
{
    type Placed = Reeved<S, A, B, C, D>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (a, pulley, c): (A, B, C), _: &Pose<'_, S, N>, _: Slot) -> Reeved<S, A, B, C, D> {
        let side = |end: [S; D]| {
            let along = minus(end, pulley.position());
            let length = square(along).sqrt();
            (scaled(along, S::one() / length), length)
        };
        Reeved { ends: (a, c), pulley, sides: [side(a.position()), side(c.position())], length: self.length }
    }
}

impl<T: Float, const D: usize> Described<T> for Rope<T, D> {
    const KIND: Kind = Kind { constraints: 1, pulls: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        positive("length", self.length)
    }
}

/// u · (J_end' v − J_pulley' v) + (|d'|² − (u · d')²)/l.
#[inline(always)]
fn length_terms<S: Real, const D: usize, A: Place<S, D>, B: Place<S, D>>(
    (end, pulley): (&A, &B),
    (unit, length): ([S; D], S),
    v: &[S],
) -> S {
    let rate = minus(velocity(end, v), velocity(pulley, v));
    let mut terms = (square(rate) - dot(unit, rate).square()) / length;
    if A::CURVED {
        terms += dot(unit, end.curvature(v));
    }
    if B::CURVED {
        terms -= dot(unit, pulley.curvature(v));
    }
    terms
}

impl<S, A, B, C, const D: usize> Element<S, D> for Reeved<S, A, B, C, D>
where
    S: Real,
    A: Place<S, D>,
    B: Place<S, D>,
    C: Place<S, D>,
{
    #[inline(always)]
    fn constraint(&self, rows: &mut [S]) {
        rows[0] = self.sides[0].1 + self.sides[1].1 - self.length;
    }

    #[inline(always)]
    fn gradient(&self, rows: &mut impl Rows<S>) {
        let [(first, _), (second, _)] = self.sides;
        pull(&self.ends.0, first, &mut Row::of(rows, 0));
        pull(&self.ends.1, second, &mut Row::of(rows, 0));
        pull(&self.pulley, minus(first.map(|x| -x), second), &mut Row::of(rows, 0));
    }

    #[inline(always)]
    fn acceleration_terms(&self, v: &[S], rows: &mut [S]) {
        rows[0] = length_terms((&self.ends.0, &self.pulley), self.sides[0], v)
            + length_terms((&self.ends.1, &self.pulley), self.sides[1], v);
    }

    fn shape(&self) -> Shape<S, D> {
        Shape::Rope([self.ends.0.position(), self.pulley.position(), self.ends.1.position()])
    }
}

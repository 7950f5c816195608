//! Joints between bodies that do not turn against each other: prismatic joints and welds.
//!
//! Two frames stay parallel if e₁·f₂ = e₂·f₃ = e₃·f₁ = 0, where e are the axes of the first and f those of the second. These are 0 also where the
//! frames are turned by 180° about an axis, so the guess decides: it must be nearer to parallel.

use super::error::{Problem, unit};
use super::frame::Frame;
use super::list::{Described, Element, Output, Part, Pose, Push, Shaft};
use super::place::{Place, Row, Rows, Sink};
use super::relation::{Difference, perpendicular, perpendiculars, together};
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A prismatic joint between two points of bodies, or between a fixed point and a point of a body: the second point slides along a line
/// through the first that turns with the first body, and the frames stay parallel.
///
/// A motor pushes the second body along the axis and reacts on the first. An encoder reads the displacement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prismatic<T> {
    /// The axis in the frame of the first body: a unit vector.
    pub axis: [T; 3],
}

/// Holds two points of bodies together, and the frames of the bodies parallel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weld<T> {
    /// From the first point to the second, in the frame of the first: zero for a weld.
    pub offset: [T; 3],
}

/// The axes of two bodies stay parallel: three rows.
#[derive(Clone, Copy, Debug)]
struct Parallel<A, B> {
    first: [A; 3],
    second: [B; 3],
}

/// A [`Prismatic`] joint in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Guided<F, G, A, B> {
    parallel: Parallel<A, B>,
    gap: Difference<F, G>,
    axis: A,
    across: [A; 2],
}

/// A [`Weld`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Welded<F, G, A, B> {
    parallel: Parallel<A, B>,
    gap: Difference<A, Difference<F, G>>,
}

impl<A, B> Parallel<A, B> {
    #[inline(always)]
    fn between<S: Real>(a: &impl Frame<S, Direction = A>, b: &impl Frame<S, Direction = B>) -> Self {
        let (zero, one) = (S::Base::ZERO, S::Base::from_f64(1.0));
        let unit = [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
        Self {
            first: [a.direction(unit[0]), a.direction(unit[1]), a.direction(unit[2])],
            second: [b.direction(unit[1]), b.direction(unit[2]), b.direction(unit[0])],
        }
    }

    #[inline(always)]
    fn constraint<S: Real>(&self, rows: &mut [S])
    where
        A: Place<S, 3>,
        B: Place<S, 3>,
    {
        rows[0] = perpendicular::constraint(&self.first[0], &self.second[0]);
        rows[1] = perpendicular::constraint(&self.first[1], &self.second[1]);
        rows[2] = perpendicular::constraint(&self.first[2], &self.second[2]);
    }

    /// In the rows from one on.
    #[inline(always)]
    fn gradient<S: Real>(&self, from: usize, rows: &mut impl Rows<S>)
    where
        A: Place<S, 3>,
        B: Place<S, 3>,
    {
        perpendicular::gradient(&self.first[0], &self.second[0], &mut Row::of(rows, from));
        perpendicular::gradient(&self.first[1], &self.second[1], &mut Row::of(rows, from + 1));
        perpendicular::gradient(&self.first[2], &self.second[2], &mut Row::of(rows, from + 2));
    }

    #[inline(always)]
    fn acceleration_terms<S: Real>(&self, v: &[S], rows: &mut [S])
    where
        A: Place<S, 3>,
        B: Place<S, 3>,
    {
        rows[0] = perpendicular::acceleration_terms(&self.first[0], &self.second[0], v);
        rows[1] = perpendicular::acceleration_terms(&self.first[1], &self.second[1], v);
        rows[2] = perpendicular::acceleration_terms(&self.first[2], &self.second[2], v);
    }
}

impl<S: Real<Base = T>, T: Float, A: Frame<S>, B: Frame<S>> Part<S, (A, B)> for Prismatic<T> {
    type Placed = Guided<A, B, A::Direction, B::Direction>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (a, b): (A, B), _: &Pose<'_, S, N>, _: Slot) -> Self::Placed {
        let (p, q) = perpendiculars(self.axis);
        let (axis, across) = (a.direction(self.axis), [a.direction(p), a.direction(q)]);
        Guided { parallel: Parallel::between(&a, &b), gap: Difference { a, b }, axis, across }
    }
}

impl<S: Real<Base = T>, T: Float, A: Frame<S>, B: Frame<S>> Part<S, (A, B)> for Weld<T> {
    type Placed = Welded<A, B, A::Direction, B::Direction>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (a, b): (A, B), _: &Pose<'_, S, N>, _: Slot) -> Self::Placed {
        let gap = Difference { a: a.direction(self.offset), b: Difference { a, b } };
        Welded { parallel: Parallel::between(&a, &b), gap }
    }
}

impl<T: Float> Described<T> for Prismatic<T> {
    const KIND: Kind = Kind { constraints: 5, outputs: 1, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        unit("axis", self.axis)
    }
}

impl<T: Float> Described<T> for Weld<T> {
    const KIND: Kind = Kind { constraints: 6, rows_by_axis: 3, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        self.offset.into_iter().try_for_each(|x| super::error::finite("offset", x))
    }
}

impl<S, F, G, A, B> Element<S, 3> for Guided<F, G, A, B>
where
    S: Real,
    F: Place<S, 3>,
    G: Place<S, 3>,
    A: Place<S, 3>,
    B: Place<S, 3>,
{
    #[inline(always)]
    fn constraint(&self, rows: &mut [S]) {
        rows[0] = perpendicular::constraint(&self.across[0], &self.gap);
        rows[1] = perpendicular::constraint(&self.across[1], &self.gap);
        self.parallel.constraint(&mut rows[2..]);
    }

    #[inline(always)]
    fn gradient(&self, rows: &mut impl Rows<S>) {
        perpendicular::gradient(&self.across[0], &self.gap, &mut Row::of(rows, 0));
        perpendicular::gradient(&self.across[1], &self.gap, &mut Row::of(rows, 1));
        self.parallel.gradient(2, rows);
    }

    #[inline(always)]
    fn acceleration_terms(&self, v: &[S], rows: &mut [S]) {
        rows[0] = perpendicular::acceleration_terms(&self.across[0], &self.gap, v);
        rows[1] = perpendicular::acceleration_terms(&self.across[1], &self.gap, v);
        self.parallel.acceleration_terms(v, &mut rows[2..]);
    }

    fn shape(&self) -> Shape<S, 3> {
        Shape::Slider(self.gap.b.position(), self.axis.position())
    }
}

impl<S, F, G, A, B> Element<S, 3> for Welded<F, G, A, B>
where
    S: Real,
    F: Place<S, 3>,
    G: Place<S, 3>,
    A: Place<S, 3>,
    B: Place<S, 3>,
{
    #[inline(always)]
    fn constraint(&self, rows: &mut [S]) {
        together::constraint(&self.gap, rows);
        self.parallel.constraint(&mut rows[3..]);
    }

    #[inline(always)]
    fn gradient(&self, rows: &mut impl Rows<S>) {
        together::gradient(&self.gap, rows);
        self.parallel.gradient(3, rows);
    }

    #[inline(always)]
    fn acceleration_terms(&self, v: &[S], rows: &mut [S]) {
        together::acceleration_terms(&self.gap, v, rows);
        self.parallel.acceleration_terms(v, &mut rows[3..]);
    }

    fn shape(&self) -> Shape<S, 3> {
        Shape::Line(self.gap.b.a.position(), self.gap.b.b.position())
    }
}

impl<S, F, G, A, B> Shaft<S> for Guided<F, G, A, B>
where
    S: Real,
    F: Place<S, 3>,
    G: Place<S, 3>,
    A: Place<S, 3>,
{
    /// The gradient of the displacement.
    #[inline(always)]
    fn drive(&self, into: &mut impl Sink<S>) {
        perpendicular::gradient(&self.axis, &self.gap, into);
    }

    #[inline(always)]
    fn reading(&self) -> S {
        perpendicular::constraint(&self.axis, &self.gap)
    }
}

impl<S, F, G, A, B> Output<S> for Guided<F, G, A, B>
where
    S: Real,
    F: Place<S, 3>,
    G: Place<S, 3>,
    A: Place<S, 3>,
{
    #[inline(always)]
    fn output(&self, into: &mut impl Push<S>) {
        into.push(self.reading());
    }
}

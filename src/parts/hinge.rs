//! Hinges between bodies in space.
//!
//! A hinge keeps a direction of two bodies the same: its axis n. With two directions p and q of the first body that are perpendicular to the
//! axis, 0 = p·n and 0 = q·n, where n turns with the second body. Its angle is that from p of the first body to p of the second body,
//! atan2(p₂·q, p₂·p).

use super::error::{Problem, unit};
use super::frame::Frame;
use super::list::{Described, Element, Output, Part, Pose, Push, Shaft};
use super::place::{Place, Row, Rows, Sink};
use super::relation::{Difference, perpendicular, perpendiculars, together};
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A hinge between two points of bodies, or between a fixed point and a point of a body: the points stay together, and the second body
/// turns about the axis.
///
/// The axis has the same components in both frames: **at the angle zero, the frames are parallel**. The angle grows as the second body
/// turns about the axis by the right-hand rule, seen from the first. A motor turns the second body and reacts on the first. An encoder
/// reads the angle in [−π, π]; that of a simulated machine counts the turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge<T> {
    /// The axis in the frames of both: a unit vector.
    pub axis: [T; 3],
}

/// A [`Hinge`] without its point: it keeps the axis of two bodies parallel. For two bodies that share a point already, such as
/// [`Top`](super::Top)s on the same point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aligned<T> {
    /// The axis in the frames of both: a unit vector.
    pub axis: [T; 3],
}

/// An [`Aligned`] axis in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Axle<A, B> {
    /// Perpendicular to the axis, in the first body: the angles 0 and 90°.
    zero: A,
    quarter: A,
    /// The axis and the direction at the angle zero, in the second body.
    axis: B,
    pointer: B,
}

/// A [`Hinge`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Hinged<F, G, A, B> {
    gap: Difference<F, G>,
    axle: Axle<A, B>,
}

impl<T: Float> Aligned<T> {
    #[inline(always)]
    fn axle<S: Real<Base = T>, A: Frame<S>, B: Frame<S>>(&self, a: &A, b: &B) -> Axle<A::Direction, B::Direction> {
        let (p, q) = perpendiculars(self.axis);
        Axle { zero: a.direction(p), quarter: a.direction(q), axis: b.direction(self.axis), pointer: b.direction(p) }
    }
}

impl<S: Real<Base = T>, T: Float, A: Frame<S>, B: Frame<S>> Part<S, (A, B)> for Aligned<T> {
    type Placed = Axle<A::Direction, B::Direction>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (a, b): (A, B), _: &Pose<'_, S, N>, _: Slot) -> Self::Placed {
        self.axle(&a, &b)
    }
}

impl<S: Real<Base = T>, T: Float, A: Frame<S>, B: Frame<S>> Part<S, (A, B)> for Hinge<T> {
    type Placed = Hinged<A, B, A::Direction, B::Direction>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (a, b): (A, B), _: &Pose<'_, S, N>, _: Slot) -> Self::Placed {
        Hinged { gap: Difference { a, b }, axle: Aligned { axis: self.axis }.axle(&a, &b) }
    }
}

impl<T: Float> Described<T> for Aligned<T> {
    const KIND: Kind = Kind { constraints: 2, outputs: 1, wraps: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        unit("axis", self.axis)
    }
}

impl<T: Float> Described<T> for Hinge<T> {
    const KIND: Kind = Kind { constraints: 5, outputs: 1, rows_by_axis: 3, wraps: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        unit("axis", self.axis)
    }
}

impl<S: Real, A: Place<S, 3>, B: Place<S, 3>> Element<S, 3> for Axle<A, B> {
    #[inline(always)]
    fn constraint(&self, rows: &mut [S]) {
        rows[0] = perpendicular::constraint(&self.zero, &self.axis);
        rows[1] = perpendicular::constraint(&self.quarter, &self.axis);
    }

    #[inline(always)]
    fn gradient(&self, rows: &mut impl Rows<S>) {
        perpendicular::gradient(&self.zero, &self.axis, &mut Row::of(rows, 0));
        perpendicular::gradient(&self.quarter, &self.axis, &mut Row::of(rows, 1));
    }

    #[inline(always)]
    fn acceleration_terms(&self, v: &[S], rows: &mut [S]) {
        rows[0] = perpendicular::acceleration_terms(&self.zero, &self.axis, v);
        rows[1] = perpendicular::acceleration_terms(&self.quarter, &self.axis, v);
    }

    fn shape(&self) -> Shape<S, 3> {
        Shape::None
    }
}

impl<S, F, G, A, B> Element<S, 3> for Hinged<F, G, A, B>
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
        self.axle.constraint(&mut rows[3..]);
    }

    #[inline(always)]
    fn gradient(&self, rows: &mut impl Rows<S>) {
        together::gradient(&self.gap, rows);
        perpendicular::gradient(&self.axle.zero, &self.axle.axis, &mut Row::of(rows, 3));
        perpendicular::gradient(&self.axle.quarter, &self.axle.axis, &mut Row::of(rows, 4));
    }

    #[inline(always)]
    fn acceleration_terms(&self, v: &[S], rows: &mut [S]) {
        together::acceleration_terms(&self.gap, v, rows);
        self.axle.acceleration_terms(v, &mut rows[3..]);
    }

    fn shape(&self) -> Shape<S, 3> {
        Shape::Slider(self.gap.a.position(), self.axle.axis.position())
    }
}

impl<A, B> Axle<A, B> {
    /// Sine and cosine of the angle.
    #[inline(always)]
    fn sine_cosine<S: Real>(&self) -> (S, S)
    where
        A: Place<S, 3>,
        B: Place<S, 3>,
    {
        let sine = perpendicular::constraint(&self.quarter, &self.pointer);
        (sine, perpendicular::constraint(&self.zero, &self.pointer))
    }
}

impl<S: Real, A: Place<S, 3>, B: Place<S, 3>> Shaft<S> for Axle<A, B> {
    /// The gradient of the angle, (c ∂s − s ∂c)/(s² + c²): on both bodies. It does the work of the torque, and the constraints do none.
    #[inline(always)]
    fn drive(&self, into: &mut impl Sink<S>) {
        let (sine, cosine) = self.sine_cosine();
        let factor = S::one() / (sine * sine + cosine * cosine);
        perpendicular::gradient_times(&self.quarter, &self.pointer, cosine * factor, into);
        perpendicular::gradient_times(&self.zero, &self.pointer, -(sine * factor), into);
    }

    #[inline(always)]
    fn reading(&self) -> S {
        let (sine, cosine) = self.sine_cosine();
        sine.atan2(cosine)
    }
}

impl<S: Real, F, G, A: Place<S, 3>, B: Place<S, 3>> Shaft<S> for Hinged<F, G, A, B> {
    #[inline(always)]
    fn drive(&self, into: &mut impl Sink<S>) {
        self.axle.drive(into);
    }

    #[inline(always)]
    fn reading(&self) -> S {
        self.axle.reading()
    }
}

impl<S: Real, A: Place<S, 3>, B: Place<S, 3>> Output<S> for Axle<A, B> {
    #[inline(always)]
    fn output(&self, into: &mut impl Push<S>) {
        into.push(self.reading());
    }
}

impl<S: Real, F, G, A: Place<S, 3>, B: Place<S, 3>> Output<S> for Hinged<F, G, A, B> {
    #[inline(always)]
    fn output(&self, into: &mut impl Push<S>) {
        into.push(self.axle.reading());
    }
}

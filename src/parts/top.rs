//! Bodies that turn about a point.
//!
//! The origin o of the body is a point that is there already, so that only the unit vectors are coordinates: nine numbers with six
//! constraints, and no ball joint. With the centre of mass at c, the kinetic energy is m/2 |o'|² + m o'·c' + ½ Σ Jᵢ |eᵢ'|², where J is taken about
//! the point.

use super::error::{Problem, finite, positive};
use super::frame::{Axes, Direction, Frame};
use super::list::{Described, Element, Part, Pose};
use super::place::{Load, Place, Rows, Sink, Symmetric, couple, for_axes, plus, pull, scaled, weight};
use super::shape::Shape;
use super::solid::{check_inertia, second_moments};
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A rigid body in space that turns freely about a point, which is the origin of its frame: a top, a pendulum, a ring of a gimbal. The axes
/// of its frame are principal axes at that point.
///
/// Its guess is a quaternion `near [w, x, y, z]` that turns the axes of the ground to its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Top<T> {
    /// Its mass.
    pub mass: T,
    /// The centre of mass, in its frame.
    pub centre: [T; 3],
    /// The moments of inertia I₁₁, I₂₂, I₃₃ **about the point that it turns about**. Each is smaller than the sum of the other two.
    pub moments: [T; 3],
}

/// A [`Top`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Spinning<S: Real, O> {
    pub(super) origin: O,
    pub(super) axes: Axes<S>,
    /// From the origin to the centre of mass.
    centre: Direction<S>,
    mass: S::Base,
    moments: [S::Base; 3],
}

impl<S: Real<Base = T>, T: Float, O: Place<S, 3>> Part<S, (O,)> for Top<T> {
    type Placed = Spinning<S, O>;
    type Near = [T; 4];

    #[inline(always)]
    fn guess(&self, near: Option<[T; 4]>, _on: (O,), q: &mut [T]) {
        Axes::guess(near.unwrap_or([T::from_f64(1.0), T::ZERO, T::ZERO, T::ZERO]), q);
    }

    #[inline(always)]
    fn place<const N: usize>(&self, (origin,): (O,), pose: &Pose<'_, S, N>, slot: Slot) -> Spinning<S, O> {
        let axes = Axes::at(&pose.q, slot.coordinate);
        Spinning { origin, axes, centre: axes.direction(self.centre), mass: self.mass, moments: self.moments }
    }
}

impl<T: Float> Described<T> for Top<T> {
    const KIND: Kind = Kind {
        coordinates: 9,
        constraints: 6,
        by_axis: true,
        follows: true,
        couples: true,
        apart: true,
        rigid: true,
        ..Kind::NONE
    };

    fn check(&self) -> Result<(), Problem<T>> {
        positive("mass", self.mass)?;
        self.centre.into_iter().try_for_each(|x| finite("centre", x))?;
        check_inertia(self.moments, [T::ZERO; 3])?;
        // J − m c cᵀ is that about the centre of mass: it is positive definite if Σ m cᵢ²/Jᵢ < 1.
        let [x, y, z] = second_moments(self.moments);
        let [a, b, c] = self.centre.map(|c| c * c * self.mass);
        if a / x + b / y + c / z < T::from_f64(1.0) { Ok(()) } else { Err(Problem::Flat { moments: self.moments }) }
    }
}

impl<S: Real, O: Place<S, 3>> Place<S, 3> for Spinning<S, O> {
    const FIXED: bool = O::FIXED;
    const CURVED: bool = O::CURVED;
    const LUMPS: bool = O::LUMPS;

    #[inline(always)]
    fn position(&self) -> [S; 3] {
        self.origin.position()
    }

    #[inline(always)]
    fn row(&self, axis: usize, x: S, into: &mut impl Sink<S>) {
        self.origin.row(axis, x, into);
    }

    #[inline(always)]
    fn curvature(&self, v: &[S]) -> [S; 3] {
        self.origin.curvature(v)
    }

    #[inline(always)]
    fn lump(&self, load: Load<S::Base>, loads: &mut [Load<S::Base>]) {
        self.origin.lump(load, loads);
    }
}

impl<S: Real, O: Place<S, 3>> Frame<S> for Spinning<S, O> {
    type Direction = Direction<S>;

    #[inline(always)]
    fn direction(&self, along: [S::Base; 3]) -> Direction<S> {
        self.axes.direction(along)
    }
}

impl<S: Real, O: Place<S, 3>> Element<S, 3> for Spinning<S, O> {
    #[inline(always)]
    fn constraint(&self, rows: &mut [S]) {
        self.axes.constraint(rows);
    }

    #[inline(always)]
    fn gradient(&self, rows: &mut impl Rows<S>) {
        self.axes.gradient(rows);
    }

    #[inline(always)]
    fn acceleration_terms(&self, v: &[S], rows: &mut [S]) {
        self.axes.acceleration_terms(v, rows);
    }

    #[inline(always)]
    fn mass(&self, matrix: &mut impl Symmetric<S>) {
        let (at, [x, y, z]) = (self.axes.at, second_moments(self.moments).map(S::from));
        for_axes!(AXIS < 3 => {
            matrix.diagonal(at + AXIS, x);
            matrix.diagonal(at + 3 + AXIS, y);
            matrix.diagonal(at + 6 + AXIS, z);
        });
        couple(&self.origin, &self.centre, self.mass, matrix);
        if !O::LUMPS {
            couple(&self.origin, &self.origin, self.mass * S::Base::from_f64(0.5), matrix);
        }
    }

    #[inline(always)]
    fn force(&self, gravity: S::Base, v: &[S], into: &mut impl Sink<S>) {
        weight(&self.centre, self.mass * gravity, into);
        if !O::LUMPS {
            weight(&self.origin, self.mass * gravity, into);
        }
        if O::CURVED {
            let inertia = scaled(self.origin.curvature(v), S::from(-self.mass));
            pull(&self.centre, inertia, into);
            if !O::LUMPS {
                pull(&self.origin, inertia, into);
            }
        }
    }

    #[inline(always)]
    fn potential_energy(&self, gravity: S::Base) -> S {
        let mut height = self.centre.position()[2];
        if !O::LUMPS || O::FIXED {
            height += self.origin.position()[2];
        }
        height * (self.mass * gravity)
    }

    #[inline(always)]
    fn lump(&self, loads: &mut [Load<S::Base>]) {
        if O::LUMPS {
            self.origin.lump(Load::point(self.mass), loads);
        }
    }

    fn shape(&self) -> Shape<S, 3> {
        Shape::Line(self.position(), plus(self.position(), self.centre.position()))
    }
}

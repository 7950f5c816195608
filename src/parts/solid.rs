//! Rigid bodies in space.
//!
//! Coordinates are the centre of mass and three unit vectors e₁, e₂, e₃: twelve numbers with six constraints. The kinetic energy is
//! m/2 |o'|² + ½ Σ Jᵢⱼ eᵢ'·eⱼ' with J = ∫ x xᵀ dm, so the mass matrix is constant. J follows from the inertia tensor: J₁₁ = (I₂₂ + I₃₃ − I₁₁)/2
//! and J₁₂ = −I₁₂. It must be positive definite: a body without extent along one of its axes leaves that axis without mass.
//!
//! **Why unit vectors and not three angles.** A rotation vector about a base quaternion has three coordinates and no constraint of its own.
//! Its inertia is constant in the frame of the body, but then a gyroscopic force depends on the velocities, RATTLE must iterate for it in each
//! step, and the state must carry the base and renew it. With unit vectors the mass matrix is constant and no force depends on the
//! velocities: [RATTLE](crate::method::Rattle) steps bodies like points, without a trend of the energy. No equation has a sine, no pose of a
//! body is singular, and joints are products of vectors. Loops with more joints than they need are decided by the rank of the constraints: the
//! word `redundant`. The price is twelve coordinates and six constraints a body, whose zeros are known at compile time. A
//! [`Top`](super::Top) has nine coordinates.
//!
//! García de Jalón and Bayo, Kinematic and Dynamic Simulation of Multibody Systems (1994), section 4.2.

use super::error::{Problem, finite, positive};
use super::frame::{Axes, Direction, Frame, PointOf};
use super::list::{Described, Element, Output, Part, Pose, Push};
use super::macros::Given;
use super::place::{Place, Rows, Sink, Symmetric, for_axes, weight};
use super::point::Free;
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A rigid body in space whose principal axes are parallel to the axes of its frame.
///
/// As a point, it is the origin of its frame. More of its points are [`SpaceCorner`](super::SpaceCorner)s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceBody<T> {
    /// Its mass.
    pub mass: T,
    /// The centre of mass, in its frame.
    pub centre: [T; 3],
    /// The moments of inertia I₁₁, I₂₂, I₃₃ about the centre of mass. Each is smaller than the sum of the other two.
    pub moments: [T; 3],
}

/// A rigid body in space with any inertia. It costs more than a [`SpaceBody`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkewBody<T> {
    /// Its mass.
    pub mass: T,
    /// The centre of mass, in its frame.
    pub centre: [T; 3],
    /// The moments of inertia I₁₁, I₂₂, I₃₃ about the centre of mass, along the axes of its frame.
    pub moments: [T; 3],
    /// The entries I₁₂, I₁₃, I₂₃ of the inertia tensor about the centre of mass: I₁₂ = −∫ x y dm, as in URDF and MJCF.
    pub products: [T; 3],
}

/// A guess of the pose of a body. Write `near [x, y, z]` for the position of its frame, with axes parallel to those of the ground, and
/// `near ([x, y, z], [w, x, y, z])` for a frame that is turned by a quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearPose<T> {
    /// The origin of the frame.
    pub at: [T; 3],
    /// The rotation from the ground's axes to its own, as a quaternion of any length, with the scalar part first.
    pub quaternion: [T; 4],
}

impl<T: Float> Given<NearPose<T>> for [f64; 3] {
    fn given(self) -> NearPose<T> {
        (self, [1.0, 0.0, 0.0, 0.0]).given()
    }
}

impl<T: Float> Given<NearPose<T>> for ([f64; 3], [f64; 4]) {
    fn given(self) -> NearPose<T> {
        NearPose { at: self.0.given(), quaternion: self.1.given() }
    }
}

/// J of the moments and products of inertia: its diagonal, and J₁₂, J₁₃, J₂₃.
#[inline(always)]
pub(super) fn second_moments<T: Float>([a, b, c]: [T; 3]) -> [T; 3] {
    let half = T::from_f64(0.5);
    [(b + c - a) * half, (a + c - b) * half, (a + b - c) * half]
}

/// Refuses an inertia that no body has, or whose J is singular to working precision.
pub(super) fn check_inertia<T: Float>(moments: [T; 3], [xy, xz, yz]: [T; 3]) -> Result<(), Problem<T>> {
    moments.into_iter().try_for_each(|x| positive("moments", x))?;
    [xy, xz, yz].into_iter().try_for_each(|x| finite("products", x))?;
    let [x, y, z] = second_moments(moments);
    // Cholesky's pivots; the signs of J₁₂, J₁₃ and J₂₃ are the opposite. Below √ε of the largest moment, the axis has lost half of its digits.
    let smallest = (x + y + z) * T::ROOT_EPSILON;
    let second = y - xy * xy / x;
    let mixed = yz + xy * xz / x;
    let third = z - xz * xz / x - mixed * mixed / second;
    let valid = x > smallest && second > smallest && third > smallest;
    if valid { Ok(()) } else { Err(Problem::Flat { moments }) }
}

/// A [`SpaceBody`] or a [`SkewBody`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Solid<S: Real, const SKEW: bool> {
    pub(super) centre: Free<S, 3>,
    pub(super) axes: Axes<S>,
    /// The centre of mass in the frame.
    pub(super) offset: [S::Base; 3],
    /// The origin of its frame.
    origin: PointOf<S, Free<S, 3>>,
    moments: [S::Base; 3],
    products: [S::Base; 3],
}

impl<S: Real, const SKEW: bool> Solid<S, SKEW> {
    #[inline(always)]
    fn new<const N: usize>(body: &SkewBody<S::Base>, pose: &Pose<'_, S, N>, slot: Slot) -> Self {
        let centre = Free::at(pose, slot, body.mass);
        let axes = Axes::at(&pose.q, slot.coordinate + 3);
        let origin = axes.point(centre, body.centre.map(|x| -x));
        Self { centre, axes, offset: body.centre, origin, moments: body.moments, products: body.products }
    }
}

/// The guess of the coordinates of a body with this centre of mass.
fn guess<T: Float>(centre: [T; 3], near: Option<NearPose<T>>, q: &mut [T]) {
    let identity = [T::from_f64(1.0), T::ZERO, T::ZERO, T::ZERO];
    let NearPose { at, quaternion } = near.unwrap_or(NearPose { at: [T::ZERO; 3], quaternion: identity });
    Axes::guess(quaternion, &mut q[3..]);
    for axis in 0..3 {
        q[axis] = at[axis] + q[3 + axis] * centre[0] + q[6 + axis] * centre[1] + q[9 + axis] * centre[2];
    }
}

impl<S: Real<Base = T>, T: Float> Part<S, ()> for SpaceBody<T> {
    type Placed = Solid<S, false>;
    type Near = NearPose<T>;

    #[inline(always)]
    fn guess(&self, near: Option<NearPose<T>>, _on: (), q: &mut [T]) {
        guess(self.centre, near, q);
    }

    #[inline(always)]
    fn place<const N: usize>(&self, _on: (), pose: &Pose<'_, S, N>, slot: Slot) -> Solid<S, false> {
        let Self { mass, centre, moments } = *self;
        Solid::new(&SkewBody { mass, centre, moments, products: [T::ZERO; 3] }, pose, slot)
    }
}

impl<S: Real<Base = T>, T: Float> Part<S, ()> for SkewBody<T> {
    type Placed = Solid<S, true>;
    type Near = NearPose<T>;

    #[inline(always)]
    fn guess(&self, near: Option<NearPose<T>>, _on: (), q: &mut [T]) {
        guess(self.centre, near, q);
    }

    #[inline(always)]
    fn place<const N: usize>(&self, _on: (), pose: &Pose<'_, S, N>, slot: Slot) -> Solid<S, true> {
        Solid::new(self, pose, slot)
    }
}

impl<T: Float> Described<T> for SpaceBody<T> {
    const KIND: Kind = Kind { coordinates: 12, constraints: 6, outputs: 3, by_axis: true, rigid: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        let Self { mass, centre, moments } = *self;
        SkewBody { mass, centre, moments, products: [T::ZERO; 3] }.check()
    }
}

impl<T: Float> Described<T> for SkewBody<T> {
    const KIND: Kind = Kind { couples: true, ..SpaceBody::<T>::KIND };

    fn check(&self) -> Result<(), Problem<T>> {
        positive("mass", self.mass)?;
        self.centre.into_iter().try_for_each(|x| finite("centre", x))?;
        check_inertia(self.moments, self.products)
    }
}

impl<S: Real, const SKEW: bool> Place<S, 3> for Solid<S, SKEW> {
    const LUMPS: bool = false;

    #[inline(always)]
    fn position(&self) -> [S; 3] {
        self.origin.position()
    }

    #[inline(always)]
    fn row(&self, axis: usize, x: S, into: &mut impl Sink<S>) {
        self.origin.row(axis, x, into);
    }
}

impl<S: Real, const SKEW: bool> Frame<S> for Solid<S, SKEW> {
    type Direction = Direction<S>;

    #[inline(always)]
    fn direction(&self, along: [S::Base; 3]) -> Direction<S> {
        self.axes.direction(along)
    }
}

impl<S: Real, const SKEW: bool> Element<S, 3> for Solid<S, SKEW> {
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
        let [xy, xz, yz] = self.products.map(|x| S::from(-x));
        for_axes!(AXIS < 3 => {
            matrix.diagonal(self.centre.at + AXIS, S::from(self.centre.mass));
            matrix.diagonal(at + AXIS, x);
            matrix.diagonal(at + 3 + AXIS, y);
            matrix.diagonal(at + 6 + AXIS, z);
            if SKEW {
                matrix.pair(at + AXIS, at + 3 + AXIS, xy);
                matrix.pair(at + AXIS, at + 6 + AXIS, xz);
                matrix.pair(at + 3 + AXIS, at + 6 + AXIS, yz);
            }
        });
    }

    #[inline(always)]
    fn force(&self, gravity: S::Base, _v: &[S], into: &mut impl Sink<S>) {
        weight(&self.centre, self.centre.mass * gravity, into);
    }

    #[inline(always)]
    fn potential_energy(&self, gravity: S::Base) -> S {
        self.centre.position[2] * (self.centre.mass * gravity)
    }

    fn shape(&self) -> Shape<S, 3> {
        Shape::Line(self.position(), self.centre.position)
    }
}

impl<S: Real, const SKEW: bool> Output<S> for Solid<S, SKEW> {
    #[inline(always)]
    fn output(&self, into: &mut impl Push<S>) {
        for x in self.position() {
            into.push(x);
        }
    }
}

//! Points that move with the coordinates.
//!
//! A place has a position p(q), a velocity J v and an acceleration J v' + J' v. Everything that a part does to the points it is on follows
//! from these: a force f on the point acts on the coordinates as Jᵀ f, and a mass m there adds Jᵀ m J to the mass matrix.

use crate::scalar::{Float, Real};

/// Writes a block once for each axis: a loop would stay a loop at opt-level "s".
macro_rules! for_axes {
    ($axis:ident < $dimensions:tt => $body:block) => {
        $crate::parts::place::for_axes!(@ $axis $dimensions $body 0 1 2)
    };
    (@ $axis:ident $dimensions:tt $body:block $($n:literal)*) => {
        $(if const { $n < $dimensions } {
            const $axis: usize = $n;
            $body
        })*
    };
}

pub(super) use for_axes;

/// A point that moves with the coordinates.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a point",
    label = "parts are fixed to points: a `Fixed`, a `Point`, the end of an `Arm`, a `Slider` or a `Corner`"
)]
pub trait Place<S: Real, const D: usize>: Copy {
    /// Whether it never moves.
    const FIXED: bool = false;

    /// Whether J' v can differ from zero: the end of an arm that turns at a constant rate accelerates towards its pivot.
    const CURVED: bool = false;

    /// Whether a mass at this point adds a constant to the mass matrix. It is summed once, in [`lump`](Self::lump).
    const LUMPS: bool;

    /// p(q).
    fn position(&self) -> [S; D];

    /// A row of J times `x`: an entry for every coordinate that moves the point along an axis.
    fn row(&self, axis: usize, x: S, into: &mut impl Sink<S>);

    /// J' v. Called only if it is [curved](Self::CURVED).
    #[inline(always)]
    fn curvature(&self, _v: &[S]) -> [S; D] {
        [S::zero(); D]
    }

    /// Adds a mass at this point to the loads. Called only if it [can](Self::LUMPS).
    #[inline(always)]
    fn lump(&self, _load: Load<S::Base>, _loads: &mut [Load<S::Base>]) {}
}

/// What a place carries: sums over all parts at it, made once when a mechanism is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load<T> {
    /// The share of the masses that moves with the place: its entry on the diagonal of the mass matrix. For an arm, times its length squared.
    pub mass: T,
    /// The share of the masses whose weight acts at the place. A uniform rod has a third of its mass in `mass` and half of it here.
    pub weight: T,
}

impl<T: Float> Load<T> {
    /// No load.
    pub const NONE: Self = Self { mass: T::ZERO, weight: T::ZERO };

    /// A point of this mass.
    #[inline(always)]
    pub(super) fn point(mass: T) -> Self {
        Self { mass, weight: mass }
    }

    /// One end of a uniform rod.
    #[inline(always)]
    pub(super) fn end_of_rod(mass: T) -> Self {
        Self { mass: mass * T::from_f64(1.0 / 3.0), weight: mass * T::from_f64(0.5) }
    }

    /// Adds another one, with its mass times a factor.
    pub(super) fn add(&mut self, other: Self, factor: T) {
        self.mass += other.mass * factor;
        self.weight += other.weight;
    }
}

/// The start of a sum. The compiler drops −0 + x, but must keep 0 + x, which changes the sign of −0.
#[inline(always)]
pub(super) fn nothing<S: Real>() -> S {
    S::constant(-0.0)
}

/// J v.
#[inline(always)]
pub(super) fn velocity<S: Real, const D: usize>(place: &impl Place<S, D>, v: &[S]) -> [S; D] {
    let mut velocity = [nothing::<S>(); D];
    for_axes!(AXIS < D => {
        let mut along = Along { v, sum: nothing::<S>() };
        place.row(AXIS, S::one(), &mut along);
        velocity[AXIS] = along.sum;
    });
    velocity
}

/// Jᵀ f.
#[inline(always)]
pub(super) fn pull<S: Real, const D: usize>(place: &impl Place<S, D>, force: [S; D], into: &mut impl Sink<S>) {
    for_axes!(AXIS < D => { place.row(AXIS, force[AXIS], into); });
}

// Types rather than closures: `#[inline(always)]` does not apply to closures.

/// Takes numbers that belong to coordinates, such as forces.
pub trait Sink<S> {
    /// Adds `x` to the entry of a coordinate.
    fn add(&mut self, coordinate: usize, x: S);
}

impl<S: Real, const N: usize> Sink<S> for [S; N] {
    #[inline(always)]
    fn add(&mut self, coordinate: usize, x: S) {
        self[coordinate] += x;
    }
}

/// Takes the entries of the gradients of a part's constraints.
pub trait Rows<S> {
    /// Adds `x` to the entry of a coordinate in a row.
    fn add(&mut self, row: usize, coordinate: usize, x: S);
}

/// One row.
pub(super) struct Row<'a, R> {
    rows: &'a mut R,
    row: usize,
}

impl<'a, R> Row<'a, R> {
    #[inline(always)]
    pub(super) fn of(rows: &'a mut R, row: usize) -> Self {
        Self { rows, row }
    }
}

impl<S, R: Rows<S>> Sink<S> for Row<'_, R> {
    #[inline(always)]
    fn add(&mut self, coordinate: usize, x: S) {
        self.rows.add(self.row, coordinate, x);
    }
}

/// The sum of entries times velocities.
struct Along<'a, S> {
    v: &'a [S],
    sum: S,
}

impl<S: Real> Sink<S> for Along<'_, S> {
    #[inline(always)]
    fn add(&mut self, coordinate: usize, x: S) {
        self.sum += x * self.v[coordinate];
    }
}

/// Takes a row of Jₐ and multiplies it by the row of J_b of the same axis.
struct Coupling<'a, B, M, const D: usize> {
    b: &'a B,
    axis: usize,
    matrix: &'a mut M,
}

/// The same for one entry of Jₐ.
struct CouplingOf<'a, M> {
    i: usize,
    matrix: &'a mut M,
}

impl<S: Real, B: Place<S, D>, M: Symmetric<S>, const D: usize> Sink<S> for Coupling<'_, B, M, D> {
    #[inline(always)]
    fn add(&mut self, coordinate: usize, x: S) {
        self.b.row(self.axis, x, &mut CouplingOf { i: coordinate, matrix: self.matrix });
    }
}

impl<S, M: Symmetric<S>> Sink<S> for CouplingOf<'_, M> {
    #[inline(always)]
    fn add(&mut self, coordinate: usize, x: S) {
        self.matrix.pair(self.i, coordinate, x);
    }
}

/// Takes the entries of a symmetric matrix.
pub trait Symmetric<S> {
    /// Adds `x` to the entry (i, i).
    fn diagonal(&mut self, i: usize, x: S);
    /// Adds `x` to the entry (i, j) and to (j, i): twice to the same one if i is j.
    fn pair(&mut self, i: usize, j: usize, x: S);
}

/// Adds Jₐᵀ m J_b + J_bᵀ m Jₐ.
#[inline(always)]
pub(super) fn couple<S: Real, const D: usize>(
    a: &impl Place<S, D>,
    b: &impl Place<S, D>,
    mass: S::Base,
    matrix: &mut impl Symmetric<S>,
) {
    for_axes!(AXIS < D => {
        a.row(AXIS, S::from(mass), &mut Coupling::<_, _, D> { b, axis: AXIS, matrix });
    });
}

/// The weight of a mass at a place: m g along the last axis, downwards.
#[inline(always)]
pub(super) fn weight<S: Real, const D: usize>(place: &impl Place<S, D>, weight: S::Base, into: &mut impl Sink<S>) {
    place.row(D - 1, S::from(-weight), into);
}

/// a · b.
#[inline(always)]
pub(super) fn dot<S: Real, const D: usize>(a: [S; D], b: [S; D]) -> S {
    let mut sum = nothing::<S>();
    for_axes!(AXIS < D => { sum += a[AXIS] * b[AXIS]; });
    sum
}

/// a × b.
#[inline(always)]
pub(super) fn cross<S: Real>([a, b, c]: [S; 3], [x, y, z]: [S; 3]) -> [S; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

/// a · a. Written with squares, it costs an [`Increment`](crate::scalar::Increment) fewer operations.
#[inline(always)]
pub(super) fn square<S: Real, const D: usize>(a: [S; D]) -> S {
    let mut sum = nothing::<S>();
    for_axes!(AXIS < D => { sum += a[AXIS].square(); });
    sum
}

/// a − b.
#[inline(always)]
pub(super) fn minus<S: Real, const D: usize>(mut a: [S; D], b: [S; D]) -> [S; D] {
    for_axes!(AXIS < D => { a[AXIS] -= b[AXIS]; });
    a
}

/// a + b.
#[inline(always)]
pub(super) fn plus<S: Real, const D: usize>(mut a: [S; D], b: [S; D]) -> [S; D] {
    for_axes!(AXIS < D => { a[AXIS] += b[AXIS]; });
    a
}

/// a x.
#[inline(always)]
pub(super) fn scaled<S: Real, const D: usize>(mut a: [S; D], x: S) -> [S; D] {
    for_axes!(AXIS < D => { a[AXIS] *= x; });
    a
}

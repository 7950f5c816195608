//! Prescribed motion: a point, an arm or a slider that is where a given function of time says.
//!
//! The function is a parabola about a time t₀,
//!
//! ```text
//!     p(t) = position + velocity τ + acceleration τ²/2,    τ = t − t₀
//!     0 = x(q) − p(t),    g_t = −p',    g_tt = −p''
//! ```
//!
//! Uniform motion is one parabola for good. Any other motion is a new one before each step, about the time at the end of that step: see
//! [`Mechanism::motion`](super::Mechanism::motion). It leaves the path by h³ p‴/6 in a step of length h; a step refuses a start that is off
//! by more than its tolerance. What the guide does to the mechanism is the multiplier of its constraint, in newtons or
//! newton metres: the force that a perfect drive would need.

use super::error::{Problem, finite};
use super::list::{Described, Element, Part, Pose};
use super::place::{Place, Row, Rows, for_axes};
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// Moves a point along a prescribed path: a shaker, a hand, a conveyor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guide<T, const D: usize> {
    /// Where the point is at the time `since`.
    pub position: [T; D],
    /// Its velocity at that time.
    pub velocity: [T; D],
    /// Its acceleration.
    pub acceleration: [T; D],
    /// The time that they are given for.
    pub since: T,
}

/// Moves an arm with an angle, or a slider, as prescribed: a crank at a constant rate, a spindle. The angle counts whole turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feed<T, const D: usize> {
    /// The angle or the displacement at the time `since`.
    pub position: T,
    /// Its rate at that time.
    pub velocity: T,
    /// Its acceleration.
    pub acceleration: T,
    /// The time that they are given for.
    pub since: T,
}

/// A part that prescribes a motion: a [`Guide`] or a [`Feed`].
pub trait Prescribed {}

impl<T, const D: usize> Prescribed for Guide<T, D> {}
impl<T, const D: usize> Prescribed for Feed<T, D> {}

/// A part with one coordinate: an angle or a displacement.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not have one coordinate",
    label = "a feed is on a `Slider`, or on an `Arm` with `arms as angles`"
)]
pub trait OneCoordinate<S>: Copy {
    /// The coordinate, and its value.
    fn coordinate(&self) -> (usize, S);
}

/// p and p' on a parabola, for a time τ after its vertex is given.
#[inline(always)]
fn parabola<S: Real>([position, velocity, acceleration]: [S::Base; 3], after: S) -> (S, S) {
    let rate = after * acceleration + velocity;
    ((after * acceleration * S::Base::from_f64(0.5) + velocity) * after + position, rate)
}

/// A [`Guide`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Guided<S: Real, A, const D: usize> {
    point: A,
    guide: Guide<S::Base, D>,
    /// τ.
    after: S,
}

impl<S: Real<Base = T>, T: Float, A: Place<S, D>, const D: usize> Part<S, (A,)> for Guide<T, D> {
    type Placed = Guided<S, A, D>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (point,): (A,), pose: &Pose<'_, S, N>, _: Slot) -> Guided<S, A, D> {
        Guided { point, guide: *self, after: pose.t - self.since }
    }
}

impl<T: Float, const D: usize> Described<T> for Guide<T, D> {
    const KIND: Kind = Kind { constraints: D, rows_by_axis: D, moves_with_time: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        self.position.into_iter().try_for_each(|x| finite("position", x))?;
        self.velocity.into_iter().try_for_each(|x| finite("velocity", x))?;
        self.acceleration.into_iter().try_for_each(|x| finite("acceleration", x))?;
        finite("since", self.since)
    }
}

impl<S: Real, A: Place<S, D>, const D: usize> Guided<S, A, D> {
    #[inline(always)]
    fn along(&self, axis: usize) -> (S, S) {
        let Guide { position, velocity, acceleration, .. } = self.guide;
        parabola([position[axis], velocity[axis], acceleration[axis]], self.after)
    }
}

impl<S: Real, A: Place<S, D>, const D: usize> Element<S, D> for Guided<S, A, D> {
    #[inline(always)]
    fn constraint(&self, rows: &mut [S]) {
        let position = self.point.position();
        for_axes!(AXIS < D => { rows[AXIS] = position[AXIS] - self.along(AXIS).0; });
    }

    #[inline(always)]
    fn gradient(&self, rows: &mut impl Rows<S>) {
        for_axes!(AXIS < D => { self.point.row(AXIS, S::one(), &mut Row::of(rows, AXIS)); });
    }

    #[inline(always)]
    fn time_derivative(&self, rows: &mut [S]) {
        for_axes!(AXIS < D => { rows[AXIS] = -self.along(AXIS).1; });
    }

    #[inline(always)]
    fn acceleration_terms(&self, v: &[S], rows: &mut [S]) {
        let curvature = if A::CURVED { self.point.curvature(v) } else { [S::zero(); D] };
        for_axes!(AXIS < D => { rows[AXIS] = curvature[AXIS] - self.guide.acceleration[AXIS]; });
    }

    fn shape(&self) -> Shape<S, D> {
        Shape::Point(self.point.position())
    }
}

/// A [`Feed`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Fed<S: Real, A, const D: usize> {
    shaft: A,
    feed: Feed<S::Base, D>,
    /// τ.
    after: S,
}

impl<S: Real<Base = T>, T: Float, A: OneCoordinate<S>, const D: usize> Part<S, (A,)> for Feed<T, D> {
    type Placed = Fed<S, A, D>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (shaft,): (A,), pose: &Pose<'_, S, N>, _: Slot) -> Fed<S, A, D> {
        Fed { shaft, feed: *self, after: pose.t - self.since }
    }
}

impl<T: Float, const D: usize> Described<T> for Feed<T, D> {
    const KIND: Kind = Kind { constraints: 1, counts_turns: true, moves_with_time: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        finite("position", self.position)?;
        finite("velocity", self.velocity)?;
        finite("acceleration", self.acceleration)?;
        finite("since", self.since)
    }
}

impl<S: Real, A: OneCoordinate<S>, const D: usize> Fed<S, A, D> {
    #[inline(always)]
    fn prescribed(&self) -> (S, S) {
        parabola([self.feed.position, self.feed.velocity, self.feed.acceleration], self.after)
    }
}

impl<S: Real, A: OneCoordinate<S>, const D: usize> Element<S, D> for Fed<S, A, D> {
    #[inline(always)]
    fn constraint(&self, rows: &mut [S]) {
        rows[0] = self.shaft.coordinate().1 - self.prescribed().0;
    }

    #[inline(always)]
    fn gradient(&self, rows: &mut impl Rows<S>) {
        rows.add(0, self.shaft.coordinate().0, S::one());
    }

    #[inline(always)]
    fn time_derivative(&self, rows: &mut [S]) {
        rows[0] = -self.prescribed().1;
    }

    #[inline(always)]
    fn acceleration_terms(&self, _v: &[S], rows: &mut [S]) {
        rows[0] = S::from(-self.feed.acceleration);
    }

    fn shape(&self) -> Shape<S, D> {
        Shape::None
    }
}

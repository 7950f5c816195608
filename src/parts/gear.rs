//! Gears and belts: the angle of one arm is a multiple of another's.

use super::error::{Problem, finite};
use super::list::{Described, Element, Part, Pose};
use super::place::Rows;
use super::shape::Shape;
use super::table::{Kind, Slot};
use crate::scalar::{Float, Real};

/// A gear or a belt between two arms with angles: the second turns `ratio` times as far as the first. A pair of gears that touch has a
/// negative ratio, a belt a positive one.
///
/// The arms are `as angles`: the ratio is one of whole angles, turns included, and the angle of an arm as a point jumps after half a turn.
///
/// Both angles are counted from the ground, so gears that touch need pivots that do not move: a planetary gear is not described by this.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gear<T, const D: usize> {
    /// Turns of the second arm for each turn of the first.
    pub ratio: T,
    /// The angle of the second arm where that of the first is zero.
    pub offset: T,
}

/// A part with an angle as its coordinate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no angle as its coordinate",
    label = "a gear is between two arms, `arms as angles`"
)]
pub trait Angle<S>: Copy {
    /// The coordinate, and the angle.
    fn angle(&self) -> (usize, S);
}

/// A [`Gear`] in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Meshed<S: Real, A, B> {
    first: A,
    second: B,
    ratio: S::Base,
    offset: S::Base,
}

impl<S: Real<Base = T>, T: Float, A: Angle<S>, B: Angle<S>, const D: usize> Part<S, (A, B)> for Gear<T, D> {
    type Placed = Meshed<S, A, B>;
    type Near = ();

    #[inline(always)]
    fn place<const N: usize>(&self, (first, second): (A, B), _: &Pose<'_, S, N>, _: Slot) -> Meshed<S, A, B> {
        Meshed { first, second, ratio: self.ratio, offset: self.offset }
    }
}

impl<T: Float, const D: usize> Described<T> for Gear<T, D> {
    const KIND: Kind = Kind { constraints: 1, counts_turns: true, ..Kind::NONE };

    fn check(&self) -> Result<(), Problem<T>> {
        finite("ratio", self.ratio)?;
        if self.ratio == T::ZERO {
            return Err(Problem::Parameter { field: "ratio", given: self.ratio, must: "other than zero" });
        }
        finite("offset", self.offset)
    }
}

impl<S: Real, A: Angle<S>, B: Angle<S>, const D: usize> Element<S, D> for Meshed<S, A, B> {
    #[inline(always)]
    fn constraint(&self, rows: &mut [S]) {
        rows[0] = self.second.angle().1 - self.first.angle().1 * self.ratio - self.offset;
    }

    #[inline(always)]
    fn gradient(&self, rows: &mut impl Rows<S>) {
        rows.add(0, self.second.angle().0, S::one());
        rows.add(0, self.first.angle().0, S::from(-self.ratio));
    }

    fn shape(&self) -> Shape<S, D> {
        Shape::None
    }
}

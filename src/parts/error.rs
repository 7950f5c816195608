//! What is wrong with a description, and with which part.

use core::fmt;

use crate::linalg::FactorError;
use crate::scalar::{Float, Real};
use crate::start::StartError;

/// A description that cannot be built.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BuildError<T> {
    /// The name of the part.
    pub part: &'static str,
    /// The names of the parts that it is on.
    pub on: [&'static str; 2],
    /// What is wrong with it.
    pub problem: Problem<T>,
}

/// What is wrong with a part.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Problem<T> {
    /// A parameter is NaN, infinite or out of its range.
    Parameter {
        /// The field.
        field: &'static str,
        /// Its value.
        given: T,
        /// What it must be.
        must: &'static str,
    },
    /// A direction does not have length one.
    Direction {
        /// The field.
        field: &'static str,
        /// Its length.
        length: T,
    },
    /// The two directions of an arm are not perpendicular.
    Perpendicular {
        /// The cosine of the angle between them.
        cosine: T,
    },
    /// The axes of the two arms of an elbow are not parallel.
    NotParallel {
        /// The cosine of the angle between them.
        cosine: T,
    },
    /// The moments of inertia of a body in space leave it without extent along an axis, or no body has them.
    Flat {
        /// The moments.
        moments: [T; 3],
    },
    /// It has no mass, and no part at it has.
    NoMass,
    /// The masses at it do not make a positive definite mass matrix.
    Mass(FactorError<T>),
    /// The mechanism cannot be assembled from the guess. This is the part whose length differs most from the distance that it is to keep.
    DoesNotFit {
        /// Its length.
        length: T,
        /// The distance of the points.
        apart: T,
    },
    /// Its constraint cannot be satisfied together with the others.
    NotAssembled(StartError<T>),
    /// Its constraint is NaN or infinite: a length or a coordinate of its points is so large that its square overflows.
    Overflow,
    /// Its two points are in one place, where its direction is undefined.
    Meet,
    /// Its gradient at the guess is zero, not finite, or depends on those of the parts before it: nothing that it is on can move, its points
    /// coincide, or it repeats or contradicts other parts.
    Dependent(FactorError<T>),
    /// Nothing can move: as many constraints as coordinates are independent.
    Immobile {
        /// How many they are.
        constraints: usize,
    },
}

impl<T: Float> fmt::Display for BuildError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, on, problem } = self;
        match problem {
            Problem::Parameter { field, given, must } => write!(f, "{part}: {field} is {given}, and must be {must}"),
            Problem::Direction { field, length } => {
                write!(f, "{part}: {field} has length {length}, and must have length 1")
            }
            Problem::Perpendicular { cosine } => {
                write!(f, "{part}: `quarter` must be perpendicular to `zero`; the cosine between them is {cosine}")
            }
            Problem::NotParallel { cosine } => {
                let [a, b] = *on;
                write!(f, "{part}: the axes of {a} and {b} must be parallel; the cosine between them is {cosine}")
            }
            Problem::Flat { moments: [a, b, c] } => {
                write!(
                    f,
                    "{part}: moments {a}, {b}, {c} (with the centre and the products) leave it without extent along an axis; "
                )?;
                write!(
                    f,
                    "each must be smaller than the sum of the other two: describe a thin rod as a `Rod`, and give a plate its thickness"
                )
            }
            Problem::NoMass => {
                write!(f, "{part}: nothing with mass moves with it; give it a mass, or attach a part that has one")?;
                write!(f, " (`build_kinematics` needs none)")
            }
            Problem::Mass(cause) => write!(f, "{part}: the mass matrix is not positive definite: {cause}"),
            Problem::DoesNotFit { length, apart } => {
                let [a, b] = *on;
                let b = if b.is_empty() { "its end" } else { b };
                write!(f, "{part}: {length} m does not fit between {a} and {b}, {apart:.4} m apart; ")?;
                write!(f, "check the lengths, or give closer `near` guesses")
            }
            Problem::NotAssembled(cause) => write!(f, "{part}: {cause}"),
            Problem::Overflow => {
                write!(f, "{part}: its constraint is NaN or infinite; check the size of its length and its points")
            }
            Problem::Meet => {
                let [a, b] = *on;
                write!(f, "{part}: {a} and {b} are in one place, and must be apart; give them other `near` guesses")
            }
            // A limit of zero: there is nothing in the row.
            Problem::Dependent(FactorError::SmallPivot { limit, .. }) if *limit == T::ZERO => {
                write!(f, "{part}: nothing that it is on can move it: its points are fixed, ")?;
                write!(f, "or coincide in the guess (give them `near`)")
            }
            Problem::Dependent(cause @ FactorError::NonFinite { .. }) => {
                write!(f, "{part}: its gradient at the guess is NaN or infinite; check its points and lengths: {cause}")
            }
            Problem::Dependent(cause) => {
                write!(f, "{part}: it repeats or contradicts the parts before it ")?;
                write!(f, "(if a loop is closed by more than it needs, say `redundant` in the header): {cause}")
            }
            Problem::Immobile { constraints } => {
                write!(
                    f,
                    "{part}: nothing can move: {constraints} constraints are independent, as many as there are coordinates"
                )
            }
        }
    }
}

impl<T: Float> core::error::Error for BuildError<T> {}

/// Refuses NaN and infinity.
pub(super) fn finite<T: Float>(field: &'static str, given: T) -> Result<(), Problem<T>> {
    if given.is_finite() { Ok(()) } else { Err(Problem::Parameter { field, given, must: "finite" }) }
}

/// Refuses two points in one place.
pub(super) fn apart<S: Real, const D: usize>(along: [S; D]) -> Result<(), Problem<S::Base>> {
    if along.into_iter().all(|x| x.value() == S::Base::ZERO) { Err(Problem::Meet) } else { Ok(()) }
}

/// Refuses what is not positive and finite.
pub(super) fn positive<T: Float>(field: &'static str, given: T) -> Result<(), Problem<T>> {
    let valid = given.is_finite() && given > T::ZERO;
    if valid { Ok(()) } else { Err(Problem::Parameter { field, given, must: "positive and finite" }) }
}

/// Refuses what is negative or not finite.
pub(super) fn not_negative<T: Float>(field: &'static str, given: T) -> Result<(), Problem<T>> {
    let valid = given.is_finite() && given >= T::ZERO;
    if valid { Ok(()) } else { Err(Problem::Parameter { field, given, must: "zero or positive, and finite" }) }
}

/// Refuses a direction whose length is not 1 to six digits.
pub(super) fn unit<T: Float, const D: usize>(field: &'static str, given: [T; D]) -> Result<(), Problem<T>> {
    let mut square = T::ZERO;
    for x in given {
        square += x * x;
    }
    // A direction typed with six digits is accepted. Lengths along it are wrong by as much.
    let valid = (square - T::one()).abs() <= T::from_f64(2e-6);
    if valid { Ok(()) } else { Err(Problem::Direction { field, length: square.sqrt() }) }
}

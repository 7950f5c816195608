//! Why a step failed.

use core::fmt;

use crate::linalg::FactorError;
use crate::project::{Level, Residual};
use crate::scalar::Float;

/// Why a step failed. The state is as it was before, bit for bit.
///
/// `tick` is that of the state: the step from `tick` to `tick` + 1 was not made.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StepError<T> {
    /// The state was off the constraints before the step: the model has changed since the last one. Call
    /// [`resume`](crate::start::resume).
    ///
    /// The limit is that of the start. Compensated and precise states may begin at twice the limit, because a step evaluates the
    /// constraint at its end with other roundings than the next step at its beginning.
    Inconsistent {
        /// The tick of the state.
        tick: u64,
        /// The constraint, its residual and the limit.
        residual: Residual<T>,
    },
    /// Newton's method did not reach its equations in the fixed number of iterations: take smaller steps or more iterations. Far off the
    /// constraint it has diverged: the pose cannot be reached in this step, or it is close to a singular one.
    ///
    /// At [`Level::Equation`] the constraints hold, but the equation of motion of a coordinate does not: the forces change too much
    /// within the step.
    ///
    /// At [`Level::Correction`] all residuals are small, but an unknown is still moving: a velocity, or for semi-explicit systems a
    /// variable, y before z. If more iterations do not help, the step has no solution: begin closer to the constraint.
    NotConverged {
        /// The tick of the state.
        tick: u64,
        /// The constraint or the equation, its residual and the limit.
        residual: Residual<T>,
    },
    /// The step ended off a constraint for which the method does not iterate.
    ///
    /// At [`Level::Position`] the positions have drifted: the method does not project them. At [`Level::Velocity`] the redundant
    /// constraints contradict each other: no velocity satisfies all of them.
    OffConstraint {
        /// The tick of the state.
        tick: u64,
        /// The constraint, its residual and the limit.
        residual: Residual<T>,
    },
    /// The constraints depend on each other at the end of the step or of a stage, or their gradients are not finite; or the
    /// equations of an implicit method are singular.
    Singular {
        /// The tick of the state.
        tick: u64,
        /// The row, its pivot and the limit.
        cause: FactorError<T>,
    },
    /// The constraints depend on each other, or nearly so, within the step, but at neither end of it.
    ///
    /// If they depend on each other exactly at a stage, the velocities become infinite and the error is `NonFinite`.
    SingularWithin {
        /// The tick of the state.
        tick: u64,
        /// Runge–Kutta: the sum over the stages of 1/sin² of the angle between each constraint and those before it. General index-3
        /// form: the change of the matrix of the multipliers, relative to the matrix itself.
        measure: T,
        /// The largest measure that is accepted.
        limit: T,
    },
    /// The mass matrix is not positive definite at a configuration of the step.
    Mass {
        /// The tick of the state.
        tick: u64,
        /// The row, its pivot and the limit.
        cause: FactorError<T>,
    },
    /// The body would turn by more than half a turn within the step.
    Turn {
        /// The tick of the state.
        tick: u64,
        /// The angle h |Ω|, in rad.
        angle: T,
        /// The largest angle that is accepted.
        limit: T,
    },
    /// A position, a velocity or a multiplier became NaN or infinite, usually because an input, a force or a sensor value was.
    NonFinite {
        /// The tick of the state.
        tick: u64,
        /// Position, velocity or multiplier.
        level: Level,
        /// The coordinate; for a multiplier, the constraint. Semi-explicit systems count y, then z.
        index: usize,
    },
}

impl<T> StepError<T> {
    /// The same error with its numbers in another scalar.
    pub fn map<U>(self, number: impl Fn(T) -> U) -> StepError<U> {
        match self {
            Self::Inconsistent { tick, residual } => StepError::Inconsistent { tick, residual: residual.map(number) },
            Self::NotConverged { tick, residual } => StepError::NotConverged { tick, residual: residual.map(number) },
            Self::OffConstraint { tick, residual } => StepError::OffConstraint { tick, residual: residual.map(number) },
            Self::Singular { tick, cause } => StepError::Singular { tick, cause: cause.map(number) },
            Self::SingularWithin { tick, measure, limit } => {
                StepError::SingularWithin { tick, measure: number(measure), limit: number(limit) }
            }
            Self::Mass { tick, cause } => StepError::Mass { tick, cause: cause.map(number) },
            Self::Turn { tick, angle, limit } => StepError::Turn { tick, angle: number(angle), limit: number(limit) },
            Self::NonFinite { tick, level, index } => StepError::NonFinite { tick, level, index },
        }
    }
}

impl<T: Float> fmt::Display for StepError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inconsistent { tick, residual } => write!(f, "tick {tick}: model changed: {residual}; call `resume`"),
            // More than 1/√ε limits off: with the default limit, more than a unit of the coordinates.
            Self::NotConverged { tick, residual } if residual.residual.abs() * T::ROOT_EPSILON > residual.limit => {
                write!(f, "tick {tick}: Newton diverged: {residual}; take smaller steps, keep away from singular poses")
            }
            Self::NotConverged { tick, residual } => {
                write!(f, "tick {tick}: Newton did not converge: {residual}; take smaller steps or more iterations")
            }
            Self::OffConstraint { tick, residual } if residual.level == Level::Velocity => {
                write!(f, "tick {tick}: contradictory constraints: {residual}; check how they move")
            }
            Self::OffConstraint { tick, residual } => {
                write!(f, "tick {tick}: positions drifted: {residual}; project them, or start with a wider limit")
            }
            Self::Singular { tick, cause } => write!(f, "tick {tick}: singular: {cause}; keep away from this pose"),
            Self::SingularWithin { tick, measure, limit } => {
                write!(
                    f,
                    "tick {tick}: singular within the step: measure {measure:e}, limit {limit:e}; shorten the step"
                )
            }
            Self::Mass { tick, cause } => write!(f, "tick {tick}: mass matrix: {cause}; check it at this pose"),
            Self::Turn { tick, angle, limit } => {
                write!(f, "tick {tick}: turns by {angle:e} rad in the step, limit {limit:e}; shorten the step")
            }
            Self::NonFinite { tick, level, index } => {
                write!(f, "tick {tick}: {level} {index} is NaN or infinite; check the inputs and forces of this tick")
            }
        }
    }
}

impl<T: Float> core::error::Error for StepError<T> {}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    #[test]
    fn every_error_says_where_how_much_and_what_to_do() {
        let tick = 12;
        let residual = |level| Residual { level, row: 1, residual: -2e-3, limit: 1e-6 };
        let (position, velocity) = (residual(Level::Position), residual(Level::Velocity));
        let cause = FactorError::SmallPivot { index: 1, pivot: 0.0, limit: 1e-9 };
        let table = [
            (
                StepError::Inconsistent { tick, residual: position },
                "tick 12: model changed: position constraint 1 has residual -2e-3, limit 1e-6; call `resume`".to_string(),
            ),
            (
                StepError::NotConverged { tick, residual: residual(Level::Equation) },
                "tick 12: Newton did not converge: differential equation 1 has residual -2e-3, limit 1e-6; take smaller steps or more iterations".to_string(),
            ),
            (
                StepError::NotConverged { tick, residual: Residual { residual: -713.0, ..position } },
                "tick 12: Newton diverged: position constraint 1 has residual -7.13e2, limit 1e-6; take smaller steps, keep away from singular poses".to_string(),
            ),
            (
                StepError::NotConverged { tick, residual: residual(Level::Correction) },
                "tick 12: Newton did not converge: last correction of unknown 1 is -2e-3, limit 1e-6; take smaller steps or more iterations".to_string(),
            ),
            (
                StepError::OffConstraint { tick, residual: position },
                "tick 12: positions drifted: position constraint 1 has residual -2e-3, limit 1e-6; project them, or start with a wider limit".to_string(),
            ),
            (
                StepError::OffConstraint { tick, residual: velocity },
                "tick 12: contradictory constraints: velocity constraint 1 has residual -2e-3, limit 1e-6; check how they move".to_string(),
            ),
            (
                StepError::Singular { tick, cause },
                std::format!("tick 12: singular: {cause}; keep away from this pose"),
            ),
            (
                StepError::SingularWithin { tick, measure: 2e9, limit: 1e6 },
                "tick 12: singular within the step: measure 2e9, limit 1e6; shorten the step".to_string(),
            ),
            (
                StepError::Mass { tick, cause },
                std::format!("tick 12: mass matrix: {cause}; check it at this pose"),
            ),
            (
                StepError::Turn { tick, angle: 4.0, limit: 3.0 },
                "tick 12: turns by 4e0 rad in the step, limit 3e0; shorten the step".to_string(),
            ),
            (
                StepError::NonFinite { tick, level: Level::Velocity, index: 1 },
                "tick 12: velocity 1 is NaN or infinite; check the inputs and forces of this tick".to_string(),
            ),
        ];
        for (error, text) in table {
            assert_eq!(error.to_string(), text);
            // Another scalar changes no word.
            assert_eq!(
                error.map(|number| number as f32).map(f64::from).to_string().split(':').count(),
                text.split(':').count()
            );
        }
    }
}

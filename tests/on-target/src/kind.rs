//! The names of errors. Printing their numbers would take as much flash as a dozen steps.

use taut::method::StepError;

/// The error's kind.
pub fn kind<T>(error: &StepError<T>) -> &'static str {
    match error {
        StepError::Inconsistent { .. } => "Inconsistent",
        StepError::NotConverged { .. } => "NotConverged",
        StepError::OffConstraint { .. } => "OffConstraint",
        StepError::Singular { .. } => "Singular",
        StepError::SingularWithin { .. } => "SingularWithin",
        StepError::Mass { .. } => "Mass",
        StepError::Turn { .. } => "Turn",
        StepError::NonFinite { .. } => "NonFinite",
        _ => "unknown",
    }
}

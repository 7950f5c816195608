//! Errors by name: what prints their numbers takes as much flash as a dozen steps.

use taut::method::StepError;

/// The error's kind.
pub fn kind<T>(error: &StepError<T>) -> &'static str {
    match error {
        StepError::Inconsistent { .. } => "Inconsistent",
        StepError::NotConverged { .. } => "NotConverged",
        StepError::Singular { .. } => "Singular",
        StepError::NearlySingular { .. } => "NearlySingular",
        StepError::Mass { .. } => "Mass",
        StepError::NonFinite { .. } => "NonFinite",
        StepError::Unbalanced { .. } => "Unbalanced",
        StepError::SingularStage { .. } => "SingularStage",
        _ => "unknown",
    }
}

//! In which way a pose is singular.

use core::fmt;

/// In which way a pose is singular.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Singularity {
    /// Constraints and outputs do not determine the coordinates. Example: an arm is stretched, its output is at the edge of the reach.
    Reach,
    /// The motion does not determine the inputs: the system can move in a way that no actuator resists.
    Actuation,
    /// The readings do not determine the coordinates. Example: two encoders measure the same.
    Sensing,
    /// The mass matrix is not positive definite.
    Mass,
}

impl fmt::Display for Singularity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reach => "singular pose at the edge of the reach",
            Self::Actuation => "singular pose that no actuator holds",
            Self::Sensing => "singular pose that the encoders cannot tell from others",
            Self::Mass => "mass matrix not positive definite",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::ControlError;
    use crate::linalg::FactorError;
    use std::string::ToString;

    #[test]
    fn messages_name_the_kind_and_the_pivot() {
        let cause = FactorError::SmallPivot { index: 2, pivot: 1e-9_f32, limit: 1e-6 };
        let pivot = "pivot 1e-9 of row 2, limit 1e-6: zero, or dependent on the rows before it";
        for (kind, expected) in [
            (Singularity::Reach, "singular pose at the edge of the reach"),
            (Singularity::Actuation, "singular pose that no actuator holds"),
            (Singularity::Sensing, "singular pose that the encoders cannot tell from others"),
            (Singularity::Mass, "mass matrix not positive definite"),
        ] {
            let error = ControlError::Singular { tick: 7, kind, cause };
            assert_eq!(error.to_string(), std::format!("tick 7: {expected}: {pivot}"));
        }
    }
}

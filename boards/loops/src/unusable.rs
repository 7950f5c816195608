//! Why a program cannot be made.

use core::fmt;

use taut::control::ControlError;
use taut::parts::BuildError;
use taut::start::{InvalidStep, StartError};
use taut::trajectory::TrajectoryError;

macro_rules! unusable {
    ($($(#[$doc:meta])* $What:ident($Error:ty),)*) => {
        /// An invalid parameter of a program.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[cfg_attr(feature = "firmware", derive(defmt::Format))]
        pub enum Unusable {
            $($(#[$doc])* $What($Error),)*
        }

        impl fmt::Display for Unusable {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$What(error) => error.fmt(f),)*
                }
            }
        }

        $(impl From<$Error> for Unusable {
            fn from(error: $Error) -> Self {
                Self::$What(error)
            }
        })*
    };
}

unusable! {
    /// Of the loop or its plan.
    Control(ControlError<f32>),
    /// Of the list of parts.
    Parts(BuildError<f32>),
    /// Of the path.
    Path(TrajectoryError<f32>),
    /// Of the machine's first state.
    Start(StartError<f32>),
    /// Of the machine's steps.
    Step(InvalidStep<f32>),
}

impl core::error::Error for Unusable {}

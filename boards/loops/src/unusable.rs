//! Why a program cannot be made.

use core::fmt;

use taut::control::ControlError;
use taut::parts::{BuildError, Explained};
use taut::start::{InvalidStep, StartError};
use taut::trajectory::TrajectoryError;

/// No pose of the machine has its output where the path begins.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "firmware", derive(defmt::Format))]
pub struct OutOfReach {
    /// A part that cannot be where it would have to be.
    pub part: &'static str,
    /// By how much it is off, in metres or radians.
    pub distance: f32,
}

impl fmt::Display for OutOfReach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, distance } = self;
        write!(
            f,
            "the path begins out of reach: {part} is off by {distance:e}; move the path, or give the parts a nearer guess"
        )
    }
}

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
    /// Of the plan of a machine from parts.
    Plan(Explained<ControlError<f32>>),
    /// Of the list of parts.
    Parts(BuildError<f32>),
    /// Of the beginning of the path.
    OutOfReach(OutOfReach),
    /// Of the path.
    Path(TrajectoryError<f32>),
    /// Of the machine's first state.
    Start(StartError<f32>),
    /// Of the first state of a machine from parts.
    Machine(Explained<StartError<f32>>),
    /// Of the machine's steps.
    Step(InvalidStep<f32>),
}

impl core::error::Error for Unusable {}

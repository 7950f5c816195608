//! Why a program can not be made.

use core::fmt;

use taut::control::ControlError;
use taut::method::InvalidStep;
use taut::start::StartError;
use taut::trajectory::TrajectoryError;

/// A number of a program that makes no sense. None of those that are here does.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Unusable {
    /// Of the loop or its plan.
    Control(ControlError<f32>),
    /// Of the path.
    Path(TrajectoryError<f32>),
    /// Of the machine's first state.
    Start(StartError<f32>),
    /// Of the machine's steps.
    Step(InvalidStep<f32>),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Control(error) => error.fmt(f),
            Self::Path(error) => error.fmt(f),
            Self::Start(error) => error.fmt(f),
            Self::Step(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Unusable {}

impl From<ControlError<f32>> for Unusable {
    fn from(error: ControlError<f32>) -> Self {
        Self::Control(error)
    }
}

impl From<TrajectoryError<f32>> for Unusable {
    fn from(error: TrajectoryError<f32>) -> Self {
        Self::Path(error)
    }
}

impl From<StartError<f32>> for Unusable {
    fn from(error: StartError<f32>) -> Self {
        Self::Start(error)
    }
}

impl From<InvalidStep<f32>> for Unusable {
    fn from(error: InvalidStep<f32>) -> Self {
        Self::Step(error)
    }
}

//! What a loop watches and what it reports.

use core::fmt;

use super::actuator::Clip;
use super::error::ControlError;
use crate::linalg::Vector;
use crate::scalar::Float;

/// What the loop watches, and how it stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watch<T, const E: usize> {
    /// For how many ticks an actuator may be kept from what is wanted, one after another.
    pub patience: u32,
    /// How far an encoder may be off its target; infinite where it does not matter.
    pub largest_error: [T; E],
    /// The braking time τ of the safe hold, in seconds.
    pub braking: T,
    /// How far each encoder may go on until it is held; infinite where τ alone decides.
    pub stopping_distance: [T; E],
    /// What encoders that have no motor are to read in the safe hold: the angle at which a load hangs at rest, say. Of those that
    /// have one, it is not used.
    pub rest: [T; E],
}

impl<T: Float, const E: usize> Watch<T, E> {
    /// Twenty ticks at a limit, any error, a braking time of 50 ms, any distance, zero at rest.
    pub fn standard() -> Self {
        let any = [T::INFINITY; E];
        let (braking, rest) = (T::from_f64(0.05), [T::zero(); E]);
        Self { patience: 20, largest_error: any, braking, stopping_distance: any, rest }
    }
}

/// Why the loop does not follow.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Fault<T> {
    /// The feedforward refused the target.
    Refused(ControlError<T>),
    /// An actuator was at a limit for too long.
    Saturated {
        /// The tick.
        tick: u64,
        /// Which one.
        index: usize,
        /// What was wanted of it.
        wanted: T,
        /// What it applied.
        applied: T,
    },
    /// An encoder is too far from its target.
    TooFar {
        /// The tick.
        tick: u64,
        /// Which one.
        index: usize,
        /// By how much.
        error: T,
        /// How far it may be.
        limit: T,
    },
    /// An encoder failed or read something that is not finite.
    Blind {
        /// The tick.
        tick: u64,
    },
    /// A motor could not be driven.
    Powerless {
        /// The tick.
        tick: u64,
    },
    /// Somebody asked for it: [`Tracking::hold`](super::Tracking::hold).
    Asked {
        /// The tick.
        tick: u64,
    },
}

impl<T: Float> fmt::Display for Fault<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => write!(f, "target refused: {error}"),
            Self::Saturated { tick, index, wanted, applied } => {
                write!(f, "tick {tick}: actuator {index} saturated: {wanted:e} wanted, {applied:e} applied")
            }
            Self::TooFar { tick, index, error, limit } => {
                write!(f, "tick {tick}: encoder {index} is {error:e} off its target, limit {limit:e}")
            }
            Self::Blind { tick } => write!(f, "tick {tick}: no reading"),
            Self::Powerless { tick } => write!(f, "tick {tick}: a motor could not be driven"),
            Self::Asked { tick } => write!(f, "tick {tick}: hold asked for"),
        }
    }
}

/// What a tick did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TickReport<T, const E: usize, const U: usize> {
    /// The tick.
    pub tick: u64,
    /// Why the loop holds; `None` while it follows.
    pub fault: Option<Fault<T>>,
    /// What the encoders read less than their targets.
    pub errors: Vector<T, E>,
    /// What the motors got.
    pub efforts: Vector<T, U>,
    /// What kept each of them from what was wanted.
    pub clips: [Clip; U],
}

/// Why a tick drove no motor. The hold has begun, the motors keep their last efforts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum LoopError<T, D> {
    /// A device failed.
    Device(D),
    /// An encoder read NaN or infinity.
    Reading {
        /// The tick.
        tick: u64,
        /// Which one.
        index: usize,
    },
    /// The controller could not say what to do.
    Control(ControlError<T>),
}

impl<T: Float, D: fmt::Debug> fmt::Display for LoopError<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Device(error) => write!(f, "device: {error:?}"),
            Self::Reading { tick, index } => {
                write!(f, "tick {tick}: encoder {index} reads something that is not finite")
            }
            Self::Control(error) => write!(f, "{error}"),
        }
    }
}

impl<T: Float, D: fmt::Debug> core::error::Error for LoopError<T, D> {}

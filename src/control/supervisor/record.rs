//! What a tick leaves behind.

use super::deadline::Timing;
use super::reason::{Code, Output};
use super::state::State;
use crate::linalg::Vector;

/// What a tick was like: compact, for telemetry.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(bound = "T: nalgebra::Scalar + serde::Serialize"))]
pub struct Record<T, const E: usize, const U: usize> {
    /// The tick.
    pub tick: u64,
    /// What the loop is doing after it.
    pub state: State,
    /// What the motors get.
    pub output: Output,
    /// Why it stopped, in the fault state.
    pub code: Code,
    /// What the encoders read; the last good readings where there are none.
    pub readings: Vector<T, E>,
    /// The targets less the readings; zero where nothing is followed.
    pub errors: Vector<T, E>,
    /// What the motors were driven with; zero where they are off.
    pub efforts: Vector<T, U>,
    /// How late it began, how long it took, and what went before.
    pub timing: Timing,
}

#[cfg(feature = "defmt")]
impl<T: defmt::Format, const E: usize, const U: usize> defmt::Format for Record<T, E, U> {
    fn format(&self, f: defmt::Formatter<'_>) {
        let Self { tick, state, output, code, readings, errors, efforts, timing } = self;
        let ([readings], [errors], [efforts]) = (&readings.data.0, &errors.data.0, &efforts.data.0);
        defmt::write!(
            f,
            "{=u64} {} {} {} readings {} errors {} efforts {} {}",
            tick,
            state,
            output,
            code,
            readings,
            errors,
            efforts,
            timing
        );
    }
}

/// A record, and what a device said where one failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report<T, const E: usize, const U: usize, D> {
    /// The record.
    pub record: Record<T, E, U>,
    /// Why a device could not be read or driven.
    pub device: Option<D>,
}

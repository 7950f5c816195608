//! The record of a tick, for telemetry.

use super::deadline::Timing;
use super::reason::{Code, Output};
use super::state::State;
use crate::linalg::Vector;

/// The compact record of a tick, for telemetry.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(bound = "T: nalgebra::Scalar + serde::Serialize"))]
pub struct Record<T, const E: usize, const U: usize> {
    /// The tick.
    pub tick: u64,
    /// The state of the loop after the tick.
    pub state: State,
    /// What the motors get. In the tick that ends the alignment: what they get from the next tick on.
    pub output: Output,
    /// The kind of the fault; [`Code::None`] outside of the fault state.
    pub code: Code,
    /// The kind of the [second](super::Latched::second) reason, which switched the motors off if the fault held them;
    /// [`Code::None`] without one.
    pub second: Code,
    /// The readings of the encoders; the last good ones if a read failed.
    pub readings: Vector<T, E>,
    /// The targets of the encoders; the readings while the motors are off.
    pub target: Vector<T, E>,
    /// The targets less the readings; zero while the motors are off.
    pub errors: Vector<T, E>,
    /// The efforts of the motors; zero while they are off.
    pub efforts: Vector<T, U>,
    /// The lateness and the execution time of this tick, the worst ones so far, and the counts of late ticks.
    pub timing: Timing,
}

#[cfg(feature = "defmt")]
impl<T: defmt::Format, const E: usize, const U: usize> defmt::Format for Record<T, E, U> {
    fn format(&self, f: defmt::Formatter<'_>) {
        let Self { tick, state, output, code, second, readings, target, errors, efforts, timing } = self;
        let ([readings], [target]) = (&readings.data.0, &target.data.0);
        let ([errors], [efforts]) = (&errors.data.0, &efforts.data.0);
        defmt::write!(
            f,
            "{=u64} {} {} {} {} readings {} target {} errors {} efforts {} {}",
            tick,
            state,
            output,
            code,
            second,
            readings,
            target,
            errors,
            efforts,
            timing
        );
    }
}

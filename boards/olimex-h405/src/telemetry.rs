//! What the program says about itself. The host reads these lines; their words are the host's words.

use taut::method::Report;

use crate::pendulum::{Motion, Pendulum};

/// Writes the log and keeps what its last line sums up.
pub struct Telemetry {
    rate: u16,
    initial_energy: f32,
    largest_energy_error: f32,
    largest_position_residual: f32,
    /// The largest since the last line: from step to step it is a rounding or none.
    recent_position_residual: f32,
}

impl Telemetry {
    /// Says what is simulated, and where it starts.
    pub fn start(pendulum: &Pendulum, motion: &Motion, rate: u16) -> Self {
        let [x, y] = motion.position().data.0[0];
        defmt::info!(
            "pendulum of {=f32} kg on {=f32} m, let go at x = {=f32} m, y = {=f32} m, RATTLE at {=u16} Hz",
            pendulum.mass,
            pendulum.length,
            x,
            y,
            rate
        );
        let initial_energy = pendulum.energy(motion);
        Self {
            rate,
            initial_energy,
            largest_energy_error: 0.0,
            largest_position_residual: 0.0,
            recent_position_residual: 0.0,
        }
    }

    /// Looks at the state and the report after a step.
    pub fn observe(&mut self, pendulum: &Pendulum, motion: &Motion, report: &Report<f32, 1>) {
        let keep_larger = |largest: &mut f32, value: f32| {
            if value.abs() > *largest || value.is_nan() {
                *largest = value.abs();
            }
        };
        keep_larger(&mut self.largest_energy_error, pendulum.energy(motion) - self.initial_energy);
        keep_larger(&mut self.recent_position_residual, report.position_residual[0]);
        keep_larger(&mut self.largest_position_residual, report.position_residual[0]);
    }

    /// One line of telemetry after a step. The multiplier is that of the step's beginning, a tick ago.
    pub fn log(&mut self, pendulum: &Pendulum, motion: &Motion, report: &Report<f32, 1>) {
        let [x, y] = motion.position().data.0[0];
        defmt::info!(
            "telemetry time={=f32} x={=f32} y={=f32} energy_error={=f32} position_residual={=f32} multiplier={=f32}",
            motion.tick() as f32 / f32::from(self.rate),
            x,
            y,
            pendulum.energy(motion) - self.initial_energy,
            core::mem::take(&mut self.recent_position_residual),
            report.multipliers[0]
        );
    }

    /// The last line.
    pub fn summarise(&self, motion: &Motion, missed: u32) {
        defmt::info!(
            "summary steps={=u64} missed_ticks={=u32} largest_energy_error={=f32} largest_position_residual={=f32}",
            motion.tick(),
            missed,
            self.largest_energy_error,
            self.largest_position_residual
        );
    }
}

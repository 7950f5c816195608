//! What the program says about itself. The host reads these lines; their words are the host's words.

use crate::pendulum::Pendulum;

/// Writes the log and keeps what its last line sums up.
pub struct Telemetry {
    rate: u16,
    largest_energy_error: f32,
}

impl Telemetry {
    /// Says what is simulated.
    pub fn start(pendulum: &Pendulum, rate: u16) -> Self {
        defmt::info!(
            "pendulum of {=f32} m, let go at {=f32} rad, symplectic Euler at {=u16} Hz",
            pendulum.length,
            pendulum.angle,
            rate
        );
        Self { rate, largest_energy_error: 0.0 }
    }

    /// Looks at the state after a step.
    pub fn observe(&mut self, pendulum: &Pendulum) {
        let error = pendulum.energy_error().abs();
        if error > self.largest_energy_error || error.is_nan() {
            self.largest_energy_error = error;
        }
    }

    /// One line of telemetry after `steps` steps.
    pub fn log(&self, steps: u32, pendulum: &Pendulum) {
        defmt::info!(
            "telemetry time={=f32} angle={=f32} rate={=f32} energy_error={=f32}",
            steps as f32 / f32::from(self.rate),
            pendulum.angle,
            pendulum.rate,
            pendulum.energy_error()
        );
    }

    /// The last line.
    pub fn summarise(&self, steps: u32, missed: u32) {
        defmt::info!(
            "summary steps={=u32} missed_ticks={=u32} largest_energy_error={=f32}",
            steps,
            missed,
            self.largest_energy_error
        );
    }
}

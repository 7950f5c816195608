//! A plain pendulum in one angle, stepped by symplectic Euler:
//!
//! ```text
//! ω ← ω − h (g / l) sin θ
//! θ ← θ + h ω
//! ```
//!
//! Order one, symplectic: the energy error swings with the motion, in proportion to h, and does not grow.

use taut::scalar::Real;

/// Gravity, m/s².
const GRAVITY: f32 = 9.81;

/// A point mass on a massless rod.
pub struct Pendulum {
    /// Length of the rod, m.
    pub length: f32,
    /// Angle from hanging straight down, rad.
    pub angle: f32,
    /// Angular rate, rad/s.
    pub rate: f32,
    /// g / l, rad/s².
    stiffness: f32,
    /// cos of the angle where it was let go.
    initial_cosine: f32,
}

impl Pendulum {
    /// A pendulum let go at an angle.
    pub fn at_rest(length: f32, angle: f32) -> Self {
        Self { length, angle, rate: 0.0, stiffness: GRAVITY / length, initial_cosine: Real::cos(angle) }
    }

    /// One step of symplectic Euler over `step` seconds.
    #[inline(never)]
    pub fn step(&mut self, step: f32) {
        self.rate -= step * self.stiffness * Real::sin(self.angle);
        self.angle += step * self.rate;
    }

    /// The energy gained since the pendulum was let go, in units of m g l.
    pub fn energy_error(&self) -> f32 {
        0.5 * self.rate * self.rate / self.stiffness - (Real::cos(self.angle) - self.initial_cosine)
    }
}

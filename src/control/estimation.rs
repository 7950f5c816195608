//! The gains of an observer of position, velocity and disturbance.
//!
//! ```text
//!     x ← x + ℓ₁ r,    x' ← x' + ℓ₂/h r,    x'' ← x'' + ℓ₃/h² r
//! ```
//!
//! r is the reading less its prediction, x'' what disturbances add to the acceleration. Between two readings x'' is constant. The poles
//! are those of (s + ω) (s² + 1.6 ω s + ω²), sampled: p₀ = e^(−ω h) and a pair p₁, p₂ with a damping of 0.8. With a = 1 − p₀,
//! b = 1 − p₁ and c = 1 − p₂:
//!
//! ```text
//!     ℓ₃ = a b c,    ℓ₂ = a b + b c + c a − 3/2 a b c,    ℓ₁ = a + b + c − (a b + b c + c a) + a b c
//! ```
//!
//! A large ω trusts the readings, a small one the model. Steady-state Kalman filters of this system have a pair with a damping of 1/2
//! (Kalata 1984). More damping keeps more distance from instability where the model is wrong, at the price of a sixth more noise.

use super::checks::{between, positive};
use super::error::ControlError;
use crate::scalar::Float;

/// The damping ζ of the pair of poles, and √(1 − ζ²).
const PAIR: (f64, f64) = (0.8, 0.6);

/// The gains of the observer.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) struct Estimation<T> {
    /// The length of a tick.
    pub(super) h: T,
    /// ℓ₁.
    pub(super) position: T,
    /// ℓ₂/h.
    pub(super) velocity: T,
    /// ℓ₃/h².
    pub(super) acceleration: T,
}

impl<T: Float> Estimation<T> {
    /// With the bandwidth ω in rad/s. It must be positive, at least `frequency`, that of the loop around it, and at most 2π/h, the tick
    /// rate: a slower observer makes the loop unstable, a faster one smooths nothing.
    pub(super) fn new(h: T, bandwidth: T, frequency: T) -> Result<Self, ControlError<T>> {
        positive("tick", h)?;
        positive("bandwidth of the observer", bandwidth)?;
        between("bandwidth of the observer", bandwidth, frequency, (T::PI + T::PI) / h)?;
        let (two, half) = (T::from_f64(2.0), T::from_f64(0.5));
        let x = bandwidth * h;
        let (damped, angle) = (x * T::from_f64(PAIR.0), x * T::from_f64(PAIR.1));
        // Differences from one without cancellation: 1 − cos φ = 2 sin²(φ/2).
        let a = -(-x).exp_m1();
        let real = -(-damped).exp_m1();
        let (sine, _) = (angle * half).sin_cos();
        let turn = two * (T::one() - real) * sine * sine;
        let (sum, both) = (two * (real + turn), real * real + two * turn);
        let (pairs, all) = (a * sum + both, a * both);
        // A bandwidth so small that a gain rounds to zero would ignore all readings.
        let acceleration = positive("bandwidth of the observer, as a gain", all / (h * h))?;
        let velocity = (pairs - all - all * half) / h;
        Ok(Self { h, position: a + sum - pairs + all, velocity, acceleration })
    }

    /// How far one count of a reading moves the acceleration that a controller of frequency ω asks for.
    pub(super) fn amplification(&self, omega: T) -> T {
        (self.position * omega + self.velocity + self.velocity) * omega + self.acceleration
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The poles of the observer's error are roots of z³ − (3 − ℓ₁ − ℓ₂ − ℓ₃/2) z² + (3 − 2 ℓ₁ − ℓ₂ + ℓ₃/2) z − (1 − ℓ₁).
    #[test]
    fn the_poles_are_where_the_bandwidth_puts_them() {
        let h = 1e-3_f64;
        for bandwidth in [1.0, 45.0, 225.0, 1_000.0, 6_000.0] {
            let Estimation { position: l1, velocity, acceleration, .. } = Estimation::new(h, bandwidth, 0.0).unwrap();
            let (l2, l3) = (velocity * h, acceleration * h * h);
            let (x, y, angle) = (bandwidth * h, 0.8 * bandwidth * h, 0.6 * bandwidth * h);
            let (p, sum, both) = (libm::exp(-x), 2.0 * libm::exp(-y) * libm::cos(angle), libm::exp(-2.0 * y));
            // Vieta's formulas.
            assert!((3.0 - l1 - l2 - l3 / 2.0 - (p + sum)).abs() < 1e-14, "{bandwidth}");
            assert!((3.0 - 2.0 * l1 - l2 + l3 / 2.0 - (p * sum + both)).abs() < 1e-14, "{bandwidth}");
            assert!((1.0 - l1 - p * both).abs() < 1e-14, "{bandwidth}");
        }
    }

    /// Single precision loses no digits where the bandwidth is far below the tick rate.
    #[test]
    fn slow_observers_keep_their_digits() {
        for bandwidth in [0.01, 1.0, 45.0, 225.0, 1_000.0] {
            let exact = Estimation::new(1e-3_f64, bandwidth, 0.0).unwrap();
            let single = Estimation::new(1e-3_f32, bandwidth as f32, 0.0).unwrap();
            let close = |single: f32, exact: f64| (f64::from(single) / exact - 1.0).abs() < 2e-6;
            assert!(close(single.position, exact.position) && close(single.velocity, exact.velocity), "{bandwidth}");
            assert!(close(single.acceleration, exact.acceleration), "{bandwidth}");
        }
        assert!(Estimation::new(1e-3_f32, 1e-20, 0.0).is_err());
    }
}

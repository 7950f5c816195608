//! Gains by a rule: from the tick, the wanted bandwidth, the encoders and the motors.
//!
//! The table of the rule is in the documentation of `control`. This is its derivation.
//!
//! **Why 2.3.** One motor is a double integrator. Let a noisy reading and a disturbance act on it. A faster observer rejects more of
//! the disturbance and passes more of the noise to the motor. At 2.3 ω the loop has no more of either than the PID controller of the same ω.
//! With ω h = 0.06:
//!
//! | | [`ComputedTorque`](super::ComputedTorque) | [`Pid`](super::Pid) |
//! |---|---|---|
//! | error from a disturbance of unit acceleration, slow (0.1 ω), × ω² | 0.21 | 0.69 |
//! | the same at the worst frequency | 0.95 | 1.02 |
//! | rms change of the acceleration per tick from white noise of the reading, over ω² | 2.7 | 3.2 |
//! | rms error from the same noise | 0.38 | 0.38 |
//! | distance of 1 + L from zero; with a tick of delay | 0.50; 0.41 | 0.46; 0.36 |
//!
//! A PID controller with four times this K_i has the same error from a slow disturbance, 0.20, but 1.09 from the worst one. It cannot have
//! a slower filter for less noise: at 3 ω its distance is 0.20. The observer can be slow because it knows the
//! efforts and the inertia, and so does not lag.
//!
//! 2.3 and the damping of the observer's poles were chosen from seven settings near the best of this table, by the comparison in the guide;
//! the PID rule was fixed before.

use super::actuated::Actuated;
use super::checks::{between, not_negative, positive};
use super::computed_torque::ComputedTorque;
use super::error::ControlError;
use super::feedforward::{Feedforward, Reference};
use super::inertia::inertia_at_motors;
use super::pid::{Gains, Pid};
use crate::scalar::Float;
use crate::supervise::Watch;

/// The bandwidth of the observer over the frequency of the loop.
const OBSERVER: f64 = 2.3;
/// The bandwidth of the filter of a PID controller over the frequency of the loop.
const FILTER: f64 = 5.0;
/// The largest frequency times the length of a tick.
const FASTEST: f64 = 1.0 / 8.0;
/// The largest part of a motor's effort that one count may move.
const CHATTER: f64 = 1.0 / 4.0;

/// The highest of the frequencies. Each must be positive and at most 1/(8 h).
fn highest<T: Float, const U: usize>(frequency: &[T; U], h: T) -> Result<T, ControlError<T>> {
    let mut highest = T::zero();
    for omega in frequency {
        positive("frequency", *omega)?;
        // The limit itself is accepted, also where h is rounded.
        let fastest = T::from_f64(FASTEST) / h * (T::one() + T::EPSILON + T::EPSILON);
        between("frequency", *omega, T::zero(), fastest)?;
        highest = if *omega > highest { *omega } else { highest };
    }
    Ok(highest)
}

/// Refuses an effort per count that is more than a quarter of the motor's largest.
fn check_chatter<T: Float>(effort: T, largest: T) -> Result<(), ControlError<T>> {
    between("effort that one count moves", effort, T::zero(), largest * T::from_f64(CHATTER)).map(drop)
}

impl<T: Float, const N: usize, const M: usize, const U: usize, F> ComputedTorque<T, N, M, U, F> {
    /// For a plan, by the rule of [`control`](super#gains): the tick is the plan's, the bandwidth of the observer 2.3 times the highest
    /// frequency.
    ///
    /// `frequency` is ω of each motor in rad/s; `watch` has the resolution of its encoder and its largest effort. Refused with
    /// [`OutOfRange`](ControlError::OutOfRange): a frequency above 1/(8 tick), and an encoder so coarse that one count moves the effort by
    /// more than a quarter of the largest. Do not call it in a tick: it starts the plan.
    ///
    /// ```
    /// use mechanisms::FiveBar;
    /// use taut::control::{Actuators, ComputedTorque, InverseDynamics};
    /// use taut::supervise::{EncoderLimits, Watch};
    /// use taut::trajectory::Circle;
    ///
    /// let (linkage, h) = (FiveBar::standard(), 1e-3_f32);
    /// let circle = Circle::around([0.0, 0.17], 0.03, 2, 1_000, h)?;
    /// let plan = InverseDynamics::new(linkage, circle, h, linkage.elbows_out([0.03, 0.17].into()))?;
    /// let motors = Actuators::new([1.0; 2])?; // N m
    /// let law = |omega, counts: f32| {
    ///     let encoder = EncoderLimits { resolution: core::f32::consts::TAU / counts, top_speed: 10.0, largest_error: 0.1 };
    ///     ComputedTorque::<f32, 4, 2, 2>::by_rule(&plan, [omega; 2], &Watch::new(motors, [encoder; 2]))
    /// };
    /// assert!(law(100.0, 4096.0).is_ok());
    /// assert!(law(200.0, 4096.0).is_err()); // too fast for 1 kHz
    /// assert!(law(100.0, 256.0).is_err()); // one count moves more than a quarter of 1 N m
    /// # Ok::<(), taut::control::ControlError<f32>>(())
    /// ```
    pub fn by_rule<Plan, System, const E: usize>(
        plan: &Plan,
        frequency: [T; U],
        watch: &Watch<T, E, U>,
    ) -> Result<Self, ControlError<T>>
    where
        System: Actuated<N, M, U, Base = T>,
        Plan: Feedforward<Base = T, System = System, Reference = Reference<T, N, M, U>>,
    {
        const { assert!(U <= E, "every motor has an encoder") };
        let tick = plan.tick_length();
        let highest = highest(&frequency, tick)?;
        let law = Self::new(frequency, tick, highest * T::from_f64(OBSERVER))?;
        let inertia = inertia_at_motors(plan)?;
        for motor in 0..U {
            let count = not_negative("resolution", watch.encoders[motor].resolution)?;
            let moved = inertia[motor] * count * law.estimation.amplification(frequency[motor]);
            check_chatter(moved, watch.motors.largest()[motor])?;
        }
        Ok(law)
    }
}

impl<T: Float, const U: usize> Pid<T, U> {
    /// For a plan, by the rule of [`control`](super#gains): K_p = J ω², K_d = 2 J ω, K_i = J ω³/8, with ω = `frequency` in rad/s and
    /// the [inertia](super::inertia_at_motors) J at each motor where the path begins; the error's derivative up to five times the highest
    /// frequency. A frequency above 1/(8 tick) is an error. Do not call it in a tick: it starts the plan.
    ///
    /// ```
    /// use mechanisms::Crane;
    /// use taut::control::{FlatInverse, Pid};
    /// use taut::trajectory::Nonic;
    ///
    /// let path = Nonic::point_to_point([0.0, -4.0], [5.0_f32, -1.0], 6.0)?;
    /// let plan = FlatInverse::new(Crane::standard(), path, 1e-3)?;
    /// let pid = Pid::by_rule(&plan, [20.0; 2])?;
    /// assert!(Pid::by_rule(&plan, [200.0; 2]).is_err());
    /// # Ok::<(), taut::control::ControlError<f32>>(())
    /// ```
    pub fn by_rule<Plan, System, const N: usize, const M: usize>(
        plan: &Plan,
        frequency: [T; U],
    ) -> Result<Self, ControlError<T>>
    where
        System: Actuated<N, M, U, Base = T>,
        Plan: Feedforward<Base = T, System = System, Reference = Reference<T, N, M, U>>,
    {
        let tick = plan.tick_length();
        let highest = highest(&frequency, tick)?;
        let inertia = inertia_at_motors(plan)?;
        let gains = core::array::from_fn(|motor| {
            let (omega, inertia) = (frequency[motor], inertia[motor]);
            let derivative = (inertia + inertia) * omega;
            let proportional = inertia * omega * omega;
            Gains { proportional, integral: proportional * omega * T::from_f64(1.0 / 8.0), derivative }
        });
        Self::new(gains, tick, highest * T::from_f64(FILTER))
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Complex, Matrix3, RowVector3, Vector3};

    use super::*;
    use crate::control::controller::Smoothing;
    use crate::control::estimation::Estimation;

    const H: f64 = 1e-3;

    /// A linear controller of one motor of unit inertia: x ← A x + B y, u = C x + D y.
    struct Linear(Matrix3<f64>, Vector3<f64>, RowVector3<f64>, f64);

    /// Computed torque: the estimate is x̂ = (1 − L C) x + L y, then u = −K x̂ and x = F x̂ + G u.
    fn computed_torque(omega: f64) -> Linear {
        let Estimation { position, velocity, acceleration, .. } = Estimation::new(H, OBSERVER * omega, omega).unwrap();
        let gains = Vector3::new(position, velocity, acceleration);
        let law = RowVector3::new(omega * omega, 2.0 * omega, 1.0);
        let keeps = Matrix3::identity() - gains * RowVector3::new(1.0, 0.0, 0.0);
        let step = Matrix3::new(1.0, H, H * H / 2.0, 0.0, 1.0, H, 0.0, 0.0, 1.0);
        let closed = step - Vector3::new(H * H / 2.0, H, 0.0) * law;
        Linear(closed * keeps, closed * gains, -law * keeps, -(law * gains)[0])
    }

    /// PID: error, its rate, and the integral part of the tick before.
    fn pid(omega: f64, filter: f64, integral: f64) -> Linear {
        let (position, velocity) = Smoothing::new(H, filter * omega, 0.0).unwrap().gains(0);
        let (keep, integral) = (1.0 - position, -omega * omega * omega * integral * H);
        let step = Matrix3::new(
            keep,
            keep * H,
            0.0,
            -velocity,
            1.0 - velocity * H,
            0.0,
            integral * keep,
            integral * keep * H,
            1.0,
        );
        let input = Vector3::new(position, velocity, integral * position);
        let law = RowVector3::new(-omega * omega, -2.0 * omega, 0.0);
        let output = law * step + RowVector3::new(0.0, 0.0, 1.0);
        Linear(step, input, output, (law * input)[0])
    }

    /// At the angle θ = frequency × tick, with some ticks of delay: |controller|, |motor| and |1/(1 + L)|.
    fn response(Linear(a, b, c, d): &Linear, delay: i32, theta: f64) -> [f64; 3] {
        let complex = |x: f64| Complex::new(x, 0.0);
        let z = Complex::from_polar(1.0, theta);
        let state = (Matrix3::identity() * z - a.map(complex)).lu().solve(&b.map(complex)).unwrap();
        let controller = (c.map(complex) * state)[0] + d;
        let motor = (z + 1.0) * (H * H / 2.0) / ((z - 1.0) * (z - 1.0));
        let loop_gain = -motor * controller * z.powi(-delay);
        [controller.norm(), motor.norm(), 1.0 / (loop_gain + 1.0).norm()]
    }

    fn angles() -> impl Iterator<Item = f64> {
        (1..20_000).map(|part| core::f64::consts::PI * f64::from(part) / 20_000.0)
    }

    /// The smallest distance of 1 + L from zero.
    fn distance(law: &Linear, delay: i32) -> f64 {
        angles().map(|theta| 1.0 / response(law, delay, theta)[2]).fold(f64::MAX, f64::min)
    }

    /// The table above. In its order: errors from a slow disturbance and from the worst, both times ω²; from white noise of the reading, the
    /// rms change of the acceleration over ω² and the rms error; distances.
    #[test]
    fn the_table_is_that_of_the_gains() {
        let omega = 60.0;
        let table = [
            (computed_torque(omega), [0.21, 0.95, 2.69, 0.38, 0.50, 0.41]),
            (pid(omega, FILTER, 1.0 / 8.0), [0.69, 1.02, 3.21, 0.38, 0.46, 0.36]),
            (pid(omega, FILTER, 1.0 / 2.0), [0.20, 1.09, 3.20, 0.39, 0.45, 0.35]),
        ];
        for (law, expected) in table {
            let disturbed = |theta: f64| {
                let [_, motor, sensitivity] = response(&law, 0, theta);
                motor * sensitivity * omega * omega
            };
            let mean = |of: &dyn Fn(f64, [f64; 3]) -> f64| {
                let sum: f64 = angles().map(|theta| of(theta, response(&law, 0, theta)).powi(2)).sum();
                (sum / 20_000.0).sqrt()
            };
            let change = mean(&|theta, [controller, _, sensitivity]| {
                controller * sensitivity * 2.0 * (theta / 2.0).sin() / (omega * omega)
            });
            let error = mean(&|_, [controller, motor, sensitivity]| controller * motor * sensitivity);
            let worst = angles().map(disturbed).fold(0.0, f64::max);
            let found = [disturbed(0.1 * omega * H), worst, change, error, distance(&law, 0), distance(&law, 1)];
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 6e-3, "{found} {expected}");
            }
        }
        let slow = distance(&pid(omega, 3.0, 1.0 / 8.0), 0);
        assert!((slow - 0.20).abs() < 6e-3, "{slow}");
        let fastest = distance(&computed_torque(FASTEST / H), 1);
        assert!(fastest > 0.25, "{fastest}");
    }
}

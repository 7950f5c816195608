//! Magnus' methods for a given angular velocity, and the coning correction of gyro samples.
//!
//! ```text
//!     R ← R exp θ,   order 2: θ = h ω(t + h/2)
//!                    order 4: θ = h/2 (ω₁ + ω₂) + (√3/12) h² ω₁×ω₂,   ω₁, ω₂ at t + (½ ∓ √3/6) h
//! ```
//!
//! (Hairer, *Solving Differential Equations on Manifolds*, III.4, example 4.4. Printed there with the nodes exchanged, which gives
//! order 2.) ω is in the body frame, R' = R ω̂. For an angular velocity in the space frame, Y' = ω̂ Y: step R = Y⁻¹, whose angular velocity
//! in its body frame is −ω.
//!
//! **Order** 2 and 4 in h, whatever the angular velocity. **Preserves** the norm of the quaternion: R is a rotation in every step.
//!
//! **Choose** order 4 for gyros and for given motions: it costs a cross product more. **Cost**: one or two evaluations of ω, and a rotation.

use super::rotation::{add, cross, exp_m1};
use super::state::{Attitude, check_turn};
use crate::linalg::Vector;
use crate::linalg::entries::{each, pairs};
use crate::method::{Step, StepError};
use crate::scalar::Float;
use crate::start::Precision;

/// An angular velocity that is a known function of time, in the body frame.
pub trait AngularRate {
    /// The plain float of times and rates.
    type Base: Float;

    /// ω(t) in rad/s.
    fn rate(&self, t: Self::Base) -> Vector<Self::Base, 3>;
}

/// Magnus' method of order 2: the exponential midpoint rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Magnus2;

/// Magnus' method of order 4.
///
/// ```
/// use nalgebra::vector;
/// use taut::attitude::{AngularRate, Attitude, Magnus4, Rotation};
/// use taut::linalg::Vector;
/// use taut::method::Step;
/// use taut::start::Clock;
///
/// /// A table that turns faster and faster.
/// struct Table;
/// impl AngularRate for Table {
///     type Base = f32;
///     fn rate(&self, t: f32) -> Vector<f32, 3> {
///         vector![0.0, 0.0, 2.0 * t]
///     }
/// }
///
/// let mut table = Attitude::start(Clock::at_rate(100.0)?, Rotation::identity())?;
/// for _ in 0..100 {
///     Magnus4.step(&Table, &mut table)?;
/// }
/// // After a second it has turned by t² = 1 rad.
/// assert!((table.rotation().log() - vector![0.0, 0.0, 1.0]).norm() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Magnus4;

impl<System: AngularRate<Base = T>, T: Float, P: Precision> Step<System, Attitude<T, P>> for Magnus2 {
    type Report = ();
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        "magnus_2"
    }

    #[inline]
    fn step(&self, system: &System, state: &mut Attitude<T, P>) -> Result<(), StepError<T>> {
        let size = state.clock.size;
        let [t, _] = state.clock.plain_times();
        state.turn(&each(&system.rate(t + size.half), |x| x * size.h))
    }
}

impl<System: AngularRate<Base = T>, T: Float, P: Precision> Step<System, Attitude<T, P>> for Magnus4 {
    type Report = ();
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        "magnus_4"
    }

    #[inline]
    fn step(&self, system: &System, state: &mut Attitude<T, P>) -> Result<(), StepError<T>> {
        let size = state.clock.size;
        let [t, _] = state.clock.plain_times();
        // ½ ∓ √3/6, the nodes of Gauss.
        let [first, second] = [0.211_324_865_405_187_1, 0.788_675_134_594_812_9]
            .map(|node| each(&system.rate(t + size.h * T::from_f64(node)), |x| x * size.h));
        // √3/12 of the cross product of the rates times h².
        let correction = each(&cross(&first, &second), |x| x * T::from_f64(0.144_337_567_297_406_44));
        let mean = each(&add(&first, &second), |x| x * T::from_f64(0.5));
        state.turn(&add(&mean, &correction))
    }
}

impl<T: Float, P: Precision> Attitude<T, P> {
    /// Turns by a rotation vector in the body frame, in one tick. For gyros, the vector comes from [`coning`].
    ///
    /// An error if it is longer than π or not finite; then the state is as it was.
    #[inline]
    pub fn turn(&mut self, theta: &Vector<T, 3>) -> Result<(), StepError<T>> {
        check_turn(theta, self.clock.tick)?;
        let quaternion = self.turned(&exp_m1(theta));
        self.finish(&quaternion);
        Ok(())
    }
}

/// The rotation vector of a tick from two increments of a gyro: the angles that it measured in the first and in the second half.
///
/// ```text
///     θ = Δ₁ + Δ₂ + ⅔ Δ₁×Δ₂
/// ```
///
/// It is Magnus' method of order 4 for an angular velocity that is linear in time. Without the cross product, a body whose axis moves on a
/// cone seems to turn: the coning error.
///
/// ```
/// use nalgebra::vector;
/// use taut::attitude::{Attitude, Rotation, coning};
/// use taut::start::Clock;
///
/// // A platform shakes by 0.05 rad at 10 Hz so that its axis moves on a cone. The gyro has 1,000 samples a second.
/// let (angle, frequency, h) = (0.05_f64, 62.83, 1e-3);
/// let attitude = |t: f64| Rotation::exp(&vector![angle * (frequency * t).cos(), angle * (frequency * t).sin(), 0.0]);
/// // The integral of the angular velocity between two samples, in the body frame.
/// let sample = |number: usize| {
///     let fine = |part: usize| attitude((number as f64 + part as f64 / 64.0) * h);
///     (0..64).map(|part| (fine(part).inverse() * fine(part + 1)).log()).sum()
/// };
///
/// let clock = Clock::with_step(2.0 * h)?;
/// let mut corrected = Attitude::start(clock, attitude(0.0))?;
/// let mut simple = corrected;
/// for tick in 0..500 {
///     let (first, second) = (sample(2 * tick), sample(2 * tick + 1));
///     corrected.turn(&coning(&first, &second))?;
///     simple.turn(&(first + second))?;
/// }
/// let error = |found: &Attitude<f64>| (attitude(1.0).inverse() * found.rotation()).log().norm();
/// assert!(error(&simple) > 1.0e-4, "{:e}", error(&simple)); // rad after a second
/// assert!(error(&corrected) < 1.5e-7, "{:e}", error(&corrected));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn coning<T: Float>(first: &Vector<T, 3>, second: &Vector<T, 3>) -> Vector<T, 3> {
    let correction = cross(first, second);
    pairs(&add(first, second), &correction, |sum, correction| sum + correction * T::from_f64(2.0 / 3.0))
}

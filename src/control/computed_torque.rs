//! Computed torque on the constraint manifold.
//!
//! c(q) are the readings of the motors' encoders. An observer estimates coordinates q̂ and velocities v̂ on the constraints:
//!
//! ```text
//!     M a = f + B u − Gᵀ λ,    G a + g_qq(v̂, v̂) + … = 0
//!     c'' = c''_target + 2 ζ ω (c'_target − c') + ω² (c_target − c)
//! ```
//!
//! This is linear in u: a = a₀ + R u. Here a₀ is the acceleration without inputs and R = P B the effect of the inputs, both along
//! the manifold, with P = M⁻¹ − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G M⁻¹. So C R u = c'' − C a₀ − c_qq(v̂, v̂) with C = ∂c/∂q. If the model is
//! exact, errors decay like an oscillator of frequency ω with damping ζ = 1, in every pose and for any motion of the other motors
//! (Luh, Walker and Paul 1980; for closed chains Murray, Li and Sastry 1994, 6.3).
//!
//! **The observer.** A model step of second order predicts q̂ and v̂. The innovation r = y − e(q̂) of the readings y then moves both
//! along the manifold by δ = P Cᵀ (C P Cᵀ)⁻¹ r, over all encoders: q̂ ← q̂ + ℓ₁ δ, v̂ ← v̂ + ℓ₂/h δ. In the metric of the mass, δ is
//! the smallest motion that explains the readings. Then both are projected onto the constraints. So an encoder with few counts gives
//! smooth velocities. Compare: with 12 bits at 1 kHz, a difference quotient moves in steps of 1.5 rad/s.
//!
//! Cost per tick: one evaluation of the force, the Jacobian and the acceleration terms, and three factorisations: G M⁻¹ Gᵀ, C P Cᵀ and
//! C R. A varying mass matrix is the fourth.

use super::actuated::Actuated;
use super::checks::{finite, positive};
use super::controller::{Controller, FIRST_READINGS, Smoothing, Stateful, Target};
use super::error::{ControlError, Singularity};
use super::feedforward::Reference;
use super::sensed::Sensed;
use super::tangent::Tangent;
use crate::linalg::{Ldlt, Lu, Matrix, SymmetricFactors, Vector, product, subtract_product};
use crate::project::Geometry;
use crate::scalar::Float;
use crate::system::Inertia;

/// Computed torque with an observer on the constraint manifold, for a system with `N` coordinates, `M` constraints and `U`
/// motors.
///
/// ```
/// use taut::control::ComputedTorque;
///
/// // 1 kHz; errors decay at 60/s; the observer has a bandwidth of 300 rad/s.
/// let controller = ComputedTorque::<f32, 2, 1, 1>::new([60.0], 1e-3, 300.0)?;
/// assert!(ComputedTorque::<f32, 2, 1, 1>::new([0.0], 1e-3, 300.0).is_err());
/// # Ok::<(), taut::control::ControlError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComputedTorque<T, const N: usize, const M: usize, const U: usize, F = Ldlt<T, M>> {
    frequency: [T; U],
    smoothing: Smoothing<T>,
    factors: core::marker::PhantomData<F>,
}

/// The state of a [`ComputedTorque`]: the estimates of its observer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observer<T, const N: usize, const U: usize> {
    /// q̂ and v̂: after `applied` the prediction for the next tick, after `follow` the estimate.
    position: Vector<T, N>,
    velocity: Vector<T, N>,
    /// a₀ and R.
    free: Vector<T, N>,
    response: Matrix<T, N, U>,
    /// How many of the [`FIRST_READINGS`] are still to come.
    first: u8,
}

impl<T: Float, const N: usize, const M: usize, const U: usize, F> ComputedTorque<T, N, M, U, F> {
    /// From the frequency ω of each motor in rad/s, the length of a tick in seconds and the bandwidth of the observer in rad/s. Choose a
    /// bandwidth of several times the frequencies: the lag of a slower observer makes the loop unstable. An error if it is below the
    /// highest frequency or above the tick rate, 2π/tick.
    pub fn new(frequency: [T; U], tick: T, bandwidth: T) -> Result<Self, ControlError<T>> {
        let mut highest = T::zero();
        for omega in frequency {
            positive("frequency", omega)?;
            highest = if omega > highest { omega } else { highest };
        }
        Ok(Self { frequency, smoothing: Smoothing::new(tick, bandwidth, highest)?, factors: core::marker::PhantomData })
    }
}

impl<T, const N: usize, const U: usize> Observer<T, N, U> {
    /// The estimated coordinates; after [`applied`](Controller::applied) the prediction for the next tick.
    pub fn position(&self) -> &Vector<T, N> {
        &self.position
    }

    /// The estimated velocities; after [`applied`](Controller::applied) the prediction for the next tick.
    pub fn velocity(&self) -> &Vector<T, N> {
        &self.velocity
    }
}

impl<T: Float, const N: usize, const M: usize, const U: usize, F> Stateful for ComputedTorque<T, N, M, U, F> {
    type State = Observer<T, N, U>;
}

impl<System, T, const N: usize, const M: usize, const E: usize, const U: usize, F> Controller<System, T, N, M, E, U>
    for ComputedTorque<T, N, M, U, F>
where
    T: Float,
    System: Actuated<N, M, U, Base = T> + Sensed<N, M, E>,
    F: SymmetricFactors<T, M>,
{
    fn tick_length(&self) -> Option<T> {
        Some(self.smoothing.h)
    }

    fn start(&self, reference: &Reference<T, N, M, U>) -> Observer<T, N, U> {
        let Reference { position, velocity, .. } = *reference;
        Observer { position, velocity, free: Vector::zeros(), response: Matrix::zeros(), first: FIRST_READINGS }
    }

    /// Not inlined, so that it reuses the stack of the plan, which has returned by then.
    #[inline(never)]
    fn follow(
        &self,
        state: &mut Observer<T, N, U>,
        system: &System,
        tick: u64,
        target: &Target<T, E, U>,
        readings: &Vector<T, E>,
    ) -> Result<Vector<T, U>, ControlError<T>> {
        const { assert!(U <= E, "every motor has an encoder") };
        let (mut q, mut v, zero) = (state.position, state.velocity, T::zero());

        // The geometry at the prediction is used for the whole tick: readings change it little.
        let tangent = Tangent::<System, N, M, F>::at(system, &q, tick)?;
        let Tangent { inertia, geometry: Geometry { jacobian, correction } } = &tangent;

        // Towards the readings.
        let (predicted, sensing) = system.sensor_jacobian(&q);
        let moved = tangent.explaining(&sensing, readings - predicted, tick)?;
        let (of_position, of_velocity) = self.smoothing.gains(state.first);
        q += moved * of_position;
        v += moved * of_velocity;

        // Onto the constraints.
        tangent.onto(system, &mut q);
        let multipliers = correction.multipliers(&system.velocity_residual(jacobian, zero, &q, &v));
        subtract_product(&mut v, &correction.directions, &multipliers);

        // The acceleration without inputs, and what inputs add.
        let mut free = inertia.acceleration(&system.force(zero, &q, &v));
        let lacking = product(jacobian, &free) + system.acceleration_terms(zero, &q, &v);
        subtract_product(&mut free, &correction.directions, &correction.multipliers(&lacking));
        let response = tangent.effect(&system.actuation(&q));

        // c'' without inputs, then the inputs that supply the difference to the wanted c''.
        let now = system.sensor_motion(&q, &v, &free);
        let mut missing = Vector::<T, U>::zeros();
        let mut effect = Matrix::<T, U, U>::zeros();
        for i in 0..U {
            let omega = self.frequency[i];
            let (target, now) = (&target.shafts.data.0[0][i], &now.data.0[0][i]);
            let (error, rate) = (target.value - now.value, target.first - now.first);
            let wanted = target.second + (error * omega + (rate + rate)) * omega;
            missing.data.0[0][i] = wanted - now.second;
            for input in 0..U {
                let mut sum = zero;
                for k in 0..N {
                    sum += sensing.data.0[k][i] * response.data.0[input][k];
                }
                effect.data.0[input][i] = sum;
            }
        }
        let kind = Singularity::Actuation;
        let factors = Lu::factor(effect).map_err(|cause| ControlError::Singular { tick, kind, cause })?;
        let inputs = factors.solve(missing);
        finite("estimated position", &q, tick)?;
        finite("estimated velocity", &v, tick)?;
        finite("acceleration", &free, tick)?;
        finite("input", &inputs, tick)?;
        *state = Observer { position: q, velocity: v, free, response, first: state.first.saturating_sub(1) };
        Ok(inputs)
    }

    #[inline]
    fn applied(&self, state: &mut Observer<T, N, U>, _: &Vector<T, U>, applied: &Vector<T, U>) {
        let h = self.smoothing.h;
        let acceleration = state.free + product(&state.response, applied);
        state.position += (state.velocity + acceleration * (h * T::from_f64(0.5))) * h;
        state.velocity += acceleration * h;
    }
}

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
//! **The disturbance.** A wrong mass, friction or a push act like efforts d that nobody commanded. The observer estimates them, one for
//! each motor, as constant from tick to tick: d̂ ← d̂ + ℓ₃/h² (C R)⁻¹ r. The model step then takes u + d̂, and the law commands u − d̂. So
//! a constant disturbance leaves no error: the estimate is the integral part of this controller.
//!
//! **Half a tick.** A motor holds its effort over a tick, while the target goes on. So the law asks for c''_target half a tick later,
//! extrapolated from the last tick: c''_target + (c''_target − c''_target of the last tick)/2. The estimate d̂ contains what the other
//! forces change in half a tick.
//!
//! **No windup.** The observer predicts with the efforts that were applied, not with those that were wanted. A motor at its limit is
//! then no disturbance: the model moves as the machine does, and d̂ stays. If the machine is blocked, d̂ is at most the effort that pushes
//! against the stop, and goes with the bandwidth of the observer once the stop has gone.
//!
//! Cost per tick: the equations at two configurations, M and G at the prediction, f and the acceleration terms at the estimate; two
//! constraints; and three factorisations: G M⁻¹ Gᵀ, C P Cᵀ and C R. A varying mass matrix is the fourth.

use super::actuated::Actuated;
use super::checks::{finite, positive};
use super::controller::{Controller, FIRST_READINGS, Stateful, Target};
use super::error::ControlError;
use super::estimation::Estimation;
use super::feedforward::Reference;
use super::sensed::Sensed;
use super::singularity::Singularity;
use super::tangent::Tangent;
use super::turns::off_by_at;
use crate::linalg::entries::{add_scaled, pairs, zeros};
use crate::linalg::written_out::for_each;
use crate::linalg::{
    BlockFactors, Dense, Ldlt, Matrix, SymmetricFactors, Vector, pivot_tolerance, product, product_of,
};
use crate::project::{Geometry, along};
use crate::scalar::Float;
use crate::system::{Equations, Inertia};

/// Computed torque with an observer on the constraint manifold, for a system with `N` coordinates, `M` constraints and `U`
/// motors.
///
/// ```
/// use taut::control::ComputedTorque;
///
/// // 1 kHz; errors decay at 60/s; the observer has a bandwidth of 138 rad/s.
/// let controller = ComputedTorque::<f32, 2, 1, 1>::new([60.0], 1e-3, 138.0)?;
/// assert!(ComputedTorque::<f32, 2, 1, 1>::new([0.0], 1e-3, 138.0).is_err());
/// # Ok::<(), taut::control::ControlError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComputedTorque<T, const N: usize, const M: usize, const U: usize, F = Ldlt<T, M>> {
    frequency: [T; U],
    pub(super) estimation: Estimation<T>,
    factors: core::marker::PhantomData<F>,
}

/// The state of a [`ComputedTorque`]: the estimates of its observer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observer<T, const N: usize, const U: usize> {
    /// q̂ and v̂: after `applied` the prediction for the next tick, after `follow` the estimate.
    position: Vector<T, N>,
    velocity: Vector<T, N>,
    /// d̂.
    disturbance: Vector<T, U>,
    /// c''_target of the last tick.
    wanted: [T; U],
    /// a₀ + R d̂, and R.
    free: Vector<T, N>,
    response: Matrix<T, N, U>,
    /// How many of the [`FIRST_READINGS`] are still to come.
    first: u8,
}

impl<T: Float, const N: usize, const M: usize, const U: usize, F> ComputedTorque<T, N, M, U, F> {
    /// From the frequency ω of each motor in rad/s, the length of a tick in seconds and the bandwidth of the observer in rad/s, for which
    /// 2.3 times the highest frequency is the [rule](Self::by_rule). An error if the bandwidth is below the highest frequency or above
    /// the tick rate, 2π/tick.
    pub fn new(frequency: [T; U], tick: T, bandwidth: T) -> Result<Self, ControlError<T>> {
        let mut highest = T::zero();
        for omega in frequency {
            positive("frequency", omega)?;
            highest = if omega > highest { omega } else { highest };
        }
        let estimation = Estimation::new(tick, bandwidth, highest)?;
        Ok(Self { frequency, estimation, factors: core::marker::PhantomData })
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

    /// The estimated disturbances, as efforts of the motors: what wrong masses, friction and outside forces add to the inputs.
    pub fn disturbance(&self) -> &Vector<T, U> {
        &self.disturbance
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
        Some(self.estimation.h)
    }

    fn start(&self, reference: &Reference<T, N, M, U>) -> Observer<T, N, U> {
        let Reference { position, velocity, .. } = *reference;
        let (disturbance, free, response) = (Vector::zeros(), Vector::zeros(), Matrix::zeros());
        Observer { position, velocity, disturbance, wanted: [T::zero(); U], free, response, first: FIRST_READINGS }
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
        let innovation = System::off_by(readings, &predicted);
        let moved = tangent.explaining(&sensing, innovation, tick)?;
        let Estimation { position, velocity, acceleration, .. } = self.estimation;
        let gains = if state.first > 0 { (T::one(), zero, zero) } else { (position, velocity, acceleration) };
        let (of_position, of_velocity, of_acceleration) = gains;
        q = add_scaled(&q, &moved, of_position);
        v = add_scaled(&v, &moved, of_velocity);

        // Onto the constraints.
        tangent.onto(system, &mut q);
        let multipliers = correction.multipliers::<System>(&system.velocity_residual(jacobian, zero, &q, &v));
        correction.subtract::<System>(&mut v, &multipliers);

        // The acceleration without inputs, and what inputs add.
        let equations = system.equations(zero, &q);
        let mut free = inertia.acceleration(&equations.force(&v));
        let along = along::<System, T, N, M>(jacobian, &free);
        let lacking = pairs(&along, &equations.acceleration_terms(&v), |along, terms| along + terms);
        correction.subtract::<System>(&mut free, &correction.multipliers::<System>(&lacking));
        let response = tangent.effect(&system.actuation(&q));

        // c'' without inputs, then the inputs that supply the difference to the wanted c''.
        let now = system.sensor_motion(&q, &v, &free);
        let (mut targets, half) = ([zero; U], T::from_f64(0.5));
        let (mut missing, mut disturbed) = (zeros::<T, U>(), zeros::<T, U>());
        for_each!(I < U => {
            let omega = self.frequency[I];
            let (target, now) = (&target.shafts.data.0[0][I], &now.data.0[0][I]);
            let error = off_by_at::<System, N, M, E>(I, target.value - now.value);
            let rate = target.first - now.first;
            let change = if state.first < FIRST_READINGS { target.second - state.wanted[I] } else { zero };
            let wanted = target.second + change * half + (error * omega + (rate + rate)) * omega;
            targets[I] = target.second;
            missing.data.0[0][I] = wanted - now.second;
            disturbed.data.0[0][I] = innovation.data.0[0][I] * of_acceleration;
        });
        // C R; only the rows of the motors are read.
        let effect = product_of(&sensing, &response);
        let mut factors = BlockFactors::<T, U>::workspace();
        let made = factors.update::<Dense>(|row, column| effect.data.0[column][row], pivot_tolerance(U));
        let kind = Singularity::Actuation;
        made.map_err(|cause| ControlError::Singular { tick, kind, cause })?;
        let disturbance = pairs(&state.disturbance, &factors.solve::<Dense>(disturbed), |old, change| old + change);
        let inputs = pairs(&factors.solve::<Dense>(missing), &disturbance, |wanted, disturbance| wanted - disturbance);
        free = pairs(&free, &product(&response, &disturbance), |free, disturbed| free + disturbed);
        finite("estimated position", &q, tick)?;
        finite("estimated velocity", &v, tick)?;
        finite("acceleration", &free, tick)?;
        finite("input", &inputs, tick)?;
        let first = state.first.saturating_sub(1);
        *state = Observer { position: q, velocity: v, disturbance, wanted: targets, free, response, first };
        Ok(inputs)
    }

    #[inline]
    fn applied(&self, state: &mut Observer<T, N, U>, _: &Vector<T, U>, applied: &Vector<T, U>) {
        let h = self.estimation.h;
        let driven = product(&state.response, applied);
        let acceleration = pairs(&state.free, &driven, |free, driven| free + driven);
        let mean = add_scaled(&state.velocity, &acceleration, h * T::from_f64(0.5));
        state.position = add_scaled(&state.position, &mean, h);
        state.velocity = add_scaled(&state.velocity, &acceleration, h);
    }
}

//! Computed torque on the constraint manifold.
//!
//! With c = the motors' encoders, of the coordinates q̂ and velocities v̂ that an observer keeps on the constraints:
//!
//! ```text
//!     M a = f + B u − Gᵀ λ,    G a + g_qq(v̂, v̂) + … = 0
//!     c'' = c''_target + 2 ζ ω (c'_target − c') + ω² (c_target − c)
//! ```
//!
//! which is linear in u: a = a₀ + R u, where a₀ is the acceleration without inputs and R = P B their effect, both along
//! the manifold, P = M⁻¹ − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G M⁻¹; so C R u = c'' − C a₀ − c_qq(v̂, v̂) with C = ∂c/∂q. If the model is
//! right, errors decay like an oscillator of frequency ω with damping ζ = 1, in every pose and whatever the other motors do
//! (Luh, Walker and Paul 1980; for closed chains Murray, Li and Sastry 1994, 6.3).
//!
//! **The observer.** A model step of second order predicts q̂ and v̂. What the readings y differ from e(q̂), r, moves q̂ and v̂ along the
//! manifold, by δ = P Cᵀ (C P Cᵀ)⁻¹ r over all encoders, the smallest motion in the metric of the mass that explains the
//! readings: q̂ ← q̂ + ℓ₁ δ, v̂ ← v̂ + ℓ₂/h δ. Then both are projected onto the constraints. An encoder with few counts so gives smooth velocities:
//! with 12 bits at 1 kHz, a difference quotient comes in steps of 1.5 rad/s.
//!
//! Cost: one evaluation of the force, the Jacobian and the acceleration terms, and one factorisation; always the same.

use super::actuated::Actuated;
use super::controller::{Controller, Smoothing, Target, positive};
use super::error::{ControlError, Singularity};
use super::feedforward::Reference;
use super::sensed::Sensed;
use super::tangent::Tangent;
use crate::linalg::{FactorError, Ldlt, Lu, Matrix, SymmetricFactors, Vector, product, product_of, subtract_product};
use crate::project::Geometry;
use crate::scalar::Float;
use crate::system::Inertia;

/// Computed torque with an observer on the constraint manifold, for a system with `N` coordinates, `M` constraints and `U`
/// motors.
///
/// ```
/// use taut::control::ComputedTorque;
///
/// // 1 kHz; errors decay at 60/s; the observer believes the encoders from 300/s on.
/// let controller = ComputedTorque::<f32, 2, 1, 1>::new([60.0], 1e-3, 300.0)?;
/// assert!(ComputedTorque::<f32, 2, 1, 1>::new([0.0], 1e-3, 300.0).is_err());
/// # Ok::<(), taut::control::ControlError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComputedTorque<T, const N: usize, const M: usize, const U: usize, F = Ldlt<T, M>> {
    frequency: [T; U],
    smoothing: Smoothing<T>,
    factors: core::marker::PhantomData<F>,
    /// q̂ and v̂: from `applied` to `follow` as predicted, from then on as estimated.
    position: Vector<T, N>,
    velocity: Vector<T, N>,
    /// a₀ and R.
    free: Vector<T, N>,
    response: Matrix<T, N, U>,
}

impl<T: Float, const N: usize, const M: usize, const U: usize, F> ComputedTorque<T, N, M, U, F> {
    /// With the frequency ω at each motor in radians a second, the length of a tick and the bandwidth of the observer in radians a
    /// second. The bandwidth should be several times the frequencies, or the observer's lag destabilises.
    pub fn new(frequency: [T; U], tick: T, bandwidth: T) -> Result<Self, ControlError<T>> {
        for omega in frequency {
            positive("frequency", omega)?;
        }
        Ok(Self {
            frequency,
            smoothing: Smoothing::new(tick, bandwidth)?,
            factors: core::marker::PhantomData,
            position: Vector::zeros(),
            velocity: Vector::zeros(),
            free: Vector::zeros(),
            response: Matrix::zeros(),
        })
    }

    /// The coordinates as the observer has them: after [`applied`](Controller::applied) those predicted for the next tick.
    pub fn position(&self) -> &Vector<T, N> {
        &self.position
    }

    /// The velocities as the observer has them.
    pub fn velocity(&self) -> &Vector<T, N> {
        &self.velocity
    }
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

    fn begin(&mut self, reference: &Reference<T, N, M, U>) {
        self.position = reference.position;
        self.velocity = reference.velocity;
        self.smoothing.begin();
    }

    fn follow(
        &mut self,
        system: &System,
        tick: u64,
        target: &Target<T, E, U>,
        readings: &Vector<T, E>,
    ) -> Result<Vector<T, U>, ControlError<T>> {
        const { assert!(U <= E, "every motor has an encoder") };
        let singular = |kind| move |cause: FactorError<T>| ControlError::Singular { tick, kind, cause };
        let (mut q, mut v, zero) = (self.position, self.velocity, T::zero());

        // The geometry at the prediction, which serves for all that follows: readings move it by little.
        let tangent = Tangent::<System, N, M, F>::at(system, &q, tick)?;
        let Tangent { inertia, geometry: Geometry { jacobian, correction } } = &tangent;

        // Towards the readings.
        let (predicted, sensing) = system.sensor_jacobian(&q);
        let spread = tangent.spread(&sensing);
        let mobility = Ldlt::<T, E>::factor(product_of(&sensing, &spread)).map_err(singular(Singularity::Sensing))?;
        let innovation = readings - predicted;
        let moved = product(&spread, &mobility.solve(innovation));
        let (of_position, of_velocity) = self.smoothing.gains();
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
        let actuation = system.actuation(&q);
        let mut response = Matrix::<T, N, U>::zeros();
        for input in 0..U {
            response.data.0[input] = tangent.along(&Vector::from(actuation.data.0[input])).data.0[0];
        }

        // c'' with these, and the inputs that make up for the difference.
        let now = system.sensor_motion(&q, &v, &free);
        let mut missing = Vector::<T, U>::zeros();
        let mut effect = Matrix::<T, U, U>::zeros();
        for i in 0..U {
            let omega = self.frequency[i];
            let error = target.shafts.position.data.0[0][i] - now.position.data.0[0][i];
            let rate = target.shafts.velocity.data.0[0][i] - now.velocity.data.0[0][i];
            let wanted = target.shafts.acceleration.data.0[0][i] + (error * omega + (rate + rate)) * omega;
            missing.data.0[0][i] = wanted - now.acceleration.data.0[0][i];
            for input in 0..U {
                let mut sum = zero;
                for k in 0..N {
                    sum += sensing.data.0[k][i] * response.data.0[input][k];
                }
                effect.data.0[input][i] = sum;
            }
        }
        let inputs = Lu::factor(effect).map_err(singular(Singularity::Actuation))?.solve(missing);
        for (what, numbers) in [("estimated position", &q), ("estimated velocity", &v), ("acceleration", &free)] {
            if let Some(index) = numbers.iter().position(|number| !number.is_finite()) {
                return Err(ControlError::NonFinite { tick, what, index });
            }
        }
        if let Some(index) = inputs.iter().position(|input| !input.is_finite()) {
            return Err(ControlError::NonFinite { tick, what: "input", index });
        }
        (self.position, self.velocity, self.free, self.response) = (q, v, free, response);
        self.smoothing.advance();
        Ok(inputs)
    }

    #[inline]
    fn applied(&mut self, _: &Vector<T, U>, applied: &Vector<T, U>) {
        let h = self.smoothing.h;
        let acceleration = self.free + product(&self.response, applied);
        self.position += (self.velocity + acceleration * (h * T::from_f64(0.5))) * h;
        self.velocity += acceleration * h;
    }
}

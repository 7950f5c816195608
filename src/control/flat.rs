//! Systems with fewer inputs than degrees of freedom whose outputs determine their motion.

use super::actuated::Actuated;
use super::checks::within;
use super::error::ControlError;
use super::feedforward::Reference;
use super::inverse::Inverse;
use super::singularity::Singularity;
use super::turns::outputs_off_by;
use crate::linalg::entries::{each, pairs, transposed, zeros};
use crate::linalg::written_out::for_each;
use crate::linalg::{Ldlt, Vector, magnitude, pivot_tolerance, product, product_of, sum_of_products};
use crate::scalar::{Dual, Float, Real};
use crate::system::Mass;
use crate::trajectory::Trajectory;

/// A system with a flat output (Fliess, Lévine, Martin and Rouchon 1995): the output and its second derivative determine coordinates
/// and multipliers.
///
/// The map follows from the equations of motion without inputs. With these, a servo constraint of index 5 becomes one of index 3
/// (Blajer and Kołodziejczyk 2004, the projected form). A model solves them for q and λ and states the solution here, once, generic
/// over the scalar. Differentiated twice along γ, which takes four derivatives of γ, it has index 1.
///
/// ```
/// # use nalgebra::vector;
/// # use taut::linalg::Vector;
/// # use taut::scalar::Real;
/// /// A hand at p pulls a mass at x through a spring: m x'' = k (p − x), solved for p.
/// fn configuration<S: Real<Base = f64>>(x: &Vector<S, 1>, acceleration: &Vector<S, 1>) -> Vector<S, 2> {
///     let (mass, stiffness) = (0.5, 200.0);
///     vector![x[0] + acceleration[0] * (mass / stiffness), x[0]]
/// }
/// # assert_eq!(configuration(&vector![1.0], &vector![400.0])[0], 2.0);
/// ```
pub trait Flat<const N: usize, const M: usize, const U: usize>: Actuated<N, M, U> {
    /// q and λ for an output and its second derivative. Every tick checks them against the constraints and the output;
    /// [`FlatInverse`](super::FlatInverse) also checks them against the equations of motion.
    fn configuration<S: Real<Base = Self::Base>>(
        &self,
        output: &Vector<S, U>,
        acceleration: &Vector<S, U>,
    ) -> (Vector<S, N>, Vector<S, M>);
}

/// The error of a `configuration` that contradicts the model.
fn not_flat<T>(what: &'static str, tick: u64) -> impl Fn(usize, T, T) -> ControlError<T> {
    move |index, residual, limit| ControlError::NotFlat { tick, what, index, residual, limit }
}

impl<System, Path, T, const N: usize, const M: usize, const U: usize, const K: usize> Inverse<System, Path, N, M, U, K>
where
    T: Float,
    System: Actuated<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T>,
{
    /// Checks that a configuration satisfies the constraints and has the target output, to √ε of the coordinates.
    #[inline]
    pub(super) fn check_configuration(
        &self,
        t: T,
        q: &Vector<T, N>,
        target: &Vector<T, U>,
        tick: u64,
    ) -> Result<(), ControlError<T>> {
        let size = (magnitude(q) + T::MIN_POSITIVE) * T::ROOT_EPSILON;
        let off = pairs(&self.system.output(q), target, |output, target| output - target);
        let off = outputs_off_by::<System, N, M, U>(off);
        within(&off.data.0[0], &[size; U], not_flat("output", tick))?;
        let (g, jacobian) = (self.system.constraint(t, q), self.system.jacobian(t, q));
        let mut slopes = zeros::<T, M>();
        for_each!(COLUMN < N => {
            slopes = pairs(&slopes, &Vector::from(jacobian.data.0[COLUMN]), |slope, entry| slope + entry.abs());
        });
        let limits = each(&slopes, |slope| slope * size);
        within(&g.data.0[0], &limits.data.0[0], not_flat("constraint", tick))
    }

    /// The inputs of B u = M q'' − f + Gᵀ λ, which has more equations than unknowns, by least squares. If the motion is `exact`, all
    /// equations must hold to √ε of the forces, or to the change of the forces with the last digits of the coordinates.
    #[inline]
    pub(super) fn inputs(
        &self,
        t: T,
        motion: &Reference<T, N, M, U>,
        tick: u64,
        exact: bool,
    ) -> Result<Vector<T, U>, ControlError<T>> {
        let (system, Reference { position: q, velocity: v, acceleration: a, multipliers, .. }) = (&self.system, motion);
        let inertia = system.mass().times(|| system.mass_matrix_at(t, q), a);
        let variables = Vector::from(Dual::<T, N>::variables(q.data.0[0]));
        let along = system.force(Dual::constant(t), &variables, &each(v, Dual::constant));
        let force = each(&along, |force| force.value);
        let held = product(&transposed(&system.jacobian(t, q)), multipliers);
        let free = pairs(&inertia, &force, |inertia, force| inertia - force);
        let needed = pairs(&free, &held, |free, held| free + held);

        let actuation = system.actuation(q);
        let transposed = transposed(&actuation);
        let limit = self.pivot_limit * self.pivot_limit + pivot_tolerance(U);
        let normal = Ldlt::factor_with(product_of(&transposed, &actuation), limit);
        let kind = Singularity::Actuation;
        let normal = normal.map_err(|cause| ControlError::Singular { tick, kind, cause })?;
        let inputs = normal.solve(product(&transposed, &needed));
        if exact {
            let missing = pairs(&needed, &product(&actuation, &inputs), |needed, driven| needed - driven);
            // Where all forces pass through zero, the residual is the change of the forces with the last digits of the coordinates.
            let rounding = each(&along, |force| {
                let changes = pairs(&Vector::from(force.partials), q, |partial, q| (partial * q).abs());
                sum_of_products::<T, N>(|k| (changes.data.0[0][k], T::one()))
            });
            let limit = (magnitude(&inertia) + magnitude(&force) + magnitude(&held)) * T::ROOT_EPSILON
                + magnitude(&rounding) * (T::EPSILON + T::EPSILON)
                + T::MIN_POSITIVE;
            within(&missing.data.0[0], &[limit; N], not_flat("equation of motion", tick))?;
        }
        self.check_inputs(&inputs, tick)?;
        Ok(inputs)
    }
}

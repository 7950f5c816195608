//! Systems with fewer inputs than degrees of freedom, whose motion follows from that of their outputs.

use super::actuated::Actuated;
use super::error::{ControlError, Equation, Singularity};
use crate::linalg::{Ldlt, Vector, magnitude, product, product_of};
use crate::scalar::{Dual, Float, Real};
use crate::system::Mass;

/// A system with a flat output (Fliess, Lévine, Martin and Rouchon 1995): coordinates and multipliers follow from the output and its
/// second derivative.
///
/// The equations of motion that no input enters say so. With them in the place of what no input can bring about directly, a
/// servo constraint of index 5 becomes one of index 3 (Blajer and Kołodziejczyk 2004, the projected form); solved for q and λ it
/// is what a model states here, written once, generic over the scalar. With two derivatives of it along γ, hence four of γ, the index
/// is 1.
///
/// ```
/// # use nalgebra::vector;
/// # use taut::linalg::Vector;
/// # use taut::scalar::Real;
/// /// A mass that is pulled through a spring: m x'' = k (p − x), the hand p is where it must be for that.
/// fn configuration<S: Real<Base = f64>>(x: &Vector<S, 1>, acceleration: &Vector<S, 1>) -> Vector<S, 2> {
///     let (mass, stiffness) = (0.5, 200.0);
///     vector![x[0] + acceleration[0] * (mass / stiffness), x[0]]
/// }
/// # assert_eq!(configuration(&vector![1.0], &vector![400.0])[0], 2.0);
/// ```
pub trait Flat<const N: usize, const M: usize, const U: usize>: Actuated<N, M, U> {
    /// q and λ for an output and its second derivative. What this says is checked at every tick, against the constraints and the
    /// output, and by [`FlatInverse`](super::FlatInverse) against the equations of motion.
    fn configuration<S: Real<Base = Self::Base>>(
        &self,
        output: &Vector<S, U>,
        acceleration: &Vector<S, U>,
    ) -> (Vector<S, N>, Vector<S, M>);
}

/// Whether a configuration satisfies the constraints and has the output that it was made for: to √ε of the coordinates.
#[inline]
pub(super) fn configured<System, T, const N: usize, const M: usize, const U: usize>(
    system: &System,
    (t, q): (T, &Vector<T, N>),
    target: &Vector<T, U>,
    tick: u64,
) -> Result<(), ControlError<T>>
where
    T: Float,
    System: Actuated<N, M, U, Base = T>,
{
    let size = (magnitude(q) + T::MIN_POSITIVE) * T::ROOT_EPSILON;
    let off = system.output(q) - target;
    for row in 0..U {
        let residual = off.data.0[0][row];
        if !(residual.abs() <= size) {
            return Err(ControlError::Configuration { tick, equation: Equation::Output(row), residual, limit: size });
        }
    }
    let (g, jacobian) = (system.constraint(t, q), system.jacobian(t, q));
    for row in 0..M {
        let residual = g.data.0[0][row];
        let mut slope = T::zero();
        for column in 0..N {
            slope += jacobian.data.0[column][row].abs();
        }
        let limit = slope * size;
        if !(residual.abs() <= limit) {
            return Err(ControlError::Configuration { tick, equation: Equation::Constraint(row), residual, limit });
        }
    }
    Ok(())
}

/// What no input may have to bring about: the equations of motion without one, and how exactly they must hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Balance<T, const N: usize> {
    missing: Vector<T, N>,
    limit: T,
}

impl<T: Float, const N: usize> Balance<T, N> {
    /// Whether they hold, to √ε of the forces, or as well as the coordinates' digits let them.
    #[inline]
    pub(super) fn check(&self, tick: u64) -> Result<(), ControlError<T>> {
        let limit = self.limit;
        for index in 0..N {
            let residual = self.missing.data.0[0][index];
            if !(residual.abs() <= limit) {
                return Err(ControlError::Unbalanced { tick, index, residual, limit });
            }
        }
        Ok(())
    }
}

/// The inputs with B u = M q'' − f + Gᵀ λ, which has more equations than unknowns, and how well all of them hold.
#[inline]
pub(super) fn inputs<System, T, const N: usize, const M: usize, const U: usize>(
    system: &System,
    (t, q, v, a): (T, &Vector<T, N>, &Vector<T, N>, &Vector<T, N>),
    multipliers: &Vector<T, M>,
    tick: u64,
) -> Result<(Vector<T, U>, Balance<T, N>), ControlError<T>>
where
    T: Float,
    System: Actuated<N, M, U, Base = T>,
{
    let inertia = system.mass().times(|| system.mass_matrix(q), a);
    let along =
        system.force(Dual::constant(t), &Vector::from(Dual::<T, N>::variables(q.data.0[0])), &v.map(Dual::constant));
    let force = along.map(|force| force.value);
    let held = product(&system.jacobian(t, q).transpose(), multipliers);
    let needed = inertia - force + held;

    let actuation = system.actuation(q);
    let transposed = actuation.transpose();
    let kind = Singularity::Actuation;
    let normal = Ldlt::factor(product_of(&transposed, &actuation)).map_err(|cause| ControlError::Singular {
        tick,
        kind,
        cause,
    })?;
    let inputs = normal.solve(product(&transposed, &needed));

    let missing = needed - product(&actuation, &inputs);
    // Where all forces pass through zero, what is left is what they change by as the last digits of the coordinates do.
    let mut rounding = Vector::<T, N>::zeros();
    for i in 0..N {
        for k in 0..N {
            rounding.data.0[0][i] += (along.data.0[0][i].partials[k] * q.data.0[0][k]).abs();
        }
    }
    let limit = (magnitude(&inertia) + magnitude(&force) + magnitude(&held)) * T::ROOT_EPSILON
        + magnitude(&rounding) * (T::EPSILON + T::EPSILON)
        + T::MIN_POSITIVE;
    Ok((inputs, Balance { missing, limit }))
}

//! A mechanism around a motion: x' = A x + B u in minimal coordinates.
//!
//! x = (δη, δν) are the differences of the independent coordinates and velocities from those of the motion, u the difference of its inputs. The
//! equations of motion and the acceleration constraint are differentiated along each direction that the constraints allow:
//!
//! ```text
//!     M δa + Gᵀ δλ = −δ(M a − f − B u + Gᵀ λ),   G δa = −δ(g_qq(v, v) + 2 g_qt v + g_tt + G a)
//!     δq = J δη,   G δv = −δ(G v + g_t)
//! ```
//!
//! with a and λ held on the right. All derivatives are those of dual numbers: exact up to round-off, in `f32` too. **Cost**: 2 K + 1
//! evaluations of the model with duals. Make it once for a posture, or for each time of a table on the host.

use super::actuated::Actuated;
use crate::linalg::{Matrix, SymmetricFactors, Vector};
use crate::project::{Geometry, MinimalCoordinates, ProjectError};
use crate::scalar::{Dual, Float, Jet};
use crate::system::Inertia;

/// A and B of a mechanism around the posture of `minimal` with the independent velocities ν and the inputs u, at the time `t` for which the
/// coordinates are chosen. `X` is 2 K.
///
/// ```
/// use mechanisms::Crane;
/// use nalgebra::vector;
/// use taut::control::linearise;
/// use taut::project::MinimalCoordinates;
///
/// // A load of 100 kg, 4 m below a trolley of 10 kg; the winch holds it.
/// let crane = Crane::<f64>::standard();
/// let hanging = MinimalCoordinates::<_, 4, 1, 3>::at(&crane, 0.0, &vector![0.0, -4.0, 0.0, 4.0])?;
/// let (a, b) = linearise::<_, _, 4, 1, 2, 3, 6, _>(&crane, &hanging, 0.0, &vector![0.0, 0.0, 0.0], &vector![0.0, -981.0])?;
/// // The load swings with g/l as if the trolley stood still: x'' = −(x − s) g/l.
/// assert!((a[(3, 0)] + 9.81 / 4.0).abs() < 1e-12);
/// assert_eq!(hanging.independent(), [0, 1, 2]); // x, z and the trolley; the rope depends
/// assert!((b[(5, 0)] - 0.1).abs() < 1e-15); // the force on the trolley
/// # Ok::<(), taut::project::ProjectError<f64>>(())
/// ```
pub fn linearise<System, T, const N: usize, const M: usize, const U: usize, const K: usize, const X: usize, F>(
    system: &System,
    minimal: &MinimalCoordinates<T, N, M, K, F>,
    t: T,
    nu: &Vector<T, K>,
    inputs: &Vector<T, U>,
) -> Result<(Matrix<T, X, X>, Matrix<T, X, U>), ProjectError<T>>
where
    T: Float,
    System: Actuated<N, M, U, Base = T>,
    F: SymmetricFactors<T, M>,
{
    const { assert!(X == 2 * K, "X is twice the number of independent coordinates") }
    let (q, v, basis) = (*minimal.position(), minimal.velocity(system, nu), minimal.basis());
    let inertia = system.inertia_at(t, &q).map_err(ProjectError::Mass)?;
    let geometry = Geometry::<T, N, M, F>::at(system, &inertia, t, &q).map_err(ProjectError::Constraints)?;
    let Geometry { jacobian, correction } = &geometry;
    let held = |residual: &Vector<T, M>| {
        let multipliers = correction.multipliers::<System>(residual);
        (correction.directions * multipliers, multipliers)
    };
    // a and λ of a force f with G a = −terms.
    let accelerated = |force: &Vector<T, N>, terms: &Vector<T, M>| {
        let free = inertia.acceleration(force);
        let (taken, multipliers) = held(&(jacobian * free + terms));
        (free - taken, multipliers)
    };
    let force = system.force(t, &q, &v) + system.actuation(&q) * inputs;
    let (a, multipliers) = accelerated(&force, &system.acceleration_terms(t, &q, &v));

    // The changes of the forces, and of the constraint on the levels of velocity and acceleration.
    let change = |dq: &Vector<T, N>, dv: &Vector<T, N>| {
        let along = |x: &Vector<T, N>, dx: &Vector<T, N>| x.zip_map(dx, |x, dx| Dual::<T, 1>::new(x, [dx]));
        let (q, v, a, t) = (along(&q, dq), along(&v, dv), a.map(Dual::<T, 1>::constant), Dual::<T, 1>::constant(t));
        let variables = Vector::from(Dual::<Dual<T, 1>, N, T>::variables(q.data.0[0]));
        let gradients = system.constraint(Dual::constant(t), &variables);
        let mut force = system.force(t, &q, &v) - system.mass_matrix_at(t, &q) * a;
        force += system.actuation(&q) * inputs.map(Dual::<T, 1>::constant);
        for i in 0..N {
            for m in 0..M {
                force.data.0[0][i] -= gradients.data.0[0][m].partials[i] * multipliers.data.0[0][m];
            }
        }
        let moving = q.zip_zip_map(&v, &a, Jet::<Dual<T, 1>, T>::new);
        let constraint = system.constraint(Jet::variable(t), &moving);
        let slope = |x: Dual<T, 1>| x.partials[0];
        (force.map(slope), constraint.map(|g| slope(g.first)), constraint.map(|g| slope(g.second)))
    };
    let (mut dynamics, mut actuation) = (Matrix::<T, X, X>::zeros(), Matrix::<T, X, U>::zeros());
    for k in 0..K {
        let direction = Vector::from(basis.data.0[k]);
        // Velocities that keep the constraint, without a change of the independent ones.
        let (carried, _) = held(&change(&direction, &Vector::zeros()).1);
        let carried = basis * minimal.of(&carried) - carried;
        for (column, dq, dv) in [(k, direction, carried), (K + k, Vector::zeros(), direction)] {
            let (force, _, terms) = change(&dq, &dv);
            let rate = minimal.of(&accelerated(&force, &terms).0);
            // There is such a column: the compiler does not see it at every optimisation level.
            if let Some(entries) = dynamics.data.0.get_mut(column) {
                for (entry, rate) in entries.iter_mut().skip(K).zip(rate.data.0[0]) {
                    *entry = rate;
                }
            }
        }
        dynamics.data.0[K + k][k] = T::one();
    }
    let acting = system.actuation(&q);
    for input in 0..U {
        let rate = minimal.of(&accelerated(&Vector::from(acting.data.0[input]), &Vector::zeros()).0);
        for row in 0..K {
            actuation.data.0[input][K + row] = rate.data.0[0][row];
        }
    }
    Ok((dynamics, actuation))
}

//! Assembly: from a guess onto the constraints, by steps that are the smallest in the metric of the mass.
//!
//! Gauss–Newton, with the geometry evaluated anew in each iteration: q ← q − s Δ, Δ = M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ g(t, q). The factor s is
//! chosen so that the second-order term s²/2 g_qq(Δ, Δ) is at most half of the first-order term s g. Then s is halved until the residual
//! decreases. So the iteration does not jump over a turning point to another branch of the configuration space. It ends when the
//! residual is round-off and decreases no further.

use super::error::StartError;
use crate::linalg::{SymmetricFactors, Vector, magnitude};
use crate::project::{Correction, Geometry, Level, row_limits, within};
use crate::scalar::{Float, Jet};
use crate::system::Mechanical;

/// No assembly that converged has needed as many.
pub(super) const MAX_ITERATIONS: usize = 50;

/// If a step halved this often does not reduce the residual, the residual has a minimum above zero here.
pub(super) const MAX_HALVINGS: usize = 12;

/// Positions on the constraints, and the geometry there.
type Assembled<T, const N: usize, const M: usize, F> = (Vector<T, N>, Geometry<T, N, M, F>);

pub(super) fn assemble<System, T, const N: usize, const M: usize, F>(
    system: &System,
    t: T,
    guess: &Vector<T, N>,
    limit: T,
) -> Result<Assembled<T, N, M, F>, StartError<T>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    let mut q = *guess;
    let geometry = assemble_in_place(system, t, &mut q, limit)?;
    Ok((q, geometry))
}

/// The same in place. If it fails, `q` is where it ended.
pub(crate) fn assemble_in_place<System, T, const N: usize, const M: usize, F>(
    system: &System,
    t: T,
    q: &mut Vector<T, N>,
    limit: T,
) -> Result<Geometry<T, N, M, F>, StartError<T>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    let mut residual = system.constraint(t, q);
    let mut iterations = 0;
    loop {
        let inertia = system.inertia_at(t, q).map_err(StartError::Mass)?;
        let geometry = match Geometry::<T, N, M, F>::at(system, &inertia, t, q) {
            Ok(geometry) => geometry,
            // A pose out of reach ends where the constraints become dependent: rods in a line.
            Err(cause) if iterations > 0 => {
                let limits = row_limits(&system.jacobian(t, q), limit);
                return match within(Level::Position, &residual, &limits) {
                    Ok(()) => Err(StartError::Constraints(cause)),
                    Err(residual) => Err(StartError::NotAssembled { residual, iterations }),
                };
            }
            Err(cause) => return Err(StartError::Constraints(cause)),
        };
        let correction = &geometry.correction;
        if iterations == MAX_ITERATIONS || magnitude(&residual) == T::zero() {
            return finish(geometry, &residual, limit, iterations);
        }
        iterations += 1;

        let step = correction.directions * correction.multipliers::<System>(&residual);
        let curvature = curvature(system, t, q, &step);
        let squared = |residual: &Vector<T, M>| distance::<System, _, _, _, _>(correction, residual);
        let (linear, quadratic) = (squared(&residual), squared(&curvature));
        let mut scale = if quadratic > linear { (linear / quadratic).sqrt() } else { T::one() };
        let mut halvings = 0;
        let (next, next_residual) = loop {
            let next = *q - step * scale;
            let next_residual = system.constraint(t, &next);
            // The distance to the constraint, in the metric of the present geometry.
            if squared(&next_residual) < linear {
                break (next, next_residual);
            }
            halvings += 1;
            if halvings > MAX_HALVINGS {
                return finish(geometry, &residual, limit, iterations);
            }
            scale *= T::from_f64(0.5);
        };
        *q = next;
        residual = next_residual;
    }
}

/// g_qq(d, d) at a fixed time.
fn curvature<System: Mechanical<N, M, Base = T>, T: Float, const N: usize, const M: usize>(
    system: &System,
    t: T,
    q: &Vector<T, N>,
    d: &Vector<T, N>,
) -> Vector<T, M> {
    let path = q.zip_map(d, |q, d| Jet::new(q, d, T::zero()));
    system.constraint(Jet::constant(t), &path).map(|g| g.second)
}

/// rᵀ (G M⁻¹ Gᵀ)⁻¹ r: the squared length of the correction, in the metric of the mass.
fn distance<System: Mechanical<N, M, Base = T>, T: Float, const N: usize, const M: usize, F: SymmetricFactors<T, M>>(
    correction: &Correction<T, N, M, F>,
    residual: &Vector<T, M>,
) -> T {
    let multipliers = correction.multipliers::<System>(residual);
    let mut sum = T::zero();
    for row in 0..M {
        sum += residual[row] * multipliers[row];
    }
    sum
}

fn finish<T: Float, const N: usize, const M: usize, F: SymmetricFactors<T, M>>(
    geometry: Geometry<T, N, M, F>,
    residual: &Vector<T, M>,
    limit: T,
    iterations: usize,
) -> Result<Geometry<T, N, M, F>, StartError<T>> {
    within(Level::Position, residual, &geometry.limits(limit))
        .map_err(|residual| StartError::NotAssembled { residual, iterations })?;
    Ok(geometry)
}

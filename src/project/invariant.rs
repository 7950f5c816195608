//! Projection onto an invariant of an ordinary differential equation (Hairer & Wanner VII.2, (2.12)–(2.13)).

use super::geometry::row_limits;
use super::residual::{Level, ProjectError, all_finite, within};
use crate::linalg::{Ldlt, Matrix, Vector};
use crate::scalar::{Dual, Float, Real};
use crate::system::automatic::from_partials;

/// `K` functions φ of `N` variables that a differential equation y' = f(y) keeps at zero.
pub trait Invariant<const N: usize, const K: usize> {
    /// The plain float of the variables.
    type Base: Float;

    /// φ(y), zero where the invariant has its value.
    fn residual<S: Real<Base = Self::Base>>(&self, y: &Vector<S, N>) -> Vector<S, K>;

    /// φ_y. Automatic.
    fn jacobian(&self, y: &Vector<Self::Base, N>) -> Matrix<Self::Base, K, N> {
        let variables = Vector::from(Dual::variables(y.data.0[0]));
        from_partials(&self.residual(&variables))
    }
}

/// y' = f(t, y) on the manifold φ(y) = 0 of an [`Invariant`]. [`RungeKutta4`](crate::method::RungeKutta4) and
/// [`Chart`](crate::method::Chart) step it.
pub trait OnManifold<const N: usize, const K: usize>: Invariant<N, K> {
    /// f(t, y), tangent to the manifold where y is on it.
    fn rate(&self, t: Self::Base, y: &Vector<Self::Base, N>) -> Vector<Self::Base, N>;
}

/// The point nearest to `y` where the invariant holds, by simplified Newton iterations along φ_y(y)ᵀ.
///
/// Projecting after every step keeps the order of a method. It does not make a method symplectic: with a symplectic method, project only
/// for output and continue from the unprojected value.
///
/// ```
/// use nalgebra::vector;
/// use taut::linalg::Vector;
/// use taut::project::{Invariant, onto_invariant};
/// use taut::scalar::Real;
///
/// /// The unit length of a quaternion.
/// struct Unit;
/// impl Invariant<4, 1> for Unit {
///     type Base = f32;
///     fn residual<S: Real<Base = f32>>(&self, y: &Vector<S, 4>) -> Vector<S, 1> {
///         vector![(y.dot(y) - 1.0) * 0.5]
///     }
/// }
///
/// let y = onto_invariant(&Unit, &vector![0.5, 0.5, 0.5, 0.501], 2)?;
/// assert!((y.dot(&y) - 1.0).abs() < 2e-7);
/// # Ok::<(), taut::project::ProjectError<f32>>(())
/// ```
pub fn onto_invariant<I: Invariant<N, K>, const N: usize, const K: usize>(
    invariant: &I,
    y: &Vector<I::Base, N>,
    iterations: usize,
) -> Result<Vector<I::Base, N>, ProjectError<I::Base>> {
    all_finite(Level::Position, y)?;
    let jacobian = invariant.jacobian(y);
    let factors = Ldlt::<_, K>::factor(jacobian * jacobian.transpose()).map_err(ProjectError::Constraints)?;
    let mut corrected = *y;
    for _ in 0..iterations {
        corrected -= jacobian.transpose() * factors.solve(invariant.residual(&corrected));
    }
    all_finite(Level::Position, &corrected)?;
    within(Level::Position, &invariant.residual(&corrected), &row_limits(&jacobian, I::Base::ROOT_EPSILON))
        .map_err(ProjectError::NotReached)?;
    Ok(corrected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::vector;

    /// Energy and angular momentum of the Kepler problem, y = (q, p).
    struct Kepler {
        energy: f64,
        momentum: f64,
    }

    impl Invariant<4, 2> for Kepler {
        type Base = f64;
        fn residual<S: Real<Base = f64>>(&self, y: &Vector<S, 4>) -> Vector<S, 2> {
            let radius = (y[0] * y[0] + y[1] * y[1]).sqrt();
            let energy = (y[2] * y[2] + y[3] * y[3]) * 0.5 - S::from(1.0) / radius;
            vector![energy - self.energy, y[0] * y[3] - y[1] * y[2] - self.momentum]
        }
    }

    #[test]
    fn two_invariants_hold_after_one_projection() {
        let kepler = Kepler { energy: -0.5, momentum: 0.8 };
        let near = vector![0.4001, 0.0002, 0.0001, 2.0003];
        let y = onto_invariant(&kepler, &near, 8).unwrap();
        assert!(kepler.residual(&y).amax() < 1e-14);
        assert!((y - near).norm() < 1e-2);
    }

    #[test]
    fn a_zero_gradient_and_a_distant_point_are_refused() {
        struct Circle;
        impl Invariant<2, 1> for Circle {
            type Base = f64;
            fn residual<S: Real<Base = f64>>(&self, y: &Vector<S, 2>) -> Vector<S, 1> {
                vector![y.dot(y) - 1.0]
            }
        }
        let center = onto_invariant(&Circle, &vector![0.0, 0.0], 5);
        assert!(matches!(center, Err(ProjectError::Constraints(_))));
        let far = onto_invariant(&Circle, &vector![9.0, 0.0], 1);
        assert!(matches!(far, Err(ProjectError::NotReached(residual)) if residual.row == 0));
    }

    #[test]
    fn variables_that_are_not_finite_are_refused() {
        /// The first variable is constant, the second one does not enter.
        struct First;
        impl Invariant<2, 1> for First {
            type Base = f64;
            fn residual<S: Real<Base = f64>>(&self, y: &Vector<S, 2>) -> Vector<S, 1> {
                vector![y[0] - 1.0]
            }
        }
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for (index, y) in [vector![bad, 2.0], vector![1.0, bad]].iter().enumerate() {
                let error = onto_invariant(&First, y, 2).unwrap_err();
                assert_eq!(error, ProjectError::NonFinite { level: Level::Position, index }, "{bad}");
                let text = std::format!("position {index} is NaN or infinite; check what was given");
                assert_eq!(std::string::ToString::to_string(&error), text);
            }
        }
    }
}

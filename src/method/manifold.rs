//! Runge–Kutta of order 4 for y' = f(t, y) on a manifold 0 = g(y): with projection, or in local coordinates.
//!
//! ```text
//!     RungeKutta4             y ← π(ỹ): projected at the end of the step
//!     Chart::Projected        y' = f(t, π(y)): projected at every stage, and at the end
//!     Chart::Tangent          y = a + P x + g'(a)ᵀ u(x),  x' = P f,   a = y_n, P the projector onto the tangent space at a
//!     Chart::Stereographic    y = (2 x, ±(|x|² − 1))/(|x|² + 1),  x' = η'⁺ f, on the unit sphere, from the pole that is further away
//! ```
//!
//! π is [`onto_invariant`] (Hairer, *Solving Differential Equations on Manifolds*, III.1, III.2; Hairer & Wanner VII.2, (2.18)–(2.21)). The
//! coordinates x are N-vectors in the tangent space, so no basis of it is needed.
//!
//! **Order** 4. **Preserves** g = 0 in every step. f is evaluated on the manifold only, except by [`RungeKutta4`].
//!
//! **Choose** [`RungeKutta4`], the cheapest. Choose a chart if f is not defined, or is something else, off the manifold. Bodies that turn have
//! methods of their own: [`attitude`](crate::attitude).
//!
//! **Cost**: projections take a K×K factorisation and a fixed number of iterations each: one, five (`Projected`), or four sets of iterations
//! with one factorisation (`Tangent`). The stereographic chart needs none.

use super::error::StepError;
use super::finite::finite_numbers;
use super::runge_kutta::RungeKutta4;
use super::runge_kutta_dae::classical;
use super::step::Step;
use crate::linalg::{Ldlt, Matrix, Vector, product, subtract_product, sum_of_products};
use crate::project::{Level, OnManifold, ProjectError, onto_invariant, row_limits, within};
use crate::scalar::Float;
use crate::start::ManifoldState;

/// Where y' = f(t, y) is integrated.
///
/// ```
/// use nalgebra::vector;
/// use taut::linalg::Vector;
/// use taut::method::{Chart, Step};
/// use taut::project::{Invariant, OnManifold};
/// use taut::scalar::Real;
/// use taut::start::{Clock, ManifoldState};
///
/// /// A point that the wind drives around the globe.
/// struct Globe;
/// impl Invariant<3, 1> for Globe {
///     type Base = f32;
///     fn residual<S: Real<Base = f32>>(&self, y: &Vector<S, 3>) -> Vector<S, 1> {
///         vector![(y.dot(y) - 1.0) * 0.5]
///     }
/// }
/// impl OnManifold<3, 1> for Globe {
///     fn rate(&self, _t: f32, y: &Vector<f32, 3>) -> Vector<f32, 3> {
///         vector![-y.y, y.x, 0.0] * y.z
///     }
/// }
///
/// let mut state = ManifoldState::start(&Globe, Clock::at_rate(100.0)?, [0.6, 0.0, 0.8])?;
/// for _ in 0..100 {
///     Chart::Stereographic.step(&Globe, &mut state)?;
/// }
/// assert!((state.point() - vector![0.6 * 0.8_f32.cos(), 0.6 * 0.8_f32.sin(), 0.8]).norm() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Chart {
    /// In the surrounding space, with every stage projected onto the manifold.
    Projected,
    /// In the tangent space at the beginning of the step.
    Tangent,
    /// On the unit sphere, in the plane.
    Stereographic,
}

impl<System, T, const N: usize, const K: usize> Step<System, ManifoldState<T, N, K>> for RungeKutta4<T>
where
    T: Float,
    System: OnManifold<N, K, Base = T>,
{
    type Report = ();
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        "runge_kutta_4"
    }

    fn step(&self, system: &System, state: &mut ManifoldState<T, N, K>) -> Result<(), StepError<T>> {
        let y = classical(&state.clock, &state.y, |_, t, y| Ok(system.rate(t, y)))?;
        finish(state, projected(system, &y, state.clock.tick)?)
    }
}

impl<System, T, const N: usize, const K: usize> Step<System, ManifoldState<T, N, K>> for Chart
where
    T: Float,
    System: OnManifold<N, K, Base = T>,
{
    type Report = ();
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        match self {
            Self::Projected => "runge_kutta_4_projected_stages",
            Self::Tangent => "runge_kutta_4_tangent_chart",
            Self::Stereographic => "runge_kutta_4_stereographic_chart",
        }
    }

    fn step(&self, system: &System, state: &mut ManifoldState<T, N, K>) -> Result<(), StepError<T>> {
        let (clock, tick) = (&state.clock, state.clock.tick);
        let y = match self {
            Self::Projected => {
                let y = classical(clock, &state.y, |_, t, y| Ok(system.rate(t, &projected(system, y, tick)?)))?;
                projected(system, &y, tick)?
            }
            Self::Tangent => {
                let gradient = system.jacobian(&state.y);
                let directions = gradient.transpose();
                let factors = Ldlt::<_, K>::factor(gradient * directions)
                    .map_err(|cause| refused(ProjectError::Constraints(cause), tick))?;
                let lift = |x: &Vector<T, N>| {
                    let mut y = state.y + x;
                    for _ in 0..T::NEWTON_ITERATIONS {
                        let shift = factors.solve(system.residual(&y));
                        subtract_product(&mut y, &directions, &shift);
                    }
                    reached(system, &gradient, y, tick)
                };
                let x = classical(clock, &Vector::zeros(), |_, t, x| {
                    let mut rate = system.rate(t, &lift(x)?);
                    let normal = factors.solve(product(&gradient, &rate));
                    subtract_product(&mut rate, &directions, &normal);
                    Ok(rate)
                })?;
                lift(&x)?
            }
            Self::Stereographic => {
                const { assert!(N > 1, "a sphere has two dimensions or more around it") };
                // The sign of the pole that the chart is projected from.
                let pole = if state.y.data.0[0][N - 1] < T::zero() { T::one() } else { -T::one() };
                let plane = |mut x: Vector<T, N>| {
                    x.data.0[0][N - 1] = T::zero();
                    x
                };
                let start = plane(state.y) / (T::one() - pole * state.y.data.0[0][N - 1]);
                let lift = |x: &Vector<T, N>| {
                    let square = dot(x, x);
                    let mut y = x + x;
                    y.data.0[0][N - 1] = pole * (square - T::one());
                    y / (square + T::one())
                };
                let x = classical(clock, &start, |_, t, x| {
                    let rate = system.rate(t, &lift(x));
                    let along = pole * rate.data.0[0][N - 1] - dot(x, &plane(rate));
                    let half = (dot(x, x) + T::one()) * T::from_f64(0.5);
                    Ok(plane(rate) * half + x * along)
                })?;
                reached(system, &system.jacobian(&state.y), lift(&x), tick)?
            }
        };
        finish(state, y)
    }
}

#[inline(always)]
fn dot<T: Float, const N: usize>(x: &Vector<T, N>, y: &Vector<T, N>) -> T {
    sum_of_products::<T, N>(|i| (x.data.0[0][i], y.data.0[0][i]))
}

fn projected<System: OnManifold<N, K>, const N: usize, const K: usize>(
    system: &System,
    y: &Vector<System::Base, N>,
    tick: u64,
) -> Result<Vector<System::Base, N>, StepError<System::Base>> {
    onto_invariant(system, y, System::Base::NEWTON_ITERATIONS).map_err(|error| refused(error, tick))
}

/// Refuses a point off the manifold: Newton has not reached it, or it is not the unit sphere.
fn reached<System: OnManifold<N, K>, const N: usize, const K: usize>(
    system: &System,
    gradient: &Matrix<System::Base, K, N>,
    y: Vector<System::Base, N>,
    tick: u64,
) -> Result<Vector<System::Base, N>, StepError<System::Base>> {
    let limits = row_limits(gradient, System::Base::ROOT_EPSILON);
    match within(Level::Position, &system.residual(&y), &limits) {
        Ok(()) => Ok(y),
        Err(residual) => {
            finite_numbers(Level::Position, &y, tick)?;
            Err(refused(ProjectError::NotReached(residual), tick))
        }
    }
}

fn finish<T: Float, const N: usize, const K: usize>(
    state: &mut ManifoldState<T, N, K>,
    y: Vector<T, N>,
) -> Result<(), StepError<T>> {
    finite_numbers(Level::Position, &y, state.clock.tick)?;
    state.y = y;
    state.clock.advance_in_period();
    Ok(())
}

#[cold]
fn refused<T: Float>(error: ProjectError<T>, tick: u64) -> StepError<T> {
    match error {
        ProjectError::NonFinite { level, index } => StepError::NonFinite { tick, level, index },
        ProjectError::Constraints(cause) | ProjectError::Mass(cause) => StepError::Singular { tick, cause },
        ProjectError::NotReached(residual) => StepError::NotConverged { tick, residual },
        // An invariant has no limit to set, and no minimal coordinates.
        ProjectError::InvalidLimit { .. } | ProjectError::DegreesOfFreedom { .. } => {
            StepError::NonFinite { tick, level: Level::Position, index: 0 }
        }
    }
}

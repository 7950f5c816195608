//! The trait that describes a constrained mechanical system.

use super::automatic;
use super::mass::Mass;
use crate::linalg::{FactorError, Matrix, Vector, product_where};
use crate::scalar::{Float, Real};

/// What the mass matrix of a system becomes at one configuration.
pub type InertiaOf<System, const N: usize, const M: usize> =
    <<System as Mechanical<N, M>>::Mass as Mass<<System as Mechanical<N, M>>::Base, N>>::Inertia;

/// A mechanical system with `N` coordinates and `M` constraints; `M` may be zero.
///
/// The model is immutable while it is stepped and holds no state. Inputs, a motor torque or a target, are ordinary fields
/// of it: they hold over a step, and a change between two steps acts at once.
///
/// ```
/// use nalgebra::vector;
/// use taut::linalg::Vector;
/// use taut::scalar::Real;
/// use taut::system::{Lumped, Mechanical};
///
/// struct Pendulum {
///     mass: f32,
///     length: f32,
/// }
///
/// impl Mechanical<2, 1> for Pendulum {
///     type Base = f32;
///     type Mass = Lumped<f32, 2>;
///
///     fn mass(&self) -> Lumped<f32, 2> {
///         Lumped::new([self.mass; 2])
///     }
///     fn force<S: Real<Base = f32>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
///         vector![S::from(0.0), S::from(-9.81 * self.mass)]
///     }
///     fn constraint<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
///         vector![(q.dot(q) - self.length * self.length) * 0.5]
///     }
/// }
///
/// // The Jacobian comes for free.
/// let pendulum = Pendulum { mass: 0.2, length: 0.5 };
/// let g = pendulum.jacobian(0.0, &vector![0.3, -0.4]);
/// assert_eq!((g[0], g[1]), (0.3, -0.4));
/// ```
///
/// A model that is to run in `f32` and in `f64` takes its base scalar as a type parameter, `Pendulum<T>` with
/// `type Base = T`, and writes literals as [`S::constant`](Real::constant).
pub trait Mechanical<const N: usize, const M: usize> {
    /// The plain float of parameters, states and results.
    type Base: Float;

    /// The kind of mass matrix: [`Lumped`](super::Lumped), [`Full`](super::Full) or [`Varying`](super::Varying).
    type Mass: Mass<Self::Base, N>;

    /// Whether the force uses the velocity. `true` is always right; `false` saves a force evaluation and a projection.
    const VELOCITY_DEPENDENT: bool = true;

    /// Whether the constraint uses the time, or the time is to have a [period](crate::start::State::set_period). `true` is always
    /// right; `false` saves evaluating g_t, which is then zero.
    const TIME_DEPENDENT: bool = true;

    /// Which coordinates are angles that may turn round and round: those that all equations see through functions of period
    /// 2π only. A state keeps them within [−π, π] and counts the [turns](crate::start::State::turns) apart; an angle of a
    /// hundred turns has lost seven of the 24 bits of an `f32`.
    const ANGLES: [bool; N] = [false; N];

    /// Whether a constraint uses a coordinate; where it does not, the entry of G is zero and is not computed with. `true` is
    /// always right; the pattern of G, where it is known, saves instructions in systems small enough to be unrolled.
    #[inline(always)]
    fn uses(_constraint: usize, _coordinate: usize) -> bool {
        true
    }

    /// The mass matrix, where it is constant; [`Varying`](super::Varying) where it is not.
    fn mass(&self) -> Self::Mass;

    /// The mass matrix M(q). To be overridden where it varies.
    fn mass_matrix<S: Real<Base = Self::Base>>(&self, _q: &Vector<S, N>) -> Matrix<S, N, N> {
        self.mass().constant()
    }

    /// The applied forces f(t, q, v), with the Coriolis and centrifugal terms where the mass varies.
    fn force<S: Real<Base = Self::Base>>(&self, t: S, q: &Vector<S, N>, v: &Vector<S, N>) -> Vector<S, N>;

    /// The constraint g(t, q), zero where it holds.
    fn constraint<S: Real<Base = Self::Base>>(&self, t: S, q: &Vector<S, N>) -> Vector<S, M>;

    /// G = ∂g/∂q. Automatic; written by hand it saves instructions.
    #[inline(always)]
    fn jacobian(&self, t: Self::Base, q: &Vector<Self::Base, N>) -> Matrix<Self::Base, M, N> {
        automatic::jacobian(self, t, q)
    }

    /// g_t = ∂g/∂t. Automatic; not asked for when [`TIME_DEPENDENT`](Self::TIME_DEPENDENT) is `false`.
    #[inline(always)]
    fn time_derivative(&self, t: Self::Base, q: &Vector<Self::Base, N>) -> Vector<Self::Base, M> {
        automatic::time_derivative(self, t, q)
    }

    /// g_qq(v, v) + 2 g_qt v + g_tt: what the acceleration constraint has besides G v'. Automatic.
    #[inline(always)]
    fn acceleration_terms(
        &self,
        t: Self::Base,
        q: &Vector<Self::Base, N>,
        v: &Vector<Self::Base, N>,
    ) -> Vector<Self::Base, M> {
        automatic::acceleration_terms(self, t, q, v)
    }

    /// The mass matrix at a configuration, ready to be solved with.
    #[inline(always)]
    fn inertia(&self, q: &Vector<Self::Base, N>) -> Result<InertiaOf<Self, N, M>, FactorError<Self::Base>> {
        self.mass().inertia(|| self.mass_matrix(q))
    }

    /// The same, in place of that of another configuration; the first has [`room`](Mass::room) for it.
    #[inline(always)]
    fn update_inertia(
        &self,
        inertia: &mut InertiaOf<Self, N, M>,
        q: &Vector<Self::Base, N>,
    ) -> Result<(), FactorError<Self::Base>> {
        self.mass().update(inertia, || self.mass_matrix(q))
    }

    /// G v + g_t: what the velocity constraint lacks.
    #[inline(always)]
    fn velocity_residual(
        &self,
        jacobian: &Matrix<Self::Base, M, N>,
        t: Self::Base,
        q: &Vector<Self::Base, N>,
        v: &Vector<Self::Base, N>,
    ) -> Vector<Self::Base, M> {
        let along = product_where(jacobian, v, Self::uses);
        if Self::TIME_DEPENDENT { along + self.time_derivative(t, q) } else { along }
    }
}

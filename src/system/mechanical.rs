//! The trait that describes a constrained mechanical system.

use super::automatic;
use super::equations::{Equations, Separate};
use super::mass::Mass;
use super::pattern::Pattern;
use crate::linalg::{FactorError, Matrix, Vector};
use crate::project::along;
use crate::scalar::{Float, Real};

/// The type of a system's mass matrix at one configuration.
pub type InertiaOf<System, const N: usize, const M: usize> =
    <<System as Mechanical<N, M>>::Mass as Mass<<System as Mechanical<N, M>>::Base, N>>::Inertia;

/// A mechanical system with `N` coordinates and `M` constraints; `M` may be zero.
///
/// The model is immutable during a step and holds no state. Inputs, such as a motor torque or a target, are ordinary fields. They are
/// constant within a step, and a change between two steps acts at once.
///
/// ```
/// use nalgebra::vector;
/// use taut::linalg::Vector;
/// use taut::scalar::Real;
/// use taut::system::{Diagonal, Mechanical};
///
/// struct Pendulum {
///     mass: f32,
///     length: f32,
/// }
///
/// impl Mechanical<2, 1> for Pendulum {
///     type Base = f32;
///     type Mass = Diagonal<f32, 2>;
///
///     fn mass(&self) -> Diagonal<f32, 2> {
///         Diagonal::new([self.mass; 2])
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
/// A model for both `f32` and `f64` has its base scalar as a type parameter, `Pendulum<T>` with `type Base = T`, and writes literals as
/// [`S::constant`](Real::constant).
pub trait Mechanical<const N: usize, const M: usize>: Sized {
    /// The plain float of parameters, states and results.
    type Base: Float;

    /// The kind of mass matrix: [`Diagonal`](super::Diagonal), [`Points`](super::Points), [`Full`](super::Full) or [`Varying`](super::Varying).
    type Mass: Mass<Self::Base, N>;

    /// Whether the force uses the velocity. `true` is always right; `false` saves a force evaluation and a projection.
    const VELOCITY_DEPENDENT: bool = true;

    /// Whether the constraint uses the time, or the clock has a [period](crate::start::Clock::set_period). `true` is always right; `false`
    /// saves the evaluation of g_t, which is then zero.
    const TIME_DEPENDENT: bool = true;

    /// Which coordinates are angles that may turn without limit. The equations must use them only in functions of period 2π. A state keeps
    /// them within [−π, π] and counts the [turns](crate::start::State::turns) separately: after a hundred turns an angle in `f32` would
    /// have lost seven of its 24 bits.
    const ANGLES: [bool; N] = [false; N];

    /// Which coordinates each constraint uses. Where it uses none, the entry of G is zero, and no instruction is spent on it. Dense is always
    /// right. [`Start`](crate::start::Start) refuses a pattern that misses an entry.
    ///
    /// Number the constraints as you like: with up to 16 coordinates and 16 constraints, they are eliminated in an order that keeps most
    /// of the zeros, found at compile time. In larger systems the pattern saves nothing, all loops are dense: describe long chains as
    /// [`Serial`](super::Serial).
    /// A state has the factors of the model that started or stepped it last: a model that steps it, too, must have the same pattern.
    const PATTERN: Pattern<N, M> = Pattern::dense();

    /// The mass matrix if it is constant, else [`Varying`](super::Varying).
    fn mass(&self) -> Self::Mass;

    /// The mass matrix M(q). Override it if it varies.
    fn mass_matrix<S: Real<Base = Self::Base>>(&self, _q: &Vector<S, N>) -> Matrix<S, N, N> {
        self.mass().constant()
    }

    /// The applied forces f(t, q, v), including Coriolis and centrifugal terms if the mass varies.
    fn force<S: Real<Base = Self::Base>>(&self, t: S, q: &Vector<S, N>, v: &Vector<S, N>) -> Vector<S, N>;

    /// The constraint g(t, q), zero where it holds.
    fn constraint<S: Real<Base = Self::Base>>(&self, t: S, q: &Vector<S, N>) -> Vector<S, M>;

    /// G = ∂g/∂q. Automatic; written by hand it saves instructions.
    #[inline(always)]
    fn jacobian(&self, t: Self::Base, q: &Vector<Self::Base, N>) -> Matrix<Self::Base, M, N> {
        automatic::jacobian(self, t, q)
    }

    /// g_t = ∂g/∂t. Automatic; not called if [`TIME_DEPENDENT`](Self::TIME_DEPENDENT) is `false`.
    #[inline(always)]
    fn time_derivative(&self, t: Self::Base, q: &Vector<Self::Base, N>) -> Vector<Self::Base, M> {
        automatic::time_derivative(self, t, q)
    }

    /// g_qq(v, v) + 2 g_qt v + g_tt: the terms of the acceleration constraint besides G v'. Automatic.
    #[inline(always)]
    fn acceleration_terms(
        &self,
        t: Self::Base,
        q: &Vector<Self::Base, N>,
        v: &Vector<Self::Base, N>,
    ) -> Vector<Self::Base, M> {
        automatic::acceleration_terms(self, t, q, v)
    }

    /// The mass matrix, the force, the Jacobian and the acceleration terms at one configuration. By default it calls the functions above.
    /// Override it if they share costly terms, so that each sine is evaluated once instead of four times.
    #[inline(always)]
    fn equations<'a>(&'a self, t: Self::Base, q: &'a Vector<Self::Base, N>) -> impl Equations<Self::Base, N, M> {
        Separate { system: self, t, q }
    }

    /// The mass matrix at a configuration, factorised.
    #[inline(always)]
    fn inertia(&self, q: &Vector<Self::Base, N>) -> Result<InertiaOf<Self, N, M>, FactorError<Self::Base>> {
        self.mass().inertia(|| self.mass_matrix(q))
    }

    /// M at a time. It depends on it only in a [`Massless`](super::Massless) model.
    #[doc(hidden)]
    #[inline(always)]
    fn mass_matrix_at<S: Real<Base = Self::Base>>(&self, _t: S, q: &Vector<S, N>) -> Matrix<S, N, N> {
        self.mass_matrix(q)
    }

    /// The same, factorised.
    #[doc(hidden)]
    #[inline(always)]
    fn inertia_at(
        &self,
        _t: Self::Base,
        q: &Vector<Self::Base, N>,
    ) -> Result<InertiaOf<Self, N, M>, FactorError<Self::Base>> {
        self.inertia(q)
    }

    /// λ of the model's own equations, from those of the equations that a method solves; `change` returns G and v' there. They differ in a
    /// [`Massless`](super::Massless) model only, which changes the force if the equations have one, at `force_at`.
    #[doc(hidden)]
    #[inline(always)]
    #[allow(clippy::type_complexity, reason = "time, position and velocity, as everywhere")]
    fn own_multipliers(
        &self,
        multipliers: Vector<Self::Base, M>,
        _change: impl FnOnce() -> (Matrix<Self::Base, M, N>, Vector<Self::Base, N>),
        _force_at: Option<(Self::Base, &Vector<Self::Base, N>, &Vector<Self::Base, N>)>,
    ) -> Vector<Self::Base, M> {
        multipliers
    }

    /// The same, in place. `inertia` holds that of another configuration, or is a new [`workspace`](Mass::workspace).
    #[inline(always)]
    fn update_inertia(
        &self,
        inertia: &mut InertiaOf<Self, N, M>,
        q: &Vector<Self::Base, N>,
    ) -> Result<(), FactorError<Self::Base>> {
        self.mass().update(inertia, || self.mass_matrix(q))
    }

    /// G v + g_t: the residual of the velocity constraint.
    #[inline(always)]
    fn velocity_residual(
        &self,
        jacobian: &Matrix<Self::Base, M, N>,
        t: Self::Base,
        q: &Vector<Self::Base, N>,
        v: &Vector<Self::Base, N>,
    ) -> Vector<Self::Base, M> {
        let along = along::<Self, _, N, M>(jacobian, v);
        if Self::TIME_DEPENDENT { along + self.time_derivative(t, q) } else { along }
    }
}

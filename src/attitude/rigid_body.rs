//! The equations of a rigid body, and the Runge–Kutta methods of Munthe-Kaas for them.
//!
//! ```text
//!     Π' = Π × Ω + τ(t, R, Ω),   Π = I Ω,   R' = R Ω̂                                (body frame)
//!     R = R_n exp θ:   (θ, Π)' = (dexp⁻¹(Ω), Π × Ω + τ) from (0, Π_n) by a Runge–Kutta method, then R_n₊₁ = R_n exp θ
//! ```
//!
//! (Hairer, *Solving Differential Equations on Manifolds*, III.4.) The tableaux are Euler's method (Lie–Euler), the midpoint rule and the
//! classical method of order 4. Orders 1 and 2 need only the first term of dexp⁻¹, Ω: a method of order p keeps its order if brackets of
//! more than p − 2 factors are left out (Hairer, Lubich & Wanner, *Geometric Numerical Integration*, IV.8).
//!
//! **Order** 1, 2 and 4 in attitude and angular momentum. **Preserves** the norm of the quaternion. Energy and angular momentum drift, at
//! small steps by far less than those of the midpoint rule oscillate.
//!
//! **Choose** order 4 for a driven body: a drone, a gimbal, a satellite with wheels. Choose
//! [`ImplicitMidpoint`](super::ImplicitMidpoint) for long runs without torques, and for stiff torques.
//!
//! **Cost**: as many torques as stages, for order 4 three dexp⁻¹, one exponential; one more for each stage whose torque uses the
//! attitude.

use super::rotation::{Rotation, add, cross, dexp_inverse, exp_m1};
use super::state::{BodyState, check_turn};
use crate::linalg::Vector;
use crate::linalg::entries::{add_scaled, each, zeros};
use crate::linalg::written_out::for_each;
use crate::method::{Step, StepError};
use crate::scalar::{Float, Real};
use crate::start::{Precision, StepSize};
use crate::system::{ConstantMass, Inertia};

/// A rigid body: its inertia and the torques on it.
///
/// ```
/// use nalgebra::vector;
/// use taut::attitude::{Body, Rotation};
/// use taut::linalg::Vector;
/// use taut::scalar::Real;
/// use taut::system::Diagonal;
///
/// /// A heavy top: gravity pulls at a distance from its tip, which is fixed.
/// struct Top;
/// impl Body for Top {
///     type Base = f32;
///     type Inertia = Diagonal<f32, 3>;
///     fn inertia(&self) -> Diagonal<f32, 3> {
///         Diagonal::new([2.0e-3, 2.0e-3, 5.0e-4]) // kg m², about the tip
///     }
///     fn torque<S: Real<Base = f32>>(&self, _t: S, attitude: &Rotation<S>, _rate: &Vector<S, 3>) -> Vector<S, 3> {
///         let weight = attitude.rotate_back(&vector![S::zero(), S::zero(), S::from(-0.5 * 9.81)]);
///         vector![weight.y * -0.05, weight.x * 0.05, S::zero()] // 0.05 m e_z × weight
///     }
/// }
/// ```
pub trait Body {
    /// The plain float of parameters, states and results.
    type Base: Float;
    /// The kind of the inertia: [`Diagonal`](crate::system::Diagonal) in principal axes, else [`Full`](crate::system::Full).
    type Inertia: ConstantMass<Self::Base, 3>;

    /// The inertia about the centre of mass, or about a fixed point, in the body frame.
    fn inertia(&self) -> Self::Inertia;

    /// The torque in the body frame; zero by default.
    #[inline(always)]
    fn torque<S: Real<Base = Self::Base>>(&self, t: S, attitude: &Rotation<S>, rate: &Vector<S, 3>) -> Vector<S, 3> {
        let _ = (t, attitude, rate);
        Vector::from([S::zero(); 3])
    }
}

/// A Runge–Kutta method of Munthe-Kaas with `S` stages, each of which uses only the one before it.
///
/// ```
/// use nalgebra::vector;
/// use taut::attitude::{Body, BodyState, MuntheKaas, Rotation};
/// use taut::method::Step;
/// use taut::start::Clock;
/// use taut::system::Diagonal;
///
/// /// A free body.
/// struct Satellite;
/// impl Body for Satellite {
///     type Base = f64;
///     type Inertia = Diagonal<f64, 3>;
///     fn inertia(&self) -> Diagonal<f64, 3> {
///         Diagonal::new([1.6, 1.0, 0.7])
///     }
/// }
///
/// let mut state = BodyState::start(&Satellite, Clock::at_rate(100.0)?, Rotation::identity(), [0.3, 0.1, 0.8])?;
/// let in_space = state.rotation().rotate(state.momentum());
/// for _ in 0..1_000 {
///     MuntheKaas::order_four().step(&Satellite, &mut state)?;
/// }
/// // The angular momentum keeps its direction in space.
/// assert!((state.rotation().rotate(state.momentum()) - in_space).norm() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MuntheKaas<T, const S: usize> {
    /// Node and weight of each stage.
    stages: [(T, T); S],
}

impl<T: Float> MuntheKaas<T, 1> {
    /// Lie–Euler, of order 1: to compare with.
    pub fn order_one() -> Self {
        Self { stages: [(T::zero(), T::one())] }
    }
}

impl<T: Float> MuntheKaas<T, 2> {
    /// The explicit midpoint rule.
    pub fn order_two() -> Self {
        Self { stages: [(T::zero(), T::zero()), (T::from_f64(0.5), T::one())] }
    }
}

impl<T: Float> MuntheKaas<T, 4> {
    /// The classical method of order 4.
    pub fn order_four() -> Self {
        let [half, third, sixth] = [0.5, 1.0 / 3.0, 1.0 / 6.0].map(T::from_f64);
        Self { stages: [(T::zero(), sixth), (half, third), (half, third), (T::one(), sixth)] }
    }
}

impl<B: Body<Base = T>, T: Float, P: Precision, const S: usize> Step<B, BodyState<T, P>> for MuntheKaas<T, S> {
    type Report = ();
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        match S {
            1 => "lie_euler",
            2 => "munthe_kaas_2",
            _ => "munthe_kaas_4",
        }
    }

    #[inline]
    fn step(&self, body: &B, state: &mut BodyState<T, P>) -> Result<(), StepError<T>> {
        let StepSize { h, .. } = state.attitude.clock.size;
        let tick = state.attitude.clock.tick;
        let [t, _] = state.attitude.clock.plain_times();
        let (start, momentum) = (state.rotation(), *state.momentum.rounded());
        let inertia = body.inertia();

        // The slopes of the stage before, and the sums of all.
        let (mut turning, mut gaining) = (zeros(), zeros());
        let (mut turn, mut gain) = (zeros(), zeros());
        for_each!(I < S => {
            let (node, weight) = self.stages[I];
            let length = h * node;
            let theta = each(&turning, |u| u * length);
            let momentum = if I == 0 { momentum } else { add_scaled(&momentum, &gaining, length) };
            let rate = inertia.acceleration(&momentum);
            let attitude = if I == 0 { start } else { start * Rotation::exp(&theta) };
            gaining = add(&cross(&momentum, &rate), &body.torque(t + length, &attitude, &rate));
            turning = if I == 0 || S <= 2 { rate } else { dexp_inverse(&theta, &rate) };
            check_turn(&each(&turning, |u| u * h), tick)?;
            turn = add_scaled(&turn, &turning, weight);
            gain = add_scaled(&gain, &gaining, weight);
        });
        let quaternion = state.attitude.turned(&exp_m1(&each(&turn, |u| u * h)));
        let momentum = state.momentum.begin().by(&each(&gain, |k| k * h)).finish();
        state.finish(&quaternion, &momentum)
    }
}

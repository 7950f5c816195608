//! The implicit midpoint rule for a rigid body, completed by an attitude with the Cayley map.
//!
//! ```text
//!     I Ω = Π_n + h/2 (I Ω × Ω + τ(t + h/2, R, Ω))       Newton's method for Ω, the angular velocity in the middle
//!     R_n₊₁ = R_n C,   C = cay(h Ω)
//!     Π_n₊₁ = Cᵀ (Π_n + h/2 τ) + h/2 τ                   the same as Π_n + h (I Ω × Ω + τ)
//! ```
//!
//! (Hairer, *Solving Differential Equations on Manifolds*, I.1, Fig. I.2, for Π.) The torque sees the attitude half way between R_n and R_n₊₁.
//!
//! **Order** 2. **Preserves** |Π|, the energy and the angular momentum in space R Π of a free body, all to round-off; it is symmetric, so with
//! reversible torques the energy does not drift either. |Π| and R Π do not depend on how far Newton has converged, because Π is turned
//! back by the same C.
//!
//! **Choose it** for free bodies and long runs, and for stiff torques. [`MuntheKaas`](super::MuntheKaas) of order 4 is more accurate at
//! small steps.
//!
//! **Cost**: each Newton iteration evaluates the torque with three derivatives and factorises a 3×3 matrix.

use super::rigid_body::Body;
use super::rotation::{Rotation, add, cayley_m1, cross, displaced};
use super::state::{BodyState, check_turn};
use crate::linalg::entries::{add_scaled, each, pairs};
use crate::linalg::{Lu, Vector, magnitude};
use crate::method::{DEFAULT_ITERATIONS, Step, StepError, iterations, last_correction, solved};
use crate::project::Level;
use crate::scalar::{Dual, Float, Real};
use crate::start::{Precision, StepSize};
use crate::system::automatic::from_partials;
use crate::system::{Inertia, Mass};

/// The implicit midpoint rule with `K` Newton iterations.
///
/// ```
/// # use taut::attitude::{Body, BodyState, ImplicitMidpoint, Rotation};
/// # use taut::method::Step;
/// # use taut::start::Clock;
/// # use taut::system::Diagonal;
/// # struct Satellite;
/// # impl Body for Satellite {
/// #     type Base = f64;
/// #     type Inertia = Diagonal<f64, 3>;
/// #     fn inertia(&self) -> Diagonal<f64, 3> {
/// #         Diagonal::new([1.6, 1.0, 0.7])
/// #     }
/// # }
/// let mut state = BodyState::start(&Satellite, Clock::at_rate(10.0)?, Rotation::identity(), [0.3, 0.1, 0.8])?;
/// let energy = |state: &BodyState<f64>| state.momentum().dot(&state.rate(&Satellite)) / 2.0;
/// let at_start = energy(&state);
/// for _ in 0..10_000 {
///     ImplicitMidpoint::new().step(&Satellite, &mut state)?;
/// }
/// assert!((energy(&state) - at_start).abs() < 1e-13);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ImplicitMidpoint<const K: usize = DEFAULT_ITERATIONS>;

impl ImplicitMidpoint {
    /// With two Newton iterations in `f32`, six in `f64`.
    pub const fn new() -> Self {
        Self
    }
}

impl<const K: usize> ImplicitMidpoint<K> {
    /// Sets the number of Newton iterations.
    pub const fn iterations<const ITERATIONS: usize>(self) -> ImplicitMidpoint<ITERATIONS> {
        ImplicitMidpoint
    }
}

impl<B: Body<Base = T>, T: Float, P: Precision, const K: usize> Step<B, BodyState<T, P>> for ImplicitMidpoint<K> {
    type Report = ();
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        "implicit_midpoint"
    }

    #[inline]
    fn step(&self, body: &B, state: &mut BodyState<T, P>) -> Result<(), StepError<T>> {
        let StepSize { h, half, .. } = state.attitude.clock.size;
        let tick = state.attitude.clock.tick;
        let [t, _] = state.attitude.clock.plain_times();
        let (start, before) = (state.rotation(), *state.momentum.rounded());
        let inertia = body.inertia();

        let mut rate = inertia.acceleration(&before);
        let mut last_step = Vector::zeros();
        for _ in 0..iterations::<T, K>() {
            check_turn(&each(&rate, |x| x * h), tick)?;
            let unknown = Vector::from(Dual::<T, 3>::variables(rate.data.0[0]));
            let torque = torque(body, &start, &unknown, (t + half, h));
            let balance = balance(&inertia, &before, &unknown, &torque, half);
            let factors = Lu::factor(from_partials(&balance)).map_err(|cause| StepError::Singular { tick, cause })?;
            last_step = factors.solve(each(&balance, |r| r.value));
            rate = pairs(&rate, &last_step, |x, step| x - step);
        }

        let theta = each(&rate, |x| x * h);
        check_turn(&theta, tick)?;
        let torque = torque(body, &start, &rate, (t + half, h));
        let limit = T::ROOT_EPSILON * (magnitude(&before) + magnitude(&inertia.momentum(&rate))) + T::MIN_POSITIVE;
        let residual = balance(&inertia, &before, &rate, &torque, half);
        solved(Level::Equation, &residual, &Vector::repeat(limit), tick)?;
        last_correction(&last_step, &rate, 0, tick)?;

        let turn = cayley_m1(&theta);
        let [w, x, y, z] = turn.into();
        let kicked = add_scaled(&before, &torque, half);
        // Turned back: the vector part has the other sign.
        let turned = displaced(w + T::one(), &Vector::from([-x, -y, -z]), &kicked);
        let momentum = state.momentum.begin().by(&add_scaled(&turned, &torque, h)).finish();
        let quaternion = state.attitude.turned(&turn);
        state.finish(&quaternion, &momentum)
    }
}

/// The torque in the middle of the step, in any scalar.
#[inline(always)]
fn torque<B: Body, S: Real<Base = B::Base>>(
    body: &B,
    start: &Rotation<B::Base>,
    rate: &Vector<S, 3>,
    (t, h): (B::Base, B::Base),
) -> Vector<S, 3> {
    let half_turn = Rotation::half_cayley(&each(rate, |x| x * h));
    let start = Rotation::from_unit(each(start.quaternion(), S::from));
    body.torque(S::from(t), &(start * half_turn), rate)
}

/// I Ω − Π − h/2 (I Ω × Ω + τ).
#[inline(always)]
fn balance<I: Mass<S::Base, 3>, S: Real>(
    inertia: &I,
    before: &Vector<S::Base, 3>,
    rate: &Vector<S, 3>,
    torque: &Vector<S, 3>,
    half: S::Base,
) -> Vector<S, 3> {
    let momentum = inertia.times(|| inertia.constant(), rate);
    let gain = add(&cross(&momentum, rate), torque);
    let moved = pairs(&momentum, before, |now, before| now - before);
    pairs(&moved, &gain, |moved, gain| moved - gain * half)
}

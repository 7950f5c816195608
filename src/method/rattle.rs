//! RATTLE (Andersen 1983), in Hairer's form V.(5.2)–(5.3), with velocities for momenta and constraints that may move:
//!
//! ```text
//!     v½   = v_n + h/2 M⁻¹ (f(t_n, q_n, v_n) − G(q_n)ᵀ λ_n)
//!     q_n₊₁ = q_n + h v½,                      0 = g(t_n₊₁, q_n₊₁)
//!     v_n₊₁ = v½ + h/2 M⁻¹ (f(t_n₊₁, q_n₊₁, ṽ) − G(q_n₊₁)ᵀ μ_n),   0 = G v_n₊₁ + g_t at n + 1
//! ```
//!
//! where ṽ is v½ + h/2 M⁻¹ f(t_n₊₁, q_n₊₁, v½), projected onto the velocity constraint. It is only computed for forces that use the
//! velocity.
//!
//! **Order** 2. λ_n and μ_n are one-sided values of order 1. Their mean at a node, (μ_n₋₁ + λ_n)/2, has order 2; the report gives it.
//!
//! **Preserves** both constraints, linear and angular momentum. It is symmetric and symplectic: the energy oscillates with h² and does
//! not drift, as far as round-off allows ([`precision`](crate::start::precision#energy-of-long-runs)). With forces that use the
//! velocity it keeps its order, but is neither symmetric nor symplectic.
//!
//! **Choose it** for large steps, long runs and expensive forces. At small steps [`RungeKutta4`](super::RungeKutta4) is more accurate
//! per instruction. Damping is explicit: a decay rate c needs h c < 2. The mass must be constant.
//!
//! **Cost**: two force evaluations (three if forces use the velocity), one Jacobian, one factorisation and a fixed number of Newton
//! iterations. The iterations for λ_n reuse the factors of G M⁻¹ Gᵀ at q_n from the step before. Each iteration reduces the residual by
//! a factor O(h). With too few, the energy drifts.

use super::ending::Ending;
use super::error::StepError;
use super::judge::Judge;
use super::report::Report;
use super::step::Step;
use super::{DEFAULT_ITERATIONS, needs_care, reach_iterations};
use crate::linalg::entries::{each, negative_zeros, pairs};
use crate::linalg::written_out::for_each;
use crate::linalg::{Pivots, SymmetricFactors, Vector};
use crate::project::Correction;
use crate::scalar::Float;
use crate::start::{Approach, Carried, Coordinates, Moving, Node, Precision, State, StepSize, Time};
use crate::system::{ConstantMass, Inertia, Mass, Mechanical};

/// RATTLE with `K` Newton iterations.
///
/// ```
/// # use mechanisms::Pendulum;
/// use taut::method::{Rattle, Step};
/// use taut::start::{Clock, Start};
///
/// let pendulum = Pendulum { mass: 0.2_f64, length: 0.5, gravity: 9.81 };
/// let rattle = Rattle::new();
/// let mut state = Start::at(&pendulum, Clock::at_rate(1_000.0)?, [0.5, 0.0]).at_rest()?;
/// for _ in 0..1_000 {
///     let report = rattle.step(&pendulum, &mut state)?;
///     assert!(report.position_residual[0].abs() < 1e-15);
/// }
/// assert_eq!(state.clock().tick(), 1_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The mass must be constant. A system with a varying mass does not compile:
///
/// ```compile_fail,E0277
/// # use nalgebra::{matrix, vector};
/// # use taut::linalg::{Matrix, Vector};
/// # use taut::scalar::Real;
/// # use taut::method::Step;
/// # use taut::start::{Clock, Start};
/// # use taut::system::{Mechanical, Varying};
/// # struct Polar;
/// # impl Mechanical<2, 0> for Polar {
/// #     type Base = f64;
/// #     type Mass = Varying;
/// #     fn mass(&self) -> Varying {
/// #         Varying
/// #     }
/// #     fn mass_matrix<S: Real<Base = f64>>(&self, q: &Vector<S, 2>) -> Matrix<S, 2, 2> {
/// #         matrix![S::one(), S::zero(); S::zero(), q.x * q.x]
/// #     }
/// #     fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
/// #         Vector::zeros()
/// #     }
/// #     fn constraint<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>) -> Vector<S, 0> {
/// #         Vector::zeros()
/// #     }
/// # }
/// # let mut state = Start::at(&Polar, Clock::at_rate(1_000.0).unwrap(), [1.0, 0.0]).at_rest().unwrap();
/// taut::method::Rattle::new().step(&Polar, &mut state);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Rattle<const K: usize = DEFAULT_ITERATIONS>;

impl Rattle {
    /// With the [default number](DEFAULT_ITERATIONS) of Newton iterations: in `f64` six; in `f32` two, or four with three or more constraints
    /// in a state that carries more digits.
    pub const fn new() -> Self {
        Self
    }
}

impl<const K: usize> Rattle<K> {
    /// Sets the number of Newton iterations.
    ///
    /// In `f32` two are enough for a few constraints at 1 kHz and above. At large steps two are too few: a double pendulum at
    /// 100 Hz gains 1% of its energy in 1e5 steps with two, and nothing with four.
    pub const fn iterations<const ITERATIONS: usize>(self) -> Rattle<ITERATIONS> {
        Rattle
    }
}

impl<System, T, const N: usize, const M: usize, F, P, const K: usize> Step<System, State<T, N, M, F, P>> for Rattle<K>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    type Report = Report<T, M>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        "rattle"
    }

    #[inline]
    fn step(&self, system: &System, state: &mut State<T, N, M, F, P>) -> Result<Report<T, M>, StepError<T>> {
        let judge = Judge::in_two(state);
        let stage = Stage {
            times: state.clock.times::<P>(),
            size: state.clock.size,
            iterations: reach_iterations::<T, P, M, K>(),
            predictions: 1,
        };
        let start = Beginning::of(system, stage.times[0], &state.node.q);
        judge.start(&start.residual)?;

        let mut ahead = Correction::workspace();
        let ending = stage.go(system, &mut system.mass(), &state.node, &start, &judge, &mut ahead)?;
        if !judge.accepts(&start.residual, &ending, T::NEGATIVE_ZERO, System::Mass::POSITIVE)
            && let Some(refused) = judge.refusal(&start.residual, &ending, T::NEGATIVE_ZERO)
        {
            return refused;
        }
        judge.projected_velocity::<N, P, F>(&ending)?;

        let multipliers = state.node_multipliers(&ending.first_half);
        state.advance::<System>(&ending, &ahead);
        Ok(ending.report(&ahead, multipliers, stage.iterations))
    }
}

/// The position where a step begins, and its residual. The position is read once: the compiler then keeps one evaluation of the sines
/// that the residual and the prediction of a compensated state share.
pub(super) struct Beginning<T: Float, const N: usize, const M: usize, P: Precision> {
    q: Coordinates<T, N, P>,
    pub(super) residual: Vector<T, M>,
}

impl<T: Float, const N: usize, const M: usize, P: Precision> Beginning<T, N, M, P> {
    #[inline(always)]
    pub(super) fn of<System>(system: &System, t: Time<T>, q: &Coordinates<T, N, P>) -> Self
    where
        System: Mechanical<N, M, Base = T>,
    {
        let q = *q;
        Self { q, residual: P::start_residual(system, t, &q) }
    }
}

/// One step of RATTLE from a node to the next, also as a stage of a composition.
#[derive(Clone, Copy)]
pub(super) struct Stage<T> {
    /// The times of its begin and its end.
    pub(super) times: [Time<T>; 2],
    pub(super) size: StepSize<T>,
    pub(super) iterations: usize,
    /// How often ṽ is predicted, for forces that use the velocity. After j predictions the velocity
    /// differs by O(h^(j + 2)) from that of the symmetric step, in which ṽ = v_n₊₁. A composition of order p needs j = p − 1.
    pub(super) predictions: usize,
}

impl<T: Float> Stage<T> {
    /// Steps from `node` to the next node. Writes the correction there to `ahead`.
    #[inline(always)]
    pub(super) fn go<System, const N: usize, const M: usize, F, P>(
        &self,
        system: &System,
        mass: &mut System::Mass,
        node: &Node<T, N, M, F, P>,
        start: &Beginning<T, N, M, P>,
        judge: &Judge<'_, T, M>,
        ahead: &mut Correction<T, N, M, F>,
    ) -> Result<Ending<T, N, M, P>, StepError<T>>
    where
        System: Mechanical<N, M, Base = T>,
        System::Mass: ConstantMass<T, N>,
        F: SymmetricFactors<T, M>,
        P: Precision,
    {
        let Self { times, size, iterations, predictions } = *self;
        let [Time { high: t, .. }, Time { high: t_next, .. }] = times;

        // With massless parts, the mass has a part that varies.
        let place = start.q.rounded();
        judge.mass(system.mass().update(mass, || system.mass_matrix_at(t, place)), place)?;
        // v_n + h/2 M⁻¹ f(t_n, q_n, v_n): v½ without the constraint forces.
        let kick = mass.kick(&system.force(t, start.q.rounded(), node.v.rounded()), size.half);
        let apart = const { needs_care::<P>(M) && !has_angles(&System::ANGLES) };
        let settled = |v: Moving<T, N, P>| if apart { v.settled() } else { v };
        let kicked = settled(if apart { P::begin_apart(&node.v) } else { node.v.begin() }.by(&kick));

        // q_n₊₁ = q_n + h v½ on the constraint, and v½ itself.
        let Reached { q: q_next, impulse: displacement, predicted_residual, residual: position_residual } =
            reach(system, node, start, &kicked, times, size.h, iterations);
        let q = q_next.rounded();
        // The velocity comes from the multipliers. Computed as displacement/h it would be rounded twice, with the same relative error in
        // every step.
        let shift = || kicked.shift(|v| node.correction.subtract::<System>(v, &size.velocity::<P, M>(displacement)));
        // The impulses are h²/2 λ_n and h/2 μ_n.
        let first_half_with = |half: &Moving<T, N, P>| {
            let v = node.v.rounded();
            let change = || (system.jacobian(t, place), (half.here() - v) * size.twice_inverse);
            system.own_multipliers(each(&displacement, |c| c * size.twice_inverse_square), change, Some((t, place, v)))
        };
        // Before the check where it looks at the multipliers: the directions at q_n leave their registers.
        let early = judge.splits.then(shift).map(|half| (half, first_half_with(&half)));
        judge.halfway(&start.residual, &position_residual, early.as_ref().map(|(_, first_half)| first_half), q)?;
        // G, M⁻¹ Gᵀ and the factors of G M⁻¹ Gᵀ at q_n₊₁.
        let jacobian = system.jacobian(t_next, q);
        judge.mass(system.mass().update(mass, || system.mass_matrix_at(t_next, q)), q)?;
        let mut pivots = Pivots::none();
        judge.constraints(ahead.update::<System>(&jacobian, mass, M, &mut pivots), q)?;

        let half = early.map_or_else(shift, |(half, _)| half);
        let middle = half.here();
        // ṽ, for forces that use the velocity.
        let mut predicted = middle;
        if System::VELOCITY_DEPENDENT {
            for _ in 0..predictions {
                predicted = middle + mass.kick(&system.force(t_next, q, &predicted), size.half);
                let residual = system.velocity_residual(&jacobian, t_next, q, &predicted);
                let impulse = ahead.multipliers::<System>(&residual);
                ahead.subtract::<System>(&mut predicted, &impulse);
            }
        }
        // v_n₊₁ = v½ + h/2 M⁻¹ (f(t_n₊₁, q_n₊₁, ṽ) − Gᵀ μ_n) with G v_n₊₁ + g_t = 0.
        let kicked = settled(settled(half).by(&mass.kick(&system.force(t_next, q, &predicted), size.half)));
        let impulse = ahead.multipliers::<System>(&system.velocity_residual(&jacobian, t_next, q, &kicked.here()));
        let v_next = kicked.shift(|v| ahead.subtract::<System>(v, &impulse)).finish();

        let first_half = early.map_or_else(|| first_half_with(&half), |(_, first_half)| first_half);
        let second_half = system.own_multipliers(
            each(&impulse, |c| c * size.twice_inverse),
            || (jacobian, (v_next.rounded() - middle) * size.twice_inverse),
            Some((t_next, q, &predicted)),
        );
        Ok(Ending {
            first_half,
            second_half,
            predicted_residual,
            position_residual,
            velocity_residual: system.velocity_residual(&jacobian, t_next, q, v_next.rounded()),
            pivots,
            q: q_next,
            v: v_next,
        })
    }
}

/// Whether a coordinate is an angle. With angles, forces and impulses stay one sum. Rounded apart, the energy of the four-bar linkage in a
/// precise state would drift by 6.5e-4 in a day instead of 2.0e-4: measured, not derived; the rounding of sines has a part in both.
const fn has_angles<const N: usize>(angles: &[bool; N]) -> bool {
    let mut i = 0;
    while i < N {
        if angles[i] {
            return true;
        }
        i += 1;
    }
    false
}

/// The result of [`reach`].
pub(super) struct Reached<T: Float, const N: usize, const M: usize, P: Precision> {
    pub(super) q: Coordinates<T, N, P>,
    /// c without the part that corrects the drift of the last step. The velocity uses it.
    pub(super) impulse: Vector<T, M>,
    pub(super) predicted_residual: Vector<T, M>,
    pub(super) residual: Vector<T, M>,
}

/// Solves g(t, q + h v − M⁻¹ Gᵀ c) = 0 for c, by a fixed number of iterations with the geometry of `node`.
#[inline(always)]
pub(super) fn reach<System, T, const N: usize, const M: usize, F, P>(
    system: &System,
    node: &Node<T, N, M, F, P>,
    start: &Beginning<T, N, M, P>,
    velocity: &Moving<T, N, P>,
    times: [Time<T>; 2],
    h: T,
    iterations: usize,
) -> Reached<T, N, M, P>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let approach = P::predict(system, times, &start.q, velocity, h);
    let none = negative_zeros();
    // The correction of the last step's drift moves the positions, but is not an impulse.
    let answered = if P::separates_drift(System::TIME_DEPENDENT) {
        pairs(&node.last_residual.kept(), &start.residual, |last, start| last - start)
    } else {
        none
    };
    let mut newton =
        Newton { trial: approach.trial(), residual: approach.predicted_residual, impulse: none, answered, approach };
    // The first iteration stands before the loop: two iterations are no loop, and what they read from the node is read where it is used.
    if iterations > 0 {
        newton.iterate(system, node, iterations == 1);
    }
    for k in 1..iterations {
        if newton.has_diverged::<System>() {
            break;
        }
        newton.iterate(system, node, k + 1 == iterations);
    }
    let Newton { approach, trial, residual, mut impulse, answered } = newton;
    if P::CARRIES_MORE {
        // c is linear in the residuals: one solve for their sum, the drift included.
        impulse = node.correction.multipliers::<System>(&answered);
    }
    Reached { q: approach.finish_at(&trial), impulse, predicted_residual: approach.predicted_residual, residual }
}

/// Beyond this many radians the corrections of an angle are no solution. The sine takes longer from 3215 on.
pub(super) const MAX_CORRECTION: f64 = 2048.0;

/// The iterations of [`reach`].
struct Newton<T: Float, const N: usize, const M: usize, P: Precision> {
    approach: Approach<T, N, M, P>,
    trial: Vector<T, N>,
    /// g at the trial.
    residual: Vector<T, M>,
    /// The sum of the multipliers.
    impulse: Vector<T, M>,
    /// The sum of the residuals.
    answered: Vector<T, M>,
}

impl<T: Float, const N: usize, const M: usize, P: Precision> Newton<T, N, M, P> {
    /// Whether the corrections of an angle add up to hundreds of turns. More iterations would not end on the constraint, and because of the
    /// sines of huge angles a step that fails would take longer than one that succeeds.
    #[inline(always)]
    fn has_diverged<System: Mechanical<N, M, Base = T>>(&self) -> bool {
        let mut squares = T::zero();
        for_each!(I < N => {
            if P::CARRIES_MORE && System::ANGLES[I] {
                squares += self.trial.data.0[0][I] * self.trial.data.0[0][I];
            }
        });
        !(squares <= T::from_f64(MAX_CORRECTION * MAX_CORRECTION))
    }

    #[inline(always)]
    fn iterate<System, F>(&mut self, system: &System, node: &Node<T, N, M, F, P>, is_last: bool)
    where
        System: Mechanical<N, M, Base = T>,
        F: SymmetricFactors<T, M>,
    {
        let step = node.correction.multipliers::<System>(&self.residual);
        self.impulse = pairs(&self.impulse, &step, |sum, term| sum + term);
        self.answered = pairs(&self.answered, &self.residual, |sum, term| sum + term);
        if P::CARRIES_MORE || !is_last {
            node.correction.subtract::<System>(&mut self.trial, &step);
        } else {
            // All corrections at once: their sum is rounded once.
            self.approach.shift(|x| node.correction.subtract::<System>(x, &self.impulse));
            self.trial = self.approach.trial();
        }
        self.residual = self.approach.residual_at(system, &self.trial);
    }
}

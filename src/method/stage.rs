//! The two halves that RATTLE and symplectic Euler are made of: to the constraint along the old gradients, then onto the
//! velocity constraint with the new ones.

use super::error::StepError;
use super::report::Report;
use super::size::StepSize;
use crate::linalg::{Pivots, SymmetricFactors, Vector, copy_entries, magnitude, sum_of_products};
use crate::project::{Correction, Level, Residual, within};
use crate::scalar::Float;
use crate::start::{Approach, Carried, Coordinates, Node, Precision, State, Time};
use crate::system::{Inertia, Mechanical};

/// What the position half leaves behind.
pub(super) struct Reached<T: Float, const N: usize, const M: usize, P: Precision> {
    pub(super) q: Coordinates<T, N, P>,
    /// The multipliers of the displacement: it is h v − M⁻¹ Gᵀ `impulse`, but for what the positions were off before.
    pub(super) impulse: Vector<T, M>,
    pub(super) predicted_residual: Vector<T, M>,
    pub(super) residual: Vector<T, M>,
}

/// Solves g(t, q + h v − M⁻¹ Gᵀ c) = 0 for c, by K iterations with the geometry of `node` frozen.
#[inline(always)]
pub(super) fn reach<System, T, const N: usize, const M: usize, F, P>(
    system: &System,
    node: &Node<T, N, M, F, P>,
    anchor: &Vector<T, M>,
    velocity: &P::Moving<T, N>,
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
    let separates = P::separates_drift(System::TIME_DEPENDENT);
    let mut impulse = Vector::<T, M>::zeros();
    if separates {
        impulse = node.correction.multipliers(&(node.leftover.kept() - anchor));
    }
    let (mut approach, predicted_residual) = P::Approach::<T, N, M>::along(system, times, &node.q, velocity, h);
    let mut residual = predicted_residual;
    for k in 0..iterations {
        let step = node.correction.multipliers(&residual);
        let (keeps, is_last) = (P::Approach::<T, N, M>::KEEPS_WHAT_IS_TRIED, k + 1 == iterations);
        if keeps || !is_last {
            approach.try_on(|x| node.correction.move_back::<System>(x, &step));
        }
        impulse = if k == 0 && !separates { step } else { impulse + step };
        if !keeps && is_last {
            approach.shift(|x| node.correction.move_back::<System>(x, &impulse));
        }
        residual = approach.residual(system);
    }
    Reached { q: approach.arrive(), impulse, predicted_residual, residual }
}

/// Refuses positions that the iterations have not brought onto the constraint.
#[inline(always)]
pub(super) fn on_constraint<T: Float, const N: usize, const M: usize>(
    residual: &Vector<T, M>,
    limits: &Vector<T, M>,
    q: &Vector<T, N>,
    tick: u64,
) -> Result<(), StepError<T>> {
    within(Level::Position, residual, limits).map_err(|residual| not_reached(residual, *q, tick))
}

/// Why the positions are not on the constraint: they are not numbers, or the iterations did not suffice.
#[cold]
pub(super) fn not_reached<T: Float, const N: usize>(residual: Residual<T>, q: Vector<T, N>, tick: u64) -> StepError<T> {
    match q.iter().position(|x| !x.is_finite()) {
        Some(index) => StepError::NonFinite { tick, level: Level::Position, index },
        None => StepError::NotConverged { tick, residual },
    }
}

/// Why a matrix could not be factorised: the configuration it belongs to is no number, or else `error`.
#[cold]
pub(super) fn not_factorised<T: Float, const N: usize>(
    error: StepError<T>,
    q: Vector<T, N>,
    tick: u64,
) -> StepError<T> {
    match q.iter().position(|x| !x.is_finite()) {
        Some(index) => StepError::NonFinite { tick, level: Level::Position, index },
        None => error,
    }
}

/// Refuses equations of motion that an implicit method has not solved. The residual of a constraint tells nothing about
/// coordinates that it does not see.
#[inline(always)]
pub(super) fn balanced<T: Float, const N: usize>(
    residuals: &Vector<T, N>,
    limit: T,
    tick: u64,
) -> Result<(), StepError<T>> {
    for index in 0..N {
        let residual = residuals.data.0[0][index];
        if !(residual.abs() <= limit) {
            return Err(StepError::Unbalanced { tick, index, residual, limit });
        }
    }
    Ok(())
}

/// Refuses a state that is not on the constraints of the model as it is now; otherwise says how far off it is.
#[inline(always)]
pub(super) fn enter<System, T, const N: usize, const M: usize, F, P>(
    system: &System,
    node: &Node<T, N, M, F, P>,
    t: Time<T>,
    limits: &Vector<T, M>,
    tick: u64,
) -> Result<Vector<T, M>, StepError<T>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let anchor = P::anchor(system, t, &node.q);
    consistent::<P, T, M>(&anchor, limits, tick)?;
    Ok(anchor)
}

/// Refuses a state that is too far off.
#[inline(always)]
pub(super) fn consistent<P: Precision, T: Float, const M: usize>(
    anchor: &Vector<T, M>,
    limits: &Vector<T, M>,
    tick: u64,
) -> Result<(), StepError<T>> {
    within(Level::Position, anchor, &on_entry::<P, T, M>(limits))
        .map_err(|residual| StepError::Inconsistent { tick, residual })
}

/// How far off a step may begin. Where a state carries more digits, what a step has left is evaluated in another way as the next one
/// begins, and may round to more than it was judged by.
#[inline(always)]
fn on_entry<P: Precision, T: Float, const M: usize>(limits: &Vector<T, M>) -> Vector<T, M> {
    if P::CARRIES_MORE { limits + limits } else { *limits }
}

/// What all stages of a step have in common.
#[derive(Clone, Copy)]
pub(super) struct Settings<T> {
    pub(super) size: StepSize<T>,
    pub(super) iterations: usize,
    /// How often the velocity that a force uses at the end of a stage is predicted anew: j times leave an error of order
    /// h^(j + 3) in a stage, and with it the order of a composition.
    pub(super) predictions: usize,
    pub(super) tick: u64,
}

/// The result of a stage, but for the correction at its end, which is filled in place: moving its matrices about would cost as
/// much as computing them.
pub(super) struct Stage<T: Float, const N: usize, const M: usize, P: Precision> {
    pub(super) q: Coordinates<T, N, P>,
    pub(super) v: Coordinates<T, N, P>,
    pub(super) first_half: Vector<T, M>,
    pub(super) second_half: Vector<T, M>,
    pub(super) predicted_residual: Vector<T, M>,
    pub(super) position_residual: Vector<T, M>,
    pub(super) velocity_residual: Vector<T, M>,
    /// Of G M⁻¹ Gᵀ where the stage ends, where they are judged at the end of the stage.
    pub(super) pivots: Pivots<T, M>,
}

impl<T: Float, const N: usize, const M: usize, P: Precision> Stage<T, N, M, P> {
    /// The stage with multipliers in place of impulses.
    #[inline(always)]
    pub(super) fn per_time(mut self, size: &StepSize<T>) -> Self {
        self.second_half *= size.twice_inverse;
        self.first_half *= size.twice_inverse_square;
        self
    }

    /// The same for a stage that has been judged, unless it has multipliers already.
    #[inline(always)]
    pub(super) fn per_time_now(self, size: &StepSize<T>) -> Self {
        if P::CARRIES_MORE { self.per_time(size) } else { self }
    }

    /// Refuses what came out. Judged at the end and nothing in between: code without branches stays in registers.
    #[inline(always)]
    pub(super) fn judge(&self, limits: &Vector<T, M>, tick: u64) -> Result<(), StepError<T>> {
        on_constraint(&self.position_residual, limits, self.q.rounded(), tick)?;
        self.pivots
            .judge()
            .map_err(|cause| not_factorised(StepError::Singular { tick, cause }, *self.q.rounded(), tick))?;
        self.check_finite(tick)
    }

    /// Whether nothing is to be refused, beyond doubt: one comparison, true in almost every step, for a third of what those with
    /// all limits cost. They decide where it is not.
    #[inline(always)]
    pub(super) fn is_surely_sound<I: Inertia<T, N>>(&self, anchor: &Vector<T, M>, strictness: &Vector<T, M>) -> bool {
        let bound = if M == 1 { strictness.data.0[0][0] } else { T::one() };
        self.pivots.are_surely_accepted(self.doubt(anchor, strictness, I::POSITIVE), bound, I::POSITIVE)
    }

    /// Whether the constraints hold, where the step began and where it ended, and can be told from each other.
    #[inline(always)]
    pub(super) fn keeps_constraints(&self, anchor: &Vector<T, M>, limits: &Vector<T, M>) -> bool {
        within(Level::Position, &self.position_residual, limits).is_ok()
            && within(Level::Position, anchor, &on_entry::<P, T, M>(limits)).is_ok()
            && self.pivots.judge().is_ok()
    }

    /// Below its bound if all residuals are within their limits and all coordinates are numbers; NaN if one is none, or if a product
    /// of two is too large to be one.
    #[inline(always)]
    fn doubt(&self, anchor: &Vector<T, M>, strictness: &Vector<T, M>, positive_mass: bool) -> T {
        let mut doubt = T::zero();
        for row in 0..M {
            let (before, after) = (anchor.data.0[0][row], self.position_residual.data.0[0][row]);
            let weight = if M == 1 { T::one() } else { strictness.data.0[0][row] };
            let squares = (before * before + after * after) * weight;
            doubt = if row == 0 { squares } else { doubt + squares };
        }
        // Σ q_i v_i is no number if a coordinate is none: half as many products as there are coordinates.
        let (q, v) = (self.q.rounded(), self.v.rounded());
        let probe = if M == 1 && positive_mass {
            // Nor if the one pivot is none. One that has vanished leaves velocities that are none.
            (0..N).fold(self.pivots.smallest(), |sum, i| sum + q[i] * v[i])
        } else {
            sum_of_products::<T, N>(|i| (q[i], v[i]))
        };
        doubt + probe * T::zero()
    }

    /// What is to be refused.
    #[inline(always)]
    pub(super) fn refusal(&self, anchor: &Vector<T, M>, limits: &Vector<T, M>, tick: u64) -> StepError<T> {
        refusal::<P, T, N, M>(self.judged(anchor), limits, tick)
    }

    /// What is judged, as a copy.
    #[inline(always)]
    fn judged(&self, anchor: &Vector<T, M>) -> Judged<T, N, M> {
        let (rows, coordinates) = (Vector::zeros(), Vector::zeros());
        let mut judged =
            Judged { anchor: rows, position_residual: rows, pivots: self.pivots, q: coordinates, v: coordinates };
        copy_entries(&mut judged.anchor, anchor);
        copy_entries(&mut judged.position_residual, &self.position_residual);
        copy_entries(&mut judged.q, self.q.rounded());
        copy_entries(&mut judged.v, self.v.rounded());
        judged
    }

    /// Refuses coordinates that are not numbers, also those that no constraint sees.
    #[inline(always)]
    pub(super) fn check_finite(&self, tick: u64) -> Result<(), StepError<T>> {
        if self.finite_probe() == T::zero() {
            Ok(())
        } else {
            Err(not_finite(*self.q.rounded(), *self.v.rounded(), tick))
        }
    }

    /// Zero times finite numbers is zero, times any other it is NaN.
    #[inline(always)]
    pub(super) fn finite_probe(&self) -> T {
        let mut probe = T::zero();
        for i in 0..N {
            probe = probe * self.v.rounded()[i] * self.q.rounded()[i];
        }
        probe
    }

    /// Refuses velocities that contradict each other. Where the constraints are independent the projection meets them all; where
    /// the rank is decided it meets them in the mean, and what is left is judged, in units a second or of the velocity itself.
    #[inline(always)]
    pub(super) fn check_velocity<F: SymmetricFactors<T, M>>(
        &self,
        limits: &Vector<T, M>,
        tick: u64,
    ) -> Result<(), StepError<T>> {
        if F::DECIDES_RANK { self.velocity_within(limits, tick) } else { Ok(()) }
    }

    /// Refuses velocities that are off their constraint by more than the limit in a second, or of the velocity itself.
    #[inline(always)]
    pub(super) fn velocity_within(&self, limits: &Vector<T, M>, tick: u64) -> Result<(), StepError<T>> {
        let limits = limits * (magnitude(self.v.rounded()) + T::one());
        within(Level::Velocity, &self.velocity_residual, &limits)
            .map_err(|residual| StepError::NotConverged { tick, residual })
    }

    #[inline(always)]
    pub(super) fn report<F: SymmetricFactors<T, M>>(
        &self,
        correction: &Correction<T, N, M, F>,
        multipliers: Vector<T, M>,
        iterations: usize,
    ) -> Report<T, M> {
        let mut report = Report {
            multipliers,
            position_residual: self.position_residual,
            velocity_residual: self.velocity_residual,
            predicted_residual: self.predicted_residual,
            rank: correction.rank() as u16,
            smallest_pivot: self.pivots.smallest(),
            iterations: iterations as u16,
        };
        if M == 2 {
            copy_entries(&mut report.multipliers, &multipliers);
            copy_entries(&mut report.position_residual, &self.position_residual);
            copy_entries(&mut report.velocity_residual, &self.velocity_residual);
            copy_entries(&mut report.predicted_residual, &self.predicted_residual);
        }
        report
    }
}

/// What a step is judged by. Copied for an error: a reference to the original would force all of it into memory on the way
/// that succeeds, and so would short vectors as arguments, which are passed as integers.
struct Judged<T, const N: usize, const M: usize> {
    anchor: Vector<T, M>,
    position_residual: Vector<T, M>,
    pivots: Pivots<T, M>,
    q: Vector<T, N>,
    v: Vector<T, N>,
}

/// What is to be refused of a step that is not sound, in the order of its stages. A function of its own, so that the way that
/// succeeds shares nothing with this one.
#[cold]
#[inline(never)]
fn refusal<P: Precision, T: Float, const N: usize, const M: usize>(
    judged: Judged<T, N, M>,
    limits: &Vector<T, M>,
    tick: u64,
) -> StepError<T> {
    let Judged { anchor, position_residual, pivots, q, v } = judged;
    if let Err(error) = consistent::<P, T, M>(&anchor, limits, tick) {
        return error;
    }
    // All at once, and one by one only where it matters: a step that fails must not take much longer than one that succeeds.
    let are_finite = q.iter().fold(T::zero(), |product, x| product * *x) == T::zero();
    if !are_finite && let Some(index) = q.iter().position(|x| !x.is_finite()) {
        return StepError::NonFinite { tick, level: Level::Position, index };
    }
    if let Err(residual) = within(Level::Position, &position_residual, limits) {
        return StepError::NotConverged { tick, residual };
    }
    match pivots.judge() {
        Err(cause) => StepError::Singular { tick, cause },
        Ok(()) => not_finite(q, v, tick),
    }
}

/// By value: a reference would force the coordinates into memory on the way that succeeds.
#[cold]
pub(super) fn not_finite<T: Float, const N: usize>(q: Vector<T, N>, v: Vector<T, N>, tick: u64) -> StepError<T> {
    let position = q.iter().position(|x| !x.is_finite());
    let velocity = v.iter().position(|x| !x.is_finite());
    match (position, velocity) {
        (Some(index), _) => StepError::NonFinite { tick, level: Level::Position, index },
        (None, index) => StepError::NonFinite { tick, level: Level::Velocity, index: index.unwrap_or(0) },
    }
}

/// How methods read and write a state.
impl<T: Float, const N: usize, const M: usize, F: SymmetricFactors<T, M>, P: Precision> State<T, N, M, F, P> {
    /// The multipliers at the node where a step begins, to second order: the mean of the one-sided values of the step that
    /// ended here and the step that begins; after a start, those of the acceleration level.
    #[inline(always)]
    pub(super) fn node_multipliers(&self, first_half: &Vector<T, M>) -> Vector<T, M> {
        self.multipliers + (first_half - self.multipliers) * self.clock.next_multipliers_weight
    }

    /// Takes over the end of a step: the one place where a method changes a state.
    #[inline(always)]
    pub(super) fn advance<System>(&mut self, stage: &Stage<T, N, M, P>, correction: &Correction<T, N, M, F>)
    where
        System: Mechanical<N, M, Base = T>,
    {
        self.node.q.become_next(&stage.q);
        for i in 0..N {
            if System::ANGLES[i] {
                self.turns[i] = self.turns[i].wrapping_add(self.node.q.unwind(i));
            }
        }
        self.node.v.become_next(&stage.v);
        self.node.correction.become_next::<System>(correction);
        self.node.leftover.keep_instead(&stage.position_residual);
        if System::TIME_DEPENDENT {
            self.clock.advance_in_period();
        } else {
            self.clock.advance();
        }
        copy_entries(&mut self.multipliers, &stage.second_half);
        self.clock.next_multipliers_weight = T::from_f64(0.5);
    }
}

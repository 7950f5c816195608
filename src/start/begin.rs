//! The start: from a guess, or from what was saved, to a state.

use core::marker::PhantomData;

use super::assemble::assemble;
use super::error::StartError;
use super::precision::{Compensated, Coordinates, Moving, Plain, Precise, Precision, Wide};
use super::restore::Restore;
use super::saved::Saved;
use super::state::{Clock, Node, State, Time, strictness};
use crate::linalg::{Ldlt, Semidefinite, SymmetricFactors, Vector, magnitude};
use crate::project::{Correction, Geometry, Level, within};
use crate::scalar::{DoubleFloat, Dual, Float, Real};
use crate::system::{Inertia, Mass, Mechanical};

/// Makes a state, or says why there is none.
///
/// ```
/// # use nalgebra::vector;
/// # use systems::Pendulum;
/// use taut::start::Start;
///
/// let pendulum = Pendulum::<f64>::standard();
/// // A rough guess becomes a point of the circle.
/// let state = Start::at(&pendulum, [0.9, -0.8]).at_rest()?;
/// assert!((state.position().norm() - 1.0).abs() < 1e-15);
///
/// // A velocity is made tangential, and the multiplier is there before the first step: the rod pulls with v²/l.
/// let state = Start::at(&pendulum, [1.0, 0.0]).moving([0.5, 3.0])?;
/// assert_eq!(state.velocity(), &vector![0.0, 3.0]);
/// assert_eq!(state.multipliers()[0], 9.0);
/// # Ok::<(), taut::start::StartError<f64>>(())
/// ```
#[derive(Debug)]
pub struct Start<'a, System, T: Float, const N: usize, const M: usize, F = Ldlt<T, M>, P: Precision = Compensated> {
    system: &'a System,
    q: Coordinates<T, N, P>,
    v: Coordinates<T, N, P>,
    clock: Clock<T>,
    limit: T,
    factors: PhantomData<F>,
}

// Derived, they would ask for a system that is copied as well.
impl<System, T: Float, const N: usize, const M: usize, F, P: Precision> Clone for Start<'_, System, T, N, M, F, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<System, T: Float, const N: usize, const M: usize, F, P: Precision> Copy for Start<'_, System, T, N, M, F, P> {}

impl<'a, System, T, const N: usize, const M: usize> Start<'a, System, T, N, M>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
{
    /// From a guess of the positions, at tick zero and time zero.
    pub fn at(system: &'a System, guess: impl Into<Vector<T, N>>) -> Self {
        let clock = Clock::from(0, T::zero());
        let (q, v) = (Coordinates::new(guess.into()), Coordinates::new(Vector::zeros()));
        Self { system, q, v, clock, limit: T::ROOT_EPSILON, factors: PhantomData }
    }
}

impl<'a, System, T, const N: usize, const M: usize, P> Start<'a, System, T, N, M, Ldlt<T, M>, P>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    P: Precision,
{
    /// From what [`State::save`] has kept, with its time and its limit.
    pub fn restore(system: &'a System, saved: &Saved<T, N, M, P>) -> Restore<'a, System, T, N, M, Ldlt<T, M>, P> {
        let Saved { q, v, tick, epoch, origin, period, limit, .. } = *saved;
        let mut clock = Clock { epoch, period, ..Clock::from(tick, origin) };
        clock.repeat(period);
        Restore { start: Self { system, q, v, clock, limit, factors: PhantomData }, saved: *saved }
    }

    /// For constraints that may depend on each other: the rank is decided at every step, multipliers are those of smallest
    /// norm.
    ///
    /// ```
    /// # use systems::Ring;
    /// use taut::start::Start;
    ///
    /// // Six pieces in a ring: 18 constraints, of which 17 are independent.
    /// let ring = Ring::<f64>::fixed();
    /// let state = Start::at(&ring, Ring::position()).redundant().at_rest()?;
    /// assert_eq!(state.correction().rank(), 17);
    /// // Without it, the dependent constraint is an error.
    /// assert!(Start::at(&ring, Ring::position()).at_rest().is_err());
    /// # Ok::<(), taut::start::StartError<f64>>(())
    /// ```
    pub fn redundant(self) -> Start<'a, System, T, N, M, Semidefinite<T, M>, P> {
        let Self { system, q, v, clock, limit, .. } = self;
        Start { system, q, v, clock, limit, factors: PhantomData }
    }
}

impl<'a, System, T, const N: usize, const M: usize, F, P> Start<'a, System, T, N, M, F, P>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    /// With the digits of the scalar only; see [`Plain`].
    pub fn plain(self) -> Start<'a, System, T, N, M, F, Plain> {
        self.with_precision()
    }

    /// With compensated sums; see [`Compensated`].
    pub fn compensated(self) -> Start<'a, System, T, N, M, F, Compensated> {
        self.with_precision()
    }

    /// With twice the digits; see [`Precise`].
    pub fn precise(self) -> Start<'a, System, T, N, M, F, Precise> {
        self.with_precision()
    }

    fn with_precision<Other: Precision>(self) -> Start<'a, System, T, N, M, F, Other> {
        let Self { system, q, v, clock, limit, factors } = self;
        let (q, v) = (Coordinates::new(q.high), Coordinates::new(v.high));
        Start { system, q, v, clock, limit, factors }
    }

    /// Begins at this tick instead of zero; the model's time counts from it.
    pub fn at_tick(mut self, tick: u64) -> Self {
        self.clock.tick = tick;
        self.clock.epoch = tick;
        self
    }

    /// Begins at this time of the model instead of zero.
    pub fn at_time(mut self, t: T) -> Self {
        self.clock.origin = t;
        self
    }

    /// How far off a constraint, in the units of the coordinates, is an error, now and in every step; finite and positive. By
    /// default √ε: 0.35 mm in `f32` and 15 nm in `f64`, where the coordinates are metres.
    ///
    /// It becomes a limit of each residual by the norm of the constraint's gradient **here**. Where a gradient grows or shrinks
    /// on the way, the distance allowed shrinks or grows with it; [`resume`](super::resume) measures anew.
    pub fn limit(mut self, limit: T) -> Self {
        self.limit = limit;
        self
    }

    fn check_limit(&self) -> Result<(), StartError<T>> {
        let valid = self.limit > T::zero() && self.limit.is_finite();
        if valid { Ok(()) } else { Err(StartError::InvalidLimit { given: self.limit }) }
    }

    /// At rest, or as close to it as moving constraints allow.
    pub fn at_rest(self) -> Result<State<T, N, M, F, P>, StartError<T>> {
        self.moving(Vector::zeros())
    }

    /// With the velocity nearest to this one that the constraints allow.
    pub fn moving(self, velocity: impl Into<Vector<T, N>>) -> Result<State<T, N, M, F, P>, StartError<T>> {
        let velocity = velocity.into();
        let t = self.clock.origin;
        self.check_limit()?;
        self.system.mass().check().map_err(StartError::Mass)?;
        all_finite(&self.q.high)?;
        all_finite(&velocity)?;
        all_finite(&Vector::from([t]))?;
        let (guess, turns) = unwound::<System, T, N, M>(&self.q.high);
        let (q, geometry) = assemble(self.system, t, &guess, self.limit)?;
        let v = consistent_velocity(self.system, t, &q, &velocity, &geometry, self.limit)?;
        let (q, v) = settle(self.system, Time { high: t, low: T::zero() }, q, v, &geometry.correction);
        let mut state = state(self.system, t, q, v, geometry, self.limit, self.clock);
        if let Ok(state) = &mut state {
            state.turns = turns;
        }
        state
    }

    /// With positions and velocities as they are, to the last bit; an error if they are not on the constraints. `h` is the
    /// step of the method that will go on, for the model's time.
    ///
    /// ```
    /// # use nalgebra::vector;
    /// # use systems::Pendulum;
    /// # use taut::start::Start;
    /// let pendulum = Pendulum::<f64>::standard();
    /// let saved = Start::at(&pendulum, [1.0, 0.0]).at_rest()?.save();
    /// let state = Start::restore(&pendulum, &saved).unchanged(1e-3)?;
    /// assert_eq!(state.save(), saved);
    ///
    /// let mut corrupted = saved;
    /// corrupted.q = taut::start::Coordinates::new(vector![1.1, 0.0]);
    /// assert!(Start::restore(&pendulum, &corrupted).unchanged(1e-3).is_err());
    /// # Ok::<(), taut::start::StartError<f64>>(())
    /// ```
    pub fn unchanged(self, h: T) -> Result<State<T, N, M, F, P>, StartError<T>> {
        let time = self.clock.time::<P>(0, h);
        let t = time.high;
        let (q, v) = (self.q.high, self.v.high);
        self.check_limit()?;
        self.system.mass().check().map_err(StartError::Mass)?;
        all_finite(&q)?;
        all_finite(&v)?;
        all_finite(&Vector::from([t]))?;
        let inertia = self.system.inertia(&q).map_err(StartError::Mass)?;
        let geometry = Geometry::<T, N, M, F>::at(self.system, &inertia, t, &q).map_err(StartError::Constraints)?;
        let residual = P::anchor(self.system, time, &self.q);
        within(Level::Position, &residual, &geometry.limits(self.limit))
            .map_err(|residual| StartError::NotAssembled { residual, iterations: 0 })?;
        let residual = self.system.velocity_residual(&geometry.jacobian, t, &q, &v);
        within(Level::Velocity, &residual, &geometry.limits(velocity_limit(self.limit, &v)))
            .map_err(StartError::Velocity)?;
        state(self.system, t, self.q, self.v, geometry, self.limit, self.clock)
    }
}

/// Takes whole turns off the angles of a guess.
fn unwound<System, T, const N: usize, const M: usize>(guess: &Vector<T, N>) -> (Vector<T, N>, [i32; N])
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
{
    let (mut q, mut turns) = (*guess, [0; N]);
    for i in 0..N {
        if System::ANGLES[i] {
            let turn = T::PI + T::PI;
            let whole = (q[i] / turn).round();
            let taken = DoubleFloat::from_product(whole, turn) + whole * (T::PI_LOW + T::PI_LOW);
            q[i] = (-taken + q[i]).high();
            turns[i] = whole.to_f64() as i32;
        }
    }
    (q, turns)
}

/// A velocity may be off by the same number of units a second, or of itself where it is large.
fn velocity_limit<T: Float, const N: usize>(limit: T, v: &Vector<T, N>) -> T {
    limit * (magnitude(v) + T::one())
}

pub(super) fn all_finite<T: Float, const N: usize>(numbers: &Vector<T, N>) -> Result<(), StartError<T>> {
    match numbers.iter().position(|number| !number.is_finite()) {
        Some(index) => Err(StartError::NonFinite { index }),
        None => Ok(()),
    }
}

/// The velocity nearest to `v` with G v + g_t = 0; a residual that stays is an error.
pub(super) fn consistent_velocity<System, T, const N: usize, const M: usize, F>(
    system: &System,
    t: T,
    q: &Vector<T, N>,
    v: &Vector<T, N>,
    geometry: &Geometry<T, N, M, F>,
    limit: T,
) -> Result<Vector<T, N>, StartError<T>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    let mut v = *v;
    // The second pass removes the round-off of the first.
    for _ in 0..2 {
        let residual = system.velocity_residual(&geometry.jacobian, t, q, &v);
        v -= geometry.correction.directions * geometry.correction.multipliers(&residual);
    }
    let left = system.velocity_residual(&geometry.jacobian, t, q, &v);
    within(Level::Velocity, &left, &geometry.limits(velocity_limit(limit, &v))).map_err(StartError::Velocity)?;
    Ok(v)
}

/// Adds the digits that a precision carries: onto both constraints as far as they are known with all digits.
pub(super) fn settle<System, T, const N: usize, const M: usize, F, P>(
    system: &System,
    t: Time<T>,
    q: Vector<T, N>,
    v: Vector<T, N>,
    correction: &Correction<T, N, M, F>,
) -> (Coordinates<T, N, P>, Coordinates<T, N, P>)
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let (mut q, mut v) = (Coordinates::<T, N, P>::new(q), Coordinates::<T, N, P>::new(v));
    if P::CARRIES_MORE {
        // Each correction adds the digits of one scalar; the second one removes the round-off of the first.
        for _ in 0..2 {
            settle_position(system, t, &mut q, correction);
        }
        for _ in 0..2 {
            settle_velocity(system, t, &q, &mut v, correction);
        }
    }
    (q, v)
}

/// Corrects by g with all digits. A function of its own: inlined, it would take its flash twice.
#[inline(never)]
fn settle_position<System, T, const N: usize, const M: usize, F, P>(
    system: &System,
    t: Time<T>,
    q: &mut Coordinates<T, N, P>,
    correction: &Correction<T, N, M, F>,
) where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let g = system.constraint(P::Wide::<T>::from_parts(t.high, t.low), &q.wide());
    let multipliers = correction.multipliers(&g.map(|g| g.value()));
    *q = q.depart().shift(|q| correction.move_back::<System>(q, &multipliers)).arrive();
}

/// Corrects by G v + g_t with all digits.
#[inline(never)]
fn settle_velocity<System, T, const N: usize, const M: usize, F, P>(
    system: &System,
    t: Time<T>,
    q: &Coordinates<T, N, P>,
    v: &mut Coordinates<T, N, P>,
    correction: &Correction<T, N, M, F>,
) where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let time = P::Wide::<T>::from_parts(t.high, t.low);
    let passing = Dual::<P::Wide<T>, 1, T>::new(time, [P::Wide::<T>::from(T::one())]);
    let moving = q.wide().zip_map(&v.wide(), |q, v| Dual::new(q, [v]));
    let along = system.constraint(passing, &moving).map(|g| g.partials[0].value());
    let multipliers = correction.multipliers(&along);
    *v = v.depart().shift(|v| correction.move_back::<System>(v, &multipliers)).arrive();
}

/// Completes a state with the multipliers of the acceleration level: G M⁻¹ Gᵀ λ = G M⁻¹ f + g_qq(v, v) + 2 g_qt v + g_tt.
pub(super) fn state<System, T, const N: usize, const M: usize, F, P>(
    system: &System,
    t: T,
    q: Coordinates<T, N, P>,
    v: Coordinates<T, N, P>,
    geometry: Geometry<T, N, M, F>,
    limit: T,
    clock: Clock<T>,
) -> Result<State<T, N, M, F, P>, StartError<T>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let inertia = system.inertia(&q.high).map_err(StartError::Mass)?;
    let force = system.force(t, &q.high, &v.high);
    all_finite(&force)?;
    let acceleration = inertia.acceleration(&force);
    all_finite(&acceleration)?;
    let residual = geometry.jacobian * acceleration + system.acceleration_terms(t, &q.high, &v.high);
    let multipliers = geometry.correction.multipliers(&residual);
    all_finite(&multipliers)?;
    let limits = geometry.limits(limit);
    Ok(State {
        limits,
        strictness: strictness(&limits),
        node: Node { q, v, correction: geometry.correction, leftover: P::Leftover::default() },
        clock: Clock { next_multipliers_weight: T::zero(), ..clock },
        multipliers,
        limit,
        turns: [0; N],
    })
}

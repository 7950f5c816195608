//! The start: from a guess to a state.

use core::marker::PhantomData;

use super::assemble::assemble;
use super::clock::{Clock, Time};
use super::error::{Part, StartError};
use super::precision::{Compensated, Coordinates, Plain, Precise, Precision, Wide};
use super::state::{Node, State, acceleration_multipliers, residual_weights};
use crate::linalg::{Ldlt, Semidefinite, SymmetricFactors, Vector, magnitude};
use crate::project::{Correction, Geometry, Level, check_limit, row_limits, within};
use crate::scalar::{DoubleFloat, Dual, Float, Real};
use crate::system::{Mass, Mechanical, Pattern};

/// Makes a state on the constraints, or returns an error that says why it cannot.
///
/// ```
/// # use nalgebra::vector;
/// # use mechanisms::Pendulum;
/// use taut::start::{Clock, Start};
///
/// let pendulum = Pendulum::<f64>::standard();
/// let clock = Clock::at_rate(1_000.0)?;
/// // A rough guess becomes a point of the circle.
/// let state = Start::at(&pendulum, clock, [0.9, -0.8]).at_rest()?;
/// assert!((state.position().norm() - 1.0).abs() < 1e-15);
///
/// // The velocity is made tangential. The multiplier is known before the first step: the rod pulls with v²/l.
/// let state = Start::at(&pendulum, clock, [1.0, 0.0]).moving([0.5, 3.0])?;
/// assert_eq!(state.velocity(), &vector![0.0, 3.0]);
/// assert_eq!(state.multipliers(&pendulum)?[0], 9.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Start<'a, System, const N: usize, const M: usize, F = Ldlt<BaseOf<System, N, M>, M>, P = Compensated>
where
    System: Mechanical<N, M>,
{
    system: &'a System,
    guess: Vector<System::Base, N>,
    clock: Clock<System::Base>,
    limit: System::Base,
    choices: PhantomData<(F, P)>,
}

/// The scalar of a system.
type BaseOf<System, const N: usize, const M: usize> = <System as Mechanical<N, M>>::Base;

// Derived impls would need `System: Copy`.
impl<System: Mechanical<N, M>, const N: usize, const M: usize, F, P> Clone for Start<'_, System, N, M, F, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<System: Mechanical<N, M>, const N: usize, const M: usize, F, P> Copy for Start<'_, System, N, M, F, P> {}

impl<'a, System: Mechanical<N, M>, const N: usize, const M: usize> Start<'a, System, N, M> {
    /// From a guess of the positions, at the clock's tick and time.
    pub fn at(system: &'a System, clock: Clock<System::Base>, guess: impl Into<Vector<System::Base, N>>) -> Self {
        Self { system, guess: guess.into(), clock, limit: System::Base::ROOT_EPSILON, choices: PhantomData }
    }
}

impl<'a, System: Mechanical<N, M>, const N: usize, const M: usize, F, P> Start<'a, System, N, M, F, P> {
    /// For constraints that may depend on each other. Every step determines the rank anew, and the multipliers are those of smallest
    /// norm.
    ///
    /// ```
    /// # use mechanisms::Ring;
    /// use taut::start::{Clock, Start};
    ///
    /// // Six pieces in a ring: 18 constraints, of which 17 are independent.
    /// let (ring, clock) = (Ring::<f64>::fixed(), Clock::at_rate(100.0)?);
    /// let state = Start::at(&ring, clock, Ring::position()).redundant().at_rest()?;
    /// assert_eq!(state.correction().rank(), 17);
    /// // Without it, the dependent constraint is an error.
    /// assert!(Start::at(&ring, clock, Ring::position()).at_rest().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn redundant(self) -> Start<'a, System, N, M, Semidefinite<System::Base, M>, P> {
        self.choosing()
    }

    /// With the digits of the scalar only; see [`Plain`].
    pub fn plain(self) -> Start<'a, System, N, M, F, Plain> {
        self.choosing()
    }

    /// With compensated sums; see [`Compensated`].
    pub fn compensated(self) -> Start<'a, System, N, M, F, Compensated> {
        self.choosing()
    }

    /// With twice the digits; see [`Precise`].
    pub fn precise(self) -> Start<'a, System, N, M, F, Precise> {
        self.choosing()
    }

    /// The same start with other choices.
    pub(crate) fn choosing<Factors, Other>(self) -> Start<'a, System, N, M, Factors, Other> {
        let Self { system, guess, clock, limit, .. } = self;
        Start { system, guess, clock, limit, choices: PhantomData }
    }
}

impl<System, T, const N: usize, const M: usize, F, P> Start<'_, System, N, M, F, P>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    /// Sets the distance from a constraint, in the units of the coordinates, above which the start and every step fail. It must be positive
    /// and at most 1000 (1 + |q|): a larger one checks nothing. The default is √ε: 0.35 mm in `f32` and 15 nm in `f64` if the coordinates are metres.
    ///
    /// The limit of each residual is this distance times the norm of the constraint's gradient **at the start**. If a gradient grows or
    /// shrinks during the run, the distance allowed shrinks or grows with it. [`resume`](super::resume) computes the limits anew.
    pub fn limit(mut self, limit: T) -> Self {
        self.limit = limit;
        self
    }

    /// Starts at rest, or as close to it as moving constraints allow.
    pub fn at_rest(self) -> Result<State<T, N, M, F, P>, StartError<T>> {
        self.moving(Vector::zeros())
    }

    /// Starts with the velocity nearest to this one that the constraints allow.
    pub fn moving(mut self, velocity: impl Into<Vector<T, N>>) -> Result<State<T, N, M, F, P>, StartError<T>> {
        let velocity = velocity.into();
        self.check_given(&self.guess, &velocity)?;
        let turns = unwind::<System, N, M>(&mut self.guess);
        let mut state = self.near_guess(&velocity);
        if let Ok(state) = &mut state {
            state.turns = turns;
        }
        state
    }

    /// The nearest positions on the constraints and the nearest velocity that they allow.
    pub(super) fn near_guess(&self, velocity: &Vector<T, N>) -> Result<State<T, N, M, F, P>, StartError<T>> {
        let (q, geometry) = assemble(self.system, self.time().high, &self.guess, self.limit)?;
        let v = self.consistent_velocity(&q, velocity, &geometry)?;
        let (q, v) = self.settled(q, v, &geometry.correction);
        if P::CARRIES_MORE {
            self.check_position(&q, &geometry)?;
        }
        self.state(q, v, geometry)
    }

    /// Refuses positions off the constraints.
    fn check_position(&self, q: &Coordinates<T, N, P>, geometry: &Geometry<T, N, M, F>) -> Result<(), StartError<T>> {
        let residual = P::start_residual(self.system, self.time(), q);
        within(Level::Position, &residual, &geometry.limits(self.limit))
            .map_err(|residual| StartError::NotAssembled { residual, iterations: 0 })
    }

    /// A state with exactly these positions and velocities. An error if they are not on the constraints.
    pub(super) fn unchanged(
        &self,
        q: Coordinates<T, N, P>,
        v: Coordinates<T, N, P>,
    ) -> Result<State<T, N, M, F, P>, StartError<T>> {
        let Self { system, limit, .. } = *self;
        let time = self.time();
        self.check_given(q.rounded(), v.rounded())?;
        let inertia = system.inertia_at(time.high, q.rounded()).map_err(StartError::Mass)?;
        let geometry =
            Geometry::<T, N, M, F>::at(system, &inertia, time.high, q.rounded()).map_err(StartError::Constraints)?;
        self.check_position(&q, &geometry)?;
        let residual = system.velocity_residual(&geometry.jacobian, time.high, q.rounded(), v.rounded());
        within(Level::Velocity, &residual, &geometry.limits(velocity_limit(limit, v.rounded())))
            .map_err(StartError::Velocity)?;
        self.state(q, v, geometry)
    }

    fn time(&self) -> Time<T> {
        self.clock.time_after::<P>(0)
    }

    /// Refuses an invalid limit or mass, and positions, velocities or a time that are not finite.
    fn check_given(&self, q: &Vector<T, N>, v: &Vector<T, N>) -> Result<(), StartError<T>> {
        all_finite(Part::Position, q)?;
        check_limit(self.limit, magnitude(q))
            .map_err(|largest| StartError::InvalidLimit { given: self.limit, largest })?;
        self.system.mass().check().map_err(StartError::Mass)?;
        if let Some((row, column)) = Pattern::missed(self.system, self.time().high, q) {
            return Err(StartError::Pattern { row, column });
        }
        all_finite(Part::Velocity, v)?;
        all_finite(Part::Time, [&self.time().high])
    }

    /// The velocity nearest to `v` with G v + g_t = 0. An error if a residual remains.
    fn consistent_velocity(
        &self,
        q: &Vector<T, N>,
        v: &Vector<T, N>,
        geometry: &Geometry<T, N, M, F>,
    ) -> Result<Vector<T, N>, StartError<T>> {
        let residual = |v: &Vector<T, N>| self.system.velocity_residual(&geometry.jacobian, self.time().high, q, v);
        let mut v = *v;
        // The second pass removes the round-off of the first.
        for _ in 0..2 {
            v -= geometry.correction.directions * geometry.correction.multipliers::<System>(&residual(&v));
        }
        within(Level::Velocity, &residual(&v), &geometry.limits(velocity_limit(self.limit, &v)))
            .map_err(StartError::Velocity)?;
        Ok(v)
    }

    /// Fills the low parts: projects onto both constraints, evaluated with all digits.
    fn settled(
        &self,
        q: Vector<T, N>,
        v: Vector<T, N>,
        correction: &Correction<T, N, M, F>,
    ) -> (Coordinates<T, N, P>, Coordinates<T, N, P>) {
        let (mut q, mut v) = (Coordinates::<T, N, P>::new(q), Coordinates::<T, N, P>::new(v));
        if P::CARRIES_MORE {
            // Each correction adds the digits of one scalar. The second removes the round-off of the first.
            for _ in 0..2 {
                self.settle_position(&mut q, correction);
            }
            for _ in 0..2 {
                settle_velocity(self.system, self.time(), &q, &mut v, correction);
            }
        }
        (q, v)
    }

    /// Projects positions, with g evaluated with all digits. Not inlined, to save flash: it is called twice.
    #[inline(never)]
    fn settle_position(&self, q: &mut Coordinates<T, N, P>, correction: &Correction<T, N, M, F>) {
        let t = self.time();
        let g = self.system.constraint(P::Wide::<T>::from_parts(t.high, t.low), &q.wide());
        let multipliers = correction.multipliers::<System>(&g.map(|g| g.value()));
        *q = q.begin().shift(|q| correction.subtract::<System>(q, &multipliers)).finish();
    }

    /// Completes a state with the multipliers of the acceleration level: G M⁻¹ Gᵀ λ = G M⁻¹ f + g_qq(v, v) + 2 g_qt v + g_tt.
    fn state(
        &self,
        q: Coordinates<T, N, P>,
        v: Coordinates<T, N, P>,
        geometry: Geometry<T, N, M, F>,
    ) -> Result<State<T, N, M, F, P>, StartError<T>> {
        let Geometry { jacobian, correction } = geometry;
        let (system, t, limits) = (self.system, self.time().high, row_limits(&jacobian, self.limit));
        let multipliers = acceleration_multipliers(system, t, q.rounded(), v.rounded(), &jacobian, &correction)?;
        Ok(State {
            limits,
            residual_weights: residual_weights(&limits),
            node: Node { q, v, correction, last_residual: P::Low::default() },
            clock: Clock { next_multipliers_weight: T::zero(), ..self.clock },
            multipliers,
            limit: self.limit,
            turns: [0; N],
        })
    }
}

/// Projects velocities, with G v + g_t evaluated with all digits.
#[inline(never)]
pub(crate) fn settle_velocity<System, T, const N: usize, const M: usize, F, P>(
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
    let multipliers = correction.multipliers::<System>(&along);
    *v = v.begin().shift(|v| correction.subtract::<System>(v, &multipliers)).finish();
}

/// Subtracts whole turns from the angles of a guess. Returns the number of turns of each.
fn unwind<System: Mechanical<N, M>, const N: usize, const M: usize>(q: &mut Vector<System::Base, N>) -> [i32; N] {
    let mut turns = [0; N];
    for i in 0..N {
        if System::ANGLES[i] {
            let (pi, pi_low) = (System::Base::PI, System::Base::PI_LOW);
            let turn = pi + pi;
            let whole = (q[i] / turn).round();
            let taken = DoubleFloat::from_product(whole, turn) + whole * (pi_low + pi_low);
            q[i] = (-taken + q[i]).high();
            turns[i] = whole.to_f64() as i32;
        }
    }
    turns
}

/// The limit for velocities: that of positions times (1 + |v|), per second.
fn velocity_limit<T: Float, const N: usize>(limit: T, v: &Vector<T, N>) -> T {
    limit * (magnitude(v) + T::one())
}

/// Refuses numbers that are NaN or infinite.
pub(crate) fn all_finite<'a, T: Float>(
    part: Part,
    numbers: impl IntoIterator<Item = &'a T>,
) -> Result<(), StartError<T>> {
    match numbers.into_iter().position(|number| !number.is_finite()) {
        Some(index) => Err(StartError::NonFinite { part, index }),
        None => Ok(()),
    }
}

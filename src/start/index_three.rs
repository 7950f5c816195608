//! The state of a system of the general index-3 form, and how it starts.

use core::num::NonZeroU64;

use super::error::StartError;
use super::precision::{Coordinates, Moving, Plain, Precise, Precision};
use super::state::Clock;
use crate::linalg::{Lu, Matrix, Vector, product_of, subtract_product};
use crate::project::{Level, Residual};
use crate::scalar::{Dual, Float, Real};
use crate::system::IndexThree;
use crate::system::automatic::from_partials;

/// Positions, velocities and multipliers of an [`IndexThree`] system, on its constraint.
///
/// ```
/// # use nalgebra::{matrix, vector};
/// # use taut::linalg::{Matrix, Vector};
/// # use taut::scalar::Real;
/// # use taut::system::IndexThree;
/// # struct Servo;
/// # impl IndexThree<1, 1, 1> for Servo {
/// #     type Base = f64;
/// #     fn rate<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 1>) -> Vector<S, 1> { *q }
/// #     fn force<S: Real<Base = f64>>(&self, _t: S, _p: &Vector<S, 1>, q: &Vector<S, 1>) -> Vector<S, 1> {
/// #         vector![q[0] * -0.1]
/// #     }
/// #     fn coupling<S: Real<Base = f64>>(&self, _t: S, _p: &Vector<S, 1>, _q: &Vector<S, 1>) -> Matrix<S, 1, 1> {
/// #         matrix![S::from(2.0)]
/// #     }
/// #     fn constraint<S: Real<Base = f64>>(&self, t: S, p: &Vector<S, 1>) -> Vector<S, 1> {
/// #         vector![p[0] - t.sin()]
/// #     }
/// # }
/// use taut::start::IndexThreeState;
///
/// let state = IndexThreeState::start(&Servo, 0.0, [0.0], [1.0])?;
/// assert_eq!(state.tick(), 0);
/// // The velocity has to agree with the path, R_p U + R_t = 0.
/// assert!(IndexThreeState::start(&Servo, 0.0, [0.0], [0.5]).is_err());
/// # Ok::<(), taut::start::StartError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IndexThreeState<T: Float, const P: usize, const Q: usize, const S: usize, D: Precision = Plain> {
    pub(crate) p: Coordinates<T, P, D>,
    pub(crate) q: Coordinates<T, Q, D>,
    pub(crate) multipliers: Vector<T, S>,
    pub(crate) clock: Clock<T>,
    pub(crate) limit: T,
}

impl<T: Float, const P: usize, const Q: usize, const S: usize> IndexThreeState<T, P, Q, S> {
    /// From consistent values at time `t`: R = 0 and R_p U + R_t = 0 up to √ε.
    pub fn start<System: IndexThree<P, Q, S, Base = T>>(
        system: &System,
        t: T,
        p: impl Into<Vector<T, P>>,
        q: impl Into<Vector<T, Q>>,
    ) -> Result<Self, StartError<T>> {
        Self::begin(system, t, p.into(), q.into())
    }
}

impl<T: Float, const P: usize, const Q: usize, const S: usize> IndexThreeState<T, P, Q, S, Precise> {
    /// As [`start`](IndexThreeState::start), with twice the digits; see [`Precise`]. The values are moved onto both constraints
    /// by what their rounding has taken them off.
    pub fn start_precise<System: IndexThree<P, Q, S, Base = T>>(
        system: &System,
        t: T,
        p: impl Into<Vector<T, P>>,
        q: impl Into<Vector<T, Q>>,
    ) -> Result<Self, StartError<T>> {
        Self::begin(system, t, p.into(), q.into())
    }
}

impl<T: Float, const P: usize, const Q: usize, const S: usize, D: Precision> IndexThreeState<T, P, Q, S, D> {
    fn begin<System: IndexThree<P, Q, S, Base = T>>(
        system: &System,
        t: T,
        p: Vector<T, P>,
        q: Vector<T, Q>,
    ) -> Result<Self, StartError<T>> {
        for (index, number) in p.iter().chain(q.iter()).chain([t].iter()).enumerate() {
            if !number.is_finite() {
                return Err(StartError::NonFinite { index });
            }
        }
        let limit = T::ROOT_EPSILON;
        let clock = Clock::from(0, t);
        let (p, q, multipliers) = (Coordinates::new(p), Coordinates::new(q), Vector::zeros());
        let mut state = Self { p, q, multipliers, clock, limit };
        let residual = state.residual(system);
        for row in 0..S {
            let (position, velocity) = (residual[row].value.value(), residual[row].partials[0].value());
            if !(position.abs() <= limit) {
                let residual = Residual { level: Level::Position, row, residual: position, limit };
                return Err(StartError::NotAssembled { residual, iterations: 0 });
            }
            if !(velocity.abs() <= limit) {
                return Err(StartError::Velocity(Residual { level: Level::Velocity, row, residual: velocity, limit }));
            }
        }
        let matrix = Lu::factor(system.multiplier_matrix(t, state.position(), state.velocity()))
            .map_err(StartError::Constraints)?;
        if D::CARRIES_MORE {
            state.settle(system, &matrix)?;
        }
        Ok(state)
    }

    /// R along the motion: its value, and its time derivative R_p U + R_t.
    fn residual<System>(&self, system: &System) -> Vector<Dual<D::Wide<T>, 1, T>, S>
    where
        System: IndexThree<P, Q, S, Base = T>,
    {
        let t = D::Wide::<T>::from(self.clock.origin);
        let rate = system.rate(t, &self.q.wide());
        let along = self.p.wide().zip_map(&rate, |p, u| Dual::<D::Wide<T>, 1, T>::new(p, [u]));
        system.constraint(Dual::new(t, [D::Wide::<T>::from(T::one())]), &along)
    }

    /// Onto the constraint along its gradients, R_pᵀ, and onto the hidden one along G.
    fn settle<System>(&mut self, system: &System, matrix: &Lu<T, S>) -> Result<(), StartError<T>>
    where
        System: IndexThree<P, Q, S, Base = T>,
    {
        let t = self.clock.origin;
        let variables = Vector::from(Dual::<T, P>::variables(self.position().data.0[0]));
        let gradient: Matrix<T, S, P> = from_partials(&system.constraint(Dual::constant(t), &variables));
        let directions = gradient.transpose();
        let square = Lu::factor(product_of(&gradient, &directions)).map_err(StartError::Constraints)?;
        for _ in 0..2 {
            let residual = self.residual(system).map(|r| r.value.value());
            let multipliers = square.solve(residual);
            self.p = self.p.depart().shift(|p| subtract_product(p, &directions, &multipliers)).arrive();
        }
        let coupling = system.coupling(t, self.position(), self.velocity());
        for _ in 0..2 {
            let residual = self.residual(system).map(|r| r.partials[0].value());
            let multipliers = matrix.solve(residual);
            self.q = self.q.depart().shift(|q| subtract_product(q, &coupling, &multipliers)).arrive();
        }
        Ok(())
    }

    /// The positions p.
    #[inline]
    pub fn position(&self) -> &Vector<T, P> {
        self.p.rounded()
    }

    /// The velocities q.
    #[inline]
    pub fn velocity(&self) -> &Vector<T, Q> {
        self.q.rounded()
    }

    /// The positions with all the digits that are carried.
    #[inline]
    pub fn full_position(&self) -> &Coordinates<T, P, D> {
        &self.p
    }

    /// The velocities with all the digits that are carried.
    #[inline]
    pub fn full_velocity(&self) -> &Coordinates<T, Q, D> {
        &self.q
    }

    /// The multipliers Λ of the last step; zero before the first.
    #[inline]
    pub fn multipliers(&self) -> &Vector<T, S> {
        &self.multipliers
    }

    /// The number of steps made.
    #[inline]
    pub fn tick(&self) -> u64 {
        self.clock.tick
    }

    /// The time of the system, for a method that steps by `h`.
    #[inline]
    pub fn time(&self, h: T) -> T {
        self.clock.time::<D>(0, h).high
    }

    /// Lets the system's time count from here: from now on t = `origin` + (ticks since now) h.
    ///
    /// To be called before another method with another step goes on, too: `state.set_epoch(state.time(old_h))`.
    #[inline]
    pub fn set_epoch(&mut self, origin: T) {
        self.clock = Clock { epoch: self.clock.tick, origin, ..self.clock };
    }

    /// Lets the system's time begin anew every so many ticks, counted from the epoch, for a system that is periodic: after hours
    /// its path is as accurate as at the start. `None` lets the time grow.
    ///
    /// The path should close after so many ticks: what it lacks, divided by h², is an acceleration that the multipliers of the next
    /// step have to make.
    #[inline]
    pub fn set_period(&mut self, ticks: Option<NonZeroU64>) {
        self.clock.repeat(ticks.map_or(u64::MAX, NonZeroU64::get));
    }
}

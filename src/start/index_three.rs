//! The state of a system of the general index-3 form, and how it starts.

use super::begin::all_finite;
use super::clock::Clock;
use super::error::{Part, StartError};
use super::precision::{Coordinates, Plain, Precise, Precision};
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
/// use taut::start::{Clock, IndexThreeState};
///
/// // The force that keeps a cart on its path: 2 Λ = −sin t + 0.1 cos t.
/// let clock = Clock::at_rate(1_000.0)?;
/// let state = IndexThreeState::start(&Servo, clock, [0.0], [1.0])?;
/// assert_eq!(state.multipliers(&Servo)?[0], 0.05);
/// // The velocity must agree with the path, R_p U + R_t = 0.
/// assert!(IndexThreeState::start(&Servo, clock, [0.0], [0.5]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
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
    /// From consistent values at the time of the clock: R = 0 and R_p U + R_t = 0 up to √ε.
    pub fn start<System: IndexThree<P, Q, S, Base = T>>(
        system: &System,
        clock: Clock<T>,
        p: impl Into<Vector<T, P>>,
        q: impl Into<Vector<T, Q>>,
    ) -> Result<Self, StartError<T>> {
        Self::begin(system, clock, p.into(), q.into())
    }
}

impl<T: Float, const P: usize, const Q: usize, const S: usize> IndexThreeState<T, P, Q, S, Precise> {
    /// As [`start`](IndexThreeState::start), with twice the digits; see [`Precise`]. The values are projected onto both constraints, to
    /// remove their rounding errors.
    pub fn start_precise<System: IndexThree<P, Q, S, Base = T>>(
        system: &System,
        clock: Clock<T>,
        p: impl Into<Vector<T, P>>,
        q: impl Into<Vector<T, Q>>,
    ) -> Result<Self, StartError<T>> {
        Self::begin(system, clock, p.into(), q.into())
    }
}

impl<T: Float, const P: usize, const Q: usize, const S: usize, D: Precision> IndexThreeState<T, P, Q, S, D> {
    fn begin<System: IndexThree<P, Q, S, Base = T>>(
        system: &System,
        clock: Clock<T>,
        p: Vector<T, P>,
        q: Vector<T, Q>,
    ) -> Result<Self, StartError<T>> {
        let t = clock.time();
        all_finite(Part::Position, &p)?;
        all_finite(Part::Velocity, &q)?;
        all_finite(Part::Time, [&t])?;
        let limit = T::ROOT_EPSILON;
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
    fn residual<System: IndexThree<P, Q, S, Base = T>>(&self, system: &System) -> Vector<Dual<D::Wide<T>, 1, T>, S> {
        let t = D::Wide::<T>::from(self.clock.time());
        let rate = system.rate(t, &self.q.wide());
        let along = self.p.wide().zip_map(&rate, |p, u| Dual::<D::Wide<T>, 1, T>::new(p, [u]));
        system.constraint(Dual::new(t, [D::Wide::<T>::from(T::one())]), &along)
    }

    /// Projects p onto the constraint along R_pᵀ, and q onto the hidden constraint along G.
    pub(crate) fn settle<System>(&mut self, system: &System, matrix: &Lu<T, S>) -> Result<(), StartError<T>>
    where
        System: IndexThree<P, Q, S, Base = T>,
    {
        let t = self.clock.time();
        let variables = Vector::from(Dual::<T, P>::variables(self.position().data.0[0]));
        let gradient: Matrix<T, S, P> = from_partials(&system.constraint(Dual::constant(t), &variables));
        let directions = gradient.transpose();
        let square = Lu::factor(product_of(&gradient, &directions)).map_err(StartError::Constraints)?;
        for _ in 0..2 {
            let residual = self.residual(system).map(|r| r.value.value());
            let multipliers = square.solve(residual);
            self.p = self.p.begin().shift(|p| subtract_product(p, &directions, &multipliers)).finish();
        }
        self.settle_velocity(system, matrix);
        Ok(())
    }

    /// Projects q onto the hidden constraint along G. `matrix` are the factors of R_p U_q G.
    pub(crate) fn settle_velocity<System>(&mut self, system: &System, matrix: &Lu<T, S>)
    where
        System: IndexThree<P, Q, S, Base = T>,
    {
        let coupling = system.coupling(self.clock.time(), self.position(), self.velocity());
        for _ in 0..2 {
            let multipliers = matrix.solve(self.velocity_residual(system));
            self.q = self.q.begin().shift(|q| subtract_product(q, &coupling, &multipliers)).finish();
        }
    }

    /// The hidden constraint R_p U + R_t.
    pub(crate) fn velocity_residual<System>(&self, system: &System) -> Vector<T, S>
    where
        System: IndexThree<P, Q, S, Base = T>,
    {
        self.residual(system).map(|r| r.partials[0].value())
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

    /// The positions with all digits.
    #[inline]
    pub fn full_position(&self) -> &Coordinates<T, P, D> {
        &self.p
    }

    /// The velocities with all digits.
    #[inline]
    pub fn full_velocity(&self) -> &Coordinates<T, Q, D> {
        &self.q
    }

    /// The multipliers Λ at this state: R_p U_q G Λ = −R'', with the second derivative R'' of the constraint for Λ = 0.
    pub fn multipliers<System>(&self, system: &System) -> Result<Vector<T, S>, StartError<T>>
    where
        System: IndexThree<P, Q, S, Base = T>,
    {
        let (t, p, q) = (self.clock.time(), self.position(), self.velocity());
        // The second derivative along the motion with Λ = 0: nested dual numbers differentiate R' = R_p U + R_t once more.
        let time = Dual::<T, 1>::new(t, [T::one()]);
        let p_moving = p.zip_map(&system.rate(t, q), |p, u| Dual::new(p, [u]));
        let q_moving = q.zip_map(&system.force(t, p, q), |q, f| Dual::new(q, [f]));
        let along = p_moving.zip_map(&system.rate(time, &q_moving), |p, u| Dual::<Dual<T, 1>, 1, T>::new(p, [u]));
        let constraint = system.constraint(Dual::new(time, [Dual::constant(T::one())]), &along);
        let second = constraint.map(|r| r.partials[0].partials[0]);
        let factors = Lu::factor(system.multiplier_matrix(t, p, q)).map_err(StartError::Constraints)?;
        let multipliers = factors.solve(-second);
        all_finite(Part::Multiplier, &multipliers)?;
        Ok(multipliers)
    }

    /// The clock: tick, time and step size.
    #[inline]
    pub fn clock(&self) -> &Clock<T> {
        &self.clock
    }

    /// The clock, to move its epoch, to give it a period or another step size.
    #[inline]
    pub fn clock_mut(&mut self) -> &mut Clock<T> {
        &mut self.clock
    }
}

//! The state of a system of the general index-3 form, and how it starts.

use super::error::StartError;
use super::precision::Plain;
use super::state::Clock;
use crate::linalg::{Lu, Vector};
use crate::project::{Level, Residual};
use crate::scalar::{Dual, Float};
use crate::system::IndexThree;

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
pub struct IndexThreeState<T, const P: usize, const Q: usize, const S: usize> {
    pub(crate) p: Vector<T, P>,
    pub(crate) q: Vector<T, Q>,
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
        let (p, q) = (p.into(), q.into());
        for (index, number) in p.iter().chain(q.iter()).chain([t].iter()).enumerate() {
            if !number.is_finite() {
                return Err(StartError::NonFinite { index });
            }
        }
        let limit = T::ROOT_EPSILON;
        // R along the motion: its value, and its time derivative R_p U + R_t.
        let rate = system.rate(t, &q);
        let along = p.zip_map(&rate, |p, u| Dual::<T, 1>::new(p, [u]));
        let residual = system.constraint(Dual::new(t, [T::one()]), &along);
        for row in 0..S {
            let (position, velocity) = (residual[row].value, residual[row].partials[0]);
            if !(position.abs() <= limit) {
                let residual = Residual { level: Level::Position, row, residual: position, limit };
                return Err(StartError::NotAssembled { residual, iterations: 0 });
            }
            if !(velocity.abs() <= limit) {
                return Err(StartError::Velocity(Residual { level: Level::Velocity, row, residual: velocity, limit }));
            }
        }
        Lu::factor(system.multiplier_matrix(t, &p, &q)).map_err(StartError::Constraints)?;

        let clock = Clock { tick: 0, epoch: 0, origin: t };
        let multipliers = Vector::zeros();
        Ok(Self { p, q, multipliers, clock, limit })
    }

    /// The positions p.
    #[inline]
    pub fn position(&self) -> &Vector<T, P> {
        &self.p
    }

    /// The velocities q.
    #[inline]
    pub fn velocity(&self) -> &Vector<T, Q> {
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
        self.clock.time::<Plain>(0, h).high
    }
}

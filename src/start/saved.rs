//! Saving a state and restoring it.
//!
//! A saved state carries a version and a checksum over the bits of all its numbers. [`Saved::restore`] checks both before it looks at
//! the numbers, so that every flipped bit is an error, also one in the tick or in a multiplier, which could have any value. Then it
//! checks the numbers against the model: constraints, limits and digits.

use core::num::NonZeroU64;

use super::begin::{Start, all_finite};
use super::checksum::Checksum;
use super::clock::Clock;
use super::error::{Part, StartError};
use super::precision::{Carried, Compensated, Coordinates, Precision};
use super::state::{Node, State, residual_weights};
use crate::linalg::{Ldlt, Semidefinite, SymmetricFactors, Vector};
use crate::project::LIMIT_RANGE;
use crate::scalar::Float;
use crate::system::Mechanical;

/// The parts of a state that cannot be computed again, for flash memory or a log.
///
/// [`State::save`](super::State::save) makes it. [`restore`](Self::restore) checks it and returns the state. Whatever stores it must
/// keep every bit: a text format needs enough digits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: Float + serde::Serialize, P::Low<T, N>: serde::Serialize, P::Low<T, M>: serde::Serialize",
        deserialize = "T: Float + serde::Deserialize<'de>, P::Low<T, N>: serde::Deserialize<'de>, P::Low<T, M>: serde::Deserialize<'de>"
    ))
)]
pub struct Saved<T: Float, const N: usize, const M: usize, P: Precision = Compensated> {
    /// The positions.
    pub q: Coordinates<T, N, P>,
    /// The velocities.
    pub v: Coordinates<T, N, P>,
    /// The position residual after the last step; empty in plain states.
    pub last_residual: P::Low<T, M>,
    /// The one-sided multipliers at the end of the last step.
    pub multipliers: Vector<T, M>,
    /// The weight of the next step's one-sided multipliers at this node: zero after a start, a half after a step.
    pub next_multipliers_weight: T,
    /// The limit of the residual of each position constraint.
    pub limits: Vector<T, M>,
    /// Whole turns subtracted from the coordinates that are angles.
    pub turns: Vector<i32, N>,
    /// The tick.
    pub tick: u64,
    /// The step size h, in seconds.
    pub step: T,
    /// The tick from which the model's time counts.
    pub epoch: u64,
    /// The model's time at the epoch.
    pub origin: T,
    /// The ticks after which the model's time begins again; `u64::MAX` for never.
    pub period: u64,
    /// The distance from a constraint, in the units of the coordinates, above which a step fails.
    pub limit: T,
    /// The version of this list of fields: [`VERSION`](Self::VERSION).
    pub version: u32,
    /// The CRC-32 of all other fields.
    pub checksum: u32,
}

impl<T: Float, const N: usize, const M: usize, P: Precision> Saved<T, N, M, P> {
    /// The version that this library writes and reads. It changes with the fields and with their meaning.
    pub const VERSION: u32 = 1;

    /// The same fields with the version and the checksum that belong to them.
    ///
    /// For values that are changed on purpose, or put together from other data. If you keep the fields in your own storage, keep version
    /// and checksum with them: sealed after loading, damaged data has a valid checksum. It costs about 300 instructions a number.
    ///
    /// ```
    /// # use nalgebra::vector;
    /// # use mechanisms::Pendulum;
    /// # use taut::start::{Clock, Coordinates, Saved, Start};
    /// let pendulum = Pendulum::<f64>::standard();
    /// let saved = Start::at(&pendulum, Clock::at_rate(1_000.0)?, [1.0, 0.0]).moving([0.0, 2.0])?.save();
    /// // The same place, going back.
    /// let turned = Saved { v: Coordinates::new(vector![0.0, -2.0]), ..saved };
    /// assert!(turned.restore(&pendulum).is_err());
    /// assert!(turned.sealed().restore(&pendulum).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sealed(self) -> Self {
        let versioned = Self { version: Self::VERSION, ..self };
        Self { checksum: versioned.expected_checksum(), ..versioned }
    }

    /// The checksum of the fields as they are.
    #[inline(never)]
    fn expected_checksum(&self) -> u32 {
        // All fields by name: a new one cannot be forgotten.
        let Self {
            q,
            v,
            last_residual,
            multipliers,
            next_multipliers_weight,
            limits,
            turns,
            tick,
            step,
            epoch,
            origin,
            period,
            limit,
            version,
            checksum: _,
        } = self;
        let mut checksum = Checksum::new();
        checksum.append(u64::from(*version));
        for coordinates in [q, v] {
            checksum.append_all(coordinates.rounded());
            checksum.append_all(&coordinates.low());
        }
        for numbers in [&last_residual.kept(), multipliers, limits] {
            checksum.append_all(numbers);
        }
        checksum.append_all([next_multipliers_weight, step, origin, limit]);
        for turns in turns {
            checksum.append(u64::from(turns.cast_unsigned()));
        }
        for ticks in [tick, epoch, period] {
            checksum.append(*ticks);
        }
        checksum.finish()
    }

    /// The state as it was saved, to the last bit: the run continues as if it had not been interrupted. An error if a bit has changed, if
    /// the values are not on the constraints, or if they cannot have come from a state of this model.
    ///
    /// The limits must be plausible for the model at this pose, within a factor of 1000: a limit too large would switch off the checks
    /// of every step. If gradients have changed by more than that since the start, [`resume`](super::resume) before you save computes
    /// the limits anew.
    ///
    /// The velocity must satisfy its constraint up to the limit of the state. Implicit Euler on the position level without projection
    /// leaves velocities off by O(h): to restore such a state, its start needs a limit that allows it.
    ///
    /// ```
    /// # use nalgebra::vector;
    /// # use mechanisms::Pendulum;
    /// # use taut::start::{Clock, Start};
    /// let pendulum = Pendulum::<f64>::standard();
    /// let clock = Clock::at_rate(1_000.0)?;
    /// let saved = Start::at(&pendulum, clock, [1.0, 0.0]).at_rest()?.save();
    /// assert_eq!(saved.restore(&pendulum)?.save(), saved);
    ///
    /// let mut corrupted = saved;
    /// corrupted.q = taut::start::Coordinates::new(vector![1.1, 0.0]);
    /// let error = corrupted.restore(&pendulum).unwrap_err();
    /// assert!(error.to_string().ends_with(": the data was changed or damaged"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restore<System>(&self, system: &System) -> Result<State<T, N, M, Ldlt<T, M>, P>, StartError<T>>
    where
        System: Mechanical<N, M, Base = T>,
    {
        self.restore_with(system)
    }

    /// The same for constraints that may depend on each other, as [`Start::redundant`](super::Start::redundant).
    pub fn restore_redundant<System: Mechanical<N, M, Base = T>>(
        &self,
        system: &System,
    ) -> Result<State<T, N, M, Semidefinite<T, M>, P>, StartError<T>> {
        self.restore_with(system)
    }

    /// Refuses another version, and bits that have changed since the save.
    fn check_seal(&self) -> Result<(), StartError<T>> {
        if self.version != Self::VERSION {
            return Err(StartError::Version { found: self.version, expected: Self::VERSION });
        }
        let expected = self.expected_checksum();
        if self.checksum != expected {
            return Err(StartError::Checksum { found: self.checksum, expected });
        }
        Ok(())
    }

    fn restore_with<System, F>(&self, system: &System) -> Result<State<T, N, M, F, P>, StartError<T>>
    where
        System: Mechanical<N, M, Base = T>,
        F: SymmetricFactors<T, M>,
    {
        self.check_seal()?;
        let Self {
            q, v, last_residual, multipliers, next_multipliers_weight, limits, turns, tick, epoch, origin, ..
        } = *self;
        let mut clock = Clock { epoch, ..Clock::with_step(self.step)?.at_tick(tick).at_time(origin) };
        let Some(period) = NonZeroU64::new(self.period) else {
            return Err(StartError::Corrupted { part: Part::Time, index: 0 });
        };
        clock.set_period(Some(period));
        let start = Start::at(system, clock, *q.rounded()).choosing::<F, P>().limit(self.limit);
        let state = start.unchanged(q, v)?;
        normalised(Part::Position, &q)?;
        normalised(Part::Velocity, &v)?;
        all_finite(Part::Multiplier, &(multipliers + multipliers))?;
        // Those of the state are limit · ‖G_i‖ here; the saved ones, where the run began.
        let range = T::from_f64(LIMIT_RANGE);
        let is_limit = |limit: T, here: T| {
            limit > T::zero() && limit.is_finite() && limit <= here * range && limit * range >= here
        };
        if let Some(index) = limits.iter().zip(&state.limits).position(|(limit, here)| !is_limit(*limit, *here)) {
            return Err(StartError::Corrupted { part: Part::Limits, index });
        }
        let left = last_residual.kept();
        if let Some(index) = left.iter().zip(&limits).position(|(left, limit)| !(left.abs() <= *limit)) {
            return Err(StartError::Corrupted { part: Part::LastResidual, index });
        }
        let weights = [T::zero(), T::from_f64(0.5)];
        if !weights.contains(&next_multipliers_weight) {
            return Err(StartError::Corrupted { part: Part::Weight, index: 0 });
        }
        let node = Node { last_residual, ..state.node };
        let residual_weights = residual_weights(&limits);
        let clock = Clock { next_multipliers_weight, ..state.clock };
        Ok(State { node, clock, multipliers, limits, residual_weights, turns: turns.into(), ..state })
    }
}

/// Refuses a low part larger than the last digit of the high part.
pub(super) fn normalised<T: Float, const N: usize, P: Precision>(
    part: Part,
    coordinates: &Coordinates<T, N, P>,
) -> Result<(), StartError<T>> {
    let (high, low): (&Vector<T, N>, Vector<T, N>) = (coordinates.rounded(), coordinates.low.kept());
    let is_above = |(low, high): (&T, &T)| !(low.abs() <= high.abs() * (T::EPSILON + T::EPSILON));
    match low.iter().zip(high).position(is_above) {
        Some(index) => Err(StartError::Corrupted { part, index }),
        None => Ok(()),
    }
}

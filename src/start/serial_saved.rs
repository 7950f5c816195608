//! Saving the state of a serial mechanism and restoring it: [`Saved`](super::Saved), in linear memory.

use core::num::NonZeroU64;

use super::begin::all_finite;
use super::checksum::Checksum;
use super::clock::Clock;
use super::error::{Part, StartError};
use super::precision::{Carried, Coordinates, Plain, Precision};
use super::saved::normalised;
use super::serial::SerialState;
use crate::linalg::{Matrix, Vector};
use crate::project::LIMIT_RANGE;
use crate::project::serial::{Side, every_joint};
use crate::scalar::Float;
use crate::system::Serial;

/// The parts of the state of a serial mechanism that cannot be computed again, for flash memory or a log. A column is an element, or the
/// joint before it.
///
/// [`SerialState::save`](super::SerialState::save) makes it. [`restore`](Self::restore) checks it and returns the state. Whatever stores
/// it must keep every bit: a text format needs enough digits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: Float + serde::Serialize, P::Low<T, D>: serde::Serialize, P::Low<T, E>: serde::Serialize",
        deserialize = "T: Float + serde::Deserialize<'de>, P::Low<T, D>: serde::Deserialize<'de>, P::Low<T, E>: serde::Deserialize<'de>"
    ))
)]
pub struct SavedSerial<T: Float, const N: usize, const D: usize, const E: usize, P: Precision = Plain> {
    /// The positions.
    pub q: Vector<Coordinates<T, D, P>, N>,
    /// The velocities.
    pub v: Vector<Coordinates<T, D, P>, N>,
    /// Whole turns subtracted from the coordinates that are angles.
    pub turns: Matrix<i32, D, N>,
    /// The joint before each element.
    pub joints: Vector<SavedJoint<T, E, P>, N>,
    /// The joint behind the last element of a closed mechanism; else zero.
    pub closing: SavedJoint<T, E, P>,
    /// The weight of the next step's one-sided multipliers at this node: zero after a start, a half after a step.
    pub next_multipliers_weight: T,
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
    /// The version of this list of fields: [`VERSION`](Self::VERSION).
    pub version: u32,
    /// The CRC-32 of all other fields.
    pub checksum: u32,
}

/// The part of a [`SavedSerial`] about one joint.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: Float + serde::Serialize, P::Low<T, E>: serde::Serialize",
        deserialize = "T: Float + serde::Deserialize<'de>, P::Low<T, E>: serde::Deserialize<'de>"
    ))
)]
pub struct SavedJoint<T: Float, const E: usize, P: Precision = Plain> {
    /// The position residual after the last step; empty in plain states.
    pub last_residual: P::Low<T, E>,
    /// The one-sided multipliers at the end of the last step.
    pub multipliers: Vector<T, E>,
    /// The limit of the residual of each position constraint.
    pub limits: Vector<T, E>,
}

impl<T: Float, const N: usize, const D: usize, const E: usize, P: Precision> SerialState<T, N, D, E, P> {
    /// Everything needed to continue the run later, with a checksum; see [`SavedSerial::restore`]. Costs about 300 instructions a number.
    ///
    /// ```
    /// # use mechanisms::HangingChain;
    /// # use taut::start::{Clock, SerialState};
    /// let chain = HangingChain::<f32, 20>::standard();
    /// let state = SerialState::at_rest(&chain, Clock::at_rate(1_000.0)?, HangingChain::<f32, 20>::position())?;
    /// let saved = state.save();
    /// assert_eq!(saved.restore(&chain)?.save(), saved);
    ///
    /// let mut damaged = saved;
    /// damaged.turns[3] += 1;
    /// assert!(damaged.restore(&chain).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self) -> SavedSerial<T, N, D, E, P> {
        let Clock { tick, next_multipliers_weight, size, origin, epoch, period } = self.clock;
        // No index in brackets: the compiler does not always see that it is valid.
        let element = |i: usize| self.rows.get(i).at(self.side);
        let low = |i: usize| self.digits.get(i).at(self.side);
        let joint = |index: usize| {
            let (row, low) = (self.rows.get(index), self.digits.get(index).at(self.side));
            let multipliers = row.at(self.side).joint.multipliers * self.per_impulse;
            SavedJoint { last_residual: low.last_residual, multipliers, limits: row.limits }
        };
        SavedSerial {
            q: Vector::from_fn(|i, _| Coordinates { high: element(i).q, low: low(i).q }),
            v: Vector::from_fn(|i, _| Coordinates { high: element(i).v, low: low(i).v }),
            turns: Matrix::from_fn(|k, i| element(i).turns.get(k).copied().unwrap_or_default()),
            joints: Vector::from_fn(|i, _| joint(i)),
            closing: joint(N),
            next_multipliers_weight,
            tick,
            step: size.h,
            epoch,
            origin,
            period,
            version: 0,
            checksum: 0,
        }
        .sealed()
    }
}

impl<T: Float, const N: usize, const D: usize, const E: usize, P: Precision> SavedSerial<T, N, D, E, P> {
    /// The version that this library writes and reads. It changes with the fields and with their meaning.
    pub const VERSION: u32 = 1;

    /// The same fields with the version and the checksum that belong to them; see [`Saved::sealed`](super::Saved::sealed).
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
            turns,
            joints,
            closing,
            next_multipliers_weight,
            tick,
            step,
            epoch,
            origin,
            period,
            version,
            checksum: _,
        } = self;
        let mut checksum = Checksum::new();
        checksum.append(u64::from(*version));
        for coordinates in q.iter().chain(v) {
            checksum.append_all(coordinates.rounded());
            checksum.append_all(&coordinates.low());
        }
        for SavedJoint { last_residual, multipliers, limits } in joints.iter().chain([closing]) {
            for numbers in [&last_residual.kept(), multipliers, limits] {
                checksum.append_all(numbers);
            }
        }
        checksum.append_all([next_multipliers_weight, step, origin]);
        for turns in turns {
            checksum.append(u64::from(turns.cast_unsigned()));
        }
        for ticks in [tick, epoch, period] {
            checksum.append(*ticks);
        }
        checksum.finish()
    }

    /// The state as it was saved, to the last bit: the run continues as if it had not been interrupted. An error if a bit has changed, if
    /// the values are not on the constraints, or if they cannot have come from a state of this model. Limits must be plausible, as in
    /// [`Saved::restore`](super::Saved::restore).
    pub fn restore<System: Serial<N, D, E, Base = T>>(
        &self,
        system: &System,
    ) -> Result<SerialState<T, N, D, E, P>, StartError<T>> {
        if self.version != Self::VERSION {
            return Err(StartError::Version { found: self.version, expected: Self::VERSION });
        }
        let expected = self.expected_checksum();
        if self.checksum != expected {
            return Err(StartError::Checksum { found: self.checksum, expected });
        }
        let weight = self.next_multipliers_weight;
        if weight != T::zero() && weight != T::from_f64(0.5) {
            return Err(StartError::Corrupted { part: Part::Weight, index: 0 });
        }
        let Some(period) = NonZeroU64::new(self.period) else {
            return Err(StartError::Corrupted { part: Part::Time, index: 0 });
        };
        let clock = Clock::with_step(self.step)?.at_tick(self.tick).at_time(self.origin);
        let mut clock = Clock { epoch: self.epoch, next_multipliers_weight: weight, ..clock };
        clock.set_period(Some(period));
        for (part, coordinates) in [(Part::Position, &self.q), (Part::Velocity, &self.v)] {
            all_finite(part, coordinates.iter().flat_map(|x| x.rounded()))?;
            for (i, coordinates) in coordinates.iter().enumerate() {
                normalised(part, coordinates).map_err(|error| of_block(error, i * D))?;
            }
        }
        let mut state = SerialState::workspace(clock);
        for (i, (q, v)) in self.q.iter().zip(&self.v).enumerate() {
            let (row, low) = (state.rows.get_mut(i), state.digits.get_mut(i));
            let (element, low) = (row.at_mut(Side::First), low.at_mut(Side::First));
            (element.q, element.v, low.q, low.v) = (q.high, v.high, q.low, v.low);
            element.turns = core::array::from_fn(|k| self.turns.get((k, i)).copied().unwrap_or_default());
        }
        state.stand(system)?;
        self.restore_joints(&mut state, every_joint::<System, N, D, E>().len())?;
        Ok(state)
    }

    /// Limits, multipliers and residuals of this many joints, each checked. Those of the state are what the model gives here.
    fn restore_joints(&self, state: &mut SerialState<T, N, D, E, P>, joints: usize) -> Result<(), StartError<T>> {
        let range = T::from_f64(LIMIT_RANGE);
        for (index, saved) in self.joints.iter().chain([&self.closing]).take(joints).enumerate() {
            let row = state.rows.get_mut(index);
            for k in 0..E {
                let (limit, here) = (saved.limits.data.0[0][k], row.limits.data.0[0][k]);
                if !(limit > T::zero() && limit.is_finite() && limit <= here * range && limit * range >= here) {
                    return Err(StartError::Corrupted { part: Part::Limits, index: index * E + k });
                }
                if !(saved.last_residual.kept().data.0[0][k].abs() <= limit) {
                    return Err(StartError::Corrupted { part: Part::LastResidual, index: index * E + k });
                }
                let multiplier = saved.multipliers.data.0[0][k];
                if !(multiplier + multiplier).is_finite() {
                    return Err(StartError::NonFinite { part: Part::Multiplier, index: index * E + k });
                }
            }
            row.at_mut(Side::First).joint.multipliers = saved.multipliers;
            state.rows.set_limits(index, saved.limits);
            state.digits.get_mut(index).at_mut(Side::First).last_residual = saved.last_residual;
        }
        Ok(())
    }
}

/// The same error with the index among those of all elements.
fn of_block<T>(error: StartError<T>, first: usize) -> StartError<T> {
    match error {
        StartError::Corrupted { part, index } => StartError::Corrupted { part, index: first + index },
        other => other,
    }
}

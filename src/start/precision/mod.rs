//! How many digits a state carries, and what they cost.
//!
//! Index 3 amplifies round-off: an error ε in a position is an error ε/h² in a multiplier. In `f32` that is a hundredth of a pendulum's
//! reaction force at 1 kHz, and all of it at 10 kHz. Rounding errors of positions and velocities also change the energy for good. So by
//! default a state carries more digits than its scalar:
//!
//! | | what it does | choose it |
//! |---|---|---|
//! | [`Plain`] | rounds positions and velocities in every step | for `f64`, and if instructions matter more than forces |
//! | [`Compensated`], the default | positions and velocities keep the rounding errors of their sums; within a step the constraint is computed as a difference, without cancellation | for control loops at about 1 kHz |
//! | [`Precise`] | as compensated, and evaluates the constraint with twice the digits, once a step (twice if it uses the time) | for fast loops, if the multipliers are used, if constraints must hold beyond ε |
//!
//! ```
//! # use mechanisms::Pendulum;
//! use taut::start::{Clock, Start};
//!
//! let pendulum = Pendulum::<f32>::standard();
//! let start = Start::at(&pendulum, Clock::at_rate(1_000.0)?, [1.0, 0.0]);
//! let compensated = start.at_rest()?;
//! let plain = start.plain().at_rest()?;
//! let precise = start.precise().at_rest()?;
//! // The rounded positions are the same. A precise state has twice the digits.
//! assert_eq!(compensated.position(), precise.position());
//! assert_eq!(precise.full_position().full()[0].to_f64(), 1.0);
//! # assert_eq!(plain.position(), precise.position());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The choice is a type, made once at the start. Only the chosen one is compiled. A model needs no change: its constraint is evaluated
//! with [`Increment`](crate::scalar::Increment) or [`DoubleFloat`] instead of `f32`.
//!
//! # Accuracy and cost
//!
//! `f32` with RATTLE, pendulum and double pendulum with all parameters one.
//!
//! - Energy: the largest deviation in 1e6 steps, median of sixteen starts (checked by `tests/precision/energy.rs`).
//! - Multiplier: the noise of implicit Euler on the position level against `f64`; the multiplier is 4 (`tests/precision/multipliers.rs`).
//! - Instructions: a whole step on an emulated Cortex-M4F with a hand-written Jacobian (`cargo xtask budget`).
//!
//! | | energy, h = 1e-3 | h = 1e-4 | multiplier, h = 1e-3 | h = 1e-4 | instructions |
//! |---|---|---|---|---|---|
//! | pendulum, plain | 8.6e-5 | 4.2e-3 | 0.15 | 14 | 123 |
//! | compensated | 7.6e-7 | 6.1e-8 | 1.3e-4 | 2.8e-3 | 169 |
//! | precise | 6.6e-7 | 1.7e-8 | 2.4e-6 | 2.0e-6 | 302 |
//! | in `f64` | 6.3e-7 | 6.3e-9 | | | |
//! | double pendulum, plain | 1.1e-3 | 3.0e-3 | | | 277 |
//! | compensated | 1.3e-5 | 2.4e-7 | | | 462 |
//! | precise | 1.3e-5 | 1.8e-7 | | | 767 |
//! | in `f64` | 1.3e-5 | 1.2e-7 | | | |
//!
//! For these two systems at 1 kHz, a compensated state has the energy error of `f64`. Its multipliers are good to 1e-4. It costs two
//! fifths to two thirds more instructions than a plain state. That is why it is the default. The same step of the double pendulum in `f64` takes
//! about seventy times as many (`cargo xtask methods`), because the processor computes doubles in software.
//!
//! # Energy of long runs
//!
//! RATTLE at 1 kHz: the mean energy of the last hour less that of the first, relative to the kinetic energy of the linkages and to 50 J
//! of a pendulum that goes over the top; the largest of eight starts (`cargo xtask soak --hours 24`).
//! For the double pendulum it is the mean |g| of the last hour, in m².
//!
//! | 24 h | plain | compensated | precise |
//! |---|---|---|---|
//! | four-bar linkage | 6.5e-2 | 6.1e-4 | 2.0e-4 |
//! | four-bar linkage as points | 8.9e-4 | 1.4e-4 | 1.2e-4 |
//! | slider-crank | 2.5e-5 | 2.2e-6 | 2.0e-6 |
//! | looping pendulum | 7.6e-5 | 7.7e-6 | 7.6e-6 |
//! | double pendulum | 5.2e-8 | 2.3e-8 | 9.8e-11 |
//!
//! In `f64` the looping pendulum has 3.0e-10, the four-bar linkage as points 3.2e-9. Of the linkages, we want 1e-3 in a compensated and
//! 1e-4 in a precise state: compensated reaches it, precise misses it, by a factor of two in nine coordinates and by a fifth as points.
//! [`guide::digits`](crate::guide::digits) says why. The first number is of four starts.
//!
//! # Constraints of long runs
//!
//! Constraints hold to ε in plain and compensated states. In precise states they hold to the residual of the iterations, without a trend:
//! |g| at 1 kHz over 1e8 steps, more than a day, evaluated in `f64` with all digits
//! (`cargo test --test precision drift -- --ignored --nocapture`):
//!
//! | precise | largest | root mean square: first tenth of the run | last tenth |
//! |---|---|---|---|
//! | pendulum | 4.6e-13 | 5.50e-14 | 5.51e-14 |
//! | double pendulum | 2.0e-11 | 1.97e-12 | 1.93e-12 |
//! | slider-crank | 9.9e-13 | 3.01e-13 | 3.01e-13 |
//!
//! # Angles and time
//!
//! After a hundred turns an angle has lost seven of the 24 bits of an `f32`, in every mode: forces and Jacobians are evaluated at the
//! rounded position. So a model names its [angles](crate::system::Mechanical::ANGLES), and the state
//! [counts whole turns separately](crate::start::State::turns). Time loses its digits in the same way: use
//! [`set_period`](crate::start::Clock::set_period) for a periodic path, [`set_epoch`](crate::start::Clock::set_epoch) at the start of a
//! segment. Compensated and precise states pass the low part of the time to the constraint.
//!
//! # For those who write methods
//!
//! A method changes velocities only through [`Moving`]. It moves positions onto the constraint only through [`Approach`].

mod compensated;
mod moving;
mod plain;
mod precise;

use core::fmt::Debug;

use super::clock::Time;
use crate::linalg::entries::{each, negative_zeros, zeros};
use crate::linalg::{Vector, copy_entries};
use crate::scalar::{DoubleFloat, Float, Real};
use crate::system::Mechanical;

pub use compensated::Compensated;
pub use moving::{Approach, Moving};
pub use plain::Plain;
pub use precise::Precise;

/// How many digits a state carries: [`Plain`], [`Compensated`] or [`Precise`].
pub trait Precision: Copy + Debug + Default + PartialEq + 'static {
    /// The low part of the coordinates.
    type Low<T: Float, const N: usize>: Carried<T, N>;

    /// The scalar that holds a coordinate with all its digits.
    type Wide<T: Float>: Wide<T>;

    /// The scalar in which g is evaluated at the prediction of a step.
    type Predicted<T: Float>: Real<Base = T>;

    /// Whether coordinates have a low part.
    const CARRIES_MORE: bool;

    /// Whether the residual at the start of a step is corrected in the positions only, and not in velocities and multipliers.
    fn separates_drift(is_time_dependent: bool) -> bool;

    /// g at the start of a step.
    fn start_residual<System: Mechanical<N, M>, const N: usize, const M: usize>(
        system: &System,
        t: Time<System::Base>,
        q: &Coordinates<System::Base, N, Self>,
    ) -> Vector<System::Base, M>;

    /// Begins to change coordinates within a step.
    fn begin<T: Float, const N: usize>(start: &Coordinates<T, N, Self>) -> Moving<T, N, Self>;

    /// The same, with a low part that stays apart from the increments and loses none of its digits. −0 adds nothing, and costs nothing.
    #[inline(always)]
    fn begin_apart<T: Float, const N: usize>(start: &Coordinates<T, N, Self>) -> Moving<T, N, Self> {
        if Self::CARRIES_MORE { Moving { start: *start, change: negative_zeros() } } else { Self::begin(start) }
    }

    /// Coordinates plus a sum of increments, rounded to the scalar.
    fn rounded_sum<T: Float, const N: usize>(start: &Coordinates<T, N, Self>, change: &Vector<T, N>) -> Vector<T, N>;

    /// Coordinates plus a sum of increments, with all digits.
    fn sum<T: Float, const N: usize>(start: &Coordinates<T, N, Self>, change: &Vector<T, N>)
    -> Coordinates<T, N, Self>;

    /// Moves positions by h v.
    fn drift<T: Float, const N: usize>(
        q: &Coordinates<T, N, Self>,
        velocity: &Moving<T, N, Self>,
        h: T,
    ) -> Moving<T, N, Self>;

    /// Positions that [`drift`](Self::drift) has moved, or that have not moved yet, in the scalar in which g is evaluated there.
    fn predicted<T: Float, const N: usize>(q: &Moving<T, N, Self>) -> Vector<Self::Predicted<T>, N>;

    /// The same for the time at the end of a step.
    fn predicted_time<T: Float>(times: [Time<T>; 2]) -> Self::Predicted<T>;

    /// The same positions, rounded to the scalar.
    #[inline(always)]
    fn point<T: Float, const N: usize>(q: &Moving<T, N, Self>) -> Vector<T, N> {
        q.here()
    }

    /// Predicts q + h v, and evaluates g there.
    #[inline(always)]
    fn predict<System: Mechanical<N, M>, const N: usize, const M: usize>(
        system: &System,
        times: [Time<System::Base>; 2],
        q: &Coordinates<System::Base, N, Self>,
        velocity: &Moving<System::Base, N, Self>,
        h: System::Base,
    ) -> Approach<System::Base, N, M, Self> {
        let q = Self::drift(q, velocity, h);
        let g = system.constraint(Self::predicted_time(times), &Self::predicted(&q));
        Approach::at(times, q, Self::point(&q), each(&g, Real::value))
    }
}

/// Whether small errors in one direction are worth instructions: from three constraints on, a linkage may turn in one sense for days, and
/// its energy would drift.
pub(crate) const fn needs_care<P: Precision>(constraints: usize) -> bool {
    P::CARRIES_MORE && constraints > 2
}

/// The low part of numbers, or an empty type for plain states.
pub trait Carried<T: Float, const N: usize>: Copy + Debug + Default + PartialEq + 'static {
    /// Stores these numbers; an empty type drops them.
    fn keep(numbers: Vector<T, N>) -> Self;

    /// The stored numbers; zero for an empty type.
    fn kept(&self) -> Vector<T, N>;

    /// Replaces the stored numbers.
    fn set(&mut self, numbers: &Vector<T, N>);
}

impl<T: Float, const N: usize> Carried<T, N> for () {
    #[inline(always)]
    fn keep(_numbers: Vector<T, N>) {}

    #[inline(always)]
    fn kept(&self) -> Vector<T, N> {
        zeros()
    }

    #[inline(always)]
    fn set(&mut self, _numbers: &Vector<T, N>) {}
}

/// A low part that is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "T: Float + serde::Serialize", deserialize = "T: Float + serde::Deserialize<'de>"))
)]
pub struct Kept<T: Float, const N: usize>(Vector<T, N>);

impl<T: Float, const N: usize> Default for Kept<T, N> {
    fn default() -> Self {
        Self(Vector::zeros())
    }
}

impl<T: Float, const N: usize> Carried<T, N> for Kept<T, N> {
    #[inline(always)]
    fn keep(numbers: Vector<T, N>) -> Self {
        Self(numbers)
    }

    #[inline(always)]
    fn kept(&self) -> Vector<T, N> {
        self.0
    }

    #[inline(always)]
    fn set(&mut self, numbers: &Vector<T, N>) {
        copy_entries(&mut self.0, numbers);
    }
}

/// A scalar that holds all the digits of a coordinate.
pub trait Wide<T: Float>: Real<Base = T> {
    /// The sum of two parts.
    fn from_parts(high: T, low: T) -> Self;

    /// The rounded number, and its rounding error.
    fn parts(self) -> (T, T);
}

impl<T: Float> Wide<T> for T {
    #[inline(always)]
    fn from_parts(high: T, _low: T) -> T {
        high
    }
    #[inline(always)]
    fn parts(self) -> (T, T) {
        (self, T::zero())
    }
}

impl<T: Float> Wide<T> for DoubleFloat<T> {
    #[inline(always)]
    fn from_parts(high: T, low: T) -> Self {
        DoubleFloat::from_sum(high, low)
    }
    #[inline(always)]
    fn parts(self) -> (T, T) {
        (self.high(), self.low())
    }
}

/// Positions or velocities with all digits of their precision.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: Float + serde::Serialize, P::Low<T, N>: serde::Serialize",
        deserialize = "T: Float + serde::Deserialize<'de>, P::Low<T, N>: serde::Deserialize<'de>"
    ))
)]
pub struct Coordinates<T: Float, const N: usize, P: Precision = Compensated> {
    pub(crate) high: Vector<T, N>,
    pub(crate) low: P::Low<T, N>,
}

impl<T: Float, const N: usize, P: Precision> Coordinates<T, N, P> {
    /// Coordinates with a low part of zero.
    #[inline]
    pub fn new(high: Vector<T, N>) -> Self {
        Self { high, low: P::Low::default() }
    }

    /// Coordinates from their two parts, for example from your own storage. A plain state drops the low part.
    #[inline]
    pub fn from_parts(high: Vector<T, N>, low: Vector<T, N>) -> Self {
        Self { high, low: P::Low::keep(low) }
    }

    /// The rounding error of [`rounded`](Self::rounded).
    #[inline]
    pub fn low(&self) -> Vector<T, N> {
        self.low.kept()
    }

    /// The coordinates rounded to the scalar.
    #[inline]
    pub fn rounded(&self) -> &Vector<T, N> {
        &self.high
    }

    /// The coordinates with all their digits.
    ///
    /// ```
    /// # use mechanisms::Pendulum;
    /// use taut::method::{Rattle, Step};
    /// use taut::start::{Clock, Start};
    ///
    /// let pendulum = Pendulum::<f32>::standard();
    /// let mut state = Start::at(&pendulum, Clock::at_rate(1_000.0)?, [1.0, 0.0]).precise().at_rest()?;
    /// Rattle::new().step(&pendulum, &mut state)?;
    /// let [x, y] = state.full_position().full().map(|q| q.to_f64()).into();
    /// assert!((x * x + y * y - 1.0_f64).abs() < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn full(&self) -> Vector<DoubleFloat<T>, N> {
        self.high.zip_map(&self.low.kept(), DoubleFloat::from_sum)
    }

    /// Subtracts a whole turn from an angle outside of [−π, π]. Returns the number subtracted: 1, 0 or −1.
    #[inline(always)]
    pub(crate) fn unwind(&mut self, i: usize) -> i32 {
        let angle = self.high.data.0[0][i];
        let turns = if angle > T::PI { 1 } else { -i32::from(angle < -T::PI) };
        if turns == 0 {
            return 0;
        }
        let taken = T::from_f64(f64::from(turns));
        if !P::CARRIES_MORE {
            // The first difference is exact below two turns (Sterbenz).
            self.high.data.0[0][i] = (angle - taken * (T::PI + T::PI)) - taken * (T::PI_LOW + T::PI_LOW);
            return turns;
        }
        let high = DoubleFloat::from_sum(angle, -(taken * (T::PI + T::PI)));
        let mut low = self.low.kept();
        let rest = high.low() + (low.data.0[0][i] - taken * (T::PI_LOW + T::PI_LOW));
        let sum = DoubleFloat::from_sum(high.high(), rest);
        self.high.data.0[0][i] = sum.high();
        low.data.0[0][i] = sum.low();
        self.low = P::Low::keep(low);
        turns
    }

    /// The coordinates in the scalar that holds all their digits.
    #[inline]
    pub(crate) fn wide(&self) -> Vector<P::Wide<T>, N> {
        self.high.zip_map(&self.low.kept(), P::Wide::from_parts)
    }

    /// The coordinates of a point with all its digits.
    #[inline]
    pub(crate) fn from_wide(point: &Vector<P::Wide<T>, N>) -> Self {
        Self { high: point.map(|x| x.parts().0), low: P::Low::keep(point.map(|x| x.parts().1)) }
    }

    /// Copies other coordinates.
    #[inline(always)]
    pub(crate) fn assign(&mut self, next: &Self) {
        copy_entries(&mut self.high, &next.high);
        self.low.set(&next.low.kept());
    }

    /// The difference from other coordinates.
    #[inline]
    pub(crate) fn minus(&self, other: &Self) -> Vector<T, N> {
        (self.high - other.high) + (self.low.kept() - other.low.kept())
    }

    /// Begins to change these coordinates within a step.
    #[inline(always)]
    pub fn begin(&self) -> Moving<T, N, P> {
        P::begin(self)
    }
}

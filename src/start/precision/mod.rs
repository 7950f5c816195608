//! How many digits a state carries, and what they cost.
//!
//! Index 3 amplifies round-off: an error of ε in a position is one of ε/h² in a multiplier. In `f32` that is a hundredth of a
//! pendulum's reaction force at 1 kHz and all of it at 10 kHz; and what positions and velocities lose when a small increment is
//! added to them, the energy gains or loses for good. So a state carries more digits than its scalar, unless told otherwise:
//!
//! | | what it does | choose it |
//! |---|---|---|
//! | [`Plain`] | nothing: positions and velocities are rounded in every step | for `f64`, and where instructions matter more than forces |
//! | [`Compensated`], the default | positions and velocities keep what their sums round away; along a step the constraint is a difference, free of cancellation | for control loops at about 1 kHz |
//! | [`Precise`] | as compensated, and the constraint is evaluated once a step with twice the digits | for fast loops, for forces that are used, for long runs |
//!
//! ```
//! # use systems::Pendulum;
//! use taut::start::Start;
//!
//! let pendulum = Pendulum::<f32>::standard();
//! let compensated = Start::at(&pendulum, [1.0, 0.0]).at_rest()?;
//! let plain = Start::at(&pendulum, [1.0, 0.0]).plain().at_rest()?;
//! let precise = Start::at(&pendulum, [1.0, 0.0]).precise().at_rest()?;
//! // The same f32 to look at, and twice the digits where they are carried.
//! assert_eq!(compensated.position(), precise.position());
//! assert_eq!(precise.full_position().full()[0].to_f64(), 1.0);
//! # assert_eq!(plain.position(), precise.position());
//! # Ok::<(), taut::start::StartError<f32>>(())
//! ```
//!
//! The choice is a type, made once where the state starts; nothing of what is not chosen is compiled. A model needs nothing
//! special: its constraint is evaluated with [`Increment`](crate::scalar::Increment) or
//! [`DoubleFloat`] in place of `f32`, through products, quotients, roots, sines and cosines.
//!
//! # Accuracy and cost
//!
//! `f32` with RATTLE. Energy: the largest deviation in 1e6 steps, the median of sixteen starts, of the pendulum and the double
//! pendulum with all parameters one (`tests/precision_energy.rs` holds it to its bounds). Multiplier: the noise of implicit Euler on
//! the position level against `f64`, of a multiplier of 4 (`tests/precision_multipliers.rs`). Instructions: a whole step on an
//! emulated Cortex-M4F with a Jacobian by hand (`cargo xtask budget`).
//!
//! | | energy, h = 1e-3 | h = 1e-4 | multiplier, h = 1e-3 | h = 1e-4 | instructions |
//! |---|---|---|---|---|---|
//! | pendulum, plain | 8.6e-5 | 4.2e-3 | 0.15 | 14 | 117 |
//! | compensated | 8.5e-7 | 6.5e-8 | 3.2e-4 | 4.6e-3 | 155 |
//! | precise | 6.9e-7 | 1.6e-8 | 2.4e-6 | 2.0e-6 | 298 |
//! | in `f64` | 6.3e-7 | 6.3e-9 | | | |
//! | double pendulum, plain | 1.1e-3 | 3.0e-3 | | | 280 |
//! | compensated | 1.3e-5 | 2.4e-7 | | | 434 |
//! | precise | 1.3e-5 | 1.7e-7 | | | 764 |
//! | in `f64` | 1.3e-5 | 1.2e-7 | | | |
//!
//! At 1 kHz, compensated is as good as `f64` but for the multipliers, which are good to 1e-4, for a third to a half more
//! instructions than plain: that is why it is the default. The same step of the double pendulum in `f64`, with as many iterations,
//! takes 17,000 to 22,000 instructions, as the processor has none for doubles.
//!
//! Constraints hold to ε in plain and compensated states. In precise ones they hold to what the iterations leave, without a trend: |g| at
//! 1 kHz over 1e8 steps, more than a day (`cargo test --test precision_drift -- --ignored --nocapture`), evaluated in `f64` on all digits.
//!
//! | precise | largest | root mean square: first tenth of the run | last tenth |
//! |---|---|---|---|
//! | pendulum | 4.6e-13 | 5.50e-14 | 5.51e-14 |
//! | double pendulum | 2.0e-11 | 1.97e-12 | 1.93e-12 |
//! | slider-crank | 9.9e-13 | 3.01e-13 | 3.01e-13 |
//!
//! # Angles and time
//!
//! An angle of a hundred turns has lost seven of the 24 bits of an `f32`, in every mode: forces and Jacobians are evaluated with
//! the rounded position. A model names its [angles](crate::system::Mechanical::ANGLES), and whole turns are
//! [counted apart](crate::start::State::turns). Time that grows loses its digits alike:
//! [`set_period`](crate::start::State::set_period) for a periodic path, [`set_epoch`](crate::start::State::set_epoch) at the start of a
//! segment. Compensated and precise states pass the constraint the time with its low part.
//!
//! # For those who write methods
//!
//! A method moves velocities through [`Moving`] and positions through [`Approach`] only.

mod compensated;
mod plain;
mod precise;

use core::fmt::Debug;

use super::state::Time;
use crate::linalg::{Vector, copy_entries};
use crate::scalar::{DoubleFloat, Float, Real};
use crate::system::Mechanical;

pub use compensated::Compensated;
pub use plain::Plain;
pub use precise::Precise;

/// How many digits a state carries: [`Plain`], [`Compensated`] or [`Precise`].
pub trait Precision: Copy + Debug + Default + PartialEq + 'static {
    /// What is carried besides the coordinates themselves.
    type Low<T: Float, const N: usize>: Carried<T, N>;

    /// What the iterations of the last step have left of the constraint, where the next one needs to know.
    type Leftover<T: Float, const M: usize>: Carried<T, M>;

    /// The scalar that holds a coordinate with all its digits.
    type Wide<T: Float>: Wide<T>;

    /// Coordinates on their way through a step.
    type Moving<T: Float, const N: usize>: Moving<T, N, Self>;

    /// Positions on their way to the constraint.
    type Approach<T: Float, const N: usize, const M: usize>: Approach<T, N, M, Self>;

    /// Whether anything is carried besides the coordinates themselves.
    const CARRIES_MORE: bool;

    /// Whether what a state is off the constraint where a step begins moves the positions only, and neither velocities nor
    /// multipliers, in a system whose constraint does or does not depend on time.
    fn separates_drift(is_time_dependent: bool) -> bool;

    /// g where a step begins.
    fn anchor<System, const N: usize, const M: usize>(
        system: &System,
        t: Time<System::Base>,
        q: &Coordinates<System::Base, N, Self>,
    ) -> Vector<System::Base, M>
    where
        System: Mechanical<N, M>;
}

/// Numbers that a state carries from step to step, or nothing.
pub trait Carried<T: Float, const N: usize>: Copy + Debug + Default + PartialEq {
    /// Keeps these numbers, or forgets them.
    fn keep(numbers: Vector<T, N>) -> Self;

    /// The numbers kept; zero where they were forgotten.
    fn kept(&self) -> Vector<T, N>;

    /// Keeps other numbers.
    fn keep_instead(&mut self, numbers: &Vector<T, N>);

    /// Becomes what others are.
    fn become_next(&mut self, next: &Self);
}

impl<T: Float, const N: usize> Carried<T, N> for () {
    #[inline(always)]
    fn keep(_numbers: Vector<T, N>) {}

    #[inline(always)]
    fn kept(&self) -> Vector<T, N> {
        Vector::zeros()
    }

    #[inline(always)]
    fn keep_instead(&mut self, _numbers: &Vector<T, N>) {}

    #[inline(always)]
    fn become_next(&mut self, _next: &Self) {}
}

/// Numbers that are carried.
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
    fn keep_instead(&mut self, numbers: &Vector<T, N>) {
        copy_entries(&mut self.0, numbers);
    }

    #[inline(always)]
    fn become_next(&mut self, next: &Self) {
        copy_entries(&mut self.0, &next.0);
    }
}

/// A scalar that holds all the digits of a coordinate.
pub trait Wide<T: Float>: Real<Base = T> {
    /// The sum of two parts.
    fn from_parts(high: T, low: T) -> Self;

    /// The number rounded, and what that leaves out.
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

/// Coordinates on their way through a step: where they started, plus increments.
///
/// The one way in which methods change velocities. A precision that carries more digits sums the increments apart and adds
/// them at the end.
pub trait Moving<T: Float, const N: usize, P: Precision>: Copy {
    /// From the coordinates at the beginning of the step.
    fn starting_at(start: &Coordinates<T, N, P>) -> Self;

    /// Moves by an increment.
    fn by(self, increment: &Vector<T, N>) -> Self;

    /// Changes the sum of the increments.
    fn shift(self, shift: impl FnOnce(&mut Vector<T, N>)) -> Self;

    /// Where the coordinates are, rounded to the scalar.
    fn here(&self) -> Vector<T, N>;

    /// The coordinates at the end of the step.
    fn arrive(self) -> Coordinates<T, N, P>;
}

/// Positions on their way to g(t, q) = 0: from where a step begins along a velocity, then by corrections.
///
/// The one way in which methods change positions.
pub trait Approach<T: Float, const N: usize, const M: usize, P: Precision>: Copy {
    /// Goes to q + h v, and returns g there.
    fn along<System>(
        system: &System,
        times: [Time<T>; 2],
        q: &Coordinates<T, N, P>,
        velocity: &P::Moving<T, N>,
        h: T,
    ) -> (Self, Vector<T, M>)
    where
        System: Mechanical<N, M, Base = T>;

    /// Goes on by a step.
    fn by(&mut self, step: &Vector<T, N>);

    /// Whether what has been tried on is part of the sum of the steps.
    const KEEPS_WHAT_IS_TRIED: bool = true;

    /// Changes the positions by a correction that another one follows.
    #[inline(always)]
    fn try_on(&mut self, shift: impl FnOnce(&mut Vector<T, N>)) {
        self.shift(shift);
    }

    /// Changes the sum of the steps.
    fn shift(&mut self, shift: impl FnOnce(&mut Vector<T, N>));

    /// g where the positions are.
    fn residual<System>(&self, system: &System) -> Vector<T, M>
    where
        System: Mechanical<N, M, Base = T>;

    /// The positions, with all their digits.
    fn arrive(&self) -> Coordinates<T, N, P>;
}

/// Positions or velocities with the digits that their precision carries.
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
    /// Coordinates without further digits.
    #[inline]
    pub fn new(high: Vector<T, N>) -> Self {
        Self { high, low: P::Low::default() }
    }

    /// Coordinates as the sum of two parts, from a storage of one's own; a plain state has no use for the low one.
    #[inline]
    pub fn from_parts(high: Vector<T, N>, low: Vector<T, N>) -> Self {
        Self { high, low: P::Low::keep(low) }
    }

    /// What [`rounded`](Self::rounded) leaves out.
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
    /// # use systems::Pendulum;
    /// use taut::method::Rattle;
    /// use taut::start::Start;
    ///
    /// let pendulum = Pendulum::<f32>::standard();
    /// let mut state = Start::at(&pendulum, [1.0, 0.0]).precise().at_rest()?;
    /// Rattle::at_rate(1_000.0)?.step(&pendulum, &mut state)?;
    /// let [x, y] = state.full_position().full().map(|q| q.to_f64()).into();
    /// assert!((x * x + y * y - 1.0_f64).abs() < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn full(&self) -> Vector<DoubleFloat<T>, N> {
        self.high.zip_map(&self.low.kept(), DoubleFloat::from_sum)
    }

    /// Takes a whole turn off an angle outside of [−π, π]; returns how many were taken off: 1, 0 or −1.
    #[inline(always)]
    pub(crate) fn unwind(&mut self, i: usize) -> i32 {
        let angle = self.high.data.0[0][i];
        let turns = if angle > T::PI { 1 } else { -i32::from(angle < -T::PI) };
        let taken = T::from_f64(f64::from(turns));
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

    /// Becomes other coordinates.
    #[inline(always)]
    pub(crate) fn become_next(&mut self, next: &Self) {
        copy_entries(&mut self.high, &next.high);
        self.low.become_next(&next.low);
    }

    /// How far it is from other coordinates to these.
    #[inline]
    pub(crate) fn minus(&self, other: &Self) -> Vector<T, N> {
        (self.high - other.high) + (self.low.kept() - other.low.kept())
    }

    /// Begins to move these coordinates through a step.
    #[inline(always)]
    pub fn depart(&self) -> P::Moving<T, N> {
        Moving::starting_at(self)
    }
}

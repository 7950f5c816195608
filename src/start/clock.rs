//! The clock of a state: its tick, its step size, and the time that the model sees.

use core::fmt;
use core::num::NonZeroU64;

use super::precision::{Plain, Precision};
use crate::linalg::Vector;
use crate::linalg::entries::each;
use crate::scalar::{DoubleFloat, Float};

/// Counts the ticks of a state and owns the size of its step.
///
/// Every state starts with a clock and keeps it. A method reads the step size from it, so a run cannot mix two of them.
///
/// The model sees t = origin + (tick − epoch) h. After a minute, an `f32` holds t in steps of 4e-6 s. So move the epoch every few seconds with
/// [`set_epoch`](Self::set_epoch), for example at the start of a new segment of a path, or periodically with
/// [`set_period`](Self::set_period). Compensated and precise states also pass the low part of the time to the constraint.
///
/// ```
/// # use mechanisms::Pendulum;
/// use taut::method::{Rattle, Step};
/// use taut::start::{Clock, Start};
///
/// let pendulum = Pendulum::<f32>::standard();
/// let clock = Clock::at_rate(1_000.0)?.at_tick(40_000);
/// let mut state = Start::at(&pendulum, clock, [1.0, 0.0]).at_rest()?;
/// Rattle::new().step(&pendulum, &mut state)?;
/// assert_eq!(state.clock().tick(), 40_001);
/// assert_eq!(state.clock().time(), 0.001);
///
/// // A new segment of a path begins: from here on the model's time counts from two seconds.
/// state.clock_mut().set_epoch(2.0);
/// // Change the step size. The model's time goes on from where it is.
/// state.clock_mut().set_rate(500.0)?;
/// Rattle::new().step(&pendulum, &mut state)?;
/// assert_eq!(state.clock().time(), 2.002);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(C)]
pub struct Clock<T> {
    pub(crate) tick: u64,
    /// The weight of the next step's one-sided multipliers in the multipliers at this tick: zero after a start, a half after a step.
    /// Next to the tick, so that one instruction stores both.
    pub(crate) next_multipliers_weight: T,
    pub(crate) size: StepSize<T>,
    pub(crate) origin: T,
    pub(crate) epoch: u64,
    /// The number of ticks after which the epoch moves and the time begins again at the origin.
    pub(super) period: u64,
}

/// A step size h, finite and positive, with the numbers derived from it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct StepSize<T> {
    pub(crate) h: T,
    /// h/2.
    pub(crate) half: T,
    /// 1/h.
    pub(crate) inverse: T,
    /// 2/h: turns the velocity impulse of half a step into a force.
    pub(crate) twice_inverse: T,
    /// 2/h²: turns the displacement of half a step's impulse into a force.
    pub(crate) twice_inverse_square: T,
}

/// A step size or a rate that is not positive, or so large or small that h² or 512/h² overflows.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct InvalidStep<T> {
    /// The given number, in seconds or hertz.
    pub given: T,
}

impl<T: Float> fmt::Display for InvalidStep<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:e} is not a step size or a rate: h must be positive, and h² and 512/h² must be finite", self.given)
    }
}

impl<T: Float> core::error::Error for InvalidStep<T> {}

impl<T: Float> StepSize<T> {
    fn checked(h: T, given: T) -> Result<Self, InvalidStep<T>> {
        let inverse = T::one() / h;
        // 2/h² must be finite, also for the smallest stage of a composition: h/16, so 512/h².
        let largest = inverse * inverse * T::from_f64(512.0);
        let valid = h > T::zero() && inverse > T::zero() && largest.is_finite() && (h * h).is_finite();
        if valid { Ok(Self::from_parts(h, inverse)) } else { Err(InvalidStep { given }) }
    }

    #[inline]
    fn from_parts(h: T, inverse: T) -> Self {
        let twice_inverse = inverse + inverse;
        Self { h, half: h * T::from_f64(0.5), inverse, twice_inverse, twice_inverse_square: twice_inverse * inverse }
    }

    /// A displacement per step, c/h. A rounded 1/h would have the same relative error in every step, and the energy would drift; in a
    /// plain state other errors are larger.
    #[inline(always)]
    pub(crate) fn velocity<P: Precision, const N: usize>(&self, displacement: Vector<T, N>) -> Vector<T, N> {
        if P::CARRIES_MORE { each(&displacement, |c| c / self.h) } else { each(&displacement, |c| c * self.inverse) }
    }

    /// This step times the coefficient of a composition, which may be negative.
    #[inline]
    pub(crate) fn scaled(&self, coefficient: T, inverse: T) -> Self {
        Self::from_parts(self.h * coefficient, self.inverse * inverse)
    }
}

impl<T: Float> Clock<T> {
    /// A clock that steps at this rate, in hertz, from tick zero and time zero.
    pub fn at_rate(rate: T) -> Result<Self, InvalidStep<T>> {
        Ok(Self::new(StepSize::checked(T::one() / rate, rate)?))
    }

    /// A clock with steps of this size, in seconds, from tick zero and time zero.
    pub fn with_step(h: T) -> Result<Self, InvalidStep<T>> {
        Ok(Self::new(StepSize::checked(h, h)?))
    }

    fn new(size: StepSize<T>) -> Self {
        Self { tick: 0, next_multipliers_weight: T::zero(), size, origin: T::zero(), epoch: 0, period: u64::MAX }
    }

    /// Begins at this tick instead of zero; the model's time counts from it.
    pub fn at_tick(self, tick: u64) -> Self {
        Self { tick, epoch: tick, ..self }
    }

    /// Begins at this time of the model instead of zero.
    pub fn at_time(self, t: T) -> Self {
        Self { origin: t, epoch: self.tick, ..self }
    }

    /// The tick: where the clock began, plus the steps made since.
    #[inline]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The model's time.
    #[inline]
    pub fn time(&self) -> T {
        self.time_after::<super::Compensated>(0).high
    }

    /// The step size h in seconds.
    #[inline]
    pub fn step(&self) -> T {
        self.size.h
    }

    /// Lets the model's time count from here: from now on t = `origin` + (ticks since now) h.
    #[inline]
    pub fn set_epoch(&mut self, origin: T) {
        (self.epoch, self.origin) = (self.tick, origin);
    }

    /// Changes the step size, in seconds. The model's time goes on from where it is. A period counts ticks of the old size, so it is
    /// removed. Set it again.
    pub fn set_step(&mut self, h: T) -> Result<(), InvalidStep<T>> {
        self.set_size(StepSize::checked(h, h)?);
        Ok(())
    }

    /// The same with a rate in hertz.
    pub fn set_rate(&mut self, rate: T) -> Result<(), InvalidStep<T>> {
        self.set_size(StepSize::checked(T::one() / rate, rate)?);
        Ok(())
    }

    fn set_size(&mut self, size: StepSize<T>) {
        self.set_epoch(self.time());
        *self = Self { size, period: u64::MAX, ..*self };
    }

    /// Restarts the model's time every `ticks` ticks, counted from the epoch. Use it for periodic models: after hours their path is as
    /// accurate as at the start. `None` lets the time grow.
    ///
    /// It has no effect on a mechanical model with [`TIME_DEPENDENT`](crate::system::Mechanical::TIME_DEPENDENT)` = false`. If only the
    /// forces use the time, set it to `true` nevertheless.
    ///
    /// The path should close after a period. A gap moves the positions of a compensated or precise mechanical state, but not its
    /// velocities and multipliers. In a [`Plain`] state it enters the velocities. In the general index-3 form it enters the multipliers
    /// of the next step, divided by h².
    ///
    /// ```
    /// # use nalgebra::vector;
    /// # use taut::linalg::Vector;
    /// # use taut::scalar::Real;
    /// # use taut::system::{Diagonal, Mechanical};
    /// use core::num::NonZeroU64;
    /// use taut::method::{Rattle, Step};
    /// use taut::start::{Clock, Start};
    ///
    /// /// A bead on a path with a period of a second.
    /// struct Driven;
    /// impl Mechanical<1, 1> for Driven {
    ///     // ...
    /// #     type Base = f32;
    /// #     type Mass = Diagonal<f32, 1>;
    /// #     fn mass(&self) -> Diagonal<f32, 1> {
    /// #         Diagonal::new([1.0])
    /// #     }
    /// #     fn force<S: Real<Base = f32>>(&self, _t: S, _q: &Vector<S, 1>, _v: &Vector<S, 1>) -> Vector<S, 1> {
    /// #         vector![S::from(0.0)]
    /// #     }
    ///     fn constraint<S: Real<Base = f32>>(&self, t: S, q: &Vector<S, 1>) -> Vector<S, 1> {
    ///         vector![q.x - (t * core::f32::consts::TAU).sin()]
    ///     }
    /// }
    ///
    /// let mut state = Start::at(&Driven, Clock::at_rate(1_000.0)?, [0.0]).moving([6.0])?;
    /// state.clock_mut().set_period(NonZeroU64::new(1_000));
    /// for _ in 0..600_250 {
    ///     Rattle::new().step(&Driven, &mut state)?;
    /// }
    /// // Ten minutes and a quarter of a second.
    /// assert_eq!(state.clock().time(), 0.25);
    /// assert!((state.position().x - 1.0).abs() < 2e-7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_period(&mut self, ticks: Option<NonZeroU64>) {
        self.period = ticks.map_or(u64::MAX, NonZeroU64::get);
        let passed = self.tick.wrapping_sub(self.epoch) / self.period;
        self.epoch = self.epoch.wrapping_add(passed.wrapping_mul(self.period));
    }

    /// The model's time `ahead` ticks from now, with the digits that a precision passes to the constraint.
    #[inline(always)]
    pub(crate) fn time_after<P: Precision>(&self, ahead: u64) -> Time<T> {
        let ticks = self.tick.wrapping_sub(self.epoch).wrapping_add(ahead);
        if P::CARRIES_MORE {
            Time::after(ticks, self.size.h, self.origin)
        } else {
            Time { high: T::from_ticks(ticks) * self.size.h + self.origin, low: T::zero() }
        }
    }

    /// The times at the begin and the end of the next step.
    #[inline(always)]
    pub(crate) fn times<P: Precision>(&self) -> [Time<T>; 2] {
        // No closure for both: if it is not inlined, the times are computed even for models that do not use them.
        [self.time_after::<P>(0), self.time_after::<P>(1)]
    }

    /// The same for a plain state.
    #[inline(always)]
    pub(crate) fn plain_times(&self) -> [T; 2] {
        let [Time { high: begin, .. }, Time { high: end, .. }] = self.times::<Plain>();
        [begin, end]
    }

    /// Advances by a tick.
    #[inline(always)]
    pub(crate) fn advance(&mut self) {
        self.tick = self.tick.wrapping_add(1);
    }

    /// Advances by a tick. At the end of a period the epoch moves there.
    #[inline(always)]
    pub(crate) fn advance_in_period(&mut self) {
        self.advance();
        if self.tick.wrapping_sub(self.epoch) >= self.period {
            self.epoch = self.epoch.wrapping_add(self.period);
        }
    }
}

/// A time with the digits that a precision passes to the constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time<T> {
    /// Rounded to the scalar.
    pub high: T,
    /// The rounding error of `high`.
    pub low: T,
}

impl<T: Float> Time<T> {
    /// origin + ticks · h with both parts, for fewer than 2⁴⁸ ticks.
    #[inline]
    fn after(ticks: u64, h: T, origin: T) -> Self {
        // Both halves are exact even in an f32.
        let (many, few) = (T::from_ticks(ticks >> 24) * T::power_of_two(24), T::from_ticks(ticks & 0xFF_FFFF));
        let time = DoubleFloat::from_product(many, h) + DoubleFloat::from_product(few, h) + origin;
        Self { high: time.high(), low: time.low() }
    }

    /// This time plus a duration.
    #[inline(always)]
    pub(crate) fn later(self, duration: T) -> Self {
        let sum = DoubleFloat::from_sum(self.high, duration);
        let sum = DoubleFloat::from_sum(sum.high(), sum.low() + self.low);
        Self { high: sum.high(), low: sum.low() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_and_its_step_size_agree() {
        assert_eq!(Clock::at_rate(1_000.0_f32), Clock::with_step(0.001));
    }

    #[test]
    fn invalid_step_sizes_and_rates_are_refused() {
        for h in [0.0, -1e-3, f64::NAN, f64::INFINITY, 1e-200, 1e200] {
            assert!(Clock::with_step(h).is_err(), "{h}");
            assert!(Clock::at_rate(h).is_err(), "{h}");
        }
    }

    #[test]
    fn time_is_continuous_where_the_step_changes() {
        let mut clock = Clock::at_rate(1_000.0_f64).unwrap().at_tick(10).at_time(1.0);
        clock.advance();
        let before = clock.time();
        clock.set_step(0.01).unwrap();
        assert_eq!(clock.time(), before);
        clock.advance();
        assert_eq!(clock.time(), before + 0.01);
        assert!(clock.set_rate(0.0).is_err());
        assert_eq!(clock.step(), 0.01);
    }

    /// With a step of a second, the time is the number of ticks.
    #[test]
    fn the_time_begins_again_after_each_period() {
        let clock = |tick| Clock { tick, ..Clock::with_step(1.0_f64).unwrap() };
        for (tick, expected) in [(0, 0.0), (9, 9.0), (10, 0.0), (11, 1.0), (29, 9.0), (30, 0.0)] {
            let mut late = clock(tick);
            late.set_period(NonZeroU64::new(10));
            assert_eq!(late.time(), expected, "set at tick {tick}");
            let mut early = clock(0);
            early.set_period(NonZeroU64::new(10));
            (0..tick).for_each(|_| early.advance_in_period());
            assert_eq!(early.time(), expected, "set before tick {tick}");
        }
        // Another step size removes the period.
        let mut clock = clock(9);
        clock.set_period(NonZeroU64::new(10));
        clock.set_step(2.0).unwrap();
        (0..20).for_each(|_| clock.advance_in_period());
        assert_eq!(clock.time(), 49.0);
    }

    /// h² is finite, but 512/h² is not.
    #[test]
    fn a_step_that_is_too_small_for_a_composition_is_refused() {
        assert!(Clock::with_step(1e-18_f32).is_err() && Clock::with_step(1e-17_f32).is_ok());
    }
}

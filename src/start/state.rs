//! What is stepped: positions, velocities, time, and the geometry that the last step left behind.

use core::num::NonZeroU64;

use super::precision::{Compensated, Coordinates, Precision};
use super::saved::Saved;
use crate::linalg::{Ldlt, Vector};
use crate::project::Correction;
use crate::scalar::{DoubleFloat, Float};

/// The state of a system with `N` coordinates and `M` constraints, on its constraints.
///
/// It can only be had through [`Start`](super::Start), and only methods change it. `F` are the factors of G M⁻¹ Gᵀ:
/// [`Ldlt`] for independent constraints, [`Semidefinite`](crate::linalg::Semidefinite) for redundant ones. `P` says how many
/// digits are carried.
///
/// It caches the geometry at its node, M⁻¹ Gᵀ and the factors of G M⁻¹ Gᵀ, and never forces: an input that changes between two
/// steps acts at once. After a change of mass or of the constraints, call [`resume`](super::resume).
///
/// ```
/// # use systems::Pendulum;
/// use taut::method::Rattle;
/// use taut::start::Start;
///
/// let pendulum = Pendulum::<f32>::standard();
/// let rattle = Rattle::at_rate(1_000.0)?;
/// let mut state = Start::at(&pendulum, [1.0, 0.0]).at_tick(40_000).at_rest()?;
/// rattle.step(&pendulum, &mut state)?;
/// assert_eq!(state.tick(), 40_001);
/// assert_eq!(state.time(rattle.step_size()), 0.001);
///
/// // A new segment of a path begins: from here on the model's time counts from two seconds.
/// state.set_epoch(2.0);
/// rattle.step(&pendulum, &mut state)?;
/// assert_eq!(state.time(rattle.step_size()), 2.001);
/// assert_eq!(state.save().tick, 40_002);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time is counted in whole ticks. The model sees t = origin + (tick − epoch) h, rounded to the scalar; the constraint sees it with
/// its low part, unless the state is [`Plain`](super::Plain). In `f32` a minute is rounded by 4e-6 s, which forces and velocity
/// constraints see: move the epoch every few seconds, at the start of a new segment of a path, say, or let it move by itself with
/// [`set_period`](State::set_period).
#[derive(Clone, Copy, Debug)]
pub struct State<T: Float, const N: usize, const M: usize, F = Ldlt<T, M>, P: Precision = Compensated> {
    pub(crate) node: Node<T, N, M, F, P>,
    pub(crate) clock: Clock<T>,
    /// What the residual of each position constraint may be.
    pub(crate) limits: Vector<T, M>,
    /// What the square of such a residual counts when all of them are judged at once, or may be; see [`strictness`].
    pub(crate) strictness: Vector<T, M>,
    pub(crate) multipliers: Vector<T, M>,
    /// How far off a constraint, in the units of the coordinates, is an error: what `limits` were made of.
    pub(crate) limit: T,
    /// Whole turns taken off the coordinates that are angles.
    pub(crate) turns: [i32; N],
}

/// Positions and velocities at a node, and how to correct along the gradients there: what a step starts from and ends with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<T: Float, const N: usize, const M: usize, F, P: Precision> {
    pub(crate) q: Coordinates<T, N, P>,
    pub(crate) v: Coordinates<T, N, P>,
    pub(crate) correction: Correction<T, N, M, F>,
    pub(crate) leftover: P::Leftover<T, M>,
}

/// A tick, and the epoch that the model's time counts from. In this order, so that one instruction writes what every step does:
/// the tick and the weight.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Clock<T> {
    pub(crate) tick: u64,
    /// What the one-sided multipliers of the next step of a mechanical system count at this tick: zero when those of the state
    /// are of the acceleration level, a half when they are the one-sided ones of a step that ended here.
    pub(crate) next_multipliers_weight: T,
    pub(crate) origin: T,
    pub(crate) epoch: u64,
    /// The ticks after which the epoch moves on, to the same time again.
    pub(crate) period: u64,
}

/// A time with the digits that a precision passes to the constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time<T> {
    /// Rounded to the scalar.
    pub high: T,
    /// What that leaves out.
    pub low: T,
}

/// 2/limit²: while the squares of all residuals, weighted thus, add up to less than one, each is below its limit; twice, so that
/// round-off can not hide one that is above. The squares of a single residual need no weight, but a bound: limit²/2.
#[inline]
pub(crate) fn strictness<T: Float, const M: usize>(limits: &Vector<T, M>) -> Vector<T, M> {
    let two = T::one() + T::one();
    limits.map(|limit| if M == 1 { limit * limit / two } else { two / (limit * limit) })
}

impl<T: Float> Time<T> {
    /// origin + ticks · h with both parts, for fewer than 2⁴⁸ ticks.
    #[inline]
    fn after(ticks: u64, h: T, origin: T) -> Self {
        // Halves that even an f32 holds exactly.
        let (many, few) = (T::from_ticks(ticks >> 24) * T::power_of_two(24), T::from_ticks(ticks & 0xFF_FFFF));
        let time = DoubleFloat::from_product(many, h) + DoubleFloat::from_product(few, h) + origin;
        Self { high: time.high(), low: time.low() }
    }

    /// This time and a duration more.
    #[inline(always)]
    pub(crate) fn later(self, duration: T) -> Self {
        let sum = DoubleFloat::from_sum(self.high, duration);
        let sum = DoubleFloat::from_sum(sum.high(), sum.low() + self.low);
        Self { high: sum.high(), low: sum.low() }
    }
}

impl<T: Float> Clock<T> {
    /// origin + (tick + ahead − epoch) h.
    #[inline(always)]
    pub(crate) fn time<P: Precision>(&self, ahead: u64, h: T) -> Time<T> {
        let ticks = self.tick.wrapping_add(ahead).wrapping_sub(self.epoch);
        if P::CARRIES_MORE {
            Time::after(ticks, h, self.origin)
        } else {
            Time { high: T::from_ticks(ticks) * h + self.origin, low: T::zero() }
        }
    }

    /// From this tick on, t = `origin` + (ticks since) h.
    #[inline]
    pub(crate) fn from(tick: u64, origin: T) -> Self {
        Self { tick, next_multipliers_weight: T::zero(), origin, epoch: tick, period: u64::MAX }
    }

    /// Lets the time begin anew every so many ticks; whole periods that have passed count no more.
    pub(crate) fn repeat(&mut self, period: u64) {
        self.period = period.max(1);
        let passed = self.tick.wrapping_sub(self.epoch) / self.period;
        self.epoch = self.epoch.wrapping_add(passed.wrapping_mul(self.period));
    }

    /// Goes on by a tick.
    #[inline(always)]
    pub(crate) fn advance(&mut self) {
        self.tick = self.tick.wrapping_add(1);
    }

    /// Goes on by a tick; when a period is over, the epoch moves there.
    #[inline(always)]
    pub(crate) fn advance_in_period(&mut self) {
        self.advance();
        if self.tick.wrapping_sub(self.epoch) >= self.period {
            self.epoch = self.epoch.wrapping_add(self.period);
        }
    }
}

impl<T: Float, const N: usize, const M: usize, F: Copy, P: Precision> State<T, N, M, F, P> {
    /// The positions q.
    #[inline]
    pub fn position(&self) -> &Vector<T, N> {
        self.node.q.rounded()
    }

    /// The velocities v.
    #[inline]
    pub fn velocity(&self) -> &Vector<T, N> {
        self.node.v.rounded()
    }

    /// The positions with all the digits that are carried.
    #[inline]
    pub fn full_position(&self) -> &Coordinates<T, N, P> {
        &self.node.q
    }

    /// The velocities with all the digits that are carried.
    #[inline]
    pub fn full_velocity(&self) -> &Coordinates<T, N, P> {
        &self.node.v
    }

    /// The tick: where `start` was told to begin, plus the steps made since.
    #[inline]
    pub fn tick(&self) -> u64 {
        self.clock.tick
    }

    /// The model's time, for a method that steps by `h`.
    #[inline]
    pub fn time(&self, h: T) -> T {
        self.clock.time::<P>(0, h).high
    }

    /// The latest multipliers λ at this state: those of the acceleration level after a start, those of the second half of
    /// a step afterwards, which are first-order. The report of the next step has the second-order ones.
    #[inline]
    pub fn multipliers(&self) -> &Vector<T, M> {
        &self.multipliers
    }

    /// M⁻¹ Gᵀ and the factors of G M⁻¹ Gᵀ at this state, with rank and pivots.
    #[inline]
    pub fn correction(&self) -> &Correction<T, N, M, F> {
        &self.node.correction
    }

    /// What the residual of each position constraint may be before a step refuses it.
    #[inline]
    pub fn limits(&self) -> &Vector<T, M> {
        &self.limits
    }

    /// Lets the model's time count from here: from now on t = `origin` + (ticks since now) h.
    ///
    /// To be called before another method with another step goes on, too: `state.set_epoch(state.time(old_h))`.
    #[inline]
    pub fn set_epoch(&mut self, origin: T) {
        self.clock = Clock { epoch: self.clock.tick, origin, ..self.clock };
    }

    /// Lets the model's time begin anew every so many ticks, counted from the epoch, for a model that is periodic: after hours
    /// its path is as accurate as at the start. `None` lets the time grow. Without effect on a model that says it is not
    /// [`TIME_DEPENDENT`](crate::system::Mechanical::TIME_DEPENDENT); one whose forces alone use the time has to say that it is.
    ///
    /// The path should close after so many ticks: what it lacks, if only because h is rounded, moves the positions, and no
    /// velocities and multipliers, unless the state is [`Plain`](super::Plain).
    ///
    /// ```
    /// # use nalgebra::vector;
    /// # use taut::linalg::Vector;
    /// # use taut::scalar::Real;
    /// # use taut::system::{Lumped, Mechanical};
    /// use core::num::NonZeroU64;
    /// use taut::method::Rattle;
    /// use taut::start::Start;
    ///
    /// /// A bead on a path with a period of a second.
    /// struct Driven;
    /// impl Mechanical<1, 1> for Driven {
    ///     // ...
    /// #     type Base = f32;
    /// #     type Mass = Lumped<f32, 1>;
    /// #     fn mass(&self) -> Lumped<f32, 1> {
    /// #         Lumped::new([1.0])
    /// #     }
    /// #     fn force<S: Real<Base = f32>>(&self, _t: S, _q: &Vector<S, 1>, _v: &Vector<S, 1>) -> Vector<S, 1> {
    /// #         vector![S::from(0.0)]
    /// #     }
    ///     fn constraint<S: Real<Base = f32>>(&self, t: S, q: &Vector<S, 1>) -> Vector<S, 1> {
    ///         vector![q.x - (t * core::f32::consts::TAU).sin()]
    ///     }
    /// }
    ///
    /// let rattle = Rattle::at_rate(1_000.0)?;
    /// let mut state = Start::at(&Driven, [0.0]).moving([6.0])?;
    /// state.set_period(NonZeroU64::new(1_000));
    /// for _ in 0..600_250 {
    ///     rattle.step(&Driven, &mut state)?;
    /// }
    /// // Ten minutes and a quarter of a second.
    /// assert_eq!(state.time(rattle.step_size()), 0.25);
    /// assert!((state.position().x - 1.0).abs() < 2e-7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn set_period(&mut self, ticks: Option<NonZeroU64>) {
        self.clock.repeat(ticks.map_or(u64::MAX, NonZeroU64::get));
    }

    /// How many whole turns have been taken off each coordinate that is an [angle](crate::system::Mechanical::ANGLES): the full
    /// angle is q + 2π turns.
    #[inline]
    pub fn turns(&self) -> &[i32; N] {
        &self.turns
    }

    /// What has to be kept to go on later; see [`Start::restore`](super::Start::restore).
    #[inline]
    pub fn save(&self) -> Saved<T, N, M, P> {
        let Clock { tick, next_multipliers_weight, origin, epoch, period } = self.clock;
        let turns = Vector::from(self.turns);
        let Node { q, v, leftover, .. } = self.node;
        let Self { multipliers, limits, limit, .. } = *self;
        Saved {
            q,
            v,
            leftover,
            multipliers,
            next_multipliers_weight,
            limits,
            turns,
            tick,
            epoch,
            origin,
            period,
            limit,
        }
    }
}

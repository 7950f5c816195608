//! The phases of constant jerk that an S-curve is made of.

use super::error::{TrajectoryError, finite};
use super::limits::Limits;
use crate::scalar::{Float, Real};

/// The fastest change from a velocity and an acceleration to another velocity without acceleration: the acceleration goes to a
/// peak, stays there, goes to zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Brake<T> {
    velocity: T,
    acceleration: T,
    /// The jerk of the first phase; that of the last is the opposite.
    jerk: T,
    times: [T; 3],
}

impl<T: Float> Brake<T> {
    pub(super) fn new(velocity: T, acceleration: T, target: T, limits: &Limits<T>) -> Self {
        let half = T::from_f64(0.5);
        let jerk = limits.jerk;
        // Upwards if taking the acceleration back to zero leaves the velocity below its target.
        let level = velocity + acceleration * acceleration.abs() / jerk * half;
        let sign = if level <= target { T::one() } else { -T::one() };
        let (change, a) = ((target - velocity) * sign, acceleration * sign);
        // change = (2 peak² − a²)/2J; a difference of equal numbers may be negative by a rounding.
        let square = change * jerk + a * a * half;
        let free = if square > T::zero() { square.sqrt() } else { T::zero() };
        let lowest = if a > T::zero() { a } else { T::zero() };
        let wanted = if free >= lowest { free } else { lowest };
        let (peak, flat) = if wanted > limits.acceleration {
            let peak = limits.acceleration;
            // change = (peak² − a²)/2J + peak · flat + peak²/2J.
            let flat = (square - peak * peak) / (peak * jerk);
            (peak, if flat > T::zero() { flat } else { T::zero() })
        } else {
            (wanted, T::zero())
        };
        Self { velocity, acceleration, jerk: jerk * sign, times: [(peak - a) / jerk, flat, peak / jerk] }
    }

    /// The jerks and durations of the three phases.
    fn phases(&self) -> [(T, T); 3] {
        let [rise, flat, fall] = self.times;
        [(self.jerk, rise), (T::zero(), flat), (-self.jerk, fall)]
    }

    /// How far it goes.
    pub(super) fn displacement(&self) -> T {
        let mut state = State { x: T::zero(), v: self.velocity, a: self.acceleration };
        for (jerk, time) in self.phases() {
            state = state.after(jerk, time);
        }
        state.x
    }
}

/// Position, velocity, acceleration.
#[derive(Clone, Copy, Debug, PartialEq)]
struct State<T> {
    x: T,
    v: T,
    a: T,
}

impl<T: Float> State<T> {
    fn after(&self, jerk: T, time: T) -> Self {
        let half = time * T::from_f64(0.5);
        let a = self.a + jerk * time;
        Self {
            x: self.x + (self.v + (self.a + jerk * time / T::from_f64(3.0)) * half) * time,
            v: self.v + (self.a + a) * half,
            a,
        }
    }
}

/// A phase: when and where it begins, how long it takes, its jerk.
///
/// Durations are kept as they are, not as differences of times: after a minute those have an error of 4e-6 s in `f32`, which a
/// jerk of 1000 m/s³ turns into an acceleration above its limit.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Phase<T> {
    begin: T,
    duration: T,
    state: State<T>,
    jerk: T,
}

/// Seven phases, of which some may have no duration, and where they end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Phases<T> {
    phases: [Phase<T>; 7],
    pub(super) duration: T,
    /// The first phase whose state is computed backwards from the end.
    returning: usize,
    /// The velocity of the fourth phase, positive towards the target.
    peak: Option<T>,
    target: T,
}

impl<T: Float> Phases<T> {
    /// How far a constant jerk goes in a time.
    pub(super) fn displacement_of(v: T, a: T, jerk: T, time: T) -> T {
        State { x: T::zero(), v, a }.after(jerk, time).x
    }

    /// To a peak of the velocity, along it, and to rest.
    pub(super) fn peaking(there: &Brake<T>, cruise: T, back: &Brake<T>) -> Self {
        let [a, b, c] = there.phases();
        let [e, f, g] = back.phases();
        Self { peak: Some(back.velocity), ..Self::of([a, b, c, (T::zero(), cruise), e, f, g], 4) }
    }

    /// Reduces the deceleration for a time, then brakes to rest.
    pub(super) fn braking(pause: T, brake: &Brake<T>, limits: &Limits<T>) -> Self {
        let none = (T::zero(), T::zero());
        let [e, f, g] = brake.phases();
        Self::of([(limits.jerk, pause), none, none, none, e, f, g], 5)
    }

    fn of(phases: [(T, T); 7], returning: usize) -> Self {
        let mut time = T::zero();
        let state = State { x: T::zero(), v: T::zero(), a: T::zero() };
        let phases = phases.map(|(jerk, duration)| {
            let begin = time;
            let duration = if duration > T::zero() { duration } else { T::zero() };
            time += duration;
            Phase { begin, duration, state, jerk }
        });
        Self { phases, duration: time, returning, peak: None, target: T::zero() }
    }

    /// Computes the states: forwards from the start, and backwards from the target for the braking, so that it ends there exactly.
    pub(super) fn placed(mut self, x: T, v: T, a: T, target: T, sign: T) -> Self {
        self.target = target;
        let returning = self.returning;
        let mut state = State { x, v, a };
        for phase in self.phases.iter_mut().take(returning) {
            phase.jerk *= sign;
            phase.state = state;
            state = state.after(phase.jerk, phase.duration);
        }
        // A rounding error of the acceleration would grow with the square of the time.
        if let (Some(peak), Some(phase)) = (self.peak, self.phases.get_mut(3)) {
            phase.state = State { x: phase.state.x, v: peak * sign, a: T::zero() };
        }
        let mut state = State { x: target, v: T::zero(), a: T::zero() };
        for phase in self.phases.iter_mut().skip(returning).rev() {
            phase.jerk *= sign;
            state = state.after(phase.jerk, -phase.duration);
            phase.state = state;
        }
        self
    }

    /// Checks that no time, distance or velocity overflows.
    pub(super) fn check(&self) -> Result<(), TrajectoryError<T>> {
        finite("duration", &[self.duration])?;
        for &Phase { duration, state, jerk, .. } in &self.phases {
            // An upper bound of the distance, also if the phase turns back.
            let change = state.a.abs() + jerk.abs() * duration;
            finite("way", &[state.x.abs() + (state.v.abs() + change * duration) * duration])?;
        }
        Ok(())
    }

    /// The position at a time within.
    #[inline]
    pub(super) fn at<S: Real<Base = T>>(&self, t: S) -> S {
        let now = t.value();
        if now >= self.duration {
            return S::from(self.target);
        }
        let mut current = &self.phases[0];
        for phase in &self.phases {
            if phase.duration > T::zero() && phase.begin <= now {
                current = phase;
            }
        }
        let Phase { begin, duration, state, jerk } = *current;
        let mut s = t - begin;
        let beyond = s.value() - duration;
        if beyond > T::zero() {
            s -= S::from(beyond);
        }
        ((s * (jerk / T::from_f64(3.0)) + state.a) * (s * T::from_f64(0.5)) + state.v) * s + state.x
    }
}

//! The loop: encoders in, efforts out, once a tick.
//!
//! ```text
//!     readings → is anything wrong? → reference of this tick → feedback → limits of the actuators → motors
//! ```
//!
//! **What is not obeyed.** A target that the feedforward refuses (out of reach, too fast, more than an actuator has, a slack rope), an
//! actuator that stays at its limit, an encoder that is further from its target than it may be: each is a [`Fault`], named in
//! the report of the tick in which it was found, and the loop goes over to the safe hold.
//!
//! **The safe hold.** From the last good target on, the motors' encoders are brought to rest: their target velocities decay with
//! the braking time τ, c'' = −c'/τ, so that they stop τ c' further on. There they are held by the feedback, with gravity
//! compensated by the model in [`ComputedTorque`](super::ComputedTorque) and by the last feedforward in [`Pid`](super::Pid). What no
//! motor holds, a crane's load say, may go on swinging. The hold stays until [`Tracking::resume`] is given a feedforward
//! that begins where the machine is held.
//!
//! **Without readings** there is nothing to control with: if an encoder fails or reads NaN, the tick is an error, the motors keep their last
//! efforts, and the hold begins. Whether to cut the power then is for the application to say: it stops an arm and drops a load.

use core::fmt;

use super::actuated::Actuated;
use super::actuator::{Actuators, Clip};
use super::controller::{Controller, Target, not_negative, positive};
use super::device::Machine;
use super::error::ControlError;
use super::feedforward::{Feedforward, Reference};
use super::sensed::{Sensed, Shafts};
use crate::linalg::Vector;
use crate::scalar::Float;
use crate::trajectory::TrajectoryError;

/// What the loop watches, and how it stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watch<T, const E: usize> {
    /// For how many ticks an actuator may be kept from what is wanted, one after another.
    pub patience: u32,
    /// How far an encoder may be off its target; infinite where it does not matter.
    pub largest_error: [T; E],
    /// The braking time τ of the safe hold, in seconds.
    pub braking: T,
}

impl<T: Float, const E: usize> Watch<T, E> {
    /// Twenty ticks at a limit, any error, a braking time of 50 ms.
    pub fn standard() -> Self {
        Self { patience: 20, largest_error: [T::INFINITY; E], braking: T::from_f64(0.05) }
    }
}

/// Why the loop does not follow.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Fault<T> {
    /// The feedforward refused the target.
    Refused(ControlError<T>),
    /// An actuator was at a limit for too long.
    Saturated {
        /// The tick.
        tick: u64,
        /// Which one.
        index: usize,
        /// What was wanted of it.
        wanted: T,
        /// What it applied.
        applied: T,
    },
    /// An encoder is too far from its target.
    TooFar {
        /// The tick.
        tick: u64,
        /// Which one.
        index: usize,
        /// By how much.
        error: T,
        /// How far it may be.
        limit: T,
    },
    /// An encoder failed or read something that is not finite.
    Blind {
        /// The tick.
        tick: u64,
    },
    /// Somebody asked for it: [`Tracking::hold`].
    Asked {
        /// The tick.
        tick: u64,
    },
}

impl<T: Float> fmt::Display for Fault<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => write!(f, "target refused: {error}"),
            Self::Saturated { tick, index, wanted, applied } => {
                write!(f, "tick {tick}: actuator {index} saturated: {wanted:e} wanted, {applied:e} applied")
            }
            Self::TooFar { tick, index, error, limit } => {
                write!(f, "tick {tick}: encoder {index} is {error:e} off its target, limit {limit:e}")
            }
            Self::Blind { tick } => write!(f, "tick {tick}: no reading"),
            Self::Asked { tick } => write!(f, "tick {tick}: hold asked for"),
        }
    }
}

/// What a tick did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TickReport<T, const E: usize, const U: usize> {
    /// The tick.
    pub tick: u64,
    /// Why the loop holds; `None` while it follows.
    pub fault: Option<Fault<T>>,
    /// What the encoders read less than their targets.
    pub errors: Vector<T, E>,
    /// What the motors got.
    pub efforts: Vector<T, U>,
    /// What kept each of them from what was wanted.
    pub clips: [Clip; U],
}

/// Why a tick drove no motor. The hold has begun, the motors keep their last efforts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum LoopError<T, D> {
    /// A device failed.
    Device(D),
    /// An encoder read NaN or infinity.
    Reading {
        /// The tick.
        tick: u64,
        /// Which one.
        index: usize,
    },
    /// The controller could not say what to do.
    Control(ControlError<T>),
}

impl<T: Float, D: fmt::Debug> fmt::Display for LoopError<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Device(error) => write!(f, "device: {error:?}"),
            Self::Reading { tick, index } => {
                write!(f, "tick {tick}: encoder {index} reads something that is not finite")
            }
            Self::Control(error) => write!(f, "{error}"),
        }
    }
}

impl<T: Float, D: fmt::Debug> core::error::Error for LoopError<T, D> {}

/// A control loop: a model, a feedforward, a controller around it and the limits of the actuators.
#[derive(Clone, Copy, Debug)]
pub struct Tracking<System, Feed, Law, T: Float, const N: usize, const M: usize, const E: usize, const U: usize> {
    system: System,
    feedforward: Feed,
    law: Law,
    actuators: Actuators<T, U>,
    watch: Watch<T, E>,
    h: T,
    tick: u64,
    fault: Option<Fault<T>>,
    reference: Reference<T, N, M, U>,
    target: Target<T, E, U>,
    efforts: Vector<T, U>,
    /// For how many ticks each actuator has been at a limit.
    clipped: [u32; U],
}

impl<System, Feed, Law, T, const N: usize, const M: usize, const E: usize, const U: usize>
    Tracking<System, Feed, Law, T, N, M, E, U>
where
    T: Float,
    System: Actuated<N, M, U, Base = T> + Sensed<N, M, E>,
    Feed: Feedforward<N, M, U, Base = T>,
    Law: Controller<System, T, N, M, E, U>,
{
    /// A loop whose next tick is `tick`, with a machine that is at the feedforward's reference there.
    pub fn new(
        mut system: System,
        mut feedforward: Feed,
        mut law: Law,
        actuators: Actuators<T, U>,
        watch: Watch<T, E>,
        tick: u64,
    ) -> Result<Self, ControlError<T>> {
        positive("braking time", watch.braking)?;
        for limit in watch.largest_error {
            if limit != T::INFINITY {
                not_negative("largest error", limit)?;
            }
        }
        let h = positive("tick", feedforward.tick_length())?;
        system.drive(&Vector::zeros());
        let reference = feedforward.at(tick)?;
        law.begin(&reference);
        let target = target_of(&system, &reference);
        let efforts = reference.inputs;
        let clipped = [0; U];
        Ok(Self {
            system,
            feedforward,
            law,
            actuators,
            watch,
            h,
            tick,
            fault: None,
            reference,
            target,
            efforts,
            clipped,
        })
    }

    /// The next tick.
    pub fn next_tick(&self) -> u64 {
        self.tick
    }

    /// Why the loop holds; `None` while it follows.
    pub fn fault(&self) -> Option<&Fault<T>> {
        self.fault.as_ref()
    }

    /// The last reference that the feedforward gave.
    pub fn reference(&self) -> &Reference<T, N, M, U> {
        &self.reference
    }

    /// The controller.
    pub fn law(&self) -> &Law {
        &self.law
    }

    /// The feedforward, to be given another plan while it is followed.
    pub fn feedforward(&mut self) -> &mut Feed {
        &mut self.feedforward
    }

    /// Goes over to the safe hold.
    pub fn hold(&mut self) {
        self.give_up(Fault::Asked { tick: self.tick });
    }

    /// Follows again, with a feedforward that begins at the next tick where the machine is held: no encoder's target may differ
    /// by more than `limit` from the present one, or the hold goes on. The feedforward that is not followed is handed back.
    pub fn resume(&mut self, mut feedforward: Feed, limit: T) -> Result<(), (ControlError<T>, Feed)> {
        let reference = match feedforward.at(self.tick) {
            Ok(reference) => reference,
            Err(error) => return Err((error, feedforward)),
        };
        let target = target_of(&self.system, &reference);
        for index in 0..E {
            let before = self.target.shafts.position.data.0[0][index];
            let after = target.shafts.position.data.0[0][index];
            if !((after - before).abs() <= limit) {
                let jump = TrajectoryError::Jump { derivative: 0, index, before, after, limit };
                return Err((ControlError::Trajectory(jump), feedforward));
            }
        }
        self.feedforward = feedforward;
        self.fault = None;
        self.clipped = [0; U];
        Ok(())
    }

    /// Reads the encoders and drives the motors.
    pub fn tick<Device: Machine<T, E, U>>(
        &mut self,
        machine: &mut Device,
    ) -> Result<TickReport<T, E, U>, LoopError<T, Device::Error>> {
        let tick = self.tick;
        self.tick = tick.wrapping_add(1);
        let readings = self.readings(machine, tick).inspect_err(|_| self.give_up(Fault::Blind { tick }))?;
        self.aim(tick);
        let errors = self.target.shafts.position - readings;
        self.check_errors(tick, &errors);

        let wanted = match self.law.follow(&self.system, tick, &self.target, &readings) {
            Ok(wanted) => wanted,
            Err(error) => {
                self.give_up(Fault::Refused(error));
                return Err(LoopError::Control(error));
            }
        };
        let (applied, clips) = self.actuators.apply(&self.efforts, &wanted);
        machine.drive(&applied.data.0[0]).map_err(LoopError::Device)?;
        self.law.applied(&wanted, &applied);
        self.efforts = applied;
        self.check_efforts(tick, &wanted, &clips);
        Ok(TickReport { tick, fault: self.fault, errors, efforts: applied, clips })
    }

    fn readings<Device: Machine<T, E, U>>(
        &self,
        machine: &mut Device,
        tick: u64,
    ) -> Result<Vector<T, E>, LoopError<T, Device::Error>> {
        let readings = Vector::from(machine.read().map_err(LoopError::Device)?);
        match readings.iter().position(|reading| !reading.is_finite()) {
            Some(index) => Err(LoopError::Reading { tick, index }),
            None => Ok(readings),
        }
    }

    /// The target of this tick: the reference, or the way to rest.
    fn aim(&mut self, tick: u64) {
        if self.fault.is_none() {
            match self.feedforward.at(tick) {
                Ok(reference) => {
                    self.reference = reference;
                    self.target = target_of(&self.system, &reference);
                }
                Err(error) => self.give_up(Fault::Refused(error)),
            }
        }
        if self.fault.is_some() {
            let Shafts { position, velocity, acceleration } = &mut self.target.shafts;
            *acceleration = *velocity * (-T::one() / self.watch.braking);
            *position += (*velocity + *acceleration * (self.h * T::from_f64(0.5))) * self.h;
            *velocity += *acceleration * self.h;
        }
    }

    fn check_errors(&mut self, tick: u64, errors: &Vector<T, E>) {
        for index in 0..E {
            let (error, limit) = (errors.data.0[0][index], self.watch.largest_error[index]);
            if !(error.abs() <= limit) {
                self.give_up(Fault::TooFar { tick, index, error, limit });
            }
        }
    }

    fn check_efforts(&mut self, tick: u64, wanted: &Vector<T, U>, clips: &[Clip; U]) {
        for index in 0..U {
            self.clipped[index] = if clips[index] == Clip::None { 0 } else { self.clipped[index].saturating_add(1) };
            if self.clipped[index] > self.watch.patience {
                let (wanted, applied) = (wanted.data.0[0][index], self.efforts.data.0[0][index]);
                self.give_up(Fault::Saturated { tick, index, wanted, applied });
            }
        }
    }

    /// The first fault is the one that counts.
    fn give_up(&mut self, fault: Fault<T>) {
        if self.fault.is_none() {
            self.fault = Some(fault);
        }
    }
}

/// What the encoders are to read when the system moves like the reference.
#[inline]
fn target_of<System, T, const N: usize, const M: usize, const E: usize, const U: usize>(
    system: &System,
    reference: &Reference<T, N, M, U>,
) -> Target<T, E, U>
where
    T: Float,
    System: Sensed<N, M, E, Base = T>,
{
    let shafts = system.sensor_motion(&reference.position, &reference.velocity, &reference.acceleration);
    Target { shafts, inputs: reference.inputs }
}

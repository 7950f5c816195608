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
//! the braking time τ, c'' = −c'/τ, so that they stop τ c' further on, or at the stopping distance where that is less: near the edge of
//! its reach a linkage's target velocities grow without bounds. There they are held by the feedback, with gravity
//! compensated by the model in [`ComputedTorque`](super::ComputedTorque) and by the last feedforward in [`Pid`](super::Pid). What no
//! motor holds, a crane's load say, goes on swinging, unless the controller damps it ([`SwingDamping`](super::SwingDamping)): its target is then
//! [`Watch::rest`]. The hold stays until [`Tracking::resume`] is given a feedforward
//! that begins where the machine is held.
//!
//! **Without readings** there is nothing to control with: if an encoder fails or reads NaN, the tick is an error, the motors keep their last
//! efforts, and the hold begins. So it does if a motor can not be driven, and the next tick tries again. Whether to cut the power
//! then is for the caller to say: [`Supervisor`](super::supervisor::Supervisor) does, and leaves it to the machine what that means,
//! because it stops an arm and drops a load without a brake.

use super::actuated::Actuated;
use super::actuator::{Actuators, Clip};
use super::controller::{Controller, Target, not_negative, positive};
use super::device::Machine;
use super::error::ControlError;
use super::feedforward::{Feedforward, Reference};
use super::report::{Fault, LoopError, TickReport, Watch};
use super::sensed::{Sensed, Shafts};
use crate::linalg::Vector;
use crate::scalar::Float;
use crate::trajectory::TrajectoryError;

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
    /// Whether the last tick found that; copying a fault takes time.
    fresh: bool,
    /// What the last tick found in the hold.
    found: Option<Fault<T>>,
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
        for index in 0..E {
            for (what, limit) in
                [("largest error", watch.largest_error[index]), ("stopping distance", watch.stopping_distance[index])]
            {
                if limit != T::INFINITY {
                    not_negative(what, limit)?;
                }
            }
        }
        for index in U..E {
            if !watch.rest[index].is_finite() {
                return Err(ControlError::NonFinite { tick, what: "reading at rest", index });
            }
        }
        let h = positive("tick", feedforward.tick_length())?;
        if let Some(given) = law.tick_length().filter(|given| *given != h) {
            return Err(ControlError::OtherTick { what: "controller", given, expected: h });
        }
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
            fresh: false,
            found: None,
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
        let given = feedforward.tick_length();
        if given != self.h {
            return Err((ControlError::OtherTick { what: "feedforward", given, expected: self.h }, feedforward));
        }
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

    /// The controller, to be changed.
    pub(super) fn law_mut(&mut self) -> &mut Law {
        &mut self.law
    }

    /// The model, whose inputs are zero.
    pub(super) fn system(&self) -> &System {
        &self.system
    }

    /// What is watched.
    pub(super) fn watch(&self) -> &Watch<T, E> {
        &self.watch
    }

    /// What is aimed at.
    pub(super) fn target(&self) -> &Target<T, E, U> {
        &self.target
    }

    /// The length of a tick.
    pub(super) fn tick_length(&self) -> T {
        self.h
    }

    /// What the last tick found, also in the hold.
    pub(super) fn found(&self) -> Option<Fault<T>> {
        if self.fresh { self.fault } else { self.found }
    }

    /// Begins anew with a machine at rest that nothing has driven yet.
    pub(super) fn begin(&mut self, reference: &Reference<T, N, M, U>) {
        self.law.begin(reference);
        self.target = target_of(&self.system, reference);
        self.efforts = Vector::zeros();
        self.leave_hold();
    }

    /// Ends the hold; the next target is the caller's.
    pub(super) fn leave_hold(&mut self) {
        (self.fault, self.fresh, self.found, self.clipped) = (None, false, None, [0; U]);
    }

    /// Follows this feedforward from the next tick on.
    pub(super) fn set_plan(&mut self, feedforward: Feed) {
        self.feedforward = feedforward;
    }

    /// Where a feedforward begins: its reference at tick zero, and what the encoders are to read there.
    pub(super) fn beginning_of(
        &self,
        feedforward: &mut Feed,
    ) -> Result<(Reference<T, N, M, U>, Target<T, E, U>), ControlError<T>> {
        let reference = feedforward.at(0)?;
        Ok((reference, target_of(&self.system, &reference)))
    }

    /// The efforts acted for some more ticks than the controller knows of.
    pub(super) fn coast(&mut self, ticks: u32) {
        for _ in 0..ticks {
            self.law.applied(&self.efforts, &self.efforts);
        }
    }

    /// Reads the encoders and drives the motors.
    pub fn tick<Device: Machine<T, E, U>>(
        &mut self,
        machine: &mut Device,
    ) -> Result<TickReport<T, E, U>, LoopError<T, Device::Error>> {
        let tick = self.tick;
        match self.readings(machine, tick) {
            Ok(readings) => self.answer(tick, None, &readings, machine),
            Err(error) => {
                self.tick = tick.wrapping_add(1);
                Err(self.undriven(Fault::Blind { tick }, error))
            }
        }
    }

    /// Drives the motors for these readings: towards the plan's target of a tick, or towards another one on the way to the plan.
    pub(super) fn answer<Device: Machine<T, E, U>>(
        &mut self,
        tick: u64,
        way: Option<Target<T, E, U>>,
        readings: &Vector<T, E>,
        machine: &mut Device,
    ) -> Result<TickReport<T, E, U>, LoopError<T, Device::Error>> {
        self.tick = tick.wrapping_add(1);
        (self.fresh, self.found) = (false, None);
        self.aim(tick, way);
        let errors = self.target.shafts.position - readings;
        self.check_errors(tick, &errors);

        let wanted = match self.law.follow(&self.system, tick, &self.target, readings) {
            Ok(wanted) => wanted,
            Err(error) => return Err(self.undriven(Fault::Refused(error), LoopError::Control(error))),
        };
        let (applied, clips) = self.actuators.apply(&self.efforts, &wanted);
        if let Err(error) = machine.drive(&applied.data.0[0]) {
            return Err(self.undriven(Fault::Powerless { tick }, LoopError::Device(error)));
        }
        self.law.applied(&wanted, &applied);
        self.efforts = applied;
        self.check_efforts(tick, &wanted, &clips);
        Ok(TickReport { tick, fault: self.fault, errors, efforts: applied, clips })
    }

    /// In a tick that drives no motor, the last efforts go on, which a controller that predicts has to know.
    fn undriven<Error>(&mut self, fault: Fault<T>, error: Error) -> Error {
        self.give_up(fault);
        self.coast(1);
        error
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
    fn aim(&mut self, tick: u64, way: Option<Target<T, E, U>>) {
        if self.fault.is_none() {
            if let Some(target) = way {
                self.target = target;
            } else {
                match self.feedforward.at(tick) {
                    Ok(reference) => {
                        self.reference = reference;
                        self.target = target_of(&self.system, &reference);
                    }
                    Err(error) => self.give_up(Fault::Refused(error)),
                }
            }
        }
        if self.fault.is_some() {
            let Shafts { position, velocity, acceleration } = &mut self.target.shafts;
            for index in 0..E {
                let velocity = &mut velocity.data.0[0][index];
                let fastest = self.watch.stopping_distance[index] / self.watch.braking;
                if velocity.abs() > fastest {
                    *velocity = fastest.copysign(*velocity);
                }
            }
            *acceleration = *velocity * (-T::one() / self.watch.braking);
            *position += (*velocity + *acceleration * (self.h * T::from_f64(0.5))) * self.h;
            *velocity += *acceleration * self.h;
            for index in U..E {
                position.data.0[0][index] = self.watch.rest[index];
                velocity.data.0[0][index] = T::zero();
                acceleration.data.0[0][index] = T::zero();
            }
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
                self.clipped[index] = 0;
                self.give_up(Fault::Saturated { tick, index, wanted, applied });
            }
        }
    }

    /// The first fault is the one that counts.
    fn give_up(&mut self, fault: Fault<T>) {
        if self.fault.is_none() {
            self.fault = Some(fault);
            self.fresh = true;
        } else if !self.fresh && self.found.is_none() {
            self.found = Some(fault);
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

//! One tick: is it in time? → readings → are they believed? → plan → controller → motors → watchdog → record.

use super::alignment::{Alignment, Statics};
use super::belief::Belief;
use super::deadline::{Clock, Deadline, Release, Timing};
use super::homing::{Homing, Way, resting};
use super::reason::{Code, Latched, Output, PlanError, Reason};
use super::record::{Record, Report};
use super::state::{Refusal, Request, State};
use super::supervision::Supervision;
use super::watchdog::Watchdog;
use crate::control::actuated::Actuated;
use crate::control::controller::{Controller, Target};
use crate::control::device::Machine;
use crate::control::error::ControlError;
use crate::control::feedforward::{Feedforward, Reference};
use crate::control::report::{Fault, LoopError};
use crate::control::sensed::Sensed;
use crate::control::tracking::Tracking;
use crate::linalg::Vector;
use crate::scalar::Float;

/// A loop with states, deadlines and faults around [`Tracking`].
#[derive(Clone, Copy, Debug)]
pub struct Supervisor<System, Feed, Law, T: Float, const N: usize, const M: usize, const E: usize, const U: usize> {
    tracking: Tracking<System, Feed, Law, T, N, M, E, U>,
    /// As it was given: every run begins with a copy.
    plan: Feed,
    start: Reference<T, N, M, U>,
    home: Target<T, E, U>,
    /// What it takes to stay there.
    staying: Statics<T, U>,
    supervision: Supervision<T, E, U>,
    belief: Belief<T, E>,
    deadline: Deadline,
    state: State,
    output: Output,
    homing: Homing<T, N, U>,
    /// Whether homing ends in running.
    runs: bool,
    /// The tick in which the plan began.
    epoch: u64,
    tick: Option<u64>,
    /// Late ticks since the last one that was in time.
    skipped: u32,
    latched: Option<Latched<T>>,
    faults: u32,
    readings: Vector<T, E>,
    errors: Vector<T, E>,
    efforts: Vector<T, U>,
}

/// A tick that did not do what its state says, and the device's own error.
type Stopped<T, D> = (Reason<T>, Option<D>);

impl<System, Feed, Law, T, const N: usize, const M: usize, const E: usize, const U: usize>
    Supervisor<System, Feed, Law, T, N, M, E, U>
where
    T: Float,
    System: Actuated<N, M, U, Base = T> + Sensed<N, M, E>,
    Feed: Feedforward<N, M, U, Base = T> + Clone,
    Law: Controller<System, T, N, M, E, U>,
{
    /// An idle loop around a tracking one that has not begun, whose plan begins at tick zero.
    pub fn new(
        mut tracking: Tracking<System, Feed, Law, T, N, M, E, U>,
        supervision: Supervision<T, E, U>,
        deadline: Deadline,
    ) -> Result<Self, ControlError<T>> {
        let (supervision, belief) = supervision.checked()?;
        let plan = tracking.feedforward().clone();
        let (start, home) = tracking.beginning_of(&mut plan.clone())?;
        let staying = Statics::at::<_, N, M, E>(tracking.system(), &start.position, 0)?;
        Ok(Self {
            tracking,
            plan,
            start,
            home,
            staying,
            supervision,
            belief,
            deadline,
            state: State::Idle,
            output: Output::Off,
            homing: Homing::Aligning(Alignment::from(start.position)),
            runs: false,
            epoch: 0,
            tick: None,
            skipped: 0,
            latched: None,
            faults: 0,
            readings: home.shafts.position,
            errors: Vector::zeros(),
            efforts: Vector::zeros(),
        })
    }

    /// What the loop is doing.
    pub fn state(&self) -> State {
        self.state
    }

    /// What the motors get.
    pub fn output(&self) -> Output {
        self.output
    }

    /// Why it stopped, in the fault state.
    pub fn latched(&self) -> Option<&Latched<T>> {
        self.latched.as_ref()
    }

    /// How many faults there have been.
    pub fn faults(&self) -> u32 {
        self.faults
    }

    /// What has been measured of its ticks.
    pub fn timing(&self) -> &Timing {
        self.deadline.timing()
    }

    /// The last tick; `None` before the first.
    pub fn tick_number(&self) -> Option<u64> {
        self.tick
    }

    /// The tick of the plan that comes next: while it runs, those since it began.
    pub fn plan_tick(&self) -> u64 {
        self.tick.map_or(0, |tick| tick.wrapping_add(1)).saturating_sub(self.epoch)
    }

    /// The last reference of the plan.
    pub fn reference(&self) -> &Reference<T, N, M, U> {
        self.tracking.reference()
    }

    /// The plan that is followed now, to be given another path while it runs. The next run begins with the one that was given first.
    pub fn plan(&mut self) -> &mut Feed {
        self.tracking.feedforward()
    }

    /// The controller.
    pub fn law(&mut self) -> &mut Law {
        self.tracking.law_mut()
    }

    /// Another plan for the next run, in idle, hold or fault. One that has no beginning is handed back.
    pub fn set_plan(&mut self, plan: Feed) -> Result<(), (PlanError<T>, Feed)> {
        if matches!(self.state, State::Homing | State::Running) {
            return Err((PlanError::Busy(self.state), plan));
        }
        let beginning = self.tracking.beginning_of(&mut plan.clone());
        match beginning.and_then(|(start, home)| {
            Ok((start, home, Statics::at::<_, N, M, E>(self.tracking.system(), &start.position, 0)?))
        }) {
            Ok((start, home, staying)) => {
                (self.start, self.home, self.staying, self.plan) = (start, home, staying, plan);
                Ok(())
            }
            Err(error) => Err((PlanError::Refused(error), plan)),
        }
    }

    /// Asks for something, see [`State::after`]. What it changes, the next tick does.
    pub fn request(&mut self, request: Request) -> Result<(), Refusal> {
        let state = self.state;
        let next = state.after(request).ok_or(Refusal { state, request })?;
        match request {
            Request::Home | Request::Run => self.set_out(request == Request::Run),
            // What is not driven yet is held from when its pose is known.
            Request::Hold if self.output == Output::Off => {}
            Request::Hold => {
                self.tracking.hold();
                self.output = Output::Held;
            }
            Request::Stop => self.output = Output::Off,
            Request::Reset => {
                (self.latched, self.output) = (None, Output::Off);
                self.belief.restart();
            }
        }
        self.state = next;
        Ok(())
    }

    /// Homing from rest, where the pose has yet to be found, or from the hold, where it is known.
    fn set_out(&mut self, runs: bool) {
        self.runs = runs;
        self.homing = Homing::Aligning(Alignment::from(self.start.position));
        if self.output == Output::Held {
            let from = *self.tracking.target();
            // Of the inertia where it is held nothing is known.
            let held = Statics { holding: from.inputs, ..self.staying };
            if let Ok(way) = self.way(&from, held) {
                self.tracking.leave_hold();
                self.homing = Homing::Moving(way);
                self.output = Output::Following;
                return;
            }
        }
        self.output = Output::Off;
    }

    /// From a target to where the path begins, from the next tick on.
    fn way(&self, from: &Target<T, E, U>, held: Statics<T, U>) -> Result<Way<T, U>, Reason<T>> {
        let begin = self.tick.map_or(0, |tick| tick.wrapping_add(1));
        let to = if self.runs { self.home } else { resting(&self.home) };
        let limits = (&self.supervision.homing_speed, self.supervision.shortest_homing);
        Way::between(from, &to, begin, self.tracking.tick_length(), limits, [held, self.staying])
            .map_err(|error| Reason::Control(ControlError::Trajectory(error)))
    }

    /// A tick of the board.
    pub fn tick<Device: Machine<T, E, U>>(
        &mut self,
        machine: &mut Device,
        clock: &mut impl Clock,
        watchdog: &mut impl Watchdog,
    ) -> Report<T, E, U, Device::Error> {
        let Release { missed, in_time } = self.deadline.begin(clock.now());
        self.tick = Some(self.tick.map_or(0, |tick| tick.wrapping_add(u64::from(missed) + 1)));
        self.skipped = self.skipped.saturating_add(missed).saturating_add(u32::from(!in_time));
        let (skipped, limit) = (self.skipped, self.supervision.most_skipped);
        if in_time {
            self.skipped = 0;
        }

        let acted = if skipped > limit && self.output != Output::Off {
            Err((Reason::Late { skipped, limit }, None))
        } else if in_time {
            self.catch_up(skipped);
            self.act(machine)
        } else if self.output == Output::Off {
            // What is to be off does not wait for a tick in time.
            self.switch_off(machine).map_err(broken)
        } else {
            Ok(())
        };
        let mut safe = true;
        let mut device = None;
        if let Err((reason, cause)) = acted {
            self.fail(reason);
            device = cause;
            if self.output == Output::Off {
                let off = self.switch_off(machine);
                safe = off.is_ok();
                device = device.or(off.err());
            }
        }
        if in_time && safe {
            watchdog.feed();
        }
        self.deadline.end(clock.now());
        Report { record: self.record(), device }
    }

    /// What the last tick was like.
    pub fn record(&self) -> Record<T, E, U> {
        Record {
            tick: self.tick.unwrap_or(0),
            state: self.state,
            output: self.output,
            code: self.latched.as_ref().map_or(Code::None, |latched| latched.reason.code()),
            readings: self.readings,
            errors: self.errors,
            efforts: self.efforts,
            timing: *self.deadline.timing(),
        }
    }

    /// Controller and detectors learn of ticks that were skipped.
    fn catch_up(&mut self, skipped: u32) {
        let ticks = skipped.min(self.supervision.most_skipped);
        for _ in 0..ticks {
            self.belief.miss();
        }
        if self.output != Output::Off {
            self.tracking.coast(ticks);
        }
    }

    /// The first fault is the one that is kept. In the fault state another one ends the hold.
    fn fail(&mut self, reason: Reason<T>) {
        if self.state == State::Fault {
            self.output = Output::Off;
            return;
        }
        let tick = self.tick.unwrap_or(0);
        self.latched = Some(Latched { tick, state: self.state, reason });
        self.faults = self.faults.saturating_add(1);
        self.state = State::Fault;
        self.output = match (self.output, reason.safe_output()) {
            (Output::Off, _) => Output::Off,
            (_, output) => output,
        };
    }

    fn switch_off<Device: Machine<T, E, U>>(&mut self, machine: &mut Device) -> Result<(), Device::Error> {
        (self.errors, self.efforts) = (Vector::zeros(), Vector::zeros());
        machine.disable()
    }

    /// What the state says.
    fn act<Device: Machine<T, E, U>>(&mut self, machine: &mut Device) -> Result<(), Stopped<T, Device::Error>> {
        if self.state == State::Fault && self.output == Output::Off {
            // Readings are for the record, and their failure is known: the last good ones stay.
            if let Ok(readings) = machine.read()
                && readings.iter().all(|reading| reading.is_finite())
            {
                self.readings = Vector::from(readings);
            }
            return self.switch_off(machine).map_err(broken);
        }
        let readings = self.read(machine)?;
        match (self.state, self.homing) {
            (State::Homing | State::Hold, Homing::Aligning(alignment)) if self.output == Output::Off => {
                self.align(alignment, &readings, machine)
            }
            (State::Homing, Homing::Moving(way)) => self.go_home(&way, &readings, machine),
            _ if self.output == Output::Off => self.switch_off(machine).map_err(broken),
            _ => self.answer(None, &readings, machine),
        }
    }

    /// Readings that are believed.
    fn read<Device: Machine<T, E, U>>(
        &mut self,
        machine: &mut Device,
    ) -> Result<Vector<T, E>, Stopped<T, Device::Error>> {
        let readings = Vector::from(machine.read().map_err(|cause| {
            self.belief.miss();
            broken(cause)
        })?);
        let target = (self.output != Output::Off).then_some(&self.tracking.target().shafts.position);
        self.belief.judge(&readings, target).map_err(stopped)?;
        self.readings = readings;
        Ok(readings)
    }

    /// A step towards the pose that has these readings; after the last the motors are on, with no effort yet.
    fn align<Device: Machine<T, E, U>>(
        &mut self,
        mut alignment: Alignment<T, N>,
        readings: &Vector<T, E>,
        machine: &mut Device,
    ) -> Result<(), Stopped<T, Device::Error>> {
        let tick = self.tick.unwrap_or(0);
        let system = self.tracking.system();
        let aligned = alignment.approach(system, readings, tick).map_err(stopped)?;
        self.homing = Homing::Aligning(alignment);
        if !aligned {
            return self.switch_off(machine).map_err(broken);
        }
        alignment.check(system, readings, &self.supervision.pose).map_err(stopped)?;
        let held = Statics::at::<_, N, M, E>(system, alignment.pose(), tick)
            .map_err(|error| stopped(Reason::Control(error)))?;
        self.tracking.begin(&Reference { inputs: held.holding, ..Reference::at_rest(*alignment.pose()) });
        if self.state == State::Hold {
            self.tracking.hold();
            self.output = Output::Held;
        } else {
            let from = *self.tracking.target();
            self.homing = Homing::Moving(self.way(&from, held).map_err(stopped)?);
            self.output = Output::Following;
        }
        machine.enable().map_err(broken)
    }

    fn go_home<Device: Machine<T, E, U>>(
        &mut self,
        way: &Way<T, U>,
        readings: &Vector<T, E>,
        machine: &mut Device,
    ) -> Result<(), Stopped<T, Device::Error>> {
        let tick = self.tick.unwrap_or(0);
        if !way.ended(tick) {
            let target = way.target(tick, &self.tracking.watch().rest);
            return self.answer(Some(target), readings, machine);
        }
        for index in 0..U.min(E) {
            let (error, limit) = (self.errors.data.0[0][index], self.supervision.arrival[index]);
            if !(error.abs() <= limit) {
                self.tracking.hold();
                self.answer(None, readings, machine)?;
                return Err(stopped(Reason::NotHome { index, error, limit }));
            }
        }
        if self.runs {
            self.tracking.set_plan(self.plan.clone());
            self.epoch = tick;
            self.state = State::Running;
        } else {
            self.tracking.hold();
            (self.state, self.output) = (State::Hold, Output::Held);
        }
        self.answer(None, readings, machine)
    }

    /// Drives the motors: along the way, along the plan, or to rest.
    fn answer<Device: Machine<T, E, U>>(
        &mut self,
        way: Option<Target<T, E, U>>,
        readings: &Vector<T, E>,
        machine: &mut Device,
    ) -> Result<(), Stopped<T, Device::Error>> {
        let tick = self.tick.unwrap_or(0).saturating_sub(self.epoch);
        let report = self.tracking.answer(tick, way, readings, machine).map_err(|error| match error {
            LoopError::Device(cause) => broken(cause),
            LoopError::Reading { index, .. } => stopped(Reason::Reading { index }),
            LoopError::Control(error) => stopped(Reason::Control(error)),
        })?;
        (self.errors, self.efforts) = (report.errors, report.efforts);
        match self.tracking.found() {
            None | Some(Fault::Asked { .. }) => Ok(()),
            Some(fault) => Err(stopped(Reason::Plan(fault))),
        }
    }
}

fn stopped<T, D>(reason: Reason<T>) -> Stopped<T, D> {
    (reason, None)
}

fn broken<T, D>(cause: D) -> Stopped<T, D> {
    (Reason::Device, Some(cause))
}

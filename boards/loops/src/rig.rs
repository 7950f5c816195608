//! A loop and its simulated machine.

use taut::control::supervisor::{
    Clock, Deadline, Delayed, Faulty, Injection, PlanError, Request, State, Supervision, Supervisor, Watchdog,
};
use taut::control::{Actuated, ControlError, Controller, Feedforward, Plant, Sensed, Steps, Tracking};
use taut::linalg::{Ldlt, Vector};
use taut::scalar::Real;
use taut::start::Precision;

use crate::braked::Braked;
use crate::diverted::{Detours, Divert};
use crate::options::Options;
use crate::sample::{Sample, Summary};

/// How many ticks after a fault it is reset.
const PAUSE: u64 = 50;

/// Where in the plane a system has what follows the path.
pub trait Place<const N: usize> {
    /// Its place at a position.
    fn place(q: &Vector<f32, N>) -> [f32; 2];
}

/// A loop and its machine, whose ticks are those of the board.
#[derive(Clone, Copy, Debug)]
pub struct Rig<System, Feed, Law, Method, const N: usize, const M: usize, const E: usize, const U: usize, P: Precision>
{
    supervisor: Supervisor<System, Feed, Faulty<Law>, f32, N, M, E, U>,
    machine: Faulty<Braked<System, Method, N, M, E, U, P>, Option<f32>>,
    /// As it was given.
    plan: Feed,
    detours: Detours<U>,
    options: Options,
    period: u32,
    summary: Summary,
}

impl<System, Feed, Law, Method, const N: usize, const M: usize, const E: usize, const U: usize, P>
    Rig<System, Feed, Law, Method, N, M, E, U, P>
where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E> + Place<N> + Copy,
    Feed: Feedforward<N, M, U, Base = f32> + Divert<U> + Copy,
    Law: Controller<System, f32, N, M, E, U>,
    Method: Steps<System, f32, N, M> + Copy,
    P: Precision,
{
    /// From its parts, and the length of a tick in counts of the board's clock. A tick may begin late by half of that.
    pub fn new(
        mut tracking: Tracking<System, Feed, Faulty<Law>, f32, N, M, E, U>,
        supervision: Supervision<f32, E, U>,
        machine: Braked<System, Method, N, M, E, U, P>,
        detours: Detours<U>,
        (options, period): (Options, u32),
    ) -> Result<Self, ControlError<f32>> {
        Ok(Self {
            plan: *tracking.feedforward(),
            supervisor: Supervisor::new(tracking, supervision, Deadline::new(period, period / 2))?,
            machine: Faulty::new(machine),
            detours,
            options,
            period,
            summary: Summary::new(),
        })
    }

    /// What all ticks were like.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The loop.
    pub fn supervisor(&self) -> &Supervisor<System, Feed, Faulty<Law>, f32, N, M, E, U> {
        &self.supervisor
    }

    /// The loop, to be asked for something.
    pub fn supervisor_mut(&mut self) -> &mut Supervisor<System, Feed, Faulty<Law>, f32, N, M, E, U> {
        &mut self.supervisor
    }

    /// The simulated machine.
    pub fn plant(&self) -> &Plant<System, Method, f32, N, M, E, U, Ldlt<f32, M>, P> {
        self.machine.inner().plant()
    }

    /// Whether the machine's brakes are closed, as they are while its motors are off.
    pub fn brakes_are_closed(&self) -> bool {
        self.machine.inner().is_closed()
    }

    /// Goes on with a copy of another rig's machine, as it is.
    pub fn take_machine_of(&mut self, other: &Self) {
        self.machine = other.machine;
    }

    /// A tick of the board: asks for what the options say, runs the loop, and lets a tick pass for the machine.
    pub fn tick(&mut self, clock: &mut impl Clock, watchdog: &mut impl Watchdog) -> Sample {
        let next = self.supervisor.tick_number().map_or(0, |tick| tick.wrapping_add(1));
        self.ask(next);
        self.tick_with(self.options.fault_at(next), clock, watchdog)
    }

    /// A tick with this fault, or without; nothing is asked of the loop.
    pub fn tick_with(
        &mut self,
        fault: Option<Injection>,
        clock: &mut impl Clock,
        watchdog: &mut impl Watchdog,
    ) -> Sample {
        self.machine.inject(fault);
        self.supervisor.law().inject(fault);
        let by = if fault == Some(Injection::LateTick) { self.period / 4 * 3 } else { 0 };
        let before = self.supervisor.tick_number();
        let report = self.supervisor.tick(&mut self.machine, &mut Delayed { clock, by }, watchdog);
        let sample = self.sample();
        self.summary.add(&sample);
        self.summary.faults = self.supervisor.faults();
        // The machine does not wait for a loop that is late.
        let passed = before.map_or(1, |before| report.record.tick.wrapping_sub(before));
        for _ in 0..passed.min(u64::from(taut::control::supervisor::MOST_SKIPPED)) {
            if self.machine.inner_mut().tick().is_err() {
                self.summary.stuck = self.summary.stuck.wrapping_add(1);
            }
        }
        sample
    }

    /// Leads the plan where it can not be followed, now while it runs, or from the beginning of the next run. For a fault that is
    /// not one of a plan, nothing.
    pub fn divert(&mut self, fault: Injection) -> Result<(), PlanError<f32>> {
        let Detours { infeasible, singular } = self.detours;
        let (to, duration) = match fault {
            Injection::InfeasibleTarget => infeasible,
            Injection::SingularPose => singular,
            _ => return Ok(()),
        };
        if self.supervisor.state() == State::Running {
            let tick = self.supervisor.plan_tick();
            return self.supervisor.plan().divert(to, duration, tick).map_err(PlanError::Refused);
        }
        let mut plan = self.plan;
        plan.divert(to, duration, 0).map_err(PlanError::Refused)?;
        self.supervisor.set_plan(plan).map_err(|(error, _)| error)
    }

    /// Makes the plan of the next run what it was at first.
    pub fn restore(&mut self) -> Result<(), PlanError<f32>> {
        self.supervisor.set_plan(self.plan).map_err(|(error, _)| error)
    }

    /// Runs at first, leads the plan astray where the options say so, and starts again after a fault.
    fn ask(&mut self, next: u64) {
        if next == 0 {
            let _ = self.supervisor.request(Request::Run);
        }
        if let Some(inject) = self.options.inject
            && inject.at == next
            && self.supervisor.state() == State::Running
        {
            let _ = self.divert(inject.fault);
        }
        if let Some(latched) = self.supervisor.latched()
            && self.options.restart
            && self.options.fault_at(next).is_none()
            && next.wrapping_sub(latched.tick) >= PAUSE
        {
            let _ = self.supervisor.request(Request::Reset).and_then(|()| self.supervisor.request(Request::Run));
        }
    }

    fn sample(&self) -> Sample {
        let record = self.supervisor.record();
        let plant = self.machine.inner().plant();
        let position = plant.state().position();
        let place = System::place(position);
        let target =
            if record.state == State::Running { System::place(&self.supervisor.reference().position) } else { place };
        let (across, up) = (place[0] - target[0], place[1] - target[1]);
        let mut residual = 0.0_f32;
        for row in &plant.system().constraint(0.0, position) {
            residual = if row.abs() > residual { row.abs() } else { residual };
        }
        let mut efforts = [0.0; 2];
        for (effort, driven) in efforts.iter_mut().zip(&record.efforts) {
            *effort = *driven;
        }
        Sample {
            tick: record.tick,
            state: record.state,
            output: record.output,
            code: record.code,
            place,
            target,
            error: Real::sqrt(across * across + up * up),
            residual,
            efforts,
            timing: record.timing,
        }
    }
}

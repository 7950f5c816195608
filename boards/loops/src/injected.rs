//! Fault injection into a rig, on host and emulator only: into its machine, its controller, its clock and its plan.

use taut::control::{Actuated, ControlError, Controller, Feedforward, Following, Inverse, Reference, Sensed};
use taut::supervise::{Clock, Injection, Request, State, Watchdog};
use taut::trajectory::{Either, Nonic, Trajectory};

use crate::braked::{Place, Simulation};
use crate::options::{Detours, Options};
use crate::rig::{Path, Rig};
use crate::sample::Sample;

/// How many ticks after a fault it is reset.
const PAUSE: u64 = 50;

/// The data of a rig for fault injection.
#[derive(Clone, Copy, Debug)]
pub struct Injected<Begin, const U: usize> {
    /// What the first run begins with.
    pub begin: Begin,
    pub detours: Detours<U>,
    pub options: Options,
    /// Counts of the clock in a tick.
    pub period: u32,
    /// The count when the clock went wrong.
    pub since: Option<u32>,
}

/// A plan that can be led to another point.
pub trait Divert<const D: usize>: Feedforward {
    /// Leads to a point from a tick of the plan on.
    fn divert(&self, state: &mut Self::State, to: [f32; D], duration: f32, tick: u64) -> Result<(), ControlError<f32>>;
}

impl<System, Along, Aid, const N: usize, const M: usize, const U: usize, const K: usize> Divert<U>
    for Inverse<System, Path<Along, U>, N, M, U, K>
where
    System: Actuated<N, M, U, Base = f32>,
    Along: Trajectory<U, Base = f32>,
    Self: Feedforward<State = Following<Path<Along, U>, f32, N, M, U, Aid>>,
{
    fn divert(&self, state: &mut Self::State, to: [f32; U], duration: f32, tick: u64) -> Result<(), ControlError<f32>> {
        let away = Nonic::departing(state.path(), state.time(tick), to, duration)?;
        self.replan(state, Either::Second(away), tick)
    }
}

impl<Plan, System, Law, Machine, const N: usize, const M: usize, const E: usize, const U: usize, const D: usize>
    Rig<Plan, Law, Machine, E, U, D>
where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E> + Place<N, D>,
    Plan: Divert<U, Base = f32, System = System, Reference = Reference<f32, N, M, U>>,
    Law: Controller<System, f32, N, M, E, U>,
    Machine: Simulation<E, U, D> + Copy,
{
    /// Copies the machine of another rig.
    pub fn take_machine_of(&mut self, other: &Self) {
        self.machine = other.machine;
    }

    /// A tick of the board: makes the requests of the options, runs the loop, and simulates a tick of the machine.
    pub fn tick(&mut self, clock: &mut impl Clock, watchdog: &mut impl Watchdog) -> Sample<D> {
        let next = self.state.next_tick();
        self.ask(next);
        self.tick_with(self.injected.options.fault_at(next), clock, watchdog)
    }

    /// A tick with this fault or without one; makes no request.
    pub fn tick_with(
        &mut self,
        fault: Option<Injection>,
        clock: &mut impl Clock,
        watchdog: &mut impl Watchdog,
    ) -> Sample<D> {
        self.machine.inject(fault);
        if fault == Some(Injection::CorruptedState) {
            self.supervisor.corrupt(&mut self.state);
        }
        if fault == Some(Injection::BouncingReset) {
            let _ = self.request(Request::Reset);
        }
        if fault != Some(Injection::LostHeartbeat) {
            self.supervisor.alive(&mut self.state);
        }
        let late = self.injected.period / 4 * 3;
        let odd = self.state.next_tick() & 1 == 1;
        let since = match fault {
            Some(Injection::FrozenClock | Injection::FastClock) => {
                *self.injected.since.get_or_insert_with(|| clock.now())
            }
            _ => {
                self.injected.since = None;
                0
            }
        };
        let mut wrong = || {
            let now = clock.now();
            match fault {
                Some(Injection::LateTick) => now.wrapping_add(late),
                Some(Injection::OftenLate) if odd => now.wrapping_add(late),
                Some(Injection::FrozenClock) => since,
                Some(Injection::FastClock) => since.wrapping_add(now.wrapping_sub(since) / 3),
                _ => now,
            }
        };
        self.pass(&mut wrong, watchdog)
    }

    /// Leads the plan where it cannot be followed: at once while it runs, else from the beginning of the next run. Ignores faults that do
    /// not apply to a plan.
    pub fn divert(&mut self, fault: Injection) -> Result<(), ControlError<f32>> {
        let Detours { infeasible, singular } = self.injected.detours;
        let (to, duration) = match fault {
            Injection::InfeasibleTarget => infeasible,
            Injection::SingularPose => singular,
            _ => return Ok(()),
        };
        let plan = self.supervisor.plan();
        if self.state.state() == State::Running {
            let tick = self.state.plan_tick();
            return plan.divert(self.state.plan_mut(), to, duration, tick);
        }
        let mut begin = self.injected.begin.clone();
        plan.divert(&mut begin, to, duration, 0)?;
        self.supervisor.set_plan(&mut self.state, begin)
    }

    /// Restores the original plan for the next run.
    pub fn restore(&mut self) -> Result<(), ControlError<f32>> {
        self.supervisor.set_plan(&mut self.state, self.injected.begin.clone())
    }

    /// Runs at first, leads the plan astray where the options say so, and starts again after a fault.
    #[inline(never)]
    fn ask(&mut self, next: u64) {
        if next == 0 {
            let _ = self.request(Request::Run);
        }
        if let Some(inject) = self.injected.options.inject
            && inject.at == next
            && self.state.state() == State::Running
        {
            let _ = self.divert(inject.fault);
        }
        if let Some(latched) = self.state.latched()
            && self.injected.options.restart
            && self.injected.options.fault_at(next).is_none()
            && next.wrapping_sub(latched.tick) >= PAUSE
        {
            let _ = self.request(Request::Reset).and_then(|()| self.request(Request::Run));
        }
    }
}

//! A loop and its simulated machine.

use taut::control::{Actuated, ControlError, Controller, Feedforward, Reference, Sensed, Stateful};
use taut::scalar::Real;
use taut::supervise::{Clock, Deadline, LoopState, MAX_SKIPPED, Refusal, Request, Sizes, State, Supervisor, Watchdog};
use taut::trajectory::{Either, Nonic};

use crate::around::{AroundMachine, around_machine, inner, inner_mut};
use crate::braked::{Place, Simulation};
use crate::options::{Detours, Options};
use crate::sample::{Sample, Summary};

/// For how many ticks whoever commands a rig may be silent.
const HEARTBEAT: u32 = 50;

/// The path of a program, or a detour from it.
pub type Path<Along, const D: usize> = Either<Along, Nonic<f32, D>>;

/// A loop and its machine, whose ticks are those of the board.
#[derive(Clone)]
pub struct Rig<
    Plan: Feedforward<Reference: Sizes>,
    Law: Stateful,
    Machine,
    const E: usize,
    const U: usize,
    const D: usize = 2,
> {
    pub(crate) supervisor: Supervisor<Plan, Law, E>,
    pub(crate) state: LoopState<Plan, Law, E>,
    pub(crate) machine: AroundMachine<Machine>,
    #[cfg(feature = "inject")]
    pub(crate) injected: crate::injected::Injected<Plan::State, U>,
    summary: Summary,
}

impl<Plan, System, Law, Machine, const N: usize, const M: usize, const E: usize, const U: usize, const D: usize>
    Rig<Plan, Law, Machine, E, U, D>
where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E> + Place<N, D>,
    Plan: Feedforward<Base = f32, System = System, Reference = Reference<f32, N, M, U>>,
    Law: Controller<System, f32, N, M, E, U>,
    Machine: Simulation<E, U, D>,
{
    /// From its parts and the length of a tick in counts of the board's clock. A tick may begin half a tick late. Every tick is a sign of
    /// life of whoever commands the loop.
    pub fn new(
        supervisor: Supervisor<Plan, Law, E>,
        machine: Machine,
        detours: Detours<U>,
        (options, period): (Options, u32),
    ) -> Result<Self, ControlError<f32>> {
        #[cfg(not(feature = "inject"))]
        let _ = (detours, options);
        let state = supervisor.start(Deadline::new(period, Some(HEARTBEAT)))?;
        Ok(Self {
            #[cfg(feature = "inject")]
            injected: crate::injected::Injected { begin: state.plan().clone(), detours, options, period, since: None },
            supervisor,
            state,
            machine: around_machine(machine),
            summary: Summary::new(),
        })
    }

    /// The summary of all ticks.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The state of the loop.
    pub fn state(&self) -> &LoopState<Plan, Law, E> {
        &self.state
    }

    /// Makes a request to the loop.
    pub fn request(&mut self, request: Request) -> Result<(), Refusal> {
        self.supervisor.request(&mut self.state, request)
    }

    /// The stop as a level, see [`Supervisor::stop_while`].
    pub fn stop_while(&mut self, asserted: bool) {
        self.supervisor.stop_while(&mut self.state, asserted);
    }

    /// Whether the machine's brakes are closed; they are while its motors are off.
    pub fn brakes_are_closed(&self) -> bool {
        inner(&self.machine).is_closed()
    }

    /// A tick of the board; the first asks the loop to run.
    #[cfg(not(feature = "inject"))]
    pub fn tick(&mut self, clock: &mut impl Clock, watchdog: &mut impl Watchdog) -> Sample<D> {
        if self.state.next_tick() == 0 {
            let _ = self.request(Request::Run);
        }
        self.supervisor.alive(&mut self.state);
        self.pass(clock, watchdog)
    }

    /// Runs the loop and simulates a tick of the machine. Not inlined, so that the programs of a board share the stack of a tick.
    #[inline(never)]
    pub(crate) fn pass(&mut self, clock: &mut impl Clock, watchdog: &mut impl Watchdog) -> Sample<D> {
        let before = self.state.next_tick();
        self.supervisor.tick(&mut self.state, &mut self.machine, clock, watchdog);
        let sample = self.sample();
        self.summary.add(&sample);
        self.summary.faults = self.state.faults();
        // The machine does not wait for a loop that is late.
        let passed = self.state.next_tick().wrapping_sub(before);
        for _ in 0..passed.min(u64::from(MAX_SKIPPED)) {
            if inner_mut(&mut self.machine).tick().is_err() {
                self.summary.stuck = self.summary.stuck.wrapping_add(1);
            }
        }
        sample
    }

    fn sample(&self) -> Sample<D> {
        let (record, machine) = (self.state.record(), inner(&self.machine));
        let place = machine.place();
        let target = if record.state == State::Running {
            self.supervisor.plan().system().place(&self.state.reference().position)
        } else {
            place
        };
        let mut square = 0.0;
        for (place, target) in place.iter().zip(&target) {
            square += (place - target) * (place - target);
        }
        let mut efforts = [0.0; D];
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
            error: Real::sqrt(square),
            residual: machine.residual(),
            efforts,
            timing: record.timing,
        }
    }
}

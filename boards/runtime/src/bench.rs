//! A loop with its machine, and an operator who sends it requests.

use taut::control::{Actuated, Controller, Feedforward, Reference, Sensed};
use taut::device::Machine;
use taut::supervise::{Clock, LoopState, Record, Request, State, Supervisor, Watchdog};

use crate::program::Program;

/// Commands a loop.
pub trait Operator {
    /// The request in a tick, given the state of the loop. Called once in each tick.
    fn asks(&mut self, state: State) -> Option<Request>;

    /// Whether the motors must be off: a level that wins over every request, in every tick. Called once in each tick.
    fn stops(&mut self) -> bool {
        false
    }

    /// Whether the machine, which is idle, stands where its incremental encoders get their [reference](Bench::with_reference). Called once
    /// in each tick, after [`asks`](Self::asks).
    fn references(&mut self) -> bool {
        false
    }

    /// Whether there was a sign of life since the last tick, for a loop with a [heartbeat](taut::supervise::Deadline::new).
    fn is_alive(&mut self) -> bool {
        false
    }
}

/// An operator that runs an idle loop at once. It never stops it: for a simulated machine.
pub struct AtOnce;

impl Operator for AtOnce {
    fn asks(&mut self, state: State) -> Option<Request> {
        (state == State::Idle).then_some(Request::Run)
    }
}

/// A loop, its machine and its operator.
pub struct Bench<Loop, Machine, Who> {
    control: Loop,
    machine: Machine,
    operator: Who,
    /// Gives the machine's encoders their reference.
    reference: fn(&mut Machine),
}

impl<Loop, Machine, Who> Bench<Loop, Machine, Who> {
    /// A bench with an idle loop (the supervisor and its state) and motors that are off.
    pub fn new(control: Loop, machine: Machine, operator: Who) -> Self {
        Self { control, machine, operator, reference: |_| {} }
    }

    /// For incremental encoders: how they get their positions when the operator says that the machine stands at its reference.
    pub fn with_reference(self, reference: fn(&mut Machine)) -> Self {
        Self { reference, ..self }
    }
}

impl<Plan, System, Law, Device, Who, const N: usize, const M: usize, const E: usize, const U: usize> Program
    for Bench<(Supervisor<Plan, Law, E>, LoopState<Plan, Law, E>), Device, Who>
where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E>,
    Plan: Feedforward<Base = f32, System = System, Reference = Reference<f32, N, M, U>>,
    Law: Controller<System, f32, N, M, E, U>,
    Device: Machine<f32, E, U>,
    Who: Operator,
{
    type Sample = Record<f32, E, U>;

    fn tick(&mut self, clock: &mut impl Clock, watchdog: &mut impl Watchdog) -> Record<f32, E, U> {
        let (supervisor, state) = &mut self.control;
        // The buttons are sampled while the machine is stopped, too, so that a press ends in the tick in which it ends.
        let request = self.operator.asks(state.state());
        supervisor.stop_while(state, self.operator.stops());
        if let Some(request) = request {
            // A request that the state does not allow changes nothing.
            let _ = supervisor.request(state, request);
        }
        if self.operator.references() && state.state() == State::Idle {
            (self.reference)(&mut self.machine);
        }
        if self.operator.is_alive() {
            supervisor.alive(state);
        }
        supervisor.tick(state, &mut self.machine, clock, watchdog);
        *state.record()
    }
}

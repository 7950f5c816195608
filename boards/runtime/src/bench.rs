//! A loop with its machine, and an operator who sends it requests.

use embedded_hal::digital::{InputPin, PinState};
use taut::control::{Actuated, Controller, Feedforward, Reference, Sensed};
use taut::device::Machine;
use taut::supervise::{Clock, LoopState, Record, Request, State, Supervisor, Watchdog};

use crate::program::Program;

/// Sends requests to a loop.
pub trait Operator {
    /// The request in a tick, given the state of the loop.
    fn asks(&mut self, state: State) -> Option<Request>;
}

/// A button. Pressing it runs an idle or holding loop, holds a running one, and resets a fault.
pub struct Button<Pin> {
    pin: Pin,
    pressed_at: PinState,
    pressed: bool,
}

impl<Pin: InputPin> Button<Pin> {
    /// A button at a pin; `pressed_at` is the level of the pin when it is pressed.
    pub fn new(pin: Pin, pressed_at: PinState) -> Self {
        Self { pin, pressed_at, pressed: true }
    }
}

impl<Pin: InputPin> Operator for Button<Pin> {
    fn asks(&mut self, state: State) -> Option<Request> {
        // A pin that cannot be read counts as not pressed.
        let pressed = self.pin.is_high().is_ok_and(|is_high| PinState::from(is_high) == self.pressed_at);
        let before = core::mem::replace(&mut self.pressed, pressed);
        (pressed && !before).then_some(match state {
            State::Idle | State::Hold => Request::Run,
            State::Homing | State::Running => Request::Hold,
            State::Fault => Request::Reset,
        })
    }
}

/// An operator that runs an idle loop at once.
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
}

impl<Loop, Machine, Who> Bench<Loop, Machine, Who> {
    /// A bench with an idle loop (the supervisor and its state) and motors that are off.
    pub fn new(control: Loop, machine: Machine, operator: Who) -> Self {
        Self { control, machine, operator }
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
        if let Some(request) = self.operator.asks(state.state()) {
            // A request that the state does not allow changes nothing.
            let _ = supervisor.request(state, request);
        }
        supervisor.tick(state, &mut self.machine, clock, watchdog);
        *state.record()
    }
}

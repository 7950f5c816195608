//! An arm whose encoder reads what a script says, and which keeps every call.

use taut::control::Pid;
use taut::device::Machine;
use taut::supervise::{Deadline, LoopState, Record, Request, Supervisor, Watch};

use crate::closed_loop_arm::{Swing, pid};

/// What a machine was told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Call {
    Enable,
    Drive(f32),
    Disable,
}

/// A machine that reads what it is told, and keeps what it was told to do in a tick.
#[derive(Default)]
pub struct Scripted {
    pub reading: f32,
    pub calls: Vec<Call>,
    /// Whether its encoder has no reference. It loses it when it is told to.
    pub unreferenced: bool,
}

impl Machine<f32, 1, 1> for Scripted {
    type Error = ();

    fn read(&mut self) -> Result<[f32; 1], ()> {
        Ok([self.reading])
    }

    fn drive(&mut self, efforts: &[f32; 1], _: &[f32; 1]) -> Result<(), ()> {
        self.calls.push(Call::Drive(efforts[0]));
        Ok(())
    }

    fn enable(&mut self) -> Result<(), ()> {
        self.calls.push(Call::Enable);
        Ok(())
    }

    fn disable(&mut self) -> Result<(), ()> {
        self.calls.push(Call::Disable);
        Ok(())
    }

    fn unreferenced(&self) -> Option<usize> {
        self.unreferenced.then_some(0)
    }

    fn lose_reference(&mut self) {
        self.unreferenced = true;
    }
}

/// A loop with such a machine.
pub struct Bench {
    pub supervisor: Supervisor<Swing, Pid<f32, 1>, 1>,
    pub state: LoopState<Swing, Pid<f32, 1>, 1>,
    pub machine: Scripted,
}

impl Bench {
    /// An idle loop and a machine that stands at an angle.
    pub fn idle(swing: Swing, watch: Watch<f32, 1, 1>, reading: f32) -> Self {
        let supervisor = Supervisor::new(swing, pid(), watch).unwrap();
        let state = supervisor.start(Deadline::new(1_000, None)).unwrap();
        Self { supervisor, state, machine: Scripted { reading, ..Scripted::default() } }
    }

    pub fn ask(&mut self, request: Request) {
        self.supervisor.request(&mut self.state, request).unwrap();
    }

    /// A tick, and what the machine was told in it.
    pub fn tick(&mut self) -> (Record<f32, 1, 1>, Vec<Call>) {
        self.machine.calls.clear();
        self.supervisor.step(&mut self.state, &mut self.machine);
        (*self.state.record(), self.machine.calls.clone())
    }

    /// A tick in which the machine is exactly where it should be: at the target of the tick before, if the motors are on.
    pub fn obedient_tick(&mut self) -> (Record<f32, 1, 1>, Vec<Call>) {
        self.machine.reading = self.state.record().target[0];
        self.tick()
    }
}

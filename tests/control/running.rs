//! A plan or a loop together with its state.

use taut::control::{
    Actuated, Clip, ControlError, Controller, Feedforward, Following, Inverse, InverseDynamics, Reference, Sensed,
    Stateful,
};
use taut::device::Machine;
use taut::scalar::Float;
use taut::supervise::{LoopState, Reason, Record, Sizes, Supervisor, Watch};
use taut::trajectory::Trajectory;

/// A plan and its state.
#[derive(Clone, Copy, Debug)]
pub struct Run<Plan: Feedforward> {
    pub plan: Plan,
    pub state: Plan::State,
}

/// Starts a plan.
pub fn run<Plan: Feedforward>(
    plan: Result<Plan, ControlError<Plan::Base>>,
) -> Result<Run<Plan>, ControlError<Plan::Base>> {
    let plan = plan?;
    Ok(Run { state: plan.start()?, plan })
}

impl<Plan: Feedforward<Reference: Copy>> Run<Plan> {
    pub fn at(&mut self, tick: u64) -> Result<Plan::Reference, ControlError<Plan::Base>> {
        self.plan.at(&mut self.state, tick).copied()
    }
}

impl<System, Path, T, const N: usize, const M: usize, const U: usize, const K: usize, Aid>
    Run<Inverse<System, Path, N, M, U, K>>
where
    T: Float,
    System: Actuated<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T>,
    Inverse<System, Path, N, M, U, K>: Feedforward<State = Following<Path, T, N, M, U, Aid>>,
{
    pub fn replan(&mut self, path: Path, tick: u64) -> Result<(), ControlError<T>> {
        self.plan.replan(&mut self.state, path, tick)
    }

    pub fn time(&self, tick: u64) -> T {
        self.state.time(tick)
    }

    pub fn path(&self) -> &Path
    where
        Aid: 'static,
    {
        self.state.path()
    }
}

impl<System, Path, T, const N: usize, const M: usize, const U: usize> Run<InverseDynamics<System, Path, N, M, U>>
where
    T: Float,
    System: Actuated<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T> + Clone,
{
    pub fn seek(&mut self, tick: u64) -> Result<Reference<T, N, M, U>, ControlError<T>> {
        self.plan.seek(&mut self.state, tick)?;
        Ok(*<InverseDynamics<System, Path, N, M, U> as Feedforward>::last(&self.state))
    }
}

/// What a tick did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report<T, const E: usize, const U: usize, D> {
    pub record: Record<T, E, U>,
    pub clips: [Clip; U],
    pub device: Option<D>,
}

/// A loop and its state.
#[derive(Clone)]
pub struct Loop<Plan: Feedforward<Reference: Sizes>, Law: Stateful, const E: usize> {
    pub supervisor: Supervisor<Plan, Law, E>,
    pub state: LoopState<Plan, Law, E>,
}

impl<Plan, Law, System, T, const N: usize, const M: usize, const E: usize, const U: usize> Loop<Plan, Law, E>
where
    T: Float,
    System: Actuated<N, M, U, Base = T> + Sensed<N, M, E>,
    Plan: Feedforward<Base = T, System = System, Reference = Reference<T, N, M, U>>,
    Law: Controller<System, T, N, M, E, U>,
{
    /// With a machine that is where the plan begins and moves with it.
    pub fn on_path(plan: Plan, law: Law, watch: Watch<T, E, U>) -> Result<Self, ControlError<T>> {
        let begin = plan.start()?;
        Self::at(plan, begin, law, watch, 0)
    }

    /// With a machine that moves with the plan and is at a tick of it.
    pub fn at(
        plan: Plan,
        begin: Plan::State,
        law: Law,
        watch: Watch<T, E, U>,
        tick: u64,
    ) -> Result<Self, ControlError<T>> {
        let supervisor = Supervisor::new(plan, law, watch)?;
        Ok(Self { state: supervisor.start_on_path(begin, tick)?, supervisor })
    }

    pub fn tick<Device: Machine<T, E, U>>(&mut self, machine: &mut Device) -> Report<T, E, U, Device::Error> {
        let device = self.supervisor.step(&mut self.state, machine);
        Report { record: *self.state.record(), clips: *self.state.clips(), device }
    }

    /// Why it does not follow.
    pub fn fault(&self) -> Option<Reason<T>> {
        self.state.latched().map(|latched| latched.reason)
    }
}

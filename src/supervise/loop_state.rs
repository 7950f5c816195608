//! The state of a loop.

use core::fmt::Debug;

use super::alignment::{Alignment, Statics};
use super::belief::Belief;
use super::deadline::{Deadline, Timing};
use super::homing::Homing;
use super::reason::{Code, Latched, Output, Reason};
use super::record::Record;
use super::state::State;
use super::watch::Watch;
use crate::control::checks::within;
use crate::control::{Clip, Feedforward, Reference, Stateful, Target};
use crate::linalg::Vector;
use crate::scalar::{Float, Jet};

/// The types whose sizes follow from a [`Reference`] and the number `E` of encoders.
pub trait Sizes: Copy + Debug {
    /// The [`Watch`](super::Watch) of these sizes.
    type Watch<const E: usize>: Copy + Debug;
    /// The [`Memory`] of these sizes.
    type Memory<const E: usize>: Clone + Debug;
}

impl<T: Float, const N: usize, const M: usize, const U: usize> Sizes for Reference<T, N, M, U> {
    type Watch<const E: usize> = Watch<T, E, U>;
    type Memory<const E: usize> = Memory<T, N, E, U>;
}

/// The state of a [`Supervisor`](super::Supervisor). [`start`](super::Supervisor::start) and
/// [`start_on_path`](super::Supervisor::start_on_path) make one.
#[derive(Clone, Debug)]
pub struct LoopState<Plan: Feedforward<Reference: Sizes>, Law: Stateful, const E: usize> {
    pub(super) plan: Plan::State,
    /// The plan with which the next run begins.
    pub(super) next: Plan::State,
    pub(super) law: Law::State,
    pub(super) memory: <Plan::Reference as Sizes>::Memory<E>,
}

/// The state of a loop besides plan and controller.
#[derive(Clone, Copy, Debug)]
pub struct Memory<T, const N: usize, const E: usize, const U: usize> {
    /// The record of the last tick.
    pub(super) record: Record<T, E, U>,
    pub(super) homing: Homing<T, N, U>,
    /// Whether homing ends in running.
    pub(super) runs: bool,
    /// Where the next run begins.
    pub(super) begin: Begin<T, N, E, U>,
    pub(super) next_tick: u64,
    /// The tick in which the plan began.
    pub(super) epoch: u64,
    /// Late ticks since the last one that was in time.
    pub(super) skipped: u32,
    pub(super) deadline: Deadline,
    pub(super) belief: Belief<T, E>,
    pub(super) latched: Option<Latched<T>>,
    pub(super) faults: u32,
    pub(super) target: Target<T, E, U>,
    /// The limit that clipped each motor.
    pub(super) clips: [Clip; U],
    /// For how many ticks in a row each motor has been clipped.
    pub(super) clipped: [u32; U],
}

/// Where a run begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begin<T, const N: usize, const E: usize, const U: usize> {
    pub(super) pose: Vector<T, N>,
    pub(super) target: Target<T, E, U>,
    /// The inputs that hold the machine there.
    pub(super) staying: Statics<T, U>,
}

impl<T: Float, const N: usize, const E: usize, const U: usize> Memory<T, N, E, U> {
    pub(super) fn idle(begin: Begin<T, N, E, U>, belief: Belief<T, E>, deadline: Deadline) -> Self {
        Self {
            record: Record {
                tick: 0,
                state: State::Idle,
                output: Output::Off,
                code: Code::None,
                readings: begin.target.shafts.map(|shaft| shaft.value),
                errors: Vector::zeros(),
                efforts: Vector::zeros(),
                timing: Timing::default(),
            },
            homing: Homing::Aligning(Alignment::from(begin.pose)),
            runs: false,
            begin,
            next_tick: 0,
            epoch: 0,
            skipped: 0,
            deadline,
            belief,
            latched: None,
            faults: 0,
            target: begin.target,
            clips: [Clip::None; U],
            clipped: [0; U],
        }
    }

    /// Begins the next tick, after `missed` ticks.
    #[inline(always)]
    pub(super) fn advance(&mut self, missed: u32) {
        self.record.tick = self.next_tick.wrapping_add(u64::from(missed));
        self.next_tick = self.record.tick.wrapping_add(1);
    }

    /// The tick of the plan: counted from the beginning of the run.
    pub(super) fn plan_tick(&self) -> u64 {
        self.record.tick.wrapping_sub(self.epoch)
    }

    /// Moves the target a tick further on its way to rest: velocities decay with the braking time. Encoders without a motor have their
    /// readings at rest as targets.
    #[inline(never)]
    pub(super) fn brake(&mut self, watch: &Watch<T, E, U>, h: T) {
        for index in 0..E {
            let shaft = &mut self.target.shafts.data.0[0][index];
            if index >= U {
                *shaft = Jet::constant(watch.rest[index]);
                continue;
            }
            let fastest = watch.stopping_distance[index] / watch.braking;
            if shaft.first.abs() > fastest {
                shaft.first = fastest.copysign(shaft.first);
            }
            shaft.second = shaft.first * (-T::one() / watch.braking);
            shaft.value += (shaft.first + shaft.second * (h * T::from_f64(0.5))) * h;
            shaft.first += shaft.second * h;
        }
    }

    /// Checks the tracking error of every encoder.
    #[inline(always)]
    pub(super) fn judge_errors(&mut self, limits: &[T; E]) -> Result<(), Reason<T>> {
        let Record { readings, errors, .. } = &mut self.record;
        for index in 0..E {
            errors.data.0[0][index] = self.target.shafts.data.0[0][index].value - readings.data.0[0][index];
        }
        let far = |index, error, limit| Reason::TrackingError { index, error, limit };
        within(&errors.data.0[0], limits.iter().copied(), far)
    }

    /// Checks that no motor has been at a limit for too long. In the fault state a motor may stay at its limit.
    #[inline(always)]
    pub(super) fn judge_efforts(
        &mut self,
        (wanted, applied): (&Vector<T, U>, &Vector<T, U>),
        clips: [Clip; U],
        patience: u32,
    ) -> Result<(), Reason<T>> {
        (self.record.efforts, self.clips) = (*applied, clips);
        for index in 0..U {
            self.clipped[index] = if clips[index] == Clip::None { 0 } else { self.clipped[index].saturating_add(1) };
        }
        for index in 0..U {
            if self.clipped[index] > patience && self.record.state != State::Fault {
                self.clipped[index] = 0;
                let (wanted, applied) = (wanted.data.0[0][index], applied.data.0[0][index]);
                return Err(Reason::Saturated { index, wanted, applied });
            }
        }
        Ok(())
    }

    /// Latches the first fault. Another fault in the fault state switches the motors off.
    #[inline(never)]
    pub(super) fn fail(&mut self, reason: Reason<T>) {
        let record = &mut self.record;
        if record.state == State::Fault {
            record.output = Output::Off;
            return;
        }
        self.latched = Some(Latched { tick: record.tick, state: record.state, reason });
        self.faults = self.faults.saturating_add(1);
        (record.state, record.code) = (State::Fault, reason.code());
        if record.output != Output::Off {
            record.output = reason.safe_output();
        }
    }
}

impl<Plan, Law, T, const N: usize, const M: usize, const E: usize, const U: usize> LoopState<Plan, Law, E>
where
    T: Float,
    Plan: Feedforward<Base = T, Reference = Reference<T, N, M, U>>,
    Law: Stateful,
{
    /// The state of the loop.
    pub fn state(&self) -> State {
        self.memory.record.state
    }

    /// The fault that stopped the loop; `None` outside of the fault state.
    pub fn latched(&self) -> Option<&Latched<T>> {
        self.memory.latched.as_ref()
    }

    /// How many faults there have been.
    pub fn faults(&self) -> u32 {
        self.memory.faults
    }

    /// The number of the next tick, if it is not late.
    pub fn next_tick(&self) -> u64 {
        self.memory.next_tick
    }

    /// The next tick of the plan, counted from the beginning of the run.
    pub fn plan_tick(&self) -> u64 {
        self.memory.next_tick.saturating_sub(self.memory.epoch)
    }

    /// The last reference of the plan.
    pub fn reference(&self) -> &Reference<T, N, M, U> {
        Plan::last(&self.plan)
    }

    /// The state of the present plan.
    pub fn plan(&self) -> &Plan::State {
        &self.plan
    }

    /// The state of the present plan, to re-plan while it runs. The next run begins with the original trajectory again.
    pub fn plan_mut(&mut self) -> &mut Plan::State {
        &mut self.plan
    }

    /// The state of the controller.
    pub fn law(&self) -> &Law::State {
        &self.law
    }

    /// The record of the last tick.
    pub fn record(&self) -> &Record<T, E, U> {
        &self.memory.record
    }

    /// The limit that clipped each motor in the last tick.
    pub fn clips(&self) -> &[Clip; U] {
        &self.memory.clips
    }
}

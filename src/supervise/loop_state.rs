//! The state of a loop.

use core::fmt::Debug;

use super::alignment::{Alignment, Statics};
use super::belief::Belief;
use super::deadline::{Deadline, Timing};
use super::homing::Homing;
use super::reason::{Code, Latched, Output, Reason, Second};
use super::record::Record;
use super::state::State;
use super::strain::Strain;
use super::watch::Watch;
use crate::control::checks::within;
use crate::control::turns::off_by_at;
use crate::control::{Clip, Feedforward, Reference, Sensed, Stateful, Target};
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
    /// The tick in which the plan began. It goes on while the plan does not run.
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
    /// How long each motor has been at its limit.
    pub(super) strains: [Strain<T>; U],
    /// The rate at which the targets come to rest, 1/τ or more; `None` before the first tick of a hold.
    pub(super) stopping: Option<T>,
    /// Whether the motors are enabled: they are with the first effort.
    pub(super) enabled: bool,
    /// Where the motors were switched off.
    pub(super) off_at: Option<Vector<T, E>>,
    /// Whether the stop is asserted.
    pub(super) stopped: bool,
    /// Whether the encoders are to lose their references.
    pub(super) loses_reference: bool,
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
                second: Code::None,
                readings: begin.target.shafts.map(|shaft| shaft.value),
                target: begin.target.shafts.map(|shaft| shaft.value),
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
            strains: [Strain::none(); U],
            stopping: None,
            enabled: false,
            off_at: None,
            stopped: false,
            loses_reference: false,
        }
    }

    /// Begins the next tick, after `missed` ticks.
    #[inline(always)]
    pub(super) fn advance(&mut self, missed: u32) {
        self.record.tick = self.next_tick.wrapping_add(u64::from(missed));
        self.next_tick = self.record.tick.wrapping_add(1);
        if self.record.state != State::Running {
            self.epoch = self.epoch.wrapping_add(u64::from(missed)).wrapping_add(1);
        }
    }

    /// The tick of the plan: counted from the beginning of the run.
    pub(super) fn plan_tick(&self) -> u64 {
        self.record.tick.wrapping_sub(self.epoch)
    }

    /// Moves the target a tick further on its way to rest: velocities decay with the braking time, or faster where a motor would go
    /// further than its stopping distance. All motors stop together. Encoders without a motor have their readings at rest as targets.
    #[inline(never)]
    pub(super) fn brake(&mut self, watch: &Watch<T, E, U>, h: T) {
        let rate = self.stopping.unwrap_or_else(|| {
            let mut rate = T::one() / watch.braking;
            for (shaft, distance) in self.target.shafts.data.0[0].iter().zip(&watch.stopping_distance) {
                let needed = shaft.first.abs() / *distance;
                rate = if needed > rate { needed } else { rate };
            }
            // At most, they stop within the tick.
            if rate * h > T::one() { T::one() / h } else { rate }
        });
        self.stopping = Some(rate);
        for (index, (shaft, rest)) in self.target.shafts.data.0[0].iter_mut().zip(&watch.rest).enumerate() {
            if index >= U {
                *shaft = Jet::constant(*rest);
                continue;
            }
            shaft.second = shaft.first * -rate;
            shaft.value += (shaft.first + shaft.second * (h * T::from_f64(0.5))) * h;
            shaft.first += shaft.second * h;
        }
    }

    /// Checks the tracking error of every encoder.
    #[inline(always)]
    pub(super) fn judge_errors<System, const M: usize>(&mut self, watch: &Watch<T, E, U>) -> Result<(), Reason<T>>
    where
        System: Sensed<N, M, E, Base = T>,
    {
        let Record { readings, target, errors, .. } = &mut self.record;
        for index in 0..E {
            let value = self.target.shafts.data.0[0][index].value;
            target.data.0[0][index] = value;
            let error = value - readings.data.0[0][index];
            errors.data.0[0][index] = off_by_at::<System, N, M, E>(index, error);
        }
        let far = |index, error, limit| Reason::TrackingError { index, error, limit };
        within(&errors.data.0[0], &watch.encoders.map(|encoder| encoder.largest_error), far)
    }

    /// A motor that has been at a limit for too long is a fault. In the fault state it may be there as long as it wins.
    #[inline(always)]
    pub(super) fn judge_efforts(
        &mut self,
        (wanted, applied): (&Vector<T, U>, &Vector<T, U>),
        clips: [Clip; U],
        watch: &Watch<T, E, U>,
    ) {
        (self.record.efforts, self.clips) = (*applied, clips);
        for index in 0..U {
            let reading = self.record.readings.data.0[0][index];
            if self.strains[index].ends(clips[index] != Clip::None, reading, watch.patience) {
                let (wanted, applied) = (wanted.data.0[0][index], applied.data.0[0][index]);
                let wins = self.strains[index].wins(reading, applied, watch.window(index));
                if !wins || self.record.state != State::Fault {
                    self.fail(Reason::Saturated { index, wanted, applied, wins });
                }
            }
        }
    }

    /// Checks that motors which are off stay where they were switched off.
    pub(super) fn judge_rest(&mut self, watch: &Watch<T, E, U>) -> Result<(), Reason<T>> {
        let Some(limits) = watch.off_travel else { return Ok(()) };
        let readings = self.record.readings;
        let travel = readings - *self.off_at.get_or_insert(readings);
        within(&travel.data.0[0], &limits, |index, travel, limit| Reason::Moved { index, travel, limit })
    }

    /// Clears the fault. The encoders lose their references, unless the fault says that one had none: it may have one by now.
    pub(super) fn reset(&mut self) {
        let known = self.latched.is_some_and(|latched| matches!(latched.reason, Reason::Unreferenced { .. }));
        self.loses_reference |= !known;
        (self.latched, self.off_at) = (None, None);
        (self.record.code, self.record.second, self.record.output) = (Code::None, Code::None, Output::Off);
        self.belief.restart();
        self.deadline.restart();
        self.skipped = 0;
    }

    /// Latches a fault. Another one before the reset is kept beside it and switches the motors off.
    #[inline(never)]
    pub(super) fn fail(&mut self, reason: Reason<T>) {
        let record = &mut self.record;
        if let Some(latched) = &mut self.latched {
            // A first reason that lasts is not a second one.
            let other = record.output != Output::Off || reason.code() != latched.reason.code();
            record.output = Output::Off;
            if other && latched.second.is_none() {
                latched.second = Some(Second { tick: record.tick, reason });
                record.second = reason.code();
            }
            return;
        }
        self.latched = Some(Latched { tick: record.tick, state: record.state, reason, second: None });
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

    /// The next tick of the plan, counted from the beginning of the run. It stands still while the plan does not run, and is zero in
    /// homing.
    pub fn plan_tick(&self) -> u64 {
        self.memory.next_tick.wrapping_sub(self.memory.epoch)
    }

    /// The last reference of the plan. It does not move while the plan does not run; the [target](Record::target) of a tick is in its
    /// record.
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

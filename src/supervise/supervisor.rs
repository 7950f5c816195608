//! One tick: read → judge → reference → law → limits → write.

use super::alignment::{Alignment, Statics};
use super::deadline::{Clock, Deadline, Release};
use super::homing::{Homing, Way, motion};
use super::loop_state::{Begin, LoopState, Memory, Sizes};
use super::reason::{Output, Reason};
use super::state::{Refusal, Request, State, Why};
use super::strain::Strain;
use super::watch::Watch;
use super::watchdog::Watchdog;
use crate::control::checks::within;
use crate::control::turns::{any, on_turn_of};
use crate::control::{Actuated, ControlError, Controller, Feedforward, Reference, Sensed, Target};
use crate::device::Machine;
use crate::linalg::Vector;
use crate::scalar::Float;
use crate::trajectory::Motion;

/// A control loop with `E` encoders: a plan, a controller and a [`Watch`] with the limits. Immutable; what changes is in a
/// [`LoopState`].
#[derive(Clone, Copy, Debug)]
pub struct Supervisor<Plan: Feedforward<Reference: Sizes>, Law, const E: usize> {
    plan: Plan,
    pub(super) law: Law,
    watch: <Plan::Reference as Sizes>::Watch<E>,
}

/// The result of a tick's work.
type Acted<T, D> = Result<(), Stopped<T, D>>;

/// Why a tick stopped, and the error of the device that failed.
struct Stopped<T, D>(Reason<T>, Option<D>);

impl<T, D> From<Reason<T>> for Stopped<T, D> {
    fn from(reason: Reason<T>) -> Self {
        Self(reason, None)
    }
}

impl<T, D> Stopped<T, D> {
    fn broken(cause: D) -> Self {
        Self(Reason::Device, Some(cause))
    }
}

impl<Plan, Law, System, T, const N: usize, const M: usize, const E: usize, const U: usize> Supervisor<Plan, Law, E>
where
    T: Float,
    System: Actuated<N, M, U, Base = T> + Sensed<N, M, E>,
    Plan: Feedforward<Base = T, System = System, Reference = Reference<T, N, M, U>>,
    Law: Controller<System, T, N, M, E, U>,
{
    /// Makes a loop. Plan and controller must have ticks of the same length. A plan without input limits gets those of the motors.
    pub fn new(mut plan: Plan, law: Law, watch: Watch<T, E, U>) -> Result<Self, ControlError<T>> {
        const { assert!(U <= E, "every motor has an encoder") };
        let expected = plan.tick_length();
        if let Some(given) = law.tick_length().filter(|given| *given != expected) {
            return Err(ControlError::OtherTick { what: "controller", given, expected });
        }
        let watch = watch.checked()?;
        plan.limit_inputs(watch.motors.largest());
        Ok(Self { plan, law, watch })
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The idle state, before the first tick.
    pub fn start(&self, deadline: Deadline) -> Result<LoopState<Plan, Law, E>, ControlError<T>> {
        let mut next = self.plan.start()?;
        let reference = *self.plan.at(&mut next, 0)?;
        let belief = self.watch.belief(self.plan.tick_length())?;
        let memory = Memory::idle(self.beginning_of(&next)?, belief, deadline.checked()?);
        Ok(LoopState { plan: next.clone(), next, law: self.law.start(&reference), memory })
    }

    /// The running state at a tick of the plan, for a simulation whose machine already moves with the plan.
    pub fn start_on_path(&self, mut plan: Plan::State, tick: u64) -> Result<LoopState<Plan, Law, E>, ControlError<T>> {
        let mut state = self.start(Deadline::new(1_000, None))?;
        let reference = *self.plan.at(&mut plan, tick)?;
        state.law = self.law.start(&reference);
        state.plan = plan;
        state.memory.target = self.target_of(&reference, &Vector::zeros());
        state.memory.record.efforts = reference.inputs;
        state.memory.next_tick = tick;
        (state.memory.record.state, state.memory.record.output) = (State::Running, Output::Following);
        Ok(state)
    }

    /// The targets of the encoders for a reference, on the turns of these readings where they [wrap](Sensed::WRAPS).
    #[inline(always)]
    fn target_of(&self, reference: &Reference<T, N, M, U>, readings: &Vector<T, E>) -> Target<T, E, U> {
        let Reference { position, velocity, acceleration, inputs, .. } = reference;
        let mut shafts = self.plan.system().sensor_motion(position, velocity, acceleration);
        if const { any(System::WRAPS) } {
            for (i, (shaft, reading)) in shafts.data.0[0].iter_mut().zip(&readings.data.0[0]).enumerate() {
                shaft.value = on_turn_of::<System, N, M, E>(i, shaft.value, *reading);
            }
        }
        Target { shafts, inputs: *inputs }
    }

    /// Where a plan begins.
    fn beginning_of(&self, plan: &Plan::State) -> Result<Begin<T, N, E, U>, ControlError<T>> {
        let mut plan = plan.clone();
        let reference = self.plan.at(&mut plan, 0)?;
        let staying = Statics::at::<_, N, M, E>(self.plan.system(), &reference.position, 0)?;
        Ok(Begin { pose: reference.position, target: self.target_of(reference, &Vector::zeros()), staying })
    }

    /// Sets another trajectory for the next run; allowed in idle, hold and fault. `plan` is the initial state of a plan for the same model
    /// and tick.
    pub fn set_plan(&self, state: &mut LoopState<Plan, Law, E>, plan: Plan::State) -> Result<(), ControlError<T>> {
        if matches!(state.memory.record.state, State::Homing | State::Running) {
            return Err(ControlError::Busy);
        }
        state.memory.begin = self.beginning_of(&plan)?;
        state.next = plan;
        Ok(())
    }

    /// Makes a request, see [`State::after`]. It takes effect in the next tick. A reset only clears the fault; motion needs another
    /// request.
    pub fn request(&self, state: &mut LoopState<Plan, Law, E>, request: Request) -> Result<(), Refusal> {
        let memory = &mut state.memory;
        let refused = |why| Refusal { state: memory.record.state, request, why };
        let next = memory.record.state.after(request).ok_or(refused(Why::State))?;
        if memory.stopped && next == State::Homing {
            return Err(refused(Why::Stopped));
        }
        match request {
            Request::Home | Request::Run => {
                let refused = refused(Why::State);
                self.set_out(memory, request == Request::Run)
                    .map_err(|motor| Refusal { why: Why::TooFar { motor }, ..refused })?;
            }
            // Motors that are still off are held as soon as the pose is known.
            Request::Hold if memory.record.output == Output::Off => {}
            Request::Hold => memory.record.output = Output::Held,
            Request::Stop if memory.record.state == State::Fault && memory.record.output != Output::Off => {
                memory.fail(Reason::Stopped);
            }
            Request::Stop => memory.record.output = Output::Off,
            Request::Reset => memory.reset(),
        }
        memory.record.state = next;
        memory.deadline.alive();
        Ok(())
    }

    /// A sign of life of whoever commands the loop; every accepted request is one, too. If the heartbeat of the [`Deadline`] is missing
    /// while the motors are on, the loop stops with [`Reason::Silent`].
    pub fn alive(&self, state: &mut LoopState<Plan, Law, E>) {
        state.memory.deadline.alive();
    }

    /// The stop as a level: call it before every tick with the state of the stop's contact. While it is asserted, the motors are off in
    /// every tick and [`Request::Home`] and [`Request::Run`] are refused. After its release the loop stays idle until it is asked to
    /// move.
    pub fn stop_while(&self, state: &mut LoopState<Plan, Law, E>, asserted: bool) {
        state.memory.stopped = asserted;
        if asserted {
            // Every state allows it.
            let _ = self.request(state, Request::Stop);
        }
    }

    /// Begins homing: from the hold, where the pose is known, or else with the search for the pose. Returns the motor that is too far
    /// away; then nothing has changed.
    fn set_out(&self, memory: &mut Memory<T, N, E, U>, runs: bool) -> Result<(), usize> {
        let ran = core::mem::replace(&mut memory.runs, runs);
        if memory.record.output == Output::Held {
            // The inertia at the held pose is unknown; that of the path's beginning serves instead.
            let held = Statics { holding: memory.target.inputs, ..memory.begin.staying };
            match self.go_home(memory, held) {
                Ok(()) => {
                    memory.epoch = memory.next_tick;
                    return Ok(());
                }
                Err(Reason::TooFar { index, .. }) => {
                    memory.runs = ran;
                    return Err(index);
                }
                Err(_) => {}
            }
        }
        memory.homing = Homing::Aligning(Alignment::from(memory.begin.pose));
        (memory.record.output, memory.epoch) = (Output::Off, memory.next_tick);
        Ok(())
    }

    /// Plans the motion from the present target to where the path begins. It begins with the next tick.
    fn go_home(&self, memory: &mut Memory<T, N, E, U>, held: Statics<T, U>) -> Result<(), Reason<T>> {
        let (start, mut end) = (motion(&memory.target), motion(&memory.begin.target));
        if !memory.runs {
            end = Motion::at_rest(end.position);
        }
        let too_far = |index, distance, limit| Reason::TooFar { index, distance, limit };
        within(&(end.position - start.position).data.0[0], &self.watch.homing_distance, too_far)?;
        let limits = (&self.watch.homing_speed, self.watch.shortest_homing);
        let statics = [held, memory.begin.staying];
        let way = Way::between(&start, &end, memory.next_tick, self.plan.tick_length(), limits, statics);
        memory.homing = Homing::Moving(way.map_err(|error| Reason::Control(error.into()))?);
        memory.record.output = Output::Following;
        Ok(())
    }

    /// Runs a tick of the board, or skips it if it comes too late. The state's [record](LoopState::record) tells what happened. Returns the
    /// error of a device that could not be read or driven.
    pub fn tick<D: Machine<T, E, U>>(
        &self,
        state: &mut LoopState<Plan, Law, E>,
        machine: &mut D,
        clock: &mut impl Clock,
        watchdog: &mut impl Watchdog,
    ) -> Option<D::Error> {
        let memory = &mut state.memory;
        let Release { missed, in_time } = memory.deadline.begin(clock.now());
        memory.advance(missed);
        memory.skipped = memory.skipped.saturating_add(missed).saturating_add(u32::from(!in_time));
        let (skipped, limit, off) = (memory.skipped, self.watch.max_skipped, memory.record.output == Output::Off);
        if in_time {
            memory.skipped = 0;
        }
        let timely = memory.deadline.judge(limit, off);
        if let Err(silent) = memory.deadline.listen()
            && timely.is_ok()
            && !off
            && memory.record.state != State::Fault
        {
            // Before the work of the tick, so that it holds the machine already.
            memory.fail(silent);
        }
        let acted = if let Err(irregular) = timely {
            Err(irregular.into())
        } else if in_time {
            self.catch_up(state, skipped.min(limit));
            self.act(state, machine)
        } else if off {
            // Switching off does not wait for a tick in time.
            self.switch_off(&mut state.memory, machine)
        } else {
            Ok(())
        };
        let (safe, device) = self.conclude(&mut state.memory, machine, acted);
        if in_time && safe {
            watchdog.feed();
        }
        let memory = &mut state.memory;
        memory.deadline.end(clock.now());
        memory.record.timing = *memory.deadline.timing();
        device
    }

    /// Runs a tick without a clock, always in time: for simulations.
    pub fn step<D: Machine<T, E, U>>(&self, state: &mut LoopState<Plan, Law, E>, machine: &mut D) -> Option<D::Error> {
        state.memory.advance(0);
        let acted = self.act(state, machine);
        self.conclude(&mut state.memory, machine, acted).1
    }

    /// The work of a tick: read → judge → reference → law → limits → write. An error leads to the safe output. Everything is judged
    /// before the first effort is written.
    #[inline(always)]
    fn act<D: Machine<T, E, U>>(&self, state: &mut LoopState<Plan, Law, E>, machine: &mut D) -> Acted<T, D::Error> {
        if state.memory.record.output == Output::Off {
            return self.wait(state, machine);
        }
        self.read(&mut state.memory, machine)?;

        self.aim(state);
        let LoopState { law, memory, .. } = state;
        memory.judge_errors::<System, M>(&self.watch)?;
        let Memory { record, target, .. } = memory;
        let wanted = self.law.follow(law, self.plan.system(), record.tick, target, &record.readings);
        let wanted = wanted.map_err(Reason::Control)?;
        let (applied, clips) = self.watch.motors.apply(&record.efforts, &wanted, self.plan.tick_length());
        memory.judge_efforts((&wanted, &applied), clips, &self.watch);
        if memory.record.output == Output::Off {
            return self.switch_off(memory, machine);
        }
        if !memory.enabled {
            self.enable(memory, machine)?;
        }
        machine.drive(&applied.data.0[0], &memory.target.speeds()).map_err(Stopped::broken)?;
        self.law.applied(law, &wanted, &applied);
        Ok(())
    }

    /// Reads and checks the encoders, and stores good readings in the record.
    #[inline(always)]
    fn read<D: Machine<T, E, U>>(&self, memory: &mut Memory<T, N, E, U>, machine: &mut D) -> Acted<T, D::Error> {
        let readings = machine.read().map(Vector::from).map_err(|cause| {
            memory.belief.miss();
            Stopped::broken(cause)
        })?;
        // The targets of encoders without a motor jump when a hold begins.
        let (on, moving) = match (memory.record.output, memory.record.state) {
            (Output::Off, state) => (matches!(state, State::Homing | State::Hold), 0),
            (_, State::Running) => (true, E),
            _ => (true, U),
        };
        if on && let Some(index) = machine.unreferenced() {
            return Err(Reason::Unreferenced { index }.into());
        }
        memory.belief.judge(&readings, &memory.target.shafts, moving)?;
        memory.record.readings = readings;
        Ok(())
    }

    /// Computes the target of this tick: on the way home, on the path, or on the way to rest. A target that is refused is a fault, and this
    /// tick already follows the way to rest.
    #[inline(always)]
    fn aim(&self, state: &mut LoopState<Plan, Law, E>) {
        if state.memory.record.state == State::Homing
            && let Err(reason) = self.home(state)
        {
            state.memory.fail(reason);
        }
        let LoopState { plan, memory, .. } = state;
        if memory.record.output == Output::Following {
            memory.stopping = None;
            if memory.record.state == State::Homing {
                return;
            }
            match self.plan.at(plan, memory.plan_tick()) {
                Ok(reference) => {
                    memory.target = self.target_of(reference, &memory.record.readings);
                    return;
                }
                Err(error) => memory.fail(Reason::Refused(error)),
            }
        }
        memory.brake(&self.watch, self.plan.tick_length());
    }

    /// Computes the target of this tick on the way home. At its end running or the hold begins, if the machine has arrived.
    #[inline(never)]
    fn home(&self, state: &mut LoopState<Plan, Law, E>) -> Result<(), Reason<T>> {
        let LoopState { plan, next, memory, .. } = state;
        let (Homing::Moving(way), record) = (&memory.homing, &mut memory.record) else { return Ok(()) };
        if !way.ended(record.tick) {
            memory.target = way.target(record.tick, &self.watch.rest);
            return Ok(());
        }
        record.output = Output::Held;
        let not_home = |index, error, limit| Reason::NotHome { index, error, limit };
        within(&record.errors.data.0[0], &self.watch.arrival, not_home)?;
        if memory.runs {
            plan.clone_from(next);
            memory.epoch = record.tick;
            (record.state, record.output) = (State::Running, Output::Following);
        } else {
            record.state = State::Hold;
        }
        Ok(())
    }

    /// The work of a tick with the motors off. In homing and hold it is an iteration of the alignment. After the last one the motors
    /// are still off: the next tick enables them together with the first effort, so that no brake opens without one.
    #[inline(never)]
    fn wait<D: Machine<T, E, U>>(&self, state: &mut LoopState<Plan, Law, E>, machine: &mut D) -> Acted<T, D::Error> {
        let (memory, system) = (&mut state.memory, self.plan.system());
        if core::mem::take(&mut memory.loses_reference) {
            machine.lose_reference();
        }
        if memory.record.state == State::Fault {
            // If a read fails, the last good readings stay.
            if let Ok(readings) = machine.read()
                && readings.iter().all(|reading| reading.is_finite())
            {
                memory.record.readings = Vector::from(readings);
                if let Err(reason) = memory.judge_rest(&self.watch) {
                    memory.fail(reason);
                }
            }
            return self.switch_off(memory, machine);
        }
        self.read(memory, machine)?;
        memory.judge_rest(&self.watch)?;
        let Memory { record, homing, .. } = memory;
        let (State::Homing | State::Hold, Homing::Aligning(alignment)) = (record.state, homing) else {
            return self.switch_off(memory, machine);
        };
        if !alignment.approach(system, &record.readings, record.tick)? {
            return self.switch_off(memory, machine);
        }
        alignment.check(system, &record.readings, &self.watch.pose)?;
        let pose = alignment.pose();
        let held = Statics::at::<_, N, M, E>(system, pose, record.tick).map_err(Reason::Control)?;
        let reference = Reference { inputs: held.holding, ..Reference::at_rest(*pose) };
        state.law = self.law.start(&reference);
        memory.target = self.target_of(&reference, &memory.record.readings);
        if memory.record.state == State::Hold {
            memory.record.output = Output::Held;
        } else {
            self.go_home(memory, held)?;
        }
        self.switch_off(memory, machine)
    }

    /// Enables the motors, just before their first effort.
    #[inline(never)]
    fn enable<D: Machine<T, E, U>>(&self, memory: &mut Memory<T, N, E, U>, machine: &mut D) -> Acted<T, D::Error> {
        (memory.enabled, memory.off_at) = (true, None);
        machine.enable().map_err(Stopped::broken)
    }

    /// Tells the controller and the detectors about skipped ticks.
    fn catch_up(&self, state: &mut LoopState<Plan, Law, E>, skipped: u32) {
        let LoopState { law, memory, .. } = state;
        for _ in 0..skipped {
            memory.belief.miss();
            if memory.record.output != Output::Off {
                self.law.applied(law, &memory.record.efforts, &memory.record.efforts);
            }
        }
    }

    fn switch_off<D: Machine<T, E, U>>(&self, memory: &mut Memory<T, N, E, U>, machine: &mut D) -> Acted<T, D::Error> {
        (memory.record.errors, memory.record.efforts) = (Vector::zeros(), Vector::zeros());
        (memory.record.target, memory.enabled) = (memory.record.readings, false);
        memory.strains.iter_mut().for_each(Strain::relax);
        machine.disable().map_err(Stopped::broken)
    }

    /// Latches the reason and gives the motors their safe output. Returns whether they have it, and the device's error.
    #[inline(always)]
    fn conclude<D: Machine<T, E, U>>(
        &self,
        memory: &mut Memory<T, N, E, U>,
        machine: &mut D,
        acted: Acted<T, D::Error>,
    ) -> (bool, Option<D::Error>) {
        let Err(Stopped(reason, cause)) = acted else { return (true, None) };
        memory.fail(reason);
        if memory.record.output != Output::Off {
            return (true, cause);
        }
        match self.switch_off(memory, machine) {
            Ok(()) => (true, cause),
            Err(Stopped(_, off)) => (false, cause.or(off)),
        }
    }
}

//! How it is supervised: the control loop with its states, deadlines, faults and telemetry.
//!
//! ```text
//!     tick of the board → in time? → read → judge → reference → law → limits → write → watchdog → record
//! ```
//!
//! A [`Supervisor`] is called once a tick and does all of this. It does the same work in every tick of a state, and never panics. The
//! board supplies the tick, a [`Clock`] and a [`Watchdog`]; encoders and motors are a [`Machine`](crate::device::Machine). A
//! supervisor is immutable configuration: a [plan](crate::control::Feedforward), a [controller](crate::control::Controller) and a
//! [`Watch`]. What changes is in a [`LoopState`].
//!
//! # States
//!
//! | state | what it does | what the motors get |
//! |---|---|---|
//! | idle | reads | off |
//! | homing | first finds the pose of the machine, then goes to where the path begins | off, then efforts that follow the way |
//! | running | follows the path | efforts that follow the path |
//! | hold | brings the motors to rest and holds them | efforts that hold; off until the pose is known |
//! | fault | keeps its reason until the reset | the safe output of the reason, below |
//!
//! [`State::after`] lists the requests that each state allows. *Off* is [`Machine::disable`](crate::device::Machine::disable): zero
//! effort by default; a real machine switches its power stages off and closes its brakes.
//!
//! **Homing** needs only the readings. In sixteen ticks with the motors off it finds the pose that has these readings, starting from the
//! pose where the path begins. So the observer of the controller starts on the constraints, and its first torque holds the machine.
//! The motors are enabled in the tick of that torque: a brake never opens without an effort. Then the motors' encoders follow a
//! polynomial of the fifth degree. They arrive with the velocity and the acceleration of the path, so running begins without a jump.
//! From the hold, homing starts at the held target. Homing goes no further than [`homing_distance`](Watch::homing_distance).
//!
//! **Turns.** Encoders count them. A model whose readings [wrap](crate::control::Sensed::WRAPS) at ±π, such as arms `as points`, does not:
//! its targets are put on the turn of the reading, and errors are at most half a turn. The path begins on the turn where the reading is within ±π.
//! So homing goes back over the turns that a motor has made, or refuses to, as with arms `as angles`.
//!
//! **The hold** brings the motors' encoders to rest from the last good target. Target velocities decay with the
//! [braking time](Watch::braking) τ, c'' = −c'/τ, so the encoders stop after τ c'. If a motor would go further than its
//! [stopping distance](Watch::stopping_distance) d, all of them stop faster, with τ = d/c': near the edge of its reach the target
//! velocities of a linkage grow, and the hold must not lead it out of reach. Then feedback holds them.
//! [`ComputedTorque`](crate::control::ComputedTorque) compensates gravity by the model, [`Pid`](crate::control::Pid) by the last
//! feedforward. A load that no motor holds goes on swinging, unless [`SwingDamping`](crate::control::SwingDamping) damps it; its target
//! is [`Watch::rest`].
//!
//! **Requests.** A reset only clears the fault; motion needs [`Request::Run`] or [`Request::Home`] after it. The
//! [stop](Supervisor::stop_while) is a level: while it is asserted, the motors are off in every tick and no request moves the machine.
//! An encoder must be [referenced](crate::device::Machine::unreferenced) before the machine moves. A reset loses the references of
//! incremental encoders, unless the fault was that one had none.
//!
//! # Faults
//!
//! The tick that finds a fault gives the motors their safe output. Everything is judged before an effort is written: a tick that
//! switches off writes none. The [`Reason`] is [latched](LoopState::latched) with the tick and the state, and its code is in every
//! [`Record`] until [`Request::Reset`]. A second reason is kept [beside it](Latched::second), also one of the same tick, and switches the
//! motors off. A restart begins with homing and the original plan. Until the reset the controller keeps its state from the last good
//! readings. The reset clears the fault completely.
//!
//! | what is wrong | found when | reason | safe output |
//! |---|---|---|---|
//! | an encoder or a motor does not answer | at once | [`Device`](Reason::Device) | off |
//! | a reading is NaN | at once | [`Reading`](Reason::Reading) | off |
//! | a reading moves faster than the [top speed](EncoderLimits::top_speed) | at once | [`Jump`](Reason::Jump) | off |
//! | a reading stays within three counts, it may dither | its target has moved by [`stuck_travel`](Watch::stuck_travel) | [`Stuck`](Reason::Stuck) | off |
//! | an encoder counts backwards; a load is too heavy | the error exceeds [`largest_error`](EncoderLimits::largest_error), or as below | [`TrackingError`](Reason::TrackingError) | off |
//! | a motor is at its limit and does not move the machine | after [`patience`](Watch::patience) ticks | [`Saturated`](Reason::Saturated) | off |
//! | a motor is at its limit and moves the machine | after `patience` ticks | `Saturated` | held while it wins |
//! | a motor moves although it is off: shorted bridge, slipping brake | it has moved by [`off_travel`](Watch::off_travel) | [`Moved`](Reason::Moved) | off |
//! | an encoder has no reference | the machine is to move | [`Unreferenced`](Reason::Unreferenced) | off |
//! | an encoder is a turn off; the machine is far from its path | homing is planned | [`TooFar`](Reason::TooFar) | off |
//! | no pose on the constraints has the readings | the alignment ends | [`NoPose`](Reason::NoPose) | off |
//! | the controller returns an error: its state is not valid | at once | [`Control`](Reason::Control) | off |
//! | too many ticks are late or early, the clock is frozen | see [`Deadline`] | [`Late`](Reason::Late), [`Early`](Reason::Early), [`Frozen`](Reason::Frozen) | off |
//! | whoever commands the loop is silent | after the heartbeat of the [`Deadline`] | [`Silent`](Reason::Silent) | held |
//! | a target is out of reach, too fast or too strong; a pose is singular | the path gets there | [`Refused`](Reason::Refused) | held |
//! | the machine is not where the path begins | homing ends | [`NotHome`](Reason::NotHome) | held |
//!
//! The machine is held if the readings are good and the controller works, and off otherwise: without readings, any effort may be the
//! wrong one. In the fault state another fault switches the motors off, and so does a motor at its limit that
//! does not win: see [`Reason::Saturated`].
//!
//! **Not detected**, and why:
//!
//! | what is wrong | why | what helps |
//! |---|---|---|
//! | an encoder slips, or its zero is wrong by less than `homing_distance` | the loop follows the reading: its error stays small | a redundant encoder |
//! | an encoder sticks or counts backwards while the machine stands | its target does not move; the machine is at rest | found when it moves |
//! | a motor moves although it is off, on a machine without brakes | anything may move it | brakes, and `off_travel` |
//! | late ticks while the motors are off | they do no harm | |
//! | a stuck encoder whose noise exceeds three counts | it seems to move | found by its tracking error |
//!
//! The feature `inject` is for tests on the host and in the emulator: `Faulty` injects faults into a machine, `Supervisor::corrupt` into
//! the state of a controller; a re-plan makes a plan fail. In the emulator, pins read zero and the watchdog never fires: buttons, clocks
//! and the heartbeat are injected, too. A test of `boards/loops` checks every fault in every state, a row each; the table is the same on
//! the host and on an emulated STM32F405.
//!
//! # Deadlines
//!
//! [`Deadline`] compares a free-running counter with the schedule of the ticks. A tick that begins too late is skipped and counted, never
//! queued: motors that are on keep their efforts, the path goes on, and the observer predicts over the gap. The record has the
//! lateness, the execution time, the worst of both, and the numbers of skipped ticks and overruns. [`Watchdog`] lists when the watchdog
//! is fed.
//!
//! # Example
//!
//! ```
//! use heapless::spsc::Queue;
//! use mechanisms::Arm;
//! use taut::control::{Actuators, ComputedTorque, InverseDynamics};
//! use taut::device::Plant;
//! use taut::method::Rattle;
//! use taut::start::{Clock, Start};
//! use taut::supervise::{Deadline, EncoderLimits, Request, State, Supervisor, Telemetry, Watch};
//! use taut::trajectory::Lissajous;
//!
//! // An arm that hangs down is to swing about the horizontal, once a second.
//! let (arm, h) = (Arm::<f32>::standard(), 4e-3);
//! let path = Lissajous::around([0.0], [0.25], [1], [-core::f32::consts::FRAC_PI_2], 250, h)?;
//! let plan = InverseDynamics::<_, _, 2, 1, 1>::new(arm, path, h, [0.433, -0.25])?;
//! let law = ComputedTorque::<f32, 2, 1, 1>::new([25.0], h, 57.5)?;
//! let encoder = EncoderLimits { resolution: 1e-4, top_speed: 10.0, largest_error: 0.1 }; // rad, rad/s, rad
//! let supervisor = Supervisor::new(plan, law, Watch::new(Actuators::new([12.0])?, [encoder]))?; // N m
//!
//! let counts = 64_000; // of a clock of 16 MHz, a tick
//! let mut control = supervisor.start(Deadline::new(counts, None))?;
//! let state = Start::at(&arm, Clock::at_rate(250.0)?, [0.0, -0.5]).at_rest()?;
//! let mut machine = Plant::new(arm, state, Rattle::new());
//!
//! let mut queue = Queue::<_, 8>::new(); // read outside of the loop
//! let (producer, mut consumer) = queue.split();
//! let mut telemetry = Telemetry::new(producer);
//!
//! supervisor.request(&mut control, Request::Run)?;
//! for tick in 0..1_500_u32 {
//!     let mut clock = tick * counts; // a board reads its counter here and passes its watchdog
//!     supervisor.tick(&mut control, &mut machine, &mut clock, &mut ());
//!     telemetry.log(*control.record());
//!     machine.tick()?;
//!     if let Some(record) = consumer.dequeue() {
//!         assert!(record.efforts[0].abs() < 12.0);
//!     }
//! }
//! assert_eq!((control.state(), control.latched()), (State::Running, None));
//! assert_eq!((control.record().timing.skipped, telemetry.dropped()), (0, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alignment;
mod belief;
mod clock;
mod deadline;
mod homing;
#[cfg(feature = "inject")]
mod inject;
mod loop_state;
mod reason;
mod record;
mod state;
mod strain;
mod supervisor;
mod telemetry;
mod watch;
mod watchdog;
mod words;

pub use deadline::{Clock, Deadline, Release, Timing};
#[cfg(feature = "inject")]
pub use inject::{Faulty, Injection};
pub use loop_state::{LoopState, Memory, Sizes};
pub use reason::{Code, Latched, Output, Reason, Second};
pub use record::Record;
pub use state::{Refusal, Request, State, Why};
pub use supervisor::Supervisor;
pub use telemetry::Telemetry;
pub use watch::{EncoderLimits, MAX_SKIPPED, Watch};
pub use watchdog::Watchdog;

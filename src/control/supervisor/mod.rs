//! The loop around [`Tracking`](super::Tracking): states, deadlines, faults, and what leaves it as telemetry.
//!
//! ```text
//!     tick of the board → in time? → readings → believed? → plan → controller → motors → watchdog → record
//! ```
//!
//! A [`Supervisor`] is called once a tick and does all of that, with the same work in every tick of a state, and without a panic. The board supplies the tick, a
//! [`Clock`] and a [`Watchdog`]; a [`Machine`](super::Machine) is what it is wired to, and everything else is described when it is made.
//!
//! # States
//!
//! | state | what it does | what the motors get |
//! |---|---|---|
//! | idle | reads | off |
//! | homing | first finds out where the machine is, then goes to where the path begins | off, then what follows the way there |
//! | running | follows the path | what follows the path |
//! | hold | brings the motors to rest and holds them, see [`Tracking`](super::Tracking) | what holds them; off until it is known where they are |
//! | fault | keeps its reason until it is reset | what its reason says, below |
//!
//! [`State::after`] is the table of what can be asked in which state. *Off* is [`Machine::disable`](super::Machine::disable): no effort by default; a real machine
//! switches its power stages off and closes its brakes there.
//!
//! **Homing** begins with a machine of which nothing is known but its readings. The pose that has them is sought from where the path begins, in
//! sixteen ticks with the motors off: the numerically consistent start of a controller, whose observer is then on the constraints, and whose first torque is the one that
//! holds the machine. Then the motors' encoders follow a polynomial of the fifth degree, and arrive with the velocity and the acceleration of
//! the path, so that running begins without a jump. From the hold, homing begins with the target that is held.
//!
//! # Faults
//!
//! A fault is found in the tick that shows it, and in that tick the motors get their safe output. Its [`Reason`] is [kept](Supervisor::latched) with
//! the tick and the state, and is in every [`Record`], until [`Request::Reset`]; a restart begins with homing and the plan as it was given.
//! What takes several ticks to be told from what is no fault is found after them: a stuck encoder, when its target has moved by
//! [`stuck_travel`](Supervision::stuck_travel); late ticks, when there are more than [`most_skipped`](Supervision::most_skipped) in a row; a weak motor, by
//! [`patience`](super::Watch::patience) or [`largest_error`](super::Watch::largest_error). Until the reset the controller keeps what it knew when readings were
//! last believed, and after it nothing of the fault is left.
//!
//! | what is wrong | reason | safe output |
//! |---|---|---|
//! | an encoder or a motor does not answer | [`Device`](Reason::Device) | off |
//! | a reading is NaN, jumps, or does not move though its target does | [`Reading`](Reason::Reading), [`Jump`](Reason::Jump), [`Stuck`](Reason::Stuck) | off |
//! | no pose has the readings | [`Lost`](Reason::Lost) | off |
//! | the controller's memory is not what it should be | [`Control`](Reason::Control) | off |
//! | an encoder is too far from its target | [`Plan`](Reason::Plan), [`TooFar`](super::Fault::TooFar) | off |
//! | too many ticks in a row are late | [`Late`](Reason::Late) | off |
//! | a target out of reach, too fast, too strong; a singular pose | [`Plan`](Reason::Plan), [`Refused`](super::Fault::Refused) | held |
//! | a motor is at its limit for too long | [`Plan`](Reason::Plan), [`Saturated`](super::Fault::Saturated) | held |
//! | the machine is not where the path begins | [`NotHome`](Reason::NotHome) | held |
//!
//! It is held where readings are good and the controller works, and off where they are not: without readings, any effort may be the
//! wrong one. Another fault while it is held switches it off. What can not be seen does no harm yet: an encoder that is stuck while
//! the machine stands still is found when it is to move.
//!
//! [`Faulty`] and [`Delayed`] inject faults into a machine, a controller and a clock; a plan is led astray by a re-plan. The table of every fault in every state is a
//! test of `boards/loops`, and the same on this computer as on an emulated STM32F405.
//!
//! # Deadlines
//!
//! [`Deadline`] knows from a free-running counter when each tick is due. A tick that begins too late is skipped and counted, never queued: motors that are on keep
//! their efforts, the path goes on with the ticks, the observer is told how many passed, and the next tick is in time. What was measured is in the record: lateness, execution, the
//! worst of both, skipped ticks, overruns. [`Watchdog`] says when it is fed, and when not.
//!
//! # Example
//!
//! ```
//! use heapless::spsc::Queue;
//! use systems::Arm;
//! use taut::control::supervisor::{Deadline, Request, State, Supervision, Supervisor, Telemetry};
//! use taut::control::{Actuators, ComputedTorque, InverseDynamics, Plant, Tracking, Watch};
//! use taut::method::Rattle;
//! use taut::start::Start;
//! use taut::trajectory::Lissajous;
//!
//! // An arm that hangs down, and is to swing about the horizontal, once a second.
//! let (arm, h) = (Arm::<f32>::standard(), 4e-3);
//! let path = Lissajous::around([0.0], [0.25], [1], [-core::f32::consts::FRAC_PI_2], 250, h)?;
//! let plan = InverseDynamics::<_, _, f32, 2, 1, 1>::new(arm, path, h, [0.433, -0.25])?;
//! let law = ComputedTorque::<f32, 2, 1, 1>::new([25.0], h, 150.0)?;
//! let motor = Actuators::new([12.0], [f32::INFINITY], h)?;
//! let tracking = Tracking::new(arm, plan, law, motor, Watch::standard(), 0)?;
//!
//! let counts = 64_000; // of a clock of 16 MHz, a tick
//! let mut supervisor = Supervisor::new(tracking, Supervision::standard(), Deadline::new(counts, counts / 2))?;
//! let state = Start::at(&arm, [0.0, -0.5]).at_rest()?;
//! let mut machine = Plant::new(arm, state, Rattle::at_rate(250.0)?);
//!
//! let mut queue = Queue::<_, 8>::new(); // emptied outside of the loop
//! let (producer, mut consumer) = queue.split();
//! let mut telemetry = Telemetry::new(producer);
//!
//! supervisor.request(Request::Run)?;
//! for tick in 0..1_500_u32 {
//!     let mut clock = tick * counts; // a board reads its counter, and has a watchdog
//!     let report = supervisor.tick(&mut machine, &mut clock, &mut ());
//!     telemetry.log(report.record);
//!     machine.tick()?;
//!     if let Some(record) = consumer.dequeue() {
//!         assert!(record.efforts[0].abs() < 12.0);
//!     }
//! }
//! assert_eq!((supervisor.state(), supervisor.latched()), (State::Running, None));
//! assert_eq!((supervisor.timing().skipped, telemetry.dropped()), (0, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alignment;
mod belief;
mod cycle;
mod deadline;
mod homing;
mod injection;
mod reason;
mod record;
mod state;
mod supervision;
mod telemetry;
mod watchdog;

pub use cycle::Supervisor;
pub use deadline::{Clock, Deadline, Release, Timing};
pub use injection::{Delayed, Faulty, InjectedError, Injection};
pub use reason::{Code, Latched, Output, PlanError, Reason};
pub use record::{Record, Report};
pub use state::{Refusal, Request, State};
pub use supervision::{MOST_SKIPPED, Supervision};
pub use telemetry::Telemetry;
pub use watchdog::Watchdog;

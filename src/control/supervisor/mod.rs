//! The loop.

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

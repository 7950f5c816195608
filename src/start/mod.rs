//! How it starts: a [`State`] is on its constraints from the beginning, or [`Start`] returns an error.
//!
//! - [`Start`] assembles positions from a guess, makes the velocity consistent and computes the multipliers.
//! - [`SerialState`] does the same for a serial mechanism, in linear memory.
//! - [`check`] evaluates the constraints at a state without changing it.
//! - [`resume`] brings a state back onto the constraints after the model has changed.
//! - [`Saved`] holds everything that must survive a power cycle, [`SavedSerial`] that of a serial mechanism.
//! - [`precision`] is the choice of how many digits a state carries.

mod assemble;
mod begin;
mod checksum;
mod clock;
mod consistent;
mod error;
mod gradients;
mod implicit;
mod index_three;
mod manifold;
mod pencil;
pub mod precision;
mod resume;
mod saved;
mod semi_explicit;
mod serial;
mod serial_assembly;
mod serial_begin;
mod serial_digits;
mod serial_saved;
mod state;

pub(crate) use assemble::assemble_in_place;
pub use begin::Start;
pub(crate) use begin::{all_finite, settle_velocity};
pub(crate) use clock::StepSize;
pub use clock::{Clock, InvalidStep, Time};
pub use error::{Part, StartError};
pub use implicit::ImplicitState;
pub use index_three::IndexThreeState;
pub use manifold::ManifoldState;
pub use pencil::PencilIndex;
pub(crate) use precision::Wide;
pub use precision::{Approach, Carried, Compensated, Coordinates, Moving, Plain, Precise, Precision};
pub use resume::{Consistency, check, resume};
pub use saved::Saved;
pub use semi_explicit::SemiExplicitState;
pub use serial::SerialState;
pub(crate) use serial_begin::within as serial_within;
pub(crate) use serial_digits::Digits;
pub use serial_saved::{SavedJoint, SavedSerial};
pub(crate) use state::Node;
pub use state::State;

//! How it starts: a [`State`] is on its constraints from the beginning, or there is none.
//!
//! [`Start`] assembles positions from a guess, makes the velocity consistent and computes the multipliers of the
//! acceleration level; [`check`] says how far a state is off without changing it; [`resume`] is the way back after the model
//! has changed under the state; [`Saved`] is what survives a power cycle. How many digits a state carries is a choice with
//! three answers: [`precision`].

mod assemble;
mod begin;
mod consistent;
mod error;
mod gradients;
mod implicit;
mod index_three;
mod pencil;
pub mod precision;
mod restore;
mod resume;
mod saved;
mod semi_explicit;
mod state;

pub use begin::Start;
pub use error::{Part, StartError};
pub use implicit::ImplicitState;
pub use index_three::IndexThreeState;
pub(crate) use precision::Wide;
pub use precision::{Approach, Carried, Compensated, Coordinates, Moving, Plain, Precise, Precision};
pub use restore::Restore;
pub use resume::{Consistency, check, resume};
pub use saved::Saved;
pub use semi_explicit::SemiExplicitState;
pub(crate) use state::Node;
pub use state::{State, Time};

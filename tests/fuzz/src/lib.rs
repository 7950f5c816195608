//! Calls the library with arbitrary bytes and asserts what it promises:
//!
//! - no panic;
//! - an error leaves the state as it was;
//! - after a success all numbers are finite and the residuals within their limits;
//! - motors get finite efforts within their limits, or are off; a fault stays until the reset.
//!
//! Each target is a function of bytes. `cargo xtask fuzz` calls all of them with random bytes; the folder `coverage` runs them under
//! cargo-fuzz. An input that fails goes into `tests/findings.rs`.

#![forbid(unsafe_code)]

mod attitude;
mod bytes;
mod devices;
mod equations;
mod histories;
mod linear;
mod masses;
mod mechanical;
mod parts;
mod serial;
mod serial_saved;
mod starts;
mod supervised;
mod trajectories;
/// Every method, and the theory's claims about each, as the tests of the methods have them.
#[allow(dead_code)]
#[path = "../../methods/variants/mod.rs"]
mod variants;

use taut::scalar::Float;

/// Asserts the promises with an input. Returns the number of calls of the library.
pub type Target = fn(&[u8]) -> u64;

/// All targets.
pub const TARGETS: [(&str, Target); 33] = [
    ("steps_f32", mechanical::steps::<f32>),
    ("steps_f64", mechanical::steps::<f64>),
    ("histories_f32", histories::steps::<f32>),
    ("histories_f64", histories::steps::<f64>),
    ("any_model", mechanical::any_model),
    ("full_mass", masses::full),
    ("varying_mass", masses::varying),
    ("parts_f32", parts::parts::<f32>),
    ("parts_f64", parts::parts::<f64>),
    ("serial", serial::steps),
    ("trees", serial::trees),
    ("saved_serial", serial_saved::saved),
    ("index_one", equations::semi_explicit::<1>),
    ("index_two", equations::semi_explicit::<2>),
    ("mixed_index", equations::mixed_index),
    ("massless", equations::massless),
    ("implicit", equations::implicit),
    ("index_three", equations::index_three),
    ("hessenberg", linear::hessenberg),
    ("boundary_values", linear::boundary_values),
    ("gains", linear::gains),
    ("singular_arc", linear::singular_arc),
    ("turns_f32", attitude::turns::<f32>),
    ("turns_f64", attitude::turns::<f64>),
    ("starts", starts::starts),
    ("saved", starts::saved),
    ("projections", starts::projections),
    ("trajectories", trajectories::trajectories),
    ("joined", trajectories::joined),
    ("encoders", devices::encoders),
    ("motors", devices::motors),
    ("wired", devices::wired),
    ("supervised", supervised::supervised),
];

/// The target of this name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().find(|(known, _)| *known == name).map(|(_, target)| *target)
}

fn all_finite<'a, T: Float>(numbers: impl IntoIterator<Item = &'a T>) -> bool {
    numbers.into_iter().all(|number| number.is_finite())
}

//! What says that it has reached its limit.

use super::machine::Motor;

/// A motor that says when it was asked for more than it has.
pub trait PowerStage<T>: Motor<T> {
    /// Whether the last command was cut to what the motor can do.
    fn saturated(&self) -> bool;
}

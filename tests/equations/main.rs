//! Derivatives, masses, and small systems of linear equations.

mod by_hand;
mod delta;
mod derivatives;
mod evaluations;
mod linear_algebra;
mod masses;
mod order;
mod pattern;

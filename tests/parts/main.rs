//! Mechanisms from lists of parts.

mod andrews;
mod by_hand;
mod equations;
mod imported;
mod masses;
mod mistakes;
mod motions;
mod power;
mod same;
mod spatial;
mod tops;

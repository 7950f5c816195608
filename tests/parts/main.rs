//! Mechanisms from lists of parts.

mod by_hand;
mod equations;
mod imported;
mod masses;
mod mistakes;
mod motions;
mod same;
mod spatial;
mod tops;

//! Mechanisms from lists of parts.

mod andrews;
mod by_hand;
mod encoders;
mod equations;
mod explained;
mod imported;
mod kinematics;
mod masses;
mod mistakes;
mod motions;
mod near;
mod power;
mod same;
mod spatial;
mod tops;
mod turns;

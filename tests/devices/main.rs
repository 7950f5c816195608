//! Motors and encoders do what their chips ask for, and say what went wrong in every way that it can.

mod as504x;
mod as5600;
mod bench;
mod chip;
mod counters;
mod dc_motor;
mod messages;
mod motor;
mod redundant;
mod reference;
mod watching;
mod wired;

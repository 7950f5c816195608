//! Prints the cost of a control tick, feedforward and feedback together: ticks of the counter and bytes of stack. `cargo xtask budget`
//! converts the ticks to instructions.

#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod cost;
#[cfg(target_os = "none")]
mod machines;
#[cfg(target_os = "none")]
mod table;

on_target::counting_program!(table::print_all);

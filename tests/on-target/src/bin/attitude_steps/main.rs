//! Prints the cost of steps of bodies that turn: ticks of the counter and bytes of stack.
//! `cargo xtask budget` converts the ticks to instructions.

#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
#[path = "../method_steps/cost.rs"]
#[allow(dead_code)] // Bodies have no constraints that a hostile state could break.
mod cost;
#[cfg(target_os = "none")]
mod table;

on_target::counting_program!(table::print_all);

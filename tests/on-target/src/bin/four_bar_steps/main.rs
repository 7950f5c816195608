//! Prints the cost of a step of every method on the four-bar linkage: ticks of the counter and bytes of stack. `cargo xtask budget` converts
//! the ticks to instructions. Without floating-point instructions the steps take longer than a round of the counter: nothing is printed.

#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
#[path = "../method_steps/cost.rs"]
#[allow(dead_code)] // The linkage only starts from rest; RATTLE's steps have the hostile states.
mod cost;
#[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
mod table;

on_target::counting_program!(count);

#[cfg(target_os = "none")]
fn count() {
    #[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
    table::print_all();
}

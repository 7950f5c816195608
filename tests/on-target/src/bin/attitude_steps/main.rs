//! Prints the cost of steps of bodies that turn: ticks of the counter and bytes of stack.
//! `cargo xtask budget` converts the ticks to instructions.

#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
#[path = "../method_steps/cost.rs"]
#[allow(dead_code)] // Bodies have no constraints that a hostile state could break.
mod cost;
#[cfg(target_os = "none")]
mod table;

on_target::program!(print_costs);
on_target::report_panics!();

#[cfg(target_os = "none")]
fn print_costs() {
    use on_target::measure;

    measure::start();
    table::print_all();
}

#[cfg(not(target_os = "none"))]
fn print_costs() {
    eprintln!("instructions are counted in the emulator: run `cargo xtask budget`");
}

//! Prints the cost of a step of every method except RATTLE, which `steps` counts: ticks of the counter and bytes of stack.
//! `cargo xtask budget` converts the ticks to instructions.

#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod cost;
#[cfg(target_os = "none")]
mod quiet;
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

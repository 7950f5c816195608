//! Prints the hashes of serial mechanisms with Runge–Kutta and with a redundant constraint.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::serial;

on_target::program!(run);
on_target::report_panics!();

fn run() {
    for runs in serial() {
        on_target::program::print_hashes_of_runs(runs);
    }
}

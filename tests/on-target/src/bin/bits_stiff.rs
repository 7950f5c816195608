//! Prints the hashes of BDF2, of Radau IIA on every form, and of Runge–Kutta in local coordinates.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::stiff;

on_target::program!(run);
on_target::report_panics!();

fn run() {
    for runs in stiff() {
        on_target::program::print_hashes_of_runs(runs);
    }
}

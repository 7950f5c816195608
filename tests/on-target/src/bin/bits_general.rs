//! Prints the hashes of systems of the general forms.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::general;

on_target::program!(run);
on_target::report_panics!();

fn run() {
    for runs in general() {
        on_target::program::print_hashes_of_runs(runs);
    }
}

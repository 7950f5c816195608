//! Prints the hashes of systems with singular matrices.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::structure;

on_target::program!(run);
on_target::report_panics!();

fn run() {
    for runs in structure() {
        on_target::program::print_hashes_of_runs(runs);
    }
}

//! Prints the hashes of runs with servo constraints.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::servo;

on_target::program!(run);
on_target::report_panics!();

fn run() {
    for runs in servo() {
        on_target::program::print_hashes_of_runs(runs);
    }
}

//! Prints the hashes of runs of mechanisms from parts.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::parts;

on_target::program!(run);
on_target::report_panics!();

fn run() {
    for runs in parts() {
        on_target::program::print_hashes_of_runs(runs);
    }
}

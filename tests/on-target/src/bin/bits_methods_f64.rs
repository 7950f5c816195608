//! Prints the hashes of runs with every method except RATTLE in double precision, and of smaller systems.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::{others_f64, small_f64};

on_target::program!(run);
on_target::report_panics!();

fn run() {
    for runs in [others_f64(), small_f64()] {
        on_target::program::print_hashes_of_runs(runs);
    }
}

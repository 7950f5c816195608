//! Prints the hashes of runs with every other method in single precision.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::others_f32;

on_target::program!(run);
on_target::report_panics!();

fn run() {
    on_target::program::print_hashes_of_runs(others_f32());
}

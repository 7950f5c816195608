//! Prints the hashes of runs of mechanisms from parts with few coordinates, in single precision.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::parts_small_f32;

on_target::program!(run);
on_target::report_panics!();

fn run() {
    parts_small_f32().into_iter().for_each(on_target::program::print_hashes_of_runs);
}

//! Prints the hashes of runs of the large mechanisms from parts, in single precision.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::parts_large_f32;

on_target::program!(run);
on_target::report_panics!();

fn run() {
    on_target::program::print_hashes_of_runs(parts_large_f32());
}

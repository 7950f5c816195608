//! Prints the hashes of a long run of a ring with one redundant constraint, in single precision.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::ring_f32;

on_target::program!(run);
on_target::report_panics!();

fn run() {
    on_target::program::print_hashes_of_runs(ring_f32());
}

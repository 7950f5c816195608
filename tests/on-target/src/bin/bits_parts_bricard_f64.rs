//! Prints the hashes of runs of Bricard's six-bar from parts, in double precision.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::parts_bricard_f64;

on_target::program!(run);
on_target::report_panics!();

fn run() {
    on_target::program::print_hashes_of_runs(parts_bricard_f64());
}

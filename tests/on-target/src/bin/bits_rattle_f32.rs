//! Prints the hashes of long runs with RATTLE in single precision, plain and with more digits.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::{RATTLE_F32, TURNING_F32};

on_target::program!(run);
on_target::report_panics!();

fn run() {
    on_target::program::print_hashes_of_runs(RATTLE_F32);
    on_target::program::print_hashes_of_runs(TURNING_F32);
}

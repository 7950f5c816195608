//! Prints the hashes of long runs with RATTLE in single precision, in all precisions of the state.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::{rattle_digits_f32, rattle_f32, turning_f32};

on_target::program!(run);
on_target::report_panics!();

fn run() {
    for runs in [rattle_f32(), rattle_digits_f32(), turning_f32()] {
        on_target::program::print_hashes_of_runs(runs);
    }
}

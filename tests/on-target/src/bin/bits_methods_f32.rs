//! Prints the hashes of runs with every method except RATTLE in single precision, in all precisions of the state, and of smaller systems.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::{digits_f32, order_8_f32, others_f32, small_f32};

on_target::program!(run);
on_target::report_panics!();

fn run() {
    for runs in [others_f32(), order_8_f32(), digits_f32(), small_f32()] {
        on_target::program::print_hashes_of_runs(runs);
    }
}

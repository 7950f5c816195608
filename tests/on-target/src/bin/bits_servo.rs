//! Prints the hashes of what servo constraints ask for; and of a run of order 8, for which other programs have no room.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::{order_8_f32, servo};

on_target::program!(run);
on_target::report_panics!();

fn run() {
    for runs in servo().into_iter().chain([order_8_f32()]) {
        on_target::program::print_hashes_of_runs(runs);
    }
}

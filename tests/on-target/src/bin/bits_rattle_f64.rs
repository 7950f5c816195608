//! Prints the hashes of long runs with RATTLE in double precision, and of a run with a method of order 8.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::{only_f64, order_8_f64, rattle_digits_f64, rattle_f64};

on_target::program!(run);
on_target::report_panics!();

fn run() {
    for runs in [rattle_f64(), rattle_digits_f64(), only_f64(), order_8_f64()] {
        on_target::program::print_hashes_of_runs(runs);
    }
}

//! Prints the hashes of charts, of projections of matrices, and of methods of low order for bodies that turn.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::manifolds;

on_target::program!(run);
on_target::report_panics!();

fn run() {
    for runs in manifolds() {
        on_target::program::print_hashes_of_runs(runs);
    }
}

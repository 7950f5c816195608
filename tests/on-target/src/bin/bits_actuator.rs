//! Prints the hashes of methods for stiff systems: on an actuator whose force uses the velocity, and in states with more digits.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::trajectories::actuator;

on_target::program!(run);
on_target::report_panics!();

fn run() {
    for runs in actuator() {
        on_target::program::print_hashes_of_runs(runs);
    }
}

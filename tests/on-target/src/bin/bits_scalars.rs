//! Prints the hashes of all functions of the scalars.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::{beyond_real, scalars};

on_target::program!(run);
on_target::report_panics!();

fn run() {
    on_target::program::print_hashes(&[scalars(), beyond_real()]);
}

//! Prints the hashes of all factorisations in single precision.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::factorisations_f32;

on_target::program!(run);
on_target::report_panics!();

fn run() {
    on_target::program::print_hashes(&[factorisations_f32()]);
}

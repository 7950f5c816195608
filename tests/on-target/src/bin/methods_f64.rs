//! Every method in double precision: what a step costs on a machine, how far off its results are on this computer.

#![cfg_attr(target_os = "none", no_std, no_main)]

on_target::program!(on_target::methods::print_double);
on_target::report_panics!();

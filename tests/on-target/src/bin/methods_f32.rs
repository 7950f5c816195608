//! Every method on small systems in single precision: on a machine, prints the cost of a step; on this computer, the errors of a run.

#![cfg_attr(target_os = "none", no_std, no_main)]

on_target::program!(on_target::methods::print_single::<0>);
on_target::report_panics!();

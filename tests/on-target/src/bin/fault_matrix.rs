//! Injects every fault in every state of a loop and prints the outcome, one row each.

#![cfg_attr(target_os = "none", no_std, no_main)]

use loops::matrix::{Row, rows};
#[cfg(target_os = "none")]
use semihosting::println;

on_target::program!(print_rows);
on_target::report_panics!();

fn print_rows() {
    println!("{}", Row::HEADER);
    for row in rows() {
        println!("{}", row.expect("a linkage that can be made"));
    }
}

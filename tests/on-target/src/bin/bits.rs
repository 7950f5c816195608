//! Prints the hash of every body: `name: hash`, and at last the hash of the hashes.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::bits::{BODIES, hash::Hash};
#[cfg(target_os = "none")]
use semihosting::println;

on_target::program!(print_hashes);
on_target::report_panics!();

fn print_hashes() {
    let mut overall = Hash::new();
    for (name, body) in BODIES {
        let hash = body();
        println!("{name}: {hash:016x}");
        overall.bytes(&hash.to_le_bytes());
    }
    println!("all: {:016x}", overall.value());
}

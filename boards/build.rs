//! Passes a board's memory map and the linker scripts of the startup code and the logger to the linker. All boards share this file.
//!
//! The scripts are not in cargo's configuration, because that would add them to those of the parent folders.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::copy("memory.x", folder.join("memory.x")).expect("every board has a memory.x");
    println!("cargo::rustc-link-search={}", folder.display());
    println!("cargo::rerun-if-changed=memory.x");
    let is_riscv = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|name| name == "riscv32");
    // cortex-m-rt's script includes the map itself, and needs segments that are not aligned to pages.
    let first = if is_riscv { "-Tmemory.x" } else { "--nmagic" };
    for argument in [first, "-Tlink.x", "-Tdefmt.x"] {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}

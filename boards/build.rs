//! Gives the linker a board's memory map and the scripts of the runtime and the logger. Every board has this script.
//!
//! The scripts are named here and not in cargo's configuration, which would add them to those of the folders above.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::copy("memory.x", folder.join("memory.x")).expect("every board has a memory.x");
    println!("cargo::rustc-link-search={}", folder.display());
    println!("cargo::rerun-if-changed=memory.x");
    let is_riscv = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|name| name == "riscv32");
    // The script of cortex-m-rt includes the map by itself, and wants no segment aligned to a page.
    let first = if is_riscv { "-Tmemory.x" } else { "--nmagic" };
    for argument in [first, "-Tlink.x", "-Tdefmt.x"] {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}

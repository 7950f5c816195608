//! Gives the linker this board's memory map and the scripts of the runtime and the logger.
//!
//! The scripts are named here and not in cargo's configuration, which would add them to those of the folders above.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::copy("memory.x", folder.join("memory.x")).expect("memory.x lies beside build.rs");
    println!("cargo::rustc-link-search={}", folder.display());
    println!("cargo::rerun-if-changed=memory.x");
    println!("cargo::rustc-link-arg-bins=--nmagic");
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
    println!("cargo::rustc-link-arg-bins=-Tdefmt.x");
}

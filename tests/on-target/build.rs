//! Writes the memory map of the machine that `TAUT_MACHINE` names (a machine of QEMU) and has the programs linked with it.

use std::path::Path;
use std::{env, fs};

/// The machine whose map is used if none is named, for each processor family.
const DEFAULTS: [(&str, &str); 2] = [("arm", "olimex-stm32-h405"), ("riscv32", "virt")];

/// Machine, flash and its size, RAM and its size.
const MAPS: [(&str, &str, &str, &str, &str); 6] = [
    ("microbit", "0x00000000", "256K", "0x20000000", "16K"),
    ("lm3s6965evb", "0x00000000", "256K", "0x20000000", "64K"),
    // 16K of the 128K of RAM are a bank of their own.
    ("olimex-stm32-h405", "0x08000000", "1M", "0x20000000", "112K"),
    ("mps2-an500", "0x00000000", "4M", "0x20000000", "4M"),
    ("mps2-an505", "0x10000000", "4M", "0x38000000", "2M"),
    // RAM everywhere; the lower half plays the part of the flash.
    ("virt", "0x80000000", "4M", "0x80400000", "4M"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=TAUT_MACHINE");
    if variable("CARGO_CFG_TARGET_OS") != "none" {
        return;
    }
    let family = variable("CARGO_CFG_TARGET_ARCH");
    let default = DEFAULTS.iter().find(|(name, _)| *name == family).map(|(_, machine)| *machine);
    let machine =
        env::var("TAUT_MACHINE").ok().or(default.map(str::to_owned)).expect("a family with a default machine");
    let map = MAPS.iter().find(|map| map.0 == machine);
    let (_, flash, flash_size, ram, ram_size) =
        map.unwrap_or_else(|| panic!("no memory map for the machine {machine}"));

    let mut script = format!(
        "MEMORY\n{{\n  FLASH : ORIGIN = {flash}, LENGTH = {flash_size}\n  RAM : ORIGIN = {ram}, LENGTH = {ram_size}\n}}\n"
    );
    if family == "riscv32" {
        for (region, memory) in
            [("TEXT", "FLASH"), ("RODATA", "FLASH"), ("DATA", "RAM"), ("BSS", "RAM"), ("HEAP", "RAM"), ("STACK", "RAM")]
        {
            script += &format!("REGION_ALIAS(\"REGION_{region}\", {memory});\n");
        }
        // cortex-m-rt's script includes the map by itself.
        println!("cargo::rustc-link-arg-bins=-Tmemory.x");
    } else {
        // Segments need no alignment to pages, and some maps begin at an address that has none.
        println!("cargo::rustc-link-arg-bins=--nmagic");
    }
    println!("cargo::rustc-link-arg-bins=-Tlink.x");

    let folder = variable("OUT_DIR");
    fs::write(Path::new(&folder).join("memory.x"), script).expect("a writable output folder");
    println!("cargo::rustc-link-search={folder}");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

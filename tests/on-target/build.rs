//! Writes the memory map that each program is linked with: that of the machine of QEMU which stands for the target; and one with room for
//! everything, for the programs that are linked and never run.

use std::path::Path;
use std::{env, fs};

/// Target, flash and its size, RAM and its size.
const MAPS: [(&str, &str, &str, &str, &str); 6] = [
    // microbit
    ("thumbv6m-none-eabi", "0x00000000", "256K", "0x20000000", "16K"),
    // mps2-an385
    ("thumbv7m-none-eabi", "0x00000000", "4M", "0x20000000", "4M"),
    // olimex-stm32-h405, whose flash begins at 0, too, and 16K of whose 128K of RAM are a bank of their own. All of that is where
    // mps2-an500 has memory, as well: what was built for a Cortex-M4F runs on a Cortex-M7.
    ("thumbv7em-none-eabihf", "0x00000000", "1M", "0x20000000", "112K"),
    // mps2-an505
    ("thumbv8m.main-none-eabihf", "0x10000000", "4M", "0x38000000", "2M"),
    // virt: RAM everywhere; the lower half plays the part of the flash.
    ("riscv32imc-unknown-none-elf", "0x80000000", "4M", "0x80400000", "4M"),
    ("riscv32imafc-unknown-none-elf", "0x80000000", "4M", "0x80400000", "4M"),
];

/// A map with room for everything.
const ROOMY: (&str, &str, &str, &str, &str) = ("none", "0x00000000", "64M", "0x20000000", "64M");

/// How the names of the programs begin that are linked and never run.
const NEVER_RUN: &str = "no_panic";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/bin");
    if variable("CARGO_CFG_TARGET_OS") != "none" {
        return;
    }
    let is_riscv = variable("CARGO_CFG_TARGET_ARCH") == "riscv32";
    let target = variable("TARGET");
    let machine = MAPS.iter().find(|(name, ..)| *name == target).expect("a target with a machine");

    let folder = variable("OUT_DIR");
    for map in [machine, &ROOMY] {
        let folder = Path::new(&folder).join(map.0);
        fs::create_dir_all(&folder).expect("a writable output folder");
        fs::write(folder.join("memory.x"), script(map, is_riscv)).expect("a writable output folder");
    }

    for program in fs::read_dir("src/bin").expect("the folder of the programs") {
        let program = program.expect("a program").path();
        let program = program.file_stem().expect("a name").to_str().expect("a readable name");
        let (name, ..) = if program.starts_with(NEVER_RUN) { &ROOMY } else { machine };
        println!("cargo::rustc-link-arg-bin={program}=-L{folder}/{name}");
    }
    if is_riscv {
        // cortex-m-rt's script includes the map by itself.
        println!("cargo::rustc-link-arg-bins=-Tmemory.x");
    } else {
        // Segments need no alignment to pages, and some maps begin at an address that has none.
        println!("cargo::rustc-link-arg-bins=--nmagic");
    }
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
}

/// The linker's script for a map.
fn script((_, flash, flash_size, ram, ram_size): &(&str, &str, &str, &str, &str), is_riscv: bool) -> String {
    let mut script = format!(
        "MEMORY\n{{\n  FLASH : ORIGIN = {flash}, LENGTH = {flash_size}\n  RAM : ORIGIN = {ram}, LENGTH = {ram_size}\n}}\n"
    );
    if is_riscv {
        for (region, memory) in
            [("TEXT", "FLASH"), ("RODATA", "FLASH"), ("DATA", "RAM"), ("BSS", "RAM"), ("HEAP", "RAM"), ("STACK", "RAM")]
        {
            script += &format!("REGION_ALIAS(\"REGION_{region}\", {memory});\n");
        }
    }
    script
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

//! Writes the memory map that each program is linked with: that of the machine of QEMU which stands for the target, or of the one
//! that `TAUT_MACHINE` names; and one with room for everything, for the programs that are linked and never run.

use std::path::Path;
use std::{env, fs};

/// The machine that stands for each target.
const MACHINES: [(&str, &str); 6] = [
    ("thumbv6m-none-eabi", "microbit"),
    ("thumbv7m-none-eabi", "lm3s6965evb"),
    ("thumbv7em-none-eabihf", "olimex-stm32-h405"),
    ("thumbv8m.main-none-eabihf", "mps2-an505"),
    ("riscv32imc-unknown-none-elf", "virt"),
    ("riscv32imafc-unknown-none-elf", "virt"),
];

/// Machine, flash and its size, RAM and its size.
const MAPS: [(&str, &str, &str, &str, &str); 7] = [
    ("microbit", "0x00000000", "256K", "0x20000000", "16K"),
    ("lm3s6965evb", "0x00000000", "256K", "0x20000000", "64K"),
    // 16K of the 128K of RAM are a bank of their own.
    ("olimex-stm32-h405", "0x08000000", "1M", "0x20000000", "112K"),
    ("mps2-an500", "0x00000000", "4M", "0x20000000", "4M"),
    ("mps2-an505", "0x10000000", "4M", "0x38000000", "2M"),
    // RAM everywhere; the lower half plays the part of the flash.
    ("virt", "0x80000000", "4M", "0x80400000", "4M"),
    ("none", "0x00000000", "64M", "0x20000000", "64M"),
];

/// How the names of the programs begin that are linked and never run.
const NEVER_RUN: &str = "no_panic";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/bin");
    println!("cargo::rerun-if-env-changed=TAUT_MACHINE");
    if variable("CARGO_CFG_TARGET_OS") != "none" {
        return;
    }
    let is_riscv = variable("CARGO_CFG_TARGET_ARCH") == "riscv32";
    let target = variable("TARGET");
    let usual = MACHINES.iter().find(|(name, _)| *name == target).map(|(_, machine)| *machine);
    let machine = env::var("TAUT_MACHINE").ok().or(usual.map(str::to_owned)).expect("a target with a machine");

    let folder = variable("OUT_DIR");
    for name in [machine.as_str(), "none"] {
        let folder = Path::new(&folder).join(name);
        fs::create_dir_all(&folder).expect("a writable output folder");
        fs::write(folder.join("memory.x"), map(name, is_riscv)).expect("a writable output folder");
    }

    for program in fs::read_dir("src/bin").expect("the folder of the programs") {
        let program = program.expect("a program").path();
        let program = program.file_stem().expect("a name").to_str().expect("a readable name");
        let name = if program.starts_with(NEVER_RUN) { "none" } else { &machine };
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

/// The linker's script for a machine's memory.
fn map(machine: &str, is_riscv: bool) -> String {
    let map = MAPS.iter().find(|map| map.0 == machine);
    let (_, flash, flash_size, ram, ram_size) =
        map.unwrap_or_else(|| panic!("no memory map for the machine {machine}"));
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

//! Writes the memory map for linking each program: the map of QEMU's machine for the target, that of another machine with the same processor
//! for programs that are too large for it, or a very large map for the programs that are linked and never run.
//!
//! No list of parts needs the memory of these maps: a machine's own program steps one list. Here a program steps eight of them, with
//! double precision in software, and starts each on the stack.

use std::path::Path;
use std::{env, fs};

/// Target, flash and its size, RAM and its size.
type Map = (&'static str, &'static str, &'static str, &'static str, &'static str);

/// The maps of QEMU's machines.
const MAPS: [Map; 6] = [
    // microbit, with 16 times its flash and 256 times its RAM of 16K: the programs are larger than its firmware, and some starts take over 1M.
    ("thumbv6m-none-eabi", "0x00000000", "4M", "0x20000000", "4M"),
    // mps2-an385
    ("thumbv7m-none-eabi", "0x00000000", "4M", "0x20000000", "4M"),
    // olimex-stm32-h405: its flash is also mapped at 0, and 16K of its 128K of RAM are a separate bank. mps2-an386 and mps2-an500 have memory
    // at the same addresses, so a program built for this Cortex-M4F also runs on them.
    ("thumbv7em-none-eabihf", "0x00000000", "1M", "0x20000000", "112K"),
    // mps2-an505: two banks of 2M, one behind the other.
    ("thumbv8m.main-none-eabihf", "0x10000000", "4M", "0x38000000", "4M"),
    // virt has only RAM; the lower half serves as flash.
    ("riscv32imc-unknown-none-elf", "0x80000000", "4M", "0x80400000", "4M"),
    ("riscv32imafc-unknown-none-elf", "0x80000000", "4M", "0x80400000", "4M"),
];

/// The target whose machine is too small for some programs, with the map of mps2-an386 (Cortex-M4F) and mps2-an500 (Cortex-M7).
const MPS2: Map = ("thumbv7em-none-eabihf", "0x00000000", "4M", "0x20000000", "4M");

/// The programs that are too large for the chip with 1M of flash and 112K of RAM. `xtask` has the same list.
const LARGE: [&str; 8] = [
    "bits_parts_small_f64",
    "bits_parts_linkages_f64",
    "bits_parts_space_f64",
    "bits_parts_large_f32",
    "bits_parts_large_f64",
    "bits_parts_bricard_f32",
    "bits_parts_bricard_f64",
    "bits_ring_f64",
];

/// A map that is large enough for every program.
const UNLIMITED: Map = ("every target", "0x00000000", "64M", "0x20000000", "64M");

/// The prefix of the programs that are linked and never run.
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
    for (name, map) in [("machine", machine), ("mps2", &MPS2), ("unlimited", &UNLIMITED)] {
        let folder = Path::new(&folder).join(name);
        fs::create_dir_all(&folder).expect("a writable output folder");
        fs::write(folder.join("memory.x"), script(map, is_riscv)).expect("a writable output folder");
    }

    for program in fs::read_dir("src/bin").expect("the folder of the programs") {
        let program = program.expect("a program").path();
        let program = program.file_stem().expect("a name").to_str().expect("a readable name");
        let name = match program {
            program if program.starts_with(NEVER_RUN) => "unlimited",
            program if LARGE.contains(&program) && target == MPS2.0 => "mps2",
            _ => "machine",
        };
        println!("cargo::rustc-link-arg-bin={program}=-L{folder}/{name}");
    }
    if is_riscv {
        // riscv-rt's script does not include the map; cortex-m-rt's script does.
        println!("cargo::rustc-link-arg-bins=-Tmemory.x");
    } else {
        // Do not align segments to pages: some maps do not begin on a page boundary.
        println!("cargo::rustc-link-arg-bins=--nmagic");
    }
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
}

/// The linker script for a map.
fn script((_, flash, flash_size, ram, ram_size): &Map, is_riscv: bool) -> String {
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

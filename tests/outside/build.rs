//! Passes the memory map and the linker scripts of the startup code and the logger to the linker.

fn main() {
    let folder = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::copy("memory.x", format!("{folder}/memory.x")).expect("there is a memory.x");
    println!("cargo::rerun-if-changed=memory.x");
    println!("cargo::rustc-link-search={folder}");
    for argument in ["--nmagic", "-Tlink.x", "-Tdefmt.x"] {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}

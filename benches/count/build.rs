//! Links the program for the default board's chip, with the memory map at the root of the repository.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../memory.x");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "none") {
        let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
        println!("cargo::rustc-link-arg-bins=-L{folder}/../..");
        // Segments need no alignment to pages.
        println!("cargo::rustc-link-arg-bins=--nmagic");
        println!("cargo::rustc-link-arg-bins=-Tlink.x");
    }
}

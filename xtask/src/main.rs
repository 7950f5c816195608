//! The commands of this repository: `cargo xtask --help`.

fn main() {}

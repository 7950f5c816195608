//! What `cargo xtask test` checks, by where it runs.

pub mod bare_metal;
pub mod board;
pub mod examples;
pub mod fault_matrix;
pub mod host;
pub mod same_loop;
pub mod trials;

/// The library's feature sets: the arguments that choose each, and its name.
pub const FEATURE_SETS: [(&str, &[&str]); 5] = [
    ("no feature", &[]),
    ("std", &["--features", "std"]),
    ("defmt", &["--features", "defmt"]),
    ("serde", &["--features", "serde"]),
    ("all features", &["--all-features"]),
];

/// Turns every warning into an error, behind clippy's own arguments.
pub const DENY_WARNINGS: [&str; 3] = ["--", "--deny", "warnings"];

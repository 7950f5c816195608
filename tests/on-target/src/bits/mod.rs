//! What must come out the same, bit by bit, on every machine: a hash over many results for each function and kernel.

pub mod hash;
pub mod inputs;

use hash::{Absorb, Hash};
use inputs::{Draw, inputs, pairs};

/// Random inputs of a body, on top of the special values.
const RANDOM: usize = 10_000;

/// Every body: its name and what computes its hash.
pub const BODIES: &[(&str, fn() -> u64)] = &[
    ("f32 sqrt", || unary(nalgebra::ComplexField::sqrt as fn(f32) -> f32)),
    ("f64 atan2", || binary(nalgebra::RealField::atan2 as fn(f64, f64) -> f64)),
];

/// The hash over the results of a function of one argument.
pub fn unary<S: Draw, R: Absorb>(function: fn(S) -> R) -> u64 {
    let mut hash = Hash::new();
    for x in inputs(RANDOM) {
        function(x).absorb(&mut hash);
    }
    hash.value()
}

/// The hash over the results of a function of two arguments.
pub fn binary<S: Draw, T: Draw, R: Absorb>(function: fn(S, T) -> R) -> u64 {
    let mut hash = Hash::new();
    for (x, y) in pairs(RANDOM) {
        function(x, y).absorb(&mut hash);
    }
    hash.value()
}

//! The results that must have the same bits on every machine: a hash over many results of each function and kernel.

mod factorisations;
pub mod hash;
pub mod inputs;
mod scalars;
pub mod trajectories;

use core::ops::{Add, Div, Mul, Neg, Sub};

use taut::scalar::{DoubleFloat, Dual, Float, Jet, Real};

use hash::{Absorb, Hash};
use inputs::{Draw, inputs, pairs};

/// The number of random inputs of a body, in addition to the special values.
const RANDOM: usize = 2_000;

// The tables are `#[inline]` functions, so that only the programs instantiate them. Compiling all of them in this library as well took
// as long as compiling a program.

/// A body: its name and the function that computes its hash.
pub type Body = (&'static str, fn() -> u64);

/// Every function of a scalar, for each scalar.
macro_rules! functions {
    ($($label:literal $scalar:ty,)*) => {
        &[$(
            (concat!($label, " + - ×"), || binary(|a: $scalar, b: $scalar| [a + b, a - b, a * b])),
            (concat!($label, " ÷"), || binary(<$scalar as Div<$scalar>>::div)),
            (concat!($label, " neg, abs"), || unary(|a: $scalar| [Neg::neg(a), Real::abs(a)])),
            (concat!($label, " sqrt"), || unary(<$scalar as Real>::sqrt)),
            (concat!($label, " sin"), || unary(<$scalar as Real>::sin)),
            (concat!($label, " cos"), || unary(<$scalar as Real>::cos)),
            (concat!($label, " sin_cos"), || unary(<$scalar as Real>::sin_cos)),
            (concat!($label, " tan"), || unary(<$scalar as Real>::tan)),
            (concat!($label, " asin"), || unary(<$scalar as Real>::asin)),
            (concat!($label, " acos"), || unary(<$scalar as Real>::acos)),
            (concat!($label, " atan2"), || binary(<$scalar as Real>::atan2)),
            (concat!($label, " exp"), || unary(<$scalar as Real>::exp)),
            (concat!($label, " ln"), || unary(<$scalar as Real>::ln)),
            (concat!($label, " powi"), || binary(<$scalar as Real>::powi)),
            (concat!($label, " with base"), || binary(with_base::<$scalar>)),
            (concat!($label, " compared"), || binary(|a: $scalar, b: $scalar| [a < b, a <= b, a == b])),
        )*]
    };
}

/// Every factorisation for a float, in each size.
macro_rules! factorisations {
    ($float:ident in $($n:literal)*) => {
        &[$(
            (concat!(stringify!($float), " LDLT, ", $n), factorisations::ldlt::<$float, $n>),
            (concat!(stringify!($float), " semidefinite, ", $n), factorisations::semidefinite::<$float, $n>),
            (concat!(stringify!($float), " LU, ", $n), factorisations::lu::<$float, $n>),
            (concat!(stringify!($float), " QR, ", $n, " × ", $n), factorisations::qr::<$float, $n, $n>),
        )*
            (concat!(stringify!($float), " QR, 6 × 3"), factorisations::qr::<$float, 6, 3>),
            (concat!(stringify!($float), " QR, 3 × 6"), factorisations::qr::<$float, 3, 6>),
        ]
    };
}

/// The functions of the scalars.
#[inline]
pub fn scalars() -> &'static [Body] {
    functions! {
        "f32" f32,
        "f64" f64,
        "Dual<f32, 3>" Dual<f32, 3>,
        "Jet<f32>" Jet<f32>,
        "DoubleFloat<f32>" DoubleFloat<f32>,
        "DoubleFloat<f64>" DoubleFloat<f64>,
    }
}

/// The functions of the scalars that are not in [`Real`].
#[inline]
pub fn beyond_real() -> &'static [Body] {
    &[
        ("f32 round, copysign", || binary(|a: f32, b: f32| [Float::round(a), Float::copysign(a, b)])),
        ("f64 round, copysign", || binary(|a: f64, b: f64| [Float::round(a), Float::copysign(a, b)])),
        ("f32 finite, NaN", || unary(|a: f32| [Float::is_finite(a), Float::is_nan(a)])),
        ("f64 finite, NaN", || unary(|a: f64| [Float::is_finite(a), Float::is_nan(a)])),
        ("f32 to f64", || unary(<f32 as Float>::to_f64)),
        ("f32 from f64", || unary(<f32 as Float>::from_f64)),
        ("f32 power of two", || unary(<f32 as Float>::power_of_two)),
        ("f64 power of two", || unary(<f64 as Float>::power_of_two)),
        ("f32 exact sum", || binary(DoubleFloat::<f32>::from_sum)),
        ("f32 exact product", || binary(DoubleFloat::<f32>::from_product)),
        ("f64 exact sum", || binary(DoubleFloat::<f64>::from_sum)),
        ("f64 exact product", || binary(DoubleFloat::<f64>::from_product)),
        ("DoubleFloat<f32> to f64", || unary(DoubleFloat::<f32>::to_f64)),
        ("DoubleFloat<f64> to f64", || unary(DoubleFloat::<f64>::to_f64)),
        ("Dual<f32, 2> variables", || binary(|a: f32, b: f32| Dual::variables([a, b]))),
        ("Jet<f32> variable", || unary(|a: f32| [Jet::variable(a), Jet::constant(a)])),
    ]
}

/// The factorisations in single precision.
#[inline]
pub fn factorisations_f32() -> &'static [Body] {
    factorisations!(f32 in 0 1 2 3 4 5 6)
}

/// The factorisations in double precision.
#[inline]
pub fn factorisations_f64() -> &'static [Body] {
    factorisations!(f64 in 0 1 2 3 4 5 6)
}

/// Arithmetic with the base scalar, and conversions to it and back.
fn with_base<S: Real>(a: S, b: S::Base) -> [S; 6] {
    [
        Add::<S::Base>::add(a, b),
        Sub::<S::Base>::sub(a, b),
        Mul::<S::Base>::mul(a, b),
        Div::<S::Base>::div(a, b),
        S::from(b),
        S::from(a.value()),
    ]
}

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

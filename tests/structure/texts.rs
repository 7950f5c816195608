//! Equations of the source texts that no form of the library holds.

use taut::scalar::Real;
use taut::structure::Dae;

/// Equations without parameters, as a type with a residual.
macro_rules! equations {
    ($(#[$doc:meta])* $name:ident, $size:literal, |$t:ident, $x:ident| $rows:expr) => {
        $(#[$doc])*
        pub struct $name;
        impl Dae for $name {
            type Base = f64;
            fn size(&self) -> usize {
                $size
            }
            fn residual<S: Real<Base = f64>>(&self, $t: S, $x: &dyn Fn(usize, usize) -> S) -> Vec<S> {
                $rows
            }
        }
    };
}

#[allow(unused_imports)]
pub(crate) use equations;

equations!(
    /// (3.1), with second derivatives in (3.1d), and u = (sin t, cos t, sin 2t, 0).
    Example1, 4, |t, x| vec![
        x(0, 0) + x(1, 0) + Real::sin(t),
        x(0, 0) + x(1, 0) + x(2, 0) + Real::cos(t),
        x(0, 0) + x(3, 0) + Real::sin(t * 2.0),
        x(0, 2) * 2.0 + x(1, 2) + x(2, 2) + x(3, 1),
    ]
);

equations!(
    /// (1.2), with f = sin t.
    Chain, 3, |t, x| vec![x(0, 1) - x(1, 0), x(1, 1) - x(2, 0), x(0, 0) - Real::sin(t)]
);

equations!(
    /// (4.6), with f₁ = sin t and f₂ = cos 2t.
    Example5, 2, |t, x| vec![
        x(0, 1) + t * x(1, 1) - Real::sin(t),
        x(0, 0) + t * x(1, 0) - Real::cos(t * 2.0),
    ]
);

//! The numbers that equations are written in.
//!
//! | scalar | what it carries | what it is for |
//! |---|---|---|
//! | `f32`, `f64` | a number | the fast path |
//! | [`Dual`] | a number and N partial derivatives | Jacobians |
//! | [`Jet`] | a number and its first and second derivative along a curve | g_qq(v, v), time derivatives of a path |
//! | [`Increment`] | a number and by how much it changes | residuals without cancellation |
//! | [`Taylor`] | a number and its first K derivatives along a curve | jerk and snap of a path |
//! | [`DoubleFloat`] | a number as the sum of two floats | residuals beyond the base scalar |
//! | [`Lifted`] | a double, or a dual or jet over it, for equations over `f32` | what a run in `f32` is compared with |
//!
//! All implement [`Real`], so one equation serves them all. They nest: `Dual<DoubleFloat<f32>, 2, f32>` differentiates in
//! double-float arithmetic.
//!
//! # Accuracy
//!
//! Every function gives the same bits on every machine; the errors below are bounds that the tests hold it to.
//!
//! `f32`: [`sin_cos`](Real::sin_cos) (and `sin`, `cos`) is ours, in single precision throughout: 1e-7 absolute for
//! |x| ≤ 3215, within 2 units in the last place near its zeros for |x| ≤ π; for larger angles 1.5e-7 at a higher price;
//! NaN for NaN and ±∞. [`atan2`](Real::atan2) is ours, too: within 2 units in the last place, and the same operations for every
//! point. The other functions of `f32` and all of `f64` are those of `libm`.
//!
//! [`DoubleFloat`] over `f32`, where the results lie between 1e-24 and 8e34:
//!
//! | function | error at most | where |
//! |---|---|---|
//! | + − × ÷, sqrt | 2⁻⁴⁵ relative | |
//! | sin, cos | 2⁻⁴⁴ absolute | \|x\| ≤ 1000; from 2²² on only that of the float |
//! | tan | 2⁻⁴³ relative | away from the poles |
//! | asin, acos, atan2 | 2⁻⁴³ relative to the larger of 1 and the result | |
//! | exp | 2⁻⁴³ relative | result above 2⁻¹⁰⁰ |
//! | ln | 2⁻⁴³ relative to the larger of 1 and the result | |
//! | powi | 2⁻⁴⁵ relative for each multiplication | |

mod atan2;
mod double;
mod double_constants;
mod double_elementary;
mod dual;
mod fine_increment;
mod float;
mod increment;
mod jet;
mod lifted;
mod operators;
#[cfg(all(feature = "std", not(target_os = "none")))]
mod orders;
mod real;
mod sincos;
mod taylor;
mod tracked;

pub use double::DoubleFloat;
pub use dual::Dual;
pub(crate) use fine_increment::FineIncrement;
pub use increment::Increment;
pub use jet::Jet;
pub use lifted::Lifted;
#[cfg(all(feature = "std", not(target_os = "none")))]
pub(crate) use orders::Orders;
pub use real::{Float, Real};
pub use taylor::Taylor;
pub use tracked::Tracked;

//! How it steps: one method per file, each immutable, each with a known cost per step.
//!
//! | method | order | preserves | needs |
//! |---|---|---|---|
//! | [`Rattle`] | 2 | constraints, symmetry, symplecticity | constant mass |
//! | [`Composition`] of RATTLE | 4 or 6 | the same | constant mass |
//! | [`SymplecticEuler`] | 1 | constraints, symplecticity | constant mass |
//! | [`ImplicitEuler`] | 1 | the constraint of its level | nothing |
//! | [`Bdf2`] | 2 | constraints | a history of two nodes |
//! | [`RadauIia`] | 3 or 5 | constraints | nothing |
//! | [`HalfExplicit`] | 1, 2, 3 or 4 | constraints | nothing |
//! | [`RungeKutta4`] with projection | 4 | constraints | nothing |
//! | [`LocalRungeKutta4`] in local coordinates | 4 | constraints, also at its stages | nothing |
//! | [`RungeKutta8`] with projection | 8 | constraints | `f64` to be useful |
//!
//! All of them step through one trait, [`Step`]. [`ImplicitEuler`] also steps the other forms: semi-explicit systems of index 1 and 2,
//! M u' = F, and the general index-3 form. So does [`RadauIia`]. [`Bdf2`], [`HalfExplicit`] and [`RungeKutta4`] also step semi-explicit systems.
//! [`RungeKutta4`] and [`Chart`] step differential equations on a manifold. [`Rattle`] and [`RungeKutta4`] with projection
//! also step [serial mechanisms](crate::system::Serial), in linear time and memory; RATTLE with any number of digits.
//!
//! The page of each method's module has its formulas, order, what it preserves, when to choose it and what it costs.
//!
//! A step takes the model and the state and returns a [`Report`]. On failure it returns a [`StepError`] and leaves the state as it was.
//! The number of Newton iterations is fixed: the cost is constant, and a stop at a tolerance would make the energy drift. The residual
//! is checked afterwards, and for implicit methods also the last correction.
//!
//! Measured errors and instructions of all methods: [which method when](crate#which-method-when).

mod acceleration;
pub mod bdf2;
pub mod composition;
mod converged;
mod ending;
mod error;
mod every;
mod finite;
pub mod half_explicit;
mod half_explicit_dae;
pub mod implicit_euler;
mod implicit_euler_dae;
mod implicit_euler_general;
mod judge;
mod linearised;
pub mod local;
pub mod manifold;
pub mod radau;
mod radau_dae;
mod radau_general;
mod radau_mechanical;
pub mod rattle;
mod report;
pub mod runge_kutta;
pub mod runge_kutta_8;
mod runge_kutta_dae;
mod serial_digits;
mod serial_judge;
mod serial_rattle;
mod serial_report;
mod serial_runge_kutta;
mod stages;
mod step;
pub mod symplectic_euler;

use crate::scalar::Float;
use crate::start::Precision;
use crate::start::precision::needs_care;

pub use bdf2::{Bdf2, TwoNodes};
pub use composition::{Composition, InvalidComposition};
pub(crate) use converged::{last_correction, solved};
pub use error::StepError;
pub use every::{AnyMethod, NAMES, every_method, every_method_for_any_mass};
pub use half_explicit::HalfExplicit;
pub use implicit_euler::ImplicitEuler;
pub use local::{LocalRungeKutta4, Partitioned};
pub use manifold::Chart;
pub use radau::RadauIia;
pub use rattle::Rattle;
pub use report::Report;
pub use runge_kutta::RungeKutta4;
pub use runge_kutta_8::RungeKutta8;
pub(crate) use runge_kutta_dae::classical;
pub use serial_report::{JointReport, SerialReport};
pub use step::Step;
pub use symplectic_euler::SymplecticEuler;

/// Stands for the default of the scalar: [`Float::NEWTON_ITERATIONS`].
///
/// [`Rattle`], its compositions and [`SymplecticEuler`] make at least four iterations with three or more constraints, in a state that
/// carries more digits than its scalar. Each iteration reduces the error of the multipliers by a factor O(h ω): of a four-bar linkage
/// at 1 kHz, two iterations leave an energy that grows by 8e-4 J an hour, three 8e-5 J, four 7e-8 J (in `f64`).
pub const DEFAULT_ITERATIONS: usize = usize::MAX;

/// The number of iterations that a method's parameter stands for.
pub(crate) const fn iterations<T: Float, const K: usize>() -> usize {
    if K == DEFAULT_ITERATIONS { T::NEWTON_ITERATIONS } else { K }
}

/// The same for the iterations of [`rattle::reach`]; see [`DEFAULT_ITERATIONS`].
const fn reach_iterations<T: Float, P: Precision, const M: usize, const K: usize>() -> usize {
    iterations_for::<T, P, K>(M)
}

/// The same for this many constraints.
const fn iterations_for<T: Float, P: Precision, const K: usize>(constraints: usize) -> usize {
    let default = iterations::<T, K>();
    if K == DEFAULT_ITERATIONS && needs_care::<P>(constraints) && default < 4 { 4 } else { default }
}

//! How it steps: one method a file, each immutable, each with a known cost per step.
//!
//! | method | order | keeps | asks for |
//! |---|---|---|---|
//! | [`Rattle`] | 2 | constraints, symmetry, symplecticity | constant mass |
//! | [`Composition`] of RATTLE | 4 or 6 | the same | constant mass |
//! | [`SymplecticEuler`] | 1 | constraints, symplecticity | constant mass |
//! | [`ImplicitEuler`] | 1 | the constraint of its level | nothing |
//! | [`HalfExplicit`] | 1, 2, 3 or 4 | constraints | nothing |
//! | [`RungeKutta4`] with projection | 4 | constraints | nothing |
//! | [`RungeKutta8`] with projection | 8 | constraints | nothing, but `f64` to be of use |
//!
//! Other forms than mechanical systems: [`ImplicitEulerGeneral`] for index 3, [`ImplicitEulerDae`] for index 1 and 2 and for M u' = F,
//! [`HalfExplicit::step_semi_explicit`] for index 1 and 2.
//!
//! Formulas, order, what is preserved and when to choose it stand on the page of each method's module.
//!
//! A step takes the model and the state and returns a [`Report`], or a [`StepError`] and the state as it was. The number of
//! Newton iterations is fixed: the cost is constant, and a stop at a tolerance would make the energy drift. Whether they
//! were enough is judged afterwards by the residual.
//!
//! Which method when: error against instructions of every method, measured, is on the [crate's page](crate#which-method-when).

mod acceleration;
pub mod composition;
mod error;
mod flight;
pub mod half_explicit;
pub mod half_explicit_dae;
pub mod implicit_euler;
pub mod implicit_euler_dae;
pub mod implicit_euler_general;
mod linearised;
pub mod rattle;
mod report;
pub mod runge_kutta;
pub mod runge_kutta_8;
mod size;
mod stage;
pub mod symplectic_euler;

pub use composition::Composition;
pub use error::StepError;
pub use half_explicit::HalfExplicit;
pub use implicit_euler::ImplicitEuler;
pub use implicit_euler_dae::ImplicitEulerDae;
pub use implicit_euler_general::ImplicitEulerGeneral;
pub use rattle::Rattle;
pub use report::Report;
pub use runge_kutta::RungeKutta4;
pub use runge_kutta_8::RungeKutta8;
pub use size::{InvalidStep, StepSize};
pub use symplectic_euler::SymplecticEuler;

/// As many Newton iterations as the scalar needs: [`Float::NEWTON_ITERATIONS`](crate::scalar::Float::NEWTON_ITERATIONS).
pub const DEFAULT_ITERATIONS: usize = usize::MAX;

/// The number of iterations that a method's parameter stands for.
const fn iterations<T: crate::scalar::Float, const K: usize>() -> usize {
    if K == DEFAULT_ITERATIONS { T::NEWTON_ITERATIONS } else { K }
}

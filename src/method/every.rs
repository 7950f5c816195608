//! A list of all methods, for tools that compare them.

use super::{
    Composition, HalfExplicit, ImplicitEuler, RadauIia, Rattle, Report, RungeKutta4, RungeKutta8, Step, StepError,
    SymplecticEuler,
};
use crate::linalg::{Ldlt, SymmetricFactors};
use crate::scalar::Float;
use crate::start::{Compensated, Precision, State};
use crate::system::{ConstantMass, Mechanical};

/// Any method that steps a mechanical system from this kind of state.
pub type AnyMethod<System, T, const N: usize, const M: usize, F = Ldlt<T, M>, P = Compensated> =
    dyn Step<System, State<T, N, M, F, P>, Report = Report<T, M>, Error = StepError<T>>;

/// Calls `show` with every method that allows a varying mass, each with its defaults.
///
/// ```
/// # use mechanisms::Pendulum;
/// use taut::method::{every_method, every_method_for_any_mass};
/// use taut::start::{Clock, Start};
///
/// let pendulum = Pendulum::<f64>::standard();
/// let start = Start::at(&pendulum, Clock::at_rate(100.0)?, [1.0, 0.0]).at_rest()?;
/// every_method_for_any_mass(|method| {
///     let mut state = start;
///     method.step(&pendulum, &mut state).expect("a step");
///     println!("{}: {}", method.name(), state.position());
/// });
///
/// // Together with those that need a constant mass.
/// let mut names = Vec::new();
/// every_method(|method| {
///     method.step(&pendulum, &mut start.clone()).expect("a step");
///     names.push(method.name());
/// });
/// assert_eq!(names, taut::method::NAMES);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn every_method_for_any_mass<System, T, const N: usize, const M: usize, F, P>(
    mut show: impl FnMut(&AnyMethod<System, T, N, M, F, P>),
) where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    show(&HalfExplicit::order_one());
    show(&HalfExplicit::order_two());
    show(&HalfExplicit::order_three());
    show(&HalfExplicit::order_four());
    show(&RungeKutta4::new());
    show(&RungeKutta8::new());
    show(&ImplicitEuler::new().projecting_velocities());
    show(&RadauIia::order_three());
    show(&RadauIia::order_five());
}

/// Calls `show` with every method, each with its defaults, for a mechanical system with a constant mass.
pub fn every_method<System, T, const N: usize, const M: usize, F, P>(
    mut show: impl FnMut(&AnyMethod<System, T, N, M, F, P>),
) where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    show(&Rattle::new());
    show(&Composition::yoshida());
    show(&Composition::suzuki());
    show(&Composition::kahan_li());
    show(&SymplecticEuler::new());
    every_method_for_any_mass(show);
}

/// The names of all methods, in the order of [`every_method`].
pub const NAMES: [&str; 14] = [
    "rattle",
    "yoshida",
    "suzuki",
    "kahan_li",
    "symplectic_euler",
    "half_explicit_1",
    "half_explicit_2",
    "half_explicit_3",
    "half_explicit_4",
    "runge_kutta_4",
    "runge_kutta_8",
    "implicit_euler",
    "radau_iia_3",
    "radau_iia_5",
];

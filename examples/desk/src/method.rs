//! The library's methods by name, each with its default number of Newton iterations.

use taut::control::Steps;
use taut::linalg::SymmetricFactors;
use taut::method::{
    Composition, HalfExplicit, ImplicitEuler, Rattle, Report, RungeKutta4, RungeKutta8, StepError, StepSize,
    SymplecticEuler,
};
use taut::scalar::Float;
use taut::start::{Precision, State};
use taut::system::{self, Mechanical};

/// Methods for any mass, as they are called on the command line.
pub const ANY_MASS: [&str; 7] = [
    "runge_kutta_4",
    "runge_kutta_8",
    "half_explicit_1",
    "half_explicit_2",
    "half_explicit_3",
    "half_explicit_4",
    "implicit_euler",
];

/// Methods for a constant mass: all.
pub const CONSTANT_MASS: [&str; 11] = [
    "rattle",
    "suzuki",
    "kahan_li",
    "symplectic_euler",
    "runge_kutta_4",
    "runge_kutta_8",
    "half_explicit_1",
    "half_explicit_2",
    "half_explicit_3",
    "half_explicit_4",
    "implicit_euler",
];

/// What a method is called in a text.
pub fn name_of(method: &str) -> &str {
    match method {
        "rattle" => "RATTLE",
        "suzuki" => "Suzuki, order 4",
        "kahan_li" => "Kahan–Li, order 6",
        "symplectic_euler" => "symplectic Euler",
        "runge_kutta_4" => "Runge–Kutta 4",
        "runge_kutta_8" => "Runge–Kutta 8",
        "half_explicit_1" => "half-explicit, order 1",
        "half_explicit_2" => "half-explicit, order 2",
        "half_explicit_3" => "half-explicit, order 3",
        "half_explicit_4" => "half-explicit, order 4",
        "implicit_euler" => "implicit Euler",
        "explicit_euler" => "explicit Euler",
        other => other,
    }
}

/// Whether a method reports the multipliers of where its step ended; the others, of where it began.
pub(crate) fn reports_the_end(method: &str) -> bool {
    matches!(method, "symplectic_euler" | "implicit_euler")
}

/// A method for any mass.
pub enum AnyMass<T> {
    /// Projected onto positions and velocities.
    RungeKutta4(RungeKutta4<T>),
    /// Order 8, projected as well.
    RungeKutta8(RungeKutta8<T>),
    /// Order 1.
    HalfExplicit1(HalfExplicit<T, 1>),
    /// Order 2.
    HalfExplicit2(HalfExplicit<T, 2>),
    /// Order 3.
    HalfExplicit3(HalfExplicit<T, 3>),
    /// Order 4.
    HalfExplicit4(HalfExplicit<T, 5>),
    /// On the position level, with velocities projected.
    ImplicitEuler(ImplicitEuler<T, 3, true>),
}

impl<T: Float> AnyMass<T> {
    /// One of [`ANY_MASS`].
    pub fn named(name: &str, size: StepSize<T>) -> Option<Self> {
        Some(match name {
            "runge_kutta_4" => Self::RungeKutta4(RungeKutta4::with_step(size)),
            "runge_kutta_8" => Self::RungeKutta8(RungeKutta8::with_step(size)),
            "half_explicit_1" => Self::HalfExplicit1(HalfExplicit::order_one(size)),
            "half_explicit_2" => Self::HalfExplicit2(HalfExplicit::order_two(size)),
            "half_explicit_3" => Self::HalfExplicit3(HalfExplicit::order_three(size)),
            "half_explicit_4" => Self::HalfExplicit4(HalfExplicit::order_four(size)),
            "implicit_euler" => Self::ImplicitEuler(ImplicitEuler::position_level(size).projecting_velocities()),
            _ => return None,
        })
    }
}

impl<System, T, const N: usize, const M: usize> Steps<System, T, N, M> for AnyMass<T>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
{
    fn step_of<F: SymmetricFactors<T, M>, P: Precision>(
        &self,
        system: &System,
        state: &mut State<T, N, M, F, P>,
    ) -> Result<Report<T, M>, StepError<T>> {
        match self {
            Self::RungeKutta4(method) => method.step(system, state),
            Self::RungeKutta8(method) => method.step(system, state),
            Self::HalfExplicit1(method) => method.step(system, state),
            Self::HalfExplicit2(method) => method.step(system, state),
            Self::HalfExplicit3(method) => method.step(system, state),
            Self::HalfExplicit4(method) => method.step(system, state),
            Self::ImplicitEuler(method) => method.step(system, state),
        }
    }
}

/// A method for a constant mass.
pub enum ConstantMass<T> {
    /// Order 2.
    Rattle(Rattle<T>),
    /// Order 4.
    Suzuki(Composition<T, 5>),
    /// Order 6.
    KahanLi(Composition<T, 9>),
    /// Order 1.
    SymplecticEuler(SymplecticEuler<T>),
    /// One that does not ask for it.
    AnyMass(AnyMass<T>),
}

impl<T: Float> ConstantMass<T> {
    /// One of [`CONSTANT_MASS`].
    pub fn named(name: &str, size: StepSize<T>) -> Option<Self> {
        Some(match name {
            "rattle" => Self::Rattle(Rattle::with_step(size)),
            "suzuki" => Self::Suzuki(Composition::suzuki(size)),
            "kahan_li" => Self::KahanLi(Composition::kahan_li(size)),
            "symplectic_euler" => Self::SymplecticEuler(SymplecticEuler::with_step(size)),
            other => Self::AnyMass(AnyMass::named(other, size)?),
        })
    }
}

impl<System, T, const N: usize, const M: usize> Steps<System, T, N, M> for ConstantMass<T>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: system::ConstantMass<T, N>,
{
    fn step_of<F: SymmetricFactors<T, M>, P: Precision>(
        &self,
        system: &System,
        state: &mut State<T, N, M, F, P>,
    ) -> Result<Report<T, M>, StepError<T>> {
        match self {
            Self::Rattle(method) => method.step(system, state),
            Self::Suzuki(method) => method.step(system, state),
            Self::KahanLi(method) => method.step(system, state),
            Self::SymplecticEuler(method) => method.step(system, state),
            Self::AnyMass(method) => method.step_of(system, state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_method() {
        let size = StepSize::at_rate(100.0_f32).unwrap();
        assert!(CONSTANT_MASS.iter().all(|name| ConstantMass::named(name, size).is_some() && name_of(name) != *name));
        assert!(ANY_MASS.iter().all(|name| AnyMass::named(name, size).is_some()));
        assert!(ConstantMass::named("verlet", size).is_none() && AnyMass::named("rattle", size).is_none());
    }
}

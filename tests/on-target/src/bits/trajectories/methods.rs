//! The methods, behind one signature.

use taut::linalg::SymmetricFactors;
use taut::method::{
    Composition, HalfExplicit, ImplicitEuler, Rattle, Report, RungeKutta4, RungeKutta8, StepError, StepSize,
    SymplecticEuler,
};
use taut::scalar::Float;
use taut::start::{Precision, State};
use taut::system::{ConstantMass, Mechanical};

/// A method for mechanical systems.
pub trait Method<T: Float> {
    /// With this step size.
    fn with_step(size: StepSize<T>) -> Self;

    /// Makes a step.
    fn step<System, F, P, const N: usize, const M: usize>(
        &self,
        system: &System,
        state: &mut State<T, N, M, F, P>,
    ) -> Result<Report<T, M>, StepError<T>>
    where
        System: Mechanical<N, M, Base = T>,
        System::Mass: ConstantMass<T, N>,
        F: SymmetricFactors<T, M>,
        P: Precision;
}

/// Types, and how each is made from a step size.
macro_rules! methods {
    ($($method:ty = $make:expr;)*) => {$(
        impl<T: Float> Method<T> for $method {
            fn with_step(size: StepSize<T>) -> Self {
                let make: fn(StepSize<T>) -> Self = $make;
                make(size)
            }

            fn step<System, F, P, const N: usize, const M: usize>(
                &self,
                system: &System,
                state: &mut State<T, N, M, F, P>,
            ) -> Result<Report<T, M>, StepError<T>>
            where
                System: Mechanical<N, M, Base = T>,
                System::Mass: ConstantMass<T, N>,
                F: SymmetricFactors<T, M>,
                P: Precision,
            {
                self.step(system, state)
            }
        }
    )*};
}

methods! {
    Rattle<T> = Rattle::with_step;
    SymplecticEuler<T> = SymplecticEuler::with_step;
    Composition<T, 5> = Composition::suzuki;
    Composition<T, 9> = Composition::kahan_li;
    HalfExplicit<T, 1> = HalfExplicit::order_one;
    HalfExplicit<T, 2> = HalfExplicit::order_two;
    HalfExplicit<T, 3> = HalfExplicit::order_three;
    HalfExplicit<T, 5> = HalfExplicit::order_four;
    RungeKutta4<T> = RungeKutta4::with_step;
    RungeKutta8<T> = RungeKutta8::with_step;
    ImplicitEuler<T, 3> = ImplicitEuler::position_level;
    ImplicitEuler<T, 2> = ImplicitEuler::velocity_level;
    ImplicitEuler<T, 1> = ImplicitEuler::acceleration_level;
    ImplicitEuler<T, 3, true> = |size| ImplicitEuler::position_level(size).projecting_velocities();
}

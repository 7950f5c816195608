//! The methods that are compared, behind one signature.

use taut::linalg::Ldlt;
use taut::method::{
    Composition, HalfExplicit, ImplicitEuler, Rattle, Report, RungeKutta4, RungeKutta8, StepError, StepSize,
    SymplecticEuler,
};
use taut::scalar::Float;
use taut::start::{Precision, State};
use taut::system::{ConstantMass, Mechanical};

/// What a step comes back with.
pub type Outcome<T, const M: usize> = Result<Report<T, M>, StepError<T>>;

/// A method with its default number of Newton iterations.
pub trait Method<T: Float> {
    /// What the tables call it.
    const NAME: &'static str;

    /// With this step size.
    fn with_step(size: StepSize<T>) -> Self;

    /// Makes a step.
    fn step<System, P, const N: usize, const M: usize>(
        &self,
        system: &System,
        state: &mut State<T, N, M, Ldlt<T, M>, P>,
    ) -> Outcome<T, M>
    where
        System: Mechanical<N, M, Base = T>,
        System::Mass: ConstantMass<T, N>,
        P: Precision;
}

/// Names types and how each is made from a step size.
macro_rules! methods {
    ($($name:literal: $method:ty = $make:expr;)*) => {
        $(
            impl<T: Float> Method<T> for $method {
                const NAME: &'static str = $name;

                fn with_step(size: StepSize<T>) -> Self {
                    let make: fn(StepSize<T>) -> Self = $make;
                    make(size)
                }

                #[inline(always)]
                fn step<System, P, const N: usize, const M: usize>(
                    &self,
                    system: &System,
                    state: &mut State<T, N, M, Ldlt<T, M>, P>,
                ) -> Outcome<T, M>
                where
                    System: Mechanical<N, M, Base = T>,
                    System::Mass: ConstantMass<T, N>,
                    P: Precision,
                {
                    self.step(system, state)
                }
            }
        )*
    };
}

methods! {
    "rattle": Rattle<T> = Rattle::with_step;
    "suzuki": Composition<T, 5> = Composition::suzuki;
    "kahan_li": Composition<T, 9> = Composition::kahan_li;
    "symplectic_euler": SymplecticEuler<T> = SymplecticEuler::with_step;
    "half_explicit_1": HalfExplicit<T, 1> = HalfExplicit::order_one;
    "half_explicit_2": HalfExplicit<T, 2> = HalfExplicit::order_two;
    "half_explicit_3": HalfExplicit<T, 3> = HalfExplicit::order_three;
    "half_explicit_4": HalfExplicit<T, 5> = HalfExplicit::order_four;
    "runge_kutta_4": RungeKutta4<T> = RungeKutta4::with_step;
    "runge_kutta_8": RungeKutta8<T> = RungeKutta8::with_step;
    "implicit_euler": ImplicitEuler<T, 3, true> = |size| ImplicitEuler::position_level(size).projecting_velocities();
}

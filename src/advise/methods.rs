//! Every method behind one signature, as far as the mass of a model allows.

use std::boxed::Box;

use super::way::Method;
use crate::linalg::SymmetricFactors;
use crate::method::{
    Composition, HalfExplicit, ImplicitEuler, Rattle, Report, RungeKutta4, RungeKutta8, StepError, StepSize,
    SymplecticEuler,
};
use crate::start::{Precision, State};
use crate::system::{ConstantMass, Mechanical};

/// A step of a model, whatever the method.
pub(super) type Stepping<'a, T, F, P, const N: usize, const M: usize> =
    dyn Fn(&mut State<T, N, M, F, P>) -> Result<Report<T, M>, StepError<T>> + 'a;

/// The methods that step a model.
pub(super) trait Methods<System: Mechanical<N, M>, F, const N: usize, const M: usize> {
    /// The method's step at this size; `None` where it does not step such a model.
    fn stepping<P: Precision>(
        system: &System,
        method: Method,
        size: StepSize<System::Base>,
    ) -> Option<Box<Stepping<'_, System::Base, F, P, N, M>>>;
}

/// Those for any mass.
pub(super) struct AnyMass;

/// Those for a mass that is constant: all.
pub(super) struct ConstantMasses;

/// The steps of some methods, each made by an expression.
macro_rules! stepping {
    ($method:ident, $system:ident, $otherwise:expr, { $($name:ident => $make:expr,)* }) => {
        match $method {
            $(Method::$name => {
                let method = $make;
                Some(Box::new(move |state: &mut State<_, N, M, F, P>| method.step($system, state)))
            })*
            _ => $otherwise,
        }
    };
}

impl<System, F, const N: usize, const M: usize> Methods<System, F, N, M> for AnyMass
where
    System: Mechanical<N, M>,
    F: SymmetricFactors<System::Base, M>,
{
    fn stepping<P: Precision>(
        system: &System,
        method: Method,
        size: StepSize<System::Base>,
    ) -> Option<Box<Stepping<'_, System::Base, F, P, N, M>>> {
        stepping!(method, system, None, {
            HalfExplicit1 => HalfExplicit::order_one(size),
            HalfExplicit2 => HalfExplicit::order_two(size),
            HalfExplicit3 => HalfExplicit::order_three(size),
            HalfExplicit4 => HalfExplicit::order_four(size),
            RungeKutta4 => RungeKutta4::with_step(size),
            RungeKutta8 => RungeKutta8::with_step(size),
            ImplicitEuler => ImplicitEuler::position_level(size).projecting_velocities(),
        })
    }
}

impl<System, F, const N: usize, const M: usize> Methods<System, F, N, M> for ConstantMasses
where
    System: Mechanical<N, M, Mass: ConstantMass<<System as Mechanical<N, M>>::Base, N>>,
    F: SymmetricFactors<System::Base, M>,
{
    fn stepping<P: Precision>(
        system: &System,
        method: Method,
        size: StepSize<System::Base>,
    ) -> Option<Box<Stepping<'_, System::Base, F, P, N, M>>> {
        stepping!(method, system, AnyMass::stepping(system, method, size), {
            Rattle => Rattle::with_step(size),
            Suzuki => Composition::suzuki(size),
            KahanLi => Composition::kahan_li(size),
            SymplecticEuler => SymplecticEuler::with_step(size),
        })
    }
}

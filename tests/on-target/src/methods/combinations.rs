//! Every method on every system.

use core::fmt;
use core::marker::PhantomData;

use mechanisms::{ByHand, DoublePendulum, FourBar, Pendulum, StiffActuator};
use taut::method::{
    AnyMethod, Bdf2, LocalRungeKutta4, Partitioned, Step, StepError, TwoNodes, every_method, every_method_for_any_mass,
};
use taut::scalar::Float;
use taut::start::{Compensated, Plain};
use taut::system::{ConstantMass, Mechanical};

use super::Precisions;
use super::problem::{Judged, Motion, Problem};
use crate::digits::Digits;

/// Any method on a system in a precision.
pub type MethodOn<'a, System, P, const N: usize, const M: usize> =
    AnyMethod<System, <System as Mechanical<N, M>>::Base, N, M, <System as Problem<N, M>>::Factors, P>;

/// A method on a system in a precision, with what it steps: the state, or something that holds it.
pub struct Stepped<'a, System: Problem<N, M>, P: Digits, Held, R, const N: usize, const M: usize> {
    /// The method.
    pub method: &'a dyn Step<System, Held, Report = R, Error = StepError<System::Base>>,
    /// From a state to what the method steps. BDF2 makes its first step here.
    pub begin: &'a Begin<System, P, Held, N, M>,
    /// The state within.
    pub state: fn(&Held) -> &Motion<System, P, N, M>,
}

/// From a state to what a method steps.
pub type Begin<System, P, Held, const N: usize, const M: usize> =
    dyn Fn(&System, Motion<System, P, N, M>) -> Result<Held, StepError<<System as Mechanical<N, M>>::Base>>;

/// Visits every combination.
pub trait Visitor {
    /// Visits one combination.
    fn visit<System, P, Held, R, const N: usize, const M: usize>(
        &mut self,
        stepped: &Stepped<'_, System, P, Held, R, N, M>,
    ) where
        System: Judged<N, M>,
        P: Digits;
}

/// Visits every combination in a scalar, system by system, in three parts, because together they do not fit into the flash: all methods on
/// small systems, most on the four-bar linkage, and the rest on it.
pub fn visit_all<T: Float, const PART: usize>(precisions: Precisions, visitor: &mut impl Visitor) {
    visit_systems::<T, Plain, PART>(visitor);
    if precisions == Precisions::PlainAndCompensated {
        visit_systems::<T, Compensated, PART>(visitor);
    }
}

fn visit_systems<T: Float, P: Digits, const PART: usize>(visitor: &mut impl Visitor) {
    if PART == 1 {
        visit_methods::<ByHand<FourBar<T>>, P, 9, 8>(visitor);
    } else if PART == 2 {
        visit_more::<ByHand<FourBar<T>>, P, 9, 8>(visitor);
    } else {
        visit_system::<ByHand<Pendulum<T>>, P, 2, 1>(visitor);
        visit_system::<ByHand<DoublePendulum<T>>, P, 4, 2>(visitor);
        visit_system::<StiffActuator<T>, P, 2, 1>(visitor);
    }
}

/// The name of a scalar and a precision in the tables: `plain-f32`.
pub struct Scalar<T, P>(PhantomData<(T, P)>);

impl<T, P> Scalar<T, P> {
    /// The name of these types.
    pub fn name() -> Self {
        Self(PhantomData)
    }
}

impl<T, P: Digits> fmt::Display for Scalar<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", P::NAME, core::any::type_name::<T>())
    }
}

/// Visits every method on a system in a precision.
fn visit_system<System, P, const N: usize, const M: usize>(visitor: &mut impl Visitor)
where
    System: Judged<N, M, Mass: ConstantMass<<System as Mechanical<N, M>>::Base, N>>,
    P: Digits,
{
    visit_methods::<System, P, N, M>(visitor);
    visit_more::<System, P, N, M>(visitor);
}

/// Visits the methods that are not in [`every_method`].
fn visit_more<System, P, const N: usize, const M: usize>(visitor: &mut impl Visitor)
where
    System: Judged<N, M, Mass: ConstantMass<<System as Mechanical<N, M>>::Base, N>>,
    P: Digits,
{
    visitor.visit(&Stepped {
        method: &LocalRungeKutta4::partitioned(),
        begin: &|_: &System, state: Motion<System, P, N, M>| Ok(Partitioned::new(state)),
        state: Partitioned::state,
    });
    visitor.visit(&Stepped {
        method: &LocalRungeKutta4::tangent(),
        begin: &|_: &System, state: Motion<System, P, N, M>| Ok(state),
        state: |state| state,
    });
    visitor.visit(&Stepped {
        method: &Bdf2::new(),
        begin: &|system: &System, state: Motion<System, P, N, M>| Bdf2::new().begin(system, state),
        state: TwoNodes::state,
    });
}

/// Visits the methods of [`every_method`].
pub fn visit_methods<System, P, const N: usize, const M: usize>(visitor: &mut impl Visitor)
where
    System: Judged<N, M, Mass: ConstantMass<<System as Mechanical<N, M>>::Base, N>>,
    P: Digits,
{
    every_method(|method: &MethodOn<'_, System, P, N, M>| {
        visitor.visit(&Stepped { method, begin: &|_, state| Ok(state), state: |state| state });
    });
}

/// The same for a mass that may vary: without RATTLE and its relatives.
pub fn visit_methods_for_any_mass<System, P, const N: usize, const M: usize>(visitor: &mut impl Visitor)
where
    System: Judged<N, M>,
    P: Digits,
{
    every_method_for_any_mass(|method: &MethodOn<'_, System, P, N, M>| {
        visitor.visit(&Stepped { method, begin: &|_, state| Ok(state), state: |state| state });
    });
}

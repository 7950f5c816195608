//! Every method on every system.

use core::fmt;
use core::marker::PhantomData;

use mechanisms::{ByHand, DoublePendulum, FourBar, Pendulum};
use taut::linalg::Ldlt;
use taut::method::{AnyMethod, every_method};
use taut::scalar::Float;
use taut::start::{Compensated, Plain};
use taut::system::Mechanical;

use super::Precisions;
use super::problem::Judged;
use crate::digits::Digits;

/// Any method on a system in a precision.
pub type MethodOn<'a, System, P, const N: usize, const M: usize> =
    AnyMethod<System, <System as Mechanical<N, M>>::Base, N, M, Ldlt<<System as Mechanical<N, M>>::Base, M>, P>;

/// Visits every combination.
pub trait Visitor {
    /// Visits one combination.
    fn visit<System, P, const N: usize, const M: usize>(&mut self, method: &MethodOn<'_, System, P, N, M>)
    where
        System: Judged<N, M>,
        P: Digits;
}

/// Visits every combination in a scalar, system by system.
pub fn visit_all<T: Float>(precisions: Precisions, visitor: &mut impl Visitor) {
    visit_systems::<T, Plain>(visitor);
    if precisions == Precisions::PlainAndCompensated {
        visit_systems::<T, Compensated>(visitor);
    }
}

fn visit_systems<T: Float, P: Digits>(visitor: &mut impl Visitor) {
    visit_methods::<ByHand<Pendulum<T>>, P, 2, 1>(visitor);
    visit_methods::<ByHand<DoublePendulum<T>>, P, 4, 2>(visitor);
    visit_methods::<ByHand<FourBar<T>>, P, 9, 8>(visitor);
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
pub fn visit_methods<System, P, const N: usize, const M: usize>(visitor: &mut impl Visitor)
where
    System: Judged<N, M>,
    P: Digits,
{
    every_method(|method| visitor.visit::<System, P, N, M>(method));
}

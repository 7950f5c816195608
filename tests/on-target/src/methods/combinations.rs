//! Every method on every system.

use core::fmt;
use core::marker::PhantomData;

use systems::{ByHand, DoublePendulum, FourBar, Pendulum};
use taut::method::{Composition, HalfExplicit, ImplicitEuler, Rattle, RungeKutta4, RungeKutta8, SymplecticEuler};
use taut::scalar::Float;
use taut::start::{Compensated, Plain};

use super::Precisions;
use super::method::Method;
use super::problem::Judged;
use crate::digits::Digits;

/// Something to be done with every combination.
pub trait Visitor {
    /// Does it with one of them.
    fn visit<System, Way, P, const N: usize, const M: usize>(&mut self)
    where
        System: Judged<N, M>,
        Way: Method<System::Base>,
        P: Digits;
}

/// Visits every combination in a scalar; the methods of a system follow each other.
pub fn visit_all<T: Float>(precisions: Precisions, visitor: &mut impl Visitor) {
    visit_systems::<T, Plain>(visitor);
    if precisions == Precisions::PlainAndCompensated {
        visit_systems::<T, Compensated>(visitor);
    }
}

fn visit_systems<T: Float, P: Digits>(visitor: &mut impl Visitor) {
    visit_methods::<ByHand<Pendulum<T>>, T, P, 2, 1>(visitor);
    visit_methods::<ByHand<DoublePendulum<T>>, T, P, 4, 2>(visitor);
    visit_methods::<ByHand<FourBar<T>>, T, P, 9, 8>(visitor);
}

/// What the tables call a scalar with so many digits: `plain-f32`.
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

/// Visits a system in a precision with every method.
pub fn visit_methods<System, T, P, const N: usize, const M: usize>(visitor: &mut impl Visitor)
where
    T: Float,
    System: Judged<N, M, Base = T>,
    P: Digits,
{
    visitor.visit::<System, Rattle<T>, P, N, M>();
    visitor.visit::<System, Composition<T, 5>, P, N, M>();
    visitor.visit::<System, Composition<T, 9>, P, N, M>();
    visitor.visit::<System, SymplecticEuler<T>, P, N, M>();
    visitor.visit::<System, HalfExplicit<T, 1>, P, N, M>();
    visitor.visit::<System, HalfExplicit<T, 2>, P, N, M>();
    visitor.visit::<System, HalfExplicit<T, 3>, P, N, M>();
    visitor.visit::<System, HalfExplicit<T, 5>, P, N, M>();
    visitor.visit::<System, RungeKutta4<T>, P, N, M>();
    visitor.visit::<System, RungeKutta8<T>, P, N, M>();
    visitor.visit::<System, ImplicitEuler<T, 3, true>, P, N, M>();
}

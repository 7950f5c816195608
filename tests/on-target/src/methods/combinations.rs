//! Every method on every system.

use systems::{ByHand, DoublePendulum, FourBar, Pendulum};
use taut::method::{Composition, HalfExplicit, ImplicitEuler, Rattle, RungeKutta4, SymplecticEuler};
use taut::scalar::Float;

use super::method::Method;
use super::problem::Judged;

/// Something to be done with every combination.
pub trait Visitor {
    /// Does it with one of them.
    fn visit<System, Way, const N: usize, const M: usize>(&mut self)
    where
        System: Judged<N, M>,
        Way: Method<System::Base>;
}

/// Visits every combination in a precision; the methods of a system follow each other.
pub fn visit_all<T: Float>(visitor: &mut impl Visitor) {
    visit_methods::<ByHand<Pendulum<T>>, T, 2, 1>(visitor);
    visit_methods::<ByHand<DoublePendulum<T>>, T, 4, 2>(visitor);
    visit_methods::<ByHand<FourBar<T>>, T, 9, 8>(visitor);
}

/// The scalar's name.
pub fn scalar<T: Float>() -> &'static str {
    core::any::type_name::<T>()
}

fn visit_methods<System, T, const N: usize, const M: usize>(visitor: &mut impl Visitor)
where
    T: Float,
    System: Judged<N, M, Base = T>,
{
    visitor.visit::<System, Rattle<T>, N, M>();
    visitor.visit::<System, Composition<T, 5>, N, M>();
    visitor.visit::<System, Composition<T, 9>, N, M>();
    visitor.visit::<System, SymplecticEuler<T>, N, M>();
    visitor.visit::<System, HalfExplicit<T, 1>, N, M>();
    visitor.visit::<System, HalfExplicit<T, 2>, N, M>();
    visitor.visit::<System, HalfExplicit<T, 3>, N, M>();
    visitor.visit::<System, HalfExplicit<T, 5>, N, M>();
    visitor.visit::<System, RungeKutta4<T>, N, M>();
    visitor.visit::<System, ImplicitEuler<T, 3, true>, N, M>();
}

//! A model in any form that counts its evaluations: a number with n derivatives counts as n + 1.

use std::cell::Cell;

use taut::linalg::{Matrix, Vector};
use taut::scalar::Real;
use taut::system::{Implicit, IndexThree, SemiExplicit};

/// A model that counts its evaluations.
pub struct Counted<'a, System> {
    system: &'a System,
    pub numbers: Cell<usize>,
}

impl<'a, System> Counted<'a, System> {
    pub fn new(system: &'a System) -> Self {
        Self { system, numbers: Cell::new(0) }
    }

    /// Counts the numbers of a scalar.
    fn count<S>(&self) {
        self.numbers.set(self.numbers.get() + size_of::<S>() / size_of::<f64>());
    }
}

impl<System: SemiExplicit<Y, Z, Base = f64>, const Y: usize, const Z: usize> SemiExplicit<Y, Z>
    for Counted<'_, System>
{
    type Base = f64;
    const INDEX: usize = System::INDEX;

    fn rate<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, Y>, z: &Vector<S, Z>) -> Vector<S, Y> {
        self.count::<S>();
        self.system.rate(t, y, z)
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, Y>, z: &Vector<S, Z>) -> Vector<S, Z> {
        self.count::<S>();
        self.system.constraint(t, y, z)
    }
}

impl<System: Implicit<N, Base = f64>, const N: usize> Implicit<N> for Counted<'_, System> {
    type Base = f64;

    fn mass(&self) -> Matrix<f64, N, N> {
        self.system.mass()
    }
    fn force<S: Real<Base = f64>>(&self, t: S, u: &Vector<S, N>) -> Vector<S, N> {
        self.count::<S>();
        self.system.force(t, u)
    }
}

impl<System: IndexThree<P, Q, C, Base = f64>, const P: usize, const Q: usize, const C: usize> IndexThree<P, Q, C>
    for Counted<'_, System>
{
    type Base = f64;

    fn rate<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, Q>) -> Vector<S, P> {
        self.count::<S>();
        self.system.rate(t, q)
    }
    fn force<S: Real<Base = f64>>(&self, t: S, p: &Vector<S, P>, q: &Vector<S, Q>) -> Vector<S, Q> {
        self.count::<S>();
        self.system.force(t, p, q)
    }
    fn coupling<S: Real<Base = f64>>(&self, t: S, p: &Vector<S, P>, q: &Vector<S, Q>) -> Matrix<S, Q, C> {
        self.count::<S>();
        self.system.coupling(t, p, q)
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, p: &Vector<S, P>) -> Vector<S, C> {
        self.count::<S>();
        self.system.constraint(t, p)
    }
}

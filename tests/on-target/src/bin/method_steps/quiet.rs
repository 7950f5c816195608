//! A system as another type, so that its step shares no code with a step of the system itself.

use taut::linalg::{Matrix, Vector};
use taut::scalar::Real;
use taut::system::{Mechanical, Pattern};

/// The same system, for steps whose caller uses only `is_ok`.
pub struct Quiet<System>(pub System);

impl<System: Mechanical<N, M>, const N: usize, const M: usize> Mechanical<N, M> for Quiet<System> {
    type Base = System::Base;
    type Mass = System::Mass;

    const VELOCITY_DEPENDENT: bool = System::VELOCITY_DEPENDENT;
    const TIME_DEPENDENT: bool = System::TIME_DEPENDENT;

    const PATTERN: Pattern<N, M> = System::PATTERN;

    #[inline(always)]
    fn mass(&self) -> System::Mass {
        self.0.mass()
    }

    #[inline(always)]
    fn force<S: Real<Base = Self::Base>>(&self, t: S, q: &Vector<S, N>, v: &Vector<S, N>) -> Vector<S, N> {
        self.0.force(t, q, v)
    }

    #[inline(always)]
    fn constraint<S: Real<Base = Self::Base>>(&self, t: S, q: &Vector<S, N>) -> Vector<S, M> {
        self.0.constraint(t, q)
    }

    #[inline(always)]
    fn jacobian(&self, t: Self::Base, q: &Vector<Self::Base, N>) -> Matrix<Self::Base, M, N> {
        self.0.jacobian(t, q)
    }

    #[inline(always)]
    fn acceleration_terms(
        &self,
        t: Self::Base,
        q: &Vector<Self::Base, N>,
        v: &Vector<Self::Base, N>,
    ) -> Vector<Self::Base, M> {
        self.0.acceleration_terms(t, q, v)
    }
}

//! Systems with derivatives written by hand.

use taut::linalg::{Matrix, Vector};
use taut::scalar::Real;
use taut::system::{Equations, Mechanical, Pattern};

/// A system with hand-written derivatives.
pub trait HandWritten<const N: usize, const M: usize>: Mechanical<N, M> {
    /// G = ∂g/∂q, by hand.
    fn jacobian_by_hand(&self, t: Self::Base, q: &Vector<Self::Base, N>) -> Matrix<Self::Base, M, N>;

    /// g_qq(v, v), by hand.
    fn acceleration_terms_by_hand(
        &self,
        t: Self::Base,
        q: &Vector<Self::Base, N>,
        v: &Vector<Self::Base, N>,
    ) -> Vector<Self::Base, M>;

    /// All equations at one configuration, by hand. Override it if they share sines.
    #[inline(always)]
    fn equations_by_hand<'a>(
        &'a self,
        t: Self::Base,
        q: &'a Vector<Self::Base, N>,
    ) -> impl Equations<Self::Base, N, M> {
        Separate { system: self, t, q }
    }
}

/// Calls the functions of the system.
struct Separate<'a, System: Mechanical<N, M>, const N: usize, const M: usize> {
    system: &'a System,
    t: System::Base,
    q: &'a Vector<System::Base, N>,
}

impl<System: HandWritten<N, M>, const N: usize, const M: usize> Equations<System::Base, N, M>
    for Separate<'_, System, N, M>
{
    #[inline(always)]
    fn mass_matrix(&self) -> Matrix<System::Base, N, N> {
        self.system.mass_matrix(self.q)
    }

    #[inline(always)]
    fn force(&self, v: &Vector<System::Base, N>) -> Vector<System::Base, N> {
        self.system.force(self.t, self.q, v)
    }

    #[inline(always)]
    fn jacobian(&self) -> Matrix<System::Base, M, N> {
        self.system.jacobian_by_hand(self.t, self.q)
    }

    #[inline(always)]
    fn acceleration_terms(&self, v: &Vector<System::Base, N>) -> Vector<System::Base, M> {
        self.system.acceleration_terms_by_hand(self.t, self.q, v)
    }
}

/// The same system with the hand-written derivatives in place of the automatic ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByHand<System>(pub System);

impl<System: HandWritten<N, M>, const N: usize, const M: usize> Mechanical<N, M> for ByHand<System> {
    type Base = System::Base;
    type Mass = System::Mass;

    const VELOCITY_DEPENDENT: bool = System::VELOCITY_DEPENDENT;
    const TIME_DEPENDENT: bool = System::TIME_DEPENDENT;
    const ANGLES: [bool; N] = System::ANGLES;

    const PATTERN: Pattern<N, M> = System::PATTERN;

    #[inline]
    fn mass(&self) -> System::Mass {
        self.0.mass()
    }

    #[inline]
    fn force<S: Real<Base = Self::Base>>(&self, t: S, q: &Vector<S, N>, v: &Vector<S, N>) -> Vector<S, N> {
        self.0.force(t, q, v)
    }

    #[inline(always)]
    fn constraint<S: Real<Base = Self::Base>>(&self, t: S, q: &Vector<S, N>) -> Vector<S, M> {
        self.0.constraint(t, q)
    }

    #[inline(always)]
    fn jacobian(&self, t: Self::Base, q: &Vector<Self::Base, N>) -> Matrix<Self::Base, M, N> {
        self.0.jacobian_by_hand(t, q)
    }

    #[inline]
    fn acceleration_terms(
        &self,
        t: Self::Base,
        q: &Vector<Self::Base, N>,
        v: &Vector<Self::Base, N>,
    ) -> Vector<Self::Base, M> {
        self.0.acceleration_terms_by_hand(t, q, v)
    }

    #[inline(always)]
    fn equations<'a>(&'a self, t: Self::Base, q: &'a Vector<Self::Base, N>) -> impl Equations<Self::Base, N, M> {
        self.0.equations_by_hand(t, q)
    }
}

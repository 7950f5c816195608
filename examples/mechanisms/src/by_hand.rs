//! Systems with derivatives written by hand.

use taut::linalg::{Matrix, Vector};
use taut::scalar::Real;
use taut::system::{Mechanical, Pattern};

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
}

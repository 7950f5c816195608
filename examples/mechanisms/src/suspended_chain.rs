//! A chain between two supports: a ring that closes through the ground.

use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::Serial;

use crate::HangingChain;

/// A [`HangingChain`] whose last mass hangs on a support at its own height, by one rod more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SuspendedChain<T, const LINKS: usize> {
    /// The masses and the rods before them.
    pub chain: HangingChain<T, LINKS>,
    /// The length of the last rod.
    pub last_length: T,
    /// The distance between the supports.
    pub span: T,
}

impl<T: Float, const LINKS: usize> SuspendedChain<T, LINKS> {
    /// Standard links with a span of three quarters of the length.
    pub fn standard() -> Self {
        let (chain, last_length) = (HangingChain::standard(), T::from_f64(0.1));
        Self { chain, last_length, span: T::from_f64(0.075 * (LINKS + 1) as f64) }
    }

    /// A guess: a parabola that sags by a third of the span.
    pub fn guess() -> [[T; 2]; LINKS] {
        let span = 0.075 * (LINKS + 1) as f64;
        core::array::from_fn(|i| {
            let part = (i + 1) as f64 / (LINKS + 1) as f64;
            [T::from_f64(span * part), T::from_f64(-4.0 / 3.0 * span * part * (1.0 - part))]
        })
    }
}

impl<T: Float, const LINKS: usize> Serial<LINKS, 2, 1> for SuspendedChain<T, LINKS> {
    type Base = T;

    const CLOSED: bool = true;
    const VELOCITY_DEPENDENT: bool = false;
    const RELATIVE: bool = true;

    #[inline(always)]
    fn mass(&self, element: usize) -> Vector<T, 2> {
        self.chain.mass(element)
    }

    #[inline(always)]
    fn force<S: Real<Base = T>>(&self, element: usize, t: S, q: &Vector<S, 2>, v: &Vector<S, 2>) -> Vector<S, 2> {
        self.chain.force(element, t, q, v)
    }

    #[inline(always)]
    fn constraint<S: Real<Base = T>>(
        &self,
        joint: usize,
        before: &Vector<S, 2>,
        behind: &Vector<S, 2>,
    ) -> Vector<S, 1> {
        let length = self.chain.links.get(joint).map_or(self.last_length, |link| link.length);
        let (dx, dy) = (behind.x - before.x, behind.y - before.y);
        Vector::from([(dx * dx + dy * dy - length * length) * T::from_f64(0.5)])
    }

    #[inline(always)]
    fn far_ground<S: Real<Base = T>>(&self, _t: S) -> Vector<S, 2> {
        Vector::from([S::from(self.span), S::zero()])
    }

    #[inline(always)]
    fn gradients(&self, joint: usize, before: &Vector<T, 2>, behind: &Vector<T, 2>) -> [Matrix<T, 1, 2>; 2] {
        self.chain.gradients(joint, before, behind)
    }
}

//! A planar chain of point masses on rods, in linear memory: open, or with both ends on the ground.

use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::Serial;

/// `LINKS` point masses on rods, hanging from the origin; the serial form of [`Chain`](crate::Chain).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HangingChain<T, const LINKS: usize> {
    /// Each mass and the length of the rod before it.
    pub links: [ChainLink<T>; LINKS],
    /// The acceleration of gravity.
    pub gravity: T,
}

/// A mass, and the rod before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainLink<T> {
    /// The mass in kilograms.
    pub mass: T,
    /// The length of the rod in metres.
    pub length: T,
}

impl<T: Float, const LINKS: usize> HangingChain<T, LINKS> {
    /// Masses of 0.1 kg on rods of 0.1 m, under 9.81 m/s².
    pub fn standard() -> Self {
        let link = ChainLink { mass: T::from_f64(0.1), length: T::from_f64(0.1) };
        Self { links: [link; LINKS], gravity: T::from_f64(9.81) }
    }

    /// A link; zero mass and length for an index beyond the last. An index in brackets could link a panic: the compiler does not always
    /// see that it is valid.
    #[inline(always)]
    fn link(&self, index: usize) -> ChainLink<T> {
        self.links.get(index).copied().unwrap_or(ChainLink { mass: T::zero(), length: T::zero() })
    }

    /// Straight, 45° below the horizontal.
    pub fn position() -> [[T; 2]; LINKS] {
        let side = 0.1 * core::f64::consts::FRAC_1_SQRT_2;
        core::array::from_fn(|i| {
            let along = side * (i + 1) as f64;
            [T::from_f64(along), T::from_f64(-along)]
        })
    }
}

impl<T: Float, const LINKS: usize> Serial<LINKS, 2, 1> for HangingChain<T, LINKS> {
    type Base = T;

    const VELOCITY_DEPENDENT: bool = false;
    const RELATIVE: bool = true;

    #[inline(always)]
    fn mass(&self, element: usize) -> Vector<T, 2> {
        Vector::from([self.link(element).mass; 2])
    }

    #[inline(always)]
    fn force<S: Real<Base = T>>(&self, element: usize, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        Vector::from([S::zero(), S::from(-self.link(element).mass * self.gravity)])
    }

    #[inline(always)]
    fn free_acceleration(
        &self,
        _element: usize,
        _t: T,
        _q: &Vector<T, 2>,
        _v: &Vector<T, 2>,
        _inverse_masses: &Vector<T, 2>,
    ) -> Vector<T, 2> {
        Vector::from([T::zero(), -self.gravity])
    }

    #[inline(always)]
    fn constraint<S: Real<Base = T>>(
        &self,
        joint: usize,
        before: &Vector<S, 2>,
        behind: &Vector<S, 2>,
    ) -> Vector<S, 1> {
        let length = self.link(joint).length;
        let (dx, dy) = (behind.x - before.x, behind.y - before.y);
        Vector::from([(dx * dx + dy * dy - length * length) * T::from_f64(0.5)])
    }

    #[inline(always)]
    fn gradients(&self, _joint: usize, before: &Vector<T, 2>, behind: &Vector<T, 2>) -> [Matrix<T, 1, 2>; 2] {
        let (dx, dy) = (behind.x - before.x, behind.y - before.y);
        [Matrix::<T, 1, 2>::new(-dx, -dy), Matrix::<T, 1, 2>::new(dx, dy)]
    }
}

//! Planar bars joined by pins, as rigid bodies: open, or closed to a ring through the ground.

use taut::linalg::Vector;
use taut::scalar::{Float, Real};
use taut::system::Serial;

/// `BARS` uniform bars of 0.1 kg and 0.2 m. q = (x, y, θ) of each: its centre and its angle. The first is pinned to a support that may
/// swing, and if `CLOSED` the last to another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PinnedBars<T, const BARS: usize, const CLOSED: bool> {
    /// The acceleration of gravity.
    pub gravity: T,
    /// The damping of every coordinate, in newtons per metre per second.
    pub damping: T,
    /// The amplitude of the first support, which moves as sin t along x.
    pub swing: T,
    /// The distance between the supports.
    pub span: T,
}

const MASS: f64 = 0.1;
const HALF: f64 = 0.1;

impl<T: Float, const BARS: usize, const CLOSED: bool> PinnedBars<T, BARS, CLOSED> {
    /// Without damping, on fixed supports.
    pub fn standard() -> Self {
        let span = if CLOSED { T::from_f64(0.15 * BARS as f64) } else { T::zero() };
        Self { gravity: T::from_f64(9.81), damping: T::zero(), swing: T::zero(), span }
    }

    /// A guess: open, all bars horizontal; closed, an arc between the supports.
    pub fn guess() -> [[T; 3]; BARS] {
        let mut end = [0.0, 0.0];
        core::array::from_fn(|i| {
            let turn = (i as f64 + 0.5) / BARS as f64 * 2.0 - 1.0;
            let angle = if CLOSED { 1.2 * turn } else { 0.0 };
            let (sin, cos) = Real::sin_cos(angle);
            let centre = [end[0] + HALF * cos, end[1] + HALF * sin];
            end = [end[0] + 2.0 * HALF * cos, end[1] + 2.0 * HALF * sin];
            [centre[0], centre[1], angle].map(T::from_f64)
        })
    }
}

impl<T: Float, const BARS: usize, const CLOSED: bool> Serial<BARS, 3, 2> for PinnedBars<T, BARS, CLOSED> {
    type Base = T;

    const CLOSED: bool = CLOSED;
    const ANGLES: [bool; 3] = [false, false, true];

    #[inline]
    fn mass(&self, _element: usize) -> Vector<T, 3> {
        Vector::from([MASS, MASS, MASS * HALF * HALF / 3.0].map(T::from_f64))
    }

    #[inline]
    fn force<S: Real<Base = T>>(&self, _element: usize, _t: S, _q: &Vector<S, 3>, v: &Vector<S, 3>) -> Vector<S, 3> {
        let weight = S::from(-self.gravity * T::from_f64(MASS));
        Vector::from([v.x * -self.damping, v.y * -self.damping + weight, v.z * -self.damping * T::from_f64(1e-3)])
    }

    /// The end of the bar before is the begin of the bar behind.
    #[inline]
    fn constraint<S: Real<Base = T>>(
        &self,
        joint: usize,
        before: &Vector<S, 3>,
        behind: &Vector<S, 3>,
    ) -> Vector<S, 2> {
        let half = T::from_f64(HALF);
        let mut gap = [behind.x - before.x, behind.y - before.y];
        if joint > 0 {
            let (sin, cos) = before.z.sin_cos();
            gap = [gap[0] - cos * half, gap[1] - sin * half];
        }
        if joint < BARS {
            let (sin, cos) = behind.z.sin_cos();
            gap = [gap[0] - cos * half, gap[1] - sin * half];
        }
        Vector::from(gap)
    }

    #[inline]
    fn ground<S: Real<Base = T>>(&self, t: S) -> Vector<S, 3> {
        Vector::from([t.sin() * self.swing, S::zero(), S::zero()])
    }

    #[inline]
    fn far_ground<S: Real<Base = T>>(&self, _t: S) -> Vector<S, 3> {
        Vector::from([S::from(self.span), S::zero(), S::zero()])
    }
}

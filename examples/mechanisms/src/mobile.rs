//! A planar tree of point masses on rods, in linear memory.

use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Parents, Serial};

/// `MASSES` point masses of 0.1 kg. Two rods of 0.1 m hang from each; the first hangs from the origin. q = (x, y) of each mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mobile<T, const MASSES: usize> {
    /// The acceleration of gravity.
    pub gravity: T,
    /// The length of every rod.
    pub length: T,
}

const MASS: f64 = 0.1;

impl<T: Float, const MASSES: usize> Mobile<T, MASSES> {
    /// Under 9.81 m/s².
    pub fn standard() -> Self {
        Self { gravity: T::from_f64(9.81), length: T::from_f64(0.1) }
    }

    /// Each pair of rods spread, the right one wider.
    pub fn position() -> [[T; 2]; MASSES] {
        let mut q = [[0.0; 2]; MASSES];
        for i in 0..MASSES {
            let [x, y] = Self::PARENTS.before(i).and_then(|before| q.get(before)).copied().unwrap_or_default();
            let (across, down) = if i % 2 == 1 { (-0.028, 0.096) } else { (0.06, 0.08) };
            q[i] = [x + across, y - down];
        }
        q.map(|q| q.map(T::from_f64))
    }
}

impl<T: Float, const MASSES: usize> Serial<MASSES, 2, 1> for Mobile<T, MASSES> {
    type Base = T;

    const VELOCITY_DEPENDENT: bool = false;
    const RELATIVE: bool = true;
    /// 1 and 2 hang from 0, 3 and 4 from 1, 5 and 6 from 2, …
    const PARENTS: Parents<MASSES> = {
        let (mut before, mut i) = ([None; MASSES], 1);
        while i < MASSES {
            before[i] = Some((i - 1) / 2);
            i += 1;
        }
        Parents::of(before)
    };

    #[inline(always)]
    fn mass(&self, _element: usize) -> Vector<T, 2> {
        Vector::from([T::from_f64(MASS); 2])
    }

    #[inline(always)]
    fn force<S: Real<Base = T>>(&self, _element: usize, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        Vector::from([S::zero(), S::from(-self.gravity * T::from_f64(MASS))])
    }

    #[inline(always)]
    fn constraint<S: Real<Base = T>>(
        &self,
        _joint: usize,
        before: &Vector<S, 2>,
        behind: &Vector<S, 2>,
    ) -> Vector<S, 1> {
        let (x, y) = (behind.x - before.x, behind.y - before.y);
        Vector::from([(x * x + y * y - self.length * self.length) * T::from_f64(0.5)])
    }

    #[inline(always)]
    fn gradients(&self, _joint: usize, before: &Vector<T, 2>, behind: &Vector<T, 2>) -> [Matrix<T, 1, 2>; 2] {
        let (x, y) = (behind.x - before.x, behind.y - before.y);
        [Matrix::from([[-x], [-y]]), Matrix::from([[x], [y]])]
    }
}

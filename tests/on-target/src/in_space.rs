//! A serial mechanism with constraints that depend on each other.

use mechanisms::SuspendedChain;
use nalgebra::vector;
use taut::linalg::Vector;
use taut::scalar::{Float, Real};
use taut::system::Serial;

/// A planar chain between two supports, described in space: its rods, and z behind = z before at every joint. The last of these follows
/// from the others.
#[derive(Clone, Copy)]
pub struct InSpace<T, const LINKS: usize>(pub SuspendedChain<T, LINKS>);

impl<T: Float, const LINKS: usize> InSpace<T, LINKS> {
    /// The chain hangs as in the plane.
    pub fn guess() -> [[T; 3]; LINKS] {
        SuspendedChain::<T, LINKS>::guess().map(|[x, y]| [x, y, T::zero()])
    }
}

impl<T: Float, const LINKS: usize> Serial<LINKS, 3, 2> for InSpace<T, LINKS> {
    type Base = T;

    const CLOSED: bool = true;
    const REDUNDANT: bool = true;

    fn mass(&self, element: usize) -> Vector<T, 3> {
        let [x, y] = self.0.mass(element).into();
        vector![x, y, x]
    }
    fn force<S: Real<Base = T>>(&self, element: usize, t: S, q: &Vector<S, 3>, v: &Vector<S, 3>) -> Vector<S, 3> {
        let [x, y] = self.0.force(element, t, &vector![q.x, q.y], &vector![v.x, v.y]).into();
        vector![x, y, S::zero()]
    }
    fn constraint<S: Real<Base = T>>(
        &self,
        joint: usize,
        before: &Vector<S, 3>,
        behind: &Vector<S, 3>,
    ) -> Vector<S, 2> {
        let rod = self.0.constraint(joint, &vector![before.x, before.y], &vector![behind.x, behind.y])[0];
        vector![rod, behind.z - before.z]
    }
    fn far_ground<S: Real<Base = T>>(&self, t: S) -> Vector<S, 3> {
        let [x, y] = self.0.far_ground(t).into();
        vector![x, y, S::zero()]
    }
}

//! What a step tells about itself.

use crate::linalg::{Vector, magnitude};
use crate::scalar::Float;

/// What a successful step tells.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "a report that nobody reads hides a loss of accuracy"]
pub struct Report<T, const M: usize> {
    /// The multipliers λ where the step began, to second order in h.
    pub multipliers: Vector<T, M>,
    /// g(t, q) where the step ended.
    pub position_residual: Vector<T, M>,
    /// G v + g_t where the step ended.
    pub velocity_residual: Vector<T, M>,
    /// g(t, q) before the first Newton iteration: what the iterations had to remove.
    pub predicted_residual: Vector<T, M>,
    /// The number of independent constraints where the step ended.
    pub rank: u16,
    /// The smallest pivot of G M⁻¹ Gᵀ where the step ended.
    pub smallest_pivot: T,
    /// The Newton iterations made, always the same number.
    pub iterations: u16,
}

impl<T: Float, const M: usize> Report<T, M> {
    /// The mean factor by which an iteration has shrunk the residual; near or above one it does not converge, or the
    /// residual was round-off from the beginning.
    pub fn contraction(&self) -> T {
        let first = magnitude(&self.predicted_residual);
        let last = magnitude(&self.position_residual);
        if first == T::zero() || self.iterations == 0 {
            return T::zero();
        }
        if last == T::zero() {
            return T::zero();
        }
        ((last / first).ln() / T::from_f64(f64::from(self.iterations))).exp()
    }
}

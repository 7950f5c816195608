//! The report of a step.

use crate::linalg::{Vector, magnitude};
use crate::scalar::Float;

/// The result of a successful step, besides the new state: multipliers, residuals, rank.
///
/// ```
/// # use mechanisms::DoublePendulum;
/// use taut::method::{Rattle, Step};
/// use taut::start::{Clock, Start};
///
/// let system = DoublePendulum::<f64>::standard();
/// let mut state = Start::at(&system, Clock::at_rate(100.0)?, [0.0, -1.0, 0.0, -2.0]).moving([1.0, 0.0, 0.0, 0.0])?;
/// let report = Rattle::new().step(&system, &mut state)?;
/// // The upper rod carries both weights, and the centrifugal force.
/// assert!((report.multipliers[0] - (2.0 * 9.81 + 3.0)).abs() < 1e-12);
/// assert_eq!(report.rank, 2);
/// assert!(report.contraction() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report<T, const M: usize> {
    /// The multipliers λ. RATTLE, its compositions, half-explicit methods and Runge–Kutta give those where the step **began**, to order 2
    /// at least (half-explicit Euler: 1). Symplectic and implicit Euler, BDF2 and Radau IIA give those where it **ended**, to their order.
    ///
    /// In methods that determine them from the position constraint, round-off enters as ε/h² in a plain state and as ε v/h in a
    /// compensated one; see [`precision`](crate::start::precision).
    pub multipliers: Vector<T, M>,
    /// g(t, q) where the step ended.
    pub position_residual: Vector<T, M>,
    /// G v + g_t where the step ended.
    pub velocity_residual: Vector<T, M>,
    /// g(t, q) before the first Newton iteration.
    pub predicted_residual: Vector<T, M>,
    /// The number of independent constraints where the step ended.
    pub rank: u16,
    /// The smallest pivot of G M⁻¹ Gᵀ where the step ended, in its units. The limit of a pivot is relative to its diagonal entry.
    pub smallest_pivot: T,
    /// The number of Newton iterations; it is fixed.
    pub iterations: u16,
}

#[cfg(feature = "defmt")]
impl<T: defmt::Format, const M: usize> defmt::Format for Report<T, M> {
    fn format(&self, fmt: defmt::Formatter<'_>) {
        defmt::write!(
            fmt,
            "multipliers {} position {} velocity {} rank {} pivot {}",
            &self.multipliers.data.0[0][..],
            &self.position_residual.data.0[0][..],
            &self.velocity_residual.data.0[0][..],
            self.rank,
            self.smallest_pivot
        );
    }
}

impl<T: Float, const M: usize> Report<T, M> {
    /// The mean factor by which an iteration has reduced the residual. Near or above one, Newton does not converge, or the residual was
    /// round-off from the beginning.
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

//! The state of a mechanical system: positions, velocities, clock, and the geometry of its constraints.

use super::begin::all_finite;
use super::clock::Clock;
use super::error::{Part, StartError};
use super::precision::{Compensated, Coordinates, Precision};
use super::saved::Saved;
use crate::linalg::{Ldlt, Matrix, SymmetricFactors, Vector};
use crate::project::Correction;
use crate::scalar::Float;
use crate::system::{Equations, Inertia, Mass, Mechanical};

/// The state of a system with `N` coordinates and `M` constraints, on its constraints.
///
/// [`Start`](super::Start) and [`Saved::restore`] make one. Methods and [`resume`](super::resume) change it. `F` are the factors of G M⁻¹ Gᵀ: [`Ldlt`] for independent
/// constraints, [`Semidefinite`](crate::linalg::Semidefinite) for redundant ones. `P` is the number of digits it carries.
///
/// It caches the geometry at its node, M⁻¹ Gᵀ and the factors of G M⁻¹ Gᵀ, but no forces: an input that changes between two steps acts at
/// once. After a change of the mass or of the constraints, call [`resume`](super::resume).
///
/// ```
/// # use mechanisms::Pendulum;
/// use taut::method::{Rattle, Step};
/// use taut::start::{Clock, Start};
///
/// let pendulum = Pendulum::<f64>::standard();
/// let mut state = Start::at(&pendulum, Clock::at_rate(1_000.0)?, [1.0, 0.0]).at_rest()?;
/// Rattle::new().step(&pendulum, &mut state)?;
/// assert_eq!(state.clock().tick(), 1);
/// // The rod pulls with m v²/l and the weight along it.
/// let pull = state.velocity().norm_squared() - 9.81 * state.position().y;
/// assert!((state.multipliers(&pendulum)?[0] - pull).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct State<T: Float, const N: usize, const M: usize, F = Ldlt<T, M>, P: Precision = Compensated> {
    pub(crate) node: Node<T, N, M, F, P>,
    pub(crate) clock: Clock<T>,
    /// The limit of the residual of each position constraint.
    pub(crate) limits: Vector<T, M>,
    /// The weights of the squared residuals in the fast check of a step; see [`residual_weights`].
    pub(crate) residual_weights: Vector<T, M>,
    /// The one-sided multipliers where the last step ended; after a start, those of the acceleration level.
    pub(crate) multipliers: Vector<T, M>,
    /// The distance from a constraint, in the units of the coordinates, from which `limits` were computed.
    pub(crate) limit: T,
    /// Whole turns subtracted from the coordinates that are angles.
    pub(crate) turns: [i32; N],
}

/// Positions, velocities and the correction along the gradients at a node: a step leads from one node to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<T: Float, const N: usize, const M: usize, F, P: Precision> {
    pub(crate) q: Coordinates<T, N, P>,
    pub(crate) v: Coordinates<T, N, P>,
    pub(crate) correction: Correction<T, N, M, F>,
    pub(crate) last_residual: P::Low<T, M>,
}

/// The weights 2/limit² of squared residuals: if the weighted squares add up to less than one, each residual is below its limit. The
/// factor 2 leaves room for round-off. A single residual needs no weight; its entry is the bound limit²/2 of its square.
#[inline]
pub(crate) fn residual_weights<T: Float, const M: usize>(limits: &Vector<T, M>) -> Vector<T, M> {
    let two = T::one() + T::one();
    limits.map(|limit| if M == 1 { limit * limit / two } else { two / (limit * limit) })
}

impl<T: Float, const N: usize, const M: usize, F: Copy, P: Precision> State<T, N, M, F, P> {
    /// The positions q.
    #[inline]
    pub fn position(&self) -> &Vector<T, N> {
        self.node.q.rounded()
    }

    /// The velocities v.
    #[inline]
    pub fn velocity(&self) -> &Vector<T, N> {
        self.node.v.rounded()
    }

    /// The positions with all digits.
    #[inline]
    pub fn full_position(&self) -> &Coordinates<T, N, P> {
        &self.node.q
    }

    /// The velocities with all digits.
    #[inline]
    pub fn full_velocity(&self) -> &Coordinates<T, N, P> {
        &self.node.v
    }

    /// The clock: tick, time and step size.
    #[inline]
    pub fn clock(&self) -> &Clock<T> {
        &self.clock
    }

    /// The clock, to move its epoch, to give it a period or another step size.
    #[inline]
    pub fn clock_mut(&mut self) -> &mut Clock<T> {
        &mut self.clock
    }

    /// M⁻¹ Gᵀ and the factors of G M⁻¹ Gᵀ at this state, with rank and pivots.
    #[inline]
    pub fn correction(&self) -> &Correction<T, N, M, F> {
        &self.node.correction
    }

    /// The limit of the residual of each position constraint. A step that ends above it fails.
    #[inline]
    pub fn limits(&self) -> &Vector<T, M> {
        &self.limits
    }

    /// The whole turns subtracted from each coordinate that is an [angle](crate::system::Mechanical::ANGLES): the full angle is
    /// q + 2π turns.
    #[inline]
    pub fn turns(&self) -> &[i32; N] {
        &self.turns
    }

    /// Everything needed to continue the run later, with a checksum; see [`Saved::restore`]. Costs about 300 instructions a number.
    pub fn save(&self) -> Saved<T, N, M, P> {
        let Node { q, v, last_residual, .. } = self.node;
        let Self { multipliers, limits, limit, .. } = *self;
        let Clock { tick, next_multipliers_weight, size, origin, epoch, period } = self.clock;
        Saved {
            q,
            v,
            last_residual,
            multipliers,
            next_multipliers_weight,
            limits,
            turns: Vector::from(self.turns),
            tick,
            step: size.h,
            epoch,
            origin,
            period,
            limit,
            version: 0,
            checksum: 0,
        }
        .sealed()
    }
}

impl<T: Float, const N: usize, const M: usize, F: SymmetricFactors<T, M>, P: Precision> State<T, N, M, F, P> {
    /// The multipliers λ at this state, from the acceleration level: G M⁻¹ Gᵀ λ = G M⁻¹ f + g_qq(v, v) + 2 g_qt v + g_tt. They have the
    /// full order of the method. Costs an evaluation of the forces and of G, and a factorisation of M if it varies.
    pub fn multipliers<System>(&self, system: &System) -> Result<Vector<T, M>, StartError<T>>
    where
        System: Mechanical<N, M, Base = T>,
    {
        let t = self.clock.time_after::<P>(0).high;
        let jacobian = system.jacobian(t, self.position());
        acceleration_multipliers(system, t, self.position(), self.velocity(), &jacobian, &self.node.correction)
    }
}

/// The multipliers of the acceleration level.
pub(super) fn acceleration_multipliers<System, T, const N: usize, const M: usize, F>(
    system: &System,
    t: T,
    q: &Vector<T, N>,
    v: &Vector<T, N>,
    jacobian: &Matrix<T, M, N>,
    correction: &Correction<T, N, M, F>,
) -> Result<Vector<T, M>, StartError<T>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    let equations = system.equations(t, q);
    let inertia = system.mass().inertia(|| equations.mass_matrix()).map_err(StartError::Mass)?;
    let force = equations.force(v);
    all_finite(Part::Force, &force)?;
    let acceleration = inertia.acceleration(&force);
    all_finite(Part::Force, &acceleration)?;
    let multipliers = correction.multipliers::<System>(&(jacobian * acceleration + equations.acceleration_terms(v)));
    // Twice a multiplier must be finite, too: a step takes the mean of two from their difference.
    all_finite(Part::Multiplier, &(multipliers + multipliers))?;
    Ok(multipliers)
}

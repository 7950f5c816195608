//! Half-explicit Runge–Kutta methods on the velocity level (index 2), order 1 to 4.
//!
//! ```text
//!     Q₁ = q_n, V₁ = v_n;  for i = 1 … s, with the coefficients of stage i + 1 (those of the end for i = s):
//!     Q_i₊₁ = q_n + h Σ a_i₊₁,ⱼ V_j
//!     V_i₊₁ = v_n + h Σ a_i₊₁,ⱼ V'_j,   M V'_i = f(Q_i, V_i) − G(Q_i)ᵀ Λ_i,   Λ_i such that G(Q_i₊₁) V_i₊₁ + g_t = 0
//! ```
//!
//! (Hairer, Lubich and Roche 1989.) Explicit in everything but the multipliers, for which each stage solves one linear system
//! with G(Q_i₊₁) M⁻¹ G(Q_i)ᵀ. The velocity constraint holds at every stage. The position constraint drifts, which the
//! projection (Hairer & Wanner VII.2, (2.10)) mends: positions of the end do not depend on its multipliers, so they are
//! projected first and the velocity is consistent with where they land.
//!
//! Order 1 to 4 in positions and velocities, and in the multipliers of the acceleration level that the report gives for the
//! start of the step. Works with a mass that varies. Choose them where the velocity constraint must hold within the step, or
//! where the second-derivative terms that [`RungeKutta4`](super::RungeKutta4) needs are dear.

use super::acceleration::acceleration;
use super::error::StepError;
use super::report::Report;
use super::size::{InvalidStep, StepSize};
use super::stage::{Stage, enter, not_factorised, not_finite, not_reached};
use crate::linalg::{GeneralFactors, Matrix, Pivots, SymmetricFactors, Vector, subtract_product, sum_of_products};
use crate::project::{Correction, Level, within};
use crate::scalar::Float;
use crate::start::{Approach, Moving, Precision, State};
use crate::system::{Inertia, Mechanical};

/// A half-explicit method of `S` stages at a fixed step, with or without projection onto the positions.
///
/// ```
/// # use systems::Pendulum;
/// use taut::method::HalfExplicit;
/// use taut::start::Start;
///
/// let pendulum = Pendulum::<f64>::standard();
/// let order_three = HalfExplicit::order_three_at_rate(1_000.0)?;
/// let mut state = Start::at(&pendulum, [1.0, 0.0]).at_rest()?;
/// for _ in 0..1_000 {
///     let report = order_three.step(&pendulum, &mut state)?;
///     assert!(report.velocity_residual[0].abs() < 1e-14);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HalfExplicit<T, const S: usize, const PROJECT: bool = true> {
    pub(super) size: StepSize<T>,
    /// a₂, a₃, …, a_s, b.
    pub(super) rows: [[T; S]; S],
    /// c₂, c₃, …, c_s, 1.
    pub(super) nodes: [T; S],
}

/// √6, for the method of order 4.
const ROOT: f64 = 2.449_489_742_783_178;

macro_rules! order {
    ($stages:literal, $name:ident, $at_rate:ident, $order:literal, nodes: $nodes:expr, rows: $rows:expr) => {
        impl<T: Float> HalfExplicit<T, $stages> {
            #[doc = concat!("Order ", $order, ".")]
            pub fn $name(size: StepSize<T>) -> Self {
                let nodes: [f64; $stages] = $nodes;
                let rows: [[f64; $stages]; $stages] = $rows;
                Self { size, rows: rows.map(|row| row.map(T::from_f64)), nodes: nodes.map(T::from_f64) }
            }

            #[doc = concat!("Order ", $order, " at this rate, in hertz.")]
            pub fn $at_rate(rate: T) -> Result<Self, InvalidStep<T>> {
                Ok(Self::$name(StepSize::at_rate(rate)?))
            }
        }
    };
}

order!(1, order_one, order_one_at_rate, "1, half-explicit Euler", nodes: [1.0], rows: [[1.0]]);
order!(2, order_two, order_two_at_rate, "2", nodes: [0.5, 1.0], rows: [[0.5, 0.0], [0.0, 1.0]]);
order!(3, order_three, order_three_at_rate, "3",
    nodes: [1.0 / 3.0, 1.0, 1.0],
    rows: [[1.0 / 3.0, 0.0, 0.0], [-1.0, 2.0, 0.0], [0.0, 0.75, 0.25]]);
order!(5, order_four, order_four_at_rate, "4, five stages",
nodes: [0.3, (4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0, 1.0, 1.0],
rows: [
    [0.3, 0.0, 0.0, 0.0, 0.0],
    [(1.0 + ROOT) / 30.0, (11.0 - 4.0 * ROOT) / 30.0, 0.0, 0.0, 0.0],
    [(-79.0 - 31.0 * ROOT) / 150.0, (-1.0 - 4.0 * ROOT) / 30.0, (24.0 + 11.0 * ROOT) / 25.0, 0.0, 0.0],
    [(14.0 + 5.0 * ROOT) / 6.0, (-8.0 + 7.0 * ROOT) / 6.0, (-9.0 - 7.0 * ROOT) / 4.0, (9.0 - ROOT) / 4.0, 0.0],
    [0.0, 0.0, (16.0 - ROOT) / 36.0, (16.0 + ROOT) / 36.0, 1.0 / 9.0],
]);

impl<T: Float, const S: usize, const PROJECT: bool> HalfExplicit<T, S, PROJECT> {
    /// Without projection: the positions drift off their constraint, until it is an error.
    pub fn without_projection(self) -> HalfExplicit<T, S, false> {
        let Self { size, rows, nodes } = self;
        HalfExplicit { size, rows, nodes }
    }

    /// The step size.
    pub fn step_size(&self) -> T {
        self.size.get()
    }

    /// Makes a step; on an error the state is as it was.
    #[inline]
    pub fn step<System, const N: usize, const M: usize, F, P>(
        &self,
        system: &System,
        state: &mut State<T, N, M, F, P>,
    ) -> Result<Report<T, M>, StepError<T>>
    where
        System: Mechanical<N, M, Base = T>,
        F: SymmetricFactors<T, M>,
        P: Precision,
    {
        let h = self.size.h;
        let (tick, node) = (state.clock.tick, &state.node);
        let times = [0, 1].map(|ahead| state.clock.time::<P>(ahead, h));
        let [t, t_end] = times.map(|time| time.high);
        let iterations = if PROJECT { T::NEWTON_ITERATIONS } else { 0 };
        enter(system, node, times[0], &state.limits, tick)?;

        // Where a stage begins: time, position, velocity, Jacobian.
        let (mut t_here, mut q_here, mut v_here) = (t, *node.q.rounded(), *node.v.rounded());
        let mut jacobian = system.jacobian(t, &q_here);
        let inertia = system.inertia(&q_here).map_err(|cause| StepError::Mass { tick, cause })?;
        let place = (t, &q_here, &v_here);
        let (_, multipliers) = acceleration(system, &inertia, &node.correction, &jacobian, place, None);

        let mut velocities = [Vector::<T, N>::zeros(); S];
        let mut accelerations = [Vector::<T, N>::zeros(); S];
        let mut impulse = Vector::<T, M>::zeros();
        let mut velocity = node.v.depart();
        let mut q_next = node.q;
        let (mut predicted_residual, mut residual) = (Vector::zeros(), Vector::zeros());
        for i in 0..S {
            let is_last = i + 1 == S;
            let row = &self.rows[i];
            velocities[i] = v_here;
            let t_next = if is_last { t_end } else { times[0].later(self.nodes[i] * h).high };
            if is_last {
                let mean = node.v.depart().by(&(weighted(row, &velocities) - node.v.rounded()));
                let (mut approach, predicted) = P::Approach::<T, N, M>::along(system, times, &node.q, &mean, h);
                (predicted_residual, residual) = (predicted, predicted);
                for _ in 0..iterations {
                    let correction = &node.correction;
                    let multipliers = correction.multipliers(&residual);
                    approach.shift(|x| correction.move_back::<System>(x, &multipliers));
                    residual = approach.residual(system);
                }
                q_next = approach.arrive();
                within(Level::Position, &residual, &state.limits)
                    .map_err(|r| not_reached(r, *q_next.rounded(), tick))?;
            } else {
                q_next = node.q.depart().by(&(weighted(row, &velocities) * h)).arrive();
            }

            // The acceleration without multipliers, then the multipliers that make the next velocity consistent.
            let inertia = system
                .inertia(&q_here)
                .map_err(|cause| not_factorised(StepError::Mass { tick, cause }, q_here, tick))?;
            let mut directions = Matrix::<T, N, M>::zeros();
            inertia.directions(&jacobian, &mut directions);
            accelerations[i] = inertia.acceleration(&system.force(t_here, &q_here, &v_here));
            let jacobian_next = system.jacobian(t_next, q_next.rounded());
            let weight = row[i] * h;
            velocity = node.v.depart().by(&(weighted(row, &accelerations) * h));
            let missing = system.velocity_residual(&jacobian_next, t_next, q_next.rounded(), &velocity.here());
            let factors = F::General::factor(cross(&jacobian_next, &directions), node.correction.rank())
                .map_err(|cause| not_factorised(StepError::Singular { tick, cause }, *q_next.rounded(), tick))?;
            impulse = factors.solve(missing);
            velocity = velocity.shift(|v| subtract_product(v, &directions, &impulse));
            impulse /= weight;
            subtract_product(&mut accelerations[i], &directions, &impulse);

            (t_here, q_here, v_here, jacobian) = (t_next, *q_next.rounded(), velocity.here(), jacobian_next);
        }

        let inertia =
            system.inertia(&q_here).map_err(|cause| not_factorised(StepError::Mass { tick, cause }, q_here, tick))?;
        let mut correction = Correction::blank();
        // Where positions drift, constraints that depend on each other where they hold do not quite do so.
        let most = if PROJECT { M } else { node.correction.rank() };
        correction
            .update(&jacobian, &inertia, most)
            .map_err(|cause| not_factorised(StepError::Singular { tick, cause }, q_here, tick))?;
        let v_next = velocity.arrive();
        let next = Stage {
            pivots: Pivots::accepted(correction.smallest_pivot()),
            first_half: multipliers,
            second_half: impulse,
            predicted_residual,
            position_residual: residual,
            velocity_residual: system.velocity_residual(&jacobian, t_end, &q_here, v_next.rounded()),
            q: q_next,
            v: v_next,
        };
        // Not handed on with `?`, which would copy the error byte by byte, 400 instructions on an M4F.
        if !(next.finite_probe() == T::zero()) {
            return Err(not_finite(*next.q.rounded(), *next.v.rounded(), tick));
        }
        next.check_velocity::<F>(&state.limits, tick)?;
        state.advance::<System>(&next, &correction);
        Ok(next.report(&correction, multipliers, iterations))
    }
}

/// Σ a_j x_j. Stages that are yet to come are zero, in the row as well as in the sum.
#[inline]
fn weighted<T: Float, const S: usize, const N: usize>(row: &[T; S], stages: &[Vector<T, N>; S]) -> Vector<T, N> {
    let mut sum = Vector::zeros();
    for (weight, stage) in row.iter().zip(stages) {
        sum += stage * *weight;
    }
    sum
}

/// G M⁻¹ G'ᵀ of two different configurations, from G of the one and M⁻¹ G'ᵀ of the other.
#[inline]
fn cross<T: Float, const N: usize, const M: usize>(
    jacobian: &Matrix<T, M, N>,
    directions: &Matrix<T, N, M>,
) -> Matrix<T, M, M> {
    let mut matrix = Matrix::zeros();
    for column in 0..M {
        for row in 0..M {
            matrix.data.0[column][row] =
                sum_of_products::<T, N>(|i| (jacobian.data.0[i][row], directions.data.0[column][i]));
        }
    }
    matrix
}

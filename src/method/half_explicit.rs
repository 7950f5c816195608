//! Half-explicit Runge–Kutta methods on the velocity level (index 2), order 1 to 4.
//!
//! ```text
//!     Q₁ = q_n, V₁ = v_n;  for i = 1 … s, with the coefficients of stage i + 1 (those of the end for i = s):
//!     Q_i₊₁ = q_n + h Σ a_i₊₁,ⱼ V_j
//!     V_i₊₁ = v_n + h Σ a_i₊₁,ⱼ V'_j,   M V'_i = f(Q_i, V_i) − G(Q_i)ᵀ Λ_i,   Λ_i such that G(Q_i₊₁) V_i₊₁ + g_t = 0
//! ```
//!
//! (Hairer, Lubich and Roche 1989.) The method is explicit except for the multipliers: each stage solves one linear system with
//! G(Q_i₊₁) M⁻¹ G(Q_i)ᵀ. The velocity constraint holds at every stage. Positions would drift, so the end of the step is projected onto
//! them, before the velocity is computed:
//!
//! ```text
//!     q_n₊₁ = q̃ − M⁻¹ G(q_n)ᵀ ν,   g(t_n₊₁, q_n₊₁) = 0
//! ```
//!
//! This is the projection (2.10) of Hairer & Wanner VII.2 with the gradients at the start of the step, whose factors are known, instead of
//! those at q̃. It saves a factorisation and keeps the order. The energy errors of pendulum and double pendulum after 10 s, with steps of
//! 1 ms and 10 ms, differ between the two by at most 3% for orders 3 and 4, and by at most 10% for orders 1 and 2. (With order 1 and
//! 10 ms the double pendulum fails after 5 s with either.)
//!
//! **Order** 1 to 4 in positions and velocities. The report gives the multipliers of the acceleration level at the start of the step, to
//! the same order.
//!
//! **Preserves** both constraints. It is not symplectic: the energy drifts, with order 1 quickly.
//!
//! **Choose it** if the velocity constraint must hold within the step, or if the second-derivative terms that
//! [`RungeKutta4`](super::RungeKutta4) needs are expensive. It works with a varying mass. [`Rattle`](super::Rattle) is better for long
//! runs, `RungeKutta4` usually for accuracy per instruction.
//!
//! **Cost**, with s stages (1, 2, 3, and 5 for order 4): s + 1 force evaluations, Jacobians and factorisations, and Newton iterations for
//! the position projection only.

use super::acceleration::acceleration;
use super::ending::Ending;
use super::error::StepError;
use super::finite::{is_finite, not_finite};
use super::judge::Judge;
use super::report::Report;
use super::step::Step;
use crate::linalg::{Matrix, Pivots, SymmetricFactors, Vector, subtract_product, sum_of_products};
use crate::project::Correction;
use crate::scalar::Float;
use crate::start::{Precision, State, Time};
use crate::system::{Equations, Inertia, Mass, Mechanical};

/// A half-explicit method of `S` stages, with or without projection onto the positions.
///
/// ```
/// # use mechanisms::Pendulum;
/// use taut::method::{HalfExplicit, Step};
/// use taut::start::{Clock, Start};
///
/// let pendulum = Pendulum::<f64>::standard();
/// let order_three = HalfExplicit::order_three();
/// let mut state = Start::at(&pendulum, Clock::at_rate(1_000.0)?, [1.0, 0.0]).at_rest()?;
/// for _ in 0..1_000 {
///     let report = order_three.step(&pendulum, &mut state)?;
///     assert!(report.velocity_residual[0].abs() < 1e-14);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HalfExplicit<T, const S: usize, const PROJECT: bool = true> {
    /// a₂, a₃, …, a_s, b.
    pub(super) rows: [[T; S]; S],
    /// c₂, c₃, …, c_s, 1.
    pub(super) nodes: [T; S],
}

/// √6, for the method of order 4.
const ROOT: f64 = 2.449_489_742_783_178;

macro_rules! order {
    ($stages:literal, $name:ident, $order:literal, nodes: $nodes:expr, rows: $rows:expr) => {
        impl<T: Float> HalfExplicit<T, $stages> {
            #[doc = concat!("Order ", $order, ".")]
            pub fn $name() -> Self {
                let nodes: [f64; $stages] = $nodes;
                let rows: [[f64; $stages]; $stages] = $rows;
                Self { rows: rows.map(|row| row.map(T::from_f64)), nodes: nodes.map(T::from_f64) }
            }
        }
    };
}

order!(1, order_one, "1, half-explicit Euler", nodes: [1.0], rows: [[1.0]]);
order!(2, order_two, "2", nodes: [0.5, 1.0], rows: [[0.5, 0.0], [0.0, 1.0]]);
order!(3, order_three, "3",
    nodes: [1.0 / 3.0, 1.0, 1.0],
    rows: [[1.0 / 3.0, 0.0, 0.0], [-1.0, 2.0, 0.0], [0.0, 0.75, 0.25]]);
order!(5, order_four, "4, five stages",
nodes: [0.3, (4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0, 1.0, 1.0],
rows: [
    [0.3, 0.0, 0.0, 0.0, 0.0],
    [(1.0 + ROOT) / 30.0, (11.0 - 4.0 * ROOT) / 30.0, 0.0, 0.0, 0.0],
    [(-79.0 - 31.0 * ROOT) / 150.0, (-1.0 - 4.0 * ROOT) / 30.0, (24.0 + 11.0 * ROOT) / 25.0, 0.0, 0.0],
    [(14.0 + 5.0 * ROOT) / 6.0, (-8.0 + 7.0 * ROOT) / 6.0, (-9.0 - 7.0 * ROOT) / 4.0, (9.0 - ROOT) / 4.0, 0.0],
    [0.0, 0.0, (16.0 - ROOT) / 36.0, (16.0 + ROOT) / 36.0, 1.0 / 9.0],
]);

impl<T: Float, const S: usize, const PROJECT: bool> HalfExplicit<T, S, PROJECT> {
    /// Without projection: the positions drift off their constraint, until a step fails with
    /// [`OffConstraint`](StepError::OffConstraint).
    pub fn without_projection(self) -> HalfExplicit<T, S, false> {
        let Self { rows, nodes } = self;
        HalfExplicit { rows, nodes }
    }

    /// By the number of stages; order 4 has five.
    pub(super) const NAME: &'static str = match (S, PROJECT) {
        (1, true) => "half_explicit_1",
        (2, true) => "half_explicit_2",
        (3, true) => "half_explicit_3",
        (_, true) => "half_explicit_4",
        (1, false) => "half_explicit_1_bare",
        (2, false) => "half_explicit_2_bare",
        (3, false) => "half_explicit_3_bare",
        (_, false) => "half_explicit_4_bare",
    };
}

impl<System, T, const N: usize, const M: usize, F, P, const S: usize, const PROJECT: bool>
    Step<System, State<T, N, M, F, P>> for HalfExplicit<T, S, PROJECT>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    type Report = Report<T, M>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        Self::NAME
    }

    #[inline]
    fn step(&self, system: &System, state: &mut State<T, N, M, F, P>) -> Result<Report<T, M>, StepError<T>> {
        let judge = Judge { iterates: PROJECT, ..Judge::at_once(state) };
        let (h, node) = (state.clock.size.h, &state.node);
        let times = state.clock.times::<P>();
        let [Time { high: t, .. }, Time { high: t_end, .. }] = times;
        let iterations = if PROJECT { T::NEWTON_ITERATIONS } else { 0 };
        judge.start(&P::start_residual(system, times[0], &node.q))?;

        let mut velocities = [Vector::<T, N>::zeros(); S];
        let mut accelerations = [Vector::<T, N>::zeros(); S];
        let mut directions = Matrix::<T, N, M>::zeros();
        let mut v_here = *node.v.rounded();
        // The equations at one configuration end a stage and begin the next: G, then M and f at the velocity that G determines.
        let multipliers = {
            let q_here = *node.q.rounded();
            let equations = system.equations(t, &q_here);
            let jacobian = equations.jacobian();
            let inertia = judge.mass(system.mass().inertia(|| equations.mass_matrix()), &q_here)?;
            let (model, place) = ((system, &equations), (t, &q_here, &v_here));
            let (_, multipliers) = acceleration(model, &inertia, &node.correction, &jacobian, place, None);
            inertia.directions(&jacobian, &mut directions);
            accelerations[0] = inertia.acceleration(&equations.force(&v_here));
            multipliers
        };

        let mut correction = Correction::workspace();
        let mut pivots = Pivots::none();
        let mut impulse = Vector::<T, M>::zeros();
        let mut velocity = node.v.begin();
        let mut velocity_residual = Vector::<T, M>::zeros();
        let mut q_next = node.q;
        let (mut predicted_residual, mut residual) = (Vector::zeros(), Vector::zeros());
        for i in 0..S {
            let is_last = i + 1 == S;
            let row = &self.rows[i];
            velocities[i] = v_here;
            let t_next = if is_last { t_end } else { times[0].later(self.nodes[i] * h).high };
            if is_last {
                let mean = node.v.begin().by(&(weighted(row, &velocities) - node.v.rounded()));
                let mut approach = P::predict(system, times, &node.q, &mean, h);
                predicted_residual = approach.predicted_residual;
                residual = predicted_residual;
                for _ in 0..iterations {
                    let multipliers = node.correction.multipliers::<System>(&residual);
                    approach.shift(|x| node.correction.subtract::<System>(x, &multipliers));
                    residual = approach.residual(system);
                }
                q_next = approach.finish();
                judge.position(&residual, q_next.rounded())?;
            } else {
                q_next = node.q.begin().by(&(weighted(row, &velocities) * h)).finish();
            }

            // The multipliers that make the next velocity consistent.
            let q = q_next.rounded();
            let equations = system.equations(t_next, q);
            let jacobian = equations.jacobian();
            let weight = row[i] * h;
            velocity = node.v.begin().by(&(weighted(row, &accelerations) * h));
            let missing = system.velocity_residual(&jacobian, t_next, q, &velocity.here());
            let solved = F::solve_general(cross(&jacobian, &directions), node.correction.rank(), missing);
            impulse = judge.constraints(solved, q)?;
            velocity = velocity.shift(|v| subtract_product(v, &directions, &impulse));
            impulse /= weight;
            subtract_product(&mut accelerations[i], &directions, &impulse);

            v_here = velocity.here();
            let inertia = judge.mass(system.mass().inertia(|| equations.mass_matrix()), q)?;
            if is_last {
                // Off the constraint, redundant constraints look independent: keep the rank of the last node.
                let max_rank = if PROJECT { M } else { node.correction.rank() };
                let made = correction.update::<System>(&jacobian, &inertia, max_rank, &mut pivots);
                judge.constraints(made.and_then(|()| pivots.judge()), q)?;
                velocity_residual = system.velocity_residual(&jacobian, t_end, q, velocity.finish().rounded());
            } else {
                // The acceleration without multipliers.
                inertia.directions(&jacobian, &mut directions);
                // There is a next one; at opt-level "s" the compiler does not see it.
                if let Some(next) = accelerations.get_mut(i + 1) {
                    *next = inertia.acceleration(&equations.force(&v_here));
                }
            }
        }

        let v_next = velocity.finish();
        let ending = Ending {
            pivots,
            first_half: multipliers,
            second_half: impulse,
            predicted_residual,
            position_residual: residual,
            velocity_residual,
            q: q_next,
            v: v_next,
        };
        // `?` would copy the error byte by byte.
        if !is_finite(&ending, false) {
            return Err(not_finite(&ending, judge.tick));
        }
        judge.projected_velocity::<N, P, F>(&ending)?;
        state.advance::<System>(&ending, &correction);
        Ok(ending.report(&correction, multipliers, iterations))
    }
}

/// Σ a_j x_j over the stages; those not yet computed are zero.
#[inline]
pub(super) fn weighted<T: Float, const S: usize, const N: usize>(
    row: &[T; S],
    stages: &[Vector<T, N>; S],
) -> Vector<T, N> {
    let mut sum = Vector::zeros();
    for (weight, stage) in row.iter().zip(stages) {
        sum += stage * *weight;
    }
    sum
}

/// G M⁻¹ G'ᵀ, from G at one configuration and M⁻¹ G'ᵀ at another.
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

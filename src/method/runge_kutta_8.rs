//! The Runge–Kutta method of order 8 of Dormand and Prince, twelve stages on the acceleration level, with projection onto positions and
//! velocities: (2.10) and (2.11) of Hairer & Wanner VII.2, as in [`RungeKutta4`](super::RungeKutta4).
//!
//! ```text
//!     Q_i = q_n + h Σ a_ij V_j,   V_i = v_n + h Σ a_ij A_j,   A_i = a(t_n + c_i h, Q_i, V_i),   i = 1 … 12
//! ```
//!
//! The coefficients are those of DOP853 (Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*, II.5 and II.10), without
//! its error estimates, which a fixed step does not use.
//!
//! **Order** 8 in positions, velocities and multipliers. **Preserves** both constraints. It is not symplectic.
//!
//! **Choose it** in `f64` for errors of 1e-6 and less: its steps can be many times larger than those of order 4. Do not choose it in
//! `f32`: coefficients as large as 43, of both signs, amplify the round-off, and order 4 is more accurate. It works with a varying mass
//! and with forces that use velocities at no extra cost.
//!
//! **Cost**: twelve evaluations of forces and second-derivative terms, 13 Jacobians, twelve factorisations. Figures:
//! [which method when](crate#which-method-when).

use super::error::StepError;
use super::report::Report;
use super::stages::{Stages, Sum};
use super::step::Step;
use crate::linalg::{SymmetricFactors, Vector};
use crate::scalar::Float;
use crate::start::{Precision, State};
use crate::system::Mechanical;

/// The number of stages after the first. The geometry of the first is known.
const LATER: usize = 11;

/// a_ij of those stages.
const COEFFICIENTS: [&[f64]; LATER] = [
    &[0.05260015195876773],
    &[0.0197250569845379, 0.0591751709536137],
    &[0.02958758547680685, 0.0, 0.08876275643042054],
    &[0.2413651341592667, 0.0, -0.8845494793282861, 0.924834003261792],
    &[0.037037037037037035, 0.0, 0.0, 0.17082860872947386, 0.12546768756682242],
    &[0.037109375, 0.0, 0.0, 0.17025221101954405, 0.06021653898045596, -0.017578125],
    &[
        0.03709200011850479,
        0.0,
        0.0,
        0.17038392571223998,
        0.10726203044637328,
        -0.015319437748624402,
        0.008273789163814023,
    ],
    &[
        0.6241109587160757,
        0.0,
        0.0,
        -3.3608926294469414,
        -0.868219346841726,
        27.59209969944671,
        20.154067550477894,
        -43.48988418106996,
    ],
    &[
        0.47766253643826434,
        0.0,
        0.0,
        -2.4881146199716677,
        -0.590290826836843,
        21.230051448181193,
        15.279233632882423,
        -33.28821096898486,
        -0.020331201708508627,
    ],
    &[
        -0.9371424300859873,
        0.0,
        0.0,
        5.186372428844064,
        1.0914373489967295,
        -8.149787010746927,
        -18.52006565999696,
        22.739487099350505,
        2.4936055526796523,
        -3.0467644718982196,
    ],
    &[
        2.273310147516538,
        0.0,
        0.0,
        -10.53449546673725,
        -2.0008720582248625,
        -17.9589318631188,
        27.94888452941996,
        -2.8589982771350235,
        -8.87285693353063,
        12.360567175794303,
        0.6433927460157636,
    ],
];

/// b_i.
const WEIGHTS: [f64; LATER + 1] = [
    0.054293734116568765,
    0.0,
    0.0,
    0.0,
    0.0,
    4.450312892752409,
    1.8915178993145003,
    -5.801203960010585,
    0.3111643669578199,
    -0.1521609496625161,
    0.20136540080403034,
    0.04471061572777259,
];

/// Runge–Kutta of order 8 with projection.
///
/// ```
/// # use mechanisms::Pendulum;
/// use taut::method::{RungeKutta8, Step};
/// use taut::start::{Clock, Start};
///
/// let pendulum = Pendulum::<f64>::standard();
/// let runge_kutta = RungeKutta8::new();
/// let mut state = Start::at(&pendulum, Clock::at_rate(50.0)?, [1.0, 0.0]).at_rest()?;
/// for _ in 0..500 {
///     let report = runge_kutta.step(&pendulum, &mut state)?;
///     assert!(report.position_residual[0].abs() < 1e-15);
/// }
/// let energy = state.velocity().norm_squared() / 2.0 + 9.81 * state.position().y;
/// assert!(energy.abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RungeKutta8<T> {
    stages: [Row<T>; LATER],
    weights: Row<T>,
}

/// The coefficients of a stage after the first, or the weights.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Row<T> {
    /// Their sum: c_i.
    sum: T,
    of_first: T,
    /// The coefficients of the stages after the first; the first `unused` of them are zero.
    of_later: [T; LATER],
    unused: usize,
}

impl<T: Float> Default for RungeKutta8<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Float> RungeKutta8<T> {
    /// With projection onto positions and velocities.
    pub fn new() -> Self {
        Self { stages: COEFFICIENTS.map(Row::of), weights: Row::of(&WEIGHTS) }
    }
}

impl<T: Float> Row<T> {
    fn of(row: &[f64]) -> Self {
        let number = |j: usize| row.get(j).map_or(T::zero(), |number| T::from_f64(*number));
        Self {
            sum: T::from_f64(row.iter().sum()),
            of_first: number(0),
            of_later: core::array::from_fn(|j| number(j + 1)),
            unused: row.iter().skip(1).take_while(|number| **number == 0.0).count(),
        }
    }

    /// h Σ a_j V_j and h Σ a_j A_j over the first `count` later stages.
    #[inline(always)]
    fn sums<const N: usize>(
        &self,
        h: T,
        known: &[(Vector<T, N>, Vector<T, N>); LATER],
        count: usize,
    ) -> (Vector<T, N>, Vector<T, N>) {
        let (mut beyond, mut change) = (Vector::zeros(), Vector::zeros());
        let used = self.unused..count.max(self.unused);
        let coefficients = self.of_later.get(used.clone()).unwrap_or(&[]);
        for (coefficient, (velocity, acceleration)) in coefficients.iter().zip(known.get(used).unwrap_or(&[])) {
            let coefficient = h * *coefficient;
            beyond += velocity * coefficient;
            change += acceleration * coefficient;
        }
        (beyond, change)
    }
}

impl<System, T, const N: usize, const M: usize, F, P> Step<System, State<T, N, M, F, P>> for RungeKutta8<T>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    type Report = Report<T, M>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        "runge_kutta_8"
    }

    #[inline]
    fn step(&self, system: &System, state: &mut State<T, N, M, F, P>) -> Result<Report<T, M>, StepError<T>> {
        let h = state.clock.size.h;
        let mut stages = Stages::from(system, state, None);
        let (a1, first) = stages.first(system, state)?;
        let (q, v) = (state.node.q.rounded(), state.node.v.rounded());
        // For each stage after the first: its velocity minus that of the first, and its acceleration.
        let mut known = [(Vector::zeros(), Vector::zeros()); LATER];
        let mut last = first;
        for (filled, row) in self.stages.iter().enumerate() {
            let (beyond, change) = row.sums(h, &known, filled);
            let time = h * row.sum;
            let (q_here, change) = (q + (v * time + beyond), a1 * (h * row.of_first) + change);
            let t = if filled + 1 == LATER { stages.end() } else { stages.after(time) };
            let (acceleration, multipliers) = stages.stage(system, state, (t, &q_here, &(v + change)))?;
            if let Some(stage) = known.get_mut(filled) {
                *stage = (change, acceleration);
            }
            last = multipliers;
        }
        let (beyond, change) = self.weights.sums(h, &known, LATER);
        let change = a1 * (h * self.weights.of_first) + change;
        let sum = Sum { beyond, change, multipliers: [first, last] };
        stages.project_end::<P, true, true>(system, state, sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Σ b_i c_i^k = 1/(k + 1) for k < 8, and Σ_i b_i Σ_j a_ij c_j^k c_i^l = 1/((k + 1)(k + l + 2)) for k + l < 7.
    #[test]
    fn coefficients_are_of_order_eight() {
        let c: [f64; LATER + 1] =
            core::array::from_fn(|i| i.checked_sub(1).map_or(0.0, |i| COEFFICIENTS[i].iter().sum()));
        // Twelve roundings of terms as large as 43.
        let close = |sum: f64, exact: f64| assert!((sum - exact).abs() < 1e-13, "{sum}, not {exact}");
        for k in 0..8 {
            close((0..12).map(|i| WEIGHTS[i] * c[i].powi(k)).sum(), 1.0 / f64::from(k + 1));
        }
        for k in 0..7 {
            for l in 0..7 - k {
                let sum = (1..12).map(|i| {
                    let row = COEFFICIENTS[i - 1].iter().zip(c);
                    WEIGHTS[i] * c[i].powi(l) * row.map(|(a, c)| a * c.powi(k)).sum::<f64>()
                });
                close(sum.sum(), 1.0 / f64::from((k + 1) * (k + l + 2)));
            }
        }
        close(c[LATER], 1.0);
    }
}

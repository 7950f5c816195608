//! The Runge–Kutta method of order 8 of Dormand and Prince, twelve stages on the acceleration level, with projection onto positions and
//! velocities: (2.10) and (2.11) of Hairer & Wanner VII.2, as in [`RungeKutta4`](super::RungeKutta4).
//!
//! Its coefficients are those of DOP853 (Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*, II.5 and II.10), whose
//! estimates of errors a fixed step has no use for.
//!
//! Order 8 in positions, velocities and multipliers: choose it in `f64`, where an error of a millionth and less is wanted; its steps may
//! be many times as large as those of order 4. In `f32` coefficients as large as 43 and of both signs multiply the round-off, and order 4
//! gets further. It is not symplectic. Works with a mass that varies and with forces that depend on velocities, at no extra cost. The
//! tables under [which method when](crate#which-method-when) have the figures.

use super::error::StepError;
use super::flight::{Flight, Sum};
use super::report::Report;
use super::size::{InvalidStep, StepSize};
use crate::linalg::{SymmetricFactors, Vector};
use crate::scalar::Float;
use crate::start::{Precision, State};
use crate::system::Mechanical;

/// Stages after the first, whose geometry is known.
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

/// Runge–Kutta of order 8 with projection, at a fixed step.
///
/// ```
/// # use systems::Pendulum;
/// use taut::method::RungeKutta8;
/// use taut::start::Start;
///
/// let pendulum = Pendulum::<f64>::standard();
/// let runge_kutta = RungeKutta8::at_rate(50.0)?;
/// let mut state = Start::at(&pendulum, [1.0, 0.0]).at_rest()?;
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
    size: StepSize<T>,
    stages: [Later<T>; LATER],
    /// h b_i; of the first stage, and of those after it.
    weight_of_first: T,
    weights: [T; LATER],
}

/// A stage after the first.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Later<T> {
    /// h c_i.
    time: T,
    /// h a_ij; of the first stage, and of those after it.
    of_first: T,
    coefficients: [T; LATER],
}

impl<T: Float> RungeKutta8<T> {
    /// Steps at this rate, in hertz.
    pub fn at_rate(rate: T) -> Result<Self, InvalidStep<T>> {
        Ok(Self::with_step(StepSize::at_rate(rate)?))
    }

    /// Steps of this size.
    pub fn with_step(size: StepSize<T>) -> Self {
        let times_h = |number: &f64| size.h * T::from_f64(*number);
        let later = |row: &[f64]| core::array::from_fn(|j| row.get(j + 1).map_or(T::zero(), times_h));
        Self {
            size,
            stages: COEFFICIENTS.map(|row| Later {
                time: times_h(&row.iter().sum()),
                of_first: row.first().map_or(T::zero(), times_h),
                coefficients: later(row),
            }),
            weight_of_first: times_h(&WEIGHTS[0]),
            weights: later(&WEIGHTS),
        }
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
        let mut flight = Flight::from(system, state, h, None);
        let (a1, first) = flight.first_stage(system, state)?;
        let (q, v) = (state.node.q.rounded(), state.node.v.rounded());
        // How far the velocities of each stage after the first are from those of the first, and its accelerations.
        let mut known = [(Vector::zeros(), Vector::zeros()); LATER];
        let mut last = first;
        for (filled, Later { time, of_first, coefficients }) in self.stages.iter().enumerate() {
            let (beyond, change) = weighted(coefficients, &known, filled);
            let (q_here, change) = (q + (v * *time + beyond), a1 * *of_first + change);
            let t = if filled + 1 == LATER { flight.end() } else { flight.after(*time) };
            let (acceleration, multipliers) = flight.stage(system, (t, &q_here, &(v + change)))?;
            if let Some(stage) = known.get_mut(filled) {
                *stage = (change, acceleration);
            }
            last = multipliers;
        }
        let (beyond, change) = weighted(&self.weights, &known, LATER);
        let sum = Sum { beyond, change: a1 * self.weight_of_first + change, multipliers: [first, last] };
        flight.land::<P, true, true>(system, state, h, sum)
    }
}

/// The sums of the velocities and of the accelerations of the first `count` stages, times their coefficients.
#[inline(always)]
fn weighted<T: Float, const N: usize>(
    coefficients: &[T; LATER],
    known: &[(Vector<T, N>, Vector<T, N>); LATER],
    count: usize,
) -> (Vector<T, N>, Vector<T, N>) {
    let (mut beyond, mut change) = (Vector::zeros(), Vector::zeros());
    for (coefficient, (velocity, acceleration)) in coefficients.iter().zip(known).take(count) {
        if *coefficient != T::zero() {
            beyond += velocity * *coefficient;
            change += acceleration * *coefficient;
        }
    }
    (beyond, change)
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

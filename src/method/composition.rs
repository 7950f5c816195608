//! Compositions of RATTLE: order 4 (Yoshida 1990, three stages; Suzuki 1990, five stages), order 6 (Kahan and Li 1997, nine
//! stages), or your own coefficients.
//!
//! ```text
//!     a step of size h = RATTLE steps of sizes γ₁ h, γ₂ h, …, γ_s h,    Σ γ_i = 1,    γ_i = γ_s₊₁₋ᵢ, some negative
//! ```
//!
//! **Order** 4 or 6 in positions and velocities. The report gives the multipliers at the start of the step.
//!
//! **Preserves** what [`Rattle`](super::Rattle) does: both constraints at every stage, momentum, symmetry, symplecticity.
//!
//! **Choose it** if the error must be small over a long run. It needs the digits: in plain `f32` round-off hides the higher order. For
//! short runs [`RungeKutta4`](super::RungeKutta4) is cheaper.
//!
//! **Cost**: s RATTLE steps. A force that uses the velocity is evaluated three (order 4) or five (order 6) more times in each stage, to
//! keep the order.

use core::fmt;

use super::error::StepError;
use super::finite::finite;
use super::judge::Judge;
use super::rattle::{Beginning, Stage};
use super::report::Report;
use super::step::Step;
use super::{DEFAULT_ITERATIONS, reach_iterations};
use crate::linalg::SymmetricFactors;
use crate::project::Correction;
use crate::scalar::Float;
use crate::start::{Carried, Node, Precision, State, Time};
use crate::system::{ConstantMass, Inertia, Mechanical};

/// Suzuki: 1/(4 − 4^(1/3)) four times; the middle one completes the sum to one.
const SUZUKI: [f64; 5] = [
    0.414_490_771_794_375_7,
    0.414_490_771_794_375_7,
    -0.657_963_087_177_502_9,
    0.414_490_771_794_375_7,
    0.414_490_771_794_375_7,
];

/// Kahan and Li, nine stages.
const KAHAN_LI: [f64; 9] = [
    0.392_161_444_007_314_1,
    0.332_599_136_789_359_43,
    -0.706_246_172_557_639_3,
    0.082_213_596_293_550_8,
    0.798_543_990_934_83,
    0.082_213_596_293_550_8,
    -0.706_246_172_557_639_3,
    0.332_599_136_789_359_43,
    0.392_161_444_007_314_1,
];

/// Yoshida 1990, three stages: 1/(2 − 2^(1/3)) twice; the middle one completes the sum to one.
const YOSHIDA: [f64; 3] = [1.351_207_191_959_657_6, -1.702_414_383_919_315_3, 1.351_207_191_959_657_6];

/// A composition of RATTLE steps, `S` stages with `K` Newton iterations each.
///
/// ```
/// # use mechanisms::Pendulum;
/// use taut::method::{Composition, Step};
/// use taut::start::{Clock, Start};
///
/// let pendulum = Pendulum::<f64>::standard();
/// let mut state = Start::at(&pendulum, Clock::with_step(0.02)?, [1.0, 0.0]).at_rest()?;
/// for _ in 0..500 {
///     Composition::kahan_li().step(&pendulum, &mut state)?;
/// }
/// let energy = state.velocity().norm_squared() / 2.0 + 9.81 * state.position().y;
/// assert!(energy.abs() < 1e-6);
///
/// // Your own coefficients: two half steps.
/// let halves = Composition::new("two_halves", [0.5, 0.5])?;
/// halves.step(&pendulum, &mut state)?;
/// // They must add up to one.
/// assert!(Composition::<f64, 2>::new("too_far", [0.5, 0.6]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Composition<T, const S: usize, const K: usize = DEFAULT_ITERATIONS> {
    name: &'static str,
    coefficients: [T; S],
    inverses: [T; S],
}

/// Why coefficients do not make a composition.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum InvalidComposition {
    /// A coefficient is NaN, infinite, or smaller than 1/16 in magnitude: 2/h² of its stage could overflow.
    Coefficient {
        /// The stage.
        stage: usize,
        /// Its coefficient.
        given: f64,
    },
    /// The coefficients do not add up to one: the stages would not end where the step ends.
    Sum {
        /// What they add up to.
        sum: f64,
    },
}

impl fmt::Display for InvalidComposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Coefficient { stage, given } => {
                write!(f, "coefficient {stage} is {given:e}; its magnitude must be finite and at least {SMALLEST}")
            }
            Self::Sum { sum } => write!(f, "the coefficients add up to {sum}; they must add up to 1"),
        }
    }
}

impl core::error::Error for InvalidComposition {}

/// The smallest magnitude of a coefficient: 2/h² of its stage is finite for every step size that a clock accepts.
const SMALLEST: f64 = 0.0625;

impl<T: Float> Composition<T, 3> {
    /// Order 4, three stages: cheaper than [`suzuki`](Composition::suzuki), with a larger error.
    pub fn yoshida() -> Self {
        Self::of("yoshida", YOSHIDA)
    }
}

impl<T: Float> Composition<T, 5> {
    /// Order 4, five stages.
    pub fn suzuki() -> Self {
        Self::of("suzuki", SUZUKI)
    }
}

impl<T: Float> Composition<T, 9> {
    /// Order 6, nine stages.
    pub fn kahan_li() -> Self {
        Self::of("kahan_li", KAHAN_LI)
    }
}

impl<T: Float, const S: usize> Composition<T, S> {
    /// Stages of these sizes, relative to the step; some may be negative. A symmetric sequence gives a symmetric method, whose order is
    /// even. The order follows from the coefficients and is not checked.
    pub fn new(name: &'static str, coefficients: [f64; S]) -> Result<Self, InvalidComposition> {
        for (stage, given) in coefficients.into_iter().enumerate() {
            if !(given.is_finite() && given.abs() >= SMALLEST) {
                return Err(InvalidComposition::Coefficient { stage, given });
            }
        }
        // The coefficients may be rounded.
        let sum: f64 = coefficients.iter().sum();
        let magnitudes: f64 = coefficients.iter().map(|coefficient| coefficient.abs()).sum();
        if !((sum - 1.0).abs() <= magnitudes * f64::EPSILON) {
            return Err(InvalidComposition::Sum { sum });
        }
        Ok(Self::of(name, coefficients))
    }

    fn of(name: &'static str, coefficients: [f64; S]) -> Self {
        Self {
            name,
            coefficients: completed(coefficients.map(T::from_f64)),
            inverses: coefficients.map(|coefficient| T::from_f64(1.0 / coefficient)),
        }
    }
}

impl<T: Float, const S: usize, const K: usize> Composition<T, S, K> {
    /// Predictions of the velocity in each stage, for forces that use it: one fewer than the highest order that S stages can have. That
    /// order is 2k from 2ᵏ − 1 stages on.
    const PREDICTIONS: usize = (2 * (S + 1).ilog2() as usize).saturating_sub(1);

    /// Sets the number of Newton iterations in each stage. The [default](DEFAULT_ITERATIONS) is that of [`Rattle`](super::Rattle).
    pub fn iterations<const ITERATIONS: usize>(self) -> Composition<T, S, ITERATIONS> {
        let Self { name, coefficients, inverses } = self;
        Composition { name, coefficients, inverses }
    }
}

/// Coefficients whose middle one, if there is one, completes the sum to one. Rounded one by one to `f32`, those of Yoshida add up to
/// 1 − 2⁻²³ and those of Suzuki to 1 − 2⁻²⁴, and a run would be slow by that factor.
fn completed<T: Float, const S: usize>(mut coefficients: [T; S]) -> [T; S] {
    let mut others = T::zero();
    for i in 0..S {
        if i != S / 2 {
            others += coefficients[i];
        }
    }
    if S % 2 == 1 {
        coefficients[S / 2] = T::one() - others;
    }
    coefficients
}

impl<System, T, const N: usize, const M: usize, F, P, const S: usize, const K: usize> Step<System, State<T, N, M, F, P>>
    for Composition<T, S, K>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    type Report = Report<T, M>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        self.name
    }

    /// Makes a step of `S` stages. If a stage fails, the step fails. The report has the residuals of the last stage.
    #[inline]
    fn step(&self, system: &System, state: &mut State<T, N, M, F, P>) -> Result<Report<T, M>, StepError<T>> {
        let (judge, size, iterations) = (Judge::of(state), state.clock.size, reach_iterations::<T, P, M, K>());
        let (mut mass, [start, end]) = (system.mass(), state.clock.times::<P>());
        let is_positive = System::Mass::POSITIVE;
        // The last stage ends exactly on the tick.
        let after = |i: usize, passed: T| if i + 1 == S { end } else { start.later(size.h * passed) };
        let stage = |i: usize, times: [Time<T>; 2]| Stage {
            times,
            size: size.scaled(self.coefficients[i], self.inverses[i]),
            iterations,
            predictions: Self::PREDICTIONS,
        };
        let begin = Beginning::of(system, start, &state.node.q);
        judge.start(&begin.residual)?;

        let mut passed = self.coefficients[0];
        let mut t = after(0, passed);
        let mut ahead = Correction::workspace();
        let first = stage(0, [start, t]);
        let mut ending = first.go(system, &mut mass, &state.node, &begin, &judge, &mut ahead)?;
        let [first_half, mut second_half] = ending.take_multipliers();
        if !judge.accepts(&begin.residual, &ending, T::zero(), is_positive)
            && let Some(refused) = judge.refusal(&begin.residual, &ending, T::zero())
        {
            return refused;
        }
        for i in 1..S {
            passed += self.coefficients[i];
            let stage = stage(i, [t, after(i, passed)]);
            let last_residual = P::Low::keep(ending.position_residual);
            let node = Node { q: ending.q, v: ending.v, correction: ahead, last_residual };
            let stage_begin = Beginning::of(system, t, &node.q);
            ending = stage.go(system, &mut mass, &node, &stage_begin, &judge, &mut ahead)?;
            [_, second_half] = ending.take_multipliers();
            if !judge.accepts(&begin.residual, &ending, T::zero(), is_positive)
                && let Some(refused) = judge.refusal(&begin.residual, &ending, T::zero())
            {
                return refused;
            }
            t = stage.times[1];
        }

        (ending.first_half, ending.second_half) = (first_half, second_half);
        finite(&ending, judge.tick)?;
        judge.projected_velocity::<N, P, F>(&ending)?;
        let multipliers = state.node_multipliers(&ending.first_half);
        state.advance::<System>(&ending, &ahead);
        Ok(ending.report(&ahead, multipliers, iterations))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of the coefficients less one, in units of 2⁻²⁴; exact for `f32`.
    fn excess<const S: usize>(composition: Composition<f32, S>) -> f64 {
        (composition.coefficients.iter().map(|coefficient| f64::from(*coefficient)).sum::<f64>() - 1.0)
            * 2.0_f64.powi(24)
    }

    #[test]
    fn the_coefficients_add_up_to_one_in_single_precision() {
        assert_eq!(excess(Composition::yoshida()), 0.0);
        assert_eq!(excess(Composition::suzuki()), 0.0);
        // The spacing of its middle coefficient is 2⁻²⁴: half of it is as close as it gets.
        assert_eq!(excess(Composition::kahan_li()), -0.5);
        let thirds = Composition::new("thirds", [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]).unwrap();
        assert!(excess(thirds).abs() <= 0.5);
        // In f64, completing changes nothing but Yoshida's middle one, by an ulp.
        assert_eq!(Composition::<f64, 5>::suzuki().coefficients, SUZUKI);
        assert_eq!(Composition::<f64, 9>::kahan_li().coefficients, KAHAN_LI);
    }
}

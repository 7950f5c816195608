//! Symmetric compositions of RATTLE: order 4 (Suzuki 1990, five stages) and order 6 (Kahan and Li 1997, nine stages).
//!
//! A step of size h is a sequence of RATTLE steps of sizes γ₁ h, γ₂ h, …, γ_s h with γ_i = γ_s₊₁₋ᵢ and some of them
//! negative. Symmetric, symplectic, on the constraints at every stage. A force that uses the velocity is evaluated three (order 4)
//! or five (order 6) times more in each stage, to keep the order. Choose them when the error has to be small over a
//! long run and the step may be large.

use super::error::StepError;
use super::rattle;
use super::report::Report;
use super::size::{InvalidStep, StepSize};
use super::stage::{Settings, enter};
use super::{DEFAULT_ITERATIONS, iterations};
use crate::linalg::SymmetricFactors;
use crate::project::Correction;
use crate::scalar::Float;
use crate::start::{Carried, Node, Precision, State};
use crate::system::{ConstantMass, Mechanical};

/// Suzuki: 1/(4 − 4^(1/3)) four times, and in the middle what is left of one.
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

/// A composition of RATTLE steps, `S` stages with `K` Newton iterations each.
///
/// ```
/// # use systems::Pendulum;
/// use taut::method::{Composition, StepSize};
/// use taut::start::Start;
///
/// let pendulum = Pendulum::<f64>::standard();
/// let order_six = Composition::kahan_li(StepSize::seconds(0.02)?);
/// let mut state = Start::at(&pendulum, [1.0, 0.0]).at_rest()?;
/// for _ in 0..500 {
///     order_six.step(&pendulum, &mut state)?;
/// }
/// let energy = state.velocity().norm_squared() / 2.0 + 9.81 * state.position().y;
/// assert!(energy.abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Composition<T, const S: usize, const K: usize = DEFAULT_ITERATIONS> {
    size: StepSize<T>,
    coefficients: [T; S],
    inverses: [T; S],
}

impl<T: Float> Composition<T, 5> {
    /// Order 4, five stages.
    pub fn suzuki(size: StepSize<T>) -> Self {
        Self::of(SUZUKI, size)
    }

    /// Order 4 at this rate, in hertz.
    pub fn suzuki_at_rate(rate: T) -> Result<Self, InvalidStep<T>> {
        Ok(Self::suzuki(StepSize::at_rate(rate)?))
    }
}

impl<T: Float> Composition<T, 9> {
    /// Order 6, nine stages.
    pub fn kahan_li(size: StepSize<T>) -> Self {
        Self::of(KAHAN_LI, size)
    }

    /// Order 6 at this rate, in hertz.
    pub fn kahan_li_at_rate(rate: T) -> Result<Self, InvalidStep<T>> {
        Ok(Self::kahan_li(StepSize::at_rate(rate)?))
    }
}

impl<T: Float, const S: usize> Composition<T, S> {
    fn of(coefficients: [f64; S], size: StepSize<T>) -> Self {
        Self {
            size,
            coefficients: coefficients.map(T::from_f64),
            inverses: coefficients.map(|coefficient| T::from_f64(1.0 / coefficient)),
        }
    }
}

impl<T: Float, const S: usize, const K: usize> Composition<T, S, K> {
    /// Another number of Newton iterations in each stage than the default (two in `f32`, six in `f64`).
    pub fn iterations<const ITERATIONS: usize>(self) -> Composition<T, S, ITERATIONS> {
        let Self { size, coefficients, inverses } = self;
        Composition { size, coefficients, inverses }
    }

    /// The step size.
    pub fn step_size(&self) -> T {
        self.size.get()
    }

    /// Makes a step of `S` stages; on an error the state is as it was. Residuals in the report are those of the last
    /// stage; a stage that fails fails the step.
    #[inline]
    pub fn step<System, const N: usize, const M: usize, F, P>(
        &self,
        system: &System,
        state: &mut State<T, N, M, F, P>,
    ) -> Result<Report<T, M>, StepError<T>>
    where
        System: Mechanical<N, M, Base = T>,
        System::Mass: ConstantMass<T, N>,
        F: SymmetricFactors<T, M>,
        P: Precision,
    {
        let tick = state.clock.tick;
        let iterations = iterations::<T, K>();
        let mass = system.mass();
        let limits = state.limits;
        let settings = |i: usize| Settings {
            size: self.size.scaled(self.coefficients[i], self.inverses[i]),
            iterations,
            // Three for order 4, five for order 6.
            predictions: S.div_ceil(2),
            tick,
        };
        let start = state.clock.time::<P>(0, self.size.h);
        let end = state.clock.time::<P>(1, self.size.h);
        let anchor = enter(system, &state.node, start, &limits, tick)?;

        let mut passed = self.coefficients[0];
        let mut t = start.later(self.size.h * passed);
        let mut correction = Correction::blank();
        let mut stage =
            rattle::stage(system, &mass, &state.node, &anchor, [start, t], &limits, settings(0), &mut correction)?;
        stage.judge(&limits, tick)?;
        stage = stage.per_time_now(&settings(0).size);
        let multipliers = state.node_multipliers(&stage.first_half);
        for i in 1..S {
            passed += self.coefficients[i];
            // The last stage ends on the tick, free of round-off.
            let t_next = if i + 1 == S { end } else { start.later(self.size.h * passed) };
            let leftover = P::Leftover::keep(stage.position_residual);
            let node = Node { q: stage.q, v: stage.v, correction, leftover };
            let anchor = P::anchor(system, t, &node.q);
            stage = rattle::stage(system, &mass, &node, &anchor, [t, t_next], &limits, settings(i), &mut correction)?;
            stage.judge(&limits, tick)?;
            stage = stage.per_time_now(&settings(i).size);
            t = t_next;
        }

        stage.check_velocity::<F>(&limits, tick)?;
        state.advance::<System>(&stage, &correction);
        Ok(stage.report(&correction, multipliers, iterations))
    }
}

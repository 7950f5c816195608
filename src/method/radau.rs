//! Radau IIA with two stages (order 3) or three (order 5): implicit Runge–Kutta methods for stiff systems.
//!
//! ```text
//!     Σ_j w_ij D_j = h F(t_n + c_i h, u_n + D_i),    i = 1 … s,    u_n₊₁ = u_n + D_s,    w = A⁻¹        (Hairer, V, (1.4), (1.6))
//! ```
//!
//! for u' = F. The end of a step is its last stage, so constraints that hold at the stages hold at the end. With one stage this is
//! [`ImplicitEuler`](super::ImplicitEuler). Mechanical systems are stepped on the velocity level (index 2), and the end is projected:
//!
//! ```text
//!     Q_i = q_n + h Σ a_ij V_j,    M(Q_i) Σ w_ij (V_j − v_n) = h f(t_i, Q_i, V_i) − h G(Q_i)ᵀ Λ_i,    G(Q_i) V_i + g_t = 0
//!     q_n₊₁ from Q_s by (2.10), v_n₊₁ from V_s by (2.11) of Hairer & Wanner VII.2
//! ```
//!
//! **Order** 2s − 1 in positions and velocities. The report gives the multipliers of the acceleration level at the **end** of the step, to
//! the same order; Λ_s has order s only. Semi-explicit systems have order 2s − 1 in y, and in z for index 1. For index 2 the state has z from
//! the hidden constraint, to order 2s − 1, and the report the z of the last stage, to order s. For very stiff forces the order is that of
//! the stages, s, with a small constant.
//!
//! **Preserves** both constraints. It damps fast oscillations completely (R(∞) = 0) and slow ones little, but it is not symplectic.
//!
//! **Choose it** for stiff actuators, couplings, end stops and current loops at the step of the control loop, and for control DAEs. It
//! replaces implicit Euler wherever accuracy matters. It works with a varying mass. Without stiff forces
//! [`RungeKutta4`](super::RungeKutta4) and [`Rattle`](super::Rattle) are cheaper.
//!
//! **Cost**: one evaluation of the derivatives and one factorisation a step, of a complex N×N and M×M matrix; with three stages also of real
//! ones. Then each iteration evaluates the equations once a stage, without derivatives. In the eigenvectors of w, the Newton matrix of all
//! stages is block diagonal, with one block for each eigenvalue; of two complex conjugates one is solved.
//!
//! The matrix is frozen, and so each iteration reduces the error by a factor O(h ω): the default is three iterations in `f32`, nine in
//! `f64`. The first one begins with the state where the step begins, and gives what a step of the linearised system would. The last
//! correction is judged: it is the residual, in units of the unknowns. A correction above √ε (1 + |x|) is an error.

//!
//! There is no start from the last step. It would need the stages in the state, and be wrong after a jump of an input. Extrapolated from the
//! collocation polynomial, it saves an iteration where the motion is not stiff, and nothing where the force is stiff and nearly linear: order
//! 3, `f32`, h = 0.01 s, the last of three corrections is 1.2e-6 from here and 1.4e-7 from there for Problem 5.1, and 8.9e-6 and 8.5e-6 for the
//! stiff actuator.
//!
//! The form of Gear, Gupta and Leimkuhler at all stages has twice the multipliers and the same orders. For Problem 5.1 in 20 steps, its error in
//! q is 1.3e-4 instead of 2.8e-4 with two stages, and 1.5e-7 instead of 1.7e-7 with three. So index 2 with a projected end is offered
//! instead.

use super::half_explicit::weighted;
use super::{DEFAULT_ITERATIONS, iterations};
use crate::linalg::{Bordered, Complex, FactorError, Linear, Vector, complex};
use crate::scalar::Float;

/// Radau IIA with `S` stages and `K` iterations, with or without projection of mechanical systems at the end of a step.
///
/// ```
/// # use mechanisms::Pendulum;
/// use taut::method::{RadauIia, Step};
/// use taut::start::{Clock, Start};
///
/// let pendulum = Pendulum::<f64>::standard();
/// let radau = RadauIia::order_three();
/// let mut state = Start::at(&pendulum, Clock::at_rate(100.0)?, [1.0, 0.0]).at_rest()?;
/// for _ in 0..100 {
///     let report = radau.step(&pendulum, &mut state)?;
///     assert!(report.velocity_residual[0].abs() < 1e-14);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RadauIia<T, const S: usize, const PROJECT: bool = true, const K: usize = DEFAULT_ITERATIONS> {
    /// c.
    pub(super) nodes: [T; S],
    /// A.
    pub(super) rows: [[T; S]; S],
    /// w = A⁻¹ = X diag(γ, [α, −β; β, α]) X⁻¹; γ with three stages only.
    pub(super) inverse: [[T; S]; S],
    /// X and X⁻¹.
    vectors: [[T; S]; S],
    inverse_vectors: [[T; S]; S],
    /// γ.
    real_eigenvalue: T,
    /// α + β i.
    eigenvalue: Complex<T>,
}

/// √2 and √6, of the coefficients.
const ROOT_2: f64 = core::f64::consts::SQRT_2;
const ROOT_6: f64 = 2.449_489_742_783_178;

impl<T: Float> RadauIia<T, 2> {
    /// Two stages, order 3.
    pub fn order_three() -> Self {
        let number = |row: [f64; 2]| row.map(T::from_f64);
        Self {
            nodes: number([1.0 / 3.0, 1.0]),
            rows: [[5.0 / 12.0, -1.0 / 12.0], [0.75, 0.25]].map(number),
            inverse: [[1.5, 0.5], [-4.5, 2.5]].map(number),
            vectors: [[0.0, ROOT_2 / 4.0], [1.0, ROOT_2 / 4.0]].map(number),
            inverse_vectors: [[-1.0, 1.0], [2.0 * ROOT_2, 0.0]].map(number),
            real_eigenvalue: T::zero(),
            eigenvalue: Complex { re: T::from_f64(2.0), im: T::from_f64(ROOT_2) },
        }
    }
}

impl<T: Float> RadauIia<T, 3> {
    /// Three stages, order 5.
    pub fn order_five() -> Self {
        let number = |row: [f64; 3]| row.map(T::from_f64);
        Self {
            nodes: number([(4.0 - ROOT_6) / 10.0, (4.0 + ROOT_6) / 10.0, 1.0]),
            rows: [
                [(88.0 - 7.0 * ROOT_6) / 360.0, (296.0 - 169.0 * ROOT_6) / 1800.0, (-2.0 + 3.0 * ROOT_6) / 225.0],
                [(296.0 + 169.0 * ROOT_6) / 1800.0, (88.0 + 7.0 * ROOT_6) / 360.0, (-2.0 - 3.0 * ROOT_6) / 225.0],
                [(16.0 - ROOT_6) / 36.0, (16.0 + ROOT_6) / 36.0, 1.0 / 9.0],
            ]
            .map(number),
            inverse: [
                [2.0 + ROOT_6 / 2.0, -1.2 + 29.0 / 30.0 * ROOT_6, 0.4 - 4.0 / 15.0 * ROOT_6],
                [-1.2 - 29.0 / 30.0 * ROOT_6, 2.0 - ROOT_6 / 2.0, 0.4 + 4.0 / 15.0 * ROOT_6],
                [-1.0 + 8.0 / 3.0 * ROOT_6, -1.0 - 8.0 / 3.0 * ROOT_6, 5.0],
            ]
            .map(number),
            vectors: [
                [0.094_438_762_488_975_24, -0.141_255_295_020_954_2, -0.030_029_194_105_147_424],
                [0.250_213_122_965_333_3, 0.204_129_352_293_799_93, 0.382_942_112_757_261_9],
                [1.0, 1.0, 0.0],
            ]
            .map(number),
            inverse_vectors: [
                [4.178_718_591_551_905, 0.327_682_820_761_062_4, 0.523_376_445_499_449_5],
                [-4.178_718_591_551_905, -0.327_682_820_761_062_4, 0.476_623_554_500_550_45],
                [-0.502_872_634_945_786_9, 2.571_926_949_855_605, -0.596_039_204_828_224_9],
            ]
            .map(number),
            real_eigenvalue: T::from_f64(3.637_834_252_744_496),
            eigenvalue: Complex { re: T::from_f64(2.681_082_873_627_752), im: T::from_f64(3.050_430_199_247_410_5) },
        }
    }
}

impl<T: Float, const S: usize, const PROJECT: bool, const K: usize> RadauIia<T, S, PROJECT, K> {
    /// The same coefficients with other options.
    fn with<const P: bool, const I: usize>(self) -> RadauIia<T, S, P, I> {
        let Self { nodes, rows, inverse, vectors, inverse_vectors, real_eigenvalue, eigenvalue } = self;
        RadauIia { nodes, rows, inverse, vectors, inverse_vectors, real_eigenvalue, eigenvalue }
    }

    /// Without projection: the positions of mechanical systems drift off their constraint, until a step fails with
    /// [`OffConstraint`](super::StepError::OffConstraint). Velocities satisfy theirs.
    pub fn without_projection(self) -> RadauIia<T, S, false, K> {
        self.with()
    }

    /// Sets the number of iterations; by default three in `f32`, nine in `f64`.
    pub fn iterations<const ITERATIONS: usize>(self) -> RadauIia<T, S, PROJECT, ITERATIONS> {
        self.with()
    }

    pub(super) const NAME: &'static str = match (S, PROJECT) {
        (2, true) => "radau_iia_3",
        (2, false) => "radau_iia_3_bare",
        (_, true) => "radau_iia_5",
        (_, false) => "radau_iia_5_bare",
    };

    /// A frozen matrix needs half as many iterations again as Newton's.
    pub(super) const ITERATIONS: usize =
        if K == DEFAULT_ITERATIONS { iterations::<T, K>() + iterations::<T, K>() / 2 } else { K };

    /// Factorises the Newton matrix of all stages.
    pub(super) fn factor<const N: usize, const M: usize>(
        &self,
        equations: &Linear<T, N, M>,
    ) -> Result<StageFactors<'_, T, N, M, S>, FactorError<T>> {
        let single = if S == 3 { Some(Bordered::factor(equations, self.real_eigenvalue)?) } else { None };
        let pair = Bordered::factor(equations, self.eigenvalue)?;
        Ok(StageFactors { vectors: &self.vectors, inverse_vectors: &self.inverse_vectors, single, pair })
    }
}

/// The factors of the Newton matrix of all stages.
pub(super) struct StageFactors<'a, T: Float, const N: usize, const M: usize, const S: usize> {
    vectors: &'a [[T; S]; S],
    inverse_vectors: &'a [[T; S]; S],
    single: Option<Bordered<T, N, M>>,
    pair: Bordered<Complex<T>, N, M>,
}

impl<T: Float, const N: usize, const M: usize, const S: usize> StageFactors<'_, T, N, M, S> {
    /// Replaces the residuals of all stages by the corrections, to be subtracted.
    pub(super) fn solve(&self, r: &mut [Vector<T, N>; S], s: &mut [Vector<T, M>; S]) {
        // The residuals in the eigenvectors.
        let (mut x, mut y) = (*r, *s);
        for k in 0..S {
            x[k] = weighted(&self.inverse_vectors[k], r);
            y[k] = weighted(&self.inverse_vectors[k], s);
        }
        if let Some(single) = &self.single {
            (x[0], y[0]) = single.solve(x[0], y[0]);
        }
        // The real block [α, −β; β, α] of the last two is α + β i.
        if let ([.., x_re, x_im], [.., y_re, y_im]) = (&mut x[..], &mut y[..]) {
            let (x, y) = self.pair.solve(complex(x_re, x_im), complex(y_re, y_im));
            (*x_re, *x_im) = (x.map(|x| x.re), x.map(|x| x.im));
            (*y_re, *y_im) = (y.map(|y| y.re), y.map(|y| y.im));
        }
        for i in 0..S {
            r[i] = weighted(&self.vectors[i], &x);
            s[i] = weighted(&self.vectors[i], &y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::Matrix;

    fn matrix<const S: usize>(rows: &[[f64; S]; S]) -> Matrix<f64, S, S> {
        Matrix::from_fn(|row, column| rows[row][column])
    }

    fn check<const S: usize>(radau: &RadauIia<f64, S>, block: Matrix<f64, S, S>) {
        let (a, w) = (matrix(&radau.rows), matrix(&radau.inverse));
        // A few roundings of numbers up to eight.
        let close = |x: Matrix<f64, S, S>, y: Matrix<f64, S, S>| (x - y).amax() < 1e-14;
        assert!(close(a * w, Matrix::identity()));
        let (vectors, inverse) = (matrix(&radau.vectors), matrix(&radau.inverse_vectors));
        assert!(close(vectors * inverse, Matrix::identity()));
        assert!(close(vectors * block * inverse, w));
        // Collocation, Hairer & Wanner IV.5: C(s), Σ a_ij c_j^(k−1) = c_i^k/k; B(2s − 1) in the last row, the weights.
        for (i, row) in radau.rows.iter().enumerate() {
            let last = if i + 1 == S { 2 * S - 1 } else { S };
            for k in 1..=last as i32 {
                let sum: f64 = row.iter().zip(&radau.nodes).map(|(a, c)| a * c.powi(k - 1)).sum();
                assert!((sum - radau.nodes[i].powi(k) / f64::from(k)).abs() < 1e-15, "stage {i}, k = {k}");
            }
        }
    }

    #[test]
    fn the_coefficients_are_those_of_radau() {
        let two = RadauIia::<f64, 2>::order_three();
        let Complex { re, im } = two.eigenvalue;
        check(&two, Matrix::<f64, 2, 2>::new(re, -im, im, re));
        let three = RadauIia::<f64, 3>::order_five();
        let (Complex { re, im }, real) = (three.eigenvalue, three.real_eigenvalue);
        check(&three, Matrix::<f64, 3, 3>::new(real, 0.0, 0.0, 0.0, re, -im, 0.0, im, re));
    }

    /// R(z) = (1 + z/3)/(1 − 2z/3 + z²/6) and (1 + 2z/5 + z²/20)/(1 − 3z/5 + 3z²/20 − z³/60), from one solution with the frozen matrix.
    #[test]
    fn the_stability_function_is_that_of_radau() {
        fn ratio<const S: usize>(radau: &RadauIia<f64, S>, z: f64) -> f64 {
            let mut equations = Linear::<f64, 1, 0>::zeros();
            (equations.of_rates[0], equations.of_stages[0]) = (1.0, -z);
            // Σ w_ij D_j − z (1 + D_i) = 0, from D = 0.
            let (mut r, mut s) = ([Vector::<f64, 1>::new(-z); S], [Vector::zeros(); S]);
            radau.factor(&equations).unwrap().solve(&mut r, &mut s);
            1.0 - r[S - 1][0]
        }
        for z in [-1e6_f64, -100.0, -1.0, -0.1, 0.1] {
            let two = (1.0 + z / 3.0) / (1.0 - 2.0 * z / 3.0 + z * z / 6.0);
            let three = (1.0 + 0.4 * z + z * z / 20.0) / (1.0 - 0.6 * z + 0.15 * z * z - z.powi(3) / 60.0);
            assert!((ratio(&RadauIia::order_three(), z) - two).abs() < 1e-14, "{z}");
            assert!((ratio(&RadauIia::order_five(), z) - three).abs() < 1e-14, "{z}");
        }
    }
}

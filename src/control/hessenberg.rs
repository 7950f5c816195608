//! Linear systems in Hessenberg form of any index, split into an ordinary differential equation and what follows from it (Clark 1992,
//! *Linear Algebra and its Applications* 172).
//!
//! ```text
//!     E z' = A(t) z + f(t),   z = (z_1, …, z_{r−1}, u),   E = diag(I, …, I, 0)
//!     A is zero below its subdiagonal blocks, and in the last column but for A_1r;   Π = A_r,r−1 … A_21 A_1r is regular
//! ```
//!
//! P_i = A_i,i−1 … A_21 A_1r Π⁻¹ A_r,r−1 … A_i+1,i are projectors. v_i = (I − P_i) z_i is free; u and w_i = P_i z_i follow from it:
//!
//! ```text
//!     v' = Â v + g,   (w, u) = B v + q                                                    ((3.9), (3.11))
//!     from i = r down to 1, with B_ii = 0 and sums from the block i on:
//!     C_im = A_im + Σ A_il B_lm − B_im',   c_i = f_i + Σ A_il q_l − q_i'
//!     Â_im = (I − P_i) C_im − [i = m] P_i P_i',   g_i = (I − P_i) c_i                     ((3.6))
//!     B_i−1,m = −K_i (C_im + [i = m] P_i' − Σ_{j>i} B_ij Â_jm),   q_i−1 = −K_i (c_i − Σ_{j>i} B_ij g_j)   ((3.7), (3.8))
//!     K_i = A_i−1,i−2 … A_1r Π⁻¹ A_r,r−1 … A_i+1,i;   for i = 1 the result is u
//! ```
//!
//! The derivatives are those of Taylor series in time. So no formula is written for an index, and the model is evaluated once. A solution has
//! Σ_{i<r} (n_i − n_r) free values.
//!
//! **Choose it** for linear plants whose output is prescribed, and whose input acts through further dynamics: a feedforward through the lag
//! of an actuator has index 4. **Cost**: some S³ products of Taylor series; with a [`ConstantHessenberg`](super::ConstantHessenberg) only S² of them at each time.

use core::ops::{Mul, Range};

use num_traits::Zero;

use super::hessenberg_error::HessenbergError;
use crate::linalg::entries::each;
use crate::linalg::{FactorError, Lu, Matrix, Qr, Vector};
use crate::scalar::{Float, Real, Taylor};
use crate::trajectory::SMOOTH;

/// A linear system in Hessenberg form with `S` unknowns in `R` blocks, the last of which are the `U` inputs. `R` is the index.
///
/// ```
/// use nalgebra::{matrix, vector};
/// use taut::control::Hessenberg;
/// use taut::linalg::{Matrix, Vector};
/// use taut::scalar::Real;
///
/// /// A mass of 2 kg on a prescribed path: v' = u/2, p' = v, 0 = p − sin t.
/// struct Prescribed;
/// impl Hessenberg<3, 3, 1> for Prescribed {
///     type Base = f64;
///     const SIZES: [usize; 3] = [1, 1, 1];
///     fn matrix<E: Real<Base = f64>>(&self, _t: E) -> Matrix<E, 3, 3> {
///         let (o, l) = (E::zero(), E::one());
///         matrix![o, o, l * 0.5; l, o, o; o, l, o]
///     }
///     fn input<E: Real<Base = f64>>(&self, t: E) -> Vector<E, 3> {
///         vector![E::zero(), E::zero(), -t.sin()]
///     }
/// }
/// let t: f64 = 0.7;
/// let z = Prescribed.state_space(t)?.consistent(&vector![0.0, 0.0, 0.0]);
/// assert!((z[2] + 2.0 * Real::sin(t)).abs() < 1e-15); // the force
/// # Ok::<(), taut::control::HessenbergError<f64>>(())
/// ```
pub trait Hessenberg<const S: usize, const R: usize, const U: usize> {
    /// The plain float of parameters and results.
    type Base: Float;

    /// n_1 … n_r, the sizes of the blocks.
    const SIZES: [usize; R];

    /// A(t).
    fn matrix<E: Real<Base = Self::Base>>(&self, t: E) -> Matrix<E, S, S>;

    /// f(t).
    fn input<E: Real<Base = Self::Base>>(&self, t: E) -> Vector<E, S>;

    /// How many continuous derivatives A has; r − 1 are needed.
    fn matrix_continuity(&self) -> usize {
        SMOOTH
    }

    /// How many continuous derivatives each block of f has. The last block needs r − 1, each block before it one less. Give that of a
    /// prescribed [path](crate::trajectory::Trajectory::continuity) in its block.
    fn continuity(&self) -> [usize; R] {
        [SMOOTH; R]
    }

    /// The state space at a time.
    fn state_space(&self, t: Self::Base) -> Result<StateSpace<Self::Base, S, U>, HessenbergError<Self::Base>> {
        let StateSpace { tables, forcing, offset } = state_space_series(self, t)?;
        let value = |x: Taylor<Self::Base, R>| x.value;
        Ok(StateSpace { tables: tables.map(value), forcing: forcing.map(value), offset: offset.map(value) })
    }
}

/// What the matrix A determines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HessenbergTables<E, const S: usize, const U: usize> {
    /// The block of each unknown, from zero.
    pub blocks: [usize; S],
    /// A.
    pub matrix: Matrix<E, S, S>,
    /// A_i,i−1 … A_21 A_1r: how the inputs reach each block. The identity for the inputs themselves.
    pub reach: Matrix<E, S, U>,
    /// Π⁻¹ A_r,r−1 … A_i+1,i.
    pub recovery: Matrix<E, U, S>,
    /// Â.
    pub dynamics: Matrix<E, S, S>,
    /// B.
    pub dependence: Matrix<E, S, S>,
}

/// The state space of a [`Hessenberg`] system at a time: v' = Â v + g, z = v + B v + q.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StateSpace<E, const S: usize, const U: usize> {
    /// Â, B and the projectors.
    pub tables: HessenbergTables<E, S, U>,
    /// g.
    pub forcing: Vector<E, S>,
    /// q.
    pub offset: Vector<E, S>,
}

impl<E: Real, const S: usize, const U: usize> StateSpace<E, S, U> {
    /// v = (I − P) z: the state components. Those of the inputs are zero.
    pub fn states(&self, z: &Vector<E, S>) -> Vector<E, S> {
        (0..self.tables.last()).fold(Vector::zeros(), |v, level| v + self.tables.level(level, z, z, &Vector::zeros()).0)
    }

    /// v'.
    pub fn rate(&self, v: &Vector<E, S>) -> Vector<E, S> {
        self.tables.dynamics * v + self.forcing
    }

    /// z for the states v.
    pub fn unknowns(&self, v: &Vector<E, S>) -> Vector<E, S> {
        v + self.tables.dependence * v + self.offset
    }

    /// The consistent z with the state components of a guess (Corollary 3).
    pub fn consistent(&self, guess: &Vector<E, S>) -> Vector<E, S> {
        self.unknowns(&self.states(guess))
    }
}

impl<M: nalgebra::Scalar + Copy, const S: usize, const U: usize> HessenbergTables<M, S, U> {
    pub(super) fn map<N: nalgebra::Scalar>(&self, f: impl Fn(M) -> N + Copy) -> HessenbergTables<N, S, U> {
        HessenbergTables {
            blocks: self.blocks,
            matrix: self.matrix.map(f),
            reach: self.reach.map(f),
            recovery: self.recovery.map(f),
            dynamics: self.dynamics.map(f),
            dependence: self.dependence.map(f),
        }
    }

    /// The block of the inputs.
    fn last(&self) -> usize {
        self.blocks.last().copied().unwrap_or(0)
    }

    /// In the rows of a level, c − P e; in the rows of the block that it determines, −K (e − B `rates`).
    fn level<E: Real + Mul<M, Output = E>>(
        &self,
        level: usize,
        c: &Vector<E, S>,
        e: &Vector<E, S>,
        rates: &Vector<E, S>,
    ) -> (Vector<E, S>, Vector<E, S>) {
        let (here, below) = (level..level + 1, if level == 0 { self.last() } else { level - 1 });
        let own = self.only(here.clone(), c) - self.reached(here.clone(), &self.recovered(level, e));
        let carried = self.recovered(level, &(e - self.times(&self.dependence, rates, here, level + 1..S)));
        (own, -self.reached(below..below + 1, &carried))
    }

    /// C_im for a column x = m of A with the column y of B, or c_i for x = f and y = q: x + A y − y' in the rows of a level.
    fn balance<T: Float, const K: usize>(
        &self,
        level: usize,
        x: &Vector<Taylor<T, K>, S>,
        y: &Vector<Taylor<T, K>, S>,
    ) -> Vector<Taylor<T, K>, S>
    where
        Taylor<T, K>: Mul<M, Output = Taylor<T, K>>,
    {
        let here = level..level + 1;
        self.only(here.clone(), &(x - each(y, |y| y.derivative())))
            + self.times(&self.matrix, y, here, level..self.last())
    }

    /// g and q.
    pub(super) fn offsets<T: Float, const K: usize>(
        &self,
        input: &Vector<Taylor<T, K>, S>,
    ) -> (Vector<Taylor<T, K>, S>, Vector<Taylor<T, K>, S>)
    where
        Taylor<T, K>: Mul<M, Output = Taylor<T, K>>,
    {
        let (mut forcing, mut offset) = (Vector::zeros(), Vector::zeros());
        for level in (0..=self.last()).rev() {
            let c = self.balance(level, input, &offset);
            let (own, determined) = self.level(level, &c, &c, &forcing);
            offset += determined;
            if level < self.last() {
                forcing += own;
            }
        }
        (forcing, offset)
    }

    /// The rows of these blocks.
    fn only<E: Real>(&self, rows: Range<usize>, x: &Vector<E, S>) -> Vector<E, S> {
        let mut kept = *x;
        for a in 0..S {
            if !rows.contains(&self.blocks[a]) {
                kept.data.0[0][a] = E::zero();
            }
        }
        kept
    }

    /// A x in the rows and with the columns of these blocks.
    fn times<E: Real + Mul<M, Output = E>>(
        &self,
        matrix: &Matrix<M, S, S>,
        x: &Vector<E, S>,
        rows: Range<usize>,
        columns: Range<usize>,
    ) -> Vector<E, S> {
        let mut product = Vector::<E, S>::zeros();
        for column in 0..S {
            for row in 0..S {
                if columns.contains(&self.blocks[column]) && rows.contains(&self.blocks[row]) {
                    product.data.0[0][row] += x.data.0[0][column] * matrix.data.0[column][row];
                }
            }
        }
        product
    }

    /// Π⁻¹ A_r,r−1 … A_i+1,i x_i.
    fn recovered<E: Real + Mul<M, Output = E>>(&self, block: usize, x: &Vector<E, S>) -> Vector<E, U> {
        let mut inputs = Vector::<E, U>::zeros();
        for a in 0..S {
            for k in 0..U {
                if self.blocks[a] == block {
                    inputs.data.0[0][k] += x.data.0[0][a] * self.recovery.data.0[a][k];
                }
            }
        }
        inputs
    }

    /// A_i,i−1 … A_1r u in the rows of these blocks.
    fn reached<E: Real + Mul<M, Output = E>>(&self, rows: Range<usize>, inputs: &Vector<E, U>) -> Vector<E, S> {
        let mut reached = Vector::<E, S>::zeros();
        for k in 0..U {
            for a in 0..S {
                if rows.contains(&self.blocks[a]) {
                    reached.data.0[0][a] += inputs.data.0[0][k] * self.reach.data.0[k][a];
                }
            }
        }
        reached
    }
}

/// The state space as a Taylor series in time from `t` on. Each block of B and q loses as many of the last coefficients as it uses derivatives.
pub fn state_space_series<System, T: Float, const S: usize, const R: usize, const U: usize>(
    system: &System,
    t: T,
) -> Result<StateSpace<Taylor<T, R>, S, U>, HessenbergError<T>>
where
    System: Hessenberg<S, R, U, Base = T> + ?Sized,
{
    let blocks = const { blocks::<S, R, U>(&System::SIZES) };
    let last = R - 1;
    let parts = system.continuity().into_iter().enumerate().map(|(block, given)| (Some(block), given, block));
    for (block, given, needed) in parts.chain([(None, system.matrix_continuity(), last)]) {
        if given < needed {
            return Err(HessenbergError::Derivatives { block, given, needed });
        }
    }
    let time = Taylor::<T, R>::variable(t);
    let (matrix, zeros) = (system.matrix(time), Matrix::zeros());
    let mut tables = HessenbergTables {
        blocks,
        matrix,
        reach: Matrix::zeros(),
        recovery: Matrix::zeros(),
        dynamics: zeros,
        dependence: zeros,
    };
    // The form, and the subdiagonal blocks of Â.
    for column in 0..S {
        for row in 0..S {
            let (entry, i, j) = (matrix.data.0[column][row], blocks[row], blocks[column]);
            if (i > j + 1 || (j == last && i > 0)) && !entry.is_zero() {
                return Err(HessenbergError::Form { time: t, row, column });
            }
            if i == j + 1 && i < last {
                tables.dynamics.data.0[column][row] = entry;
            }
        }
    }
    // A_1r, A_21 A_1r, …, Π.
    let mut product = Matrix::<Taylor<T, R>, U, U>::zeros();
    for k in 0..U {
        let mut reach = Vector::from(matrix.data.0[S - U + k]);
        for block in 1..R {
            reach += tables.times(&matrix, &reach, block..block + 1, block - 1..block);
        }
        for row in 0..U {
            product.data.0[k][row] = reach.data.0[0][S - U + row];
            reach.data.0[0][S - U + row] = Taylor::constant(if row == k { T::one() } else { T::zero() });
        }
        tables.reach.data.0[k] = reach.data.0[0];
    }
    let inverse =
        inverse(&product).map_err(|cause| HessenbergError::Singular { time: t, block: tables.unreached(), cause })?;
    // Π⁻¹, Π⁻¹ A_r,r−1, …
    let transposed = matrix.transpose();
    for k in 0..U {
        let mut recovery = Vector::<Taylor<T, R>, S>::zeros();
        for column in 0..U {
            recovery.data.0[0][S - U + column] = inverse.data.0[column][k];
        }
        for block in (0..last).rev() {
            recovery += tables.times(&transposed, &recovery, block..block + 1, block + 1..block + 2);
        }
        for a in 0..S {
            tables.recovery.data.0[a][k] = recovery.data.0[0][a];
        }
    }
    // Â and B.
    for level in (0..last).rev() {
        for m in 0..S {
            if blocks[m] < level || blocks[m] == last {
                continue;
            }
            let (column, dependence) = (Vector::from(matrix.data.0[m]), Vector::from(tables.dependence.data.0[m]));
            let c = tables.balance(level, &column, &dependence);
            let mut e = c;
            if blocks[m] == level {
                let projector = tables.reached(level..level + 1, &Vector::from(tables.recovery.data.0[m]));
                e += each(&projector, |entry| entry.derivative());
            }
            let (own, determined) = tables.level(level, &c, &e, &Vector::from(tables.dynamics.data.0[m]));
            for a in 0..S {
                tables.dynamics.data.0[m][a] += own.data.0[0][a];
                tables.dependence.data.0[m][a] += determined.data.0[0][a];
            }
        }
    }
    let (forcing, offset) = tables.offsets(&system.input(time));
    Ok(StateSpace { tables, forcing, offset })
}

impl<T: Float, const S: usize, const U: usize, const K: usize> HessenbergTables<Taylor<T, K>, S, U> {
    /// The first block that the inputs do not reach with full rank.
    fn unreached(&self) -> usize {
        let full = |block: usize| {
            let mut rows = Matrix::<T, S, U>::zeros();
            for k in 0..U {
                let reach = self.only(block..block + 1, &Vector::from(self.reach.data.0[k]));
                rows.data.0[k] = reach.data.0[0].map(|x| x.value);
            }
            Qr::factor(rows).is_ok_and(|factors| factors.rank() == U)
        };
        (0..self.last()).find(|&block| !full(block)).unwrap_or(self.last())
    }
}

/// The block of each unknown.
const fn blocks<const S: usize, const R: usize, const U: usize>(sizes: &[usize; R]) -> [usize; S] {
    assert!(R >= 2 && sizes[R - 1] == U && U <= S, "two blocks or more, the last with the inputs");
    let (mut blocks, mut unknown, mut block) = ([0; S], 0, 0);
    while block < R {
        assert!(sizes[block] >= U, "no block is smaller than that of the inputs");
        let mut i = 0;
        while i < sizes[block] {
            assert!(unknown < S, "the sizes of the blocks add up to the number of unknowns");
            blocks[unknown] = block;
            (unknown, i) = (unknown + 1, i + 1);
        }
        block += 1;
    }
    assert!(unknown == S, "the sizes of the blocks add up to the number of unknowns");
    blocks
}

/// The inverse of a series of matrices: V ← V + V (I − Π V), which doubles the number of right coefficients.
fn inverse<T: Float, const U: usize, const K: usize>(
    matrix: &Matrix<Taylor<T, K>, U, U>,
) -> Result<Matrix<Taylor<T, K>, U, U>, FactorError<T>> {
    let factors = Lu::factor(matrix.map(|x| x.value))?;
    let mut inverse = Matrix::<Taylor<T, K>, U, U>::identity();
    for column in 0..U {
        let solved = factors.solve(Vector::from(Matrix::<T, U, U>::identity().data.0[column]));
        inverse.data.0[column] = solved.data.0[0].map(Taylor::constant);
    }
    let mut right = 1;
    while right <= K {
        inverse += inverse * (Matrix::identity() - matrix * inverse);
        right += right;
    }
    Ok(inverse)
}

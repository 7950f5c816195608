//! The geometry of the constraints at one configuration: G, M⁻¹ Gᵀ, and the factors of G M⁻¹ Gᵀ.

use crate::linalg::{
    FactorError, Matrix, Pivots, SymmetricFactors, Vector, subtract_product_where, sum_of_products,
    sum_of_products_where,
};
use crate::scalar::Float;
use crate::system::{Inertia, InertiaOf, Mechanical};

/// The constraint Jacobian at one configuration, and what a correction along it needs.
///
/// ```
/// # use nalgebra::vector;
/// # use systems::DoublePendulum;
/// use taut::linalg::Ldlt;
/// use taut::project::Geometry;
/// use taut::system::Mechanical;
///
/// let system = DoublePendulum::<f64>::standard();
/// let q = vector![1.0, 0.0, 1.0, 1.0];
/// let geometry = Geometry::<_, 4, 2, Ldlt<_, 2>>::at(&system, &system.mass(), 0.0, &q)?;
/// assert_eq!(geometry.jacobian.row(1), vector![0.0, -1.0, 0.0, 1.0].transpose());
/// assert_eq!(geometry.correction.rank(), 2);
/// # Ok::<(), taut::linalg::FactorError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Geometry<T, const N: usize, const M: usize, F> {
    /// G = ∂g/∂q.
    pub jacobian: Matrix<T, M, N>,
    /// What moves coordinates along the constraints' gradients.
    pub correction: Correction<T, N, M, F>,
}

/// Moves coordinates along the gradients of the constraints: by M⁻¹ Gᵀ ν with G M⁻¹ Gᵀ ν = residual.
#[derive(Clone, Copy, Debug)]
pub struct Correction<T, const N: usize, const M: usize, F> {
    /// M⁻¹ Gᵀ.
    pub directions: Matrix<T, N, M>,
    /// The factors of G M⁻¹ Gᵀ.
    pub factors: F,
}

/// As many pivots stay in registers until they are judged; more would go to memory and back.
pub(crate) const FEW: usize = 3;

impl<T: Float, const N: usize, const M: usize, F: SymmetricFactors<T, M>> Geometry<T, N, M, F> {
    /// Evaluates and factorises at (t, q).
    pub fn at<System: Mechanical<N, M, Base = T>>(
        system: &System,
        inertia: &impl Inertia<T, N>,
        t: T,
        q: &Vector<T, N>,
    ) -> Result<Self, FactorError<T>> {
        let jacobian = system.jacobian(t, q);
        let mut correction = Correction::blank();
        correction.update(&jacobian, inertia, M)?;
        Ok(Self { jacobian, correction })
    }

    /// The norm of each row of G, times `limit`: what a residual may be to count as `limit` units off in the coordinates.
    pub fn limits(&self, limit: T) -> Vector<T, M> {
        row_limits(&self.jacobian, limit)
    }
}

impl<T: Float, const N: usize, const M: usize, F: SymmetricFactors<T, M>> Correction<T, N, M, F> {
    /// Room for a correction.
    #[inline(always)]
    pub(crate) fn blank() -> Self {
        Self { directions: Matrix::zeros(), factors: F::blank() }
    }

    /// Evaluates and factorises, in place: moving matrices about would cost more than a third of a four-bar's step.
    ///
    /// Where the rank is decided, it is at most `most`. Constraints that depend on each other where they hold do not quite do
    /// so at a stage that is a little off; there the rank of the last node is passed, and M where it is to be found out.
    #[inline(always)]
    pub(crate) fn update(
        &mut self,
        jacobian: &Matrix<T, M, N>,
        inertia: &impl Inertia<T, N>,
        most: usize,
    ) -> Result<(), FactorError<T>> {
        self.assemble(jacobian, inertia, |_, _| true);
        self.factors.factorise(most)
    }

    /// The same with the pattern of the system's Jacobian, and with pivots that are judged later.
    #[inline(always)]
    pub(crate) fn update_unjudged<System: Mechanical<N, M, Base = T>>(
        &mut self,
        jacobian: &Matrix<T, M, N>,
        inertia: &InertiaOf<System, N, M>,
        most: usize,
        pivots: &mut Pivots<T, M>,
    ) -> Result<(), FactorError<T>> {
        self.assemble(jacobian, inertia, System::uses);
        if M <= FEW {
            self.factors.factorise_unjudged(most, pivots)
        } else {
            self.factors.factorise(most)?;
            *pivots = Pivots::accepted(self.factors.smallest_pivot());
            Ok(())
        }
    }

    /// The same at a stage between two nodes, whose pivots are judged all together.
    #[inline(always)]
    pub(crate) fn update_between<System: Mechanical<N, M, Base = T>>(
        &mut self,
        jacobian: &Matrix<T, M, N>,
        inertia: &InertiaOf<System, N, M>,
        most: usize,
        inverses: &mut Vector<T, M>,
    ) -> Result<(), FactorError<T>> {
        self.assemble(jacobian, inertia, System::uses);
        if M <= FEW {
            return self.factors.factorise_between(most, inverses);
        }
        // The diagonal where the step ends is not kept: each counts with its own.
        let matrix = self.factors.matrix();
        let diagonals: [T; M] = core::array::from_fn(|j| matrix.data.0[j][j]);
        let mut these = Vector::zeros();
        self.factors.factorise_between(most, &mut these)?;
        for j in 0..M {
            inverses.data.0[0][j] += diagonals[j] * these.data.0[0][j];
        }
        Ok(())
    }

    /// M⁻¹ Gᵀ, and the lower triangle of G M⁻¹ Gᵀ where it is to be factorised.
    #[inline(always)]
    fn assemble<I: Inertia<T, N>>(
        &mut self,
        jacobian: &Matrix<T, M, N>,
        inertia: &I,
        uses: impl Fn(usize, usize) -> bool,
    ) {
        inertia.directions(jacobian, &mut self.directions);
        let schur = &mut self.factors.matrix().data.0;
        for column in 0..M {
            // A copy stays in registers while it is multiplied with every row.
            let direction = self.directions.data.0[column];
            for row in column..M {
                schur[column][row] = sum_of_products_where::<T, N>(
                    |i| (jacobian.data.0[i][row], direction[i]),
                    |i| uses(row, i) && (!I::DIAGONAL || uses(column, i)),
                );
            }
        }
    }

    /// x ← x − M⁻¹ Gᵀ ν, with the pattern of the system's Jacobian.
    #[inline(always)]
    pub(crate) fn move_back<System: Mechanical<N, M, Base = T>>(
        &self,
        x: &mut Vector<T, N>,
        multipliers: &Vector<T, M>,
    ) {
        let diagonal = <InertiaOf<System, N, M> as Inertia<T, N>>::DIAGONAL;
        subtract_product_where(x, &self.directions, multipliers, |i, row| !diagonal || System::uses(row, i));
    }

    /// Becomes another one of the same system. Entries that its Jacobian's pattern knows to be zero are zero already.
    #[inline(always)]
    pub(crate) fn become_next<System: Mechanical<N, M, Base = T>>(&mut self, next: &Self) {
        if M > FEW || !<InertiaOf<System, N, M> as Inertia<T, N>>::DIAGONAL {
            *self = *next;
            return;
        }
        for row in 0..M {
            for i in 0..N {
                if System::uses(row, i) {
                    self.directions.data.0[row][i] = next.directions.data.0[row][i];
                }
            }
        }
        self.factors.become_next(&next.factors);
    }

    /// The multipliers ν with G M⁻¹ Gᵀ ν = residual; of several the one of smallest norm.
    #[inline(always)]
    pub fn multipliers(&self, residual: &Vector<T, M>) -> Vector<T, M> {
        self.factors.solve(*residual)
    }

    /// The number of independent constraints.
    #[inline(always)]
    pub fn rank(&self) -> usize {
        self.factors.rank()
    }

    /// The smallest pivot of G M⁻¹ Gᵀ.
    #[inline(always)]
    pub fn smallest_pivot(&self) -> T {
        self.factors.smallest_pivot()
    }
}

/// ‖G_i‖ times `limit`, for each row i.
pub(crate) fn row_limits<T: Float, const N: usize, const M: usize>(
    jacobian: &Matrix<T, M, N>,
    limit: T,
) -> Vector<T, M> {
    let mut limits = Vector::zeros();
    for row in 0..M {
        let square = sum_of_products::<T, N>(|i| (jacobian.data.0[i][row], jacobian.data.0[i][row]));
        limits.data.0[0][row] = square.sqrt() * limit;
    }
    limits
}

//! The geometry of the constraints at one configuration: G, M⁻¹ Gᵀ, and the factors of G M⁻¹ Gᵀ.

use super::structure::{self, Schur, Structure};
use crate::linalg::entries::zero_matrix;
use crate::linalg::{FactorError, Matrix, Pivots, SymmetricFactors, Vector, sum_of_products};
use crate::scalar::Float;
use crate::system::{Inertia, InertiaOf, Mechanical};

/// The constraint Jacobian at one configuration, and the correction along its rows.
///
/// ```
/// # use nalgebra::vector;
/// # use mechanisms::DoublePendulum;
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
    /// Moves coordinates along the gradients of the constraints.
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

impl<T: Float, const N: usize, const M: usize, F: SymmetricFactors<T, M>> Geometry<T, N, M, F> {
    /// Evaluates and factorises at (t, q).
    #[inline]
    pub fn at<System: Mechanical<N, M, Base = T>>(
        system: &System,
        inertia: &InertiaOf<System, N, M>,
        t: T,
        q: &Vector<T, N>,
    ) -> Result<Self, FactorError<T>> {
        Self::of::<System>(system.jacobian(t, q), inertia)
    }

    /// Factorises a Jacobian that is known, for example from [`Mechanical::equations`].
    #[inline]
    pub fn of<System: Mechanical<N, M, Base = T>>(
        jacobian: Matrix<T, M, N>,
        inertia: &InertiaOf<System, N, M>,
    ) -> Result<Self, FactorError<T>> {
        Self::in_metric::<System>(jacobian, inertia)
    }

    /// The same in the metric of other masses.
    #[inline]
    pub(crate) fn in_metric<System: Mechanical<N, M, Base = T>>(
        jacobian: Matrix<T, M, N>,
        inertia: &impl Inertia<T, N>,
    ) -> Result<Self, FactorError<T>> {
        let (mut correction, mut pivots) = (Correction::workspace(), Pivots::none());
        correction.update::<System>(&jacobian, inertia, M, &mut pivots)?;
        pivots.judge()?;
        Ok(Self { jacobian, correction })
    }

    /// The norm of each row of G times `limit`: the residual that corresponds to a distance of `limit` in the coordinates.
    pub fn limits(&self, limit: T) -> Vector<T, M> {
        row_limits(&self.jacobian, limit)
    }
}

impl<T: Float, const N: usize, const M: usize, F: SymmetricFactors<T, M>> Correction<T, N, M, F> {
    /// A workspace for [`update`](Self::update).
    #[inline(always)]
    pub(crate) fn workspace() -> Self {
        Self { directions: zero_matrix(), factors: F::workspace() }
    }

    /// Evaluates and factorises in place: moving the matrices would cost more than a third of a four-bar's step. The caller checks the
    /// pivots.
    ///
    /// With factors that determine the rank, it is at most `max_rank`. Off the constraint, for example at a stage, redundant constraints
    /// look independent: pass the rank of the last node there, and M elsewhere.
    #[inline(always)]
    pub(crate) fn update<System: Mechanical<N, M, Base = T>>(
        &mut self,
        jacobian: &Matrix<T, M, N>,
        inertia: &impl Inertia<T, N>,
        max_rank: usize,
        pivots: &mut Pivots<T, M>,
    ) -> Result<(), FactorError<T>> {
        if <System as Structure<N, M>>::WRITTEN_OUT && !F::DECIDES_RANK {
            structure::assemble::<System, T, N, M, _>(jacobian, inertia, &mut self.directions, self.factors.matrix());
        } else {
            self.assemble(jacobian, inertia);
        }
        self.factors.factorise::<Schur<System, N>>(max_rank, pivots)
    }

    /// Computes M⁻¹ Gᵀ, and the lower triangle of G M⁻¹ Gᵀ in the place where it is factorised.
    #[inline(always)]
    fn assemble<I: Inertia<T, N>>(&mut self, jacobian: &Matrix<T, M, N>, inertia: &I) {
        inertia.directions(jacobian, &mut self.directions);
        let schur = &mut self.factors.matrix().data.0;
        for column in 0..M {
            // The copy stays in registers while it is multiplied with every row.
            let direction = self.directions.data.0[column];
            for row in column..M {
                schur[column][row] = sum_of_products::<T, N>(|i| (jacobian.data.0[i][row], direction[i]));
            }
        }
    }

    /// Copies another correction; of a sparse Jacobian only the entries that are read.
    #[inline(always)]
    pub(crate) fn assign<System: Mechanical<N, M, Base = T>>(&mut self, next: &Self) {
        if <System as Structure<N, M>>::WRITTEN_OUT {
            structure::assign::<System, T, N, M>(&mut self.directions, &next.directions);
            self.factors.assign::<Schur<System, N>>(&next.factors);
        } else {
            *self = *next;
        }
    }

    /// x ← x − M⁻¹ Gᵀ ν, with the pattern of the system's Jacobian.
    #[inline(always)]
    pub fn subtract<System: Mechanical<N, M, Base = T>>(&self, x: &mut Vector<T, N>, multipliers: &Vector<T, M>) {
        structure::subtract::<System, T, N, M>(x, &self.directions, multipliers);
    }

    /// The multipliers ν with G M⁻¹ Gᵀ ν = residual. If several solve it, those of smallest norm.
    #[inline(always)]
    pub fn multipliers<System: Mechanical<N, M, Base = T>>(&self, residual: &Vector<T, M>) -> Vector<T, M> {
        self.factors.solve::<Schur<System, N>>(*residual)
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

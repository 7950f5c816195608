//! Kinds of mass matrices: one mass for all coordinates, diagonal, full, and varying with the configuration. [`Points`](super::Points)
//! has a file of its own.

use core::fmt::Debug;

use crate::linalg::entries::{each, mirror_lower, pairs, row, zero_matrix};
use crate::linalg::written_out::for_each;
use crate::linalg::{FactorError, Ldlt, Matrix, SymmetricFactors, Vector, product};
use crate::scalar::{Float, Real};

/// A mass matrix at one configuration, factorised.
pub trait Inertia<T: Float, const N: usize>: Copy + Debug {
    /// Where M⁻¹ can differ from zero: M⁻¹ Gᵀ has its zeros from here and from the [pattern](super::Mechanical::PATTERN) of G. `true`
    /// everywhere is always right.
    const COUPLES: [[bool; N]; N] = [[true; N]; N];

    /// Whether [`inverse`](Self::inverse) is implemented. If not, each column of M⁻¹ Gᵀ is solved for.
    const KEEPS_INVERSE: bool = false;

    /// Whether its constructor has checked that it is positive and finite, so that no pivot of G M⁻¹ Gᵀ can be negative. `false` is always
    /// right.
    const POSITIVE: bool = false;

    /// Entry (i, j) of M⁻¹. Called only if it is [kept](Self::KEEPS_INVERSE), and where it [can differ from zero](Self::COUPLES).
    #[inline(always)]
    fn inverse(&self, _i: usize, _j: usize) -> T {
        T::NAN
    }

    /// M⁻¹ f: the acceleration by a force.
    fn acceleration(&self, force: &Vector<T, N>) -> Vector<T, N>;

    /// M⁻¹ f δt: the change of velocity by a force in a time.
    #[inline(always)]
    fn kick(&self, force: &Vector<T, N>, duration: T) -> Vector<T, N> {
        each(&self.acceleration(force), |a| a * duration)
    }

    /// M v: the momentum of a velocity.
    fn momentum(&self, velocity: &Vector<T, N>) -> Vector<T, N>;

    /// Writes M⁻¹ Gᵀ into `directions`: the accelerations along the gradients of the constraints.
    #[inline(always)]
    fn directions<const M: usize>(&self, jacobian: &Matrix<T, M, N>, directions: &mut Matrix<T, N, M>) {
        for_each!(ROW < M => {
            directions.data.0[ROW] = self.acceleration(&Vector::from(row(jacobian, ROW))).data.0[0];
        });
    }
}

/// The kind of a system's mass matrix, chosen by [`Mechanical::Mass`](super::Mechanical::Mass).
pub trait Mass<T: Float, const N: usize>: Copy + Debug {
    /// The type of the matrix at one configuration.
    type Inertia: Inertia<T, N>;

    /// Whether the matrix may depend on the configuration: not that of a [`ConstantMass`].
    const VARIES: bool = true;

    /// The matrix at one configuration. `matrix` evaluates it and is called only if it varies.
    fn inertia(&self, matrix: impl FnOnce() -> Matrix<T, N, N>) -> Result<Self::Inertia, FactorError<T>>;

    /// A workspace for [`Mass::update`]. A constant matrix is already filled in.
    fn workspace(&self) -> Self::Inertia;

    /// The same as [`Mass::inertia`], in place, without moving matrices. A constant matrix is left as it is.
    #[inline(always)]
    fn update(
        &self,
        inertia: &mut Self::Inertia,
        matrix: impl FnOnce() -> Matrix<T, N, N>,
    ) -> Result<(), FactorError<T>> {
        *inertia = self.inertia(matrix)?;
        Ok(())
    }

    /// Checks that a constant matrix is positive definite. Called at the start.
    fn check(&self) -> Result<(), FactorError<T>> {
        Ok(())
    }

    /// The matrix itself if it is constant; zero if it varies.
    fn constant<S: Real<Base = T>>(&self) -> Matrix<S, N, N>;

    /// M x in any scalar. `matrix` evaluates the matrix and is called only if it varies.
    #[inline(always)]
    fn times<S: Real<Base = T>>(&self, matrix: impl FnOnce() -> Matrix<S, N, N>, x: &Vector<S, N>) -> Vector<S, N> {
        product(&matrix(), x)
    }
}

/// A mass matrix that is the same in every configuration. RATTLE, its compositions and symplectic Euler need it.
pub trait ConstantMass<T: Float, const N: usize>: Mass<T, N, Inertia = Self> + Inertia<T, N> {}

/// Where a diagonal matrix can differ from zero.
const fn diagonal<const N: usize>() -> [[bool; N]; N] {
    let (mut entries, mut i) = ([[false; N]; N], 0);
    while i < N {
        entries[i][i] = true;
        i += 1;
    }
    entries
}

/// Implements [`Mass`] for a constant matrix: it is its own inertia.
macro_rules! is_its_own_inertia {
    () => {
        type Inertia = Self;
        const VARIES: bool = false;

        #[inline(always)]
        fn inertia(&self, _: impl FnOnce() -> Matrix<T, N, N>) -> Result<Self, FactorError<T>> {
            Ok(*self)
        }

        #[inline(always)]
        fn workspace(&self) -> Self {
            *self
        }

        #[inline(always)]
        fn update(&self, _: &mut Self, _: impl FnOnce() -> Matrix<T, N, N>) -> Result<(), FactorError<T>> {
            Ok(())
        }
    };
}

pub(crate) use is_its_own_inertia;

/// Refuses a mass that is not finite and positive, or so small that its inverse overflows.
pub(super) fn judged<T: Float>(index: usize, mass: T) -> Result<(), FactorError<T>> {
    let limit = T::MIN_POSITIVE;
    if mass >= limit && mass.is_finite() { Ok(()) } else { Err(FactorError::refusing(index, mass, limit)) }
}

/// One mass for each coordinate: a diagonal matrix.
///
/// ```
/// use nalgebra::vector;
/// use taut::system::{Inertia, Diagonal};
///
/// let mass = Diagonal::new([2.0_f32, 4.0]);
/// assert_eq!(mass.acceleration(&vector![1.0, 1.0]), vector![0.5, 0.25]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diagonal<T, const N: usize> {
    masses: [T; N],
    inverses: [T; N],
}

impl<T: Float, const N: usize> Diagonal<T, N> {
    /// From the masses. They must be positive; the start refuses others.
    #[inline(always)]
    pub fn new(masses: [T; N]) -> Self {
        Self { masses, inverses: inverses(&masses) }
    }

    /// From the inverses of the masses.
    #[inline(always)]
    pub(crate) fn of_inverses(given: [T; N]) -> Self {
        Self { masses: inverses(&given), inverses: given }
    }
}

#[inline(always)]
fn inverses<T: Float, const N: usize>(numbers: &[T; N]) -> [T; N] {
    each(&Vector::from(*numbers), |number| T::one() / number).data.0[0]
}

impl<T: Float, const N: usize> Inertia<T, N> for Diagonal<T, N> {
    const COUPLES: [[bool; N]; N] = diagonal();
    const KEEPS_INVERSE: bool = true;

    /// Zero off the diagonal: projections in this metric use the pattern of the system's own mass.
    #[inline(always)]
    fn inverse(&self, i: usize, j: usize) -> T {
        if i == j { self.inverses[i] } else { T::zero() }
    }

    #[inline(always)]
    fn acceleration(&self, force: &Vector<T, N>) -> Vector<T, N> {
        pairs(force, &Vector::from(self.inverses), |f, inverse| f * inverse)
    }

    #[inline(always)]
    fn momentum(&self, velocity: &Vector<T, N>) -> Vector<T, N> {
        pairs(velocity, &Vector::from(self.masses), |v, mass| v * mass)
    }

    #[inline(always)]
    fn directions<const M: usize>(&self, jacobian: &Matrix<T, M, N>, directions: &mut Matrix<T, N, M>) {
        for row in 0..M {
            for i in 0..N {
                directions.data.0[row][i] = jacobian.data.0[i][row] * self.inverses[i];
            }
        }
    }
}

impl<T: Float, const N: usize> Mass<T, N> for Diagonal<T, N> {
    is_its_own_inertia! {}

    fn check(&self) -> Result<(), FactorError<T>> {
        (0..N).try_for_each(|index| judged(index, self.masses[index]))
    }

    fn constant<S: Real<Base = T>>(&self) -> Matrix<S, N, N> {
        let mut matrix = Matrix::zeros();
        for i in 0..N {
            matrix.data.0[i][i] = S::from(self.masses[i]);
        }
        matrix
    }

    #[inline(always)]
    fn times<S: Real<Base = T>>(&self, _: impl FnOnce() -> Matrix<S, N, N>, x: &Vector<S, N>) -> Vector<S, N> {
        pairs(x, &Vector::from(self.masses), |x, mass| x * mass)
    }
}

impl<T: Float, const N: usize> ConstantMass<T, N> for Diagonal<T, N> {}

/// The same mass for all coordinates, checked and inverted once. Build it once and keep it in the model: a step takes fewer instructions
/// with it than with any other kind of mass.
///
/// ```
/// use nalgebra::vector;
/// use taut::linalg::FactorError;
/// use taut::system::{Inertia, Uniform};
///
/// let mass = Uniform::new(2.0_f32)?;
/// assert_eq!(mass.acceleration(&vector![1.0, 3.0]), vector![0.5, 1.5]);
/// assert!(Uniform::new(-2.0_f32).is_err());
/// # Ok::<(), FactorError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uniform<T> {
    mass: T,
    inverse: T,
}

impl<T: Float> Uniform<T> {
    /// From the mass. An error if it is not finite and positive, or if its inverse overflows.
    #[inline]
    pub fn new(mass: T) -> Result<Self, FactorError<T>> {
        judged(0, mass)?;
        Ok(Self { mass, inverse: T::one() / mass })
    }
}

impl<T: Float, const N: usize> Inertia<T, N> for Uniform<T> {
    const COUPLES: [[bool; N]; N] = diagonal();
    const KEEPS_INVERSE: bool = true;
    const POSITIVE: bool = true;

    #[inline(always)]
    fn inverse(&self, _i: usize, _j: usize) -> T {
        self.inverse
    }

    #[inline(always)]
    fn acceleration(&self, force: &Vector<T, N>) -> Vector<T, N> {
        each(force, |f| f * self.inverse)
    }

    #[inline(always)]
    fn kick(&self, force: &Vector<T, N>, duration: T) -> Vector<T, N> {
        let factor = self.inverse * duration;
        each(force, |f| f * factor)
    }

    #[inline(always)]
    fn momentum(&self, velocity: &Vector<T, N>) -> Vector<T, N> {
        each(velocity, |v| v * self.mass)
    }
}

impl<T: Float, const N: usize> Mass<T, N> for Uniform<T> {
    is_its_own_inertia! {}

    fn constant<S: Real<Base = T>>(&self) -> Matrix<S, N, N> {
        Matrix::from_diagonal_element(S::from(self.mass))
    }

    #[inline(always)]
    fn times<S: Real<Base = T>>(&self, _: impl FnOnce() -> Matrix<S, N, N>, x: &Vector<S, N>) -> Vector<S, N> {
        each(x, |x| x * self.mass)
    }
}

impl<T: Float, const N: usize> ConstantMass<T, N> for Uniform<T> {}

/// A constant matrix with entries off the diagonal. Build it once and keep it in the model.
///
/// ```
/// use nalgebra::vector;
/// use taut::linalg::{FactorError, Matrix};
/// use taut::system::{Full, Inertia};
///
/// let mass = Full::new(Matrix::<f64, 2, 2>::new(2.0, 1.0, 1.0, 2.0))?;
/// assert_eq!(mass.acceleration(&vector![3.0, 3.0]), vector![1.0, 1.0]);
/// # Ok::<(), FactorError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Full<T, const N: usize> {
    matrix: Matrix<T, N, N>,
    factors: Ldlt<T, N>,
}

impl<T: Float, const N: usize> Full<T, N> {
    /// From a symmetric positive definite matrix; only its lower triangle is read. The error names the row that is not positive definite.
    #[inline(always)]
    pub fn new(matrix: Matrix<T, N, N>) -> Result<Self, FactorError<T>> {
        let factors = Ldlt::factor(matrix)?;
        let mut symmetric = matrix;
        mirror_lower(&mut symmetric);
        Ok(Self { matrix: symmetric, factors })
    }
}

impl<T: Float, const N: usize> Inertia<T, N> for Full<T, N> {
    #[inline(always)]
    fn acceleration(&self, force: &Vector<T, N>) -> Vector<T, N> {
        self.factors.solve(*force)
    }

    #[inline(always)]
    fn momentum(&self, velocity: &Vector<T, N>) -> Vector<T, N> {
        product(&self.matrix, velocity)
    }
}

impl<T: Float, const N: usize> Mass<T, N> for Full<T, N> {
    is_its_own_inertia! {}

    fn constant<S: Real<Base = T>>(&self) -> Matrix<S, N, N> {
        self.matrix.map(S::from)
    }

    #[inline(always)]
    fn times<S: Real<Base = T>>(&self, _: impl FnOnce() -> Matrix<S, N, N>, x: &Vector<S, N>) -> Vector<S, N> {
        let mut product = Vector::zeros();
        for j in 0..N {
            for i in 0..N {
                product[i] += x[j] * self.matrix[(i, j)];
            }
        }
        product
    }
}

impl<T: Float, const N: usize> ConstantMass<T, N> for Full<T, N> {}

/// A matrix that depends on the configuration.
///
/// ```
/// use nalgebra::{matrix, vector};
/// use taut::linalg::{Matrix, Vector};
/// use taut::scalar::Real;
/// use taut::system::{Inertia, Mechanical, Varying};
///
/// /// A unit mass in polar coordinates (r, φ).
/// struct Polar;
/// impl Mechanical<2, 0> for Polar {
///     type Base = f64;
///     type Mass = Varying;
///     fn mass(&self) -> Varying {
///         Varying
///     }
///     fn mass_matrix<S: Real<Base = f64>>(&self, q: &Vector<S, 2>) -> Matrix<S, 2, 2> {
///         matrix![S::one(), S::zero(); S::zero(), q.x * q.x]
///     }
///     fn force<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>, v: &Vector<S, 2>) -> Vector<S, 2> {
///         vector![q.x * v.y * v.y, q.x * v.x * v.y * -2.0] // centrifugal and Coriolis
///     }
///     fn constraint<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>) -> Vector<S, 0> {
///         Vector::zeros()
///     }
/// }
///
/// let inertia = Polar.inertia(&vector![2.0, 0.0])?;
/// assert_eq!(inertia.acceleration(&vector![1.0, 8.0]), vector![1.0, 2.0]);
/// # Ok::<(), taut::linalg::FactorError<f64>>(())
/// ```
///
/// The system must override [`mass_matrix`](super::Mechanical::mass_matrix). The default is zero, and the start refuses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Varying;

impl<T: Float, const N: usize> Mass<T, N> for Varying {
    type Inertia = Full<T, N>;

    #[inline(always)]
    fn inertia(&self, matrix: impl FnOnce() -> Matrix<T, N, N>) -> Result<Full<T, N>, FactorError<T>> {
        Full::new(matrix())
    }

    #[inline(always)]
    fn workspace(&self) -> Full<T, N> {
        Full { matrix: zero_matrix(), factors: Ldlt::workspace() }
    }

    #[inline(always)]
    fn update(&self, inertia: &mut Full<T, N>, matrix: impl FnOnce() -> Matrix<T, N, N>) -> Result<(), FactorError<T>> {
        inertia.matrix = matrix();
        mirror_lower(&mut inertia.matrix);
        inertia.factors.update(&inertia.matrix)
    }

    fn constant<S: Real<Base = T>>(&self) -> Matrix<S, N, N> {
        Matrix::zeros()
    }
}

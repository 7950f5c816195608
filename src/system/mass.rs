//! Kinds of mass matrices: one mass, diagonal, full, and depending on the configuration.

use core::fmt::Debug;

use crate::linalg::{FactorError, Ldlt, Matrix, Vector};
use crate::scalar::{Float, Real};

/// A mass matrix at one configuration, ready to be solved with.
pub trait Inertia<T: Float, const N: usize>: Copy + Debug {
    /// Whether a force accelerates its own coordinate alone, so that M⁻¹ Gᵀ has the zeros of G. `false` is always right.
    const DIAGONAL: bool = false;

    /// Whether it has been found positive and finite when it was made, so that the square of a gradient, G M⁻¹ Gᵀ, can vanish or
    /// overflow and not be negative. `false` is always right.
    const POSITIVE: bool = false;

    /// M⁻¹ f: the acceleration that a force makes.
    fn acceleration(&self, force: &Vector<T, N>) -> Vector<T, N>;

    /// M⁻¹ f δt: the change of velocity that a force makes in a time.
    #[inline(always)]
    fn kick(&self, force: &Vector<T, N>, duration: T) -> Vector<T, N> {
        self.acceleration(force) * duration
    }

    /// M v: the momentum of a velocity.
    fn momentum(&self, velocity: &Vector<T, N>) -> Vector<T, N>;

    /// M⁻¹ Gᵀ, into `directions`: the accelerations that the constraints' gradients make.
    #[inline(always)]
    fn directions<const M: usize>(&self, jacobian: &Matrix<T, M, N>, directions: &mut Matrix<T, N, M>) {
        for row in 0..M {
            let mut gradient = Vector::zeros();
            for i in 0..N {
                gradient.data.0[0][i] = jacobian.data.0[i][row];
            }
            directions.data.0[row] = self.acceleration(&gradient).data.0[0];
        }
    }
}

/// The kind of a system's mass matrix, chosen by [`Mechanical::Mass`](super::Mechanical::Mass).
pub trait Mass<T: Float, const N: usize>: Copy + Debug {
    /// What the matrix becomes at one configuration.
    type Inertia: Inertia<T, N>;

    /// The matrix at one configuration; `matrix` evaluates it and is asked only when it varies.
    fn inertia(&self, matrix: impl FnOnce() -> Matrix<T, N, N>) -> Result<Self::Inertia, FactorError<T>>;

    /// Room for what the matrix becomes, to be filled by [`Mass::update`]; a constant matrix is there already.
    fn room(&self) -> Self::Inertia;

    /// The same as [`Mass::inertia`], in place: a matrix that is constant is left alone, and nothing is moved about.
    #[inline(always)]
    fn update(
        &self,
        inertia: &mut Self::Inertia,
        matrix: impl FnOnce() -> Matrix<T, N, N>,
    ) -> Result<(), FactorError<T>> {
        *inertia = self.inertia(matrix)?;
        Ok(())
    }

    /// Whether it is a mass matrix at all, as far as that can be said without a configuration. Asked for at a start.
    fn check(&self) -> Result<(), FactorError<T>> {
        Ok(())
    }

    /// The matrix itself, where it is constant; zero where it varies.
    fn constant<S: Real<Base = T>>(&self) -> Matrix<S, N, N>;

    /// M x, in any scalar; `matrix` evaluates the matrix and is asked only when it varies.
    #[inline(always)]
    fn times<S: Real<Base = T>>(&self, matrix: impl FnOnce() -> Matrix<S, N, N>, x: &Vector<S, N>) -> Vector<S, N> {
        matrix() * x
    }
}

/// A mass matrix that is the same in every configuration, which RATTLE and its relatives ask for.
pub trait ConstantMass<T: Float, const N: usize>: Mass<T, N, Inertia = Self> + Inertia<T, N> {}

/// One mass for each coordinate: a diagonal matrix.
///
/// ```
/// use nalgebra::vector;
/// use taut::system::{Inertia, Lumped};
///
/// let mass = Lumped::new([2.0_f32, 4.0]);
/// assert_eq!(mass.acceleration(&vector![1.0, 1.0]), vector![0.5, 0.25]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lumped<T, const N: usize> {
    masses: [T; N],
    inverses: [T; N],
}

impl<T: Float, const N: usize> Lumped<T, N> {
    /// From the masses. They must be positive; `start` refuses others.
    #[inline(always)]
    pub fn new(masses: [T; N]) -> Self {
        Self { masses, inverses: masses.map(|mass| T::one() / mass) }
    }
}

impl<T: Float, const N: usize> Inertia<T, N> for Lumped<T, N> {
    const DIAGONAL: bool = true;

    #[inline(always)]
    fn acceleration(&self, force: &Vector<T, N>) -> Vector<T, N> {
        scaled(force, &self.inverses)
    }

    #[inline(always)]
    fn momentum(&self, velocity: &Vector<T, N>) -> Vector<T, N> {
        scaled(velocity, &self.masses)
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

/// Each entry times its factor.
#[inline(always)]
fn scaled<T: Float, const N: usize>(vector: &Vector<T, N>, factors: &[T; N]) -> Vector<T, N> {
    let mut result = *vector;
    for i in 0..N {
        result.data.0[0][i] *= factors[i];
    }
    result
}

impl<T: Float, const N: usize> Mass<T, N> for Lumped<T, N> {
    type Inertia = Self;

    #[inline(always)]
    fn inertia(&self, _: impl FnOnce() -> Matrix<T, N, N>) -> Result<Self, FactorError<T>> {
        Ok(*self)
    }

    #[inline(always)]
    fn room(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn update(&self, _: &mut Self, _: impl FnOnce() -> Matrix<T, N, N>) -> Result<(), FactorError<T>> {
        Ok(())
    }

    fn check(&self) -> Result<(), FactorError<T>> {
        for index in 0..N {
            let (mass, inverse) = (self.masses[index], self.inverses[index]);
            if !(mass > T::zero() && mass.is_finite() && inverse.is_finite()) {
                return Err(FactorError::refusing(index, mass, T::zero()));
            }
        }
        Ok(())
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
        Vector::from_fn(|i, _| x[i] * self.masses[i])
    }
}

impl<T: Float, const N: usize> ConstantMass<T, N> for Lumped<T, N> {}

/// The same mass for all coordinates, judged and divided by once. Build it once and keep it in the model: of the kinds of mass a step
/// takes the fewest instructions with this one.
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
    /// From the mass; an error unless it and its inverse are positive and finite.
    #[inline]
    pub fn new(mass: T) -> Result<Self, FactorError<T>> {
        let inverse = T::one() / mass;
        let is_mass = mass > T::zero() && mass.is_finite() && inverse.is_finite();
        if is_mass { Ok(Self { mass, inverse }) } else { Err(FactorError::refusing(0, mass, T::zero())) }
    }
}

impl<T: Float, const N: usize> Inertia<T, N> for Uniform<T> {
    const DIAGONAL: bool = true;
    const POSITIVE: bool = true;

    #[inline(always)]
    fn acceleration(&self, force: &Vector<T, N>) -> Vector<T, N> {
        force * self.inverse
    }

    #[inline(always)]
    fn kick(&self, force: &Vector<T, N>, duration: T) -> Vector<T, N> {
        force * (self.inverse * duration)
    }

    #[inline(always)]
    fn momentum(&self, velocity: &Vector<T, N>) -> Vector<T, N> {
        velocity * self.mass
    }

    #[inline(always)]
    fn directions<const M: usize>(&self, jacobian: &Matrix<T, M, N>, directions: &mut Matrix<T, N, M>) {
        for row in 0..M {
            for i in 0..N {
                directions.data.0[row][i] = jacobian.data.0[i][row] * self.inverse;
            }
        }
    }
}

impl<T: Float, const N: usize> Mass<T, N> for Uniform<T> {
    type Inertia = Self;

    #[inline(always)]
    fn inertia(&self, _: impl FnOnce() -> Matrix<T, N, N>) -> Result<Self, FactorError<T>> {
        Ok(*self)
    }

    #[inline(always)]
    fn room(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn update(&self, _: &mut Self, _: impl FnOnce() -> Matrix<T, N, N>) -> Result<(), FactorError<T>> {
        Ok(())
    }

    fn constant<S: Real<Base = T>>(&self) -> Matrix<S, N, N> {
        Matrix::from_diagonal_element(S::from(self.mass))
    }

    #[inline(always)]
    fn times<S: Real<Base = T>>(&self, _: impl FnOnce() -> Matrix<S, N, N>, x: &Vector<S, N>) -> Vector<S, N> {
        Vector::from_fn(|i, _| x[i] * self.mass)
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
    /// From a symmetric positive definite matrix, of which the lower triangle is read; an error says which row is not.
    #[inline(always)]
    pub fn new(matrix: Matrix<T, N, N>) -> Result<Self, FactorError<T>> {
        let factors = Ldlt::factor(matrix)?;
        let mut symmetric = matrix;
        symmetric.fill_upper_triangle_with_lower_triangle();
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
        self.matrix * velocity
    }
}

impl<T: Float, const N: usize> Mass<T, N> for Full<T, N> {
    type Inertia = Self;

    #[inline(always)]
    fn inertia(&self, _: impl FnOnce() -> Matrix<T, N, N>) -> Result<Self, FactorError<T>> {
        Ok(*self)
    }

    #[inline(always)]
    fn room(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn update(&self, _: &mut Self, _: impl FnOnce() -> Matrix<T, N, N>) -> Result<(), FactorError<T>> {
        Ok(())
    }

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
/// The system overrides
/// [`mass_matrix`](super::Mechanical::mass_matrix). If it does not, the matrix is zero, and `start` refuses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Varying;

impl<T: Float, const N: usize> Mass<T, N> for Varying {
    type Inertia = Full<T, N>;

    #[inline(always)]
    fn inertia(&self, matrix: impl FnOnce() -> Matrix<T, N, N>) -> Result<Full<T, N>, FactorError<T>> {
        Full::new(matrix())
    }

    #[inline(always)]
    fn room(&self) -> Full<T, N> {
        Full { matrix: Matrix::zeros(), factors: Ldlt::blank() }
    }

    fn constant<S: Real<Base = T>>(&self) -> Matrix<S, N, N> {
        Matrix::zeros()
    }
}

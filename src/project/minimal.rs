//! Minimal coordinates: the independent ones among the coordinates of a mechanical system.
//!
//! Of the N coordinates, as many depend on the others as there are independent constraints. G_D are their columns of G, G_I those of the
//! K independent coordinates η = q_I with the velocities ν = v_I:
//!
//! ```text
//!     q_D from g(t, q) = 0,    v_D = −G_D⁻¹ (G_I ν + g_t),    J = ∂q/∂η = [1; −G_D⁻¹ G_I]
//!     Jᵀ M J ν' = Jᵀ (f − M a),    a_I = 0, a_D = −G_D⁻¹ (g_qq(v, v) + 2 g_qt v + g_tt)
//! ```
//!
//! (Hairer & Wanner VII.2, (2.22); Hairer, *Solving Differential Equations on Manifolds*, III.2.) This is the ordinary differential
//! equation of an observer, a linear-quadratic regulator or a linearisation.
//!
//! G_D is not inverted: its inverse is the projection onto the constraints with infinite masses of the independent coordinates, which
//! do not move then. So redundant constraints are treated as in all projections: by rank.
//!
//! The dependent coordinates are chosen greedily: each has the largest part of its column, in the metric of the mass, that those before
//! it leave. The coordinates may have different units.

use super::geometry::Geometry;
use super::residual::{Level, ProjectError, all_finite, within};
use crate::linalg::entries::transposed;
use crate::linalg::{Ldlt, Matrix, SymmetricFactors, Vector, product, product_of, sum_of_products};
use crate::scalar::Float;
use crate::system::{Diagonal, Equations, Inertia, Mass, Mechanical};

/// The `K` independent coordinates at a configuration, and what follows from them: the tangent basis, the reduced mass and force.
///
/// The linearisation of a pendulum on a cart, held upright by a force on the cart:
///
/// ```
/// use nalgebra::{matrix, vector};
/// # use taut::linalg::Vector;
/// use taut::project::MinimalCoordinates;
/// # use taut::scalar::Real;
/// # use taut::system::{Diagonal, Mechanical};
///
/// /// q = (s, x, y): the cart, and the bob relative to it. Cart 2 kg, bob 1 kg at (s + x, y) on a rod of 0.5 m. The mass couples them.
/// struct Cart;
/// # impl Mechanical<3, 1> for Cart {
/// #     type Base = f64;
/// #     type Mass = taut::system::Full<f64, 3>;
/// #     fn mass(&self) -> Self::Mass {
/// #         taut::system::Full::new(matrix![3.0, 1.0, 0.0; 1.0, 1.0, 0.0; 0.0, 0.0, 1.0]).expect("positive definite")
/// #     }
/// #     fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 3>, _v: &Vector<S, 3>) -> Vector<S, 3> {
/// #         vector![S::from(0.0), S::from(0.0), S::from(-9.81)]
/// #     }
/// #     fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 3>) -> Vector<S, 1> {
/// #         vector![(q.y * q.y + q.z * q.z - 0.25) * 0.5]
/// #     }
/// # }
///
/// let upright = MinimalCoordinates::<f64, 3, 1, 2>::at(&Cart, 0.0, &vector![0.0, 0.0, 0.5])?;
/// assert_eq!(upright.independent(), [0, 1]); // the cart and x; y depends on x
///
/// // A: the derivatives of the accelerations by central differences, here by η. The state is (η, ν).
/// let (at_rest, d) = (vector![0.0, 0.0], 1e-5);
/// let acceleration = |eta| upright.moved(&Cart, &eta)?.acceleration(&Cart, &at_rest);
/// let by_x = (acceleration(vector![0.0, d])? - acceleration(vector![0.0, -d])?) / (2.0 * d);
/// // B: the force on the cart acts on the independent coordinates by Jᵀ.
/// let mass = upright.mass(&Cart)?;
/// let by_force = mass.try_inverse().unwrap() * upright.basis().transpose() * vector![1.0, 0.0, 0.0];
///
/// // m g/M towards the side on which the bob falls, (1 + m/M) g/l for the bob on the cart.
/// assert!((by_x - vector![-9.81 / 2.0 / 0.5, 1.5 * 9.81 / 0.5]).norm() < 1e-5);
/// assert!((by_force - vector![0.5, -0.5]).norm() < 1e-12);
/// # Ok::<(), taut::project::ProjectError<f64>>(())
/// ```
///
/// With redundant constraints, name other factors: `MinimalCoordinates::<T, N, M, K, Semidefinite<T, M>>`.
#[derive(Clone, Copy, Debug)]
pub struct MinimalCoordinates<T, const N: usize, const M: usize, const K: usize, F = Ldlt<T, M>> {
    dependent: [bool; N],
    t: T,
    q: Vector<T, N>,
    /// With infinite masses of the independent coordinates.
    geometry: Geometry<T, N, M, F>,
    basis: Matrix<T, N, K>,
}

impl<T: Float, const N: usize, const M: usize, const K: usize, F: SymmetricFactors<T, M>>
    MinimalCoordinates<T, N, M, K, F>
{
    /// Chooses the coordinates at (t, q). q must be on the constraints.
    ///
    /// An error if the constraints leave another number of degrees of freedom than `K`. With [`Ldlt`], N = M + `K` is checked at compile
    /// time.
    pub fn at<System>(system: &System, t: T, q: &Vector<T, N>) -> Result<Self, ProjectError<T>>
    where
        System: Mechanical<N, M, Base = T>,
    {
        const { assert!(F::DECIDES_RANK || N == M + K, "K must be N − M, or the constraints are redundant") }
        all_finite(Level::Position, q)?;
        system.mass().check().map_err(ProjectError::Mass)?;
        let inertia = system.inertia_at(t, q).map_err(ProjectError::Mass)?;
        let here = Geometry::<T, N, M, F>::at(system, &inertia, t, q).map_err(ProjectError::Constraints)?;
        let found = N.wrapping_sub(here.correction.rank());
        if found != K {
            return Err(ProjectError::DegreesOfFreedom { given: K, found });
        }
        let masses = diagonal(&system.mass_matrix_at(t, q));
        let (dependent, _) = choose(&here.jacobian, &masses, here.correction.rank(), &[true; N]);
        Self::with(system, dependent, t, q)
    }

    /// The same coordinates at another configuration, with the independent coordinates η. Newton's method starts here.
    ///
    /// An error if it does not reach the constraints, or if these coordinates are not independent there: choose anew on the way.
    pub fn moved<System>(&self, system: &System, eta: &Vector<T, K>) -> Result<Self, ProjectError<T>>
    where
        System: Mechanical<N, M, Base = T>,
    {
        all_finite(Level::Position, eta)?;
        let mut q = self.q;
        self.set(&mut q, eta);
        let limits = self.geometry.limits(T::ROOT_EPSILON);
        for _ in 0..T::NEWTON_ITERATIONS {
            let here = Self::oblique(system, &self.dependent, self.t, &q)?;
            let residual = system.constraint(self.t, &q);
            q -= here.correction.directions * here.correction.multipliers::<System>(&residual);
        }
        all_finite(Level::Position, &q)?;
        within(Level::Position, &system.constraint(self.t, &q), &limits).map_err(ProjectError::NotReached)?;
        Self::with(system, self.dependent, self.t, &q)
    }

    /// The numbers of the independent coordinates, in ascending order.
    pub fn independent(&self) -> [usize; K] {
        let mut independent = [0; K];
        let found = (0..N).zip(&self.dependent).filter(|&(_, &dependent)| !dependent);
        for (entry, (i, _)) in independent.iter_mut().zip(found) {
            *entry = i;
        }
        independent
    }

    /// The positions q.
    pub fn position(&self) -> &Vector<T, N> {
        &self.q
    }

    /// The independent ones among positions or velocities: η of q, ν of v.
    pub fn of(&self, x: &Vector<T, N>) -> Vector<T, K> {
        let mut minimal = Vector::<T, K>::zeros();
        let found = x.iter().zip(&self.dependent).filter(|&(_, &dependent)| !dependent);
        for (entry, (&x, _)) in minimal.iter_mut().zip(found) {
            *entry = x;
        }
        minimal
    }

    /// The velocities v that satisfy the constraints, with the independent velocities ν.
    pub fn velocity<System>(&self, system: &System, nu: &Vector<T, K>) -> Vector<T, N>
    where
        System: Mechanical<N, M, Base = T>,
    {
        let mut v = product(&self.basis, nu);
        if System::TIME_DEPENDENT {
            self.correct::<System>(&mut v, &system.time_derivative(self.t, &self.q));
        }
        v
    }

    /// The tangent basis J = ∂q/∂η: its columns are the velocities that satisfy the constraints at rest.
    pub fn basis(&self) -> &Matrix<T, N, K> {
        &self.basis
    }

    /// The reduced mass Jᵀ M J.
    pub fn mass<System>(&self, system: &System) -> Result<Matrix<T, K, K>, ProjectError<T>>
    where
        System: Mechanical<N, M, Base = T>,
    {
        let inertia = system.inertia_at(self.t, &self.q).map_err(ProjectError::Mass)?;
        let mut momenta = self.basis;
        for column in &mut momenta.data.0 {
            *column = inertia.momentum(&Vector::from(*column)).data.0[0];
        }
        Ok(product_of(&transposed(&self.basis), &momenta))
    }

    /// The reduced force Jᵀ (f − M a), with the velocities of [`velocity`](Self::velocity). An input B u adds Jᵀ B u.
    pub fn force<System>(&self, system: &System, v: &Vector<T, N>) -> Result<Vector<T, K>, ProjectError<T>>
    where
        System: Mechanical<N, M, Base = T>,
    {
        let inertia = system.inertia_at(self.t, &self.q).map_err(ProjectError::Mass)?;
        let equations = system.equations(self.t, &self.q);
        let mut acceleration = Vector::zeros();
        self.correct::<System>(&mut acceleration, &equations.acceleration_terms(v));
        let force = equations.force(v) - inertia.momentum(&acceleration);
        Ok(product(&transposed(&self.basis), &force))
    }

    /// ν' = (Jᵀ M J)⁻¹ Jᵀ (f − M a) at the independent velocities ν.
    pub fn acceleration<System>(&self, system: &System, nu: &Vector<T, K>) -> Result<Vector<T, K>, ProjectError<T>>
    where
        System: Mechanical<N, M, Base = T>,
    {
        let factors = Ldlt::<T, K>::factor(self.mass(system)?).map_err(ProjectError::Mass)?;
        let acceleration = factors.solve(self.force(system, &self.velocity(system, nu))?);
        all_finite(Level::Velocity, &acceleration)?;
        Ok(acceleration)
    }

    /// These coordinates at (t, q).
    fn with<System>(system: &System, dependent: [bool; N], t: T, q: &Vector<T, N>) -> Result<Self, ProjectError<T>>
    where
        System: Mechanical<N, M, Base = T>,
    {
        let geometry = Self::oblique(system, &dependent, t, q)?;
        let mut here = Self { dependent, t, q: *q, geometry, basis: Matrix::zeros() };
        for k in 0..K {
            let (mut unit, mut column) = (Vector::<T, K>::zeros(), Vector::zeros());
            unit.data.0[0][k] = T::one();
            here.set(&mut column, &unit);
            let residual = product(&here.geometry.jacobian, &column);
            here.correct::<System>(&mut column, &residual);
            here.basis.data.0[k] = column.data.0[0];
        }
        Ok(here)
    }

    /// The geometry in which the independent coordinates do not move.
    fn oblique<System>(
        system: &System,
        dependent: &[bool; N],
        t: T,
        q: &Vector<T, N>,
    ) -> Result<Geometry<T, N, M, F>, ProjectError<T>>
    where
        System: Mechanical<N, M, Base = T>,
    {
        let masses = immobile(dependent, &diagonal(&system.mass_matrix_at(t, q)).map(|mass| T::one() / mass));
        let geometry = Geometry::<T, N, M, F>::in_metric::<System>(system.jacobian(t, q), &masses)
            .map_err(ProjectError::Constraints)?;
        let found = N.wrapping_sub(geometry.correction.rank());
        if found == K { Ok(geometry) } else { Err(ProjectError::DegreesOfFreedom { given: K, found }) }
    }

    /// Sets the independent coordinates.
    fn set(&self, x: &mut Vector<T, N>, minimal: &Vector<T, K>) {
        let independent = x.iter_mut().zip(&self.dependent).filter(|(_, dependent)| !**dependent);
        for ((x, _), &y) in independent.zip(minimal.iter()) {
            *x = y;
        }
    }

    /// Moves the dependent coordinates by a residual of the constraints.
    fn correct<System: Mechanical<N, M, Base = T>>(&self, x: &mut Vector<T, N>, residual: &Vector<T, M>) {
        let correction = &self.geometry.correction;
        *x -= correction.directions * correction.multipliers::<System>(residual);
    }
}

/// The diagonal of a mass matrix.
pub(crate) fn diagonal<T: Float, const N: usize>(mass: &Matrix<T, N, N>) -> [T; N] {
    core::array::from_fn(|i| mass.data.0[i][i])
}

/// The masses with which only the dependent coordinates move, from the inverses of all masses: that of an infinite mass is zero.
#[inline(always)]
pub(crate) fn immobile<T: Float, const N: usize>(dependent: &[bool; N], inverses: &[T; N]) -> Diagonal<T, N> {
    Diagonal::of_inverses(core::array::from_fn(|i| if dependent[i] { inverses[i] } else { T::zero() }))
}

/// Chooses as many dependent coordinates `among` these as the rank says, by Gram–Schmidt with pivoting on the columns of G M^(−1/2). Also
/// returns the smallest pivot, squared. Of equal columns it takes the first, so that the choice does not depend on the compiler.
#[inline(always)]
pub(crate) fn choose<T: Float, const N: usize, const M: usize>(
    jacobian: &Matrix<T, M, N>,
    masses: &[T; N],
    rank: usize,
    among: &[bool; N],
) -> ([bool; N], T) {
    let (mut dependent, mut columns, mut smallest) = ([false; N], jacobian.data.0, T::INFINITY);
    let dot = |a: &[T; M], b: &[T; M]| sum_of_products::<T, M>(|row| (a[row], b[row]));
    for k in 0..rank.min(N) {
        let (mut chosen, mut largest) = (0, T::zero());
        for j in 0..N {
            let left = dot(&columns[j], &columns[j]) / masses[j];
            if among[j] && !dependent[j] && left > largest {
                (chosen, largest) = (j, left);
            }
        }
        smallest = if largest < smallest { largest } else { smallest };
        let (Some(taken), Some(pivot)) = (dependent.get_mut(chosen), columns.get(chosen).copied()) else { break };
        // Nothing is left: the factors of G_D refuse the choice.
        if !(largest > T::zero()) {
            break;
        }
        *taken = true;
        if k + 1 == M {
            break;
        }
        let inverse = T::one() / dot(&pivot, &pivot);
        for column in &mut columns {
            let share = dot(&pivot, column) * inverse;
            for row in 0..M {
                column[row] -= pivot[row] * share;
            }
        }
    }
    (dependent, smallest)
}

#[cfg(test)]
mod tests {
    use nalgebra::{matrix, vector};

    use super::*;

    /// The column with the largest part left, in the metric of the mass; of equal ones the first.
    #[test]
    fn the_choice_is_greedy_in_the_metric_of_the_mass() {
        let g = matrix![1.0, 0.0, 0.0, 0.0; -1.0, 0.0, 1.0, 0.0_f64];
        assert_eq!(choose(&g, &[1.0; 4], 2, &[true; _]).0, [true, false, true, false]);
        // A heavy coordinate moves little: the lighter one depends.
        let g = matrix![1.0, 0.9_f64];
        assert_eq!(choose(&g, &[1.0; 2], 1, &[true; _]).0, [true, false]);
        assert_eq!(choose(&g, &[2.0, 1.0], 1, &[true; _]).0, [false, true]);
        assert_eq!(choose(&matrix![1.0, -1.0_f64], &[1.0; 2], 1, &[true; _]).0, [true, false]);
        // In millimetres, with the mass in that unit, the choice is the same.
        assert_eq!(choose(&matrix![1.0, 0.9e-3_f64], &[2.0, 1.0e-6], 1, &[true; _]).0, [false, true]);
    }

    /// Nothing to choose: no constraint, a zero column, NaN.
    #[test]
    fn a_choice_that_cannot_be_made_ends_early() {
        assert_eq!(choose(&Matrix::<f64, 0, 2>::zeros(), &[1.0; 2], 0, &[true; _]).0, [false; 2]);
        assert_eq!(choose(&Matrix::<f64, 1, 2>::zeros(), &[1.0; 2], 1, &[true; _]).0, [false; 2]);
        assert_eq!(choose(&matrix![f64::NAN, 1.0], &[1.0; 2], 1, &[true; _]).0, [false, true]);
        assert_eq!(choose(&matrix![f64::NAN, f64::NAN], &[1.0; 2], 1, &[true; _]).0, [false; 2]);
    }

    #[test]
    fn only_dependent_coordinates_move() {
        let inverse_masses = [0.5, 0.25_f32];
        let masses = immobile(&[true, false], &inverse_masses);
        assert_eq!(masses.acceleration(&vector![1.0, 1.0]), vector![0.5, 0.0]);
    }
}

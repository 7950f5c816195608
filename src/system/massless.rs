//! Mechanisms with massless parts: M is singular, but no motion that the constraints allow is without mass.
//!
//! A connector, a link or a frame whose mass does not matter has coordinates, but no inertia. M v' = f − Gᵀ λ and the acceleration
//! constraint G v' = −a, a = g_qq(v, v) + 2 g_qt v + g_tt, determine v' and λ if and only if M is injective on the kernel of G (Hairer &
//! Wanner VII.2, exercise 2). Then M + ρ Gᵀ G is positive definite for every ρ > 0, and
//!
//! ```text
//!     (M + ρ Gᵀ G) v' = f − ρ Gᵀ a − Gᵀ λ
//! ```
//!
//! has the same v' and the same λ: the acceleration constraint times ρ Gᵀ was added. [`Massless`] is a model with this mass and this force.
//!
//! **Exact** in every method, whatever ρ: a method that takes M + ρ Gᵀ G where it takes Gᵀ λ computes the positions and velocities of the
//! singular M, because the difference is along Gᵀ and goes into λ. Methods that do not impose the acceleration constraint (RATTLE, its
//! compositions, symplectic and implicit Euler, BDF2) subtract it from λ.
//!
//! **Cost**: the mass varies with G, so each step factorises an N × N matrix where it needs M⁻¹, also in RATTLE. Each force evaluates the
//! constraint with first and second derivatives. A coordinate that one constraint determines is better eliminated by hand.

use super::automatic;
use super::mass::{ConstantMass, Full, Inertia, Mass, Varying};
use super::mechanical::{InertiaOf, Mechanical};
use super::pattern::Pattern;
use crate::linalg::{FactorError, Matrix, Vector, product};
use crate::scalar::{Dual, Float, Jet, Real};

/// A model whose mass matrix may be singular, with M + ρ Gᵀ G in its place.
///
/// The start refuses a negative mass, and an M that is not injective on the kernel of G: the error names a coordinate that can move
/// without mass.
///
/// ```
/// use nalgebra::vector;
/// use taut::prelude::*;
/// use taut::system::Massless;
///
/// /// A pendulum whose height moves a slider of no mass: q = (x, y, s).
/// struct Connector;
/// impl Mechanical<3, 2> for Connector {
///     type Base = f64;
///     type Mass = Diagonal<f64, 3>;
///     fn mass(&self) -> Diagonal<f64, 3> {
///         Diagonal::new([1.0, 1.0, 0.0])
///     }
///     fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 3>, _v: &Vector<S, 3>) -> Vector<S, 3> {
///         vector![S::zero(), S::from(-9.81), S::zero()]
///     }
///     fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 3>) -> Vector<S, 2> {
///         vector![(q.x * q.x + q.y * q.y - S::one()) * 0.5, q.z - q.y]
///     }
/// }
///
/// // Alone it cannot start: the slider has no mass.
/// let clock = Clock::at_rate(1_000.0)?;
/// assert!(Start::at(&Connector, clock, [1.0, 0.0, 0.0]).at_rest().is_err());
/// let connector = Massless::new(Connector, 1.0)?;
/// let mut state = Start::at(&connector, clock, [1.0, 0.0, 0.0]).at_rest()?;
/// for _ in 0..100 {
///     let report = Rattle::new().step(&connector, &mut state)?;
///     assert!(report.multipliers[1].abs() < 1e-9); // nothing to pull at
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Massless<System, T> {
    /// The model.
    pub system: System,
    weight: T,
}

impl<System, T: Float> Massless<System, T> {
    /// With a weight ρ, which changes round-off only: best about a mass over the square of a gradient, so that M and ρ Gᵀ G have entries of
    /// the same size. An error if it is not finite and positive.
    pub fn new(system: System, weight: T) -> Result<Self, FactorError<T>> {
        super::mass::judged(0, weight)?;
        Ok(Self { system, weight })
    }

    /// ρ Gᵀ x.
    fn along<S: Real<Base = T>, const N: usize, const M: usize>(
        &self,
        jacobian: &Matrix<S, M, N>,
        x: &Vector<S, M>,
    ) -> Vector<S, N> {
        let mut sum = Vector::<S, N>::zeros();
        for i in 0..N {
            for row in 0..M {
                sum.data.0[0][i] += jacobian.data.0[i][row] * x.data.0[0][row] * self.weight;
            }
        }
        sum
    }
}

/// G in any scalar.
fn jacobian<System: Mechanical<N, M>, S: Real<Base = System::Base>, const N: usize, const M: usize>(
    system: &System,
    t: S,
    q: &Vector<S, N>,
) -> Matrix<S, M, N> {
    let variables = Vector::from(Dual::<S, N, System::Base>::variables(q.data.0[0]));
    let g = system.constraint(Dual::constant(t), &variables);
    let mut jacobian = Matrix::<S, M, N>::zeros();
    for row in 0..M {
        for column in 0..N {
            jacobian.data.0[column][row] = g.data.0[0][row].partials[column];
        }
    }
    jacobian
}

impl<System: Mechanical<N, M>, const N: usize, const M: usize> Mechanical<N, M> for Massless<System, System::Base> {
    type Base = System::Base;
    type Mass = Supported<System::Mass, System::Base, N>;

    const TIME_DEPENDENT: bool = System::TIME_DEPENDENT;
    const ANGLES: [bool; N] = System::ANGLES;
    const PATTERN: Pattern<N, M> = System::PATTERN;

    fn mass(&self) -> Self::Mass {
        Supported { kind: self.system.mass(), sum: Varying.workspace() }
    }

    /// M itself.
    fn mass_matrix<S: Real<Base = Self::Base>>(&self, q: &Vector<S, N>) -> Matrix<S, N, N> {
        self.system.mass_matrix(q)
    }

    fn mass_matrix_at<S: Real<Base = Self::Base>>(&self, t: S, q: &Vector<S, N>) -> Matrix<S, N, N> {
        let mut sum = self.system.mass_matrix_at(t, q);
        let jacobian = jacobian(&self.system, t, q);
        for column in 0..N {
            let added = self.along(&jacobian, &Vector::from(jacobian.data.0[column]));
            for row in 0..N {
                sum.data.0[column][row] += added.data.0[0][row];
            }
        }
        sum
    }

    fn inertia_at(
        &self,
        t: Self::Base,
        q: &Vector<Self::Base, N>,
    ) -> Result<InertiaOf<Self, N, M>, FactorError<Self::Base>> {
        self.mass().inertia(|| self.mass_matrix_at(t, q))
    }

    fn force<S: Real<Base = Self::Base>>(&self, t: S, q: &Vector<S, N>, v: &Vector<S, N>) -> Vector<S, N> {
        let path = q.zip_map(v, |q, v| Jet::<S, Self::Base>::new(q, v, S::zero()));
        let terms = self.system.constraint(Jet::variable(t), &path).map(|g| g.second);
        self.system.force(t, q, v) - self.along(&jacobian(&self.system, t, q), &terms)
    }

    fn constraint<S: Real<Base = Self::Base>>(&self, t: S, q: &Vector<S, N>) -> Vector<S, M> {
        self.system.constraint(t, q)
    }

    fn jacobian(&self, t: Self::Base, q: &Vector<Self::Base, N>) -> Matrix<Self::Base, M, N> {
        self.system.jacobian(t, q)
    }

    fn time_derivative(&self, t: Self::Base, q: &Vector<Self::Base, N>) -> Vector<Self::Base, M> {
        self.system.time_derivative(t, q)
    }

    fn acceleration_terms(
        &self,
        t: Self::Base,
        q: &Vector<Self::Base, N>,
        v: &Vector<Self::Base, N>,
    ) -> Vector<Self::Base, M> {
        self.system.acceleration_terms(t, q, v)
    }

    /// λ + ρ (G v' + a).
    fn own_multipliers(
        &self,
        multipliers: Vector<Self::Base, M>,
        change: impl FnOnce() -> (Matrix<Self::Base, M, N>, Vector<Self::Base, N>),
        force_at: Option<(Self::Base, &Vector<Self::Base, N>, &Vector<Self::Base, N>)>,
    ) -> Vector<Self::Base, M> {
        let (jacobian, rate) = change();
        let mut missing = product(&jacobian, &rate);
        if let Some((t, q, v)) = force_at {
            missing += automatic::acceleration_terms(&self.system, t, q, v);
        }
        multipliers + missing * self.weight
    }
}

/// The mass of a [`Massless`] model: M + ρ Gᵀ G at one configuration. It counts as constant if M is: RATTLE needs no more.
#[derive(Clone, Copy, Debug)]
pub struct Supported<Kind, T, const N: usize> {
    kind: Kind,
    sum: Full<T, N>,
}

impl<Kind: Copy + core::fmt::Debug, T: Float, const N: usize> Inertia<T, N> for Supported<Kind, T, N> {
    fn acceleration(&self, force: &Vector<T, N>) -> Vector<T, N> {
        self.sum.acceleration(force)
    }

    fn momentum(&self, velocity: &Vector<T, N>) -> Vector<T, N> {
        self.sum.momentum(velocity)
    }
}

impl<Kind: Mass<T, N>, T: Float, const N: usize> Mass<T, N> for Supported<Kind, T, N> {
    type Inertia = Self;
    const VARIES: bool = Kind::VARIES;

    fn inertia(&self, matrix: impl FnOnce() -> Matrix<T, N, N>) -> Result<Self, FactorError<T>> {
        Ok(Self { kind: self.kind, sum: Varying.inertia(matrix)? })
    }

    fn workspace(&self) -> Self {
        *self
    }

    fn update(&self, inertia: &mut Self, matrix: impl FnOnce() -> Matrix<T, N, N>) -> Result<(), FactorError<T>> {
        Varying.update(&mut inertia.sum, matrix)
    }

    /// Refuses a constant mass that is negative: Gᵀ G would hide it.
    fn check(&self) -> Result<(), FactorError<T>> {
        let constant: Matrix<T, N, N> = self.kind.constant();
        (0..N).try_for_each(|index| {
            let (mass, limit) = (constant.data.0[index][index], T::zero());
            if mass >= limit && mass.is_finite() { Ok(()) } else { Err(FactorError::refusing(index, mass, limit)) }
        })
    }

    fn constant<S: Real<Base = T>>(&self) -> Matrix<S, N, N> {
        Matrix::zeros()
    }
}

impl<Kind: ConstantMass<T, N>, T: Float, const N: usize> ConstantMass<T, N> for Supported<Kind, T, N> {}

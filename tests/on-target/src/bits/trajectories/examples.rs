//! The systems, each with its start and its step.

use systems::{Chain, DoublePendulum, FourBar, Pendulum, Ring, SphericalPendulum};
use taut::linalg::{Ldlt, Semidefinite, SymmetricFactors};
use taut::scalar::Float;
use taut::start::{Start, StartError, State};
use taut::system::{ConstantMass, Mechanical};

/// A system and how it sets out.
pub trait Example<const N: usize, const M: usize>:
    Mechanical<N, M, Mass: ConstantMass<<Self as Mechanical<N, M>>::Base, N>> + Sized
{
    /// How its constraints are solved for: by `Ldlt`, or by `Semidefinite` if they depend on each other.
    type Factors: SymmetricFactors<Self::Base, M>;

    /// The step size, in seconds.
    const STEP: f64;

    /// The system.
    fn system() -> Self;

    /// Its state at time zero.
    fn start(&self) -> Set<Self, N, M>;
}

/// A state of an example, or why it has none.
type Set<System, const N: usize, const M: usize> = Result<
    State<<System as Mechanical<N, M>>::Base, N, M, <System as Example<N, M>>::Factors>,
    StartError<<System as Mechanical<N, M>>::Base>,
>;

/// Let go at the side.
impl<T: Float> Example<2, 1> for Pendulum<T> {
    type Factors = Ldlt<T, 1>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self::standard()
    }

    fn start(&self) -> Set<Self, 2, 1> {
        Start::at(self, [1.0, 0.0].map(T::from_f64)).at_rest()
    }
}

/// Let go stretched to the side. It is chaotic: a last bit that differs is a different motion soon.
impl<T: Float> Example<4, 2> for DoublePendulum<T> {
    type Factors = Ldlt<T, 2>;
    const STEP: f64 = 2e-3;

    fn system() -> Self {
        Self::standard()
    }

    fn start(&self) -> Set<Self, 4, 2> {
        Start::at(self, [1.0, 0.0, 2.0, 0.0].map(T::from_f64)).at_rest()
    }
}

/// From the initial values of the figure.
impl<T: Float> Example<3, 1> for SphericalPendulum<T> {
    type Factors = Ldlt<T, 1>;
    const STEP: f64 = 1e-2;

    fn system() -> Self {
        Self::default()
    }

    fn start(&self) -> Set<Self, 3, 1> {
        Start::at(self, Self::position()).moving(Self::velocity())
    }
}

/// With a turning crank.
impl<T: Float> Example<9, 8> for FourBar<T> {
    type Factors = Ldlt<T, 8>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self::standard()
    }

    fn start(&self) -> Set<Self, 9, 8> {
        let guess = Self::guess();
        Start::at(self, guess).moving(Self::turning(&guess.into()))
    }
}

/// Four links, let go stretched. Chaotic, too.
impl<T: Float> Example<8, 4> for Chain<T, 8, 4> {
    type Factors = Ldlt<T, 4>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self::standard()
    }

    fn start(&self) -> Set<Self, 8, 4> {
        Start::at(self, Self::position()).at_rest()
    }
}

/// With one constraint too many, and one piece that follows a prescribed motion.
impl<T: Float> Example<18, 18> for Ring<T> {
    type Factors = Semidefinite<T, 18>;
    const STEP: f64 = 1e-2;

    fn system() -> Self {
        Self { swing: T::from_f64(0.1) }
    }

    fn start(&self) -> Set<Self, 18, 18> {
        let velocity = Self::tangent().map(|component| component * T::from_f64(0.3));
        Start::at(self, Self::position()).redundant().moving(velocity)
    }
}

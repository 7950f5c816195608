//! The systems, each with its start and its step.

use systems::{
    Arm, Bead, Chain, DoublePendulum, Driven, FourBar, Lines, Pendulum, Ring, SliderCrank, SphericalPendulum,
};
use taut::linalg::{Ldlt, Semidefinite, SymmetricFactors};
use taut::scalar::Float;
use taut::start::Start;
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

    /// Where it sets out.
    fn place(&self) -> Place<'_, Self, N, M>;

    /// How fast; at rest unless it says otherwise.
    fn velocity() -> [Self::Base; N] {
        [Self::Base::from_f64(0.0); N]
    }
}

/// Where an example sets out.
type Place<'a, System, const N: usize, const M: usize> =
    Start<'a, System, <System as Mechanical<N, M>>::Base, N, M, <System as Example<N, M>>::Factors>;

/// Let go at the side.
impl<T: Float> Example<2, 1> for Pendulum<T> {
    type Factors = Ldlt<T, 1>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self::standard()
    }

    fn place(&self) -> Place<'_, Self, 2, 1> {
        Start::at(self, [1.0, 0.0].map(T::from_f64))
    }
}

/// Let go stretched to the side. It is chaotic: a last bit that differs is a different motion soon.
impl<T: Float> Example<4, 2> for DoublePendulum<T> {
    type Factors = Ldlt<T, 2>;
    const STEP: f64 = 2e-3;

    fn system() -> Self {
        Self::standard()
    }

    fn place(&self) -> Place<'_, Self, 4, 2> {
        Start::at(self, [1.0, 0.0, 2.0, 0.0].map(T::from_f64))
    }
}

/// From the initial values of the figure.
impl<T: Float> Example<3, 1> for SphericalPendulum<T> {
    type Factors = Ldlt<T, 1>;
    const STEP: f64 = 1e-2;

    fn system() -> Self {
        Self::default()
    }

    fn place(&self) -> Place<'_, Self, 3, 1> {
        Start::at(self, Self::position())
    }

    fn velocity() -> [T; 3] {
        Self::velocity()
    }
}

/// With a turning crank, whose angle is counted in turns.
impl<T: Float> Example<2, 1> for SliderCrank<T> {
    type Factors = Ldlt<T, 1>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self::standard()
    }

    fn place(&self) -> Place<'_, Self, 2, 1> {
        Start::at(self, Self::position())
    }

    fn velocity() -> [T; 2] {
        Self::velocity()
    }
}

/// With a turning crank.
impl<T: Float> Example<9, 8> for FourBar<T> {
    type Factors = Ldlt<T, 8>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self::standard()
    }

    fn place(&self) -> Place<'_, Self, 9, 8> {
        Start::at(self, Self::guess())
    }

    fn velocity() -> [T; 9] {
        Self::turning(&Self::guess().into())
    }
}

/// Four links, let go stretched. Chaotic, too.
impl<T: Float> Example<8, 4> for Chain<T, 8, 4> {
    type Factors = Ldlt<T, 4>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self::standard()
    }

    fn place(&self) -> Place<'_, Self, 8, 4> {
        Start::at(self, Self::position())
    }
}

/// With one constraint too many, and one piece that follows a prescribed motion.
impl<T: Float> Example<18, 18> for Ring<T> {
    type Factors = Semidefinite<T, 18>;
    const STEP: f64 = 1e-2;

    fn system() -> Self {
        Self { swing: T::from_f64(0.1) }
    }

    fn place(&self) -> Place<'_, Self, 18, 18> {
        Start::at(self, Self::position()).redundant()
    }

    fn velocity() -> [T; 18] {
        Self::tangent().map(|component| component * T::from_f64(0.3))
    }
}

/// Under a torque that does not hold it.
impl<T: Float> Example<2, 1> for Arm<T> {
    type Factors = Ldlt<T, 1>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self { torque: T::from_f64(2.0), ..Self::standard() }
    }

    fn place(&self) -> Place<'_, Self, 2, 1> {
        Start::at(self, [0.5, 0.0].map(T::from_f64))
    }
}

/// Under a torque, which its damping limits; a free coordinate stays where it is.
impl<T: Float> Example<3, 1> for Driven<T> {
    type Factors = Ldlt<T, 1>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self { torque: T::from_f64(12.0), ..Self::standard() }
    }

    fn place(&self) -> Place<'_, Self, 3, 1> {
        Start::at(self, [1.0, 0.0, 0.5].map(T::from_f64))
    }
}

/// At rest on the wire as it sets out to turn.
impl Example<2, 1> for Bead {
    type Factors = Ldlt<f64, 1>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self
    }

    fn place(&self) -> Place<'_, Self, 2, 1> {
        Start::at(self, [1.0, 0.0])
    }
}

/// On one line that moves.
impl Example<2, 1> for Lines<1> {
    type Factors = Ldlt<f64, 1>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self { rows: [[0.3, 0.7, 0.1, 0.2]], masses: [1.0, 3.0] }
    }

    fn place(&self) -> Place<'_, Self, 2, 1> {
        Start::at(self, [0.0, 0.2])
    }
}

//! The systems, each with its initial values and its step size.

use mechanisms::{
    Arm, Bead, Chain, DoublePendulum, Driven, FourBar, Lines, Pendulum, Ring, SliderCrank, SphericalPendulum,
    StiffActuator,
};
use nalgebra::vector;
use taut::control;
use taut::linalg::{Ldlt, Semidefinite, SymmetricFactors};
use taut::scalar::Float;
use taut::start::{Clock, Start};
use taut::system::{ConstantMass, Mechanical};

/// A system with its initial values.
pub trait Example<const N: usize, const M: usize>:
    Mechanical<N, M, Mass: ConstantMass<<Self as Mechanical<N, M>>::Base, N>> + Sized
{
    /// The factorisation for its constraints: `Ldlt`, or `Semidefinite` if they are redundant.
    type Factors: SymmetricFactors<Self::Base, M>;

    /// The step size, in seconds.
    const STEP: f64;

    /// The system.
    fn system() -> Self;

    /// The clock, at tick 0.
    fn clock() -> Clock<Self::Base> {
        Clock::with_step(Self::Base::from_f64(Self::STEP)).expect("a step size")
    }

    /// The initial position.
    fn place(&self) -> Place<'_, Self, N, M>;

    /// The initial velocity; at rest by default.
    fn velocity() -> [Self::Base; N] {
        [Self::Base::from_f64(0.0); N]
    }
}

/// The initial position of an example.
type Place<'a, System, const N: usize, const M: usize> = Start<'a, System, N, M, <System as Example<N, M>>::Factors>;

/// Released horizontally.
impl<T: Float> Example<2, 1> for Pendulum<T> {
    type Factors = Ldlt<T, 1>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self::standard()
    }

    fn place(&self) -> Place<'_, Self, 2, 1> {
        Start::at(self, Self::clock(), [1.0, 0.0].map(T::from_f64))
    }
}

/// Released horizontally and stretched. It is chaotic: a difference in the last bit soon gives another motion.
impl<T: Float> Example<4, 2> for DoublePendulum<T> {
    type Factors = Ldlt<T, 2>;
    const STEP: f64 = 2e-3;

    fn system() -> Self {
        Self::standard()
    }

    fn place(&self) -> Place<'_, Self, 4, 2> {
        Start::at(self, Self::clock(), [1.0, 0.0, 2.0, 0.0].map(T::from_f64))
    }
}

/// With the initial values of the figure.
impl<T: Float> Example<3, 1> for SphericalPendulum<T> {
    type Factors = Ldlt<T, 1>;
    const STEP: f64 = 1e-2;

    fn system() -> Self {
        Self::default()
    }

    fn place(&self) -> Place<'_, Self, 3, 1> {
        Start::at(self, Self::clock(), Self::position())
    }

    fn velocity() -> [T; 3] {
        Self::velocity()
    }
}

/// With a turning crank; its whole turns are counted separately.
impl<T: Float> Example<2, 1> for SliderCrank<T> {
    type Factors = Ldlt<T, 1>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self::standard()
    }

    fn place(&self) -> Place<'_, Self, 2, 1> {
        Start::at(self, Self::clock(), Self::position())
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
        Start::at(self, Self::clock(), Self::guess())
    }

    fn velocity() -> [T; 9] {
        Self::turning(&Self::guess().into())
    }
}

/// Four links, released stretched. Chaotic, too.
impl<T: Float> Example<8, 4> for Chain<T, 8, 4> {
    type Factors = Ldlt<T, 4>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self::standard()
    }

    fn place(&self) -> Place<'_, Self, 8, 4> {
        Start::at(self, Self::clock(), Self::position())
    }
}

/// With one redundant constraint, and one part that follows a prescribed motion.
impl<T: Float> Example<18, 18> for Ring<T> {
    type Factors = Semidefinite<T, 18>;
    const STEP: f64 = 1e-2;

    fn system() -> Self {
        Self { swing: T::from_f64(0.1) }
    }

    fn place(&self) -> Place<'_, Self, 18, 18> {
        Start::at(self, Self::clock(), Self::position()).redundant()
    }

    fn velocity() -> [T; 18] {
        Self::tangent().map(|component| component * T::from_f64(0.3))
    }
}

/// Under a torque that is too small to hold it.
impl<T: Float> Example<2, 1> for control::Driven<Arm<T>, T, 1> {
    type Factors = Ldlt<T, 1>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self { system: Arm::standard(), inputs: vector![T::from_f64(2.0)] }
    }

    fn place(&self) -> Place<'_, Self, 2, 1> {
        Start::at(self, Self::clock(), [0.5, 0.0].map(T::from_f64))
    }
}

/// Under a torque, with damping that limits the speed; one free coordinate stays at rest.
impl<T: Float> Example<3, 1> for Driven<T> {
    type Factors = Ldlt<T, 1>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self { torque: T::from_f64(12.0), ..Self::standard() }
    }

    fn place(&self) -> Place<'_, Self, 3, 1> {
        Start::at(self, Self::clock(), [1.0, 0.0, 0.5].map(T::from_f64))
    }
}

/// Where the actuator wants it. Its force uses the velocity, and is a thousand times faster than the motion.
impl<T: Float> Example<2, 1> for StiffActuator<T> {
    type Factors = Ldlt<T, 1>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self::new()
    }

    fn place(&self) -> Place<'_, Self, 2, 1> {
        Start::at(self, Self::clock(), Self::start()[0])
    }

    fn velocity() -> [T; 2] {
        Self::start()[1].into()
    }
}

/// At rest on the wire when the wire begins to turn.
impl Example<2, 1> for Bead {
    type Factors = Ldlt<f64, 1>;
    const STEP: f64 = 1e-3;

    fn system() -> Self {
        Self
    }

    fn place(&self) -> Place<'_, Self, 2, 1> {
        Start::at(self, Self::clock(), [1.0, 0.0])
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
        Start::at(self, Self::clock(), [0.0, 0.2])
    }
}

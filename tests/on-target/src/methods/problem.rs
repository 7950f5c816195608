//! The systems that methods are compared on, each with its start. Derivatives are written by hand.

use systems::{ByHand, DoublePendulum, FourBar, Pendulum};
use taut::linalg::{Ldlt, Vector};
use taut::scalar::Float;
use taut::start::{Start, State};
use taut::system::{ConstantMass, Mechanical};

use crate::digits::Digits;

/// A state of a precision.
pub type Motion<T, P, const N: usize, const M: usize> = State<T, N, M, Ldlt<T, M>, P>;

/// A system and where it starts.
pub trait Problem<const N: usize, const M: usize>:
    Mechanical<N, M, Mass: ConstantMass<<Self as Mechanical<N, M>>::Base, N>> + Sized
{
    /// What the tables call it.
    const NAME: &'static str;

    /// The system.
    fn system() -> Self;

    /// Its state at time zero.
    fn start<P: Digits>(&self) -> Motion<Self::Base, P, N, M>;
}

/// What a run is judged by.
#[cfg_attr(target_os = "none", expect(dead_code, reason = "runs are judged on this computer"))]
pub trait Judged<const N: usize, const M: usize>: Problem<N, M> {
    /// The simulated time, in seconds.
    const DURATION: f64;

    /// What errors of the energy are relative to, in joules.
    const ENERGY_SCALE: f64;

    /// Kinetic plus potential energy at coordinates with all their digits.
    fn energy(&self, q: &Vector<f64, N>, v: &Vector<f64, N>) -> f64;
}

impl<T: Float> Problem<2, 1> for ByHand<Pendulum<T>> {
    const NAME: &'static str = "pendulum";

    fn system() -> Self {
        Self(Pendulum::standard())
    }

    fn start<P: Digits>(&self) -> Motion<T, P, 2, 1> {
        P::of(Start::at(self, [1.0, 0.0].map(T::from_f64))).at_rest().expect("a consistent start")
    }
}

impl<T: Float> Judged<2, 1> for ByHand<Pendulum<T>> {
    const DURATION: f64 = 1.0;
    // m g l.
    const ENERGY_SCALE: f64 = 9.81;

    fn energy(&self, q: &Vector<f64, 2>, v: &Vector<f64, 2>) -> f64 {
        let Pendulum { mass, length, gravity } = self.0;
        let [mass, length, gravity] = [mass, length, gravity].map(Float::to_f64);
        Pendulum { mass, length, gravity }.energy(q, v)
    }
}

impl<T: Float> Problem<4, 2> for ByHand<DoublePendulum<T>> {
    const NAME: &'static str = "double_pendulum";

    fn system() -> Self {
        Self(DoublePendulum::standard())
    }

    fn start<P: Digits>(&self) -> Motion<T, P, 4, 2> {
        P::of(Start::at(self, [1.0, 0.0, 2.0, 0.0].map(T::from_f64))).at_rest().expect("a consistent start")
    }
}

impl<T: Float> Judged<4, 2> for ByHand<DoublePendulum<T>> {
    // It is chaotic: soon every method is as far off as any other.
    const DURATION: f64 = 0.5;
    // g Σ mᵢ Lᵢ.
    const ENERGY_SCALE: f64 = 29.43;

    fn energy(&self, q: &Vector<f64, 4>, v: &Vector<f64, 4>) -> f64 {
        let DoublePendulum { mass, length, gravity } = self.0;
        let [mass, length, gravity] = [mass, length, gravity].map(Float::to_f64);
        DoublePendulum { mass, length, gravity }.energy(q, v)
    }
}

impl<T: Float> Problem<9, 8> for ByHand<FourBar<T>> {
    const NAME: &'static str = "four_bar";

    fn system() -> Self {
        Self(FourBar::standard())
    }

    fn start<P: Digits>(&self) -> Motion<T, P, 9, 8> {
        let assembled = Start::at(self, FourBar::<T>::guess()).at_rest().expect("a linkage that closes");
        let q = *assembled.position();
        P::of(Start::at(self, q)).moving(FourBar::turning(&q)).expect("a consistent start")
    }
}

impl<T: Float> Judged<9, 8> for ByHand<FourBar<T>> {
    const DURATION: f64 = 1.0;
    // The initial kinetic energy.
    const ENERGY_SCALE: f64 = 1.641;

    fn energy(&self, q: &Vector<f64, 9>, v: &Vector<f64, 9>) -> f64 {
        FourBar { gravity: self.0.gravity.to_f64() }.energy(q, v)
    }
}

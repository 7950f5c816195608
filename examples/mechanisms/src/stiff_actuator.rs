//! A pendulum that a stiff actuator moves: what explicit methods need tiny steps for.

use nalgebra::vector;
use taut::linalg::Vector;
use taut::scalar::{Float, Real};
use taut::system::{Diagonal, Mechanical};

/// A unit pendulum, gravity along −y, whose actuator keeps x at sin t/2: f₁ = −10⁶ (x − sin t/2) − 2·10³ (x' − cos t/2). Both poles are at
/// −1000/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StiffActuator<T> {
    base: core::marker::PhantomData<T>,
}

impl<T: Float> StiffActuator<T> {
    /// There are no parameters.
    pub fn new() -> Self {
        Self { base: core::marker::PhantomData }
    }

    /// Position and velocity at t = 0, where the actuator wants them.
    pub fn start() -> [Vector<T, 2>; 2] {
        [vector![T::zero(), -T::one()], vector![T::from_f64(0.5), T::zero()]]
    }

    /// The force of the actuator.
    pub fn push<S: Real<Base = T>>(t: S, x: S, v: S) -> S {
        let [half, stiffness, damping] = [0.5, -1e6, -2e3].map(T::from_f64);
        let (sin, cos) = t.sin_cos();
        (x - sin * half) * stiffness + (v - cos * half) * damping
    }
}

impl<T: Float> Mechanical<2, 1> for StiffActuator<T> {
    type Base = T;
    type Mass = Diagonal<T, 2>;

    const TIME_DEPENDENT: bool = false;

    fn mass(&self) -> Diagonal<T, 2> {
        Diagonal::new([T::one(); 2])
    }
    fn force<S: Real<Base = T>>(&self, t: S, q: &Vector<S, 2>, v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![Self::push(t, q.x, v.x), S::constant(-9.81)]
    }
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![(q.dot(q) - S::one()) * T::from_f64(0.5)]
    }
}

//! An overhead crane: a trolley, a winch and a load on a rope, the load to follow a path: underactuated, index 5.

use nalgebra::{matrix, vector};
use taut::control::{Actuated, Flat};
use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Diagonal, Mechanical, Pattern};

/// q = (x, z, s, l): the load, the trolley on the line z = 0, and the length of the rope. z is negative below the trolley.
///
/// ```text
///     m x'' = −λ (x − s),         m z'' = −m g − λ z,
///     mt s'' = λ (x − s) + F,     (J/r²) l'' = λ l + n,     0 = ((x − s)² + z² − l²)/2
/// ```
///
/// The inputs are the force F on the trolley and the force n of the winch, positive where it gives rope; the outputs are x and z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crane<T> {
    /// m.
    pub load: T,
    /// mt.
    pub trolley: T,
    /// J/r².
    pub winch: T,
    /// The acceleration of gravity, downwards.
    pub gravity: T,
}

impl<T: Float> Crane<T> {
    /// A load of 100 kg, a trolley of 10 kg, J/r² = 10 kg, g = 9.81 m/s².
    pub fn standard() -> Self {
        Self {
            load: T::from_f64(100.0),
            trolley: T::from_f64(10.0),
            winch: T::from_f64(10.0),
            gravity: T::from_f64(9.81),
        }
    }
}

impl<T: Float> Mechanical<4, 1> for Crane<T> {
    type Base = T;
    type Mass = Diagonal<T, 4>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;

    #[inline]
    fn mass(&self) -> Diagonal<T, 4> {
        Diagonal::new([self.load, self.load, self.trolley, self.winch])
    }

    #[inline]
    fn force<S: Real<Base = T>>(&self, _t: S, _q: &Vector<S, 4>, _v: &Vector<S, 4>) -> Vector<S, 4> {
        vector![S::zero(), S::from(-self.load * self.gravity), S::zero(), S::zero()]
    }

    #[inline]
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 4>) -> Vector<S, 1> {
        let across = q[0] - q[2];
        vector![(across * across + q[1] * q[1] - q[3] * q[3]) * T::from_f64(0.5)]
    }

    #[inline]
    fn jacobian(&self, _t: T, q: &Vector<T, 4>) -> Matrix<T, 1, 4> {
        let across = q[0] - q[2];
        matrix![across, q[1], -across, -q[3]]
    }

    #[inline]
    fn acceleration_terms(&self, _t: T, _q: &Vector<T, 4>, v: &Vector<T, 4>) -> Vector<T, 1> {
        let across = v[0] - v[2];
        vector![across * across + v[1] * v[1] - v[3] * v[3]]
    }
}

impl<T: Float> Actuated<4, 1, 2> for Crane<T> {
    const PULLS: [bool; 1] = [true];
    const OUTPUT_PATTERN: Pattern<4, 2> = Pattern::rows(["x...", ".x.."]);
    const ACTUATION_PATTERN: Pattern<4, 2> = Pattern::rows(["..x.", "...x"]);

    #[inline]
    fn actuation<S: Real<Base = T>>(&self, _q: &Vector<S, 4>) -> Matrix<S, 4, 2> {
        let (o, l) = (S::zero(), S::one());
        matrix![o, o; o, o; l, o; o, l]
    }

    #[inline]
    fn output<S: Real<Base = T>>(&self, q: &Vector<S, 4>) -> Vector<S, 2> {
        vector![q[0], q[1]]
    }
}

impl<T: Float> Flat<4, 1, 2> for Crane<T> {
    /// λ = −m (g + z'')/z, and the rope points along the force that the load needs: x − s = x'' z/(g + z'').
    #[inline]
    fn configuration<S: Real<Base = T>>(
        &self,
        output: &Vector<S, 2>,
        acceleration: &Vector<S, 2>,
    ) -> (Vector<S, 4>, Vector<S, 1>) {
        let (x, z) = (output[0], output[1]);
        let lift = acceleration[1] + self.gravity;
        let across = acceleration[0] * z / lift;
        let length = (across * across + z * z).sqrt();
        (vector![x, z, x - across, length], vector![-lift * self.load / z])
    }
}

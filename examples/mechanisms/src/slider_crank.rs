//! A slider-crank: a constraint with trigonometric functions.

use nalgebra::vector;
use taut::linalg::Vector;
use taut::scalar::{Float, Real};
use taut::system::{Diagonal, Mechanical};

/// The crank's radius in metres.
const CRANK: f64 = 0.1;

/// The rod's length in metres.
const ROD: f64 = 0.5;

/// q = (φ, s): the crank's angle and the slider's place, a massless rod of 0.5 m between the end of the crank of 0.1 m and the
/// slider. Crank 0.1 kg m², slider 5 kg, no gravity.
///
/// The rod's angle ψ is eliminated: (s − r cos φ)² + (r sin φ)² = l².
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SliderCrank<T> {
    base: core::marker::PhantomData<T>,
}

impl<T: Float> SliderCrank<T> {
    /// With the values above.
    pub fn standard() -> Self {
        Self { base: core::marker::PhantomData }
    }

    /// Crank at 0.5 rad, slider where the rod puts it.
    pub fn position() -> [T; 2] {
        let (sin, cos) = Real::sin_cos(0.5_f64);
        let height = CRANK * sin;
        [0.5, CRANK * cos + Real::sqrt(ROD * ROD - height * height)].map(T::from_f64)
    }

    /// Crank at 5 rad/s, and the velocity of the slider that goes with it.
    pub fn velocity() -> [T; 2] {
        // The projection of the start would slow the crank down, so the slider has its velocity −r sin φ (1 + r cos φ/(l cos ψ)) φ'.
        let (sin, cos) = Real::sin_cos(0.5_f64);
        let height = CRANK * sin;
        let reach = Real::sqrt(ROD * ROD - height * height);
        [5.0, -5.0 * height * (1.0 + CRANK * cos / reach)].map(T::from_f64)
    }
}

impl<T: Float> Mechanical<2, 1> for SliderCrank<T> {
    type Base = T;
    type Mass = Diagonal<T, 2>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;
    const ANGLES: [bool; 2] = [true, false];

    #[inline]
    fn mass(&self) -> Diagonal<T, 2> {
        Diagonal::new([0.1, 5.0].map(T::from_f64))
    }

    #[inline]
    fn force<S: Real<Base = T>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        Vector::zeros()
    }

    #[inline]
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        let (sin, cos) = q.x.sin_cos();
        let (along, across) = (q.y - cos * T::from_f64(CRANK), sin * T::from_f64(CRANK));
        vector![(along * along + across * across - T::from_f64(ROD * ROD)) * T::from_f64(0.5)]
    }
}

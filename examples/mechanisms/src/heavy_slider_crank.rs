//! A slider-crank whose rod has a mass, under gravity.

use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Equations, Mechanical, Pattern, Varying};

/// q = (φ, s): the crank's angle and the slider's place on the x axis. Crank and rod are uniform, with the masses m₁ and m₂; gravity −y.
///
/// With the end E = r (cos φ, sin φ) of the crank and the vector d = (s, 0) − E along the rod, 0 = (|d|² − l²)/2. The rod has the kinetic
/// energy m₂ (|E'|² + E'·S' + |S'|²)/6, and E'·S' = −r sin φ φ' s'.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeavySliderCrank<T> {
    /// r.
    pub crank: T,
    /// l.
    pub rod: T,
    /// m₁.
    pub crank_mass: T,
    /// m₂.
    pub rod_mass: T,
    /// The mass of the slider.
    pub slider_mass: T,
    /// The acceleration of gravity, along −y.
    pub gravity: T,
}

impl<T: Float> HeavySliderCrank<T> {
    /// A crank of 0.1 m and 30 kg, which is 0.1 kg m², a rod of 0.5 m and 1 kg, a slider of 5 kg, g = 9.81 m/s².
    pub fn standard() -> Self {
        Self {
            crank: T::from_f64(0.1),
            rod: T::from_f64(0.5),
            crank_mass: T::from_f64(30.0),
            rod_mass: T::one(),
            slider_mass: T::from_f64(5.0),
            gravity: T::from_f64(9.81),
        }
    }

    /// m₂ r/6: how the rod couples the angle with the slider.
    #[inline]
    fn coupling(&self) -> T {
        self.rod_mass * self.crank * T::from_f64(1.0 / 6.0)
    }

    #[inline(always)]
    fn mass_with<S: Real<Base = T>>(&self, (sin, _): (S, S)) -> Matrix<S, 2, 2> {
        let third = T::from_f64(1.0 / 3.0);
        let crank = S::from((self.crank_mass + self.rod_mass) * third * self.crank * self.crank);
        let (slider, between) = (S::from(self.slider_mass + self.rod_mass * third), -sin * self.coupling());
        matrix![crank, between; between, slider]
    }

    /// Half the rod's weight acts at the crank, and the rod's centrifugal force at the slider.
    #[inline(always)]
    fn force_with<S: Real<Base = T>>(&self, (_, cos): (S, S), v: &Vector<S, 2>) -> Vector<S, 2> {
        let weight = -(self.crank_mass + self.rod_mass) * T::from_f64(0.5) * self.gravity * self.crank;
        vector![cos * weight, cos * v.x * v.x * self.coupling()]
    }

    /// (d·∂d/∂φ, d·∂d/∂s) = (s r sin φ, s − r cos φ).
    #[inline(always)]
    fn jacobian_with(&self, (sin, cos): (T, T), q: &Vector<T, 2>) -> Matrix<T, 1, 2> {
        matrix![q.y * sin * self.crank, q.y - cos * self.crank]
    }

    /// s r cos φ φ'² + 2 r sin φ φ' s' + s'².
    #[inline(always)]
    fn acceleration_terms_with(&self, (sin, cos): (T, T), q: &Vector<T, 2>, v: &Vector<T, 2>) -> Vector<T, 1> {
        let turned = self.crank * v.x;
        vector![(q.y * cos * v.x + (sin + sin) * v.y) * turned + v.y * v.y]
    }
}

impl<T: Float> Mechanical<2, 1> for HeavySliderCrank<T> {
    type Base = T;
    type Mass = Varying;

    const TIME_DEPENDENT: bool = false;
    const ANGLES: [bool; 2] = [true, false];
    const PATTERN: Pattern<2, 1> = Pattern::dense();

    #[inline]
    fn mass(&self) -> Varying {
        Varying
    }

    #[inline]
    fn mass_matrix<S: Real<Base = T>>(&self, q: &Vector<S, 2>) -> Matrix<S, 2, 2> {
        self.mass_with(q.x.sin_cos())
    }

    #[inline]
    fn force<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 2>, v: &Vector<S, 2>) -> Vector<S, 2> {
        self.force_with(q.x.sin_cos(), v)
    }

    #[inline]
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        let (sin, cos) = q.x.sin_cos();
        let (along, across) = (q.y - cos * self.crank, sin * self.crank);
        vector![(along * along + across * across - self.rod * self.rod) * T::from_f64(0.5)]
    }

    #[inline]
    fn jacobian(&self, _t: T, q: &Vector<T, 2>) -> Matrix<T, 1, 2> {
        self.jacobian_with(Real::sin_cos(q.x), q)
    }

    #[inline]
    fn acceleration_terms(&self, _t: T, q: &Vector<T, 2>, v: &Vector<T, 2>) -> Vector<T, 1> {
        self.acceleration_terms_with(Real::sin_cos(q.x), q, v)
    }

    #[inline(always)]
    fn equations<'a>(&'a self, _t: T, q: &'a Vector<T, 2>) -> impl Equations<T, 2, 1> {
        Posed { machine: self, q, sines: Real::sin_cos(q.x) }
    }
}

/// The machine in a pose: one sine and cosine instead of four.
struct Posed<'a, T> {
    machine: &'a HeavySliderCrank<T>,
    q: &'a Vector<T, 2>,
    sines: (T, T),
}

impl<T: Float> Equations<T, 2, 1> for Posed<'_, T> {
    #[inline]
    fn mass_matrix(&self) -> Matrix<T, 2, 2> {
        self.machine.mass_with(self.sines)
    }

    #[inline]
    fn force(&self, v: &Vector<T, 2>) -> Vector<T, 2> {
        self.machine.force_with(self.sines, v)
    }

    #[inline]
    fn jacobian(&self) -> Matrix<T, 1, 2> {
        self.machine.jacobian_with(self.sines, self.q)
    }

    #[inline]
    fn acceleration_terms(&self, v: &Vector<T, 2>) -> Vector<T, 1> {
        self.machine.acceleration_terms_with(self.sines, self.q, v)
    }
}

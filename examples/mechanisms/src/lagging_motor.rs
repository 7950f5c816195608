//! Two carts and a spring on a prescribed path, pulled by a motor whose force lags: linear, index 4.

use nalgebra::{matrix, vector};
use taut::control::Hessenberg;
use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::trajectory::{SMOOTH, Trajectory};

/// The unknowns are F, v₁, v₂, p₁, p₂ and u: the force, both velocities, both positions, and the command of the motor.
///
/// ```text
///     F' = (u − F)/τ,   m₁ v₁' = F − k (p₁ − p₂),   m₂ v₂' = k (p₁ − p₂),   p' = v,   0 = p₁ − γ(t)
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaggingMotor<Path, T> {
    /// γ, with three continuous derivatives.
    pub path: Path,
    /// m₁ and m₂.
    pub masses: [T; 2],
    /// k.
    pub stiffness: T,
    /// τ.
    pub lag: T,
}

impl<Path, T: Float> LaggingMotor<Path, T> {
    /// 1 kg and 0.5 kg, 200 N/m, 0.1 s.
    pub fn standard(path: Path) -> Self {
        let number = T::from_f64;
        Self { path, masses: [number(1.0), number(0.5)], stiffness: number(200.0), lag: number(0.1) }
    }
}

impl<Path: Trajectory<1, Base = T>, T: Float> Hessenberg<6, 4, 1> for LaggingMotor<Path, T> {
    type Base = T;

    const SIZES: [usize; 4] = [1, 2, 2, 1];

    fn matrix<E: Real<Base = T>>(&self, _t: E) -> Matrix<E, 6, 6> {
        let [m1, m2] = self.masses;
        let (o, l, rate) = (E::zero(), E::one(), E::from(T::one() / self.lag));
        let (pull, hold, yield_) = (l / m1, l * (self.stiffness / m1), l * (self.stiffness / m2));
        matrix![
            -rate, o, o, o, o, rate;
            pull, o, o, -hold, hold, o;
            o, o, o, yield_, -yield_, o;
            o, l, o, o, o, o;
            o, o, l, o, o, o;
            o, o, o, l, o, o
        ]
    }

    fn input<E: Real<Base = T>>(&self, t: E) -> Vector<E, 6> {
        let o = E::zero();
        vector![o, o, o, o, o, -self.path.at(t)[0]]
    }

    fn continuity(&self) -> [usize; 4] {
        [SMOOTH, SMOOTH, SMOOTH, self.path.continuity()]
    }
}

/// γ = sin t.
#[derive(Clone, Copy, Debug)]
pub struct Sine;

impl Trajectory<1> for Sine {
    type Base = f64;
    const CONTINUITY: usize = SMOOTH;

    fn duration(&self) -> f64 {
        f64::INFINITY
    }

    fn within<E: Real<Base = f64>>(&self, t: E) -> Vector<E, 1> {
        vector![t.sin()]
    }
}

//! The pendulums with the same precomputed values as in the C: divided by the mass, weight and squared length computed beforehand,
//! derivatives by hand.

use mechanisms::{DoublePendulum, Pendulum};
use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::scalar::Real;
use taut::system::{Mechanical, Pattern, Uniform};

/// `Rods<1>` is the pendulum, `Rods<2>` the double pendulum of equal rods and masses.
#[derive(Clone, Copy, Debug)]
pub struct Rods<const COUNT: usize> {
    mass: Uniform<f32>,
    weight: f32,
    square_of_length: f32,
}

impl<const COUNT: usize> Rods<COUNT> {
    fn new(mass: f32, length: f32, gravity: f32) -> Self {
        let Ok(uniform) = Uniform::new(mass) else { panic!("{mass} kg is no mass") };
        Self { mass: uniform, weight: mass * gravity, square_of_length: length * length }
    }
}

impl From<Pendulum<f32>> for Rods<1> {
    fn from(Pendulum { mass, length, gravity }: Pendulum<f32>) -> Self {
        Self::new(mass, length, gravity)
    }
}

impl From<DoublePendulum<f32>> for Rods<2> {
    fn from(DoublePendulum { mass, length, gravity }: DoublePendulum<f32>) -> Self {
        Self::new(mass, length, gravity)
    }
}

impl Mechanical<2, 1> for Rods<1> {
    type Base = f32;
    type Mass = Uniform<f32>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;

    fn mass(&self) -> Uniform<f32> {
        self.mass
    }

    fn force<S: Real<Base = f32>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![S::zero(), S::from(-self.weight)]
    }

    #[inline(always)]
    fn constraint<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![(q.x.square() + q.y.square() - self.square_of_length) * 0.5]
    }

    fn jacobian(&self, _t: f32, q: &Vector<f32, 2>) -> Matrix<f32, 1, 2> {
        matrix![q.x, q.y]
    }
}

impl Mechanical<4, 2> for Rods<2> {
    type Base = f32;
    type Mass = Uniform<f32>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;

    const PATTERN: Pattern<4, 2> = Pattern::rows(["xx..", "xxxx"]);

    fn mass(&self) -> Uniform<f32> {
        self.mass
    }

    fn force<S: Real<Base = f32>>(&self, _t: S, _q: &Vector<S, 4>, _v: &Vector<S, 4>) -> Vector<S, 4> {
        let weight = S::from(-self.weight);
        vector![S::zero(), weight, S::zero(), weight]
    }

    #[inline(always)]
    fn constraint<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 4>) -> Vector<S, 2> {
        let (dx, dy) = (q[2] - q[0], q[3] - q[1]);
        let off = |x: S, y: S| (x.square() + y.square() - self.square_of_length) * 0.5;
        vector![off(q[0], q[1]), off(dx, dy)]
    }

    fn jacobian(&self, _t: f32, q: &Vector<f32, 4>) -> Matrix<f32, 2, 4> {
        let (dx, dy) = (q[2] - q[0], q[3] - q[1]);
        matrix![q[0], q[1], 0.0, 0.0; -dx, -dy, dx, dy]
    }
}

//! The pendulums in the general form of index 3: p are the positions, q the velocities, Λ = −λ.

use mechanisms::{DoublePendulum, Pendulum};
use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::scalar::Real;
use taut::system::IndexThree;

/// A mechanical system in the general form.
pub struct General<System>(pub System);

impl IndexThree<2, 2, 1> for General<Pendulum<f32>> {
    type Base = f32;

    #[inline]
    fn rate<R: Real<Base = f32>>(&self, _t: R, q: &Vector<R, 2>) -> Vector<R, 2> {
        *q
    }

    #[inline]
    fn force<R: Real<Base = f32>>(&self, _t: R, _p: &Vector<R, 2>, _q: &Vector<R, 2>) -> Vector<R, 2> {
        vector![R::zero(), R::from(-self.0.gravity)]
    }

    #[inline]
    fn coupling<R: Real<Base = f32>>(&self, _t: R, p: &Vector<R, 2>, _q: &Vector<R, 2>) -> Matrix<R, 2, 1> {
        let inverse = 1.0 / self.0.mass;
        matrix![p.x * inverse; p.y * inverse]
    }

    #[inline]
    fn constraint<R: Real<Base = f32>>(&self, _t: R, p: &Vector<R, 2>) -> Vector<R, 1> {
        vector![(p.dot(p) - self.0.length * self.0.length) * 0.5]
    }
}

impl IndexThree<4, 4, 2> for General<DoublePendulum<f32>> {
    type Base = f32;

    #[inline]
    fn rate<R: Real<Base = f32>>(&self, _t: R, q: &Vector<R, 4>) -> Vector<R, 4> {
        *q
    }

    #[inline]
    fn force<R: Real<Base = f32>>(&self, _t: R, _p: &Vector<R, 4>, _q: &Vector<R, 4>) -> Vector<R, 4> {
        let fall = R::from(-self.0.gravity);
        vector![R::zero(), fall, R::zero(), fall]
    }

    #[inline]
    fn coupling<R: Real<Base = f32>>(&self, _t: R, p: &Vector<R, 4>, _q: &Vector<R, 4>) -> Matrix<R, 4, 2> {
        let inverse = 1.0 / self.0.mass;
        let (dx, dy) = ((p[2] - p[0]) * inverse, (p[3] - p[1]) * inverse);
        let zero = R::zero();
        matrix![p[0] * inverse, -dx; p[1] * inverse, -dy; zero, dx; zero, dy]
    }

    #[inline]
    fn constraint<R: Real<Base = f32>>(&self, _t: R, p: &Vector<R, 4>) -> Vector<R, 2> {
        let square = self.0.length * self.0.length;
        let (dx, dy) = (p[2] - p[0], p[3] - p[1]);
        vector![(p[0] * p[0] + p[1] * p[1] - square) * 0.5, (dx * dx + dy * dy - square) * 0.5]
    }
}

//! The pendulums and the four-bar linkage in the general form of index 3: p are the positions, q the velocities, Λ = −λ.

use mechanisms::{DoublePendulum, FourBar, Pendulum};
use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::scalar::Real;
use taut::system::{IndexThree, Mechanical};

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

/// Half the length of crank, coupler and rocker, as in [`FourBar`].
const HALF: [f32; 3] = [0.1, 0.35, 0.3];

impl IndexThree<9, 9, 8> for General<FourBar<f32>> {
    type Base = f32;

    #[inline]
    fn rate<R: Real<Base = f32>>(&self, _t: R, q: &Vector<R, 9>) -> Vector<R, 9> {
        *q
    }

    #[inline]
    fn force<R: Real<Base = f32>>(&self, _t: R, _p: &Vector<R, 9>, _q: &Vector<R, 9>) -> Vector<R, 9> {
        let (zero, fall) = (R::zero(), R::from(-self.0.gravity));
        vector![zero, fall, zero, zero, fall, zero, zero, fall, zero]
    }

    #[inline]
    fn coupling<R: Real<Base = f32>>(&self, _t: R, p: &Vector<R, 9>, _q: &Vector<R, 9>) -> Matrix<R, 9, 8> {
        let [(x1, y1), (x2, y2), (x3, y3)] =
            [(p[2], HALF[0]), (p[5], HALF[1]), (p[8], HALF[2])].map(|(angle, half)| {
                let (sin, cos) = angle.sin_cos();
                (sin * half, cos * half)
            });
        let (o, l) = (R::zero(), R::one());
        let gradients = matrix![
            l, o, l, o, o, o, o, o;
            o, l, o, l, o, o, o, o;
            x1, -y1, -x1, y1, o, o, o, o;
            o, o, -l, o, l, o, o, o;
            o, o, o, -l, o, l, o, o;
            o, o, -x2, y2, -x2, y2, o, o;
            o, o, o, o, -l, o, l, o;
            o, o, o, o, o, -l, o, l;
            o, o, o, o, x3, -y3, x3, -y3
        ];
        let masses = self.0.mass_matrix::<f32>(&Vector::zeros());
        Matrix::from_fn(|row, column| gradients[(row, column)] / masses[(row, row)])
    }

    #[inline]
    fn constraint<R: Real<Base = f32>>(&self, t: R, p: &Vector<R, 9>) -> Vector<R, 8> {
        self.0.constraint(t, p)
    }
}

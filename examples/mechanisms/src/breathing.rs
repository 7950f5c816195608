//! A mass on a sphere whose radius changes in time, in every form.

use core::marker::PhantomData;

use nalgebra::vector;
use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Diagonal, Implicit, IndexThree, Mechanical, SemiExplicit};

/// A damped mass under a gyroscopic force, weight and wind, on a sphere of radius r = 1 + sin(2t)/5. Its constraint is that of `LEVEL` 3,
/// 2 or 1 (positions, velocities, accelerations) where the form allows a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Breathing<T, const LEVEL: usize = 2>(PhantomData<T>);

impl<T: Float, const LEVEL: usize> Breathing<T, LEVEL> {
    /// There are no parameters.
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

/// f(t, q, v).
fn force<S: Real>(t: S, v: &Vector<S, 3>) -> Vector<S, 3> {
    let number = S::constant;
    let spin = vector![v.y * number(2.0), -(v.x * number(2.0)) + v.z, -v.y];
    spin - v * number(0.6) + vector![(t * number(3.0)).sin(), S::zero(), number(-4.0)]
}

/// (|q|² − r²)/2 and its first two derivatives, with the acceleration a.
fn constraints<S: Real>(t: S, q: &Vector<S, 3>, v: &Vector<S, 3>, a: &Vector<S, 3>) -> [S; 3] {
    let number = S::constant;
    let (sin, cos) = (t * number(2.0)).sin_cos();
    let (r, dr, ddr) = (sin * number(0.2) + S::one(), cos * number(0.4), sin * number(-0.8));
    [(q.dot(q) - r * r) * number(0.5), q.dot(v) - r * dr, q.dot(a) + v.dot(v) - dr * dr - r * ddr]
}

impl<T: Float> Mechanical<3, 1> for Breathing<T> {
    type Base = T;
    type Mass = Diagonal<T, 3>;

    fn mass(&self) -> Diagonal<T, 3> {
        Diagonal::new([T::one(); 3])
    }
    fn force<S: Real<Base = T>>(&self, t: S, _q: &Vector<S, 3>, v: &Vector<S, 3>) -> Vector<S, 3> {
        force(t, v)
    }
    fn constraint<S: Real<Base = T>>(&self, t: S, q: &Vector<S, 3>) -> Vector<S, 1> {
        let zero = Vector::zeros();
        vector![constraints(t, q, &zero, &zero)[0]]
    }
}

/// p' = q, q' = f + p z, 0 = g(t, p): z is −λ.
impl<T: Float> IndexThree<3, 3, 1> for Breathing<T> {
    type Base = T;

    fn rate<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 3>) -> Vector<S, 3> {
        *q
    }
    fn force<S: Real<Base = T>>(&self, t: S, _p: &Vector<S, 3>, q: &Vector<S, 3>) -> Vector<S, 3> {
        force(t, q)
    }
    fn coupling<S: Real<Base = T>>(&self, _t: S, p: &Vector<S, 3>, _q: &Vector<S, 3>) -> Matrix<S, 3, 1> {
        *p
    }
    fn constraint<S: Real<Base = T>>(&self, t: S, p: &Vector<S, 3>) -> Vector<S, 1> {
        Mechanical::constraint(self, t, p)
    }
}

/// y = (q, v), z = λ.
impl<T: Float, const LEVEL: usize> SemiExplicit<6, 1> for Breathing<T, LEVEL> {
    type Base = T;
    const INDEX: usize = LEVEL;

    fn rate<S: Real<Base = T>>(&self, t: S, y: &Vector<S, 6>, z: &Vector<S, 1>) -> Vector<S, 6> {
        let (q, v) = (y.fixed_rows::<3>(0), y.fixed_rows::<3>(3).into_owned());
        let a = force(t, &v) - q * z[0];
        vector![v.x, v.y, v.z, a.x, a.y, a.z]
    }
    fn constraint<S: Real<Base = T>>(&self, t: S, y: &Vector<S, 6>, z: &Vector<S, 1>) -> Vector<S, 1> {
        let (q, v) = (y.fixed_rows::<3>(0).into_owned(), y.fixed_rows::<3>(3).into_owned());
        vector![constraints(t, &q, &v, &(force(t, &v) - q * z[0]))[3 - LEVEL]]
    }
}

/// u = (q, v, λ).
impl<T: Float, const LEVEL: usize> Implicit<7> for Breathing<T, LEVEL> {
    type Base = T;

    fn mass(&self) -> Matrix<T, 7, 7> {
        Matrix::from_diagonal(&Vector::from_fn(|i, _| if i < 6 { T::one() } else { T::zero() }))
    }
    fn force<S: Real<Base = T>>(&self, t: S, u: &Vector<S, 7>) -> Vector<S, 7> {
        let (y, z) = (u.fixed_rows::<6>(0).into_owned(), vector![u[6]]);
        let (rate, below) = (SemiExplicit::rate(self, t, &y, &z), SemiExplicit::constraint(self, t, &y, &z));
        Vector::from_fn(|i, _| if i < 6 { rate[i] } else { below[0] })
    }
}

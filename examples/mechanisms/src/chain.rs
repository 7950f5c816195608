//! A planar chain of N point masses.

use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Diagonal, Mechanical, Pattern};

use crate::HandWritten;

/// `LINKS` point masses of 0.1 kg on rods of 0.1 m, hanging from the origin; `COORDINATES` must be twice `LINKS`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain<T, const COORDINATES: usize, const LINKS: usize> {
    /// The acceleration of gravity.
    pub gravity: T,
}

impl<T: Float, const COORDINATES: usize, const LINKS: usize> Chain<T, COORDINATES, LINKS> {
    /// Under 9.81 m/s².
    pub fn standard() -> Self {
        Self { gravity: T::from_f64(9.81) }
    }

    /// Straight, 45° below the horizontal.
    pub fn position() -> [T; COORDINATES] {
        let side = 0.1 * core::f64::consts::FRAC_1_SQRT_2;
        core::array::from_fn(|i| {
            let along = side * (i / 2 + 1) as f64;
            T::from_f64(if i % 2 == 0 { along } else { -along })
        })
    }

    /// Kinetic plus potential energy, evaluated in double precision.
    pub fn energy(&self, q: &Vector<T, COORDINATES>, v: &Vector<T, COORDINATES>) -> f64 {
        let mut energy = v.map(Float::to_f64).norm_squared() / 2.0;
        for link in 0..LINKS {
            energy += self.gravity.to_f64() * q[2 * link + 1].to_f64();
        }
        energy * 0.1
    }
}

impl<T: Float, const COORDINATES: usize, const LINKS: usize> Mechanical<COORDINATES, LINKS>
    for Chain<T, COORDINATES, LINKS>
{
    type Base = T;
    type Mass = Diagonal<T, COORDINATES>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;
    /// Each rod uses its point and the one before.
    const PATTERN: Pattern<COORDINATES, LINKS> = {
        let (mut entries, mut link) = ([[false; COORDINATES]; LINKS], 0);
        while link < LINKS {
            let mut i = 2 * link.saturating_sub(1);
            while i < 2 * link + 2 {
                entries[link][i] = true;
                i += 1;
            }
            link += 1;
        }
        Pattern::new(entries)
    };

    #[inline]
    fn mass(&self) -> Diagonal<T, COORDINATES> {
        Diagonal::new([T::from_f64(0.1); COORDINATES])
    }

    #[inline]
    fn force<S: Real<Base = T>>(
        &self,
        _t: S,
        _q: &Vector<S, COORDINATES>,
        _v: &Vector<S, COORDINATES>,
    ) -> Vector<S, COORDINATES> {
        let weight = S::from(-self.gravity * T::from_f64(0.1));
        Vector::from_fn(|i, _| if i % 2 == 1 { weight } else { S::zero() })
    }

    #[inline]
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, COORDINATES>) -> Vector<S, LINKS> {
        let square = T::from_f64(0.1) * T::from_f64(0.1);
        let mut g = Vector::<S, LINKS>::zeros();
        for link in 0..LINKS {
            let (mut dx, mut dy) = (q[2 * link], q[2 * link + 1]);
            if link > 0 {
                dx -= q[2 * link - 2];
                dy -= q[2 * link - 1];
            }
            g[link] = (dx * dx + dy * dy - square) * T::from_f64(0.5);
        }
        g
    }
}

impl<T: Float, const COORDINATES: usize, const LINKS: usize> HandWritten<COORDINATES, LINKS>
    for Chain<T, COORDINATES, LINKS>
{
    #[inline]
    fn jacobian_by_hand(&self, _t: T, q: &Vector<T, COORDINATES>) -> Matrix<T, LINKS, COORDINATES> {
        let mut g = Matrix::<T, LINKS, COORDINATES>::zeros();
        for link in 0..LINKS {
            for axis in 0..2 {
                let here = 2 * link + axis;
                let mut d = q[here];
                if link > 0 {
                    d -= q[here - 2];
                    g.data.0[here - 2][link] = -d;
                }
                g.data.0[here][link] = d;
            }
        }
        g
    }

    #[inline]
    fn acceleration_terms_by_hand(
        &self,
        _t: T,
        _q: &Vector<T, COORDINATES>,
        v: &Vector<T, COORDINATES>,
    ) -> Vector<T, LINKS> {
        let mut terms = Vector::<T, LINKS>::zeros();
        for link in 0..LINKS {
            let (mut dx, mut dy) = (v[2 * link], v[2 * link + 1]);
            if link > 0 {
                dx -= v[2 * link - 2];
                dy -= v[2 * link - 1];
            }
            terms[link] = dx * dx + dy * dy;
        }
        terms
    }
}

//! Six rigid corner pieces joined to a ring (Hairer's lecture notes, Example I.3.2): 18 constraints of rank 17.

use taut::linalg::Vector;
use taut::scalar::{Float, Real};
use taut::system::{Diagonal, Mechanical};

/// q = (q₁, …, q₆), the corners, each of unit mass; gravity along −z. The piece q₆, q₁, q₂ follows a prescribed motion: it is
/// turned about the x axis by `swing` sin t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring<T> {
    /// The amplitude of the prescribed rotation; zero holds the piece still.
    pub swing: T,
}

impl<T: Float> Ring<T> {
    /// The piece held still.
    pub fn fixed() -> Self {
        Self { swing: T::zero() }
    }

    /// The flexible configuration "a" of Exercise I.4.7.
    pub fn position() -> [T; 18] {
        [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1].map(|x| T::from_f64(f64::from(x)))
    }

    /// The unit tangent of the curve of configurations at "a".
    pub fn tangent() -> [T; 18] {
        let fifth = 0.447_213_595_499_957_9;
        let mut tangent = [0.0; 18];
        tangent[8] = fifth;
        tangent[9] = -fifth;
        tangent[10] = -fifth;
        tangent[11] = fifth;
        tangent[13] = -fifth;
        tangent.map(T::from_f64)
    }

    /// Kinetic plus potential energy, evaluated in double precision.
    pub fn energy(&self, q: &Vector<T, 18>, v: &Vector<T, 18>) -> f64 {
        let mut energy = v.map(Float::to_f64).norm_squared() / 2.0;
        for corner in 0..6 {
            energy += q[3 * corner + 2].to_f64();
        }
        energy
    }
}

impl<T: Float> Mechanical<18, 18> for Ring<T> {
    type Base = T;
    type Mass = Diagonal<T, 18>;

    const VELOCITY_DEPENDENT: bool = false;

    #[inline]
    fn mass(&self) -> Diagonal<T, 18> {
        Diagonal::new([T::one(); 18])
    }

    fn force<S: Real<Base = T>>(&self, _t: S, _q: &Vector<S, 18>, _v: &Vector<S, 18>) -> Vector<S, 18> {
        Vector::from_fn(|i, _| if i % 3 == 2 { -S::one() } else { S::zero() })
    }

    fn constraint<S: Real<Base = T>>(&self, t: S, q: &Vector<S, 18>) -> Vector<S, 18> {
        let corner = |i: usize| [q[3 * i], q[3 * i + 1], q[3 * i + 2]];
        let minus = |a: [S; 3], b: [S; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let dot = |a: [S; 3], b: [S; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let mut g = Vector::<S, 18>::zeros();
        // (1): q₆, q₁, q₂ are prescribed; only q₆ = (1, 0, 1) is off the axis of rotation.
        let (sin, cos) = (t.sin() * self.swing).sin_cos();
        let prescribed = [(5, [S::one(), -sin, cos]), (0, [S::one(), S::zero(), S::zero()]), (1, [S::zero(); 3])];
        for (k, (i, place)) in prescribed.into_iter().enumerate() {
            let off = minus(corner(i), place);
            for axis in 0..3 {
                g[3 * k + axis] = off[axis];
            }
        }
        // (2) unit edges q₂q₃ … q₅q₆; (3) right angles at q₂ … q₆.
        for j in 1..5 {
            let edge = minus(corner(j + 1), corner(j));
            g[8 + j] = dot(edge, edge) - S::one();
        }
        for j in 1..6 {
            g[12 + j] = dot(minus(corner((j + 1) % 6), corner(j)), minus(corner(j), corner(j - 1)));
        }
        g
    }
}

//! A free rigid body, whose angular momentum stays on a sphere and on an ellipsoid (Hairer, *Solving Differential Equations on
//! Manifolds*, I.1).

use nalgebra::vector;
use taut::linalg::Vector;
use taut::project::{Invariant, onto_invariant};
use taut::scalar::Real;

use super::super::factorisations::Entry;
use super::recorder::Recorder;

const INERTIA: [f64; 3] = [1.6, 1.0, 2.0 / 3.0];

/// |y|²/2 and Σ yᵢ²/(2 Iᵢ), less what they were at first; as many of them as are kept.
struct Invariants<T, const K: usize>([T; 2]);

impl<T: Entry, const K: usize> Invariant<3, K> for Invariants<T, K> {
    type Base = T;

    fn residual<S: Real<Base = T>>(&self, y: &Vector<S, 3>) -> Vector<S, K> {
        let energy = (0..3).fold(S::zero(), |sum, i| sum + y[i] * y[i] * T::from_f64(0.5 / INERTIA[i]));
        let both = [y.dot(y) * T::from_f64(0.5) - self.0[0], energy - self.0[1]];
        Vector::from_fn(|row, _| both[row])
    }
}

/// y × ω with ωᵢ = yᵢ/Iᵢ.
fn rate<T: Entry>(y: &Vector<T, 3>) -> Vector<T, 3> {
    let turning = y.zip_map(&Vector::from(INERTIA), |y, inertia| y / T::from_f64(inertia));
    vector![
        y[1] * turning[2] - y[2] * turning[1],
        y[2] * turning[0] - y[0] * turning[2],
        y[0] * turning[1] - y[1] * turning[0]
    ]
}

/// Explicit Euler, projected onto the sphere, or onto sphere and ellipsoid.
#[inline(never)]
pub fn rigid_body<T: Entry, const K: usize>(recorder: &mut Recorder) {
    let (sin, cos) = T::from_f64(0.9).sin_cos();
    let mut y = vector![cos, T::zero(), sin];
    let first = Invariants::<T, 2>([T::zero(); 2]).residual(&y);
    let kept = Invariants::<T, K>(first.into());
    let h = T::from_f64(0.025);
    while recorder.wants_more() {
        y = onto_invariant(&kept, &(y + rate(&y) * h), T::NEWTON_ITERATIONS).expect("close to the manifold");
        recorder.record(&y, &Vector::<T, 0>::zeros(), &Vector::<T, 0>::zeros());
    }
}

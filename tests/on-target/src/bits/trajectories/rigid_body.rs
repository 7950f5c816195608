//! A free rigid body, stepped by explicit Euler and projected onto its invariants.

use mechanisms::{BodyInvariants, RigidBody};
use taut::linalg::Vector;
use taut::project::onto_invariant;

use super::super::factorisations::Entry;
use super::recorder::Recorder;

/// Projects onto the sphere, or onto sphere and ellipsoid.
#[inline(never)]
pub fn rigid_body<T: Entry, const K: usize>(recorder: &mut Recorder) {
    let mut y = RigidBody::momentum::<T>();
    let kept = BodyInvariants::<T, K>(BodyInvariants::of(&y).into());
    let h = T::from_f64(0.025);
    while recorder.wants_more() {
        let next = y + RigidBody::rate(&y) * h;
        y = onto_invariant(&kept, &next, T::NEWTON_ITERATIONS).expect("close to the manifold");
        recorder.record(&y, &Vector::<T, 0>::zeros(), &Vector::<T, 0>::zeros());
    }
}

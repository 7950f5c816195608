//! The hand-written derivatives of the shared systems agree with the automatic ones.

use systems::{ByHand, Chain, DoublePendulum, FourBar, HandWritten, Pendulum};
use taut::linalg::Vector;
use taut::system::{Mechanical, verify};

/// At a few points that are nothing special, to round-off of numbers of order ten.
fn agrees<System, const N: usize, const M: usize>(system: System)
where
    System: HandWritten<N, M> + Mechanical<N, M, Base = f64>,
{
    let system = ByHand(system);
    for seed in 1..20 {
        let number = |i: usize| ((i * 37 + seed * 101) as f64 * 0.7).sin() * 3.0;
        let q = Vector::<f64, N>::from_fn(|i, _| number(i));
        let v = Vector::<f64, N>::from_fn(|i, _| number(i + N));
        verify(&system, 0.3, &q, &v, 1e-13).unwrap();
    }
}

#[test]
fn derivatives_by_hand_are_the_automatic_ones() {
    agrees(Pendulum::<f64>::standard());
    agrees(DoublePendulum::<f64>::standard());
    agrees(Chain::<f64, 8, 4>::standard());
    agrees(FourBar::<f64>::standard());
}

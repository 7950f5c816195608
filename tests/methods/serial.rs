//! Serial mechanisms: the same motion as the dense methods, in linear memory and time.

use mechanisms::{Chain, HangingChain};
use taut::method::{Rattle, Step};
use taut::start::{Clock, SerialState, Start};

/// The largest difference of positions and velocities from the dense chain, after a second at 1 kHz.
fn difference<const LINKS: usize, const COORDINATES: usize, const K: usize>(steps: usize) -> f64 {
    let clock = Clock::at_rate(1_000.0).unwrap();
    let dense = Chain::<f64, COORDINATES, LINKS>::standard();
    let mut reference =
        Start::at(&dense, clock, Chain::<f64, COORDINATES, LINKS>::position()).plain().at_rest().unwrap();
    let chain = HangingChain::<f64, LINKS>::standard();
    let mut state = SerialState::at_rest(&chain, clock, HangingChain::<f64, LINKS>::position()).unwrap();
    let rattle = Rattle::new().iterations::<K>();
    for step in 0..steps {
        let expected = rattle.step(&dense, &mut reference).unwrap();
        let report = rattle.step(&chain, &mut state).unwrap();
        for joint in 0..LINKS {
            let off = report.joints[joint].multipliers[0] - expected.multipliers[joint];
            assert!(off.abs() < 1e-7, "multiplier {joint} of step {step}: {off:e}");
        }
    }
    let mut largest = 0.0_f64;
    for link in 0..LINKS {
        for axis in 0..2 {
            let q = state.position(link).unwrap()[axis] - reference.position()[2 * link + axis];
            let v = state.velocity(link).unwrap()[axis] - reference.velocity()[2 * link + axis];
            largest = largest.max(q.abs()).max(v.abs());
        }
    }
    largest
}

#[test]
fn a_chain_moves_as_the_dense_chain() {
    for (links, difference) in [
        (1, difference::<1, 2, 2>(1_000)),
        (2, difference::<2, 4, 2>(1_000)),
        (4, difference::<4, 8, 2>(1_000)),
        (8, difference::<8, 16, 2>(1_000)),
        (8, difference::<8, 16, 6>(1_000)),
    ] {
        println!("{links}: {difference:e}");
        assert!(difference < 1e-12, "{links} links: {difference:e}");
    }
}

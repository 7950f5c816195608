//! Chains, rings and bars move as their dense forms, with the orders and the energy of their methods.

use super::{REST, clock, difference};
use mechanisms::{Chain, HangingChain, PinnedBars, SuspendedChain};
use proptest::prelude::*;
use taut::method::{Rattle, RungeKutta4, Step, StepError};
use taut::start::{Clock, SerialState, Start};

#[test]
fn chains_move_as_dense_chains() {
    fn of<const N: usize, const C: usize, const K: usize>(steps: usize) -> f64 {
        let (chain, q) = (HangingChain::<f64, N>::standard(), HangingChain::<f64, N>::position());
        difference::<_, N, 2, 1, C, N>(chain, q, [REST; N], &Rattle::new().iterations::<K>(), steps)
    }
    for (what, difference) in [
        ("1 link", of::<1, 2, 2>(1_000)),
        ("2 links", of::<2, 4, 2>(1_000)),
        ("8 links", of::<8, 16, 2>(1_000)),
        ("8 links, 1 iteration", of::<8, 16, 1>(100)),
        ("8 links, 6 iterations", of::<8, 16, 6>(1_000)),
        ("12 links", of::<12, 24, 6>(1_000)),
    ] {
        assert!(difference < 1e-13, "{what}: {difference:e}");
    }
}

#[test]
fn a_chain_moves_as_that_of_the_gallery() {
    let (dense, chain) = (Chain::<f64, 16, 8>::standard(), HangingChain::<f64, 8>::standard());
    let mut reference = Start::at(&dense, clock(), Chain::<f64, 16, 8>::position()).plain().at_rest().unwrap();
    let mut state = SerialState::at_rest(&chain, clock(), HangingChain::<f64, 8>::position()).unwrap();
    for _ in 0..1_000 {
        Rattle::new().step(&dense, &mut reference).unwrap();
        Rattle::new().step(&chain, &mut state).unwrap();
    }
    for i in 0..16 {
        let off = state.position(i / 2).unwrap()[i % 2] - reference.position()[i];
        assert!(off.abs() < 1e-13, "{i}: {off:e}");
    }
}

#[test]
fn a_closed_chain_moves_as_the_dense_one() {
    let (chain, guess) = (SuspendedChain::<f64, 9>::standard(), SuspendedChain::<f64, 9>::guess());
    let off = difference::<_, 9, 2, 1, 18, 10>(chain, guess, [[0.3, 0.0]; 9], &Rattle::new(), 1_000);
    assert!(off < 1e-13, "{off:e}");
}

#[test]
fn bars_with_damping_angles_and_a_moving_support_move_as_dense_bars() {
    let standard = PinnedBars::<f64, 3, false>::standard();
    let guess = PinnedBars::<f64, 3, false>::guess();
    let turning = [[0.0, 0.0, 60.0]; 3];
    for bars in
        [standard, PinnedBars { damping: 0.1, ..standard }, PinnedBars { swing: 0.05, damping: 0.02, ..standard }]
    {
        let off = difference::<_, 3, 3, 2, 9, 6>(bars, guess, turning, &Rattle::new(), 500);
        assert!(off < 1e-11, "{bars:?}: {off:e}");
    }
    // A ring of rigid bars: four bars with the ground.
    let ring = PinnedBars::<f64, 4, true> { damping: 0.05, ..PinnedBars::standard() };
    let guess = PinnedBars::<f64, 4, true>::guess();
    let off = difference::<_, 4, 3, 2, 12, 10>(ring, guess, [[0.0; 3]; 4], &Rattle::new(), 1_000);
    assert!(off < 1e-12, "{off:e}");
}

#[test]
fn runge_kutta_moves_them_as_the_dense_method() {
    let method = RungeKutta4::new();
    let (chain, q) = (HangingChain::<f64, 8>::standard(), HangingChain::<f64, 8>::position());
    let off = difference::<_, 8, 2, 1, 16, 8>(chain, q, [REST; 8], &method, 1_000);
    assert!(off < 1e-13, "{off:e}");
    let (chain, guess) = (SuspendedChain::<f64, 9>::standard(), SuspendedChain::<f64, 9>::guess());
    let off = difference::<_, 9, 2, 1, 18, 10>(chain, guess, [[0.3, 0.0]; 9], &method, 1_000);
    assert!(off < 1e-13, "{off:e}");
    let bars = PinnedBars::<f64, 3, false> { swing: 0.05, damping: 0.02, ..PinnedBars::standard() };
    let guess = PinnedBars::<f64, 3, false>::guess();
    let off = difference::<_, 3, 3, 2, 9, 6>(bars, guess, [[0.0, 0.0, 60.0]; 3], &method, 500);
    assert!(off < 1e-11, "{off:e}");
}

/// The exponent by which the error falls with the step size, against steps sixteen times shorter.
fn order(method: &impl Step<SuspendedChain<f64, 16>, SerialState<f64, 16, 2, 1>, Error = StepError<f64>>) -> f64 {
    let (chain, guess) = (SuspendedChain::<f64, 16>::standard(), SuspendedChain::<f64, 16>::guess());
    let end = |steps: usize| {
        let clock = Clock::with_step(0.2 / steps as f64).unwrap();
        let mut state = SerialState::at_rest(&chain, clock, guess).unwrap();
        for _ in 0..steps {
            method.step(&chain, &mut state).unwrap();
        }
        *state.position(7).unwrap()
    };
    let reference = end(3_200);
    let [coarse, fine] = [100, 200].map(|steps| (end(steps) - reference).norm());
    (coarse / fine).log2()
}

#[test]
fn the_orders_are_two_and_four() {
    let (rattle, runge_kutta) = (order(&Rattle::new().iterations::<8>()), order(&RungeKutta4::new()));
    assert!((rattle - 2.0).abs() < 0.1, "RATTLE: {rattle}");
    assert!((runge_kutta - 4.0).abs() < 0.3, "Runge–Kutta: {runge_kutta}");
}

#[test]
fn long_chains_keep_their_constraints_and_their_energy() {
    let (chain, q) = (HangingChain::<f64, 64>::standard(), HangingChain::<f64, 64>::position());
    let mut state = SerialState::at_rest(&chain, clock(), q).unwrap();
    let energy = |state: &SerialState<f64, 64, 2, 1>| -> f64 {
        let of = |i| 0.05 * state.velocity(i).unwrap().norm_squared() + 0.981 * state.position(i).unwrap().y;
        (0..64).map(of).sum()
    };
    let begin = energy(&state);
    for _ in 0..2_000 {
        let report = Rattle::new().step(&chain, &mut state).unwrap();
        for joint in report.joints {
            assert!(joint.position_residual[0].abs() < 1e-14 && joint.velocity_residual[0].abs() < 1e-13);
        }
    }
    // 140 J are at its disposal.
    assert!((energy(&state) - begin).abs() < 1e-2, "{:e}", energy(&state) - begin);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Chains of any masses, lengths and directions: equal to the dense method, on their constraints.
    #[test]
    fn random_chains_move_as_dense_chains(
        links in proptest::array::uniform7((0.05..2.0_f64, 0.05..0.5_f64, -3.0..3.0_f64)),
        spin in -2.0..2.0_f64,
    ) {
        let mut chain = HangingChain::<f64, 7>::standard();
        let (mut guess, mut velocity, mut end) = ([REST; 7], [REST; 7], [0.0; 2]);
        for (i, (mass, length, angle)) in links.into_iter().enumerate() {
            (chain.links[i].mass, chain.links[i].length) = (mass, length);
            end = [end[0] + length * angle.cos(), end[1] + length * angle.sin()];
            // Off the constraint by up to a hundredth of the length.
            guess[i] = [end[0] * 1.001, end[1] + 0.01 * length];
            velocity[i] = [-spin * end[1], spin * end[0]];
        }
        let off = difference::<_, 7, 2, 1, 14, 7>(chain, guess, velocity, &Rattle::new(), 20);
        prop_assert!(off < 1e-9, "{:e}", off);
    }
}

//! Compensated and precise states of serial mechanisms: the motion of the dense ones, and their accuracy.

use super::{Dense, REST, bits, clock, difference_between};
use mechanisms::{Chain, HangingChain, PinnedBars, SuspendedChain};
use nalgebra::vector;
use taut::linalg::{Ldlt, Vector};
use taut::method::{Rattle, Step, StepError};
use taut::start::{Clock, Precision, SerialState, Start, State};
use taut::system::Serial;

/// The difference after these steps, compensated and precise.
fn differences<System, const N: usize, const D: usize, const E: usize, const C: usize, const M: usize>(
    system: System,
    guess: [[f64; D]; N],
    velocity: [[f64; D]; N],
    steps: usize,
) -> [f64; 2]
where
    System: Serial<N, D, E, Base = f64>,
{
    let plain = SerialState::moving(&system, clock(), guess, velocity).unwrap();
    let (compensated, precise) = (plain.compensated(&system).unwrap(), plain.precise(&system).unwrap());
    let dense = Dense::<System, N, D, E>(system);
    let flat = |x: [[f64; D]; N]| Vector::<f64, C>::from_fn(|i, _| x[i / D][i % D]);
    let start = Start::<_, C, M>::at(&dense, clock(), flat(guess));
    let reference = start.compensated().moving(flat(velocity)).unwrap();
    let compensated = difference_between(&dense, compensated, reference, &Rattle::new(), steps);
    let reference = start.precise().moving(flat(velocity)).unwrap();
    [compensated, difference_between(&dense, precise, reference, &Rattle::new(), steps)]
}

#[test]
fn they_move_as_the_dense_ones() {
    let (chain, q) = (HangingChain::<f64, 8>::standard(), HangingChain::<f64, 8>::position());
    let hanging = differences::<_, 8, 2, 1, 16, 8>(chain, q, [REST; 8], 1_000);
    assert!(hanging.iter().all(|off| *off < 1e-13), "hanging: {hanging:?}");
    let (chain, guess) = (SuspendedChain::<f64, 9>::standard(), SuspendedChain::<f64, 9>::guess());
    let suspended = differences::<_, 9, 2, 1, 18, 10>(chain, guess, [[0.3, 0.0]; 9], 1_000);
    assert!(suspended.iter().all(|off| *off < 1e-13), "suspended: {suspended:?}");
    // Damping, angles that turn, and a support that moves.
    let bars = PinnedBars::<f64, 3, false> { swing: 0.05, damping: 0.02, ..PinnedBars::standard() };
    let bars = differences::<_, 3, 3, 2, 9, 6>(bars, PinnedBars::<f64, 3, false>::guess(), [[0.0, 0.0, 60.0]; 3], 500);
    assert!(bars.iter().all(|off| *off < 1e-11), "bars: {bars:?}");
    let ring = PinnedBars::<f64, 4, true> { damping: 0.05, ..PinnedBars::standard() };
    let ring = differences::<_, 4, 3, 2, 12, 10>(ring, PinnedBars::<f64, 4, true>::guess(), [[0.0; 3]; 4], 1_000);
    assert!(ring.iter().all(|off| *off < 1e-12), "ring: {ring:?}");
}

/// A state of a chain of eight standard links in `f32`, serial or dense.
trait Links {
    /// Position and velocity of a mass with all digits.
    fn link(&self, i: usize) -> [Vector<f64, 2>; 2];

    fn advance(&mut self);
}

impl<P: Precision> Links for SerialState<f32, 8, 2, 1, P> {
    fn link(&self, i: usize) -> [Vector<f64, 2>; 2] {
        [self.full_position(i), self.full_velocity(i)].map(|x| x.unwrap().full().map(|x| x.to_f64()))
    }

    fn advance(&mut self) {
        Rattle::new().iterations::<4>().step(&HangingChain::standard(), self).unwrap();
    }
}

impl<P: Precision> Links for State<f32, 16, 8, Ldlt<f32, 8>, P> {
    fn link(&self, i: usize) -> [Vector<f64, 2>; 2] {
        let [q, v] = [self.full_position(), self.full_velocity()].map(|x| x.full().map(|x| x.to_f64()));
        [q, v].map(|x| vector![x[2 * i], x[2 * i + 1]])
    }

    fn advance(&mut self) {
        Rattle::new().iterations::<4>().step(&Chain::<f32, 16, 8>::standard(), self).unwrap();
    }
}

/// The energy, and the largest |g| of a rod.
fn energy_and_residual(state: &impl Links) -> [f64; 2] {
    // The square of the length is rounded, as in the model.
    let (mass, square, gravity) = (f64::from(0.1_f32), f64::from(0.1_f32 * 0.1_f32), f64::from(9.81_f32));
    let (mut energy, mut residual, mut before) = (0.0, 0.0_f64, Vector::zeros());
    for [q, v] in (0..8).map(|i| state.link(i)) {
        energy += mass * (v.norm_squared() / 2.0 + gravity * q.y);
        residual = residual.max((((q - before) as Vector<f64, 2>).norm_squared() - square).abs() / 2.0);
        before = q;
    }
    [energy, residual]
}

/// The largest deviation of the energy and the largest residual in twenty seconds at 4 kHz.
fn largest(mut state: impl Links) -> [f64; 2] {
    let ([begin, _], mut largest) = (energy_and_residual(&state), [0.0_f64; 2]);
    for _ in 0..80_000 {
        state.advance();
        let [energy, residual] = energy_and_residual(&state);
        largest = [largest[0].max((energy - begin).abs()), largest[1].max(residual)];
    }
    largest
}

/// The chain has 1.4 J at its disposal and is chaotic: serial and dense sums are rounded differently, and after a second the two runs are
/// different samples of the same motion. Hence a factor of three between them.
#[test]
fn energy_and_residuals_of_long_runs_are_those_of_the_dense_ones() {
    let clock = Clock::at_rate(4_000.0).unwrap();
    let (chain, dense) = (HangingChain::<f32, 8>::standard(), Chain::<f32, 16, 8>::standard());
    let plain = SerialState::at_rest(&chain, clock, HangingChain::<f32, 8>::position()).unwrap();
    let start = Start::at(&dense, clock, Chain::<f32, 16, 8>::position());
    let compensated = [largest(plain.compensated(&chain).unwrap()), largest(start.compensated().at_rest().unwrap())];
    let precise = [largest(plain.precise(&chain).unwrap()), largest(start.precise().at_rest().unwrap())];
    let plain = largest(plain);
    println!("plain {plain:?}, compensated {compensated:?}, precise {precise:?}");
    for [serial, dense] in [compensated, precise] {
        for k in 0..2 {
            assert!(serial[k] < 3.0 * dense[k], "{serial:?}, dense {dense:?}");
            // More digits are there for a reason.
            assert!(serial[k] < 0.1 * plain[k], "{serial:?}, plain {plain:?}");
        }
    }
}

#[test]
fn refused_steps_leave_all_digits_as_they_were() {
    fn check<P: Precision>(mut state: SerialState<f64, 5, 2, 1, P>) {
        let chain = HangingChain::<f64, 5>::standard();
        for _ in 0..20 {
            Rattle::new().step(&chain, &mut state).unwrap();
        }
        let (before, mut untouched) = (bits(&state), state);
        let mut longer = chain;
        longer.links[3].length = 0.11;
        let error = Rattle::new().step(&longer, &mut state).unwrap_err();
        assert!(matches!(error, StepError::Inconsistent { tick: 20, residual } if residual.row == 3), "{error}");
        for gravity in [f64::NAN, f64::INFINITY] {
            let error = Rattle::new().step(&HangingChain { gravity, ..chain }, &mut state).unwrap_err();
            assert!(matches!(error, StepError::NotConverged { tick: 20, .. } | StepError::NonFinite { .. }), "{error}");
        }
        let error = Rattle::new().step(&HangingChain { gravity: 1e7, ..chain }, &mut state).unwrap_err();
        assert!(matches!(error, StepError::NotConverged { tick: 20, .. }), "{error}");
        assert_eq!(bits(&state), before);
        Rattle::new().step(&chain, &mut state).unwrap();
        Rattle::new().step(&chain, &mut untouched).unwrap();
        assert_eq!(bits(&state), bits(&untouched));
        // The changed model goes on after resume.
        state.resume(&longer).unwrap();
        Rattle::new().step(&longer, &mut state).unwrap();
        let rod = state.position(3).unwrap() - state.position(2).unwrap();
        assert!((rod.norm() - 0.11).abs() < 1e-12);
    }
    let chain = HangingChain::<f64, 5>::standard();
    let plain = SerialState::at_rest(&chain, clock(), HangingChain::<f64, 5>::position()).unwrap();
    check(plain.compensated(&chain).unwrap());
    check(plain.precise(&chain).unwrap());
}

/// A start fills the low parts: the constraint holds to the square of the round-off of the scalar.
#[test]
fn a_precise_start_is_on_its_constraints_with_all_digits() {
    let chain = HangingChain::<f32, 8>::standard();
    let clock = Clock::at_rate(1_000.0).unwrap();
    let turning = HangingChain::<f32, 8>::position().map(|[x, y]| [-3.0 * y, 2.0 * x]);
    let plain = SerialState::moving(&chain, clock, HangingChain::<f32, 8>::position(), turning).unwrap();
    let precise = plain.precise(&chain).unwrap();
    let [_, residual] = energy_and_residual(&precise);
    // Lengths of 0.1 and coordinates below 1: g has a hundred roundings of 2⁻⁴⁸ at most.
    assert!(residual < 1e-13, "{residual:e}");
    let [first, second] = [precise.link(0), precise.link(1)];
    assert!(first[0].dot(&first[1]).abs() < 1e-13, "{:e}", first[0].dot(&first[1]));
    let rate = (second[0] - first[0]).dot(&(second[1] - first[1]));
    assert!(rate.abs() < 1e-13, "{rate:e}");
    assert_eq!(precise.position(3), plain.position(3), "the rounded positions are the same");
}

//! A saved state of a serial mechanism goes on as if it had not been interrupted. Every flipped bit is an error.

use super::{bits, clock};
use mechanisms::{HangingChain, PinnedBars, SuspendedChain};
use taut::linalg::Vector;
use taut::method::{Rattle, Step, StepError};
use taut::start::{Compensated, Coordinates, Part, Precision, SavedSerial, SerialState, StartError};
use taut::system::Serial;

/// Fifty steps, saved, restored, and fifty more of both.
fn goes_on<System, P: Precision, const N: usize, const D: usize, const E: usize>(
    system: &System,
    mut state: SerialState<f64, N, D, E, P>,
) -> SavedSerial<f64, N, D, E, P>
where
    System: Serial<N, D, E, Base = f64>,
{
    for _ in 0..50 {
        Rattle::new().step(system, &mut state).unwrap();
    }
    let saved = state.save();
    let mut restored = saved.restore(system).unwrap();
    assert_eq!(restored.save(), saved);
    for _ in 0..50 {
        let [report, expected] = [&mut restored, &mut state].map(|state| Rattle::new().step(system, state).unwrap());
        assert_eq!(report, expected);
        assert_eq!(bits(&restored), bits(&state));
    }
    saved
}

#[test]
fn a_restored_run_goes_on_to_the_bit() {
    let (chain, q) = (HangingChain::<f64, 5>::standard(), HangingChain::<f64, 5>::position());
    let plain = SerialState::at_rest(&chain, clock(), q).unwrap();
    goes_on(&chain, plain);
    goes_on(&chain, plain.compensated(&chain).unwrap());
    goes_on(&chain, plain.precise(&chain).unwrap());
    let (chain, guess) = (SuspendedChain::<f64, 4>::standard(), SuspendedChain::<f64, 4>::guess());
    goes_on(&chain, SerialState::at_rest(&chain, clock(), guess).unwrap().compensated(&chain).unwrap());
    // Angles that turn and a support that moves.
    let bars = PinnedBars::<f64, 3, false> { swing: 0.05, damping: 0.02, ..PinnedBars::standard() };
    let turning = [[0.0, 0.0, 60.0]; 3];
    let state = SerialState::moving(&bars, clock(), PinnedBars::<f64, 3, false>::guess(), turning).unwrap();
    goes_on(&bars, state.precise(&bars).unwrap());
}

/// Flips a bit of a field.
type Change = fn(&mut SavedSerial<f64, 2, 2, 1, Compensated>, u32);

#[test]
fn every_flipped_bit_is_an_error() {
    let (chain, guess) = (SuspendedChain::<f64, 2>::standard(), SuspendedChain::<f64, 2>::guess());
    let plain = SerialState::at_rest(&chain, clock(), guess).unwrap();
    let good = goes_on(&chain, plain.compensated(&chain).unwrap());
    let mut found = 0;
    let mut refused = |saved: SavedSerial<f64, 2, 2, 1, _>| {
        let error = saved.restore(&chain).unwrap_err();
        assert!(matches!(error, StartError::Checksum { .. } | StartError::Version { .. }), "{error}");
        found += 1;
    };
    let flip = |x: f64, bit: u32| f64::from_bits(x.to_bits() ^ 1 << bit);
    for bit in 0..64 {
        for i in 0..4 {
            let (element, k) = (i / 2, i % 2);
            let flipped = |x: &Coordinates<f64, 2, _>| {
                let (mut high, mut low) = (*x.rounded(), x.low());
                high[k] = flip(high[k], bit);
                let first = Coordinates::from_parts(high, low);
                low[k] = flip(low[k], bit);
                [first, Coordinates::from_parts(*x.rounded(), low)]
            };
            for (q, v) in flipped(&good.q[element]).into_iter().zip(flipped(&good.v[element])) {
                let mut other = good;
                other.q[element] = q;
                refused(other);
                let mut other = good;
                other.v[element] = v;
                refused(other);
            }
        }
        for joint in 0..3 {
            for which in 0..2 {
                let mut other = good;
                let of = if joint < 2 { &mut other.joints[joint] } else { &mut other.closing };
                let number = if which == 0 { &mut of.multipliers[0] } else { &mut of.limits[0] };
                *number = flip(*number, bit);
                refused(other);
            }
        }
        let changes: [Change; 9] = [
            |saved, bit| saved.tick ^= 1 << bit,
            |saved, bit| saved.epoch ^= 1 << bit,
            |saved, bit| saved.period ^= 1 << bit,
            |saved, bit| saved.turns[3] ^= 1 << (bit % 32),
            |saved, bit| saved.version ^= 1 << (bit % 32),
            |saved, bit| saved.checksum ^= 1 << (bit % 32),
            |saved, bit| saved.step = f64::from_bits(saved.step.to_bits() ^ 1 << bit),
            |saved, bit| saved.origin = f64::from_bits(saved.origin.to_bits() ^ 1 << bit),
            |saved, bit| {
                saved.next_multipliers_weight = f64::from_bits(saved.next_multipliers_weight.to_bits() ^ 1 << bit);
            },
        ];
        for change in changes {
            let mut other = good;
            change(&mut other, bit);
            refused(other);
        }
    }
    assert_eq!(found, 64 * (4 * 4 + 3 * 2 + 9));
}

/// Sealed on purpose, so that the checksum is right: the numbers themselves are checked against the model.
#[test]
fn values_that_no_run_has_are_refused_with_their_place() {
    let (chain, q) = (HangingChain::<f64, 3>::standard(), HangingChain::<f64, 3>::position());
    let good = goes_on(&chain, SerialState::at_rest(&chain, clock(), q).unwrap().compensated(&chain).unwrap());
    let refused = |change: &dyn Fn(&mut SavedSerial<f64, 3, 2, 1, _>)| {
        let mut other = good;
        change(&mut other);
        other.sealed().restore(&chain).unwrap_err()
    };
    let off = Coordinates::new(good.q[1].rounded() * 1.1);
    let error = refused(&|saved| saved.q[1] = off);
    assert!(matches!(error, StartError::NotAssembled { residual, .. } if residual.row == 1), "{error}");
    let error = refused(&|saved| saved.v[2] = Coordinates::new(good.v[2].rounded() + good.q[2].rounded()));
    assert!(matches!(error, StartError::Velocity(residual) if residual.row == 2), "{error}");
    let error = refused(&|saved| saved.v[2] = Coordinates::new(Vector::repeat(f64::NAN)));
    assert_eq!(error, StartError::NonFinite { part: Part::Velocity, index: 4 });
    let wide = Coordinates::from_parts(*good.q[1].rounded(), Vector::repeat(1e-9));
    assert_eq!(refused(&|saved| saved.q[1] = wide), StartError::Corrupted { part: Part::Position, index: 2 });
    let error = refused(&|saved| saved.joints[2].limits[0] = 1e30);
    assert_eq!(error, StartError::Corrupted { part: Part::Limits, index: 2 });
    let error = refused(&|saved| saved.joints[1].multipliers[0] = f64::INFINITY);
    assert_eq!(error, StartError::NonFinite { part: Part::Multiplier, index: 1 });
    assert_eq!(refused(&|saved| saved.period = 0), StartError::Corrupted { part: Part::Time, index: 0 });
    let error = refused(&|saved| saved.next_multipliers_weight = 0.25);
    assert_eq!(error, StartError::Corrupted { part: Part::Weight, index: 0 });
    assert!(matches!(refused(&|saved| saved.step = -1.0), StartError::Step(_)));
    // Another model.
    let mut other = chain;
    other.links[0].length = 0.2;
    assert!(matches!(good.restore(&other), Err(StartError::NotAssembled { residual, .. }) if residual.row == 0));
    other = chain;
    other.links[1].mass = 0.0;
    assert!(matches!(good.restore(&other), Err(StartError::Mass(_))));
    let _: Result<_, StepError<f64>> = Rattle::new().step(&chain, &mut good.restore(&chain).unwrap());
}

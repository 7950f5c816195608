//! Saved states of serial mechanisms.

use mechanisms::HangingChain;
use taut::method::{Rattle, Step};
use taut::start::{Carried, Clock, Coordinates, Precise, SavedSerial, SerialState};

use crate::bytes::Bytes;
use crate::serial::{check, same};

/// A saved chain with one bit changed is refused. Sealed anew it is refused, too, or good for steps.
pub fn saved(data: &[u8]) -> u64 {
    let (mut bytes, chain) = (Bytes(data), HangingChain::<f32, 3>::standard());
    let clock = Clock::at_rate(1_000.0).expect("a rate");
    let plain = SerialState::at_rest(&chain, clock, HangingChain::<f32, 3>::position()).expect("a start");
    let mut state = plain.precise(&chain).expect("its digits");
    for _ in 0..bytes.below(4) {
        Rattle::new().step(&chain, &mut state).expect("a step");
    }
    let whole = state.save();
    assert!(whole.restore(&chain).is_ok_and(|restored| same(&restored, &state)), "its own bits: {whole:?}");
    let mut calls = 2;
    while bytes.more() && calls < 100 {
        let mut damaged = whole;
        flip(&mut damaged, &mut bytes);
        assert!(damaged.restore(&chain).is_err(), "{damaged:?} of {whole:?}");
        calls += 1;
        let Ok(mut restored) = damaged.sealed().restore(&chain) else { continue };
        check(&restored);
        for _ in 0..2 {
            let before = restored;
            let result = Rattle::new().step(&chain, &mut restored);
            assert!(result.is_ok() || same(&before, &restored), "{before:?} to {restored:?}");
            check(&restored);
            calls += 1;
        }
    }
    calls
}

/// Changes one bit of any field.
fn flip(saved: &mut SavedSerial<f32, 3, 2, 1, Precise>, bytes: &mut Bytes<'_>) {
    let (field, element, k, bit) = (bytes.below(17), bytes.below(3), bytes.below(2), bytes.byte());
    let number = |x: &mut f32| *x = f32::from_bits(x.to_bits() ^ 1 << (bit % 32));
    let joint = if field < 10 { &mut saved.joints[element] } else { &mut saved.closing };
    match field {
        0..4 => {
            let coordinates = if field < 2 { &mut saved.q[element] } else { &mut saved.v[element] };
            let (mut high, mut low) = (*coordinates.rounded(), coordinates.low());
            number(if field % 2 == 0 { &mut high[k] } else { &mut low[k] });
            *coordinates = Coordinates::from_parts(high, low);
        }
        4 | 10 => number(&mut joint.multipliers[0]),
        5 | 11 => number(&mut joint.limits[0]),
        6 | 12 => {
            let mut residual = joint.last_residual.kept();
            number(&mut residual[0]);
            joint.last_residual = Carried::keep(residual);
        }
        7 => saved.turns[(k, element)] ^= 1 << (bit % 32),
        8 => number(&mut saved.next_multipliers_weight),
        9 => number(&mut saved.step),
        13 => number(&mut saved.origin),
        14 => {
            let ticks = [&mut saved.tick, &mut saved.epoch, &mut saved.period];
            *ticks.into_iter().nth(element).expect("one of three") ^= 1 << (bit % 64);
        }
        15 => saved.version ^= 1 << (bit % 32),
        _ => saved.checksum ^= 1 << (bit % 32),
    }
}

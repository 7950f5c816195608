//! A saved state with one wrong bit is not restored, whichever bit of whichever field it is.

use crate::clock;
use mechanisms::Driven;
use nalgebra::vector;
use taut::linalg::{Ldlt, Vector};
use taut::method::{Rattle, Step};
use taut::scalar::Float;
use taut::start::{Carried, Coordinates, Precision, Saved, Start, StartError, State};

/// A number, one bit of which can be flipped.
trait Flip: Copy {
    const BITS: u32;
    fn flipped(self, bit: u32) -> Self;
}

macro_rules! flip {
    ($($float:ident),*; $($integer:ident),*) => {
        $(impl Flip for $float {
            const BITS: u32 = 8 * size_of::<$float>() as u32;
            fn flipped(self, bit: u32) -> Self {
                Self::from_bits(self.to_bits() ^ (1 << bit))
            }
        })*
        $(impl Flip for $integer {
            const BITS: u32 = Self::BITS;
            fn flipped(self, bit: u32) -> Self {
                self ^ (1 << bit)
            }
        })*
    };
}
flip!(f32, f64; i32, u32, u64);

type Of<T, P> = Saved<T, 3, 1, P>;

/// All vectors in which one entry of this one has one flipped bit.
fn flips<X: Flip + nalgebra::Scalar, const D: usize>(numbers: Vector<X, D>) -> impl Iterator<Item = Vector<X, D>> {
    (0..D).flat_map(move |i| {
        (0..X::BITS).map(move |bit| {
            let mut flipped = numbers;
            flipped[i] = numbers[i].flipped(bit);
            flipped
        })
    })
}

/// Every saved state with one flipped bit, and the name of its field.
fn with_a_flipped_bit<T: Float + Flip, P: Precision>(good: Of<T, P>) -> Vec<(&'static str, Of<T, P>)> {
    let mut all = Vec::new();
    macro_rules! every_bit {
        ($($field:ident),*) => {
            $(all.extend(flips(vector![good.$field]).map(|x| (stringify!($field), Saved { $field: x[0], ..good })));)*
        };
    }
    every_bit!(next_multipliers_weight, tick, step, epoch, origin, period, limit, version, checksum);
    all.extend(flips(good.multipliers).map(|multipliers| ("multipliers", Saved { multipliers, ..good })));
    all.extend(flips(good.limits).map(|limits| ("limits", Saved { limits, ..good })));
    all.extend(flips(good.turns).map(|turns| ("turns", Saved { turns, ..good })));
    let (q, v) = (good.q, good.v);
    all.extend(flips(*q.rounded()).map(|x| ("q", Saved { q: Coordinates::from_parts(x, q.low()), ..good })));
    all.extend(flips(*v.rounded()).map(|x| ("v", Saved { v: Coordinates::from_parts(x, v.low()), ..good })));
    if P::CARRIES_MORE {
        all.extend(flips(q.low()).map(|x| ("low q", Saved { q: Coordinates::from_parts(*q.rounded(), x), ..good })));
        all.extend(flips(v.low()).map(|x| ("low v", Saved { v: Coordinates::from_parts(*v.rounded(), x), ..good })));
        let residual = |x| ("last_residual", Saved { last_residual: Carried::keep(x), ..good });
        all.extend(flips(good.last_residual.kept()).map(residual));
    }
    all
}

/// A pendulum with a motor, 200 steps on.
fn running<T: Float, P: Precision>(
    begin: impl Fn(Start<'_, Driven<T>, 3, 1>) -> Start<'_, Driven<T>, 3, 1, Ldlt<T, 1>, P>,
) -> (Driven<T>, State<T, 3, 1, Ldlt<T, 1>, P>) {
    let system = Driven { torque: T::one(), push: T::from_f64(0.3), ..Driven::standard() };
    let start = Start::at(&system, clock().at_tick(70).at_time(T::from_f64(0.5)), [0.6, -0.8, 0.0].map(T::from_f64));
    let mut state = begin(start).moving([0.8, 0.6, 1.0].map(T::from_f64)).unwrap();
    for _ in 0..200 {
        let _ = Rattle::new().step(&system, &mut state).unwrap();
    }
    (system, state)
}

fn no_flipped_bit_is_restored<T: Float + Flip, P: Precision>(
    begin: impl Fn(Start<'_, Driven<T>, 3, 1>) -> Start<'_, Driven<T>, 3, 1, Ldlt<T, 1>, P>,
) {
    let (system, state) = running(begin);
    let good = state.save();
    // Debug tells 0 from −0.
    assert_eq!(format!("{:?}", good.restore(&system).unwrap()), format!("{state:?}"));
    assert_eq!(format!("{:?}", good.restore(&system).unwrap().save()), format!("{good:?}"));
    let flipped = with_a_flipped_bit(good);
    // Twelve floats, with low parts nineteen; three turns; tick, epoch, period; version and checksum.
    let floats = if P::CARRIES_MORE { 19 } else { 12 };
    assert_eq!(flipped.len() as u32, floats * T::BITS + 3 * 32 + 3 * 64 + 2 * 32);
    for (bit, (field, saved)) in flipped.into_iter().enumerate() {
        let error = saved.restore(&system).err().unwrap_or_else(|| panic!("bit {bit}, {field}: {saved:?}"));
        let is_found = match field {
            "version" => matches!(error, StartError::Version { found, expected: 1 } if found == saved.version),
            _ => matches!(error, StartError::Checksum { found, .. } if found == saved.checksum),
        };
        assert!(is_found, "bit {bit}, {field}: {error}");
        assert!(saved.restore_redundant(&system).is_err(), "bit {bit}, {field}");
    }
}

#[test]
fn every_flipped_bit_is_an_error() {
    no_flipped_bit_is_restored::<f32, _>(|start| start.plain());
    no_flipped_bit_is_restored::<f32, _>(|start| start.compensated());
    no_flipped_bit_is_restored::<f32, _>(|start| start.precise());
    no_flipped_bit_is_restored::<f64, _>(|start| start.plain());
    no_flipped_bit_is_restored::<f64, _>(|start| start.compensated());
    no_flipped_bit_is_restored::<f64, _>(|start| start.precise());
}

#[test]
fn the_errors_say_what_was_found_and_expected() {
    let (system, state) = running::<f32, _>(|start| start.compensated());
    let good = state.save();
    let error = Saved { version: 2, ..good }.restore(&system).unwrap_err();
    assert_eq!(error.to_string(), "saved state: version is 2, expected 1: another version of taut saved it");
    let moved = Saved { tick: 271, ..good };
    let (found, expected) = (good.checksum, moved.sealed().checksum);
    assert_eq!(
        moved.restore(&system).unwrap_err().to_string(),
        format!("saved state: checksum is {found:#010x}, expected {expected:#010x}: the data was changed or damaged")
    );
    // On purpose.
    assert_eq!(moved.sealed().restore(&system).unwrap().clock().tick(), 271);
    // Limits that would switch off the checks of every step, sealed on purpose.
    let error = Saved { limit: 1e30, ..good }.sealed().restore(&system).unwrap_err();
    let StartError::InvalidLimit { given: 1e30, largest } = error else { panic!("{error}") };
    let text = format!("the limit 1e30 must be positive and at most {largest:e}: a larger one checks nothing");
    assert_eq!(error.to_string(), text);
    let error = Saved { limits: vector![1e30], ..good }.sealed().restore(&system).unwrap_err();
    assert_eq!(error.to_string(), "the saved Limits 0 is corrupted; start anew");
}

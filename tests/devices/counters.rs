//! Counters that turn over and converters: no count lost, no broken wire believed.

use proptest::prelude::*;
use taut::device::{Analog, AnalogError, CountError, Counter, Encoder, Scale, ScaledError, SetupError, Unwrapped};

/// Follows a path with a counter of `BITS` bits.
fn follow<const BITS: u32>(start: i64, steps: &[f64]) -> Result<(), TestCaseError> {
    let limit = i64::from(Unwrapped::<BITS>::LIMIT) - 1;
    let mut truth = start;
    let mut count = Unwrapped::<BITS>::new(limit as u32).unwrap().near(start);
    for step in steps {
        // Everything below a quarter of the range, both ends of that included.
        truth += ((step * (limit + 1) as f64) as i64).clamp(-limit, limit);
        prop_assert_eq!(count.update(wrapped::<BITS>(truth)), Ok(truth));
        prop_assert_eq!(count.total(), Some(truth));
    }
    Ok(())
}

/// A total as a counter of `BITS` bits shows it.
fn wrapped<const BITS: u32>(total: i64) -> u32 {
    total.rem_euclid(1 << BITS) as u32
}

/// A machine that moves by at most the limit per update, and one count that is anything. Every other total that is accepted is right.
fn glitch<const BITS: u32>(
    (start, share, steps): (i64, f64, &[f64]),
    (at, count): (usize, u32),
) -> Result<(), TestCaseError> {
    let largest = Unwrapped::<BITS>::LIMIT;
    let limit = 1 + (share * f64::from(largest - 2)) as u32;
    // Before two counts agree, the total is the one nearest to the start. From an eighth of the range on, a glitch that agrees with the
    // third step may be beyond half of it.
    let at = if limit >= largest / 2 { at.max(2) } else { at };
    let mut unwrapped = Unwrapped::<BITS>::new(limit).unwrap().near(start);
    let (mut truth, mut refused) = (start, false);
    for (index, step) in steps.iter().enumerate() {
        truth += (step * f64::from(limit)) as i64;
        let result = unwrapped.update(if index == at { count } else { wrapped::<BITS>(truth) });
        if index == at {
            refused = result.is_err();
        } else if let Ok(total) = result {
            prop_assert_eq!(total, truth);
        }
        prop_assert!(index >= at || result.is_ok(), "{:?} before the glitch", result);
        // A glitch that is refused costs one reading, if two limits later no turn can be lost.
        if refused && at >= 2 && limit < largest / 2 {
            prop_assert!(index == at || result.is_ok(), "{:?} after a glitch that was refused", result);
        }
        // One that is accepted, within the limit, costs at most four readings of a machine at half the limit.
        let slow = steps.iter().all(|step| step.abs() <= 0.5);
        if slow && limit < largest / 8 {
            prop_assert!(index < at + 5 || result.is_ok(), "{:?} long after the glitch", result);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn no_turn_is_lost_below_a_quarter_of_the_range(
        start in -1_000_000_000_000_i64..1_000_000_000_000,
        steps in prop::collection::vec(prop_oneof![-1.0..1.0, Just(1.0), Just(-1.0), Just(0.0)], 1..300),
    ) {
        follow::<3>(start, &steps)?;
        follow::<12>(start, &steps)?;
        follow::<14>(start, &steps)?;
        follow::<16>(start, &steps)?;
        follow::<31>(start, &steps)?;
        follow::<32>(start, &steps)?;
    }

    #[test]
    fn no_single_glitch_of_any_size_changes_the_later_total(
        start in -100_000_000_i64..100_000_000,
        share in prop_oneof![0.0..1.0, Just(1.0), 0.0..0.1],
        steps in prop::collection::vec(prop_oneof![-1.0..=1.0, Just(1.0), Just(-1.0)], 1..60),
        slow: bool,
        forwards: bool,
        at in 0_usize..20,
        count: u32,
    ) {
        let steps: Vec<f64> = steps
            .iter()
            .map(|step: &f64| if forwards { step.abs() } else { *step })
            .map(|step| if slow { 0.5 * step } else { step })
            .collect();
        glitch::<3>((start, share, &steps), (at, count))?;
        glitch::<12>((start, share, &steps), (at, count))?;
        glitch::<14>((start, share, &steps), (at, count))?;
        glitch::<16>((start, share, &steps), (at, count))?;
        glitch::<32>((start, share, &steps), (at, count))?;
    }

    #[test]
    fn bits_above_the_counter_do_not_count(count: u32, above: u32) {
        let (mut clean, mut dirty) = (Unwrapped::<16>::new(9).unwrap(), Unwrapped::<16>::new(9).unwrap());
        prop_assert_eq!(clean.update(count & 0xFFFF), dirty.update((count & 0xFFFF) | (above << 16)));
    }

    /// (c − z) u in f64, where both roundings of f32 are visible: half an ulp each.
    #[test]
    fn a_scale_is_exact_up_to_two_roundings(count in -1_i64 << 40..1_i64 << 40, zero in -1_i64 << 40..1_i64 << 40) {
        let scale = Scale::new(1.25e-3_f32, zero).unwrap();
        let exact = (count - zero) as f64 * f64::from(1.25e-3_f32);
        let error = (f64::from(scale.value(count)) - exact).abs();
        prop_assert!(error <= 1.001 * f64::from(f32::EPSILON) * exact.abs(), "{error:e} of {exact:e}");
    }
}

/// One count of 8291 between 100 and 90 left a total of 16474.
#[test]
fn a_glitch_of_half_a_turn_costs_one_reading_and_no_turn() {
    let mut count = Unwrapped::<14>::new(200).unwrap();
    assert_eq!(count.update(100), Ok(100));
    assert_eq!(count.update(95), Ok(95));
    assert_eq!(count.update(8_291), Err(CountError::Jump { from: 95, moved: -8_188, limit: 200 }));
    assert_eq!(count.total(), Some(95));
    assert_eq!(count.update(90), Ok(90));
}

#[test]
fn a_glitch_in_the_first_count_costs_one_reading() {
    let mut count = Unwrapped::<14>::new(200).unwrap();
    assert_eq!(count.update(8_291), Ok(-8_093));
    assert_eq!(count.update(100), Err(CountError::Jump { from: -8_093, moved: -8_191, limit: 200 }));
    assert_eq!(count.update(90), Ok(90));
    assert_eq!(count.update(8_291), Err(CountError::Jump { from: 90, moved: -8_183, limit: 200 }));
    assert_eq!(count.update(90), Ok(90));
}

#[test]
fn the_count_wraps_at_both_ends() {
    let mut count = Unwrapped::<14>::new(200).unwrap();
    for (counted, total) in [(150, 150), (5, 5), (16_380, -4), (16_200, -184), (1, 1)] {
        assert_eq!(count.update(counted), Ok(total));
    }
    let mut count = Unwrapped::<14>::new(200).unwrap().near(16_384);
    for (counted, total) in [(16_300, 16_300), (100, 16_484), (16_300, 16_300)] {
        assert_eq!(count.update(counted), Ok(total));
    }
}

/// With 3000 of 16384 counts per update, two missed updates are within half the range, less the update before them; three are not.
#[test]
fn turns_are_lost_when_the_limit_reaches_half_the_range() {
    let mut count = Unwrapped::<14>::new(3_000).unwrap();
    count.update(0).unwrap();
    count.update(0).unwrap();
    count.miss();
    assert_eq!(count.update(16_384 - 6_000), Err(CountError::TurnsLost { from: 0, updates: 2 }), "3 · 3000 > 8192");
    let mut count = Unwrapped::<14>::new(2_000).unwrap();
    count.update(0).unwrap();
    count.update(0).unwrap();
    count.miss();
    assert_eq!(count.update(6_000), Err(CountError::Jump { from: 0, moved: 6_000, limit: 4_000 }));
    assert_eq!(count.update(6_000), Ok(6_000), "three updates, and one before them");
    count.miss();
    count.miss();
    for updates in 3..5 {
        assert_eq!(count.update(6_000), Err(CountError::TurnsLost { from: 6_000, updates }), "for good");
        assert_eq!(count.present(), None);
    }
    count.restart();
    assert_eq!(count.total(), None);
    assert_eq!(count.update(16_000), Ok(-384));
}

#[test]
fn limits_of_a_count_are_below_a_quarter_of_its_range() {
    assert_eq!(Unwrapped::<14>::LIMIT, 4_096);
    assert!(Unwrapped::<14>::new(4_095).is_some() && Unwrapped::<14>::new(1).is_some());
    assert!([0, 4_096, u32::MAX].iter().all(|limit| Unwrapped::<14>::new(*limit).is_none()));
    assert!(Unwrapped::<32>::new((1 << 30) - 1).is_some() && Unwrapped::<32>::new(1 << 30).is_none());
    let scaled = |limit| Counter::<14>::scaled(Script(vec![]), Scale::new(-0.5_f32, 0).unwrap(), limit);
    assert!(scaled(0.25).is_ok() && scaled(2_047.5).is_ok());
    for limit in [0.0, 0.24, 2_048.0, -1.0, f32::NAN, f32::INFINITY] {
        let Err(SetupError::OutOfRange { what: "motion between two reads", above, below, .. }) = scaled(limit) else {
            panic!("{limit} is accepted")
        };
        assert_eq!((above, below), (0.25, 2_048.0));
    }
}

#[test]
fn the_count_goes_on_at_the_ends_of_64_bits() {
    let mut count = Unwrapped::<32>::new(1).unwrap().near(i64::MAX);
    assert_eq!(count.update(u32::MAX), Ok(i64::MAX));
    assert_eq!(count.update(0), Ok(i64::MIN));
    assert_eq!(Scale::new(1.0_f64, 1).unwrap().value(i64::MIN), i64::MAX as f64);
}

#[test]
fn a_scale_has_a_sign_on_either_side_of_its_zero() {
    let scale = Scale::new(-0.5_f32, 10).unwrap();
    assert_eq!([8, 9, 10, 11, 12].map(|count| scale.value(count)), [1.0, 0.5, 0.0, -0.5, -1.0]);
}

#[test]
fn invalid_scales_are_refused() {
    for unit in [0.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(Scale::new(unit, 0), Err(SetupError::Degenerate { what: "unit of a count", .. })));
        assert!(matches!(Scale::turn(12).times(unit), Err(SetupError::Degenerate { what: "factor of a scale", .. })));
    }
    assert!(Scale::<f32>::counts_per_turn(0).is_err());
    assert!(Scale::turn(12).times(1e-45_f32).is_err(), "a product that vanishes");
    assert_eq!(Scale::<f64>::counts_per_turn(4_096), Ok(Scale::turn(12)));
    assert_eq!(Scale::<f64>::turn(12).value(1), std::f64::consts::TAU / 4_096.0);
}

/// Gives what it is told, and fails when it is told nothing.
struct Script(Vec<Option<u32>>);

impl Script {
    fn next(&mut self) -> Result<u32, &'static str> {
        self.0.remove(0).ok_or("dead")
    }
}

impl<const BITS: u32> Counter<BITS> for Script {
    type Error = &'static str;
    fn count(&mut self) -> Result<u32, Self::Error> {
        self.next()
    }
}

#[test]
fn a_quadrature_encoder_bridges_a_read_that_fails() {
    let script = Script(vec![Some(20_000), Some(20_000), None, Some(30_000), Some(24_999), Some(25_000)]);
    let mut encoder = Counter::<16>::scaled(script, Scale::new(-0.5_f64, 0).unwrap(), 2_500.0).unwrap();
    assert_eq!(encoder.last_good(), None);
    assert_eq!(encoder.read(), Ok(-10_000.0));
    assert_eq!(encoder.read(), Ok(-10_000.0));
    assert_eq!(encoder.read(), Err(ScaledError::Counter("dead")));
    assert_eq!(encoder.last_good(), Some(-10_000.0));
    assert_eq!(encoder.read(), Ok(-15_000.0), "two reads of 5000 counts");
    let jump = CountError::Jump { from: 30_000, moved: -5_001, limit: 5_000 };
    assert_eq!(encoder.read(), Err(ScaledError::Count(jump)), "one read");
    assert_eq!(encoder.last_good(), Some(-15_000.0));
    assert_eq!(encoder.read(), Ok(-12_500.0));
    assert!(encoder.counter.0.is_empty());
}

#[test]
fn an_analog_sensor_refuses_counts_outside_of_its_range() {
    let script = Script(vec![Some(205), Some(204), Some(3_890), Some(3_891), None, Some(0)]);
    let mut sensor = Analog::within(script, 205, 3_890).scaled(Scale::new(0.5_f32, 2_048).unwrap(), 2_000.0).unwrap();
    let out_of_range =
        |counts| Err(ScaledError::Counter(AnalogError::OutOfRange { counts, lowest: 205, highest: 3_890 }));
    assert_eq!(sensor.last_good(), None);
    assert_eq!(sensor.read(), Ok(-921.5));
    assert_eq!(sensor.read(), out_of_range(204));
    assert_eq!(sensor.last_good(), Some(-921.5));
    assert_eq!(sensor.read(), Ok(921.0));
    assert_eq!(sensor.read(), out_of_range(3_891));
    assert_eq!(sensor.read(), Err(ScaledError::Counter(AnalogError::Input("dead"))));
    assert_eq!(sensor.read(), out_of_range(0));
    assert_eq!(sensor.last_good(), Some(921.0));
    assert!(sensor.counter.channel.0.is_empty());
}

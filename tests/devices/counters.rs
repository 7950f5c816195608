//! Counters that turn over and converters: no count lost, no broken wire believed.

use proptest::prelude::*;
use taut::device::{Analog, AnalogError, Counter, Encoder, Scale, SetupError, Unwrapped};

/// Follows a path with a counter of `BITS` bits.
fn follow<const BITS: u32>(start: i64, steps: &[f64]) -> Result<(), TestCaseError> {
    let half = 1_i64 << (BITS - 1);
    let mut truth = start;
    let mut count = Unwrapped::<BITS>::starting_at(start);
    for step in steps {
        // Everything below half the range, both ends of that included.
        truth += ((step * half as f64) as i64).clamp(1 - half, half - 1);
        let wrapped = truth.rem_euclid(2 * half) as u32;
        prop_assert_eq!(count.update(wrapped), truth);
        prop_assert_eq!(count.total(), truth);
    }
    Ok(())
}

proptest! {
    #[test]
    fn no_turn_is_lost_below_half_the_range(
        start in -1_000_000_000_000_i64..1_000_000_000_000,
        steps in prop::collection::vec(prop_oneof![-1.0..1.0, Just(1.0), Just(-1.0), Just(0.0)], 1..300),
    ) {
        follow::<2>(start, &steps)?;
        follow::<12>(start, &steps)?;
        follow::<14>(start, &steps)?;
        follow::<16>(start, &steps)?;
        follow::<31>(start, &steps)?;
        follow::<32>(start, &steps)?;
    }

    #[test]
    fn bits_above_the_counter_do_not_count(count: u32, above: u32) {
        let (mut clean, mut dirty) = (Unwrapped::<16>::new(), Unwrapped::<16>::new());
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

#[test]
fn exactly_half_the_range_counts_as_backwards() {
    assert_eq!(Unwrapped::<16>::new().update(0x8000), -0x8000);
    assert_eq!(Unwrapped::<32>::new().update(1 << 31), -(1 << 31));
    assert_eq!(Unwrapped::<16>::starting_at(5).update(5 + 0x8000), 5 - 0x8000);
    assert_eq!(Unwrapped::<1>::new().update(1), -1);
}

#[test]
fn the_count_goes_on_at_the_ends_of_64_bits() {
    let mut count = Unwrapped::<32>::starting_at(i64::MAX);
    assert_eq!(count.update(0), i64::MIN);
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
    let script = Script(vec![Some(20_000), None, Some(50_000), Some(100), Some(65_000)]);
    let mut encoder = Counter::<16>::scaled(script, Scale::new(-0.5_f64, 0).unwrap());
    assert_eq!(encoder.last_good(), None);
    assert_eq!(encoder.read(), Ok(-10_000.0));
    assert_eq!(encoder.read(), Err("dead"));
    assert_eq!(encoder.last_good(), Some(-10_000.0));
    assert_eq!(encoder.read(), Ok(-25_000.0));
    encoder.zero_here();
    assert_eq!(encoder.read(), Ok((15_636.0) * -0.5));
    assert_eq!(encoder.read(), Ok((15_000.0) * -0.5));
    assert!(encoder.counter.0.is_empty());
}

#[test]
fn an_analog_sensor_refuses_counts_outside_of_its_range() {
    let script = Script(vec![Some(205), Some(204), Some(3_890), Some(3_891), None, Some(0)]);
    let mut sensor = Analog::within(script, 205, 3_890).scaled(Scale::new(0.5_f32, 2_048).unwrap());
    let out_of_range = |counts| Err(AnalogError::OutOfRange { counts, lowest: 205, highest: 3_890 });
    assert_eq!(sensor.last_good(), None);
    assert_eq!(sensor.read(), Ok(-921.5));
    assert_eq!(sensor.read(), out_of_range(204));
    assert_eq!(sensor.last_good(), Some(-921.5));
    assert_eq!(sensor.read(), Ok(921.0));
    assert_eq!(sensor.read(), out_of_range(3_891));
    assert_eq!(sensor.read(), Err(AnalogError::Input("dead")));
    assert_eq!(sensor.read(), out_of_range(0));
    assert_eq!(sensor.last_good(), Some(921.0));
    assert!(sensor.counter.channel.0.is_empty());
}

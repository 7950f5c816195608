//! Encoders whose zero is not known until someone says where they are.

use std::convert::Infallible;
use std::f64::consts::TAU;

use taut::device::{CountError, Counter, Encoder, Machine, ReferenceError, Scale, Scaled, ScaledError, Wired};

use crate::bench::Zero;

const COUNT: f64 = TAU / 4_096.0;

/// A timer that counts an encoder's edges; `None` if it cannot be read.
#[derive(Clone)]
struct Timer(Option<u32>);

impl Counter<16> for Timer {
    type Error = &'static str;

    fn count(&mut self) -> Result<u32, &'static str> {
        self.0.ok_or("dead")
    }
}

/// At most 100 counts per read; it has been read twice.
fn encoder(count: u32) -> Scaled<Timer, f64, 16> {
    let mut encoder = Timer(Some(count)).incremental(Scale::turn(12), 100.0 * COUNT).unwrap();
    for _ in 0..2 {
        encoder.read().unwrap();
    }
    encoder
}

#[test]
fn an_incremental_encoder_knows_its_position_once_it_is_told() {
    let mut encoder = encoder(777);
    assert!(!encoder.is_referenced());
    assert_eq!(encoder.read(), Ok(777.0 * COUNT), "counts from anywhere");
    encoder.position_here(-0.25).unwrap();
    assert!(encoder.is_referenced());
    assert_eq!(encoder.last_good(), Some(-0.25));
    encoder.counter.0 = Some(787);
    assert_eq!(encoder.read(), Ok(10.0 * COUNT - 0.25));
    encoder.position_here(0.5).unwrap();
    assert_eq!(encoder.read(), Ok(0.5));
}

#[test]
fn a_position_needs_two_good_readings_and_a_finite_number() {
    let mut encoder = Timer(Some(5)).incremental(Scale::turn(12), 100.0 * COUNT).unwrap();
    assert_eq!(encoder.position_here(1.0), Err(ReferenceError::NoReading));
    encoder.read().unwrap();
    assert_eq!(encoder.position_here(1.0), Err(ReferenceError::NoReading), "the first may be a glitch");
    encoder.read().unwrap();
    assert_eq!(encoder.position_here(f64::INFINITY), Err(ReferenceError::NonFinite { given: f64::INFINITY }));
    encoder.counter.0 = None;
    encoder.read().unwrap_err();
    assert_eq!(encoder.position_here(1.0), Err(ReferenceError::NoReading), "it may have moved since");
    assert_eq!(encoder.position_at(5, 1.0), Err(ReferenceError::NoReading));
    assert!(!encoder.is_referenced());
    encoder.counter.0 = Some(5);
    encoder.read().unwrap();
    assert_eq!(encoder.position_here(1.0), Ok(()));
}

/// The timer captures its count at the index pulse; when the loop reads, the shaft has turned on, here over the end of the counter.
#[test]
fn the_count_at_the_index_pulse_sets_the_position() {
    let mut encoder = encoder(65_500);
    encoder.counter.0 = Some(20);
    encoder.read().unwrap();
    encoder.position_at(65_530, 0.0).unwrap();
    assert!(encoder.is_referenced());
    assert_eq!(encoder.last_good(), Some(26.0 * COUNT));
    encoder.counter.0 = Some(65_526);
    assert_eq!(encoder.read(), Ok(-4.0 * COUNT));
}

#[test]
fn the_reference_is_lost_when_turns_are_lost_and_at_a_restart() {
    let mut told = encoder(777);
    told.position_here(0.0).unwrap();
    told.lose_reference();
    assert!(!told.is_referenced());
    assert_eq!(told.last_good(), None);

    let mut told = encoder(777);
    told.position_here(0.0).unwrap();
    told.counter.0 = None;
    // 100 counts per read: half the range, 32768, is reached with 328 reads, the one before them included.
    for _ in 0..325 {
        assert_eq!(told.read(), Err(ScaledError::Counter("dead")));
        assert!(told.is_referenced());
    }
    told.counter.0 = Some(777);
    assert_eq!(told.clone().read(), Ok(0.0), "326 reads and one before");
    told.counter.0 = None;
    told.read().unwrap_err();
    told.counter.0 = Some(777);
    let lost = Err(ScaledError::Count(CountError::TurnsLost { from: 777, updates: 327 }));
    assert_eq!(told.read(), lost);
    assert!(!told.is_referenced());
    told.lose_reference();
    told.read().unwrap();
    told.read().unwrap();
    told.position_here(3.0).unwrap();
    assert!(told.is_referenced());
    assert_eq!(told.read(), Ok(3.0));
}

/// An absolute encoder has its zero in the middle of the travel, and the end of its range anywhere: after a restart it is within half a
/// turn of that zero again. With the range around count zero it would start a turn off.
#[test]
fn an_absolute_encoder_starts_within_half_a_turn_of_its_zero() {
    let scale = Scale::turn(12).zero_at(30_000);
    let mut encoder = Timer(Some(33_000)).scaled(scale, 100.0 * COUNT).unwrap();
    assert_eq!(encoder.read(), Ok(3_000.0 * COUNT));
    assert!(encoder.is_referenced());
    // It winds on until a turn of the counter is full, and starts anew.
    for count in (33_000..33_000 + 65_536_u32).step_by(100).map(|count| count % 65_536) {
        encoder.counter.0 = Some(count);
        encoder.read().unwrap();
    }
    assert_eq!(encoder.read(), Ok((3_000.0 + 65_500.0) * COUNT));
    encoder.lose_reference();
    assert!(encoder.is_referenced(), "its zero is built in");
    assert_eq!(encoder.read(), Ok(2_964.0 * COUNT));
}

/// An encoder that needs a reference, of another type than the others.
struct Blind(bool);

impl Encoder<f32> for Blind {
    type Error = Infallible;
    fn read(&mut self) -> Result<f32, Infallible> {
        Ok(1.0)
    }
    fn is_referenced(&self) -> bool {
        self.0
    }
    fn lose_reference(&mut self) {
        self.0 = false;
    }
}

#[test]
fn a_machine_names_its_first_encoder_without_a_reference() {
    let mut tuple = Wired::new((Zero, Blind(true), Blind(true)), [] as [crate::wired::Bench; 0]);
    let unreferenced = |machine: &_| Machine::<f32, 3, 0>::unreferenced(machine);
    assert_eq!(unreferenced(&tuple), None);
    tuple.encoders.2.0 = false;
    assert_eq!(unreferenced(&tuple), Some(2));
    Machine::<f32, 3, 0>::lose_reference(&mut tuple);
    assert_eq!(unreferenced(&tuple), Some(1));

    let mut array = Wired::new([Blind(true), Blind(true)], [] as [crate::wired::Bench; 0]);
    array.encoders[1].0 = false;
    assert_eq!(Machine::<f32, 2, 0>::unreferenced(&array), Some(1));
    Machine::<f32, 2, 0>::lose_reference(&mut array);
    assert_eq!(Machine::<f32, 2, 0>::unreferenced(&array), Some(0));
}

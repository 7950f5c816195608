//! AS5600: its one transfer, its magnet, its bus.

use std::f32::consts::{FRAC_PI_2, TAU};

use embedded_hal::i2c::{ErrorKind, NoAcknowledgeSource};
use embedded_hal_mock::eh1::i2c::{Mock, Transaction};
use taut::device::{As5600, As5600Error, Counter, Encoder, ReferenceError, Scale, Scaled, ScaledError};

fn answer(status: u8, angle: u16) -> Transaction {
    let [high, low] = angle.to_be_bytes();
    Transaction::write_read(0x36, vec![0x0B], vec![status, high, low])
}

fn encoder(transactions: &[Transaction]) -> Scaled<As5600<Mock>, f32, 12> {
    // Up to 1000 of the 4096 counts per read.
    As5600::new(Mock::new(transactions)).scaled(Scale::turn(12), 1_000.0 * (TAU / 4_096.0)).unwrap()
}

#[test]
fn every_angle_is_read_and_turns_are_counted() {
    let path: Vec<i32> = (0..10_000).step_by(7).chain((-9_000..10_000).rev().step_by(987)).collect();
    let transactions: Vec<_> = path.iter().map(|count| answer(0x20, count.rem_euclid(4_096) as u16)).collect();
    let mut encoder = encoder(&transactions);
    for count in path {
        assert_eq!(encoder.read(), Ok(count as f32 * (TAU / 4_096.0)));
    }
    encoder.counter.bus.done();
}

#[test]
fn bits_above_the_angle_do_not_count() {
    let mut encoder = encoder(&[answer(0xE7, 0xF400)]);
    assert_eq!(encoder.read(), Ok(FRAC_PI_2));
    encoder.counter.bus.done();
}

#[test]
fn a_bad_magnet_is_an_error_and_the_last_good_angle_stays() {
    let table = [
        (0x00, As5600Error::NoMagnet { status: 0x00 }),
        (0x10, As5600Error::NoMagnet { status: 0x10 }),
        (0x30, As5600Error::TooWeak { status: 0x30 }),
        (0x28, As5600Error::TooStrong { status: 0x28 }),
        (0x38, As5600Error::Contradiction { status: 0x38 }),
        (0xFF, As5600Error::Contradiction { status: 0xFF }),
    ];
    for (status, error) in table {
        let mut encoder = encoder(&[answer(0x20, 1_024), answer(status, 77), answer(0x20, 1_025)]);
        assert_eq!(encoder.last_good(), None);
        assert_eq!(encoder.read(), Ok(FRAC_PI_2));
        assert_eq!(encoder.read(), Err(ScaledError::Counter(error)));
        assert_eq!(encoder.last_good(), Some(FRAC_PI_2));
        assert_eq!(encoder.read(), Ok(1_025.0 * (TAU / 4_096.0)));
        encoder.counter.bus.done();
    }
}

#[test]
fn any_strength_is_accepted_if_asked_for_but_no_magnet_never_is() {
    let mut encoder = encoder(&[answer(0x30, 1_024), answer(0x28, 1_024), answer(0x10, 0), answer(0x38, 0)]);
    encoder.counter = encoder.counter.with_any_strength();
    assert_eq!(encoder.read(), Ok(FRAC_PI_2));
    assert_eq!(encoder.read(), Ok(FRAC_PI_2));
    assert_eq!(encoder.read(), Err(ScaledError::Counter(As5600Error::NoMagnet { status: 0x10 })));
    assert_eq!(encoder.read(), Err(ScaledError::Counter(As5600Error::Contradiction { status: 0x38 })));
    encoder.counter.bus.done();
}

#[test]
fn a_bus_error_is_named() {
    let nobody = ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address);
    for kind in [nobody, ErrorKind::Bus, ErrorKind::ArbitrationLoss, ErrorKind::Overrun, ErrorKind::Other] {
        let mut encoder = encoder(&[answer(0x20, 1_024), answer(0x20, 0).with_error(kind), answer(0x20, 1_024)]);
        assert_eq!(encoder.read(), Ok(FRAC_PI_2));
        assert_eq!(encoder.read(), Err(ScaledError::Counter(As5600Error::Bus(kind))));
        assert_eq!(encoder.last_good(), Some(FRAC_PI_2));
        assert_eq!(encoder.read(), Ok(FRAC_PI_2));
        encoder.counter.bus.done();
    }
}

#[test]
fn zero_is_where_it_is_put() {
    let mut encoder = encoder(&[1_000, 1_000, 1_001].map(|angle| answer(0x20, angle)));
    for _ in 0..2 {
        assert_eq!(encoder.position_here(0.0), Err(ReferenceError::NoReading), "two readings must agree");
        assert_eq!(encoder.read(), Ok(1_000.0 * (TAU / 4_096.0)));
    }
    encoder.position_here(0.0).unwrap();
    assert_eq!(encoder.last_good(), Some(0.0));
    assert_eq!(encoder.read(), Ok(TAU / 4_096.0));
    encoder.counter.bus.done();
}

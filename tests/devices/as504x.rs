//! AS5047 and AS5048: the frames on the wire, and whatever can happen to them.

use std::f64::consts::{FRAC_PI_2, TAU};

use embedded_hal::spi::ErrorKind;
use embedded_hal_mock::eh1::spi::{Mock, Transaction};
use proptest::prelude::*;
use taut::device::{
    As504x, As504xError, Counter, Encoder, Magnet, Scale, Scaled, ScaledError, decode, read_command, with_parity,
};

use crate::chip::{Chip, Fault};

const ANGLE: u16 = 0xFFFF;
const NOP: u16 = 0xC000;
const ERRORS: u16 = 0x4001;
/// The command for the diagnostics of an AS5047: field and gain.
const FIELD: u16 = 0xFFFC;
/// Diagnostics that are good.
const GOOD: u16 = 0x0180;
const COUNT: f64 = TAU / 16_384.0;
/// The furthest per read: with one missed read and the one before it, below half a turn.
const LIMIT: f64 = 2_700.0 * COUNT;

/// The chip or its bus failed.
fn failed<T>(cause: As504xError) -> Result<T, ScaledError<As504xError>> {
    Err(ScaledError::Counter(cause))
}

/// One frame as the mock expects it: a command, and what comes with it.
fn frame(command: u16, answer: u16) -> [Transaction<u8>; 3] {
    let transfer = Transaction::transfer_in_place(command.to_be_bytes().to_vec(), answer.to_be_bytes().to_vec());
    [Transaction::transaction_start(), transfer, Transaction::transaction_end()]
}

fn bus(frames: &[(u16, u16)]) -> Mock<u8> {
    Mock::new(&frames.iter().flat_map(|&(command, answer)| frame(command, answer)).collect::<Vec<_>>())
}

fn as5047(frames: &[(u16, u16)]) -> Scaled<As504x<Mock<u8>>, f64, 14> {
    As504x::as5047(bus(frames)).scaled(Scale::turn(14), LIMIT).unwrap()
}

#[test]
fn parity_makes_the_ones_of_every_frame_even() {
    for bits in 0..=u16::MAX {
        let frame = with_parity(bits);
        assert_eq!(frame.count_ones() % 2, 0);
        assert_eq!(frame & 0x7FFF, bits & 0x7FFF);
    }
}

#[test]
fn every_datum_comes_through_and_no_single_flipped_bit_does() {
    for data in 0..1 << 14 {
        let frame = with_parity(data);
        assert_eq!(decode(frame), Some((data, false)));
        assert_eq!(decode(with_parity(data | 0x4000)), Some((data, true)));
        for bit in 0..16 {
            assert_eq!(decode(frame ^ 1 << bit), None);
        }
    }
}

/// Commands that data sheets and drivers in the field spell out.
#[test]
fn commands_are_those_of_the_data_sheet() {
    assert_eq!(read_command(0x3FFF), 0xFFFF);
    assert_eq!(read_command(0x3FFE), 0x7FFE);
    assert_eq!(read_command(0x3FFD), 0x7FFD);
    assert_eq!(read_command(0x0001), 0x4001);
    assert_eq!(read_command(0x0000), 0xC000);
}

#[test]
fn a_read_is_two_frames_and_the_second_answers() {
    // Of the first answer nothing counts: here its parity is wrong and its flag is set.
    let mut encoder = as5047(&[
        (FIELD, 0x4000 | 0x0001 | 0x8000),
        (ANGLE, GOOD),
        (FIELD, 0x9000),
        (ANGLE, GOOD),
        (FIELD, with_parity(0x1A00)),
    ]);
    assert_eq!(encoder.last_good(), None);
    assert_eq!(encoder.read(), Ok(FRAC_PI_2));
    assert_eq!(encoder.read(), Ok(6_656.0 * COUNT));
    encoder.counter.spi.done();
}

#[test]
fn a_pipelined_read_is_one_frame_and_a_tick_old() {
    let mut encoder = as5047(&[
        (ANGLE, 0),
        (FIELD, 0x9000),
        (ANGLE, GOOD),
        (ANGLE, with_parity(0x1001)),
        (ANGLE, with_parity(0x1002)),
    ]);
    encoder.counter = encoder.counter.pipelined();
    assert_eq!(encoder.read(), Ok(4096.0 * COUNT));
    assert_eq!(encoder.read(), Ok(4097.0 * COUNT));
    assert_eq!(encoder.read(), Ok(4098.0 * COUNT));
    encoder.counter.spi.done();
}

#[test]
fn odd_parity_is_an_error_and_the_last_good_angle_stays() {
    for pipelined in [false, true] {
        let frames = if pipelined {
            vec![
                (ANGLE, 0),
                (FIELD, 0x9000),
                (ANGLE, GOOD),
                (ANGLE, 0x1000),
                (ANGLE, 0xFFFF),
                (FIELD, 0x9000),
                (ANGLE, GOOD),
            ]
        } else {
            vec![
                (FIELD, 0),
                (ANGLE, GOOD),
                (FIELD, 0x9000),
                (ANGLE, GOOD),
                (FIELD, 0x1000),
                (FIELD, 0xFFFF),
                (ANGLE, GOOD),
                (FIELD, 0x9000),
            ]
        };
        let mut encoder = as5047(&frames);
        if pipelined {
            encoder.counter = encoder.counter.pipelined();
        }
        assert_eq!(encoder.read(), Ok(FRAC_PI_2));
        assert_eq!(encoder.read(), failed(As504xError::Parity { frame: 0x1000 }));
        assert_eq!(encoder.last_good(), Some(FRAC_PI_2));
        // Afresh, with three frames, also in the pipeline.
        assert_eq!(encoder.read(), Ok(FRAC_PI_2));
        encoder.counter.spi.done();
    }
}

#[test]
fn an_error_flag_is_explained_and_cleared() {
    for register in 0..8_u16 {
        let flagged = with_parity(0x4000 | 0x0123);
        let explanation = with_parity(register | if register == 5 { 0x4000 } else { 0 });
        let mut encoder = as5047(&[
            (FIELD, 0),
            (ANGLE, GOOD),
            (FIELD, flagged),
            (ERRORS, flagged),
            (NOP, explanation),
            (FIELD, 0),
            (ANGLE, GOOD),
            (FIELD, 0x9000),
        ]);
        let refused =
            As504xError::Refused { framing: register & 1 != 0, address: register & 2 != 0, parity: register & 4 != 0 };
        assert_eq!(encoder.read(), failed(refused));
        assert_eq!(encoder.last_good(), None);
        assert_eq!(encoder.read(), Ok(FRAC_PI_2));
        encoder.counter.spi.done();
    }
}

#[test]
fn a_corrupted_error_register_is_a_parity_error() {
    let mut encoder = as5047(&[(FIELD, 0), (ANGLE, GOOD), (FIELD, 0xC000), (ERRORS, 0), (NOP, 0x0001)]);
    assert_eq!(encoder.read(), failed(As504xError::Parity { frame: 0x0001 }));
    encoder.counter.spi.done();
}

#[test]
fn an_undriven_data_line_is_no_answer() {
    // All ones, and the least that no error register has.
    for register in [0x3FFF, 0x0008] {
        let frame = with_parity(0x4000 | register);
        let mut encoder = as5047(&[(FIELD, 0xFFFF), (ANGLE, 0xFFFF), (FIELD, 0xFFFF), (ERRORS, 0xFFFF), (NOP, frame)]);
        assert_eq!(encoder.read(), failed(As504xError::NoAnswer { register }));
        encoder.counter.spi.done();
    }
    // All zeros: an angle with a good parity, of a chip that is not ready.
    let none = Magnet { ready: false, overflow: false, too_strong: false, too_weak: false, gain: 0 };
    let mut encoder = as5047(&[(FIELD, 0), (ANGLE, 0), (FIELD, 0)]);
    assert_eq!(encoder.read(), failed(As504xError::Magnet(none)));
    encoder.counter.spi.done();
}

/// A read takes two frames with or without diagnostics. In the pipeline one of 64 reads takes two frames instead of one.
#[test]
fn a_magnet_that_gets_lost_is_found_and_polling_it_costs_at_most_a_64th() {
    for (pipelined, reads, frames) in [(false, 1, 1 + 2 * 640), (true, 64, 1 + 640 + 10)] {
        for (register, valid) in [(0x007F, false), (0x037F, false), (0x0500, true), (0x09FF, true)] {
            for any_strength in [false, true] {
                let chip = Chip::at(4_096);
                let diagnostics = chip.diagnostics.clone();
                let mut counter = As504x::as5047(chip);
                if pipelined {
                    counter = counter.pipelined();
                }
                if any_strength {
                    counter = counter.with_any_strength();
                }
                let mut encoder = counter.scaled(Scale::<f64>::turn(14), LIMIT).unwrap();
                assert!((0..640).all(|_| encoder.read() == Ok(FRAC_PI_2)));
                assert_eq!(encoder.counter.spi.frames, frames);
                diagnostics.set(register);
                let readings: Vec<_> = (0..100).map(|_| encoder.read()).collect();
                let bad = readings.iter().position(|reading| {
                    matches!(reading, Err(ScaledError::Counter(As504xError::Magnet(magnet))) if !magnet.is_good())
                });
                if any_strength && valid {
                    assert_eq!(bad, None);
                } else {
                    // The answer without the pipeline is a read old.
                    let first = bad.expect("an error");
                    assert!(first <= reads, "{first}");
                    assert!(readings[first..].iter().all(Result::is_err), "until the magnet is back");
                }
                diagnostics.set(0x0180);
                // After 100 reads turns may be lost.
                encoder.lose_reference();
                assert_eq!((0..3).map(|_| encoder.read()).last(), Some(Ok(FRAC_PI_2)));
            }
        }
    }
}

#[test]
fn the_magnet_is_asked_for_at_the_address_of_the_chip() {
    let good = Magnet { ready: true, overflow: false, too_strong: false, too_weak: false, gain: 0x7F };
    // AS5047: DIAAGC at 0x3FFC. AS5048: at 0x3FFD. Bits: 8 ready, 9 overflow, 10 field too strong, 11 too weak.
    let table = [
        (0x017F, good),
        (0x007F, Magnet { ready: false, ..good }),
        (0x037F, Magnet { overflow: true, ..good }),
        (0x0500, Magnet { too_strong: true, gain: 0, ..good }),
        (0x09FF, Magnet { too_weak: true, gain: 255, ..good }),
    ];
    for (register, expected) in table {
        let mut encoder = as5047(&[(with_parity(0x7FFC), 0), (NOP, with_parity(register))]);
        assert_eq!(encoder.counter.magnet(), Ok(expected));
        assert_eq!(expected.is_good(), expected == good);
        encoder.counter.spi.done();
        let frames = bus(&[(with_parity(0x7FFD), 0), (NOP, with_parity(register))]);
        let mut encoder = As504x::as5048(frames);
        assert_eq!(encoder.magnet(), Ok(expected));
        encoder.spi.done();
    }
    let mut encoder = as5047(&[(with_parity(0x7FFC), 0), (NOP, 0x8000)]);
    assert_eq!(encoder.counter.magnet(), Err(As504xError::Parity { frame: 0x8000 }));
    encoder.counter.spi.done();
}

#[test]
fn asking_for_the_magnet_does_not_get_into_the_pipeline() {
    let mut encoder = As504x::as5047(Chip::at(100)).pipelined().scaled(Scale::<f64>::turn(14), LIMIT).unwrap();
    let expected = Ok(100.0 * TAU / 16_384.0);
    assert_eq!(encoder.read(), expected);
    assert!(encoder.counter.magnet().is_ok_and(|magnet| magnet.is_good()));
    assert_eq!(encoder.read(), expected);
}

/// Otherwise the chip's next answer, its field and gain, would be taken for an angle.
#[test]
fn a_bus_that_fails_while_the_magnet_is_asked_for_breaks_the_pipeline() {
    for fault in [Fault::Bus(ErrorKind::Overrun), Fault::Late(ErrorKind::Overrun)] {
        let chip = Chip::at(4_096).with(vec![(3, fault)]);
        let mut encoder = As504x::as5047(chip).pipelined().scaled(Scale::<f64>::turn(14), LIMIT).unwrap();
        assert_eq!(encoder.read(), Ok(FRAC_PI_2));
        assert_eq!(encoder.counter.magnet(), Err(As504xError::Bus(ErrorKind::Overrun)));
        assert_eq!(encoder.read(), Ok(FRAC_PI_2));
    }
}

#[test]
fn turns_are_counted_both_ways_and_zero_is_where_it_is_put() {
    let chip = Chip::at(16_000);
    let angle = chip.angle.clone();
    let mut encoder = As504x::as5047(chip).scaled(Scale::<f64>::turn(14), LIMIT).unwrap();
    for _ in 0..2 {
        assert!(encoder.position_here(0.0).is_err(), "two readings must agree");
        assert_eq!(encoder.read(), Ok(-384.0 * COUNT));
    }
    encoder.position_here(0.0).unwrap();
    assert_eq!(encoder.last_good(), Some(0.0));
    let mut total = 0_i32;
    for step in [
        2_700, 2_700, 2_700, 2_700, 2_700, 2_700, 2_700, -2_700, -2_700, -2_700, -2_700, -2_700, -2_700, -2_700,
        -2_700, 5,
    ] {
        total += step;
        angle.set((16_000 + total).rem_euclid(16_384) as u16);
        assert_eq!(encoder.read(), Ok(f64::from(total) * COUNT));
    }
}

#[test]
fn a_bus_that_fails_in_any_frame_is_an_error_and_the_next_read_works() {
    for pipelined in [false, true] {
        for failing in 0..6 {
            let chip = Chip::at(4_096).with(vec![(failing, Fault::Bus(ErrorKind::ModeFault))]);
            let mut encoder = As504x::as5047(chip).scaled(Scale::<f64>::turn(14), LIMIT).unwrap();
            if pipelined {
                encoder.counter = encoder.counter.pipelined();
            }
            let readings: Vec<_> = (0..6).map(|_| encoder.read()).collect();
            let errors = readings.iter().filter(|&&reading| reading == failed(As504xError::Bus(ErrorKind::ModeFault)));
            assert_eq!(errors.count(), 1, "{readings:?}");
            assert_eq!(readings.iter().filter(|&&reading| reading == Ok(FRAC_PI_2)).count(), 5);
        }
    }
}

#[test]
fn a_bus_failure_while_the_error_register_is_read_is_reported() {
    for failing in [3, 4] {
        // The command for the angle is garbled in frame 1, hence the flag in frame 2, and its explanation in frames 3 and 4.
        let faults = vec![(1, Fault::ToChip(3)), (failing, Fault::Bus(ErrorKind::Overrun))];
        let chip = Chip::at(4_096).with(faults);
        let mut encoder = As504x::as5047(chip).scaled(Scale::<f64>::turn(14), LIMIT).unwrap();
        assert_eq!(encoder.read(), failed(As504xError::Bus(ErrorKind::Overrun)));
        if failing == 3 {
            // The flag is still there, and explained now.
            let refused = As504xError::Refused { framing: false, address: false, parity: true };
            assert_eq!(encoder.read(), failed(refused));
        }
        assert_eq!(encoder.read(), Ok(FRAC_PI_2));
    }
}

proptest! {
    /// Whatever bit is flipped on either line in whatever frame, no wrong angle is ever believed, and two reads later all is well.
    #[test]
    fn no_flipped_bit_makes_a_wrong_angle(
        angle in 0..1_u16 << 14, at in 0_usize..8, bit in 0_u8..16, to_chip: bool, pipelined: bool,
    ) {
        let fault = if to_chip { Fault::ToChip(bit) } else { Fault::FromChip(bit) };
        let chip = Chip::at(angle).with(vec![(at, fault)]);
        let mut encoder = As504x::as5047(chip).scaled(Scale::<f64>::turn(14), LIMIT).unwrap();
        if pipelined {
            encoder.counter = encoder.counter.pipelined();
        }
        let signed = if angle < 8_192 { f64::from(angle) } else { f64::from(angle) - 16_384.0 };
        let expected = signed * (TAU / 16_384.0);
        let readings: Vec<_> = (0..12).map(|_| encoder.read()).collect();
        for reading in readings.iter().flatten() {
            prop_assert_eq!(*reading, expected);
        }
        prop_assert!(readings.iter().filter(|reading| reading.is_err()).count() <= 1, "{:?}", readings);
        prop_assert!(readings[9..].iter().all(Result::is_ok));
        prop_assert!(encoder.counter.spi.frames <= 28);
    }
}

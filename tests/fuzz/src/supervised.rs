//! The supervised loop with a machine that fails and lies, requests at any time, and a clock that jumps.

use loops::five_bar;
use taut::device::Machine;
use taut::supervise::{Code, Output, Request, State, Watchdog};

use crate::all_finite;
use crate::bytes::Bytes;

/// Counts per tick.
const PERIOD: u32 = 1_000;

/// Reads what it is told. Its calls fail by the bits of `fails`: read, drive, enable, disable.
struct Told {
    readings: [f32; 2],
    fails: u8,
    on: bool,
}

impl Told {
    fn works(&self, bit: u8) -> Result<(), u8> {
        if self.fails >> bit & 1 == 1 { Err(bit) } else { Ok(()) }
    }
}

impl Machine<f32, 2, 2> for Told {
    type Error = u8;

    fn read(&mut self) -> Result<[f32; 2], u8> {
        self.works(0).map(|()| self.readings)
    }
    fn drive(&mut self, efforts: &[f32; 2], _: &[f32; 2]) -> Result<(), u8> {
        assert!(self.on, "driven while off");
        assert!(efforts.iter().all(|effort| effort.abs() <= 1.0), "{efforts:?}");
        self.works(1)
    }
    fn enable(&mut self) -> Result<(), u8> {
        self.on = true;
        self.works(2)
    }
    fn disable(&mut self) -> Result<(), u8> {
        self.works(3)?;
        self.on = false;
        Ok(())
    }
}

/// Counts how often it is fed.
struct Fed(u32);

impl Watchdog for Fed {
    fn feed(&mut self) {
        self.0 += 1;
    }
}

/// The loop of the five-bar linkage. Its machine follows the targets, unless the input says otherwise.
pub fn supervised(data: &[u8]) -> u64 {
    let (supervisor, mut control) = five_bar::control(PERIOD).expect("the loop");
    let begin = control.record().readings;
    let mut machine = Told { readings: begin.into(), fails: 0, on: false };
    let (mut bytes, mut clock, mut calls, mut offset) = (Bytes(data), 0_u32, 0, [0.0; 2]);
    while bytes.more() && calls < 6_000 {
        machine.fails = 0;
        let mut ticks = 1;
        match bytes.byte() % 8 {
            0 => {
                let requests = [Request::Run, Request::Home, Request::Hold, Request::Stop, Request::Reset];
                let request = requests[bytes.below(5)];
                let before = control.state();
                let allowed = supervisor.request(&mut control, request).is_ok();
                assert_eq!(allowed, before.after(request).is_some());
                assert_eq!(control.state(), before.after(request).unwrap_or(before));
            }
            1..=3 => ticks = 1 + 8 * u32::from(bytes.byte()),
            4 => machine.fails = bytes.byte(),
            5 => offset = bytes.numbers([0.0; 2]),
            6 => clock = clock.wrapping_add(bytes.bits(4) as u32 >> (bytes.byte() % 32)),
            _ => offset = [f32::from(bytes.byte() as i8), f32::from(bytes.byte() as i8)].map(|x| x * 1e-3),
        }
        for _ in 0..ticks.min(2_048) {
            // The machine is where its targets are, off by the offset.
            let record = control.record();
            if record.output != Output::Off {
                machine.readings = (record.readings + record.errors).into();
            }
            let exact = machine.readings;
            machine.readings = [exact[0] + offset[0], exact[1] + offset[1]];
            let latched = control.latched().map(|fault| (fault.tick, fault.reason.code()));
            let (before, was_on, mut fed) = (*record, machine.on, Fed(0));
            clock = clock.wrapping_add(PERIOD);
            let device = supervisor.tick(&mut control, &mut machine, &mut clock, &mut fed);
            machine.readings = exact;
            calls += 1;

            let record = control.record();
            assert!(record.tick > before.tick || calls == 1, "tick {} after {}", record.tick, before.tick);
            let numbers = record.readings.iter().chain(&record.errors).chain(&record.efforts);
            assert!(all_finite(numbers), "{record:?}");
            let fault = control.latched().map(|fault| (fault.tick, fault.reason.code()));
            assert!(latched.is_none() || fault == latched, "a fault stays until the reset: {latched:?}, {fault:?}");
            assert_eq!((record.state == State::Fault, record.code != Code::None), (fault.is_some(), fault.is_some()));
            let skipped = record.timing.skipped != before.timing.skipped;
            assert!(record.output != Output::Off || !machine.on || machine.works(3).is_err(), "on, {record:?}");
            // The tick that ends the alignment leaves the motors off: the next one in time enables them with the first effort.
            let stays_off = !was_on && (before.output == Output::Off || skipped);
            assert!(record.output == Output::Off || machine.on || stays_off, "off, {record:?}");
            // A tick that left the motors on against its output is not fed.
            assert!(fed.0 <= 1 && (record.output != Output::Off || !machine.on || fed.0 == 0), "{record:?}");
            assert!(fed.0 == 1 || skipped || device.is_some(), "not fed: {record:?}");
            if record.output == Output::Following && !skipped {
                assert!(record.errors.iter().all(|error| error.abs() <= 0.1), "{record:?}");
            }
        }
    }
    calls + 1
}

//! An SPI device on its own bus, with a delay after each edge of its chip-select.
//!
//! AS504x encoders need the chip-select low for some time before the first clock edge, and high for as long between two frames. A
//! processor above 20 MHz must wait for that.

use embedded_hal::digital::OutputPin;
use embedded_hal::spi::{Error, ErrorKind, ErrorType, Operation, SpiBus, SpiDevice};

/// The bytes of a transfer: one frame of the encoders.
const FRAME: usize = 2;

/// A device: its bus, its chip-select, and the settling time of the chip-select in processor cycles.
pub struct Framed<Bus, Select> {
    bus: Bus,
    select: Select,
    cycles: u32,
}

impl<Bus: SpiBus, Select: OutputPin> Framed<Bus, Select> {
    /// A device whose chip-select settles within `nanoseconds`; `clock` is the processor's clock in hertz.
    pub fn new(bus: Bus, select: Select, nanoseconds: u32, clock: u32) -> Self {
        Self { bus, select, cycles: cycles(nanoseconds, clock) }
    }

    fn perform(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), ErrorKind> {
        for operation in operations {
            match operation {
                Operation::Read(words) => self.bus.read(words),
                Operation::Write(words) => self.bus.write(words),
                Operation::Transfer(read, write) => self.bus.transfer(read, write),
                Operation::TransferInPlace(words) => self.exchange(words),
                // One cycle per nanosecond: long enough for clocks up to 1 GHz.
                Operation::DelayNs(nanoseconds) => {
                    cortex_m::asm::delay(*nanoseconds);
                    Ok(())
                }
            }
            .map_err(|error| error.kind())?;
        }
        self.bus.flush().map_err(|error| error.kind())
    }

    /// Transfers in place from a copy: a HAL's own transfer in place may require a buffer in RAM, and panic.
    fn exchange(&mut self, words: &mut [u8]) -> Result<(), Bus::Error> {
        for frame in words.chunks_mut(FRAME) {
            let mut sent = [0; FRAME];
            for (sent, word) in sent.iter_mut().zip(frame.iter()) {
                *sent = *word;
            }
            self.bus.transfer(frame, sent.get(..frame.len()).unwrap_or(&[]))?;
        }
        Ok(())
    }

    fn settle(&self, result: Result<(), Select::Error>) -> Result<(), ErrorKind> {
        cortex_m::asm::delay(self.cycles);
        result.map_err(|_| ErrorKind::ChipSelectFault)
    }
}

/// The cycles of a clock that last at least this many nanoseconds.
fn cycles(nanoseconds: u32, clock: u32) -> u32 {
    let cycles = (u64::from(nanoseconds) * u64::from(clock)).div_ceil(1_000_000_000);
    u32::try_from(cycles).unwrap_or(u32::MAX)
}

impl<Bus, Select> ErrorType for Framed<Bus, Select> {
    type Error = ErrorKind;
}

impl<Bus: SpiBus, Select: OutputPin> SpiDevice for Framed<Bus, Select> {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), ErrorKind> {
        let low = self.select.set_low();
        self.settle(low)?;
        let performed = self.perform(operations);
        // Also after an error, so that the next frame begins properly.
        let high = self.select.set_high();
        performed.and(self.settle(high))
    }
}

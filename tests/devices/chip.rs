//! An AS5047 as its data sheet describes it, on a bus that flips bits and fails on request.

use std::cell::Cell;
use std::rc::Rc;

use embedded_hal::spi::{ErrorKind, ErrorType, Operation, SpiDevice};

/// What goes wrong in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// This bit of the command arrives flipped.
    ToChip(u8),
    /// This bit of the answer arrives flipped.
    FromChip(u8),
    /// The bus fails, and the chip sees nothing.
    Bus(ErrorKind),
    /// The bus fails too late: the chip has seen the command, and its answer is lost.
    Late(ErrorKind),
}

/// The chip and its bus.
pub struct Chip {
    /// The angle that it measures, in 14 bits.
    pub angle: Rc<Cell<u16>>,
    /// Its diagnostics, ready and with a good field at first.
    pub diagnostics: Rc<Cell<u16>>,
    faults: Vec<(usize, Fault)>,
    /// How many frames there were.
    pub frames: usize,
    answer: u16,
    errors: u16,
}

/// Counted, not folded: another way than the library's.
fn ones(frame: u16) -> usize {
    (0..16).filter(|bit| frame >> bit & 1 == 1).count()
}

impl Chip {
    pub fn at(angle: u16) -> Self {
        Self {
            angle: Rc::new(Cell::new(angle)),
            diagnostics: Rc::new(Cell::new(0x0180)),
            faults: Vec::new(),
            frames: 0,
            answer: 0,
            errors: 0,
        }
    }

    /// With what goes wrong, and in which frame.
    pub fn with(self, faults: Vec<(usize, Fault)>) -> Self {
        Self { faults, ..self }
    }

    /// Takes a command and gives the answer to the one before it.
    fn frame(&mut self, command: u16) -> u16 {
        let flag = if self.errors == 0 { 0 } else { 0x4000 };
        let answer = self.answer | flag;
        let answer = if ones(answer).is_multiple_of(2) { answer } else { answer | 0x8000 };
        self.answer = 0;
        if !ones(command).is_multiple_of(2) {
            self.errors |= 0b100;
        } else if command & 0x4000 != 0 {
            match command & 0x3FFF {
                0x0000 => {}
                0x0001 => self.answer = std::mem::take(&mut self.errors),
                0x3FFC => self.answer = self.diagnostics.get(),
                0x3FFF => self.answer = self.angle.get(),
                _ => self.errors |= 0b010,
            }
        }
        answer
    }
}

impl ErrorType for Chip {
    type Error = ErrorKind;
}

impl SpiDevice for Chip {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), ErrorKind> {
        let [Operation::TransferInPlace(bytes)] = operations else { panic!("a frame is one transfer") };
        let command = u16::from_be_bytes((&**bytes).try_into().expect("a frame has 16 bits"));
        let fault = self.faults.iter().find(|(frame, _)| *frame == self.frames).map(|(_, fault)| *fault);
        self.frames += 1;
        let answer = match fault {
            None => self.frame(command),
            Some(Fault::ToChip(bit)) => self.frame(command ^ 1 << bit),
            Some(Fault::FromChip(bit)) => self.frame(command) ^ 1 << bit,
            Some(Fault::Bus(kind)) => return Err(kind),
            Some(Fault::Late(kind)) => {
                self.frame(command);
                return Err(kind);
            }
        };
        bytes.copy_from_slice(&answer.to_be_bytes());
        Ok(())
    }
}

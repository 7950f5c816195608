//! The diagnostics of an AS5047 or AS5048: bit 8 ready, 9 overflow, 10 field too strong, 11 too weak, and the gain (ams, AS5047P data sheet,
//! DIAAGC; AS5048A data sheet, diagnostics and automatic gain control).

/// The chip's diagnostics of its magnet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Magnet {
    /// The chip has finished its start. Before, angles are not valid.
    pub ready: bool,
    /// The angle computation overflowed: the angle is not valid.
    pub overflow: bool,
    /// The field is too strong for the smallest gain.
    pub too_strong: bool,
    /// The field is too weak for the largest gain.
    pub too_weak: bool,
    /// The gain: 0 for a strong field, 255 for a weak one.
    pub gain: u8,
}

impl Magnet {
    pub(super) fn from_register(register: u16) -> Self {
        Self {
            ready: register & 1 << 8 != 0,
            overflow: register & 1 << 9 != 0,
            too_strong: register & 1 << 10 != 0,
            too_weak: register & 1 << 11 != 0,
            gain: (register & 0xFF) as u8,
        }
    }

    /// Whether angles are valid.
    pub fn is_valid(&self) -> bool {
        self.ready && !self.overflow
    }

    /// Whether angles are valid and the field is within its limits.
    pub fn is_good(&self) -> bool {
        self.is_valid() && !self.too_strong && !self.too_weak
    }
}

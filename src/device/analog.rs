//! Sensors at an analog input: a potentiometer, a current, a force.

use core::fmt;

use super::scaled::Counter;

/// Why an analog input gives no measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum AnalogError<E> {
    /// The converter failed.
    Input(E),
    /// The counts are outside of the sensor's range: a broken wire or a short circuit.
    OutOfRange {
        /// The counts of the converter.
        counts: u32,
        /// The fewest counts of an intact sensor.
        lowest: u32,
        /// The most counts of an intact sensor.
        highest: u32,
    },
}

impl<E: fmt::Debug> fmt::Display for AnalogError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(cause) => write!(f, "analog input: {cause:?}"),
            Self::OutOfRange { counts, lowest, highest } => {
                write!(f, "analog input: {counts} counts, not {lowest} to {highest}: broken wire or short circuit")
            }
        }
    }
}

impl<E: fmt::Debug> core::error::Error for AnalogError<E> {}

/// A channel of an analog-to-digital converter, and the range of counts of an intact sensor. The channel returns the last
/// conversion, or converts now.
///
/// ```
/// use taut::device::{Analog, AnalogError, Counter, Encoder, Scale, ScaledError};
///
/// struct Channel(u32); // 12 bits
/// impl Counter<32> for Channel {
///     type Error = core::convert::Infallible;
///     fn count(&mut self) -> Result<u32, Self::Error> {
///         Ok(self.0)
///     }
/// }
///
/// // A slider with 2⁻¹³ m per count and its zero in the middle. Outside of 5 % to 95 % a wire is broken.
/// let scale = Scale::new(0.000_122_070_31_f32, 2_048)?;
/// let mut slider = Analog::within(Channel(3_072), 205, 3_890).scaled(scale, 0.01)?; // at most 1 cm per read
/// assert_eq!(slider.read(), Ok(0.125));
///
/// let mut broken = Analog::within(Channel(4_095), 205, 3_890).scaled(scale, 0.01)?;
/// let cause = AnalogError::OutOfRange { counts: 4_095, lowest: 205, highest: 3_890 };
/// assert_eq!(broken.read(), Err(ScaledError::Counter(cause)));
/// # Ok::<(), taut::device::SetupError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Analog<C> {
    /// The channel.
    pub channel: C,
    lowest: u32,
    highest: u32,
}

impl<C: Counter<32>> Analog<C> {
    /// Accepts only these counts of a channel, both ends included.
    pub fn within(channel: C, lowest: u32, highest: u32) -> Self {
        Self { channel, lowest, highest }
    }
}

impl<C: Counter<32>> Counter<32> for Analog<C> {
    type Error = AnalogError<C::Error>;

    #[inline]
    fn count(&mut self) -> Result<u32, Self::Error> {
        let counts = self.channel.count().map_err(AnalogError::Input)?;
        let Self { lowest, highest, .. } = *self;
        if counts < lowest || counts > highest {
            return Err(AnalogError::OutOfRange { counts, lowest, highest });
        }
        Ok(counts)
    }
}

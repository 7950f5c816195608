//! A voltage as a measurement: a potentiometer, a current, a force.

use core::fmt;

use super::machine::Encoder;
use super::scale::Scale;
use crate::scalar::Float;

/// A channel of an analog-to-digital converter.
pub trait AnalogInput {
    /// Why there is no sample.
    type Error: fmt::Debug;

    /// The counts of the last conversion, or of one made now.
    fn sample(&mut self) -> Result<u32, Self::Error>;
}

/// Why there is no measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum AnalogError<E> {
    /// The converter failed.
    Input(E),
    /// The counts are outside of what the sensor gives: a broken wire or a short circuit.
    OutOfRange {
        /// What was converted.
        counts: u32,
        /// The fewest counts of an intact sensor.
        lowest: u32,
        /// The most.
        highest: u32,
    },
}

impl<E: fmt::Debug> fmt::Display for AnalogError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(cause) => write!(f, "analog input: {cause:?}"),
            Self::OutOfRange { counts, lowest, highest } => {
                write!(
                    f,
                    "analog input: {counts} counts are not within {lowest} to {highest}: broken wire or short circuit"
                )
            }
        }
    }
}

impl<E: fmt::Debug> core::error::Error for AnalogError<E> {}

/// An [`AnalogInput`] with a scale, and the counts that an intact sensor gives.
///
/// ```
/// use taut::control::device::{Analog, AnalogError, AnalogInput, Encoder, Scale};
///
/// struct Channel(u32); // 12 bits
/// impl AnalogInput for Channel {
///     type Error = core::convert::Infallible;
///     fn sample(&mut self) -> Result<u32, Self::Error> {
///         Ok(self.0)
///     }
/// }
///
/// // A slider of 2⁻¹³ m, an eighth of a millimetre, a count, zero in the middle; its wires are broken outside of 5 % to 95 %.
/// let scale = Scale::new(0.000_122_070_31_f32, 2_048)?;
/// let mut slider = Analog::new(Channel(3_072), scale).within(205, 3_890);
/// assert_eq!(slider.read(), Ok(0.125));
///
/// let mut broken = Analog::new(Channel(4_095), scale).within(205, 3_890);
/// assert_eq!(broken.read(), Err(AnalogError::OutOfRange { counts: 4_095, lowest: 205, highest: 3_890 }));
/// # Ok::<(), taut::control::device::SetupError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Analog<I, T> {
    input: I,
    scale: Scale<T>,
    lowest: u32,
    highest: u32,
    last_good: Option<T>,
}

impl<I: AnalogInput, T: Float> Analog<I, T> {
    /// A channel and what a count of it means. All counts are accepted.
    pub fn new(input: I, scale: Scale<T>) -> Self {
        Self { input, scale, lowest: 0, highest: u32::MAX, last_good: None }
    }

    /// Accepts only these counts, both ends included.
    pub fn within(self, lowest: u32, highest: u32) -> Self {
        Self { lowest, highest, ..self }
    }

    /// The value at the last read that did not fail.
    pub fn last_good(&self) -> Option<T> {
        self.last_good
    }

    /// Gives the channel back.
    pub fn release(self) -> I {
        self.input
    }
}

impl<I: AnalogInput, T: Float> Encoder<T> for Analog<I, T> {
    type Error = AnalogError<I::Error>;

    #[inline]
    fn read(&mut self) -> Result<T, Self::Error> {
        let counts = self.input.sample().map_err(AnalogError::Input)?;
        let Self { lowest, highest, .. } = *self;
        if counts < lowest || counts > highest {
            return Err(AnalogError::OutOfRange { counts, lowest, highest });
        }
        let value = self.scale.value(i64::from(counts));
        self.last_good = Some(value);
        Ok(value)
    }
}

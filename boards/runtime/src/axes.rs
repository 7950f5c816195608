//! Two axes, each with an encoder and a motor of its own kind: timers and pins have types of their own in every HAL.

use taut::control::device::{DeviceError, Encoder, Machine, Motor};

/// An encoder and the motor that moves it.
pub struct Axis<E, M> {
    /// What it reads.
    pub encoder: E,
    /// What it drives.
    pub motor: M,
}

/// Two axes as a machine.
pub struct Axes<A, B>(pub A, pub B);

impl<E, F, M, N> Machine<f32, 2, 2> for Axes<Axis<E, M>, Axis<F, N>>
where
    E: Encoder<f32>,
    F: Encoder<f32, Error = E::Error>,
    M: Motor<f32>,
    N: Motor<f32, Error = M::Error>,
{
    type Error = DeviceError<E::Error, M::Error>;

    fn read(&mut self) -> Result<[f32; 2], Self::Error> {
        // Both are read whatever the other does: an encoder's turns are counted only when it is read.
        let (first, second) = (self.0.encoder.read(), self.1.encoder.read());
        let reading =
            |index, reading: Result<f32, E::Error>| reading.map_err(|cause| DeviceError::Encoder { index, cause });
        Ok([reading(0, first)?, reading(1, second)?])
    }

    fn drive(&mut self, [first, second]: &[f32; 2]) -> Result<(), Self::Error> {
        both(self.0.motor.drive(*first), self.1.motor.drive(*second))
    }

    fn enable(&mut self) -> Result<(), Self::Error> {
        let enabled = both(self.0.motor.enable(), self.1.motor.enable());
        // One motor alone is worse than none.
        enabled.inspect_err(|_| {
            let _ = self.disable();
        })
    }

    fn disable(&mut self) -> Result<(), Self::Error> {
        both(self.0.motor.disable(), self.1.motor.disable())
    }
}

/// What two motors answer; the first failure counts.
fn both<R, D>(first: Result<(), D>, second: Result<(), D>) -> Result<(), DeviceError<R, D>> {
    let of = |index, result: Result<(), D>| result.map_err(|cause| DeviceError::Motor { index, cause });
    of(0, first).and(of(1, second))
}

//! Fault injection for tests on the host and in the emulator (feature `inject`).

use super::words::words;
use super::{LoopState, Output, Supervisor};
use crate::control::{Controller, Feedforward, Reference};
use crate::device::Machine;
use crate::linalg::Vector;
use crate::scalar::Float;

/// A fault that can be injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Injection {
    /// The first encoder reads NaN.
    NanReading,
    /// The first encoder keeps the reading from the beginning of the fault.
    StuckReading,
    /// The first encoder reads one unit too much.
    JumpingReading,
    /// Neither encoders nor motors answer.
    BusError,
    /// A tick comes late.
    LateTick,
    /// The path leads out of reach.
    InfeasibleTarget,
    /// The path leads into a singular pose.
    SingularPose,
    /// Motors apply a hundredth of their command.
    SaturatedMotor,
    /// The controller's memory is overwritten.
    CorruptedState,
    /// The first encoder counts backwards from the beginning of the fault on.
    FlippedReading,
    /// The first encoder is stuck and dithers by 1e-4 to both sides.
    DitheringReading,
    /// The first encoder slips on its shaft by 5e-5 a tick: 0.05 rad/s at 1 kHz.
    SlippingReading,
    /// The first encoder has lost its reference.
    LostReference,
    /// The first motor has an effort of 8, on or off, whatever it is told.
    ShortedBridge,
    /// The counter of the deadline stands still.
    FrozenClock,
    /// Ticks come three times too fast.
    FastClock,
    /// Every second tick comes late.
    OftenLate,
    /// Whoever commands the loop falls silent.
    LostHeartbeat,
    /// The reset is pressed in every tick.
    BouncingReset,
}

words! {
    Injection: NanReading = "nan-reading", StuckReading = "stuck-reading", JumpingReading = "jumping-reading",
    BusError = "bus-error", LateTick = "late-tick", InfeasibleTarget = "infeasible-target",
    SingularPose = "singular-pose", SaturatedMotor = "saturated-motor", CorruptedState = "corrupted-state",
    FlippedReading = "flipped-reading", DitheringReading = "dithering-reading", SlippingReading = "slipping-reading",
    LostReference = "lost-reference", ShortedBridge = "shorted-bridge", FrozenClock = "frozen-clock",
    FastClock = "fast-clock", OftenLate = "often-late", LostHeartbeat = "lost-heartbeat",
    BouncingReset = "bouncing-reset"
}

impl Injection {
    /// The injection with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|injection| injection.name() == name)
    }
}

/// Wraps a machine and injects faults into it. Without a fault it behaves like the wrapped machine.
///
/// Injections that do not apply to a machine are ignored. For a path that cannot be followed, [re-plan](super::LoopState::plan_mut); for
/// ticks at a wrong time, give the loop a wrong clock; for a lost heartbeat, do not call [`Supervisor::alive`]; for a controller's memory, call [`Supervisor::corrupt`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Faulty<Inner, T> {
    /// The wrapped machine.
    pub inner: Inner,
    fault: Option<Injection>,
    /// The first reading with the fault, and the reads since then.
    since: Option<(T, u32)>,
}

impl<Inner, T> Faulty<Inner, T> {
    /// Without a fault.
    pub fn new(inner: Inner) -> Self {
        Self { inner, fault: None, since: None }
    }

    /// Sets the fault from now on; `None` for no fault.
    pub fn inject(&mut self, fault: Option<Injection>) {
        if fault != self.fault {
            self.since = None;
        }
        self.fault = fault;
    }
}

/// The efforts with a shorted bridge at the first motor.
fn shorted<T: Float, const U: usize>(mut efforts: [T; U]) -> [T; U] {
    if let Some(first) = efforts.first_mut() {
        *first = T::from_f64(8.0);
    }
    efforts
}

impl<Inner: Machine<T, E, U>, T: Float, const E: usize, const U: usize> Machine<T, E, U> for Faulty<Inner, T> {
    /// The machine's own error; `None` for [`Injection::BusError`].
    type Error = Option<Inner::Error>;

    fn read(&mut self) -> Result<[T; E], Self::Error> {
        if self.fault == Some(Injection::BusError) {
            return Err(None);
        }
        let mut readings = self.inner.read().map_err(Some)?;
        if let (Some(first), Some(fault)) = (readings.first_mut(), self.fault) {
            let (begin, reads) = self.since.get_or_insert((*first, 0));
            *reads = reads.wrapping_add(1);
            match fault {
                Injection::NanReading => *first = T::NAN,
                Injection::JumpingReading => *first += T::one(),
                Injection::StuckReading => *first = *begin,
                Injection::FlippedReading => *first = *begin - (*first - *begin),
                Injection::DitheringReading => {
                    *first = *begin + T::from_f64(if *reads & 1 == 0 { 1e-4 } else { -1e-4 });
                }
                Injection::SlippingReading => *first += T::from_ticks(u64::from(*reads)) * T::from_f64(5e-5),
                _ => {}
            }
        }
        Ok(readings)
    }

    fn drive(&mut self, efforts: &[T; U], speeds: &[T; U]) -> Result<(), Self::Error> {
        match self.fault {
            Some(Injection::BusError) => Err(None),
            Some(Injection::SaturatedMotor) => {
                self.inner.drive(&efforts.map(|effort| effort * T::from_f64(0.01)), speeds).map_err(Some)
            }
            Some(Injection::ShortedBridge) => self.inner.drive(&shorted(*efforts), speeds).map_err(Some),
            _ => self.inner.drive(efforts, speeds).map_err(Some),
        }
    }

    fn enable(&mut self) -> Result<(), Self::Error> {
        match self.fault {
            Some(Injection::BusError) => Err(None),
            _ => self.inner.enable().map_err(Some),
        }
    }

    /// Works with a bus error, too: a pin switches the power stage.
    fn disable(&mut self) -> Result<(), Self::Error> {
        self.inner.disable().map_err(Some)?;
        match self.fault {
            Some(Injection::ShortedBridge) => self.inner.drive(&shorted([T::zero(); U]), &[T::zero(); U]).map_err(Some),
            _ => Ok(()),
        }
    }

    fn unreferenced(&self) -> Option<usize> {
        match self.fault {
            Some(Injection::LostReference) => Some(0),
            _ => self.inner.unreferenced(),
        }
    }

    fn lose_reference(&mut self) {
        self.inner.lose_reference();
    }
}

impl<Plan, Law, System, T, const N: usize, const M: usize, const E: usize, const U: usize> Supervisor<Plan, Law, E>
where
    T: Float,
    Plan: Feedforward<Base = T, System = System, Reference = Reference<T, N, M, U>>,
    Law: Controller<System, T, N, M, E, U>,
{
    /// [`Injection::CorruptedState`]: overwrites the controller's integral or prediction with NaN. Does nothing while the motors are
    /// off.
    pub fn corrupt(&self, state: &mut LoopState<Plan, Law, E>) {
        if state.memory.record.output != Output::Off {
            let garbage = Vector::repeat(T::NAN);
            self.law.applied(&mut state.law, &garbage, &garbage);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine that keeps what it is told.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Told {
        referenced: bool,
        driven: ([f32; 1], [f32; 1]),
    }

    impl Machine<f32, 1, 1> for Told {
        type Error = ();

        fn read(&mut self) -> Result<[f32; 1], ()> {
            Ok([0.0])
        }
        fn drive(&mut self, efforts: &[f32; 1], speeds: &[f32; 1]) -> Result<(), ()> {
            self.driven = (*efforts, *speeds);
            Ok(())
        }
        fn unreferenced(&self) -> Option<usize> {
            (!self.referenced).then_some(0)
        }
        fn lose_reference(&mut self) {
            self.referenced = false;
        }
    }

    #[test]
    fn speeds_and_references_pass_through() {
        let mut faulty = Faulty::new(Told { referenced: true, driven: ([0.0], [0.0]) });
        faulty.drive(&[2.0], &[3.0]).unwrap();
        assert_eq!(faulty.inner.driven, ([2.0], [3.0]));
        faulty.inject(Some(Injection::SaturatedMotor));
        faulty.drive(&[2.0], &[3.0]).unwrap();
        assert_eq!(faulty.inner.driven, ([0.02], [3.0]));
        assert_eq!(faulty.unreferenced(), None);
        faulty.lose_reference();
        assert_eq!(faulty.unreferenced(), Some(0));
    }
}

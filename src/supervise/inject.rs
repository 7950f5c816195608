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
}

words! {
    Injection: NanReading = "nan-reading", StuckReading = "stuck-reading", JumpingReading = "jumping-reading",
    BusError = "bus-error", LateTick = "late-tick", InfeasibleTarget = "infeasible-target",
    SingularPose = "singular-pose", SaturatedMotor = "saturated-motor", CorruptedState = "corrupted-state"
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
/// a late tick, give the loop a clock that is ahead; for a controller's memory, call [`Supervisor::corrupt`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Faulty<Inner, T> {
    /// The wrapped machine.
    pub inner: Inner,
    fault: Option<Injection>,
    /// The reading of the first encoder before it got stuck.
    stuck_at: Option<T>,
}

impl<Inner, T> Faulty<Inner, T> {
    /// Without a fault.
    pub fn new(inner: Inner) -> Self {
        Self { inner, fault: None, stuck_at: None }
    }

    /// Sets the fault from now on; `None` for no fault.
    pub fn inject(&mut self, fault: Option<Injection>) {
        self.fault = fault;
    }
}

impl<Inner: Machine<T, E, U>, T: Float, const E: usize, const U: usize> Machine<T, E, U> for Faulty<Inner, T> {
    /// The machine's own error; `None` for [`Injection::BusError`].
    type Error = Option<Inner::Error>;

    fn read(&mut self) -> Result<[T; E], Self::Error> {
        if self.fault == Some(Injection::BusError) {
            return Err(None);
        }
        let mut readings = self.inner.read().map_err(Some)?;
        if let Some(first) = readings.first_mut() {
            match self.fault {
                Some(Injection::NanReading) => *first = T::NAN,
                Some(Injection::JumpingReading) => *first += T::one(),
                Some(Injection::StuckReading) => *first = *self.stuck_at.get_or_insert(*first),
                _ => self.stuck_at = None,
            }
        }
        Ok(readings)
    }

    fn drive(&mut self, efforts: &[T; U]) -> Result<(), Self::Error> {
        match self.fault {
            Some(Injection::BusError) => Err(None),
            Some(Injection::SaturatedMotor) => {
                self.inner.drive(&efforts.map(|effort| effort * T::from_f64(0.01))).map_err(Some)
            }
            _ => self.inner.drive(efforts).map_err(Some),
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
        self.inner.disable().map_err(Some)
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

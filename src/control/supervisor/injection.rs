//! Faults on purpose.

use core::fmt;

use super::deadline::Clock;
use crate::control::controller::{Controller, Target};
use crate::control::device::Machine;
use crate::control::error::ControlError;
use crate::control::feedforward::Reference;
use crate::linalg::Vector;
use crate::scalar::Float;

/// A fault that can be injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Injection {
    /// The first encoder reads NaN.
    NanReading,
    /// The first encoder reads what it read when the fault began.
    StuckReading,
    /// The first encoder reads one more than it should.
    JumpingReading,
    /// Neither encoders nor motors answer.
    BusError,
    /// A tick comes late.
    LateTick,
    /// The path leads out of reach.
    InfeasibleTarget,
    /// The path leads into a singular pose.
    SingularPose,
    /// Motors have a hundredth of their effort.
    SaturatedMotor,
    /// The controller's memory is overwritten.
    CorruptedState,
}

impl Injection {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::NanReading,
        Self::StuckReading,
        Self::JumpingReading,
        Self::BusError,
        Self::LateTick,
        Self::InfeasibleTarget,
        Self::SingularPose,
        Self::SaturatedMotor,
        Self::CorruptedState,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NanReading => "nan-reading",
            Self::StuckReading => "stuck-reading",
            Self::JumpingReading => "jumping-reading",
            Self::BusError => "bus-error",
            Self::LateTick => "late-tick",
            Self::InfeasibleTarget => "infeasible-target",
            Self::SingularPose => "singular-pose",
            Self::SaturatedMotor => "saturated-motor",
            Self::CorruptedState => "corrupted-state",
        }
    }

    /// The one with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|injection| injection.name() == name)
    }
}

impl fmt::Display for Injection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A machine or a controller in which faults can be injected, and which is what it is while there are none.
///
/// Faults that are not those of what it is around do nothing: of a path that leads where it can not, a [re-plan](super::Supervisor::plan) is the
/// injection, of a late tick [`Delayed`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Faulty<Inner, Memory = ()> {
    inner: Inner,
    fault: Option<Injection>,
    memory: Memory,
}

impl<Inner, Memory: Default> Faulty<Inner, Memory> {
    /// Without a fault.
    pub fn new(inner: Inner) -> Self {
        Self { inner, fault: None, memory: Memory::default() }
    }

    /// With this fault from now on, or without.
    pub fn inject(&mut self, fault: Option<Injection>) {
        self.fault = fault;
    }

    /// What it is around.
    pub fn inner(&self) -> &Inner {
        &self.inner
    }

    /// What it is around, to be changed.
    pub fn inner_mut(&mut self) -> &mut Inner {
        &mut self.inner
    }
}

/// Why a machine with a fault could not be read or driven.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum InjectedError<D> {
    /// The machine's own error.
    Machine(D),
    /// That of [`Injection::BusError`].
    Bus,
}

/// What a machine remembers: the reading of the first encoder before it got stuck.
impl<Inner, T, const E: usize, const U: usize> Machine<T, E, U> for Faulty<Inner, Option<T>>
where
    T: Float,
    Inner: Machine<T, E, U>,
{
    type Error = InjectedError<Inner::Error>;

    fn read(&mut self) -> Result<[T; E], Self::Error> {
        if self.fault == Some(Injection::BusError) {
            return Err(InjectedError::Bus);
        }
        let mut readings = self.inner.read().map_err(InjectedError::Machine)?;
        if let Some(first) = readings.first_mut() {
            match self.fault {
                Some(Injection::NanReading) => *first = T::NAN,
                Some(Injection::JumpingReading) => *first += T::one(),
                Some(Injection::StuckReading) => *first = *self.memory.get_or_insert(*first),
                _ => self.memory = None,
            }
        }
        Ok(readings)
    }

    fn drive(&mut self, efforts: &[T; U]) -> Result<(), Self::Error> {
        match self.fault {
            Some(Injection::BusError) => Err(InjectedError::Bus),
            Some(Injection::SaturatedMotor) => {
                self.inner.drive(&efforts.map(|effort| effort * T::from_f64(0.01))).map_err(InjectedError::Machine)
            }
            _ => self.inner.drive(efforts).map_err(InjectedError::Machine),
        }
    }

    fn enable(&mut self) -> Result<(), Self::Error> {
        match self.fault {
            Some(Injection::BusError) => Err(InjectedError::Bus),
            _ => self.inner.enable().map_err(InjectedError::Machine),
        }
    }

    /// The power stage is switched by a pin, which no fault of a bus keeps from it.
    fn disable(&mut self) -> Result<(), Self::Error> {
        self.inner.disable().map_err(InjectedError::Machine)
    }
}

impl<Inner, System, T, const N: usize, const M: usize, const E: usize, const U: usize> Controller<System, T, N, M, E, U>
    for Faulty<Inner>
where
    T: Float,
    Inner: Controller<System, T, N, M, E, U>,
{
    fn tick_length(&self) -> Option<T> {
        self.inner.tick_length()
    }

    fn begin(&mut self, reference: &Reference<T, N, M, U>) {
        self.inner.begin(reference);
    }

    fn follow(
        &mut self,
        system: &System,
        tick: u64,
        target: &Target<T, E, U>,
        readings: &Vector<T, E>,
    ) -> Result<Vector<T, U>, ControlError<T>> {
        if self.fault == Some(Injection::CorruptedState) {
            // What it remembers of its inputs: an integral, a prediction.
            let garbage = Vector::repeat(T::NAN);
            self.inner.applied(&garbage, &garbage);
        }
        self.inner.follow(system, tick, target, readings)
    }

    fn applied(&mut self, wanted: &Vector<T, U>, applied: &Vector<T, U>) {
        self.inner.applied(wanted, applied);
    }
}

/// A clock that is ahead, so that a tick seems to come late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delayed<C> {
    /// The clock.
    pub clock: C,
    /// By how many counts.
    pub by: u32,
}

impl<C: Clock> Clock for Delayed<C> {
    fn now(&mut self) -> u32 {
        self.clock.now().wrapping_add(self.by)
    }
}

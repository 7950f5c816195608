//! A brushed motor with its gear, as a data sheet describes it.
//!
//! With the torque constant k, the gear ratio n, the efficiency η of the gear, the terminal resistance R, the effort τ and the speed ω at the
//! shaft (Fitzgerald, Kingsley and Umans, *Electric Machinery*, chapter on DC machines; the inductance is left out, because its time
//! constant is below a tick):
//!
//! ```text
//!     i = τ/(k n) · (1/η if τ ω > 0, η if τ ω < 0, 1 at rest)
//!     U = R i + k n ω
//! ```
//!
//! The loss of a gear acts against the motion: the motor works against it, and a load that drives the motor does, too. The second
//! term of U is the back-EMF. Without it the torque at speed is too small by (k n)² ω/R.

use super::setup::{SetupError, between, usable};
use crate::scalar::Float;

/// The numbers of a brushed motor's data sheet, in SI units, with its gear and its supply.
///
/// ```
/// use taut::control::Actuators;
/// use taut::device::DcMotor;
///
/// let motor = DcMotor {
///     torque_constant: 0.030_f32, // N m/A
///     resistance: 0.60,           // Ω, with that of the bridge
///     supply: 24.0,               // V
///     current_limit: 4.0,         // A, the smaller one of motor and bridge
///     gear_ratio: 20.0,
///     efficiency: 0.8,
/// };
/// // On a path of up to 30 rad/s the current limits the torque, at 39 rad/s the voltage.
/// let torque = motor.largest_effort(30.0);
/// assert!((torque - 1.92).abs() < 1e-6);
/// assert!((motor.largest_effort(39.0) - 0.48).abs() < 1e-5);
/// let limits = Actuators::new([torque])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The current limit holds if the shaft turns at the speed that [`drive`](super::Motor::drive) is given. A blocked shaft has no back-EMF, and
/// its current is larger by k n ω/R, up to supply/R: a bridge needs a current limit of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DcMotor<T> {
    /// k, torque per current in N m/A, which is also the back-EMF per speed in V s/rad: positive.
    pub torque_constant: T,
    /// R, the resistance between the terminals in Ω, with that of the bridge and the wires: positive.
    pub resistance: T,
    /// The voltage at full duty, in V: positive.
    pub supply: T,
    /// The largest current in A, of the motor or of the bridge: positive. Infinite if only the voltage limits it.
    pub current_limit: T,
    /// n, turns of the motor per turn of the shaft, or radians per metre: finite and not zero, 1 without a gear. Negative if a positive
    /// duty turns the shaft backwards.
    pub gear_ratio: T,
    /// η, the efficiency of the gear: above 0 and at most 1, which is a gear without losses.
    pub efficiency: T,
}

/// The limit that clipped a motor's command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum MotorLimit {
    /// The largest current, or the effort at full duty.
    Current,
    /// The supply voltage: at this speed the back-EMF leaves too little of it.
    Voltage,
}

impl<T: Float> DcMotor<T> {
    /// The largest effort that the motor has at every speed up to this one, in both directions: with it, neither current nor voltage clips. Zero
    /// at the no-load speed and above. NaN if one of the numbers is.
    ///
    /// Give it to [`Actuators`](crate::control::Actuators) with the largest speed of the path, so that the limit stands in one place.
    pub fn largest_effort(&self, speed: T) -> T {
        let constant = (self.torque_constant * self.gear_ratio).abs();
        // Against the load, where the gear's loss and the back-EMF both take their part.
        let by_voltage = (self.supply - constant * speed.abs()) / self.resistance;
        let current = if by_voltage < self.current_limit {
            by_voltage
        } else if by_voltage >= self.current_limit {
            self.current_limit
        } else {
            T::NAN
        };
        if current < T::zero() { T::zero() } else { constant * self.efficiency * current }
    }

    pub(super) fn drive(&self) -> Result<Drive<T>, SetupError<T>> {
        let positive = |what, given| between(what, given, T::zero(), T::INFINITY);
        positive("torque constant", self.torque_constant)?;
        positive("terminal resistance", self.resistance)?;
        positive("supply voltage", self.supply)?;
        usable("gear ratio", self.gear_ratio)?;
        if self.current_limit != T::INFINITY {
            positive("current limit", self.current_limit)?;
        }
        if self.efficiency != T::one() {
            between("efficiency of the gear", self.efficiency, T::zero(), T::one())?;
        }
        let constant = usable("torque constant times gear ratio", self.torque_constant * self.gear_ratio)?;
        Ok(Drive {
            stall: usable("stall torque", constant * (self.supply / self.resistance))?,
            no_load: usable("no-load speed", self.supply / constant)?,
            largest: constant.abs() * self.current_limit,
            efficiency: self.efficiency,
        })
    }
}

/// A motor by its line of speed and torque: duty = τ/stall + ω/no_load, with |τ| ≤ largest and |duty| ≤ 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Drive<T> {
    stall: T,
    /// Infinite for a bridge that controls the current.
    no_load: T,
    /// The largest effort at the motor, before the gear's loss.
    largest: T,
    efficiency: T,
}

impl<T: Float> Drive<T> {
    /// Without back-EMF: a bridge that controls the current, or a motor that turns slowly.
    pub(super) fn of_full_effort(effort: T) -> Result<Self, SetupError<T>> {
        usable("effort at full duty", effort)?;
        Ok(Self { stall: effort, no_load: T::INFINITY, largest: effort.abs(), efficiency: T::one() })
    }

    /// The duty in [−1, 1] for a finite effort at a finite speed, and the limit that clipped it. If both did, the current.
    pub(super) fn duty(&self, effort: T, speed: T) -> (T, Option<MotorLimit>) {
        let power = effort * speed;
        let mut effort = if power > T::zero() {
            effort / self.efficiency
        } else if power < T::zero() {
            effort * self.efficiency
        } else {
            effort
        };
        let mut limit = None;
        if effort.abs() > self.largest {
            (effort, limit) = (self.largest.copysign(effort), Some(MotorLimit::Current));
        }
        let duty = effort / self.stall + speed / self.no_load;
        if duty.abs() <= T::one() {
            return (duty, limit);
        }
        // Two terms that overflow with different signs give NaN: no motor has such a speed, and zero is safe.
        let duty = if duty.is_nan() { T::zero() } else { T::one().copysign(duty) };
        (duty, limit.or(Some(MotorLimit::Voltage)))
    }
}

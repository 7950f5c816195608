//! A motor on a bridge with a duty and a direction input.

use core::convert::Infallible;

use embedded_hal::digital::{Error as _, ErrorType, OutputPin, PinState};
use embedded_hal::pwm::{Error as _, SetDutyCycle};

use super::dc_motor::{DcMotor, Drive, MotorLimit};
use super::dead_band::DeadBand;
use super::machine::Motor;
use super::motor_error::MotorError;
use super::setup::SetupError;
use crate::scalar::Float;

/// A missing pin, for a bridge without an enable input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoPin;

impl ErrorType for NoPin {
    type Error = Infallible;
}

impl OutputPin for NoPin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A motor on a bridge with a duty, a direction pin, high for a positive duty, and an enable pin or [`NoPin`].
///
/// The **safe output** is duty zero and the enable pin off. The bridge decides whether the motor coasts or brakes. The motor has its
/// safe output after [`disable`](Motor::disable), after any error, and after a command that is NaN or infinite. Then every command is
/// an error until [`enable`](Motor::enable).
///
/// A command above a limit is clipped and [reported](PwmMotor::clipped). At a change of direction the duty is zero until the
/// pin is set, so that no command acts in the wrong direction.
///
/// ```
/// use embedded_hal_mock::eh1::digital::{Mock as Pin, State, Transaction as Set};
/// use embedded_hal_mock::eh1::pwm::{Mock as Pwm, Transaction as Duty};
/// use taut::device::{Motor, NoPin, PwmMotor};
///
/// let mut pwm = Pwm::new(&[
///     Duty::set_duty_cycle(0), // enabled
///     Duty::set_duty_cycle(0), // until the direction is known
///     Duty::max_duty_cycle(1_000),
///     Duty::set_duty_cycle(250),
///     Duty::set_duty_cycle(0), // disabled
/// ]);
/// let mut direction = Pin::new(&[Set::set(State::Low)]);
///
/// let mut motor = PwmMotor::new(pwm.clone(), direction.clone(), NoPin, 2.0_f32)?; // 2 Nm at full duty
/// motor.enable()?;
/// motor.drive(-0.5, 0.0)?;
/// assert_eq!(motor.clipped(), None);
/// assert_eq!(motor.duty(), -0.25);
/// motor.disable()?;
/// # pwm.done();
/// # direction.done();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PwmMotor<Pwm, Direction, Enable, T> {
    pwm: Pwm,
    direction: Direction,
    enable: Enable,
    enabled_at: PinState,
    motor: Drive<T>,
    dead_band: Option<DeadBand<T>>,
    enabled: bool,
    forward: Option<bool>,
    duty: T,
    clipped: Option<MotorLimit>,
}

impl<Pwm: SetDutyCycle, Direction: OutputPin, Enable: OutputPin, T: Float> PwmMotor<Pwm, Direction, Enable, T> {
    /// From its timer, its pins and the effort at full duty: finite and not zero, negative for a motor that turns the other way. The effort
    /// is proportional to the duty at every speed, so this is for a bridge that controls the current. On a voltage the back-EMF takes
    /// its part: use [`dc`](Self::dc).
    ///
    /// The motor is disabled. Its pins are not set before [`enable`](Motor::enable) or [`disable`](Motor::disable).
    pub fn new(pwm: Pwm, direction: Direction, enable: Enable, full_effort: T) -> Result<Self, SetupError<T>> {
        Ok(Self::made(pwm, direction, enable, Drive::of_full_effort(full_effort)?))
    }

    /// From its timer, its pins and its data sheet, for a bridge that sets the voltage. The duty is that of the effort's current and of the
    /// back-EMF at the speed of the command.
    pub fn dc(pwm: Pwm, direction: Direction, enable: Enable, motor: DcMotor<T>) -> Result<Self, SetupError<T>> {
        Ok(Self::made(pwm, direction, enable, motor.drive()?))
    }

    fn made(pwm: Pwm, direction: Direction, enable: Enable, motor: Drive<T>) -> Self {
        Self {
            pwm,
            direction,
            enable,
            enabled_at: PinState::High,
            motor,
            dead_band: None,
            enabled: false,
            forward: None,
            duty: T::zero(),
            clipped: None,
        }
    }

    /// With an enable pin that is active low.
    pub fn enabled_low(self) -> Self {
        Self { enabled_at: PinState::Low, ..self }
    }

    /// With compensation of the dead band.
    pub fn compensating(self, dead_band: DeadBand<T>) -> Self {
        Self { dead_band: Some(dead_band), ..self }
    }

    /// The present duty, in [−1, 1].
    pub fn duty(&self) -> T {
        self.duty
    }

    /// The limit that clipped the last command; `None` if it was applied as it is.
    pub fn clipped(&self) -> Option<MotorLimit> {
        self.clipped
    }

    /// Whether the motor is enabled.
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// Returns the timer and the pins as they are. Call [`disable`](Motor::disable) first.
    pub fn release(self) -> (Pwm, Direction, Enable) {
        (self.pwm, self.direction, self.enable)
    }

    fn set_duty(&mut self, counts: u16) -> Result<(), MotorError> {
        self.pwm.set_duty_cycle(counts).map_err(|error| MotorError::Pwm(error.kind()))
    }

    fn set_enable(&mut self, state: PinState) -> Result<(), MotorError> {
        self.enable.set_state(state).map_err(|error| MotorError::Enable(error.kind()))
    }

    /// Applies a duty in [−1, 1].
    fn apply(&mut self, duty: T) -> Result<(), MotorError> {
        let forward = duty > T::zero();
        if duty != T::zero() && self.forward != Some(forward) {
            self.set_duty(0)?;
            self.forward = None;
            self.direction.set_state(PinState::from(forward)).map_err(|error| MotorError::Direction(error.kind()))?;
            self.forward = Some(forward);
        }
        let full = self.pwm.max_duty_cycle();
        let counts = (duty.abs() * T::from_ticks(u64::from(full)) + T::from_f64(0.5)).to_count();
        // A count above u16 is above `full`.
        self.set_duty(u16::try_from(counts).map_or(full, |counts| counts.min(full)))?;
        self.duty = duty;
        Ok(())
    }

    /// Sets the safe output and returns the error that caused it.
    fn fail(&mut self, error: MotorError) -> MotorError {
        // Of two errors the first is the cause.
        let _ = self.disable();
        error
    }
}

impl<Pwm: SetDutyCycle, Direction: OutputPin, Enable: OutputPin, T: Float> Motor<T>
    for PwmMotor<Pwm, Direction, Enable, T>
{
    type Error = MotorError;

    fn drive(&mut self, effort: T, speed: T) -> Result<(), MotorError> {
        if !self.enabled {
            return Err(MotorError::Disabled);
        }
        if !(effort.is_finite() && speed.is_finite()) {
            return Err(self.fail(MotorError::NonFinite));
        }
        let (command, clipped) = self.motor.duty(effort, speed);
        let duty = self.dead_band.map_or(command, |dead_band| dead_band.compensate(command));
        self.apply(duty).map_err(|error| self.fail(error))?;
        self.clipped = clipped;
        Ok(())
    }

    fn enable(&mut self) -> Result<(), MotorError> {
        self.duty = T::zero();
        self.clipped = None;
        self.set_duty(0).and_then(|()| self.set_enable(self.enabled_at)).map_err(|error| self.fail(error))?;
        self.enabled = true;
        Ok(())
    }

    fn disable(&mut self) -> Result<(), MotorError> {
        self.enabled = false;
        self.duty = T::zero();
        self.clipped = None;
        let duty = self.set_duty(0);
        let enable = self.set_enable(!self.enabled_at);
        duty.and(enable)
    }
}

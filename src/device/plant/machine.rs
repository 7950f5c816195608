//! A simulated machine with the traits of a real one.
//!
//! A tick of the plant delays the command, adds friction at the motors, makes some steps of a method, and delays the readings. The plant
//! has its own model; the parameters of the controller's model may differ.
//!
//! **Several steps per tick.** Use them if the tick of the loop is too long for the plant: because friction is stiff, or because the
//! error of the method would look like one of the controller. The command is constant over a tick. Friction is evaluated at the start
//! of each step and constant over it, as in an explicit Euler method: a damper c on the inertia J needs h c/J < 2 with the step h.

use core::fmt;

use super::delay::Delay;
use super::friction::Friction;
use super::random::Random;
use super::sensor::Sensor;
use crate::control::{Actuated, ControlError, Driven, Feedforward, Reference, Sensed};
use crate::device::Machine;
use crate::linalg::{SymmetricFactors, Vector};
use crate::method::{Report, Step, StepError};
use crate::scalar::Float;
use crate::start::{Precision, State};

/// A simulated machine with `E` encoders and `U` motors.
///
/// ```
/// use taut::device::{Friction, Machine, Plant, Sensor};
/// use taut::method::Rattle;
/// use taut::start::{Clock, Start};
/// # use mechanisms::Arm;
///
/// let arm = Arm::<f32>::standard(); // a pendulum with a motor in its joint
/// let state = Start::at(&arm, Clock::at_rate(4_000.0)?, [0.0, -0.5]).at_rest()?;
/// let mut plant = Plant::new(arm, state, Rattle::new())
///     .steps_a_tick(4) // a loop at 1 kHz
///     .sensors([Sensor::bits_per_turn(12)])
///     .friction([Friction { viscous: 1e-3, coulomb: 1e-2, threshold: 1e-2 }])
///     .seed(7);
/// for _ in 0..1_000 {
///     let [angle] = plant.read()?;
///     plant.drive(&[0.5], &[0.0])?;
///     plant.tick()?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Plant<System, Method, State, T, const E: usize, const U: usize> {
    driven: Driven<System, T, U>,
    state: State,
    method: Method,
    steps: u32,
    sensors: [Sensor<T>; E],
    friction: [Friction<T>; U],
    random: Random,
    /// Where the shafts were last, with all turns of those whose readings [wrap](Sensed::WRAPS).
    turned: Vector<T, E>,
    command: Vector<T, U>,
    commands: Delay<Vector<T, U>>,
    reading: [T; E],
    readings: Delay<[T; E]>,
}

/// The [`Plant`] of a plan's model with `E` encoders, stepped by a method.
pub type PlantFor<Plan, Method, const E: usize> = <Plan as Simulated>::Plant<Method, E>;

/// A type that names its simulated machine: every plan, with the plan's model.
pub trait Simulated {
    /// The simulated machine with `E` encoders, stepped by a method.
    type Plant<Method, const E: usize>;
}

impl<Plan, System, T, const N: usize, const M: usize, const U: usize> Simulated for Plan
where
    T: Float,
    Plan: Feedforward<Base = T, System = System, Reference = Reference<T, N, M, U>>,
{
    type Plant<Method, const E: usize> = Plant<System, Method, State<T, N, M>, T, E, U>;
}

impl<System, Method, T, const N: usize, const M: usize, const E: usize, const U: usize, F, P>
    Plant<System, Method, State<T, N, M, F, P>, T, E, U>
where
    T: Float,
    System: Actuated<N, M, U, Base = T> + Sensed<N, M, E>,
    Method: Step<Driven<System, T, U>, State<T, N, M, F, P>, Report = Report<T, M>, Error = StepError<T>>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    /// Exact encoders, no friction, no delay, one step a tick.
    pub fn new(system: System, state: State<T, N, M, F, P>, method: Method) -> Self {
        let turned = System::on_turns_of(&Vector::zeros(), system.sensors(state.position()));
        let reading = turned.data.0[0];
        Self {
            driven: Driven::new(system),
            state,
            method,
            steps: 1,
            sensors: [Sensor::ideal(); E],
            friction: [Friction::none(); U],
            random: Random::seeded(0),
            turned,
            command: Vector::zeros(),
            commands: Delay::none(Vector::zeros()),
            reading,
            readings: Delay::none(reading),
        }
    }

    /// The number of steps of the method per tick of the loop, at least one.
    pub fn steps_a_tick(self, steps: u32) -> Self {
        Self { steps: steps.max(1), ..self }
    }

    /// With these encoders.
    pub fn sensors(self, sensors: [Sensor<T>; E]) -> Self {
        let mut plant = Self { sensors, ..self };
        plant.reading = plant.measure();
        plant
    }

    /// With this friction at the motors.
    pub fn friction(self, friction: [Friction<T>; U]) -> Self {
        Self { friction, ..self }
    }

    /// Delays readings and commands by some ticks, at most [`LONGEST_DELAY`](crate::device::LONGEST_DELAY). `command` acts until the first
    /// command arrives.
    pub fn delays(self, readings: usize, commands: usize, command: [T; U]) -> Result<Self, ControlError<T>> {
        let command = Vector::from(command);
        Ok(Self {
            command,
            readings: Delay::of(readings, self.reading)?,
            commands: Delay::of(commands, command)?,
            ..self
        })
    }

    /// With noise from this seed.
    pub fn seed(self, seed: u64) -> Self {
        Self { random: Random::seeded(seed), ..self }
    }

    /// The true state of the machine, which no controller sees.
    pub fn state(&self) -> &State<T, N, M, F, P> {
        &self.state
    }

    /// The machine's own model.
    pub fn system(&self) -> &System {
        &self.driven.system
    }

    /// Simulates a tick under the last command. After an error the machine stays at the end of the last good step.
    pub fn tick(&mut self) -> Result<(), PlantError<T>> {
        let command = self.commands.pass(self.command);
        for _ in 0..self.steps {
            // The shafts turn with Bᵀ v, because a torque u at a shaft has the power uᵀ Bᵀ v.
            let actuation = self.driven.system.actuation(self.state.position());
            let mut inputs = command;
            for i in 0..U {
                let mut speed = T::zero();
                for j in 0..N {
                    speed += actuation.data.0[i][j] * self.state.velocity().data.0[0][j];
                }
                inputs.data.0[0][i] += self.friction[i].torque(speed);
            }
            self.driven.inputs = inputs;
            let report = self.method.step(&self.driven, &mut self.state).map_err(PlantError::Step)?;
            for row in 0..M {
                let multiplier = report.multipliers.data.0[0][row];
                if System::PULLS[row] && multiplier < T::zero() {
                    return Err(PlantError::Slack { tick: self.state.clock().tick(), row, multiplier });
                }
            }
        }
        let measured = self.measure();
        self.reading = self.readings.pass(measured);
        Ok(())
    }

    fn measure(&mut self) -> [T; E] {
        // Encoders count whole turns, which a state takes off its angles.
        let mut full = *self.state.position();
        for (angle, turns) in full.iter_mut().zip(self.state.turns()) {
            if *turns != 0 {
                *angle += (T::PI + T::PI) * T::from_f64(f64::from(*turns));
            }
        }
        // A shaft makes less than half a turn between two readings.
        self.turned = System::on_turns_of(&self.turned, self.driven.system.sensors(&full));
        let mut readings = self.turned.data.0[0];
        for (reading, sensor) in readings.iter_mut().zip(&self.sensors) {
            *reading = sensor.measure(*reading, &mut self.random);
        }
        readings
    }
}

impl<System, Method, State, T: Float, const E: usize, const U: usize> Machine<T, E, U>
    for Plant<System, Method, State, T, E, U>
{
    type Error = PlantError<T>;

    fn read(&mut self) -> Result<[T; E], PlantError<T>> {
        Ok(self.reading)
    }

    /// Its motors are ideal sources of torque, which need no speed.
    fn drive(&mut self, efforts: &[T; U], _: &[T; U]) -> Result<(), PlantError<T>> {
        match efforts.iter().position(|effort| !effort.is_finite()) {
            Some(index) => Err(PlantError::Effort { index }),
            None => {
                self.command = Vector::from(*efforts);
                Ok(())
            }
        }
    }
}

/// Why a simulated machine stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum PlantError<T> {
    /// A step failed.
    Step(StepError<T>),
    /// A rope went slack, which the model does not describe.
    Slack {
        /// The tick of the machine's state.
        tick: u64,
        /// The constraint.
        row: usize,
        /// Its multiplier.
        multiplier: T,
    },
    /// A command is NaN or infinite. The last command stays in force.
    Effort {
        /// Which motor.
        index: usize,
    },
}

impl<T: Float> fmt::Display for PlantError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(error) => write!(f, "plant: {error}"),
            Self::Slack { tick, row, multiplier } => {
                write!(f, "plant: tick {tick}: constraint {row} only pulls, but its multiplier is {multiplier:e}")
            }
            Self::Effort { index } => write!(f, "plant: the command of motor {index} is NaN or infinite"),
        }
    }
}

impl<T: Float> core::error::Error for PlantError<T> {}

//! A simulated machine behind the traits of a real one.
//!
//! A tick of the plant is: the command of the controller, delayed; friction at the motors; some steps of a method; the readings
//! of the encoders, delayed. The model's parameters are the machine's: those of the controller's own model may differ.
//!
//! **Several steps a tick.** A controller's command holds over a tick, but the motion in between is continuous. Where the loop's tick is too
//! long for the plant, because friction is stiff or the method's own error would pass for one of the controller, it makes
//! several steps a tick. Friction is evaluated at the start of each step and holds over it, an explicit Euler method:
//! a damper c on the inertia J asks for h c/J < 2 with the step h of the method.

use core::fmt;

use super::delay::Delay;
use super::friction::Friction;
use super::random::Random;
use super::sensor::Sensor;
use crate::control::actuated::Actuated;
use crate::control::device::Machine;
use crate::control::error::ControlError;
use crate::control::sensed::Sensed;
use crate::linalg::{Ldlt, SymmetricFactors, Vector};
use crate::method::{Rattle, Report, RungeKutta4, RungeKutta8, StepError};
use crate::scalar::Float;
use crate::start::{Compensated, Precision, State};
use crate::system::{ConstantMass, Mechanical};

/// A method that can step a system: [`Rattle`] where the mass is constant, [`RungeKutta4`] and [`RungeKutta8`]
/// always.
pub trait Steps<System, T: Float, const N: usize, const M: usize> {
    /// Makes a step; on an error the state is as it was.
    fn step_of<F: SymmetricFactors<T, M>, P: Precision>(
        &self,
        system: &System,
        state: &mut State<T, N, M, F, P>,
    ) -> Result<Report<T, M>, StepError<T>>;
}

impl<System, T, const N: usize, const M: usize, const K: usize> Steps<System, T, N, M> for Rattle<T, K>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
{
    #[inline]
    fn step_of<F: SymmetricFactors<T, M>, P: Precision>(
        &self,
        system: &System,
        state: &mut State<T, N, M, F, P>,
    ) -> Result<Report<T, M>, StepError<T>> {
        self.step(system, state)
    }
}

/// Steps of methods for any mass.
macro_rules! steps {
    ($($method:ident)*) => {$(
        impl<System, T, const N: usize, const M: usize> Steps<System, T, N, M> for $method<T>
        where
            T: Float,
            System: Mechanical<N, M, Base = T>,
        {
            #[inline]
            fn step_of<F: SymmetricFactors<T, M>, P: Precision>(
                &self,
                system: &System,
                state: &mut State<T, N, M, F, P>,
            ) -> Result<Report<T, M>, StepError<T>> {
                self.step(system, state)
            }
        }
    )*};
}

steps! { RungeKutta4 RungeKutta8 }

/// A simulated machine with `E` encoders and `U` motors.
///
/// ```
/// use taut::control::{Friction, Machine, Plant, Sensor};
/// use taut::method::Rattle;
/// use taut::start::Start;
/// # use systems::Arm;
///
/// let arm = Arm::<f32>::standard(); // a pendulum with a motor in its joint
/// let state = Start::at(&arm, [0.0, -0.5]).at_rest()?;
/// let mut plant = Plant::new(arm, state, Rattle::at_rate(4_000.0)?)
///     .steps_a_tick(4) // a loop at 1 kHz
///     .sensors([Sensor::bits_per_turn(12)])
///     .friction([Friction { viscous: 1e-3, coulomb: 1e-2, threshold: 1e-2 }])
///     .seed(7);
/// for _ in 0..1_000 {
///     let [angle] = plant.read()?;
///     plant.drive(&[0.5])?;
///     plant.tick()?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Plant<
    System,
    Method,
    T: Float,
    const N: usize,
    const M: usize,
    const E: usize,
    const U: usize,
    F = Ldlt<T, M>,
    P: Precision = Compensated,
> {
    system: System,
    state: State<T, N, M, F, P>,
    method: Method,
    steps: u32,
    sensors: [Sensor<T>; E],
    friction: [Friction<T>; U],
    random: Random,
    command: Vector<T, U>,
    commands: Delay<Vector<T, U>>,
    reading: [T; E],
    readings: Delay<[T; E]>,
}

impl<System, Method, T, const N: usize, const M: usize, const E: usize, const U: usize, F, P>
    Plant<System, Method, T, N, M, E, U, F, P>
where
    T: Float,
    System: Actuated<N, M, U, Base = T> + Sensed<N, M, E>,
    Method: Steps<System, T, N, M>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    /// Exact encoders, no friction, no delay, one step a tick.
    pub fn new(system: System, state: State<T, N, M, F, P>, method: Method) -> Self {
        let reading = system.sensors(state.position()).data.0[0];
        Self {
            system,
            state,
            method,
            steps: 1,
            sensors: [Sensor::ideal(); E],
            friction: [Friction::none(); U],
            random: Random::seeded(0),
            command: Vector::zeros(),
            commands: Delay::none(Vector::zeros()),
            reading,
            readings: Delay::none(reading),
        }
    }

    /// So many steps of the method in a tick of the loop, at least one.
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

    /// With readings that are some ticks old and commands that act some ticks later; see
    /// [`LONGEST_DELAY`](crate::control::LONGEST_DELAY). Until the first command arrives, `command` acts.
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

    /// The state of the machine as it is, which no controller knows.
    pub fn state(&self) -> &State<T, N, M, F, P> {
        &self.state
    }

    /// The machine's own model.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Lets a tick pass under the last command. On an error the machine stays where the last step that was possible has ended.
    pub fn tick(&mut self) -> Result<(), PlantError<T>> {
        let command = self.commands.pass(self.command);
        for _ in 0..self.steps {
            // The shafts turn with Bᵀ v, because a torque u at a shaft has the power uᵀ Bᵀ v.
            let actuation = self.system.actuation(self.state.position());
            let mut inputs = command;
            for i in 0..U {
                let mut speed = T::zero();
                for j in 0..N {
                    speed += actuation.data.0[i][j] * self.state.velocity().data.0[0][j];
                }
                inputs.data.0[0][i] += self.friction[i].torque(speed);
            }
            self.system.drive(&inputs);
            let report = self.method.step_of(&self.system, &mut self.state).map_err(PlantError::Step)?;
            for row in 0..M {
                let multiplier = report.multipliers.data.0[0][row];
                if System::PULLS[row] && multiplier < T::zero() {
                    return Err(PlantError::Slack { tick: self.state.tick(), row, multiplier });
                }
            }
        }
        let measured = self.measure();
        self.reading = self.readings.pass(measured);
        Ok(())
    }

    fn measure(&mut self) -> [T; E] {
        // Encoders count the turns that a state takes off its angles.
        let mut full = *self.state.position();
        for (angle, turns) in full.iter_mut().zip(self.state.turns()) {
            if *turns != 0 {
                *angle += (T::PI + T::PI) * T::from_f64(f64::from(*turns));
            }
        }
        let mut readings = self.system.sensors(&full).data.0[0];
        for (reading, sensor) in readings.iter_mut().zip(&self.sensors) {
            *reading = sensor.measure(*reading, &mut self.random);
        }
        readings
    }
}

impl<System, Method, T, const N: usize, const M: usize, const E: usize, const U: usize, F, P> Machine<T, E, U>
    for Plant<System, Method, T, N, M, E, U, F, P>
where
    T: Float,
    P: Precision,
{
    type Error = PlantError<T>;

    fn read(&mut self) -> Result<[T; E], PlantError<T>> {
        Ok(self.reading)
    }

    fn drive(&mut self, efforts: &[T; U]) -> Result<(), PlantError<T>> {
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
    /// A step was not possible.
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
    /// A command is NaN or infinite; the last one goes on.
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
                write!(f, "plant: tick {tick}: constraint {row} can only pull, its multiplier is {multiplier:e}")
            }
            Self::Effort { index } => write!(f, "plant: the command of motor {index} is not finite"),
        }
    }
}

impl<T: Float> core::error::Error for PlantError<T> {}

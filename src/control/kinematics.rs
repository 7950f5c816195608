//! Kinematics and statics of a machine in a pose: its motors, its coordinates and its tool. No mass is needed.
//!
//! ```text
//!     velocities:   [G; S] v = [0; y'],    [G; Bᵀ] v = [0; ω]        of the tool y', of the coordinates v, of the motors ω
//!     forces:       B u = Gᵀ λ + Sᵀ F                                of the motors u, with which the tool pushes F
//!     at rest:      B u = Gᵀ λ − f(q, 0) − Sᵀ L                      what holds weights, springs and a load L on the tool
//!     positions:    0 = g(q), 0 = s(q) − y  or  0 = e(q) − θ         Newton, from a guess
//! ```
//!
//! The forces follow from the velocities, because power in is power out: uᵀ ω = Fᵀ y'. Both matrices, [G; S] and [B, Gᵀ], are those of
//! [`InverseDynamics`](super::InverseDynamics), with the same singular poses.

use core::fmt;

use super::actuated::Actuated;
use super::blocks::{split, stacked};
use super::checks::{positive, within};
use super::error::ControlError;
use super::feedforward::{Feedforward, Reference};
use super::inverse_dynamics::{START_ITERATIONS, accuracy, reached};
use super::sensed::Sensed;
use super::singularity::Singularity;
use super::structure::{Directions, Gradients};
use super::turns::{off_by_at, outputs_off_by};
use crate::linalg::blocks::transposed_times;
use crate::linalg::entries::{each, pairs, zeros};
use crate::linalg::{BlockFactors, Lu, Matrix, Vector, magnitude};
use crate::scalar::{Float, Jet};

/// Velocities and forces between the motors, the coordinates and the tool of a machine in one pose, with as many outputs as degrees of
/// freedom: N = M + U. The tool is the [output](Actuated::output).
///
/// ```
/// use mechanisms::parts::Delta;
/// use nalgebra::vector;
/// use taut::control::Kinematics;
///
/// let robot = Delta::<f64>::new().build()?;
/// let pose = robot.assembled();
/// let machine = Kinematics::at(&robot, &pose)?;
/// let speeds = machine.motor_speeds(&vector![0.0, 0.0, -0.1]); // rad/s, for 0.1 m/s downwards
/// assert!((machine.tool_velocity(&speeds) - vector![0.0, 0.0, -0.1]).norm() < 1e-12);
///
/// // The torques that hold the robot, and 200 g more at its tip.
/// let weight = vector![0.0, 0.0, -0.2 * 9.81];
/// let more = machine.holding_torques(&weight) - machine.holding_torques(&vector![0.0, 0.0, 0.0]);
/// // The motors push back with the opposite of the load.
/// assert!((machine.tool_force(&more) + weight).norm() < 1e-12);
///
/// // Where the tip is with all arms 0.2 rad below the horizontal, and where the motors are with the tip 1 cm lower.
/// let machine = Kinematics::at_motors(&robot, &pose, &vector![0.2, 0.2, 0.2])?;
/// let lower = machine.tool() - vector![0.0, 0.0, 0.01];
/// let motors = Kinematics::at_tool(&robot, machine.pose(), &lower)?.motors();
/// assert!(motors[0] > 0.2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Kinematics<'a, System: Actuated<N, M, U>, const N: usize, const M: usize, const U: usize> {
    system: &'a System,
    pose: Vector<System::Base, N>,
    outputs: Matrix<System::Base, U, N>,
    actuation: Matrix<System::Base, N, U>,
    gradients: BlockFactors<System::Base, N>,
    directions: BlockFactors<System::Base, N>,
}

impl<System: Actuated<N, M, U>, const N: usize, const M: usize, const U: usize> fmt::Debug
    for Kinematics<'_, System, N, M, U>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kinematics").field("pose", &self.pose).finish_non_exhaustive()
    }
}

impl<'a, System, T, const N: usize, const M: usize, const U: usize> Kinematics<'a, System, N, M, U>
where
    T: Float,
    System: Actuated<N, M, U, Base = T>,
{
    /// In a pose that satisfies the constraints, such as [`assembled`](crate::parts::Mechanism::assembled) or the position of a
    /// [`Reference`]. A singular pose is an error.
    pub fn at(system: &'a System, pose: &Vector<T, N>) -> Result<Self, ControlError<T>> {
        const { assert!(N == M + U, "as many outputs as degrees of freedom: N = M + U") };
        let (jacobian, outputs, actuation) =
            (system.jacobian(T::zero(), pose), system.output_jacobian(pose), system.actuation(pose));
        let singular = |kind| move |cause| ControlError::Singular { tick: 0, kind, cause };
        let (mut gradients, mut directions) = (BlockFactors::workspace(), BlockFactors::workspace());
        let entry = |row: usize, column: usize| {
            if column < M { jacobian.data.0[row][column] } else { outputs.data.0[row][column - M] }
        };
        gradients.update::<Gradients<System, M, U>>(entry, T::ROOT_EPSILON).map_err(singular(Singularity::Reach))?;
        let entry = |row: usize, column: usize| {
            if column < U { actuation.data.0[column][row] } else { jacobian.data.0[row][column - U] }
        };
        directions
            .update::<Directions<System, M, U>>(entry, T::ROOT_EPSILON)
            .map_err(singular(Singularity::Actuation))?;
        Ok(Self { system, pose: *pose, outputs, actuation, gradients, directions })
    }

    /// In the pose with the tool at a position. Newton's method finds it from a guess, which decides between several such poses. A position
    /// out of reach and a singular pose are errors.
    pub fn at_tool(system: &'a System, guess: &Vector<T, N>, tool: &Vector<T, U>) -> Result<Self, ControlError<T>> {
        let pose = found(system, guess, Singularity::Reach, |q| {
            (outputs_off_by::<System, N, M, U>(system.output(q) - tool), system.output_jacobian(q))
        })?;
        Self::at(system, &pose)
    }

    /// In the pose with the motors at these positions, as their encoders read them. Newton's method finds it from a guess, which decides
    /// between several such poses. Positions that cannot be reached and a singular pose are errors.
    pub fn at_motors<const E: usize>(
        system: &'a System,
        guess: &Vector<T, N>,
        motors: &Vector<T, U>,
    ) -> Result<Self, ControlError<T>>
    where
        System: Sensed<N, M, E>,
    {
        const { assert!(E >= U, "the first encoders are those of the motors") };
        let pose = found(system, guess, Singularity::Actuation, |q| {
            let (readings, jacobian) = system.sensor_jacobian(q);
            let off = Vector::<T, U>::from_fn(|i, _| off_by_at::<System, N, M, E>(i, readings[i] - motors[i]));
            (off, Matrix::from_fn(|i, j| jacobian[(i, j)]))
        })?;
        Self::at(system, &pose)
    }

    /// The pose.
    pub fn pose(&self) -> &Vector<T, N> {
        &self.pose
    }

    /// The position of the tool.
    pub fn tool(&self) -> Vector<T, U> {
        self.system.output(&self.pose)
    }

    /// The positions of the motors, as their encoders read them.
    pub fn motors<const E: usize>(&self) -> Vector<T, U>
    where
        System: Sensed<N, M, E>,
    {
        const { assert!(E >= U, "the first encoders are those of the motors") };
        let readings = self.system.sensors(&self.pose);
        Vector::from_fn(|i, _| readings[i])
    }

    /// The velocities of the coordinates with which the tool moves at this velocity.
    pub fn velocity_for_tool(&self, tool: &Vector<T, U>) -> Vector<T, N> {
        self.gradients.solve_transposed::<Gradients<System, M, U>>(stacked(&zeros::<T, M>(), tool))
    }

    /// The velocities of the coordinates with which the motors turn at these speeds.
    pub fn velocity_for_motors(&self, speeds: &Vector<T, U>) -> Vector<T, N> {
        self.directions.solve_transposed::<Directions<System, M, U>>(stacked(speeds, &zeros::<T, M>()))
    }

    /// The speeds of the motors with which the tool moves at this velocity.
    pub fn motor_speeds(&self, tool: &Vector<T, U>) -> Vector<T, U> {
        transposed_times(&self.actuation, &self.velocity_for_tool(tool))
    }

    /// The velocity of the tool at these speeds of the motors. It is also the small way of the tool for small turns of the motors.
    pub fn tool_velocity(&self, speeds: &Vector<T, U>) -> Vector<T, U> {
        self.outputs * self.velocity_for_motors(speeds)
    }

    /// The torques with which the tool pushes with this force, weights and springs left out.
    pub fn motor_torques(&self, force: &Vector<T, U>) -> Vector<T, U> {
        self.torques_of(transposed_times(&self.outputs, force))
    }

    /// The force with which the tool pushes at these torques, weights and springs left out.
    pub fn tool_force(&self, torques: &Vector<T, U>) -> Vector<T, U> {
        let (_, force) =
            split::<T, N, M, U>(&self.gradients.solve::<Gradients<System, M, U>>(self.actuation * torques));
        force
    }

    /// The torques that hold the machine at rest with a load on its tool: the force that acts on the tool from outside, such as a weight
    /// (0, 0, −m g).
    pub fn holding_torques(&self, load: &Vector<T, U>) -> Vector<T, U> {
        let free = self.system.force(T::zero(), &self.pose, &zeros());
        let pushed = transposed_times(&self.outputs, load);
        self.torques_of(pairs(&free, &pushed, |free, pushed| -(free + pushed)))
    }

    /// u in B u = Gᵀ λ + forces.
    fn torques_of(&self, forces: Vector<T, N>) -> Vector<T, U> {
        split::<T, N, U, M>(&self.directions.solve::<Directions<System, M, U>>(forces)).0
    }
}

/// The pose on the constraints in which U more equations hold, by Newton's method. `rows` are their residuals and gradients.
fn found<System, T, const N: usize, const M: usize, const U: usize>(
    system: &System,
    guess: &Vector<T, N>,
    kind: Singularity,
    rows: impl Fn(&Vector<T, N>) -> (Vector<T, U>, Matrix<T, U, N>),
) -> Result<Vector<T, N>, ControlError<T>>
where
    T: Float,
    System: Actuated<N, M, U, Base = T>,
{
    const { assert!(N == M + U, "as many outputs as degrees of freedom: N = M + U") };
    let mut q = *guess;
    let mut step = zeros();
    for _ in 0..START_ITERATIONS {
        let (jacobian, (off, gradients)) = (system.jacobian(T::zero(), &q), rows(&q));
        let constraint = system.constraint(T::zero(), &q);
        // Gradients as columns, in the order that the kind of singularity has elsewhere: a pivot has the number of its column.
        let (matrix, residual) = if kind == Singularity::Actuation {
            let column = |i, j| if j < U { gradients[(j, i)] } else { jacobian[(j - U, i)] };
            (Matrix::from_fn(column), stacked(&off, &constraint))
        } else {
            let column = |i, j| if j < M { jacobian[(j, i)] } else { gradients[(j - M, i)] };
            (Matrix::from_fn(column), stacked(&constraint, &off))
        };
        let singular = |cause| ControlError::Singular { tick: 0, kind, cause };
        step = Lu::factor_with(matrix, T::ROOT_EPSILON).map_err(singular)?.solve_transposed(residual);
        q -= step;
        if magnitude(&step) <= accuracy() {
            break;
        }
    }
    reached(&step, 0)?;
    Ok(q)
}

/// The limits of motors that follow a path by their positions, such as steppers: their largest speeds and accelerations.
///
/// ```
/// use mechanisms::parts::LinearDelta;
/// use taut::control::{ControlError, Feedforward, InverseDynamics, MotorLimits};
/// use taut::trajectory::Circle;
///
/// let robot = LinearDelta::<f32>::new().build()?;
/// let circle = |turns| Circle::ellipse([0.0, 0.0, 0.1], [0.03, 0.0, 0.0], [0.0, 0.03, 0.0], turns, 1_000, 1e-3);
/// let plan = InverseDynamics::new(robot, circle(1)?, 1e-3, robot.assembled())?;
/// let steppers = MotorLimits::new([0.3; 3], [2.0; 3])?; // m/s, m/s²
/// let mut state = plan.start()?;
/// for tick in 0..1_000 {
///     let motors = steppers.at(&plan, &mut state, tick)?;
///     let _steps = motors.map(|motor| motor.value * 80_000.0); // at 80 steps a millimetre
/// }
///
/// // Four turns a second are too fast.
/// let plan = InverseDynamics::new(robot, circle(4)?, 1e-3, robot.assembled())?;
/// let error = steppers.at(&plan, &mut plan.start()?, 0).unwrap_err();
/// assert!(matches!(error, ControlError::Exceeded { what: "motor acceleration" | "motor speed", .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotorLimits<T, const E: usize> {
    speeds: [T; E],
    accelerations: [T; E],
}

impl<T: Float, const E: usize> MotorLimits<T, E> {
    /// In rad/s and rad/s², or m/s and m/s², in the order of the encoders.
    pub fn new(speeds: [T; E], accelerations: [T; E]) -> Result<Self, ControlError<T>> {
        for (speed, acceleration) in speeds.into_iter().zip(accelerations) {
            positive("motor speed", speed)?;
            positive("motor acceleration", acceleration)?;
        }
        Ok(Self { speeds, accelerations })
    }

    /// Positions, speeds and accelerations of the motors at a tick of a plan, as the model reads them. Only the geometry
    /// of the model matters to them. After an error the plan's state is unchanged.
    ///
    /// A position that [wraps](Sensed::WRAPS) jumps by a turn at ±π: [`on_turns_of`](Sensed::on_turns_of) the last ones it goes on.
    pub fn at<Plan, System, const N: usize, const M: usize, const U: usize>(
        &self,
        plan: &Plan,
        state: &mut Plan::State,
        tick: u64,
    ) -> Result<Vector<Jet<T>, E>, ControlError<T>>
    where
        System: Actuated<N, M, U, Base = T> + Sensed<N, M, E>,
        Plan: Feedforward<Base = T, System = System, Reference = Reference<T, N, M, U>>,
    {
        let mut next = state.clone();
        let Reference { position, velocity, acceleration, .. } = plan.at(&mut next, tick)?;
        let motors = plan.system().sensor_motion(position, velocity, acceleration);
        let exceeded = |what| move |index, value, limit| ControlError::Exceeded { tick, what, index, value, limit };
        within(&each(&motors, |motor| motor.first).data.0[0], &self.speeds, exceeded("motor speed"))?;
        let accelerations = each(&motors, |motor| motor.second);
        within(&accelerations.data.0[0], &self.accelerations, exceeded("motor acceleration"))?;
        *state = next;
        Ok(motors)
    }
}

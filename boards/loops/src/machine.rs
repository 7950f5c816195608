//! The loop of any machine from a [list of parts](taut::parts) with motors, encoders and an output.
//!
//! A loop is the list and a [`Task`]: the path of the output, the limits of motors and encoders, and the rate. [`program`] adds a simulated
//! machine with brakes, which starts at rest where the list is assembled; [`control`] is the loop alone, for a machine on a bench.
//!
//! ```
//! use loops::machine::{self, Task, circle};
//! use loops::{Options, Unusable};
//! use mechanisms::parts::FiveBar;
//! use taut::control::Actuators;
//! use taut::supervise::{EncoderLimits, Watch};
//!
//! type Program = loops::program!(FiveBar);
//!
//! fn program(options: Options, period: u32) -> Result<Program, Unusable> {
//!     // 16 bits a turn; at most 16 rad/s; an error of 0.1 rad is a fault. Motors of 1 N m.
//!     let encoder = EncoderLimits { resolution: 1e-4, top_speed: 16.0, largest_error: 0.1 };
//!     let task = Task {
//!         rate: 1_000,
//!         path: circle([0.0, 0.17], [0.03, 0.0], [0.0, 0.03], 2, 1_000)?, // two turns a second
//!         watch: Watch::new(Actuators::new([1.0; 2])?, [encoder; 2]),
//!         frequency: [100.0; 2],
//!     };
//!     let mut heavy = FiveBar::new();
//!     heavy.tip.mass *= 1.05;
//!     machine::program(FiveBar::new().build()?, heavy.build()?, task, (options, period))
//! }
//!
//! let mut program = program(Options::default(), 1_000)?;
//! for tick in 0..3_000_u32 {
//!     program.tick(&mut tick.wrapping_mul(1_000), &mut ());
//! }
//! assert!(program.summary().faults == 0 && program.summary().worst_error < 1e-4);
//! # Ok::<(), Unusable>(())
//! ```

use taut::control::{ComputedTorque, ControlError, Driven, InverseDynamics, inertia_at_motors};
use taut::device::{Plant, Sensor};
use taut::linalg::Vector;
use taut::method::{Rattle, Report, RungeKutta4, Step, StepError};
use taut::parts::Mechanism;
use taut::parts::by_hand::{ConstantMatrix, Encoded, List, Motorised, VaryingMatrix};
use taut::start::{Clock, Start, State};
use taut::supervise::{Deadline, LoopState, Supervisor, Watch};
pub use taut::trajectory::Circle;
use taut::trajectory::{Either, Trajectory, TrajectoryError};

use crate::{Brake, Braked, Detours, Options, OutOfReach, Path, Place, Rig, Unusable};

/// The frequency of the brakes times the length of a tick. With a damping ratio of 0.7 the friction of a brake is stable: h c/J = 0.21.
const BRAKES: f32 = 0.15;
/// No machine of this kind reaches this far, in metres or radians.
const OUT_OF_REACH: f32 = 1_000.0;

/// What a loop does with a machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task<Along, const E: usize, const U: usize> {
    /// Ticks a second.
    pub rate: u32,
    /// The path of the output. The loop goes to its beginning first.
    pub path: Along,
    /// The limits of motors and encoders. The encoders of the simulated machine have these resolutions.
    pub watch: Watch<f32, E, U>,
    /// How fast an error of each motor dies out, in rad/s; at most an eighth of the rate.
    pub frequency: [f32; U],
}

/// An ellipse of the output, with this many turns in a second: the centre, from there to the beginning, and from the centre to where it is
/// a quarter of a turn later.
pub fn circle<const D: usize>(
    centre: [f32; D],
    begin: [f32; D],
    quarter: [f32; D],
    turns: i32,
    rate: u32,
) -> Result<Circle<f32, D>, TrajectoryError<f32>> {
    Circle::ellipse(centre, begin, quarter, turns, rate.into(), 1.0 / rate as f32)
}

/// A straight line from one point of the output to another and back, this many times in a second, at rest at both ends.
pub fn line<const D: usize>(
    from: [f32; D],
    to: [f32; D],
    times: i32,
    rate: u32,
) -> Result<Circle<f32, D>, TrajectoryError<f32>> {
    let (from, to) = (Vector::from(from), Vector::from(to));
    let (centre, begin) = ((from + to) * 0.5, (from - to) * 0.5);
    Circle::ellipse(centre, begin, [0.0; D], times, rate.into(), 1.0 / rate as f32)
}

/// The type of the loop and its machine for a list of parts, and for a path other than a circle or a line:
/// `loops::program!(Delta)`, `loops::program!(Delta, Nonic<f32, 3>)`.
#[macro_export]
macro_rules! program {
    ($list:ident) => { $crate::program!($list, $crate::machine::Circle<f32, { $list::<f32>::SIZES[2] }>) };
    ($list:ident, $path:ty) => {
        $crate::machine::Program<
            $list<f32>,
            $path,
            { $list::<f32>::SIZES[0] },
            { $list::<f32>::SIZES[1] },
            { $list::<f32>::SIZES[3] },
            { $list::<f32>::SIZES[2] },
        >
    };
}

/// The type of the loop alone, as [`machine::control`](crate::machine::control) makes it for a list of parts: `loops::control!(Delta)`,
/// `loops::control!(Delta, Nonic<f32, 3>)`.
#[macro_export]
macro_rules! control {
    ($list:ident) => { $crate::control!($list, $crate::machine::Circle<f32, { $list::<f32>::SIZES[2] }>) };
    ($list:ident, $path:ty) => {
        $crate::machine::Control<
            $list<f32>,
            $path,
            { $list::<f32>::SIZES[0] },
            { $list::<f32>::SIZES[1] },
            { $list::<f32>::SIZES[3] },
            { $list::<f32>::SIZES[2] },
        >
    };
}

type Plan<L, Along, const N: usize, const M: usize, const U: usize> =
    InverseDynamics<Mechanism<L, N, M>, Along, N, M, U>;
type Loop<L, Along, const N: usize, const M: usize, const E: usize, const U: usize> =
    Supervisor<Plan<L, Along, N, M, U>, ComputedTorque<f32, N, M, U>, E>;
type MethodOf<L, const N: usize, const M: usize> = <<L as List<N, M>>::Mass as Stepped>::Method;
type Machine<L, const N: usize, const M: usize, const E: usize, const U: usize> =
    Braked<Mechanism<L, N, M>, MethodOf<L, N, M>, State<f32, N, M>, E, U>;

/// The loop alone and its state, for a machine on a bench. [`control!`](crate::control) counts the coordinates.
pub type Control<L, Along, const N: usize, const M: usize, const E: usize, const U: usize> =
    (Loop<L, Along, N, M, E, U>, LoopState<Plan<L, Along, N, M, U>, ComputedTorque<f32, N, M, U>, E>);

/// The loop and its simulated machine. [`program!`](crate::program) counts the coordinates.
pub type Program<L, Along, const N: usize, const M: usize, const E: usize, const U: usize> =
    Rig<Plan<L, Path<Along, U>, N, M, U>, ComputedTorque<f32, N, M, U>, Machine<L, N, M, E, U>, E, U, U>;

/// The method that steps a simulated machine, by the kind of its mass.
pub trait Stepped {
    /// RATTLE for a constant mass, else Runge–Kutta 4.
    type Method;
}

impl<L, T, const N: usize, const M: usize> Stepped for ConstantMatrix<L, T, N, M> {
    type Method = Rattle;
}

impl<L, const N: usize, const M: usize> Stepped for VaryingMatrix<L, N, M> {
    type Method = RungeKutta4<f32>;
}

/// The output of a list follows the path.
impl<L, const N: usize, const M: usize, const U: usize> Place<N, U> for Mechanism<L, N, M>
where
    L: List<N, M, Base = f32> + Motorised<U>,
{
    fn place(&self, q: &Vector<f32, N>) -> [f32; U] {
        taut::control::Actuated::output(self, q).data.0[0]
    }
}

/// The loop of a model with a simulated machine, for a clock of so many counts a tick. The machine is another build of the list: with a
/// heavier load, for example.
pub fn program<L, Along, const N: usize, const M: usize, const E: usize, const U: usize>(
    model: Mechanism<L, N, M>,
    machine: Mechanism<L, N, M>,
    task: Task<Along, E, U>,
    (options, period): (Options, u32),
) -> Result<Program<L, Along, N, M, E, U>, Unusable>
where
    L: List<N, M, Base = f32, Mass: Stepped> + Motorised<U> + Encoded<E> + Copy,
    Along: Trajectory<U, Base = f32> + Copy,
    MethodOf<L, N, M>: Step<Driven<Mechanism<L, N, M>, f32, U>, State<f32, N, M>, Report = Report<f32, M>, Error = StepError<f32>>
        + Copy
        + Default,
{
    let Task { rate, path, watch, frequency } = task;
    let begin = path.at(0.0);
    let supervisor = supervisor(model, Task { rate, path: Either::First(path), watch, frequency })?;
    let inertia = inertia_at_motors(supervisor.plan())?;
    let started = Start::at(&machine, Clock::at_rate(rate as f32)?, machine.assembled()).at_rest();
    let state = started.map_err(|error| machine.explain(error))?;
    let sensors = watch.encoders.map(|encoder| Sensor { resolution: encoder.resolution, ..Sensor::ideal() });
    let plant = Plant::new(machine, state, MethodOf::<L, N, M>::default()).sensors(sensors);
    let omega = BRAKES * rate as f32;
    let brakes = inertia.map(|inertia| Brake { stiffness: inertia * omega * omega, damping: 1.4 * inertia * omega });
    // Where such a machine is singular is not known: both detours lead out of reach.
    let away = (begin.add_scalar(OUT_OF_REACH).data.0[0], 0.5);
    let detours = Detours { infeasible: away, singular: away };
    Ok(Rig::new(supervisor, Braked::new(plant, brakes), detours, (options, period))?)
}

/// The loop of a model without a machine, for a clock of so many counts a tick.
pub fn control<L, Along, const N: usize, const M: usize, const E: usize, const U: usize>(
    model: Mechanism<L, N, M>,
    task: Task<Along, E, U>,
    period: u32,
) -> Result<Control<L, Along, N, M, E, U>, Unusable>
where
    L: List<N, M, Base = f32> + Motorised<U> + Encoded<E> + Copy,
    Along: Trajectory<U, Base = f32> + Clone,
{
    let supervisor = supervisor(model, task)?;
    let state = supervisor.start(Deadline::new(period, None))?;
    Ok((supervisor, state))
}

fn supervisor<L, Along, const N: usize, const M: usize, const E: usize, const U: usize>(
    model: Mechanism<L, N, M>,
    Task { rate, path, watch, frequency }: Task<Along, E, U>,
) -> Result<Loop<L, Along, N, M, E, U>, Unusable>
where
    L: List<N, M, Base = f32> + Motorised<U> + Encoded<E> + Copy,
    Along: Trajectory<U, Base = f32> + Clone,
{
    let named = |error| match error {
        ControlError::Unreachable { index, distance, .. } => {
            OutOfReach { part: model.part_of_coordinate(index), distance }.into()
        }
        other => Unusable::from(model.explain(other)),
    };
    let plan = InverseDynamics::new(model, path, 1.0 / rate as f32, model.assembled()).map_err(named)?;
    let law = ComputedTorque::by_rule(&plan, frequency, &watch).map_err(named)?;
    Ok(Supervisor::new(plan, law, watch)?)
}

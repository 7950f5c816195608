//! A simulated machine with brakes, which close while its motors are off.

use taut::control::{Actuated, Driven, Sensed};
use taut::device::{Friction, Machine, Plant, PlantError};
use taut::linalg::{Ldlt, Vector};
use taut::method::{Report, Step, StepError};
use taut::start::{Precision, State};

/// The point of a system that follows the path, in `D` numbers.
pub trait Place<const N: usize, const D: usize = 2> {
    /// The point at a position.
    fn place(&self, q: &Vector<f32, N>) -> [f32; D];
}

/// A simulated machine with brakes.
pub trait Simulation<const E: usize, const U: usize, const D: usize = 2>:
    Machine<f32, E, U, Error = PlantError<f32>>
{
    /// Simulates a tick.
    fn tick(&mut self) -> Result<(), PlantError<f32>>;

    /// Whether the brakes are closed.
    fn is_closed(&self) -> bool;

    /// The point that follows the path.
    fn place(&self) -> [f32; D];

    /// The largest constraint residual, as the model writes it.
    fn residual(&self) -> f32;
}

/// The brake at a motor: a stiff spring to the position where it closed, with a damper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brake {
    /// Effort per distance.
    pub stiffness: f32,
    /// Effort per speed, c. With the step h of the machine and the inertia J that the brake holds, h c/J must stay below two.
    pub damping: f32,
}

/// A [`Plant`] with a brake at each motor.
#[derive(Clone, Copy, Debug)]
pub struct Braked<System, Method, Motion, const E: usize, const U: usize> {
    plant: Plant<System, Method, Motion, f32, E, U>,
    brakes: [Brake; U],
    /// Where the motors were when the brakes were closed; `None` while they are open.
    closed_at: Option<[f32; U]>,
    /// The efforts of the motors. They act against closed brakes, too: a broken power stage may drive a motor that is off.
    efforts: [f32; U],
}

impl<System, Method, const N: usize, const M: usize, const E: usize, const U: usize, P>
    Braked<System, Method, State<f32, N, M, Ldlt<f32, M>, P>, E, U>
where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E> + Copy,
    Method: Step<Driven<System, f32, U>, State<f32, N, M, Ldlt<f32, M>, P>, Report = Report<f32, M>, Error = StepError<f32>>
        + Copy,
    P: Precision,
{
    /// With open brakes.
    pub fn new(plant: Plant<System, Method, State<f32, N, M, Ldlt<f32, M>, P>, f32, E, U>, brakes: [Brake; U]) -> Self {
        Self { plant, brakes, closed_at: None, efforts: [0.0; U] }
    }

    /// Where the shafts are: those of the motors, then the others.
    fn positions(&self) -> Vector<f32, E> {
        self.plant.system().sensors(self.plant.state().position())
    }
}

impl<System, Method, const N: usize, const M: usize, const E: usize, const U: usize, P> Machine<f32, E, U>
    for Braked<System, Method, State<f32, N, M, Ldlt<f32, M>, P>, E, U>
where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E> + Copy,
    Method: Step<Driven<System, f32, U>, State<f32, N, M, Ldlt<f32, M>, P>, Report = Report<f32, M>, Error = StepError<f32>>
        + Copy,
    P: Precision,
{
    type Error = PlantError<f32>;

    fn read(&mut self) -> Result<[f32; E], PlantError<f32>> {
        self.plant.read()
    }

    fn drive(&mut self, efforts: &[f32; U], speeds: &[f32; U]) -> Result<(), PlantError<f32>> {
        self.efforts = *efforts;
        self.plant.drive(efforts, speeds)
    }

    fn enable(&mut self) -> Result<(), PlantError<f32>> {
        if self.closed_at.take().is_some() {
            self.plant = self.plant.friction([Friction::none(); U]);
        }
        self.drive(&[0.0; U], &[0.0; U])
    }

    fn disable(&mut self) -> Result<(), PlantError<f32>> {
        self.efforts = [0.0; U];
        if self.closed_at.is_none() {
            let positions = self.positions();
            let mut closed_at = [0.0; U];
            for (closed_at, position) in closed_at.iter_mut().zip(&positions) {
                *closed_at = *position;
            }
            self.closed_at = Some(closed_at);
            self.plant =
                self.plant.friction(self.brakes.map(|brake| Friction { viscous: brake.damping, ..Friction::none() }));
        }
        Ok(())
    }
}

impl<System, Method, const N: usize, const M: usize, const E: usize, const U: usize, const D: usize, P>
    Simulation<E, U, D> for Braked<System, Method, State<f32, N, M, Ldlt<f32, M>, P>, E, U>
where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E> + Place<N, D> + Copy,
    Method: Step<Driven<System, f32, U>, State<f32, N, M, Ldlt<f32, M>, P>, Report = Report<f32, M>, Error = StepError<f32>>
        + Copy,
    P: Precision,
{
    /// Not inlined, so that it reuses the stack of the loop, which has returned by then.
    #[inline(never)]
    fn tick(&mut self) -> Result<(), PlantError<f32>> {
        if let Some(closed_at) = self.closed_at {
            let mut efforts = self.efforts;
            let now = self.positions();
            let mut at = now;
            for (at, closed_at) in at.iter_mut().zip(closed_at) {
                *at = closed_at;
            }
            let back = System::off_by(&at, &now);
            for (effort, (brake, back)) in efforts.iter_mut().zip(self.brakes.iter().zip(&back)) {
                *effort += back * brake.stiffness;
            }
            self.plant.drive(&efforts, &[0.0; U])?;
        }
        self.plant.tick()
    }

    fn is_closed(&self) -> bool {
        self.closed_at.is_some()
    }

    fn place(&self) -> [f32; D] {
        self.plant.system().place(self.plant.state().position())
    }

    fn residual(&self) -> f32 {
        let mut residual = 0.0_f32;
        for row in &self.plant.system().constraint(0.0, self.plant.state().position()) {
            residual = if row.abs() > residual { row.abs() } else { residual };
        }
        residual
    }
}

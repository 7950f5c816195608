//! A simulated machine with brakes, which are closed while its motors are off.

use taut::control::{Actuated, Friction, Machine, Plant, PlantError, Sensed, Steps};
use taut::linalg::Ldlt;
use taut::start::Precision;

/// The brake at a motor: a stiff spring to where it was closed, with a damper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brake {
    /// Effort a unit of the way.
    pub stiffness: f32,
    /// Effort a unit of speed. With the step h of the machine and the inertia J that the brake holds, h c/J must stay below two.
    pub damping: f32,
}

/// A [`Plant`] with a brake at each motor.
#[derive(Clone, Copy, Debug)]
pub struct Braked<System, Method, const N: usize, const M: usize, const E: usize, const U: usize, P: Precision> {
    plant: Plant<System, Method, f32, N, M, E, U, Ldlt<f32, M>, P>,
    brakes: [Brake; U],
    /// Where the motors were when the brakes were closed; `None` while they are open.
    closed_at: Option<[f32; U]>,
}

impl<System, Method, const N: usize, const M: usize, const E: usize, const U: usize, P>
    Braked<System, Method, N, M, E, U, P>
where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E> + Copy,
    Method: Steps<System, f32, N, M> + Copy,
    P: Precision,
{
    /// With open brakes.
    pub fn new(plant: Plant<System, Method, f32, N, M, E, U, Ldlt<f32, M>, P>, brakes: [Brake; U]) -> Self {
        Self { plant, brakes, closed_at: None }
    }

    /// The machine without its brakes.
    pub fn plant(&self) -> &Plant<System, Method, f32, N, M, E, U, Ldlt<f32, M>, P> {
        &self.plant
    }

    /// Whether the brakes are closed.
    pub fn is_closed(&self) -> bool {
        self.closed_at.is_some()
    }

    /// Lets a tick pass.
    pub fn tick(&mut self) -> Result<(), PlantError<f32>> {
        if let Some(closed_at) = self.closed_at {
            let mut efforts = closed_at;
            for ((effort, brake), now) in efforts.iter_mut().zip(&self.brakes).zip(self.positions()) {
                *effort = (*effort - now) * brake.stiffness;
            }
            self.plant.drive(&efforts)?;
        }
        self.plant.tick()
    }

    /// Where the motors are.
    fn positions(&self) -> [f32; U] {
        let sensors = self.plant.system().sensors(self.plant.state().position());
        let mut positions = [0.0; U];
        for (position, sensor) in positions.iter_mut().zip(&sensors) {
            *position = *sensor;
        }
        positions
    }
}

impl<System, Method, const N: usize, const M: usize, const E: usize, const U: usize, P> Machine<f32, E, U>
    for Braked<System, Method, N, M, E, U, P>
where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E> + Copy,
    Method: Steps<System, f32, N, M> + Copy,
    P: Precision,
{
    type Error = PlantError<f32>;

    fn read(&mut self) -> Result<[f32; E], PlantError<f32>> {
        self.plant.read()
    }

    fn drive(&mut self, efforts: &[f32; U]) -> Result<(), PlantError<f32>> {
        self.plant.drive(efforts)
    }

    fn enable(&mut self) -> Result<(), PlantError<f32>> {
        if self.closed_at.take().is_some() {
            self.plant = self.plant.friction([Friction::none(); U]);
        }
        self.plant.drive(&[0.0; U])
    }

    fn disable(&mut self) -> Result<(), PlantError<f32>> {
        if self.closed_at.is_none() {
            self.closed_at = Some(self.positions());
            self.plant =
                self.plant.friction(self.brakes.map(|brake| Friction { viscous: brake.damping, ..Friction::none() }));
        }
        Ok(())
    }
}

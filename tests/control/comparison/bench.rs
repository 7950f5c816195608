//! A machine, its conditions, and what a run measures.

use taut::control::{
    Actuated, Actuators, ComputedTorque, Controller, Driven, Feedforward, Pid, Reference, Sensed, Target,
};
use taut::device::{Friction, Machine, Plant, Sensor};
use taut::linalg::Vector;
use taut::method::{Report, RungeKutta4, Step, StepError};
use taut::start::{Clock, Start, State};
use taut::supervise::{EncoderLimits, Watch};

/// What a run measures: rms error of the output in metres, rms change of the efforts per tick in their units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    pub error: f64,
    pub change: f64,
}

/// Runs a loop without a supervisor: plan, law, and a plant that begins where the plan does.
pub fn measure<Plan, Law, System, Method, const N: usize, const M: usize, const E: usize, const U: usize>(
    plan: &Plan,
    law: &Law,
    mut plant: Plant<System, Method, State<f32, N, M>, f32, E, U>,
    ticks: u64,
) -> Measured
where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E>,
    Plan: Feedforward<Base = f32, System = System, Reference = Reference<f32, N, M, U>>,
    Law: Controller<System, f32, N, M, E, U>,
    Method: Step<Driven<System, f32, U>, State<f32, N, M>, Report = Report<f32, M>, Error = StepError<f32>>,
{
    let (system, mut state) = (plan.system(), plan.start().unwrap());
    let first = *plan.at(&mut state, 0).unwrap();
    let (mut memory, mut last) = (law.start(&first), first.inputs);
    let (mut error, mut change) = (0.0, 0.0);
    for tick in 0..ticks {
        let now = plan.at(&mut state, tick).unwrap();
        let off = system.output(plant.state().position()) - system.output(&now.position);
        error += f64::from(off.norm_squared());
        let shafts = system.sensor_motion(&now.position, &now.velocity, &now.acceleration);
        let target = Target { shafts, inputs: now.inputs };
        let readings = Vector::from(plant.read().unwrap());
        let inputs = law.follow(&mut memory, system, tick, &target, &readings).unwrap();
        plant.drive(&inputs.data.0[0], &[0.0; U]).unwrap();
        law.applied(&mut memory, &inputs, &inputs);
        change += f64::from((inputs - last).norm_squared());
        last = inputs;
        plant.tick().unwrap();
    }
    let mean = |sum: f64| (sum / ticks as f64).sqrt();
    Measured { error: mean(error), change: mean(change) }
}

/// A machine in the comparison: its plan, the plant with exact and with heavier masses, and what the conditions take.
pub struct Bench<Plan, System, const N: usize, const M: usize, const E: usize, const U: usize> {
    pub name: &'static str,
    /// The unit of the efforts' change.
    pub unit: &'static str,
    pub plan: Plan,
    pub exact: System,
    pub heavy: System,
    pub frequency: f32,
    /// 12 bits.
    pub sensors: [Sensor<f32>; E],
    /// The largest efforts of the motors.
    pub largest: [f32; U],
    /// The holding efforts of the motors where the path begins.
    pub holding: [f32; U],
    /// The speed at which friction is fully there.
    pub threshold: f32,
    pub ticks: u64,
}

pub const CONDITIONS: [&str; 5] = ["exact", "masses +5%", "12 bits", "friction", "delay"];

impl<Plan, System, const N: usize, const M: usize, const E: usize, const U: usize> Bench<Plan, System, N, M, E, U>
where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E> + Copy,
    Plan: Feedforward<Base = f32, System = System, Reference = Reference<f32, N, M, U>>,
    RungeKutta4<f32>: Step<Driven<System, f32, U>, State<f32, N, M>, Report = Report<f32, M>, Error = StepError<f32>>,
{
    pub fn plant(&self, system: System) -> Plant<System, RungeKutta4<f32>, State<f32, N, M>, f32, E, U> {
        let state = self.plan.start().unwrap();
        let first = Plan::last(&state);
        let begin =
            Start::at(&system, Clock::at_rate(4_000.0).unwrap(), first.position).moving(first.velocity).unwrap();
        Plant::new(system, begin, RungeKutta4::new()).steps_a_tick(4)
    }

    pub fn under<Law: Controller<System, f32, N, M, E, U>>(&self, law: &Law) -> [Measured; 5] {
        let exact = self.plant(self.exact);
        let friction = self.holding.map(|holding| Friction {
            viscous: 0.0,
            coulomb: 0.1 * holding.abs(),
            threshold: self.threshold,
        });
        let first = Plan::last(&self.plan.start().unwrap()).inputs;
        [
            exact,
            self.plant(self.heavy),
            exact.sensors(self.sensors),
            exact.friction(friction),
            exact.delays(0, 1, first.data.0[0]).unwrap(),
        ]
        .map(|plant| measure(&self.plan, law, plant, self.ticks))
    }

    /// All conditions at once, but for the delay.
    pub fn all<Law: Controller<System, f32, N, M, E, U>>(&self, law: &Law) -> Measured {
        let friction = self.holding.map(|holding| Friction {
            viscous: 0.0,
            coulomb: 0.1 * holding.abs(),
            threshold: self.threshold,
        });
        measure(&self.plan, law, self.plant(self.heavy).sensors(self.sensors).friction(friction), self.ticks)
    }

    pub fn computed_torque(&self, frequency: f32) -> ComputedTorque<f32, N, M, U> {
        let encoders = self.sensors.map(|sensor| EncoderLimits {
            resolution: sensor.resolution,
            top_speed: 10.0,
            largest_error: 0.1,
        });
        let watch = Watch::new(Actuators::new(self.largest).unwrap(), encoders);
        ComputedTorque::by_rule(&self.plan, [frequency; U], &watch).unwrap()
    }

    pub fn pid(&self, frequency: f32) -> Pid<f32, U> {
        Pid::by_rule(&self.plan, [frequency; U]).unwrap()
    }
}

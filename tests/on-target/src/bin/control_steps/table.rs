//! The loops whose ticks are counted, in single precision at 1 kHz, with a plant that has encoders of 12 bits: the crane on its whole
//! path and the five-bar linkage for several turns of its circle, each with every controller and with every fault.

use mechanisms::{Crane, FiveBar};
use taut::control::{
    Actuators, Clip, ComputedTorque, Feedforward, FlatInverse, Gains, InverseDynamics, Pendulous, Pid, SwingDamping,
};
use taut::device::{Machine, Plant, PlantFor, Sensor};
use taut::method::{Rattle, RungeKutta4};
use taut::start::{Clock, Start};
use taut::supervise::{Latched, LoopState, Supervisor, Watch};
use taut::trajectory::{Circle, Nonic};

use crate::cost::{Costs, Powerless, RUNS, Registers, Stops, Trouble};

const TICK: f32 = 1e-3;

type CraneInverse = FlatInverse<Crane<f32>, Nonic<f32, 2>, 4, 1, 2>;
type FiveBarInverse = InverseDynamics<FiveBar<f32>, Circle<f32, 2>, 4, 2, 2>;

/// One run: the path, the limits of the motors and of their rates, the watch, the duration and the fault.
struct Run<Feed, const E: usize> {
    feedforward: Feed,
    motors: ([f32; 2], [f32; 2]),
    watch: Watch<f32, E, 2>,
    ticks: usize,
    trouble: Trouble,
}

impl<Feed, const E: usize> Run<Feed, E> {
    /// A run with motors that are strong enough.
    fn new(feedforward: Feed, ticks: usize, trouble: Trouble) -> Self {
        Self { feedforward, motors: ([1e5; 2], [1e6; 2]), watch: Watch::standard(), ticks, trouble }
    }

    /// With weaker motors, which may stay at their limits for `patience` ticks.
    fn limited(self, largest: [f32; 2], rates: [f32; 2], patience: u32) -> Self {
        Self { motors: (largest, rates), watch: Watch { patience, ..self.watch }, ..self }
    }

    /// With a limit on the first encoder's error.
    fn watched(mut self, largest_error: f32) -> Self {
        self.watch.largest_error[0] = largest_error;
        self
    }
}

/// Defines the tick of a loop as a function with a symbol, and counts all its runs.
macro_rules! ticks {
    ($name:literal, $inverse:ty, $law_type:ty, $e:literal, $law:expr, $plant:ident, $runs:ident) => {{
        #[derive(Clone)]
        struct Loop(Supervisor<$inverse, $law_type, $e>, LoopState<$inverse, $law_type, $e>);

        impl Stops for Loop {
            fn latched(&self) -> Option<&Latched<f32>> {
                self.1.latched()
            }

            fn clips(&self) -> &[Clip] {
                self.1.clips()
            }
        }

        #[inline(never)]
        #[unsafe(export_name = $name)]
        fn tick(tracking: &mut Loop, wires: &mut Registers<$e, 2>) -> Option<Powerless> {
            tracking.0.step(&mut tracking.1, wires)
        }
        let mut costs = Costs::of($name, tick);
        for run in (0..).map_while($runs).take(RUNS) {
            let Run { feedforward, motors: (largest, rates), watch, ticks, trouble } = run;
            let mut plant = $plant();
            let motors = Actuators::new(largest, rates, TICK).expect("limits");
            let begin = feedforward.start().expect("a start");
            let supervisor = Supervisor::new(feedforward, $law, Watch { motors, ..watch }).expect("a loop");
            let state = supervisor.start_on_path(begin, 0).expect("a start");
            let tracking = Loop(supervisor, state);
            let wires = Registers { readings: plant.read().expect("readings"), efforts: [0.0; 2], powerless: false };
            let machine = |wires: &mut Registers<$e, 2>| {
                plant.drive(&wires.efforts).expect("a finite effort");
                // When the rope goes slack, the plant keeps its state.
                plant.tick().ok();
                wires.readings = plant.read().expect("readings");
            };
            costs.run(tracking, machine, wires, ticks, trouble);
        }
        costs.print();
    }};
}

/// Counts and prints all loops.
pub fn print_all() {
    ticks!("crane_computed_torque_tick", CraneInverse, ComputedTorque<f32, 4, 1, 2>, 3,
           crane_law(), crane_plant, crane_run);
    ticks!(
        "crane_swing_damping_tick",
        CraneInverse,
        SwingDamping<ComputedTorque<f32, 4, 1, 2>, f32>,
        3,
        swing_damping(),
        crane_plant,
        crane_run
    );
    ticks!("crane_pid_tick", CraneInverse, Pid<f32, 2>, 3, pid([4_000.0, 44_000.0]), crane_plant, crane_run);
    ticks!("five_bar_computed_torque_tick", FiveBarInverse, ComputedTorque<f32, 4, 2, 2>, 2,
           five_bar_law(), five_bar_plant, five_bar_run);
    ticks!("five_bar_pid_tick", FiveBarInverse, Pid<f32, 2>, 2, pid([20.0, 20.0]), five_bar_plant, five_bar_run);
}

/// The runs of the crane: its whole path of 6 s and some rest after it, motors that are too weak or too slow for a while, and every fault.
fn crane_run(index: usize) -> Option<Run<CraneInverse, 3>> {
    let way = crane_feedforward(6.0);
    let limited = |velocity: f32, input: f32| {
        let slow = way.with_velocity_limits([velocity; 4]).expect("limits");
        slow.with_input_limits([input, 2_000.0]).expect("limits")
    };
    Some(match index {
        0 => Run::new(way, 6_500, Trouble::None),
        1 => Run::new(way, 3_000, Trouble::Limits).limited([50.0, 1_050.0], [1e6; 2], u32::MAX),
        2 => Run::new(way, 1_000, Trouble::Limits).limited([1e5; 2], [2e4; 2], u32::MAX),
        3 => Run::new(way, 3_000, Trouble::Found("Saturated")).limited([50.0, 1_050.0], [1e6; 2], 20),
        4 => Run::new(limited(0.5, 2_000.0), 3_000, Trouble::Found("TooFast")),
        5 => Run::new(limited(1e3, 50.0), 3_000, Trouble::Found("TooStrong")),
        6 => Run::new(crane_feedforward(1.4), 1_500, Trouble::Found("Slack")).limited([1e5; 2], [1e6; 2], u32::MAX),
        7 => Run::new(way, 3_000, Trouble::Found("TrackingError")).watched(1e-4),
        8 => Run::new(way, 600, Trouble::Reading(300, f32::NAN)),
        9 => Run::new(way, 600, Trouble::Reading(300, f32::MAX)),
        10 => Run::new(way, 600, Trouble::Powerless(300)),
        _ => return None,
    })
}

/// The runs of the five-bar linkage: five turns of its circle, and the same faults.
fn five_bar_run(index: usize) -> Option<Run<FiveBarInverse, 2>> {
    let way = five_bar_feedforward(0.03);
    let limited = |velocity: f32, input: f32| {
        let slow = way.with_velocity_limits([velocity; 4]).expect("limits");
        slow.with_input_limits([input; 2]).expect("limits")
    };
    Some(match index {
        0 => Run::new(way, 2_500, Trouble::None),
        1 => Run::new(way, 500, Trouble::Limits).limited([0.25; 2], [1e6; 2], u32::MAX),
        2 => Run::new(way, 500, Trouble::Limits).limited([1e5; 2], [100.0; 2], u32::MAX),
        3 => Run::new(way, 500, Trouble::Found("Saturated")).limited([0.2; 2], [1e6; 2], 20),
        4 => Run::new(limited(3.0, 1e3), 1_000, Trouble::Found("TooFast")),
        5 => Run::new(limited(1e3, 0.25), 1_000, Trouble::Found("TooStrong")),
        6 => Run::new(five_bar_feedforward(0.1), 600, Trouble::Found("Unreachable")),
        7 => Run::new(way, 1_000, Trouble::Found("TrackingError")).watched(1e-4),
        8 => Run::new(way, 600, Trouble::Reading(300, f32::NAN)),
        9 => Run::new(way, 600, Trouble::Reading(300, f32::MAX)),
        10 => Run::new(way, 600, Trouble::Powerless(300)),
        _ => return None,
    })
}

fn crane_feedforward(duration: f32) -> CraneInverse {
    let path = Nonic::point_to_point([0.0, -4.0], [5.0, -1.0], duration).expect("a path");
    FlatInverse::new(Crane::standard(), path, TICK).expect("a feedforward")
}

fn crane_law() -> ComputedTorque<f32, 4, 1, 2> {
    ComputedTorque::new([20.0; 2], TICK, 200.0).expect("gains")
}

fn swing_damping() -> SwingDamping<ComputedTorque<f32, 4, 1, 2>, f32> {
    let rope = Pendulous { motor: 0, encoder: 2, length: 2.0, gravity: 9.81 };
    SwingDamping::around(crane_law(), rope, 1.5, TICK, 100.0).expect("gains")
}

/// Critically damped at ω = 20/s or 100/s.
fn pid(proportional: [f32; 2]) -> Pid<f32, 2> {
    let omega = if proportional[0] > 100.0 { 20.0 } else { 100.0 };
    let gains = |proportional: f32| Gains { proportional, integral: 0.0, derivative: 2.0 * proportional / omega };
    Pid::new(proportional.map(gains), TICK, 10.0 * omega).expect("gains")
}

fn crane_plant() -> PlantFor<CraneInverse, Rattle, 3> {
    let crane = Crane { load: 105.0, ..Crane::standard() };
    let state = Start::at(&crane, Clock::at_rate(1_000.0).expect("a rate"), [0.0, -4.0, 0.0, 4.0])
        .at_rest()
        .expect("a consistent start");
    let drum = Sensor::bits_per_turn_of_drum(12, 0.1);
    Plant::new(crane, state, Rattle::new()).sensors([drum, drum, Sensor::bits_per_turn(12)])
}

fn five_bar_feedforward(radius: f32) -> FiveBarInverse {
    let linkage = FiveBar::standard();
    let path = Circle::around([0.0, 0.17], radius, 2, 1_000, TICK).expect("a path");
    let guess = linkage.elbows_out([radius, 0.17].into());
    InverseDynamics::new(linkage, path, TICK, guess).expect("a feedforward")
}

fn five_bar_law() -> ComputedTorque<f32, 4, 2, 2> {
    ComputedTorque::new([100.0; 2], TICK, 500.0).expect("gains")
}

fn five_bar_plant() -> PlantFor<FiveBarInverse, RungeKutta4<f32>, 2> {
    let linkage = FiveBar { tip_mass: 0.105, ..FiveBar::standard() };
    let plan = five_bar_feedforward(0.03);
    let mut begin = plan.start().expect("a start");
    let first = plan.at(&mut begin, 0).expect("a reference");
    let state = Start::at(&linkage, Clock::at_rate(1_000.0).expect("a rate"), first.position)
        .moving(first.velocity)
        .expect("a consistent start");
    Plant::new(linkage, state, RungeKutta4::new()).sensors([Sensor::bits_per_turn(12); 2])
}

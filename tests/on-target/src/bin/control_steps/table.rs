//! The loops whose ticks are counted, in single precision at 1 kHz, with a plant that has encoders of 12 bits: the crane on its whole
//! path and the five-bar linkage for several turns of its circle, each with every controller and with every fault; the arm and the delta robot on
//! their paths.

use taut::control::{Actuated, Actuators, Clip, ComputedTorque, Feedforward, Pid, Reference, SwingDamping};
use taut::device::Machine;
use taut::supervise::{EncoderLimits, Latched, LoopState, Supervisor, Watch};

use crate::cost::{Costs, Powerless, RUNS, Registers, Stops, Trouble};
use crate::machines::*;

/// A count of 12 bits, and limits that only a broken encoder exceeds.
const WIDE: EncoderLimits<f32> = EncoderLimits { resolution: 2e-3, top_speed: 1e9, largest_error: 1e9 };

/// One run: the path, the limits of the motors and of their rates, the watch, the duration and the fault.
struct Run<Feed, const E: usize, const U: usize = 2> {
    feedforward: Feed,
    motors: ([f32; U], [f32; U]),
    watch: Watch<f32, E, U>,
    ticks: usize,
    trouble: Trouble,
}

impl<Feed, const E: usize, const U: usize> Run<Feed, E, U> {
    /// A run with motors that are strong enough.
    fn new(feedforward: Feed, ticks: usize, trouble: Trouble) -> Self {
        let motors = Actuators::new([1e5; U]).expect("limits");
        Self { feedforward, motors: ([1e5; U], [1e6; U]), watch: Watch::new(motors, [WIDE; E]), ticks, trouble }
    }

    /// With weaker motors, which may stay at their limits for `patience` ticks.
    fn limited(self, largest: [f32; U], rates: [f32; U], patience: u32) -> Self {
        Self { motors: (largest, rates), watch: Watch { patience, ..self.watch }, ..self }
    }

    /// With a limit on the first encoder's error.
    fn watched(mut self, largest_error: f32) -> Self {
        self.watch.encoders[0].largest_error = largest_error;
        self
    }
}

/// Defines the tick of a loop as a function with a symbol, and counts all its runs.
macro_rules! ticks {
    ($name:literal, $inverse:ty, $law_type:ty, $e:literal, $u:literal, $law:expr, $plant:ident, $runs:ident) => {{
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
        fn tick(tracking: &mut Loop, wires: &mut Registers<$e, $u>) -> Option<Powerless> {
            tracking.0.step(&mut tracking.1, wires)
        }
        let mut costs = Costs::of($name, tick);
        for run in (0..).map_while($runs).take(RUNS) {
            let Run { feedforward, motors: (largest, rates), watch, ticks, trouble } = run;
            let mut plant = $plant();
            let motors = Actuators::new(largest).and_then(|motors| motors.with_rate_limits(rates)).expect("limits");
            let begin = feedforward.start().expect("a start");
            let supervisor = Supervisor::new(feedforward, $law, Watch { motors, ..watch }).expect("a loop");
            let state = supervisor.start_on_path(begin, 0).expect("a start");
            let tracking = Loop(supervisor, state);
            let wires = Registers { readings: plant.read().expect("readings"), efforts: [0.0; $u], powerless: false };
            let machine = |wires: &mut Registers<$e, $u>| {
                plant.drive(&wires.efforts, &[0.0; $u]).expect("a finite effort");
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
    ticks!("arm_computed_torque_tick", ArmInverse, ComputedTorque<f32, 2, 1, 1>, 1, 1, arm_law(), arm_plant, arm_run);
    ticks!("arm_pid_tick", ArmInverse, Pid<f32, 1>, 1, 1, by_rule(&arm_feedforward(), 40.0), arm_plant, arm_run);
    ticks!("crane_computed_torque_tick", CraneInverse, ComputedTorque<f32, 4, 1, 2>, 3, 2,
           crane_law(), crane_plant, crane_run);
    ticks!(
        "crane_swing_damping_tick",
        CraneInverse,
        SwingDamping<ComputedTorque<f32, 4, 1, 2>, f32>,
        3,
        2,
        swing_damping(),
        crane_plant,
        crane_run
    );
    ticks!("crane_pid_tick", CraneInverse, Pid<f32, 2>, 3, 2,
           by_rule(&crane_feedforward(6.0), 20.0), crane_plant, crane_run);
    ticks!("five_bar_computed_torque_tick", FiveBarInverse, ComputedTorque<f32, 4, 2, 2>, 2, 2,
           five_bar_law(), five_bar_plant, five_bar_run);
    ticks!("five_bar_pid_tick", FiveBarInverse, Pid<f32, 2>, 2, 2,
           by_rule(&five_bar_feedforward(0.03), 100.0), five_bar_plant, five_bar_run);
    ticks!("delta_computed_torque_tick", DeltaInverse, ComputedTorque<f32, 6, 3, 3>, 3, 3,
           delta_law(), delta_plant, delta_run);
    ticks!("delta_pid_tick", DeltaInverse, Pid<f32, 3>, 3, 3,
           by_rule(&delta_feedforward(), 60.0), delta_plant, delta_run);
    ticks!("parts_delta_computed_torque_tick", DeltaPartsInverse, ComputedTorque<f32, 6, 3, 3>, 3, 3,
           delta_law(), delta_plant, delta_parts_run);
    // The plant is the same: the encoders measure the same angles.
    ticks!("delta_points_computed_torque_tick", DeltaPointsInverse, ComputedTorque<f32, 12, 9, 3>, 3, 3,
           delta_points_law(), delta_plant, delta_points_run);
}

/// The PID controller of a plan by the rule.
fn by_rule<Plan, System, const N: usize, const M: usize, const U: usize>(plan: &Plan, frequency: f32) -> Pid<f32, U>
where
    System: Actuated<N, M, U, Base = f32>,
    Plan: Feedforward<Base = f32, System = System, Reference = Reference<f32, N, M, U>>,
{
    Pid::by_rule(plan, [frequency; U]).expect("gains")
}

/// The runs of the arm: three swings, and a weak motor.
fn arm_run(index: usize) -> Option<Run<ArmInverse, 1, 1>> {
    Some(match index {
        0 => Run::new(arm_feedforward(), 3_000, Trouble::None),
        1 => Run::new(arm_feedforward(), 1_000, Trouble::Limits).limited([4.5], [1e6], u32::MAX),
        _ => return None,
    })
}

/// The runs of the delta robot: two turns of its circle, and weak motors.
fn delta_run(index: usize) -> Option<Run<DeltaInverse, 3, 3>> {
    Some(match index {
        0 => Run::new(delta_feedforward(), 2_000, Trouble::None),
        1 => Run::new(delta_feedforward(), 500, Trouble::Limits).limited([0.05; 3], [1e6; 3], u32::MAX),
        _ => return None,
    })
}

/// The same for the delta robot from parts.
fn delta_parts_run(index: usize) -> Option<Run<DeltaPartsInverse, 3, 3>> {
    Some(match index {
        0 => Run::new(delta_parts_feedforward(), 2_000, Trouble::None),
        1 => Run::new(delta_parts_feedforward(), 500, Trouble::Limits).limited([0.05; 3], [1e6; 3], u32::MAX),
        _ => return None,
    })
}

/// The same for the delta robot as points. With weak motors it falls; after 0.4 s its arms are stretched, which is refused.
fn delta_points_run(index: usize) -> Option<Run<DeltaPointsInverse, 3, 3>> {
    Some(match index {
        0 => Run::new(delta_points_feedforward(), 2_000, Trouble::None),
        1 => Run::new(delta_points_feedforward(), 200, Trouble::Limits).limited([0.05; 3], [1e6; 3], u32::MAX),
        _ => return None,
    })
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
        2 => Run::new(way, 1_000, Trouble::Limits).limited([1e5; 2], [1e3; 2], u32::MAX),
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
        2 => Run::new(way, 500, Trouble::Limits).limited([1e5; 2], [50.0; 2], u32::MAX),
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

//! The loops whose ticks are counted, in single precision at 1 kHz, around a plant with encoders of 12 bits: the crane on its way and
//! the five-bar linkage on its circle, each with every controller.

use core::convert::Infallible;

use systems::{Crane, FiveBar};
use taut::control::{
    Actuators, ComputedTorque, Feedforward, FlatInverse, Gains, InverseDynamics, LoopError, Machine, Pendulous, Pid,
    Plant, Sensor, SwingDamping, TickReport, Tracking, Watch,
};
use taut::method::{Rattle, RungeKutta4};
use taut::start::Start;
use taut::trajectory::{Circle, Nonic};

use crate::cost::{Registers, print};

const TICK: f32 = 1e-3;

type CraneInverse = FlatInverse<Crane<f32>, Nonic<f32, 2>, f32, 4, 1, 2>;
type FiveBarInverse = InverseDynamics<FiveBar<f32>, Circle<f32, 2>, f32, 4, 2, 2>;
type Outcome<const E: usize, const U: usize> = Result<TickReport<f32, E, U>, LoopError<f32, Infallible>>;

/// A loop as a function with a symbol, and what it costs.
macro_rules! tick {
    ($name:expr, $system_type:ty, $inverse:ty, $law_type:ty, $n:literal, $m:literal, $e:literal,
     $system:expr, $feedforward:expr, $law:expr, $plant:expr) => {{
        type Loop = Tracking<$system_type, $inverse, $law_type, f32, $n, $m, $e, 2>;

        #[inline(never)]
        #[unsafe(export_name = $name)]
        fn tick(tracking: &mut Loop, wires: &mut Registers<$e, 2>) -> Outcome<$e, 2> {
            tracking.tick(wires)
        }
        let mut plant = $plant;
        let motors = Actuators::new([2_000.0; 2], [1e6; 2], TICK).expect("limits");
        let tracking = Loop::new($system, $feedforward, $law, motors, Watch::standard(), 0).expect("a loop");
        let wires = Registers { readings: plant.read().expect("readings"), efforts: [0.0; 2] };
        let machine = |wires: &mut Registers<$e, 2>| {
            plant.drive(&wires.efforts).expect("a finite effort");
            plant.tick().expect("a step");
            wires.readings = plant.read().expect("readings");
        };
        print($name, tick, tracking, wires, machine, |report| matches!(report, Ok(TickReport { fault: None, .. })));
    }};
}

/// Counts and prints them all.
pub fn print_all() {
    tick!("crane_computed_torque_tick", Crane<f32>, CraneInverse, ComputedTorque<f32, 4, 1, 2>, 4, 1, 3,
          Crane::standard(), crane_feedforward(), crane_law(), crane_plant());
    tick!(
        "crane_swing_damping_tick",
        Crane<f32>,
        CraneInverse,
        SwingDamping<ComputedTorque<f32, 4, 1, 2>, f32>,
        4,
        1,
        3,
        Crane::standard(),
        crane_feedforward(),
        swing_damping(),
        crane_plant()
    );
    tick!("crane_pid_tick", Crane<f32>, CraneInverse, Pid<f32, 2>, 4, 1, 3,
          Crane::standard(), crane_feedforward(), pid([4_000.0, 44_000.0]), crane_plant());
    tick!("five_bar_computed_torque_tick", FiveBar<f32>, FiveBarInverse, ComputedTorque<f32, 4, 2, 2>, 4, 2, 2,
          FiveBar::standard(), five_bar_feedforward(), five_bar_law(), five_bar_plant());
    tick!("five_bar_pid_tick", FiveBar<f32>, FiveBarInverse, Pid<f32, 2>, 4, 2, 2,
          FiveBar::standard(), five_bar_feedforward(), pid([20.0, 20.0]), five_bar_plant());
}

fn crane_feedforward() -> CraneInverse {
    let path = Nonic::point_to_point([0.0, -4.0], [5.0, -1.0], 6.0).expect("a path");
    FlatInverse::new(Crane::standard(), path, TICK).expect("a feedforward")
}

fn crane_law() -> ComputedTorque<f32, 4, 1, 2> {
    ComputedTorque::new([20.0; 2], TICK, 200.0).expect("gains")
}

fn swing_damping() -> SwingDamping<ComputedTorque<f32, 4, 1, 2>, f32> {
    let rope = Pendulous { motor: 0, encoder: 2, length: 2.0, gravity: 9.81 };
    SwingDamping::around(crane_law(), rope, 1.5, TICK, 100.0).expect("gains")
}

/// Damped critically at ω = 20/s or 100/s.
fn pid(proportional: [f32; 2]) -> Pid<f32, 2> {
    let omega = if proportional[0] > 100.0 { 20.0 } else { 100.0 };
    let gains = |proportional: f32| Gains { proportional, integral: 0.0, derivative: 2.0 * proportional / omega };
    Pid::new(proportional.map(gains), TICK, 10.0 * omega).expect("gains")
}

fn crane_plant() -> Plant<Crane<f32>, Rattle<f32>, f32, 4, 1, 3, 2> {
    let crane = Crane { load: 105.0, ..Crane::standard() };
    let state = Start::at(&crane, [0.0, -4.0, 0.0, 4.0]).at_rest().expect("a consistent start");
    let drum = Sensor::bits_per_turn_of_drum(12, 0.1);
    Plant::new(crane, state, Rattle::at_rate(1_000.0).expect("a rate")).sensors([drum, drum, Sensor::bits_per_turn(12)])
}

fn five_bar_feedforward() -> FiveBarInverse {
    let linkage = FiveBar::standard();
    let path = Circle::around([0.0, 0.17], 0.03, 2, 1_000, TICK).expect("a path");
    let guess = linkage.elbows_out([0.03, 0.17].into());
    InverseDynamics::new(linkage, path, TICK, guess).expect("a feedforward")
}

fn five_bar_law() -> ComputedTorque<f32, 4, 2, 2> {
    ComputedTorque::new([100.0; 2], TICK, 500.0).expect("gains")
}

fn five_bar_plant() -> Plant<FiveBar<f32>, RungeKutta4<f32>, f32, 4, 2, 2, 2> {
    let linkage = FiveBar { tip_mass: 0.105, ..FiveBar::standard() };
    let first = five_bar_feedforward().at(0).expect("a reference");
    let state = Start::at(&linkage, first.position).moving(first.velocity).expect("a consistent start");
    Plant::new(linkage, state, RungeKutta4::at_rate(1_000.0).expect("a rate")).sensors([Sensor::bits_per_turn(12); 2])
}

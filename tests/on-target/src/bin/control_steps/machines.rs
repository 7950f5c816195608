//! The plans, laws and plants of the counted loops.

use mechanisms::{Arm, Crane, Delta, DeltaPoints, FiveBar, parts};
use taut::control::{ComputedTorque, Feedforward, FlatInverse, InverseDynamics, Pendulous, SwingDamping};
use taut::device::{Plant, PlantFor, Sensor};
use taut::method::{Rattle, RungeKutta4};
use taut::parts::Mechanism;
use taut::start::{Clock, Start};
use taut::trajectory::{Circle, Lissajous, Nonic};

/// The length of a tick in seconds.
pub const TICK: f32 = 1e-3;

pub type ArmInverse = InverseDynamics<Arm<f32>, Lissajous<f32, 1>, 2, 1, 1>;
pub type DeltaInverse = InverseDynamics<Delta<f32>, Circle<f32, 3>, 6, 3, 3>;
pub type DeltaPointsInverse = InverseDynamics<DeltaPoints<f32>, Circle<f32, 3>, 12, 9, 3>;
pub type DeltaPartsInverse = InverseDynamics<Mechanism<parts::Delta<f32>, 6, 3>, Circle<f32, 3>, 6, 3, 3>;
pub type CraneInverse = FlatInverse<Crane<f32>, Nonic<f32, 2>, 4, 1, 2>;
pub type FiveBarInverse = InverseDynamics<FiveBar<f32>, Circle<f32, 2>, 4, 2, 2>;

pub fn crane_feedforward(duration: f32) -> CraneInverse {
    let path = Nonic::point_to_point([0.0, -4.0], [5.0, -1.0], duration).expect("a path");
    // Weak motors are to be found at their limits, not before.
    FlatInverse::new(Crane::standard(), path, TICK)
        .expect("a feedforward")
        .with_input_limits([1e38; 2])
        .expect("limits")
}

pub fn crane_law() -> ComputedTorque<f32, 4, 1, 2> {
    ComputedTorque::new([20.0; 2], TICK, 46.0).expect("gains")
}

pub fn swing_damping() -> SwingDamping<ComputedTorque<f32, 4, 1, 2>, f32> {
    let rope = Pendulous { motor: 0, encoder: 2, length: 2.0, gravity: 9.81 };
    SwingDamping::around(crane_law(), rope, 1.5, TICK, 100.0).expect("gains")
}

pub fn crane_plant() -> PlantFor<CraneInverse, Rattle, 3> {
    let crane = Crane { load: 105.0, ..Crane::standard() };
    let state = Start::at(&crane, Clock::at_rate(1_000.0).expect("a rate"), [0.0, -4.0, 0.0, 4.0])
        .at_rest()
        .expect("a consistent start");
    let drum = Sensor::bits_per_turn_of_drum(12, 0.1);
    Plant::new(crane, state, Rattle::new()).sensors([drum, drum, Sensor::bits_per_turn(12)])
}

pub fn five_bar_feedforward(radius: f32) -> FiveBarInverse {
    let linkage = FiveBar::standard();
    let path = Circle::around([0.0, 0.17], radius, 2, 1_000, TICK).expect("a path");
    let guess = linkage.elbows_out([radius, 0.17].into());
    InverseDynamics::new(linkage, path, TICK, guess)
        .expect("a feedforward")
        .with_input_limits([1e38; 2])
        .expect("limits")
}

pub fn five_bar_law() -> ComputedTorque<f32, 4, 2, 2> {
    ComputedTorque::new([100.0; 2], TICK, 230.0).expect("gains")
}

pub fn five_bar_plant() -> PlantFor<FiveBarInverse, RungeKutta4<f32>, 2> {
    let linkage = FiveBar { tip_mass: 0.105, ..FiveBar::standard() };
    let plan = five_bar_feedforward(0.03);
    let mut begin = plan.start().expect("a start");
    let first = plan.at(&mut begin, 0).expect("a reference");
    let state = Start::at(&linkage, Clock::at_rate(1_000.0).expect("a rate"), first.position)
        .moving(first.velocity)
        .expect("a consistent start");
    Plant::new(linkage, state, RungeKutta4::new()).sensors([Sensor::bits_per_turn(12); 2])
}

pub fn arm_feedforward() -> ArmInverse {
    let path = Lissajous::around([0.0], [0.25], [1], [-core::f32::consts::FRAC_PI_2], 1_000, TICK).expect("a path");
    InverseDynamics::new(Arm::standard(), path, TICK, [0.433, -0.25])
        .expect("a feedforward")
        .with_input_limits([1e38])
        .expect("limits")
}

pub fn arm_law() -> ComputedTorque<f32, 2, 1, 1> {
    ComputedTorque::new([40.0], TICK, 92.0).expect("gains")
}

pub fn arm_plant() -> PlantFor<ArmInverse, Rattle, 1> {
    let arm = Arm { mass: 1.05, ..Arm::standard() };
    let state = Start::at(&arm, Clock::at_rate(1_000.0).expect("a rate"), [0.433, -0.25])
        .at_rest()
        .expect("a consistent start");
    Plant::new(arm, state, Rattle::new()).sensors([Sensor::bits_per_turn(12)])
}

pub fn delta_feedforward() -> DeltaInverse {
    let robot = Delta::standard();
    let path = Circle::ellipse([0.0, 0.0, -0.22], [0.03, 0.0, 0.0], [0.0, 0.03, 0.0], 1, 1_000, TICK).expect("a path");
    InverseDynamics::new(robot, path, TICK, robot.elbows_out([0.03, 0.0, -0.22].into()))
        .expect("a feedforward")
        .with_input_limits([1e38; 3])
        .expect("limits")
}

pub fn delta_law() -> ComputedTorque<f32, 6, 3, 3> {
    ComputedTorque::new([60.0; 3], TICK, 138.0).expect("gains")
}

pub fn delta_plant() -> PlantFor<DeltaInverse, RungeKutta4<f32>, 3> {
    let robot = Delta { tip_mass: 0.105, ..Delta::standard() };
    let plan = delta_feedforward();
    let mut begin = plan.start().expect("a start");
    let first = plan.at(&mut begin, 0).expect("a reference");
    let state = Start::at(&robot, Clock::at_rate(1_000.0).expect("a rate"), first.position)
        .moving(first.velocity)
        .expect("a consistent start");
    Plant::new(robot, state, RungeKutta4::new()).sensors([Sensor::bits_per_turn(12); 3])
}

pub fn delta_points_feedforward() -> DeltaPointsInverse {
    let robot = DeltaPoints::new(Delta::standard()).expect("masses");
    let path = Circle::ellipse([0.0, 0.0, -0.22], [0.03, 0.0, 0.0], [0.0, 0.03, 0.0], 1, 1_000, TICK).expect("a path");
    InverseDynamics::new(robot, path, TICK, robot.elbows_out([0.03, 0.0, -0.22].into()))
        .expect("a feedforward")
        .with_input_limits([1e38; 3])
        .expect("limits")
}

/// The same robot from a list of parts.
pub fn delta_parts_feedforward() -> DeltaPartsInverse {
    let robot = parts::Delta::new().build().expect("a mechanism");
    let path = Circle::ellipse([0.0, 0.0, -0.22], [0.03, 0.0, 0.0], [0.0, 0.03, 0.0], 1, 1_000, TICK).expect("a path");
    let guess = Delta::standard().elbows_out([0.03, 0.0, -0.22].into());
    InverseDynamics::new(robot, path, TICK, guess).expect("a feedforward").with_input_limits([1e38; 3]).expect("limits")
}

pub fn delta_points_law() -> ComputedTorque<f32, 12, 9, 3> {
    ComputedTorque::new([60.0; 3], TICK, 138.0).expect("gains")
}

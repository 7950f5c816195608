//! The four machines, at 1 kHz.

use mechanisms::{Arm, Crane, Delta, FiveBar};
use taut::control::{Actuated, Feedforward, FlatInverse, InverseDynamics};
use taut::device::Sensor;
use taut::linalg::Vector;
use taut::trajectory::{Circle, Lissajous, MinimumJerk, Nonic};

use super::bench::Bench;

const TICK: f32 = 1e-3;

fn angle_sensors<const E: usize>() -> [Sensor<f32>; E] {
    [Sensor::bits_per_turn(12); E]
}

pub type ArmBench = Bench<InverseDynamics<Arm<f32>, Lissajous<f32, 1>, 2, 1, 1>, Arm<f32>, 2, 1, 1, 1>;
pub type FiveBarBench = Bench<InverseDynamics<FiveBar<f32>, Circle<f32, 2>, 4, 2, 2>, FiveBar<f32>, 4, 2, 2, 2>;
pub type CraneBench = Bench<FlatInverse<Crane<f32>, Nonic<f32, 2>, 4, 1, 2>, Crane<f32>, 4, 1, 3, 2>;
pub type DeltaBench = Bench<InverseDynamics<Delta<f32>, Circle<f32, 3>, 6, 3, 3>, Delta<f32>, 6, 3, 3, 3>;

/// The inputs that hold a machine where a path begins: those of a path that departs from there at rest.
fn holding<System, const N: usize, const M: usize, const U: usize>(
    system: System,
    from: [f32; U],
    pose: impl Into<Vector<f32, N>>,
) -> [f32; U]
where
    System: Actuated<N, M, U, Base = f32>,
{
    let path = MinimumJerk::point_to_point(from, from.map(|x| x * 1.01), 1.0).unwrap();
    let plan = InverseDynamics::new(system, path, TICK, pose.into()).unwrap();
    let state = plan.start().unwrap();
    <InverseDynamics<System, MinimumJerk<f32, U>, N, M, U> as Feedforward>::last(&state).inputs.data.0[0]
}

/// The bob's height swings by 0.25 m about the joint's, once a second.
pub fn arm() -> ArmBench {
    let exact = Arm::standard();
    let path = Lissajous::around([0.0], [0.25], [1], [-core::f32::consts::FRAC_PI_2], 1_000, TICK).unwrap();
    let pose = [0.433, -0.25];
    Bench {
        name: "arm",
        unit: "(mN m)",
        plan: InverseDynamics::new(exact, path, TICK, pose).unwrap(),
        exact,
        heavy: Arm { mass: 1.05, ..exact },
        frequency: 40.0,
        sensors: angle_sensors(),
        largest: [12.0],
        holding: holding(exact, [-0.25], pose),
        threshold: 0.05,
        ticks: 3_000,
    }
}

/// The circle at two revolutions per second.
pub fn five_bar() -> FiveBarBench {
    let exact = FiveBar::standard();
    let path = Circle::around([0.0, 0.17], 0.03, 2, 1_000, TICK).unwrap();
    let pose = exact.elbows_out([0.03, 0.17].into());
    Bench {
        name: "five-bar",
        unit: "(mN m)",
        plan: InverseDynamics::new(exact, path, TICK, pose).unwrap(),
        exact,
        heavy: FiveBar { proximal_mass: 0.0525, distal_mass: 0.0525, tip_mass: 0.105, ..exact },
        frequency: 100.0,
        sensors: angle_sensors(),
        largest: [1.0; 2],
        holding: holding(exact, [0.03, 0.17], pose),
        threshold: 0.05,
        ticks: 3_000,
    }
}

/// 5 m × 3 m in 6 s. Nothing holds the trolley at rest: its friction is a tenth of the largest force on the way.
pub fn crane() -> CraneBench {
    let exact = Crane::standard();
    let drum = Sensor::bits_per_turn_of_drum(12, 0.1);
    Bench {
        name: "crane",
        unit: "mN",
        plan: FlatInverse::new(exact, Nonic::point_to_point([0.0, -4.0], [5.0, -1.0], 6.0).unwrap(), TICK).unwrap(),
        exact,
        heavy: Crane { load: 105.0, trolley: 10.5, winch: 10.5, ..exact },
        frequency: 20.0,
        sensors: [drum, drum, Sensor::bits_per_turn(12)],
        largest: [400.0, 2_000.0],
        holding: [141.0, 981.0],
        threshold: 0.01,
        ticks: 7_000,
    }
}

/// The circle of SYSTEMS.md, once a second.
pub fn delta() -> DeltaBench {
    let exact = Delta::standard();
    let path = Circle::ellipse([0.0, 0.0, -0.22], [0.03, 0.0, 0.0], [0.0, 0.03, 0.0], 1, 1_000, TICK).unwrap();
    let pose = exact.elbows_out([0.03, 0.0, -0.22].into());
    Bench {
        name: "delta",
        unit: "(mN m)",
        plan: InverseDynamics::new(exact, path, TICK, pose).unwrap(),
        exact,
        heavy: Delta { arm_mass: 0.0525, rod_mass: 0.042, tip_mass: 0.105, ..exact },
        frequency: 60.0,
        sensors: angle_sensors(),
        largest: [3.0; 3],
        holding: holding(exact, [0.03, 0.0, -0.22], pose),
        threshold: 0.05,
        ticks: 3_000,
    }
}

//! Encoders of simulated machines count turns.

use mechanisms::parts::FiveBarPoints;
use taut::control::Sensed;
use taut::device::{Machine, Plant};
use taut::linalg::Vector;
use taut::method::Rattle;
use taut::start::{Clock, Start};

taut::mechanism! {
    /// Two arms as points that turn without end.
    struct Wheels in plane, arms as points {
        o: Fixed { at: [0.0, 0.0] },
        upper: Arm(o) { length: 0.3, mass: 1.0 } near 3.0,
        lower: Arm(o) { length: 0.2, mass: 1.0 } near 3.0,
        elbow: Elbow(upper, lower) { offset: 0.0 },
    }
    gravity 0.0;
    motors upper, elbow;
    encoders upper, elbow;
    output upper, elbow;
}

#[test]
fn an_arm_as_a_point_counts_its_turns() {
    let wheels = Wheels::<f64>::new().build().unwrap();
    let [x, y, z, w] = wheels.assembled().data.0[0];
    // The upper arm with 30 rad/s, the lower one with −10 rad/s.
    let v = Vector::from([-30.0 * y, 30.0 * x, 10.0 * w, -10.0 * z]);
    let state = Start::at(&wheels, Clock::with_step(1e-3).unwrap(), wheels.assembled()).moving(v).unwrap();
    let mut plant = Plant::new(wheels, state, Rattle::new());
    let (mut last, begin) = (plant.read().unwrap(), plant.read().unwrap());
    for _ in 0..1_000 {
        plant.tick().unwrap();
        let next = plant.read().unwrap();
        for (next, last) in next.iter().zip(last) {
            // 40 rad/s in a tick of 1 ms.
            assert!((next - last).abs() < 0.05, "{last} to {next}");
        }
        last = next;
    }
    // RATTLE's error of second order: the arms are ω T (h ω)²/6 = 4.5e-3 and 2e-4 rad ahead.
    assert!(
        (last[0] - begin[0] - 30.0).abs() < 5e-3 && (last[1] - begin[1] + 40.0).abs() < 5e-3,
        "{begin:?} to {last:?}"
    );
}

#[test]
fn only_arms_as_points_wrap() {
    use mechanisms::parts::{FiveBar, Scara};
    use taut::parts::Mechanism;
    assert_eq!(<Mechanism<FiveBarPoints<f64>, 6, 4> as Sensed<6, 4, 2>>::WRAPS, [true; 2]);
    assert_eq!(<Mechanism<FiveBar<f64>, 4, 2> as Sensed<4, 2, 2>>::WRAPS, [false; 2]);
    assert_eq!(<Mechanism<Scara<f64>, 4, 2> as Sensed<4, 2, 2>>::WRAPS, [false; 2]);
}

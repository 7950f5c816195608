//! Lists of parts have the equations of the hand-written models of the same mechanisms.

use mechanisms::parts;
use taut::control::{Actuated, Kinematics, Sensed};
use taut::linalg::Vector;
use taut::method::{Rattle, RungeKutta4, Step};
use taut::parts::Mechanism;
use taut::start::{Clock, Start};
use taut::system::{Mechanical, verify};

use crate::equations::scattered;

/// M, f, g, G, the acceleration terms, B and s agree to round-off: sums of fewer than twenty terms of size one.
fn agree<const N: usize, const M: usize, const U: usize>(
    list: &impl Actuated<N, M, U, Base = f64>,
    by_hand: &impl Actuated<N, M, U, Base = f64>,
    near: Vector<f64, N>,
) {
    for seed in 0..10 {
        let (q, v) = (near + scattered::<N>(seed) * 0.1, scattered::<N>(seed + 50) * 3.0);
        assert!((list.mass_matrix(&q) - by_hand.mass_matrix(&q)).amax() < 1e-15);
        assert!((list.force(0.0, &q, &v) - by_hand.force(0.0, &q, &v)).amax() < 1e-14);
        assert!((list.constraint(0.0, &q) - by_hand.constraint(0.0, &q)).amax() < 1e-15);
        assert!((list.jacobian(0.0, &q) - by_hand.jacobian(0.0, &q)).amax() < 1e-15);
        assert!((list.acceleration_terms(0.0, &q, &v) - by_hand.acceleration_terms(0.0, &q, &v)).amax() < 1e-13);
        assert_eq!(list.actuation(&q), by_hand.actuation(&q));
        assert_eq!(list.output(&q), by_hand.output(&q));
    }
}

/// The constants follow from the list.
fn same_constants<
    A: Actuated<N, M, U, Base = f64>,
    B: Actuated<N, M, U, Base = f64>,
    const N: usize,
    const M: usize,
    const U: usize,
>(
    _list: &A,
    _by_hand: &B,
) {
    assert_eq!(A::PATTERN, B::PATTERN);
    assert_eq!(A::OUTPUT_PATTERN, B::OUTPUT_PATTERN);
    assert_eq!(A::ACTUATION_PATTERN, B::ACTUATION_PATTERN);
    assert_eq!(A::ANGLES, B::ANGLES);
    assert_eq!(A::VELOCITY_DEPENDENT, B::VELOCITY_DEPENDENT);
    assert_eq!(A::TIME_DEPENDENT, B::TIME_DEPENDENT);
}

#[test]
fn five_bar() {
    let (list, by_hand) = (parts::FiveBar::<f64>::new().build().unwrap(), mechanisms::FiveBar::standard());
    agree(&list, &by_hand, list.assembled());
    same_constants(&list, &by_hand);
    let q = list.assembled();
    assert_eq!(Sensed::<4, 2, 2>::sensors(&list, &q), q.fixed_rows::<2>(0));
}

#[test]
fn delta() {
    let (list, by_hand) = (parts::Delta::<f64>::new().build().unwrap(), mechanisms::Delta::standard());
    agree(&list, &by_hand, list.assembled());
    same_constants(&list, &by_hand);
}

/// The list has the diagonals of the corner pieces, the hand-written model their right angles: other constraints, the same motion.
#[test]
fn ring() {
    let (list, by_hand) = (parts::Ring::<f64>::new().build().unwrap(), mechanisms::Ring::<f64>::fixed());
    let clock = Clock::with_step(1e-3).unwrap();
    let mut moving = list.start(clock).at_rest().unwrap();
    let mut expected = Start::at(&by_hand, clock, mechanisms::Ring::position()).redundant().at_rest().unwrap();
    for _ in 0..1_000 {
        RungeKutta4::new().step(&list, &mut moving).unwrap();
        RungeKutta4::new().step(&by_hand, &mut expected).unwrap();
    }
    // The corners that are not held: the third to the fifth. Runge–Kutta's error: T ω (h ω)⁴/120 = 1e-14 at 1 rad/s, and a thousand steps
    // of round-off.
    let off = moving.position() - expected.position().fixed_rows::<9>(6);
    assert!(off.amax() < 1e-11 && moving.correction().rank() == 8, "{off}");
}

/// The hand-written model has the rows of crank, coupler and rocker, the list those of crank, rocker and coupler.
#[test]
fn four_bar_as_points() {
    let (list, by_hand) =
        (parts::FourBar::<f64>::new().build().unwrap(), mechanisms::FourBarPoints::standard().unwrap());
    for seed in 0..10 {
        let (q, v) = (list.assembled() + scattered::<4>(seed) * 0.1, scattered::<4>(seed + 50) * 3.0);
        assert!((list.mass_matrix(&q) - by_hand.mass_matrix(&q)).amax() < 1e-15);
        assert!((list.force(0.0, &q, &v) - by_hand.force(0.0, &q, &v)).amax() < 1e-14);
        let (g, expected) = (list.jacobian(0.0, &q), by_hand.jacobian(0.0, &q));
        let (terms, expected_terms) = (list.acceleration_terms(0.0, &q, &v), by_hand.acceleration_terms(0.0, &q, &v));
        let (residual, expected_residual) = (list.constraint(0.0, &q), by_hand.constraint(0.0, &q));
        for (row, same) in [(0, 0), (1, 2), (2, 1)] {
            assert!((g.row(row) - expected.row(same)).amax() < 1e-15);
            assert!((terms[row] - expected_terms[same]).abs() < 1e-13);
            assert!((residual[row] - expected_residual[same]).abs() < 1e-15);
        }
    }
}

taut::mechanism! {
    /// The delta robot of the gallery, with points as coordinates.
    struct DeltaPoints in space, arms as points {
        base_1: Fixed { at: [0.05, 0.0, 0.0] },
        base_2: Fixed { at: [-0.025, 0.05 * H, 0.0] },
        base_3: Fixed { at: [-0.025, -0.05 * H, 0.0] },
        arm_1: Arm(base_1) { zero: [1.0, 0.0, 0.0], quarter: [0.0, 0.0, -1.0], length: 0.10, mass: 0.05 },
        arm_2: Arm(base_2) { zero: [-0.5, H, 0.0], quarter: [0.0, 0.0, -1.0], length: 0.10, mass: 0.05 },
        arm_3: Arm(base_3) { zero: [-0.5, -H, 0.0], quarter: [0.0, 0.0, -1.0], length: 0.10, mass: 0.05 },
        tip: Point { mass: 0.10 } near [0.0, 0.0, -0.22],
        rod_1: Rod(arm_1, tip) { length: 0.25, mass: 0.04 },
        rod_2: Rod(arm_2, tip) { length: 0.25, mass: 0.04 },
        rod_3: Rod(arm_3, tip) { length: 0.25, mass: 0.04 },
    }
    motors arm_1, arm_2, arm_3;
    encoders arm_1, arm_2, arm_3;
    output tip;
}

/// Half the square root of three.
const H: f64 = 0.866_025_403_784_438_6;

/// The hand-written model has the rows of the rods, the lengths of the arms and their planes, the list the length and the plane of each
/// arm, and then the rods.
#[test]
fn delta_as_points() {
    let list = DeltaPoints::<f64>::new().build().unwrap();
    let by_hand = mechanisms::DeltaPoints::new(mechanisms::Delta::standard()).unwrap();
    // Through 0.05 H and H, the bases and the planes are round to 1e-17.
    for seed in 0..10 {
        let (q, v) = (list.assembled() + scattered::<12>(seed) * 0.1, scattered::<12>(seed + 50) * 3.0);
        assert!((list.mass_matrix(&q) - by_hand.mass_matrix(&q)).amax() < 1e-15);
        assert!((list.force(0.0, &q, &v) - by_hand.force(0.0, &q, &v)).amax() < 1e-14);
        let (g, expected) = (list.jacobian(0.0, &q), by_hand.jacobian(0.0, &q));
        let (terms, expected_terms) = (list.acceleration_terms(0.0, &q, &v), by_hand.acceleration_terms(0.0, &q, &v));
        let (residual, expected_residual) = (list.constraint(0.0, &q), by_hand.constraint(0.0, &q));
        for (row, same) in [3, 6, 4, 7, 5, 8, 0, 1, 2].into_iter().enumerate() {
            assert!((g.row(row) - expected.row(same)).amax() < 1e-15, "{row}");
            assert!((terms[row] - expected_terms[same]).abs() < 1e-13, "{row}");
            assert!((residual[row] - expected_residual[same]).abs() < 1e-15, "{row}");
        }
        verify(&list, 0.0, &q, &v, 1e-12).unwrap();
    }

    // The same fall with RATTLE, the same encoders and the same motors as those of the angles.
    let clock = Clock::with_step(1e-3).unwrap();
    let mut falling = list.start(clock).at_rest().unwrap();
    let mut expected = Start::at(&by_hand, clock, list.assembled()).at_rest().unwrap();
    for _ in 0..100 {
        Rattle::new().step(&list, &mut falling).unwrap();
        Rattle::new().step(&by_hand, &mut expected).unwrap();
    }
    // A hundred steps of round-off of lengths below one, which the fall multiplies by less than ten.
    assert!((falling.position() - expected.position()).amax() < 1e-13);

    let angles = parts::Delta::<f64>::new().build().unwrap();
    let (pose, point_pose) = (angles.assembled(), falling.position());
    let at = |q: &Vector<f64, 6>| Kinematics::at_tool(&angles, q, &list.output(point_pose)).unwrap();
    let (by_angle, by_point) = (at(&pose), Kinematics::at(&list, point_pose).unwrap());
    assert!((by_angle.motors() - by_point.motors()).amax() < 1e-13);
    let load = Vector::from([0.3, -0.2, -1.0]);
    assert!((by_angle.motor_torques(&load) - by_point.motor_torques(&load)).amax() < 1e-12);
    assert!((by_angle.holding_torques(&load) - by_point.holding_torques(&load)).amax() < 1e-12);
    assert_eq!(<Mechanism<DeltaPoints<f64>, 12, 9> as Sensed<12, 9, 3>>::WRAPS, [true; 3]);
}

/// Any thin rod is a uniform one with masses at its ends: the rule of the documentation. Here half of the mass is at a quarter of the
/// length, and the other half uniform.
#[test]
fn a_rod_with_a_given_inertia_has_masses_at_its_ends() {
    let (m, l) = (2.0_f64, 0.8);
    let (c, about_end) = ((l / 4.0 + l / 2.0) / 2.0, (l * l / 16.0 + l * l / 3.0) * m / 2.0);
    let inertia = about_end - m * c * c;
    let b = (inertia + m * c * c) / (l * l);
    let (rod, second, first) = (6.0 * (m * c / l - b), 3.0 * b - 2.0 * m * c / l, m - 4.0 * m * c / l + 3.0 * b);
    let (total, moment) = (rod + first + second, rod * l / 2.0 + second * l);
    assert!((total - m).abs() < 1e-15 && (moment - m * c).abs() < 1e-15);
    assert!((rod * l * l / 3.0 + second * l * l - about_end).abs() < 1e-15);
}

//! Lists of parts have the equations of the hand-written models of the same mechanisms.

use mechanisms::parts;
use taut::attitude::{BodyState, MuntheKaas, Rotation};
use taut::control::{Actuated, Kinematics, Sensed};
use taut::linalg::{Matrix, Vector};
use taut::method::{Rattle, RungeKutta4, Step};
use taut::parts::Mechanism;
use taut::scalar::Real;
use taut::start::{Clock, Start};
use taut::system::{Diagonal, Mechanical, Varying, verify};

use crate::equations::scattered;

/// M, f, g, G and the acceleration terms agree to round-off: sums of fewer than twenty terms, times the size of the numbers. A row of the
/// list is one of the hand-written model.
fn same_equations<const N: usize, const M: usize>(
    list: &impl Mechanical<N, M, Base = f64>,
    by_hand: &impl Mechanical<N, M, Base = f64>,
    near: Vector<f64, N>,
    rows: [usize; M],
    size: f64,
) {
    for seed in 0..10 {
        let (q, v) = (near + scattered::<N>(seed) * 0.1, scattered::<N>(seed + 50) * 3.0);
        assert!((list.mass_matrix(&q) - by_hand.mass_matrix(&q)).amax() < 1e-15 * size);
        assert!((list.force(0.0, &q, &v) - by_hand.force(0.0, &q, &v)).amax() < 1e-14 * size);
        let (g, expected) = (list.jacobian(0.0, &q), by_hand.jacobian(0.0, &q));
        let (terms, expected_terms) = (list.acceleration_terms(0.0, &q, &v), by_hand.acceleration_terms(0.0, &q, &v));
        let (residual, expected_residual) = (list.constraint(0.0, &q), by_hand.constraint(0.0, &q));
        for (row, same) in rows.into_iter().enumerate() {
            assert!((g.row(row) - expected.row(same)).amax() < 1e-15 * size);
            assert!((terms[row] - expected_terms[same]).abs() < 1e-13 * size);
            assert!((residual[row] - expected_residual[same]).abs() < 1e-15 * size);
        }
    }
}

/// The same for models with motors and an output: B and s agree, too.
fn agree<const N: usize, const M: usize, const U: usize>(
    list: &impl Actuated<N, M, U, Base = f64>,
    by_hand: &impl Actuated<N, M, U, Base = f64>,
    near: Vector<f64, N>,
) {
    same_equations(list, by_hand, near, core::array::from_fn(|row| row), 1.0);
    for seed in 0..10 {
        let q = near + scattered::<N>(seed) * 0.1;
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
    same_equations(&list, &by_hand, list.assembled(), [0, 2, 1], 1.0);
}

#[test]
fn five_bar_as_points() {
    let list = parts::FiveBarPoints::<f64>::new().build().unwrap();
    let by_hand = mechanisms::FiveBarPoints::new(mechanisms::FiveBar::standard()).unwrap();
    same_equations(&list, &by_hand, list.assembled(), [0, 1, 2, 3], 1.0);
}

#[test]
fn pendulums() {
    let (list, by_hand) = (parts::Pendulum::<f64>::new().build().unwrap(), mechanisms::Pendulum::standard());
    same_equations(&list, &by_hand, list.assembled(), [0], 1.0);
    let (list, by_hand) =
        (parts::DoublePendulum::<f64>::new().build().unwrap(), mechanisms::DoublePendulum::standard());
    // Lengths and coordinates of 1 m to 2 m.
    same_equations(&list, &by_hand, list.assembled(), [0, 1], 10.0);
}

/// With its rod, and without: the second has the numbers that other tests use, a rod without mass and no gravity.
#[test]
fn slider_crank() {
    let mut list = parts::SliderCrank::<f64>::new();
    let machine = list.build().unwrap();
    // Weights of 150 N.
    let by_hand = mechanisms::HeavySliderCrank::standard();
    same_equations(&machine, &by_hand, machine.assembled(), [0], 10.0);
    (list.rod.mass, list.gravity) = (0.0, 0.0);
    let machine = list.build().unwrap();
    let by_hand = mechanisms::SliderCrank::standard();
    same_equations(&machine, &by_hand, machine.assembled(), [0], 10.0);
}

/// Four masses of 0.1 kg on rods of 0.1 m without mass.
mod chain {
    taut::mechanism! {
        pub struct Chain in plane, arms as points {
            top: Fixed { at: [0.0, 0.0] },
            a: Point { mass: 0.1 } near [0.07, -0.07],
            b: Point { mass: 0.1 } near [0.14, -0.14],
            c: Point { mass: 0.1 } near [0.21, -0.21],
            d: Point { mass: 0.1 } near [0.28, -0.28],
            rod_1: Strut(top, a) { length: 0.1 },
            rod_2: Strut(a, b) { length: 0.1 },
            rod_3: Strut(b, c) { length: 0.1 },
            rod_4: Strut(c, d) { length: 0.1 },
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

#[test]
fn chain_of_masses() {
    let (list, by_hand) = (chain::Chain::<f64>::new().build().unwrap(), mechanisms::Chain::<f64, 8, 4>::standard());
    same_equations(&list, &by_hand, list.assembled(), [0, 1, 2, 3], 1.0);
}

/// Five uniform rods of mass m between two points: m/3 at each end and m/6 between them.
struct Rods;

impl Mechanical<8, 5> for Rods {
    type Base = f64;
    type Mass = Varying;

    fn mass(&self) -> Varying {
        Varying
    }

    fn mass_matrix<S: Real<Base = f64>>(&self, _q: &Vector<S, 8>) -> Matrix<S, 8, 8> {
        Matrix::from_fn(|i, j| {
            S::from(match i.abs_diff(j) {
                0 => 0.05 + 2.0 * 0.1 / 3.0,
                2 => 0.1 / 6.0,
                _ => 0.0,
            })
        })
    }

    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 8>, _v: &Vector<S, 8>) -> Vector<S, 8> {
        Vector::from_fn(|i, _| S::from(if i % 2 == 1 { -0.15 * 9.81 } else { 0.0 }))
    }

    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 8>) -> Vector<S, 5> {
        Vector::from_fn(|rod, _| {
            let end = |point: usize, side: usize| match point {
                0 => S::zero(),
                5 => S::from(if side == 0 { 1.0 } else { 0.0 }),
                _ => q[2 * (point - 1) + side],
            };
            let [x, y] = [0, 1].map(|side| end(rod + 1, side) - end(rod, side));
            (x * x + y * y - 0.3 * 0.3) * 0.5
        })
    }
}

#[test]
fn hanging_chain() {
    let list = parts::HangingChain::<f64>::new().build().unwrap();
    same_equations(&list, &Rods, list.assembled(), [0, 1, 2, 3, 4], 1.0);
}

/// The crane, whose winch gives 0.9 m of rope at the beginning and 0.1 m/s less.
struct Hoisted(mechanisms::Crane<f64>);

impl Mechanical<4, 2> for Hoisted {
    type Base = f64;
    type Mass = Diagonal<f64, 4>;

    fn mass(&self) -> Diagonal<f64, 4> {
        self.0.mass()
    }

    fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 4>, v: &Vector<S, 4>) -> Vector<S, 4> {
        self.0.force(t, q, v)
    }

    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 4>) -> Vector<S, 2> {
        Vector::from([self.0.constraint(t, q)[0], q[3] - 1.0 + t * 0.1])
    }
}

/// The list has the winch on the trolley, so that both move along the rail, and feeds it: w = 0.3 + 0.1 t of the rope of 1.3 m is on its
/// side. The rope's length below the trolley is l = 1.3 − w.
#[test]
fn crane() {
    let list = parts::Crane::<f64>::new().build().unwrap();
    let by_hand = Hoisted(mechanisms::Crane { trolley: 20.0, ..mechanisms::Crane::standard() });
    let clock = Clock::with_step(1e-3).unwrap();
    let mut moving = list.start(clock).at_rest().unwrap();
    let ([trolley, winch, x, y], [vt, vw, vx, vy]) = (moving.position().data.0[0], moving.velocity().data.0[0]);
    let place = Start::at(&by_hand, clock, [x, y, trolley, 1.3 - winch]);
    let mut expected = place.moving([vx, vy, vt, -vw]).unwrap();
    for _ in 0..1_000 {
        RungeKutta4::new().step(&list, &mut moving).unwrap();
        RungeKutta4::new().step(&by_hand, &mut expected).unwrap();
    }
    let (q, p) = (moving.position(), expected.position());
    let off = Vector::<f64, 4>::from([q[2] - p[0], q[3] - p[1], q[0] - p[2], 1.3 - q[1] - p[3]]);
    // Runge–Kutta's error: T (h ω)⁴ ω/120 at ω² = (1 + 100 kg/20 kg) g/l = 65/s², 8 rad/s: 3e-10 m of a swing of 0.4 m.
    assert!(off.amax() < 3e-10, "{off}");
    // It swings, and the rope has become shorter.
    assert!((p[3] - 0.9).abs() < 1e-9 && moving.velocity().amax() > 0.1, "{p}");
}

/// The list has three unit vectors, the hand-written top a rotation and a momentum: unit weight at a unit distance is m g d = 1.
#[test]
fn heavy_top() {
    let mut list = parts::HeavyTop::<f64>::new();
    (list.gravity, list.top.mass, list.top.centre) = (4.0, 0.5, [0.0, 0.0, 0.5]);
    list.top.moments = [1.0, 1.0, 0.5];
    let (top, by_hand) = (list.build().unwrap(), mechanisms::HeavyTop::standard());
    let (clock, rates) = (Clock::with_step(1e-3).unwrap(), [0.1, 0.2, 6.0]);
    let q = top.assembled();
    let mut moving = top.start(clock).moving(top.turning(&q, "top", rates)).unwrap();
    let columns = |q: &Vector<f64, 9>| Matrix::<f64, 3, 3>::from_column_slice(q.as_slice());
    let attitude = Rotation::from_matrix(&columns(moving.position())).unwrap();
    let mut expected = BodyState::start(&by_hand, clock, attitude, rates).unwrap();
    let method = MuntheKaas::order_four();
    for _ in 0..2_000 {
        RungeKutta4::new().step(&top, &mut moving).unwrap();
        method.step(&by_hand, &mut expected).unwrap();
    }
    let off = columns(moving.position()) - expected.rotation().matrix();
    // Runge–Kutta's error: T ω (h ω)⁴/120 = 2 · 6 · (6e-3)⁴/120 = 1.3e-10, and as much by the other method's constant.
    assert!(off.amax() < 3e-10, "{off}");
    let tilt = moving.position()[8];
    assert!((tilt - 0.6_f64.cos()).abs() > 0.01, "it nods: {tilt}");
}

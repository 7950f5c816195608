//! Bodies and joints in space.

use mechanisms::parts::{Bricard, HeavyTop, SpatialFourBar, Stewart, Visitor};
use nalgebra::{Matrix6, SMatrix, SVector, Vector3, Vector6};
use taut::control::Actuated;
use taut::linalg::Vector;
use taut::method::{Rattle, Step};
use taut::parts::Problem;
use taut::start::Clock;
use taut::system::{Mechanical, verify};

use crate::equations::{Compare, scattered};
use crate::masses::powers_agree;

taut::mechanism! {
    /// A body that turns about the end of an arm, hinged to another: pivots that move, and that accelerate at a constant rate.
    struct OnAnArm in space, arms as angles {
        root: Point { mass: 1.0 } near [0.1, 0.2, 0.3],
        arm: Arm(root) { zero: [0.6, 0.8, 0.0], quarter: [0.0, 0.0, 1.0], length: 0.3, mass: 2.0 } near 0.4,
        top: Top(arm) { mass: 1.5, centre: [0.1, 0.05, -0.1], moments: [0.1, 0.12, 0.09] } near [0.9, 0.1, 0.2, 0.3],
        knob: Corner(top) { at: [0.1, -0.2, 0.3] },
        body: SkewBody { mass: 5.0, centre: [0.05, 0.02, -0.03], moments: [0.2, 0.25, 0.3], products: [0.02, -0.01, 0.03] }
            near ([0.6, 0.6, 0.7], [0.9, 0.1, 0.2, 0.3]),
        hinge: Hinge(knob, body) { axis: [0.0, 0.6, 0.8] },
    }
    motors hinge;
    encoders hinge;
    output hinge;
}

/// Two bodies, each with a corner, and a joint between the corners.
macro_rules! joined {
    ($name:ident, $part:ident: $joint:ident { $($fields:tt)* } $($wiring:tt)*) => {
        taut::mechanism! {
            struct $name in space, arms as points {
                a: Body { mass: 2.0, centre: [0.1, 0.0, 0.2], moments: [0.2, 0.25, 0.3] } near [0.0, 0.0, 0.0],
                b: Body { mass: 3.0, centre: [0.0, 0.1, 0.0], moments: [0.1, 0.12, 0.15] }
                    near ([0.5, 0.1, 0.2], [0.95, 0.1, -0.1, 0.2]),
                corner_a: Corner(a) { at: [0.3, 0.0, 0.1] },
                corner_b: Corner(b) { at: [-0.2, 0.0, 0.1] },
                $part: $joint(corner_a, corner_b) { $($fields)* },
                spring: Spring(a, corner_b) { length: 0.3, stiffness: 50.0 },
            }
            $($wiring)*
        }
    };
}

joined!(Telescope, joint: Prismatic { axis: [0.6, 0.0, 0.8] } motors joint; encoders joint; output joint;);
joined!(Jointed, joint: Universal { first: [0.0, 0.6, 0.8], second: [1.0, 0.0, 0.0] });

taut::mechanism! {
    /// Two bodies that are one.
    struct Glued in space, arms as points {
        a: Body { mass: 2.0, centre: [0.1, 0.0, 0.2], moments: [0.2, 0.25, 0.3] },
        b: Body { mass: 3.0, centre: [0.0, 0.1, 0.0], moments: [0.1, 0.12, 0.15] } near ([0.3, 0.0, 0.0], [0.95, 0.1, -0.1, 0.2]),
        weld: Weld(a, b) { offset: [0.4, 0.1, 0.0] },
    }
}

#[test]
fn bodies_on_pivots_that_move_have_the_equations_of_their_energies() {
    let arm = OnAnArm::<f64>::new().build().unwrap();
    Compare.visit("on an arm", &arm);
    powers_agree(&arm, arm.assembled());
}

/// The derivatives of a joint's constraints, also where they do not hold.
fn derivatives_agree<const N: usize, const M: usize>(system: &impl Mechanical<N, M, Base = f64>, q: Vector<f64, N>) {
    for seed in 0..5 {
        // Sums of thirty products.
        verify(system, 0.0, &(q + scattered::<N>(seed) * 0.05), &scattered::<N>(seed + 100), 1e-13).unwrap();
    }
}

#[test]
fn joints_have_the_derivatives_of_their_constraints() {
    let telescope = Telescope::<f64>::new().build().unwrap();
    derivatives_agree(&telescope, telescope.assembled());
    powers_agree(&telescope, telescope.assembled());
    let jointed = Jointed::<f64>::new().build().unwrap();
    derivatives_agree(&jointed, jointed.assembled());
    let glued = Glued::<f64>::new().build().unwrap();
    derivatives_agree(&glued, glued.assembled());
    // The frames were turned in the guess, and are parallel now; the origins differ by the offset. Round-off of the assembly.
    let (q, at) =
        (glued.assembled(), |body: usize, k: usize| Vector3::from_fn(|i, _| glued.assembled()[12 * body + 3 * k + i]));
    assert!((0..9).all(|i| (q[3 + i] - q[15 + i]).abs() < 1e-12), "{q}");
    let origin = |body: usize, c: [f64; 3]| at(body, 0) - at(body, 1) * c[0] - at(body, 2) * c[1] - at(body, 3) * c[2];
    let gap = origin(1, [0.0, 0.1, 0.0]) - origin(0, [0.1, 0.0, 0.2]);
    assert!((gap - at(0, 1) * 0.4 - at(0, 2) * 0.1).norm() < 1e-12, "{gap}");
}

taut::mechanism! {
    /// A body alone.
    struct Thrown in space, arms as points {
        body: SkewBody { mass: 5.0, centre: [0.05, 0.02, -0.03], moments: [0.2, 0.25, 0.3], products: [0.02, -0.01, 0.03] }
            near ([0.1, 0.2, 0.3], [0.9, 0.1, 0.2, 0.3]),
    }
}

/// The kinetic energy is m/2 |c'|² + ½ ωᵀ I ω, and the origin is where the guess has put it.
#[test]
fn a_body_has_its_inertia() {
    let body = Thrown::<f64>::new().build().unwrap();
    let q = body.assembled();
    let rates = [1.0, -2.0, 0.5];
    let tensor = nalgebra::matrix![0.2, 0.02, -0.01; 0.02, 0.25, 0.03; -0.01, 0.03, 0.3];
    let omega = Vector3::from(rates);
    let mut v = body.turning(&q, "body", rates);
    let turning = 0.5 * omega.dot(&(tensor * omega));
    assert!((body.kinetic_energy(&q, &v) - turning).abs() < 1e-14);
    (v[0], v[1], v[2]) = (3.0, 0.0, 4.0);
    assert!((body.kinetic_energy(&q, &v) - turning - 2.5 * 25.0).abs() < 1e-13);
    body.shapes(&q, |_, shape| {
        let taut::parts::Shape::Line(origin, _) = shape else { panic!("{shape:?}") };
        assert!((Vector3::from(origin) - Vector3::new(0.1, 0.2, 0.3)).norm() < 1e-15);
    });
    assert_eq!(body.turning(&q, "nobody", rates), Vector::<f64, 12>::zeros());
}

/// Six forces hold a platform up: those of its equilibrium, by virtual work on the geometry alone, leave it without acceleration.
#[test]
fn the_legs_of_a_stewart_platform_carry_its_weight() {
    let list = Stewart::<f64>::new();
    let platform = list.build().unwrap();
    let q = platform.assembled();
    let feet = [list.foot_1, list.foot_2, list.foot_3, list.foot_4, list.foot_5, list.foot_6].map(|foot| foot.at);
    let joints =
        [list.joint_1, list.joint_2, list.joint_3, list.joint_4, list.joint_5, list.joint_6].map(|joint| joint.at);
    // A unit force of leg i does the work s·δx + (r × s)·δφ.
    let mut work = Matrix6::zeros();
    for (i, (foot, joint)) in feet.into_iter().zip(joints).enumerate() {
        let arm = Vector3::from(joint);
        let along = (arm + Vector3::new(0.0, 0.0, 0.4) - Vector3::from(foot)).normalize();
        work.fixed_view_mut::<3, 1>(0, i).copy_from(&along);
        work.fixed_view_mut::<3, 1>(3, i).copy_from(&arm.cross(&along));
    }
    let forces = work.lu().solve(&Vector6::new(0.0, 0.0, 4.0 * 9.81, 0.0, 0.0, 0.0)).unwrap();
    let applied = platform.force(0.0, &q, &Vector::zeros()) + platform.actuation(&q) * forces;
    // M q'' + Gᵀ λ = f and G q'' = 0.
    let (mass, g) = (platform.mass_matrix(&q), platform.jacobian(0.0, &q));
    let mut matrix = SMatrix::<f64, 18, 18>::zeros();
    matrix.fixed_view_mut::<12, 12>(0, 0).copy_from(&mass);
    matrix.fixed_view_mut::<6, 12>(12, 0).copy_from(&g);
    matrix.fixed_view_mut::<12, 6>(0, 12).copy_from(&g.transpose());
    let mut right = SVector::<f64, 18>::zeros();
    right.fixed_rows_mut::<12>(0).copy_from(&applied);
    let solution = matrix.lu().solve(&right).unwrap();
    // Forces of 10 N on 4 kg, with a condition of 1e3.
    assert!(solution.fixed_rows::<12>(0).amax() < 1e-11, "{solution}");
}

/// Bricard's six-bar has 60 coordinates and 60 constraints, and moves. Its state takes more stack than a test has.
#[test]
fn bricards_six_bar_moves() {
    std::thread::Builder::new().stack_size(1 << 26).spawn(let_bricard_go).unwrap().join().unwrap();
}

fn let_bricard_go() {
    let linkage = Bricard::<f64>::new().build().unwrap();
    let mut state = linkage.start(Clock::with_step(1e-3).unwrap()).at_rest().unwrap();
    assert_eq!(state.correction().rank(), 59);
    let begin = linkage.potential_energy(state.position());
    let (mut kinetic, mut off) = (0.0_f64, 0.0_f64);
    for _ in 0..200 {
        Rattle::new().step(&linkage, &mut state).unwrap();
        let now = linkage.kinetic_energy(state.position(), state.velocity());
        kinetic = kinetic.max(now);
        off = off.max((now + linkage.potential_energy(state.position()) - begin).abs());
    }
    assert_eq!(state.correction().rank(), 59);
    // RATTLE's error is (h ω)²/12 at rates of 15 rad/s: 2e-5, with a factor of ten for the change of rate.
    assert!(kinetic > 0.02 && off < 2e-4 * kinetic, "{off} of {kinetic} J");
}

taut::mechanism! {
    /// A door with two hinges, and something else that moves.
    struct Door in space, arms as points {
        lower: Fixed { at: [0.0, 0.0, 0.2] },
        upper: Fixed { at: [0.0, 0.0, 1.8] },
        door: Body { mass: 20.0, centre: [0.4, 0.0, 1.0], moments: [6.0, 7.0, 1.2] },
        first: Corner(door) { at: [0.0, 0.0, 0.2] },
        second: Corner(door) { at: [0.0, 0.0, 1.8] },
        hinge: Hinge(lower, first) { axis: [0.0, 0.0, 1.0] },
        another: Hinge(upper, second) { axis: [0.0, 0.0, 1.0] },
        ball: Body { mass: 1.0, centre: [0.0, 0.0, 0.0], moments: [0.1, 0.1, 0.1] },
    }
}

#[test]
fn mistakes_in_space_name_the_part() {
    let error = Door::<f64>::new().build().unwrap_err();
    assert!(error.part == "another" && error.to_string().contains("say `redundant` in the header"), "{error}");

    // A rod without thickness.
    let mut list = HeavyTop::<f64>::new();
    list.top.moments = [0.03, 0.03, 0.0];
    assert_eq!(list.build().unwrap_err().to_string(), "top: moments is 0, and must be positive and finite");
    // A body of these moments about a point would be lighter at its centre than nothing.
    list.top.moments = [0.05, 0.06, 0.02];
    let error = list.build().unwrap_err();
    assert!(error.part == "top" && matches!(error.problem, Problem::Flat { .. }), "{error}");

    let mut list = SpatialFourBar::<f32>::new();
    // A plate without thickness.
    list.crank.moments = [1e-3, 1e-3, 2e-3];
    let text = list.build().unwrap_err().to_string();
    assert!(text.starts_with("crank: moments 0.001, 0.001, 0.002 "), "{text}");
    assert!(text.ends_with("describe a thin rod as a `Rod`, and give a plate its thickness"), "{text}");

    let mut list = SpatialFourBar::<f64>::new();
    list.swing.axis = [0.0, 1.0, 1.0];
    assert!(list.build().unwrap_err().to_string().starts_with("swing: axis has length 1.414"));
}

//! Imported models accelerate as MuJoCo and Pinocchio say.
//!
//! Each model is a file, the list that `cargo xtask import` prints of it, and a table of poses, velocities and accelerations of its bodies
//! that `reference.py` recorded. A test of `xtask` checks that the lists are still what the command prints.

use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use taut::linalg::Vector;
use taut::parts::Mechanism;
use taut::parts::by_hand::List;
use taut::system::Mechanical;

/// The coordinates of a body: its centre of mass and three unit vectors.
const OF_BODY: usize = 12;

/// Coordinates, their velocities and accelerations, from a table.
struct Motion<const N: usize> {
    position: Vector<f64, N>,
    velocity: Vector<f64, N>,
    acceleration: Vector<f64, N>,
}

fn recorded<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
    mechanism: &Mechanism<L, N, M>,
    table: &str,
) -> Motion<N> {
    let mut guess = [0.0; N];
    mechanism.description().guess(&mut guess);
    let zero = Vector::zeros();
    let mut motion = Motion { position: zero, velocity: zero, acceleration: zero };
    for first in (0..N).step_by(OF_BODY) {
        let body = mechanism.part_of_coordinate(first);
        let row = table.lines().find_map(|line| line.strip_prefix(body)?.strip_prefix(','));
        let row = row.unwrap_or_else(|| panic!("{body} is not in the table"));
        let numbers: Vec<f64> = row.split(',').map(|number| number.parse().unwrap()).collect();
        let vector = |at: usize| Vector3::from_column_slice(&numbers[at..at + 3]);
        let (reference, origin, turned) = (vector(0), vector(3), Matrix3::from_column_slice(&numbers[6..15]));
        let (velocity, spin, acceleration, spin_up) = (vector(15), vector(18), vector(21), vector(24));
        // In the guess, the frame is at the reference pose, and parallel to the ground's.
        let centre = turned * (Vector3::from_column_slice(&guess[first..first + 3]) - reference);
        let arms = [centre, turned.column(0).into(), turned.column(1).into(), turned.column(2).into()];
        for (i, arm) in arms.into_iter().enumerate() {
            let at_origin = if i == 0 { 1.0 } else { 0.0 };
            let set = |into: &mut Vector<f64, N>, value: Vector3<f64>| {
                into.fixed_rows_mut::<3>(first + 3 * i).copy_from(&value);
            };
            set(&mut motion.position, origin * at_origin + arm);
            set(&mut motion.velocity, velocity * at_origin + spin.cross(&arm));
            let centripetal = spin.cross(&spin.cross(&arm));
            set(&mut motion.acceleration, acceleration * at_origin + spin_up.cross(&arm) + centripetal);
        }
    }
    motion
}

/// M a = f − Gᵀ λ, G a + g_qq(v, v) = 0, also if some constraints follow from others.
fn acceleration<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
    mechanism: &Mechanism<L, N, M>,
    q: &Vector<f64, N>,
    v: &Vector<f64, N>,
) -> DVector<f64> {
    let dynamic = |rows, columns, entries: &[f64]| DMatrix::from_column_slice(rows, columns, entries);
    let mass = dynamic(N, N, mechanism.mass_matrix(q).as_slice()).cholesky().unwrap();
    let gradient = dynamic(M, N, mechanism.jacobian(0.0, q).as_slice());
    let free = mass.solve(&DVector::from_column_slice(mechanism.force(0.0, q, v).as_slice()));
    let response = mass.solve(&gradient.transpose());
    let terms = DVector::from_column_slice(mechanism.acceleration_terms(0.0, q, v).as_slice());
    let residual = &gradient * &free + terms;
    let flexibility = (&gradient * &response).svd(true, true);
    // Where a constraint follows from others, rounding leaves some 1e-15 of the largest singular value. A wrong choice would show below.
    let multipliers = flexibility.solve(&residual, 1e-10 * flexibility.singular_values[0]).unwrap();
    free - response * multipliers
}

fn agrees<L: List<N, M, Base = f64>, const N: usize, const M: usize>(mechanism: &Mechanism<L, N, M>, table: &str) {
    let Motion { position, velocity, acceleration: expected } = recorded(mechanism, table);
    // The pose is on the constraints, and the velocity along them; the files and the lists have 15 digits.
    let (open, slip) = (mechanism.constraint(0.0, &position), mechanism.jacobian(0.0, &position) * velocity);
    assert!(open.amax() < 1e-12 && slip.amax() < 1e-11, "{} and {}", open.amax(), slip.amax());
    let computed = acceleration(mechanism, &position, &velocity);
    for i in 0..N {
        let (part, scale) = (mechanism.part_of_coordinate(i), 1.0 + expected.amax());
        let error = (computed[i] - expected[i]).abs();
        assert!(error < 1e-6 * scale, "{part}, coordinate {i}: {} instead of {}", computed[i], expected[i]);
    }
}

macro_rules! models {
    ($($file:ident: $list:ident),* $(,)?) => {
        $(mod $file;)*

        $(#[test]
        fn $file() {
            agrees(&$file::$list::<f64>::new().build().unwrap(), include_str!(concat!(stringify!($file), ".csv")));
        })*
    };
}

models! {
    arm: SpatialArm,
    cart: Cart,
    delta: Delta,
    double_pendulum: DoublePendulum,
    five_bar: FiveBar,
    four_bar: FourBar,
    gimbal: Gimbal,
    pendulum: Pendulum,
    slider_crank: SliderCrank,
    solids: Solids,
    spatial_four_bar: SpatialFourBar,
    universal: UniversalJoint,
    weld: Welded,
}

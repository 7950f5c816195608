//! Lists of parts have the equations of the hand-written models of the same mechanisms.

use mechanisms::parts;
use taut::control::{Actuated, Sensed};
use taut::linalg::Vector;
use taut::method::{RungeKutta4, Step};
use taut::start::{Clock, Start};
use taut::system::Mechanical;

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

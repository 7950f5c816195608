//! Linear systems in Hessenberg form with their boundary values, and gains and arcs of least quadratic cost.

use mechanisms::LaggingMotor;
use nalgebra::matrix;
use taut::control::{
    ConstantHessenberg, GainTable, HessenbergError, HessenbergState, LinearQuadratic, QuadraticError, SingularArc,
    boundary_value,
};
use taut::linalg::{Matrix, Vector};
use taut::method::{RungeKutta4, Step};
use taut::start::Clock;
use taut::trajectory::Nonic;

use crate::all_finite;
use crate::bytes::Bytes;

/// A path with a lag: a start and a step have finite unknowns, an error leaves the state.
pub fn hessenberg(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let [end, duration, h, t] = bytes.numbers([1.0, 1.0, 1e-3, 0.0]);
    let [m1, m2, stiffness, lag] = bytes.numbers([1.0, 0.5, 200.0, 0.1]);
    let Ok(path) = Nonic::<f64, 1>::point_to_point([0.0], [end], duration) else { return 1 };
    let Ok(clock) = Clock::with_step(h).map(|clock| clock.at_time(t)) else { return 1 };
    let Ok(plant) = ConstantHessenberg::new(LaggingMotor { path, masses: [m1, m2], stiffness, lag }) else { return 1 };
    let Ok(mut state) = HessenbergState::start(&plant, clock, bytes.numbers([0.0; 6])) else { return 2 };
    for calls in 3..=10 {
        assert!(all_finite(state.unknowns().iter()));
        let before = state;
        if RungeKutta4::new().step(&plant, &mut state).is_err() {
            assert_eq!(format!("{state:?}"), format!("{before:?}"));
            return calls;
        }
    }
    10
}

/// The same path with two conditions: the solution is finite; a refusal has numbers that belong to it.
pub fn boundary_values(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let [duration, h, t] = bytes.numbers([1.0, 1e-2, 0.0]);
    let Ok(path) = Nonic::<f64, 1>::point_to_point([0.0], [1.0], duration) else { return 1 };
    let Ok(clock) = Clock::with_step(h).map(|clock| clock.at_time(t)) else { return 1 };
    let Ok(plant) = ConstantHessenberg::new(LaggingMotor::standard(path)) else { return 1 };
    // p₂ at both ends, and any other entry.
    let (mut begin, mut end) = (Matrix::<f64, 2, 6>::zeros(), Matrix::<f64, 2, 6>::zeros());
    (begin[(0, 4)], end[(1, 4)]) = (1.0, 1.0);
    for matrix in [&mut begin, &mut end] {
        let place = (bytes.below(2), bytes.below(6));
        matrix[place] = bytes.number(matrix[place]);
    }
    let beta = Vector::from(bytes.numbers([0.0, 0.5]));
    match boundary_value(&plant, clock, 4, [&begin, &end], &beta) {
        Ok(state) => assert!(all_finite(state.unknowns().iter())),
        Err(HessenbergError::Contradictory { residual, limit }) => assert!(residual > limit),
        Err(HessenbergError::Boundary { determined, free }) => assert!(determined < free),
        Err(_) => {}
    }
    2
}

/// A plant of two states: the table is finite, and its cost symmetric.
pub fn gains(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let [a, b, c, d] = bytes.numbers([0.0, 1.0, 0.0, 0.0]);
    let [p, q, r, s, interval] = bytes.numbers([0.0, 1.0, 1.0, 0.1, 0.1]);
    let problem = LinearQuadratic {
        dynamics: matrix![a, b; c, d],
        actuation: matrix![p; q],
        state_weight: Matrix::identity() * r,
        input_weight: matrix![s],
    };
    let Ok(table) = GainTable::<f64, 2, 1, 4>::solve(|_| Ok(problem), Matrix::zeros(), interval, 4) else { return 1 };
    assert!(all_finite(table.cost.iter()) && table.cost[(0, 1)] == table.cost[(1, 0)]);
    let _ = table.input(bytes.number(0.15), &Vector::from(bytes.numbers([0.1, 0.2])));
    2
}

/// The same plant without a cost of its input: an arc is finite, and so is the nearest start of one that takes an impulse.
pub fn singular_arc(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let [a, b, c, d] = bytes.numbers([0.0, 1.0, 0.0, 0.0]);
    let [p, q, r, s, end, h] = bytes.numbers([0.0, 1.0, 1.0, 0.0, 0.0, 0.1]);
    let problem = LinearQuadratic {
        dynamics: matrix![a, b; c, d],
        actuation: matrix![p; q],
        state_weight: Matrix::identity() * r,
        input_weight: matrix![s],
    };
    let Ok(arc) = SingularArc::<f64, 2, 1, 5>::new(problem, Matrix::identity() * end) else { return 1 };
    let Ok(clock) = Clock::with_step(h) else { return 1 };
    match arc.start(clock, 4, bytes.numbers([1.0, -0.4])) {
        Ok(state) => assert!(all_finite(state.unknowns().iter())),
        Err(QuadraticError::Impulsive { residual, limit, nearest }) => {
            assert!(residual > limit && all_finite(nearest.iter()), "{nearest}");
        }
        Err(_) => {}
    }
    2
}

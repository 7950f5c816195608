//! Linear systems in Hessenberg form, and gains of least quadratic cost.

use mechanisms::LaggingMotor;
use nalgebra::matrix;
use taut::control::{ConstantHessenberg, GainTable, HessenbergState, LinearQuadratic};
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

//! A projection returns numbers on the constraint, or an error: with any limit, however large.

use mechanisms::Pendulum;
use nalgebra::vector;
use taut::project::{Level, ProjectError, Projection};

#[test]
fn limits_that_check_nothing_are_refused() {
    let pendulum = Pendulum::<f64>::standard();
    let (q, v) = (vector![0.6, 0.8], vector![1.0, 2.0]);
    for limit in [0.0, -1.0, 1.9e3, 1e30, 1e300, f64::INFINITY, f64::NAN] {
        for projection in [Projection::new().limit(limit), Projection::new().limit(limit).iterations(0)] {
            let errors = [
                projection.onto_positions(&pendulum, 0.0, &q).unwrap_err(),
                projection.onto_velocities(&pendulum, 0.0, &q, &v).unwrap_err(),
                Projection::redundant().limit(limit).onto_positions(&pendulum, 0.0, &q).unwrap_err(),
            ];
            for error in errors {
                let ProjectError::InvalidLimit { given, largest } = error else { panic!("{limit}: {error}") };
                assert!(given.to_bits() == limit.to_bits() && (largest - 1.8e3).abs() < 1e-9, "{error}");
            }
        }
    }
    let error = Projection::new().limit(1e30).onto_positions(&pendulum, 0.0, &vector![0.0, 1.0]).unwrap_err();
    assert_eq!(error.to_string(), "the limit 1e30 must be positive and at most 2e3: a larger one checks nothing");
    assert!(Projection::new().limit(10.0).onto_positions(&pendulum, 0.0, &q).is_ok());
}

#[test]
fn what_overflows_is_an_error() {
    // From 1e-18 m of the centre the first correction is 5e17 m, and the next ones 1e35 times as long.
    let pendulum = Pendulum::<f32>::standard();
    for limit in [1e-3, 1.0, 1e3] {
        let projection = Projection::new().limit(limit).iterations(8);
        let error = projection.onto_positions(&pendulum, 0.0, &vector![1e-18, 0.0]).unwrap_err();
        assert_eq!(error, ProjectError::NonFinite { level: Level::Position, index: 0 }, "{limit}");
        assert_eq!(error.to_string(), "position 0 is NaN or infinite; check what was given");
    }
}

//! How solutions stay on a manifold: projections of matrices, local coordinates, index 2 along f_z, invariants of the Kepler problem.
//!
//! Reference numbers were computed independently, with more digits than are given.

mod charts;
mod index_two;
mod kepler;
mod local;
mod matrices;

/// An error that a reference gives to `digits` digits, plus round-off.
#[track_caller]
fn assert_error(what: &str, ours: f64, reference: f64, digits: i32) {
    let tolerance = reference.abs() * 10_f64.powi(1 - digits) + 2e-14;
    assert!((ours - reference).abs() <= tolerance, "{what}: {ours:e}, not {reference:e}");
}

/// Slopes of errors at steps that halve.
#[track_caller]
fn assert_slopes(what: &str, errors: &[f64], order: f64, tolerance: f64) {
    for pair in errors.windows(2) {
        let slope = (pair[0] / pair[1]).log2();
        assert!((slope - order).abs() < tolerance, "{what}: order {slope}, not {order}: {errors:?}");
    }
}

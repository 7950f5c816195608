//! What the source texts state and no other folder tests: counter-examples, exercises, orders on every form, and the page that maps the
//! texts, `src/guide/sources.md`.

mod drift;
mod dummy_pivoting;
mod first_steps;
mod linear;
mod minimal_coordinates;
mod order_reduction;
mod page;
mod perturbations;
mod redundant_arm;
mod stiff_orders;

/// An error to the digits of its reference.
#[track_caller]
fn assert_error(what: &str, ours: f64, reference: f64, digits: i32) {
    let tolerance = reference.abs() * 10_f64.powi(1 - digits);
    assert!((ours - reference).abs() <= tolerance, "{what}: {ours:e}, not {reference:e}");
}

/// Slopes of errors at steps that halve.
#[track_caller]
fn assert_slopes(what: &str, errors: &[f64], order: f64, tolerance: f64) {
    for pair in errors.windows(2) {
        let slope = (pair[0] / pair[1]).log2();
        assert!((slope - order).abs() < tolerance, "{what}: slope {slope:.3}, not {order}, errors {errors:?}");
    }
}

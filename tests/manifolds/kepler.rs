//! The Kepler problem with and without projection (Hairer & Wanner VII.2, (2.15), Fig. 2.3): h = 0.01, eccentricity 0.6.

use mechanisms::Kepler;
use nalgebra::{Vector4, vector};
use taut::project::onto_invariant;

use crate::assert_error;

fn explicit(y: &Vector4<f64>, h: f64) -> Vector4<f64> {
    y + Kepler::<f64>::rate(y) * h
}

/// Symplectic Euler, momenta first.
fn symplectic(y: &Vector4<f64>, h: f64) -> Vector4<f64> {
    let p = Kepler::<f64>::rate(y) * h;
    let kicked = vector![y[0], y[1], y[2] + p[2], y[3] + p[3]];
    vector![y[0] + kicked[2] * h, y[1] + kicked[3] * h, kicked[2], kicked[3]]
}

/// ΔH and ΔL at t = 10 and 200, the largest |ΔH| until each of them, and the largest radius.
fn run(step: fn(&Vector4<f64>, f64) -> Vector4<f64>, project: bool) -> [[f64; 4]; 2] {
    let mut y = Kepler::<f64>::start();
    let first = Kepler::invariants(&y);
    let energy = Kepler { energy: first[0] };
    let (mut largest, mut radius, mut rows) = (0.0_f64, 0.0_f64, [[0.0; 4]; 2]);
    for tick in 1..=20_000 {
        y = step(&y, 0.01);
        if project {
            y = onto_invariant(&energy, &y, 6).unwrap();
        }
        let off = Kepler::invariants(&y) - first;
        largest = largest.max(off[0].abs());
        radius = radius.max(y[0].hypot(y[1]));
        match tick {
            1_000 => rows[0] = [off[0], off[1], largest, radius],
            20_000 => rows[1] = [off[0], off[1], largest, radius],
            _ => {}
        }
    }
    rows
}

#[test]
fn invariants_at_the_start() {
    let first = Kepler::invariants(&Kepler::<f64>::start());
    assert!((first - vector![-0.578125, 0.8]).norm() < 1e-15, "{first}");
}

/// Runge–Kutta 4 with h = 1e-3 has an error below 1e-10 at t = 10.
#[test]
fn the_exact_orbit_is_that_of_the_reference() {
    let (mut y, h) = (Kepler::<f64>::start(), 1e-3);
    for _ in 0..10_000 {
        let a = Kepler::rate(&y);
        let b = Kepler::rate(&(y + a * (h / 2.0)));
        let c = Kepler::rate(&(y + b * (h / 2.0)));
        let d = Kepler::rate(&(y + c * h));
        y += (a + (b + c) * 2.0 + d) * (h / 6.0);
    }
    for (ours, reference) in y.iter().zip([0.41803051, -0.00765124]) {
        assert!((ours - reference).abs() < 1e-8, "{ours}, not {reference}");
    }
}

#[test]
fn explicit_euler_spirals_out() {
    let [ten, two_hundred] = run(explicit, false);
    assert_error("ΔH", ten[0], 0.2870135, 7);
    assert_error("ΔL", ten[1], 0.1378841, 7);
    assert_error("radius", two_hundred[3], 19.2895, 6);
}

#[test]
fn projection_keeps_the_energy_and_not_the_momentum() {
    let [ten, two_hundred] = run(explicit, true);
    assert!(two_hundred[2] < 1e-13, "{two_hundred:?}");
    assert_error("ΔL", ten[1], 1.639069e-2, 7);
    assert_error("ΔL", two_hundred[1], 0.1180835, 7);
}

#[test]
fn symplectic_euler_keeps_the_momentum_and_the_energy_bounded() {
    let [ten, two_hundred] = run(symplectic, false);
    for row in [ten, two_hundred] {
        assert_error("largest ΔH", row[2], 1.439268e-2, 7);
        assert!(row[1].abs() < 1e-13, "{row:?}");
    }
}

/// Projection after every step makes a symplectic method worse.
#[test]
fn projection_spoils_symplectic_euler() {
    let [ten, two_hundred] = run(symplectic, true);
    assert_error("ΔL", ten[1].abs(), 1.913989e-2, 7);
    assert_error("ΔL", two_hundred[1].abs(), 0.1237089, 7);
}

/// The remedy of the source: each output is projected, and the run goes on from the unprojected values. Outputs have the energy, and their
/// momentum stays within what one projection moves it.
#[test]
fn projected_outputs_of_symplectic_euler_keep_both() {
    let mut y = Kepler::<f64>::start();
    let first = Kepler::invariants(&y);
    let (mut largest, mut outputs) = ([0.0_f64; 2], vec![]);
    for tick in 1..=20_000 {
        y = symplectic(&y, 0.01);
        let off = Kepler::invariants(&onto_invariant(&Kepler { energy: first[0] }, &y, 6).unwrap()) - first;
        largest = [largest[0].max(off[0].abs()), largest[1].max(off[1].abs())];
        if tick == 1_000 || tick == 20_000 {
            outputs.push((off[1].abs(), largest[1]));
        }
    }
    assert!(largest[0] < 1e-13, "{largest:?}");
    assert_error("ΔL", outputs[0].0, 3.314440e-3, 7);
    assert_error("ΔL", outputs[1].0, 1.776408e-3, 7);
    // It does not grow: 5.0 10⁻³ in 10 s, and in 200 s.
    assert_error("largest ΔL", outputs[0].1, 5.036250e-3, 7);
    assert_error("largest ΔL", outputs[1].1, 5.036533e-3, 7);
}

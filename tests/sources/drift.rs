//! Exercise 1 of Hairer & Wanner VII.2: with some methods the differentiated pendulum drifts off its circle linearly, not quadratically.
//! It is model b of Mattsson and Söderlind, "Index reduction in differential-algebraic equations using dummy derivatives", Tables 1 and 2,
//! at a fixed step. Runge–Kutta 4 drifts quadratically, see `tests/methods/runge_kutta.rs`.

use nalgebra::{Vector4, vector};
use taut::linalg::Lu;
use taut::scalar::{Dual, Real};

use crate::assert_error;

/// (2.1a,b) with λ from (2.3): the unit pendulum on the acceleration level, u = (x, y, x', y').
fn rate<S: Real<Base = f64>>([x, y, v, w]: [S; 4]) -> [S; 4] {
    let multiplier = (v * v + w * w - y) / (x * x + y * y);
    [v, w, -(x * multiplier), -(y * multiplier) - S::one()]
}

/// φ and φ' after a step h from `start`, by Runge–Kutta 4 with a hundredth of it.
pub fn angle([mut phi, mut turning]: [f64; 2], h: f64) -> [f64; 2] {
    let h = h / 100.0;
    for _ in 0..100 {
        let rate = |[phi, turning]: [f64; 2]| vector![turning, -phi.sin()];
        let from = vector![phi, turning];
        let a = rate(from.into());
        let b = rate((from + a * (h / 2.0)).into());
        let c = rate((from + b * (h / 2.0)).into());
        let d = rate((from + c * h).into());
        [phi, turning] = (from + (a + (b + c) * 2.0 + d) * (h / 6.0)).into();
    }
    [phi, turning]
}

pub fn point([phi, turning]: [f64; 2]) -> Vector4<f64> {
    let (sin, cos) = phi.sin_cos();
    vector![sin, -cos, turning * cos, turning * sin]
}

/// The largest | |q| − 1 | up to the given times, and the change of the energy at the last one, by BDF2 with h = 0.01 and an exact second value.
fn run<const TIMES: usize>(start: [f64; 2], times: [f64; TIMES]) -> ([f64; TIMES], f64) {
    let h = 0.01;
    let (mut before, mut now, mut largest) = (point(start), point(angle(start, h)), 0.0_f64);
    let energy = |u: &Vector4<f64>| (u[2] * u[2] + u[3] * u[3]) / 2.0 + u[1];
    let first = energy(&before);
    let marks = times.map(|t| (t / h).round() as usize);
    let mut lengths = [0.0; TIMES];
    for tick in 2..=marks[TIMES - 1] {
        let from = (now * 4.0 - before) / 3.0;
        let mut next = now * 2.0 - before;
        for _ in 0..6 {
            let rates = rate(Dual::<f64, 4>::variables(next.into()));
            let residual = next - from - Vector4::from(rates.map(|rate| rate.value)) * (h * 2.0 / 3.0);
            let slopes = nalgebra::Matrix4::from_fn(|i, j| f64::from(i == j) - rates[i].partials[j] * (h * 2.0 / 3.0));
            next -= Lu::factor(slopes).unwrap().solve(residual);
        }
        (before, now) = (now, next);
        largest = largest.max((now.fixed_rows::<2>(0).norm() - 1.0).abs());
        if let Some(mark) = marks.iter().position(|mark| *mark == tick) {
            lengths[mark] = largest;
        }
    }
    (lengths, energy(&now) - first)
}

#[test]
fn bdf2_without_projection_drifts_linearly() {
    let (lengths, _) = run([core::f64::consts::FRAC_PI_2, -1.0], [250.0, 500.0, 1000.0]);
    for (length, reference) in lengths.iter().zip([2.449e-2, 4.857e-2, 9.491e-2]) {
        assert_error("length", *length, reference, 4);
    }
    // Twice the time, twice the drift; it would be four times as large if it were quadratic.
    for pair in lengths.windows(2) {
        assert!((pair[1] / pair[0] - 2.0).abs() < 0.06, "{lengths:?}");
    }
}

#[test]
fn small_oscillations_drift_less() {
    let (lengths, energy) = run([0.1, 0.0], [1000.0]);
    assert_error("energy", energy, -7.40254268e-6, 7);
    assert_error("length", lengths[0], 4.961e-6, 4);
}

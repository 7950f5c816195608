//! Theorem V.2.1 of Hairer, *Solving Differential Equations on Manifolds*: with index 1, a Runge–Kutta method whose R(∞) is not zero can
//! have a lower order in z than in y. The library's Radau methods have R(∞) = 0; here are three others in the form (1.6), for any s:
//! Σ w_ij M (U_j − u_n) = h F(U_i), w = A⁻¹, u_n₊₁ = ρ u_n + Σ (bᵀ w)_j U_j with ρ = 1 − bᵀ w 1 = R(∞).

use nalgebra::{DMatrix, DVector, dvector};

use crate::assert_slopes;

/// y' = cos t − z, 0 = z + z³ − (y − sin t)² − (y − sin t)⁶: y = sin t + 1/(1 + t), z = 1/(1 + t)².
fn equations(t: f64, y: f64, z: f64) -> [f64; 2] {
    let square = (y - t.sin()).powi(2);
    [t.cos() - z, z + z.powi(3) - square - square.powi(3)]
}

/// The errors of y and z at t = 1.
fn errors(a: &DMatrix<f64>, b: &DVector<f64>, steps: usize) -> [f64; 2] {
    let (s, h) = (b.len(), 1.0 / steps as f64);
    let w = a.clone().try_inverse().unwrap();
    let (c, ends) = (a.column_sum(), w.transpose() * b);
    let (mut y, mut z) = (1.0, 1.0);
    for tick in 0..steps {
        let times = c.map(|c| (tick as f64 + c) * h);
        // Newton's method on (Y, Z), to the end.
        let mut u = DVector::from_fn(2 * s, |i, _| if i < s { y } else { z });
        for _ in 0..20 {
            let mut residual = DVector::zeros(2 * s);
            let mut slopes = DMatrix::zeros(2 * s, 2 * s);
            for i in 0..s {
                let (x, z) = (u[i], u[s + i]);
                let [rate, constraint] = equations(times[i], x, z);
                residual[i] = (0..s).map(|j| w[(i, j)] * (u[j] - y)).sum::<f64>() - h * rate;
                residual[s + i] = constraint;
                for j in 0..s {
                    slopes[(i, j)] = w[(i, j)];
                }
                slopes[(i, s + i)] = h;
                let off = x - times[i].sin();
                slopes[(s + i, i)] = -2.0 * off - 6.0 * off.powi(5);
                slopes[(s + i, s + i)] = 1.0 + 3.0 * z * z;
            }
            u -= slopes.lu().solve(&residual).unwrap();
        }
        let rho = 1.0 - ends.sum();
        y = rho * y + (0..s).map(|j| ends[j] * u[j]).sum::<f64>();
        z = rho * z + (0..s).map(|j| ends[j] * u[s + j]).sum::<f64>();
    }
    [(y - 1.0_f64.sin() - 0.5).abs(), (z - 0.25).abs()]
}

fn check(name: &str, a: DMatrix<f64>, b: DVector<f64>, [order_y, order_z]: [f64; 2], reference: [&[f64]; 2]) {
    let errors = [10, 20, 40].map(|steps| errors(&a, &b, steps));
    for (component, order) in [order_y, order_z].into_iter().enumerate() {
        let errors = errors.map(|errors| errors[component]);
        for (ours, reference) in errors.iter().zip(reference[component]) {
            // Their printed digits, and round-off: y is near one.
            assert!((ours - reference).abs() <= 1e-7 * reference + 1e-16, "{name}: {ours:e}, not {reference:e}");
        }
        assert_slopes(name, &errors, order, 0.2);
    }
}

#[test]
fn methods_that_do_not_damp_lose_orders_in_z() {
    let third = 3.0_f64.sqrt() / 6.0;
    // ρ = −1: min(p, q + 1) = 2, with p = 2 no loss.
    let table = [1.6150093e-3, 4.0970304e-4, 1.0281105e-4];
    check("Gauss 1", DMatrix::from_element(1, 1, 0.5), dvector![1.0], [2.0, 2.0], [&[], &table]);
    // ρ = 1: the stage order 2, instead of 4.
    let table = [[4.2508965e-8, 2.6652280e-9, 1.6670867e-10], [4.4404489e-4, 1.1162669e-4, 2.7945538e-5]];
    let gauss = DMatrix::from_row_slice(2, 2, &[0.25, 0.25 - third, 0.25 + third, 0.25]);
    check("Gauss 2", gauss, dvector![0.5, 0.5], [4.0, 2.0], [&table[0], &table[1]]);
    // ρ = 1 − √3: 2 instead of 3.
    let gamma = 0.5 + third;
    let table = [7.0660375e-4, 1.9885203e-4, 5.0139958e-5];
    let singly = DMatrix::from_row_slice(2, 2, &[gamma, 0.0, 1.0 - 2.0 * gamma, gamma]);
    check("singly diagonal", singly, dvector![0.5, 0.5], [3.0, 2.0], [&[], &table]);
}

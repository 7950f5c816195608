//! The nearest orthogonal matrix and the nearest matrix of a determinant (Hairer, *Solving Differential Equations on Manifolds*, III.1,
//! example 1.2; the trace there is that of (ỸᵀỸ)⁻¹).

use nalgebra::{Matrix2, Matrix3, matrix};
use proptest::prelude::*;
use taut::attitude::Rotation;
use taut::project::{ProjectError, onto_determinant, onto_orthogonal};

const NEAR: [[f64; 3]; 3] = [[0.9, 0.1, -0.05], [-0.08, 1.05, 0.02], [0.06, 0.01, 0.98]];
const FACTOR: [[f64; 3]; 3] = [
    [0.9939937965897694, 0.0923824800462638, -0.0586669389141601],
    [-0.0920625864078703, 0.9957199660374774, 0.0081381458710437],
    [0.0591676645216756, -0.0026882363784898, 0.998244439433661],
];

fn rows(rows: [[f64; 3]; 3]) -> Matrix3<f64> {
    Matrix3::from(rows).transpose()
}

#[test]
fn the_polar_factor_is_that_of_the_reference() {
    let (near, factor) = (rows(NEAR), rows(FACTOR));
    assert!(((near - factor).norm() - 0.112672319555143).abs() < 1e-15);
    // Errors of X ← ½ (X + X⁻ᵀ) in the spectral norm after 1 to 3 iterations, to the two digits of the reference.
    let mut x = near;
    for reference in [4.95e-3, 1.23e-5, 7.6e-11] {
        x = (x + x.try_inverse().unwrap().transpose()) * 0.5;
        let error = (x - factor).singular_values().max();
        assert!((error - reference).abs() < 0.02 * reference, "{error:e}");
    }
    assert!(matches!(onto_orthogonal(&near, 2), Err(ProjectError::NotReached(residual)) if residual.residual > 1e-6));
    assert!((onto_orthogonal(&near, 3).unwrap() - x).norm() < 1e-15);
    let found = onto_orthogonal(&near, 4).unwrap();
    assert!((found.transpose() * found - Matrix3::identity()).norm() < 1e-15);
    // The last digit of each of the nine entries of the reference is uncertain.
    assert!((found - factor).norm() < 5e-15, "{:e}", (found - factor).norm());
    // The second form needs no inverse and more iterations.
    let mut x = near;
    for reference in [1.30e-2, 2.55e-4, 9.84e-8] {
        x = x * (Matrix3::identity() * 3.0 - x.transpose() * x) * 0.5;
        let error = (x - factor).singular_values().max();
        assert!((error - reference).abs() < 0.02 * reference, "{error:e}");
    }
    // The fourth, 1.4e-14, is measured from the factor found above, which is right to the last digit: that of the reference is not.
    x = x * (Matrix3::identity() * 3.0 - x.transpose() * x) * 0.5;
    let error = (x - found).singular_values().max();
    assert!((error - 1.4e-14).abs() < 1e-15, "{error:e}");
    let single = onto_orthogonal(&near.map(|x| x as f32), 4).unwrap();
    assert!((single.map(f64::from) - factor).norm() < 4e-7);
    assert!((Rotation::nearest(&near, 4).unwrap().matrix() - found).norm() < 2e-15);
}

#[test]
fn the_determinant_is_reached_through_the_iterates_of_the_reference() {
    let near = matrix![1.1, 0.2; 0.1, 0.9];
    let direction = near.try_inverse().unwrap().transpose();
    // One μ after the other: with k iterations the projection is at the k-th of them, and refused if that is not near enough.
    let trace = direction.norm_squared();
    let mut mu = 0.0_f64;
    for reference in [0.0140579710144927, 0.0139653822684658, 0.013963801596813] {
        mu += (1.0 / (near + direction * mu).determinant() - 1.0) / trace;
        assert!((mu - reference).abs() < 1e-15, "{mu}");
    }
    assert!(matches!(onto_determinant(&near, 1.0, 3), Err(ProjectError::NotReached(_))));
    // Each iteration reduces the distance to 0.017 of it: five leave 8e-12.
    assert!((onto_determinant(&near, 1.0, 5).unwrap() - near - direction * 0.013963774398334).norm() < 1e-10);
    let found = onto_determinant(&near, 1.0, 12).unwrap();
    let exact = matrix![1.1129560793386608, 0.1985604356290377; 0.0971208712580754, 0.9158352080805855];
    assert!((found - exact).norm() < 1e-15, "{found}");
    let single = onto_determinant(&near.map(|x| x as f32), 1.0, 6).unwrap();
    assert!((single.map(f64::from) - exact).norm() < 4e-7);
}

#[test]
fn singular_reflected_and_broken_matrices_are_refused() {
    let singular = matrix![1.0, 2.0; 2.0, 4.0];
    assert!(matches!(onto_orthogonal(&singular, 4), Err(ProjectError::Constraints(_))));
    assert!(matches!(onto_determinant(&singular, 1.0, 4), Err(ProjectError::Constraints(_))));
    for bad in [f64::NAN, f64::INFINITY] {
        for index in 0..4 {
            let mut broken = Matrix2::<f64>::identity();
            broken[index] = bad;
            assert!(onto_orthogonal(&broken, 4).is_err() && onto_determinant(&broken, 1.0, 4).is_err());
            assert!(onto_orthogonal(&broken, 0).is_err());
        }
        assert!(onto_determinant(&Matrix2::identity(), bad, 4).is_err());
    }
    // No orthogonal matrix has the determinant −1 and is a rotation.
    let reflection = Matrix3::from_diagonal(&[1.0, 1.0, -1.0].into());
    assert_eq!(onto_orthogonal(&reflection, 4).unwrap(), reflection);
    assert!(matches!(Rotation::nearest(&reflection, 4), Err(ProjectError::Constraints(_))));
    // A determinant of the other sign is too far.
    assert!(onto_determinant(&Matrix2::<f64>::identity(), -1.0, 12).is_err());
}

proptest! {
    /// The polar factor of R (1 + E) with a symmetric E is R.
    #[test]
    fn a_stretched_rotation_is_found_again(
        theta in prop::array::uniform3(-1.8..1.8_f64), e in prop::array::uniform6(-0.1..0.1_f64),
    ) {
        let rotation = Rotation::exp(&theta.into());
        let stretch = matrix![1.0 + e[0], e[1], e[2]; e[1], 1.0 + e[3], e[4]; e[2], e[4], 1.0 + e[5]];
        let found = Rotation::nearest(&(rotation.matrix() * stretch), 6).unwrap();
        prop_assert!((found.matrix() - rotation.matrix()).norm() < 1e-14);
    }

    #[test]
    fn any_matrix_is_projected_or_refused(bits in prop::array::uniform9(any::<u32>()), iterations in 0..8_usize) {
        let given = Matrix3::from_column_slice(&bits.map(f32::from_bits));
        if let Ok(x) = onto_orthogonal(&given, iterations) {
            prop_assert!((x.transpose() * x).is_identity(1e-3));
        }
        let _ = (onto_determinant(&given, 1.0, iterations), Rotation::nearest(&given, iterations));
    }
}

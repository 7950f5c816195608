//! Rotations: the maps between vectors, quaternions and matrices are inverse to each other, for any input.

use nalgebra::{Matrix3, Vector3, vector};
use proptest::prelude::*;
use taut::attitude::{Rotation, dexp_inverse};
use taut::linalg::Vector;
use taut::project::{Level, ProjectError};
use taut::scalar::{Dual, Float};

use crate::{doubles, matrix};

/// Rodrigues' formula: I + (sin α/α) Ω + ½ (sin(α/2)/(α/2))² Ω².
fn rodrigues(theta: &Vector3<f64>) -> Matrix3<f64> {
    let (hat, alpha) = (theta.cross_matrix(), theta.norm());
    let sinc = |x: f64| if x.abs() < 1e-4 { 1.0 - x * x / 6.0 } else { x.sin() / x };
    Matrix3::identity() + hat * sinc(alpha) + hat * hat * (0.5 * sinc(alpha / 2.0).powi(2))
}

fn vectors(size: f64) -> impl Strategy<Value = Vector3<f64>> {
    // All sizes below the largest: near zero, at the border between the polynomial and the sine, and beyond.
    (prop::array::uniform3(-1.0..1.0_f64), -9.0..0.0_f64).prop_map(move |(x, power)| {
        let x = Vector3::from(x);
        x * (size * 10_f64.powf(power) / x.norm().max(1e-3))
    })
}

proptest! {
    #[test]
    fn the_exponential_is_rodrigues_formula(theta in vectors(12.0)) {
        let rotation = Rotation::exp(&theta);
        prop_assert!((rotation.matrix() - rodrigues(&theta)).norm() < 1e-14);
        let single = Rotation::exp(&theta.map(|x| x as f32));
        // The angle is rounded, too.
        prop_assert!((matrix(&single) - rotation.matrix()).norm() < 4e-7 * (1.0 + theta.norm()));
    }

    #[test]
    fn the_logarithm_undoes_the_exponential(theta in vectors(3.1)) {
        prop_assert!((Rotation::exp(&theta).log() - theta).norm() < 1e-14 * (theta.norm() + 1e-3) * 10.0);
        // Near π the real part is small, and the quaternion with the other sign is the same rotation.
        let other = Rotation::from_quaternion(-Rotation::exp(&theta).quaternion()).unwrap();
        prop_assert!((other.log() - theta).norm() < 1e-13);
    }

    #[test]
    fn the_cayley_map_is_a_rational_function(theta in vectors(20.0)) {
        let half = theta.cross_matrix() * 0.5;
        let exact = (Matrix3::identity() - half).lu().solve(&(Matrix3::identity() + half)).unwrap();
        prop_assert!((Rotation::cayley(&theta).matrix() - exact).norm() < 1e-13);
    }

    #[test]
    fn products_inverses_and_matrices_agree(a in vectors(3.0), b in vectors(3.0), x in vectors(10.0)) {
        let (p, q) = (Rotation::exp(&a), Rotation::exp(&b));
        prop_assert!(((p * q).matrix() - p.matrix() * q.matrix()).norm() < 2e-15);
        prop_assert!(((p * q).rotate(&x) - p.rotate(&q.rotate(&x))).norm() < 1e-14 * (1.0 + x.norm()));
        prop_assert!((p.rotate_back(&p.rotate(&x)) - x).norm() < 1e-14 * (1.0 + x.norm()));
        let back = Rotation::from_matrix(&(p * q).matrix()).unwrap();
        prop_assert!((back.matrix() - (p * q).matrix()).norm() < 5e-15);
    }

    /// R = exp θ and R' = R Ω̂ with θ' = dexp⁻¹(Ω): the derivative of the quaternion by dual numbers.
    #[test]
    fn dexp_inverse_is_the_rate_of_the_vector(theta in vectors(6.0), rate in vectors(3.0)) {
        let along = dexp_inverse(&theta, &rate);
        let dual = theta.zip_map(&along, |x, d| Dual::<f64, 1>::new(x, [d]));
        let slope = Rotation::exp(&dual).quaternion().map(|x| x.partials[0]);
        let turning = Rotation::from_quaternion([0.0, rate.x, rate.y, rate.z]).unwrap();
        let exact = (Rotation::exp(&theta) * turning).quaternion() * (rate.norm() / 2.0);
        // dexp⁻¹ grows like 1/(2π − |θ|), and the derivative of sin a/a loses digits near zero.
        prop_assert!((slope - exact).norm() < 1e-13 * (1.0 + along.norm()), "{} {}", slope, exact);
        let single = dexp_inverse(&theta.map(|x| x as f32), &rate.map(|x| x as f32));
        prop_assert!((doubles(&single) - along).norm() < 1e-5 * (1.0 + along.norm()));
    }

    #[test]
    fn any_quaternion_is_normalised_or_refused(bits in prop::array::uniform4(any::<u32>())) {
        let given = Vector::from(bits.map(f32::from_bits));
        match Rotation::from_quaternion(given) {
            Ok(rotation) => prop_assert!((rotation.quaternion().norm() - 1.0).abs() < 3e-7),
            Err(ProjectError::NonFinite { level, index }) => {
                prop_assert_eq!(level, Level::Position);
                prop_assert!(!Float::is_finite(given[index]));
            }
            Err(error) => prop_assert!(given.amax() < f32::MIN_POSITIVE, "{}: {}", given, error),
        }
    }
}

#[test]
fn both_sides_of_the_border_between_polynomial_and_sine_agree() {
    // |θ| = 1 is the border of the exponential, |θ|² = 16 ⁴√ε that of dexp⁻¹.
    for border in [1.0, 16.0_f64.sqrt() * f64::EPSILON.powf(0.125)] {
        let [below, above] = [border * (1.0 - 1e-15), border * (1.0 + 1e-15)].map(|x| vector![0.6 * x, 0.0, 0.8 * x]);
        assert!((Rotation::exp(&below).quaternion() - Rotation::exp(&above).quaternion()).norm() < 1e-14);
        let rate = vector![1.0, 2.0, 3.0];
        assert!((dexp_inverse(&below, &rate) - dexp_inverse(&above, &rate)).norm() < 2e-14);
    }
}

#[test]
fn no_direction_is_refused_and_no_length_matters() {
    for length in [1e-150, 1.0, 1e150, 1e308] {
        let rotation = Rotation::from_quaternion(vector![1.0, -1.0, 1.0, -1.0] * length).unwrap();
        assert_eq!(rotation.quaternion(), &vector![0.5, -0.5, 0.5, -0.5]);
    }
    assert!(matches!(Rotation::from_quaternion([0.0_f32; 4]), Err(ProjectError::Constraints(_))));
    assert!(Rotation::from_matrix(&Matrix3::repeat(f64::NAN)).is_err());
    // Half turns: the real part is zero.
    for axis in 0..3 {
        let mut theta = Vector3::zeros();
        theta[axis] = std::f64::consts::PI;
        let rotation = Rotation::exp(&theta);
        assert!((Rotation::from_matrix(&rotation.matrix()).unwrap().log().norm() - std::f64::consts::PI).abs() < 1e-15);
    }
}

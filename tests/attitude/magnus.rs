//! Magnus' methods for Y' = ω̂(t) Y with ω = (cos t, sin t, ½) (Hairer, *Solving Differential Equations on Manifolds*, III.4, example 4.4).
//! Exact: Y = exp(t ê₃) exp(t (ê₁ − ê₃/2)).

use nalgebra::{Matrix3, vector};
use taut::attitude::{AngularRate, Attitude, Magnus2, Magnus4, Rotation, coning};
use taut::linalg::Vector;
use taut::method::{Step, StepError};
use taut::scalar::Float;

use crate::{assert_error, assert_slopes, clock, matrix, rows};

/// −ω: the angular velocity of Y⁻¹ in its body frame.
struct Moving<T>(core::marker::PhantomData<T>);

impl<T: Float> AngularRate for Moving<T> {
    type Base = T;
    fn rate(&self, t: T) -> Vector<T, 3> {
        let (sin, cos) = t.sin_cos();
        vector![-cos, -sin, T::from_f64(-0.5)]
    }
}

const END: [[f64; 3]; 3] = [
    [0.038_389_431_100_179_19, 0.41486549284409562, 0.909_072_535_294_643_2],
    [0.761_600_159_185_880_5, 0.576_807_824_197_097_1, -0.295_394_535_279_602_3],
    [-0.646_909_150_582_866_7, 0.703_689_815_751_398, -0.293_818_301_165_733_26],
];

fn turned<T: Float>(
    method: &dyn Step<Moving<T>, Attitude<T>, Report = (), Error = StepError<T>>,
    steps: usize,
) -> Rotation<T> {
    let mut state = Attitude::start(clock(2.0 / steps as f64), Rotation::identity()).unwrap();
    for _ in 0..steps {
        method.step(&Moving(core::marker::PhantomData), &mut state).unwrap();
        let norm = crate::doubles(state.rotation().quaternion()).norm_squared();
        assert!((norm - 1.0).abs() < 4.0 * T::EPSILON.to_f64(), "{norm}");
    }
    assert_eq!(state.clock().tick(), steps as u64);
    state.rotation().inverse()
}

fn error<T: Float>(rotation: &Rotation<T>) -> f64 {
    (matrix(rotation) - rows(END)).norm()
}

#[test]
fn the_reference_is_the_product_of_two_exponentials() {
    let exact = Rotation::exp(&vector![0.0, 0.0, 2.0]) * Rotation::exp(&(vector![1.0, 0.0, -0.5] * 2.0));
    assert!(error(&exact) < 1e-15);
    let quaternion = vector![0.574756242708929, 0.434568725309592, 0.676800689690593, 0.150818138445771];
    assert!((exact.quaternion() - quaternion).norm() < 2e-15);
    // From the matrix, too; the sign of the quaternion is free.
    let back = Rotation::from_matrix(&rows(END)).unwrap();
    assert!((back.quaternion() - quaternion).norm() < 2e-15);
}

#[test]
fn errors_are_those_of_the_reference() {
    let steps = [10, 20, 40];
    let two = steps.map(|n| error(&turned::<f64>(&Magnus2, n)));
    for (ours, reference) in two.into_iter().zip([7.98982767386e-3, 1.9967877125e-3, 4.99154773198e-4]) {
        assert_error("Magnus 2", ours, reference, 11);
    }
    assert_slopes("Magnus 2", &two, 2.0, 0.01);
    let four = steps.map(|n| error(&turned::<f64>(&Magnus4, n)));
    for (ours, reference) in four.into_iter().zip([2.15668136939e-5, 1.34796711928e-6, 8.42486091058e-8]) {
        assert_error("Magnus 4", ours, reference, 11);
    }
    assert_slopes("Magnus 4", &four, 4.0, 0.01);
}

/// The lecture notes print c₁ = ½ + √3/6: then the cross product has the wrong sign, and the order is 2.
#[test]
fn the_printed_order_of_the_nodes_gives_order_two() {
    let printed = |steps: usize| {
        let h = 2.0 / steps as f64;
        let node = 3_f64.sqrt() / 6.0;
        let mut y = Matrix3::identity();
        for tick in 0..steps {
            let omega = |c: f64| {
                let (sin, cos) = ((tick as f64 + c) * h).sin_cos();
                vector![cos, sin, 0.5]
            };
            let (first, second) = (omega(0.5 + node), omega(0.5 - node));
            let theta = (first + second) * (h / 2.0) + second.cross(&first) * (h * h * 3_f64.sqrt() / 12.0);
            y = Rotation::exp(&theta).matrix() * y;
        }
        (y - rows(END)).norm()
    };
    let errors = [10, 20, 40, 80].map(printed);
    for (ours, reference) in errors.into_iter().zip([1.96579589e-2, 4.92171726e-3, 1.23087833e-3, 3.0774760e-4]) {
        assert_error("printed nodes", ours, reference, 8);
    }
    assert_slopes("printed nodes", &errors, 2.0, 0.01);
}

/// In `f32` the errors are those of the method, plus round-off: 80 steps of a compensated state, and the rounding of the result.
#[test]
fn single_precision_has_the_same_errors() {
    for (steps, reference) in [(10, 2.15668136939e-5), (20, 1.34796711928e-6), (80, 5.27e-9)] {
        let error = error(&turned::<f32>(&Magnus4, steps));
        assert!((error - reference).abs() < 8.0 * f64::from(f32::EPSILON), "{steps}: {error:e}");
    }
}

/// A million ticks: a compensated state keeps the attitude to the digits of `f32`, a plain one does not.
#[test]
fn a_compensated_state_keeps_its_attitude() {
    let mut compensated = Attitude::start(clock::<f32>(1e-3), Rotation::identity()).unwrap();
    let mut plain = compensated.plain();
    let mut exact = Attitude::start(clock::<f64>(1e-3), Rotation::identity()).unwrap();
    for tick in 0..1_000_000 {
        // Angles that are not the same in every tick, so that their roundings have no bias.
        let phase = tick as f64 * 1e-3;
        let [x, y, z] = [phase.cos(), 2.0 * (1.7 * phase).sin(), 0.6 * (0.3 * phase).sin() - 0.5];
        let theta = (vector![x, y, z] * 1e-3).map(|x: f64| x as f32);
        compensated.turn(&theta).unwrap();
        plain.turn(&theta).unwrap();
        exact.turn(&theta.map(f64::from)).unwrap();
    }
    let exact = exact.rotation();
    let compensated = (compensated.full_quaternion().full().map(|x| x.to_f64()) - exact.quaternion()).norm();
    let plain = (crate::doubles(plain.rotation().quaternion()) - exact.quaternion()).norm();
    // Each step rounds its rotation, of 1e-3, and the sums of it to ε/2: a walk of 6e-11 that makes 1e-7 in 1e6 steps. A few neighbouring
    // steps have almost the same roundings, hence ten times that.
    assert!(compensated < 1e-6, "{compensated:e}");
    // Each step of a plain state rounds the quaternion: ε/4 on average, times √1e6, is 3e-5.
    assert!(plain > 1e-5, "{plain:e}");
}

/// With the integrals of an angular velocity that is linear in time, the coning formula is Magnus' method of order 4.
#[test]
fn coning_is_magnus_for_linear_rates() {
    let (h, a, b) = (0.1, vector![0.3, -0.2, 0.9], vector![2.0, 1.0, -3.0]);
    struct Linear(Vector<f64, 3>, Vector<f64, 3>);
    impl AngularRate for Linear {
        type Base = f64;
        fn rate(&self, t: f64) -> Vector<f64, 3> {
            self.0 + self.1 * t
        }
    }
    let mut magnus = Attitude::start(clock(h), Rotation::identity()).unwrap();
    Magnus4.step(&Linear(a, b), &mut magnus).unwrap();
    let [first, second] = [(0.0, h / 2.0), (h / 2.0, h)]
        .map(|(from, to): (f64, f64)| a * (to - from) + b * ((to * to - from * from) / 2.0));
    let mut gyro = Attitude::start(clock(h), Rotation::identity()).unwrap();
    gyro.turn(&coning(&first, &second)).unwrap();
    assert!((gyro.rotation().quaternion() - magnus.rotation().quaternion()).norm() < 1e-16);
    assert_eq!(gyro.clock().tick(), 1);
}

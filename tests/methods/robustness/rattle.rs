//! Properties of RATTLE on pendulums of all sizes.

use mechanisms::{DoublePendulum, Pendulum};
use nalgebra::vector;
use proptest::prelude::*;
use taut::linalg::{SymmetricFactors, magnitude};
use taut::method::{Rattle, Step, StepError};
use taut::scalar::Float;
use taut::start::{Clock, Start, State, check};
use taut::system::{Diagonal, Mechanical};

use crate::variants::{bits, seconds};

/// Steps as often as asked. Every success must be on the constraints, every failure must leave the state.
fn walk<T: Float, System, F, const N: usize, const M: usize>(
    system: &System,
    mut state: State<T, N, M, F>,
    count: usize,
    (gradients, acceleration): ([f64; M], f64),
) -> Result<Result<(), StepError<T>>, TestCaseError>
where
    System: Mechanical<N, M, Base = T, Mass = Diagonal<T, N>>,
    F: SymmetricFactors<T, M>,
{
    let rattle = Rattle::new();
    for _ in 0..count {
        let before = bits(&state);
        let speed_before = magnitude(state.velocity()).to_f64();
        let report = match rattle.step(system, &mut state) {
            Ok(report) => report,
            Err(error) => {
                prop_assert_eq!(bits(&state), before);
                return Ok(Err(error));
            }
        };
        // The reported residuals are the true ones, and within the limits.
        let consistency = check(system, &state);
        let speed = speed_before + magnitude(state.velocity()).to_f64() + acceleration * state.clock().step().to_f64();
        for row in 0..M {
            let limit = T::ROOT_EPSILON.to_f64() * gradients[row];
            let residual = consistency.position_residual[row].to_f64();
            let told = report.position_residual[row].to_f64();
            prop_assert!(told.abs() <= 1.001 * limit, "row {row}: {told:e} against {limit:e}");
            // The report has a difference along the step, so the two agree up to the round-off of an evaluation at q.
            let round_off = 8.0 * T::EPSILON.to_f64() * gradients[row] * (1.0 + magnitude(state.position()).to_f64());
            prop_assert!((residual - told).abs() <= round_off, "row {row}: {told:e} told, {residual:e} found");
            // The velocity constraint is linear: round-off of the projection, relative to what is projected.
            let residual = consistency.velocity_residual[row].to_f64();
            let limit = 100.0 * T::EPSILON.to_f64() * gradients[row] * speed;
            prop_assert!(residual.abs() <= limit, "velocity row {row}: {residual:e} against {limit:e}");
        }
        prop_assert!(state.position().iter().chain(state.velocity()).all(|x| x.is_finite()));
    }
    Ok(Ok(()))
}

/// Mass, length, gravity, angles, angular velocities in units of √(g/l), and the step in radians of the fastest motion.
#[derive(Clone, Copy, Debug)]
struct Sample {
    mass: f64,
    length: f64,
    gravity: f64,
    angles: [f64; 2],
    rates: [f64; 2],
    step: f64,
}

impl Sample {
    /// √(g/l).
    fn rate(&self) -> f64 {
        (self.gravity / self.length).sqrt()
    }

    fn pendulum<T: Float>(&self) -> (Pendulum<T>, State<T, 2, 1>) {
        let [mass, length, gravity] = [self.mass, self.length, self.gravity].map(T::from_f64);
        let system = Pendulum { mass, length, gravity };
        let (sin, cos) = self.angles[0].sin_cos();
        let speed = self.rates[0] * self.rate() * self.length;
        let q = [self.length * sin, -self.length * cos].map(T::from_f64);
        (system, Start::at(&system, self.clock(), q).moving([speed * cos, speed * sin].map(T::from_f64)).unwrap())
    }

    fn double_pendulum<T: Float>(&self) -> (DoublePendulum<T>, State<T, 4, 2>) {
        let [mass, length, gravity] = [self.mass, self.length, self.gravity].map(T::from_f64);
        let system = DoublePendulum { mass, length, gravity };
        let (mut q, mut v) = ([0.0; 4], [0.0; 4]);
        for link in 0..2 {
            let (sin, cos) = self.angles[link].sin_cos();
            let speed = self.rates[link] * self.rate() * self.length;
            for below in link..2 {
                q[2 * below] += self.length * sin;
                q[2 * below + 1] -= self.length * cos;
                v[2 * below] += speed * cos;
                v[2 * below + 1] += speed * sin;
            }
        }
        (system, Start::at(&system, self.clock(), q.map(T::from_f64)).moving(v.map(T::from_f64)).unwrap())
    }

    /// With a step such that the fastest rod turns by about `step` radians in it.
    fn clock<T: Float>(&self) -> Clock<T> {
        seconds(self.step / self.fastest())
    }

    /// About the fastest that a rod can turn with the energy that there is.
    fn fastest(&self) -> f64 {
        self.rate() * (self.rates[0].abs() + self.rates[1].abs() + 4.0)
    }
}

fn samples(lengths: core::ops::Range<f64>, steps: core::ops::Range<f64>) -> impl Strategy<Value = Sample> {
    let angle = || -3.2..3.2;
    let rate = || -3.0..3.0;
    // Over powers of ten, so that every size is as likely.
    (-3.0..3.0, lengths, 0.0..2.0, [angle(), angle()], [rate(), rate()], steps).prop_map(
        |(mass, length, gravity, angles, rates, step): (f64, f64, f64, _, _, f64)| Sample {
            mass: 10_f64.powf(mass),
            length: 10_f64.powf(length),
            gravity: 10_f64.powf(gravity),
            angles,
            rates,
            step: 10_f64.powf(step),
        },
    )
}

/// Both pendulums in one precision.
fn both<T: Float>(sample: &Sample, count: usize) -> Result<[Result<(), StepError<T>>; 2], TestCaseError> {
    let (system, state) = sample.pendulum::<T>();
    let acceleration = sample.gravity + sample.length * sample.fastest().powi(2);
    let one = walk(&system, state, count, ([sample.length], acceleration))?;
    let (system, state) = sample.double_pendulum::<T>();
    let gradients = [sample.length, 2.0_f64.sqrt() * sample.length];
    Ok([one, walk(&system, state, count, (gradients, acceleration))?])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// Rods of 3 cm to 3 m and steps of up to 0.03 rad always succeed.
    #[test]
    fn moderate_steps_stay_on_the_constraints(sample in samples(-1.5..0.5, -3.5..-1.5)) {
        for result in both::<f32>(&sample, 300)? {
            prop_assert!(result.is_ok(), "f32: {}", result.unwrap_err());
        }
        for result in both::<f64>(&sample, 300)? {
            prop_assert!(result.is_ok(), "f64: {}", result.unwrap_err());
        }
    }

    /// From 1 mm to 1 km, and steps of up to 30 rad: a step ends on the constraints, or Newton fails.
    #[test]
    fn any_step_is_on_the_constraints_or_refused(sample in samples(-3.0..3.0, -5.0..1.5)) {
        for result in both::<f32>(&sample, 50)? {
            prop_assert!(matches!(result, Ok(()) | Err(StepError::NotConverged { .. })), "f32: {result:?}");
        }
        for result in both::<f64>(&sample, 50)? {
            prop_assert!(matches!(result, Ok(()) | Err(StepError::NotConverged { .. })), "f64: {result:?}");
        }
    }
}

/// A step that leaves as much as its limit allows, in a rod of 160 m at angles of half a radian a step: evaluated anew it is a little more.
#[test]
fn a_residual_accepted_at_the_end_is_accepted_at_the_next_start() {
    let sample = Sample {
        mass: 1.0,
        length: 158.510_955_359_858_7,
        gravity: 12.844_199_474_521_39,
        angles: [-2.296_301_258_149_09, 1.624_059_991_385_388_4],
        rates: [1.853_909_759_356_333_8, 2.958_906_060_233_697_4],
        step: 0.192_251_263_634_868_36,
    };
    for result in both::<f32>(&sample, 50).unwrap() {
        assert!(matches!(result, Ok(()) | Err(StepError::NotConverged { .. })), "{result:?}");
    }
}

#[test]
fn the_start_does_not_move_the_samples() {
    // The property tests would prove nothing if the start moved the state.
    let sample = Sample { mass: 2.0, length: 0.5, gravity: 9.81, angles: [0.3, 1.0], rates: [0.2, -1.0], step: 0.01 };
    let (system, state) = sample.double_pendulum::<f64>();
    let rate = (9.81_f64 / 0.5).sqrt();
    assert!(
        (state.position()
            - vector![
                0.5 * 0.3_f64.sin(),
                -0.5 * 0.3_f64.cos(),
                0.5 * (0.3_f64.sin() + 1.0_f64.sin()),
                -0.5 * (0.3_f64.cos() + 1.0_f64.cos())
            ])
        .amax()
            < 1e-15
    );
    assert!((state.velocity()[0] - 0.2 * rate * 0.5 * 0.3_f64.cos()).abs() < 1e-15);
    assert!(check(&system, &state).velocity_residual.iter().all(|residual| residual.abs() < 1e-15));
}

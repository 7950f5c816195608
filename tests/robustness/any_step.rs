//! Properties of every method on driven pendulums of all sizes.

use proptest::prelude::*;
use systems::Driven;
use taut::linalg::magnitude;
use taut::method::{StepError, StepSize};
use taut::scalar::Float;
use taut::start::{Start, State};

use crate::every_method::good::flaw;
use crate::every_method::{Method, Outcome, bits};

/// Length, torque and push in units of the weight, angle from below, rate in units of √(g/l), and the step in radians of the
/// fastest motion.
#[derive(Clone, Copy, Debug)]
struct Sample {
    length: f64,
    torque: f64,
    push: f64,
    angle: f64,
    rate: f64,
    step: f64,
}

fn samples(lengths: core::ops::Range<f64>, steps: core::ops::Range<f64>) -> impl Strategy<Value = Sample> {
    // Over powers of ten, so that every size is as likely.
    (lengths, -1.0..1.0, -1.0..1.0, -3.2..3.2, -3.0..3.0, steps).prop_map(
        |(length, torque, push, angle, rate, step): (f64, f64, f64, f64, f64, f64)| {
            let length = 10_f64.powf(length);
            Sample { length, torque: 9.81 * torque / length, push: 9.81 * push, angle, rate, step: 10_f64.powf(step) }
        },
    )
}

impl Sample {
    fn system<T: Float>(&self) -> Driven<T> {
        let [length, torque, push] = [self.length, self.torque, self.push].map(T::from_f64);
        Driven { length, torque, push }
    }

    /// √(g/l) times what a turn or two with the torque may add.
    fn fastest(&self) -> f64 {
        (9.81 / self.length).sqrt() * (self.rate.abs() + 4.0)
    }

    fn size<T: Float>(&self) -> StepSize<T> {
        StepSize::seconds(T::from_f64(self.step / self.fastest())).unwrap()
    }

    /// With the default limit where a method holds the positions, and a fifth of the rod where it lets them drift.
    fn start<T: Float>(&self, method: Method) -> State<T, 3, 1> {
        let (sin, cos) = self.angle.sin_cos();
        let speed = self.rate * (9.81 * self.length).sqrt();
        let q = [self.length * sin, -self.length * cos, 0.0].map(T::from_f64);
        let system = self.system();
        let start = Start::at(&system, q);
        let start = if method.holds_positions() { start } else { start.limit(T::from_f64(0.2 * self.length)) };
        start.moving([speed * cos, speed * sin, 0.5 * speed].map(T::from_f64)).unwrap()
    }

    /// The energy, without that of the free coordinate.
    fn energy<T: Float>(&self, state: &State<T, 3, 1>) -> f64 {
        let (q, v) = (state.position().map(Float::to_f64), state.velocity().map(Float::to_f64));
        (v.x * v.x + v.y * v.y) / 2.0 + 9.81 * q.y
    }

    /// The power of torque and damping.
    fn power<T: Float>(&self, state: &State<T, 3, 1>) -> f64 {
        let (q, v) = (state.position().map(Float::to_f64), state.velocity().map(Float::to_f64));
        self.torque * (q.x * v.y - q.y * v.x) - 0.1 * (v.x * v.x + v.y * v.y)
    }
}

/// Steps as often as asked, every step without a flaw. The energy must be that which torque and damping leave.
fn walk<T: Float>(sample: &Sample, method: Method, count: u32) -> Result<Result<(), StepError<T>>, TestCaseError> {
    let (system, size, mut state) = (sample.system::<T>(), sample.size::<T>(), sample.start::<T>(method));
    let (mut expected, h) = (sample.energy(&state), size.get().to_f64());
    let mut scale = 9.81 * sample.length;
    for n in 1..=count {
        let before = state;
        let result = method.step(size, &system, &mut state);
        let outcome = Outcome { name: format!("{method:?}"), method: Some(method), result, after: state };
        prop_assert_eq!(flaw(&system, &before, size, &outcome), None, "{} {:?}", n, core::any::type_name::<T>());
        if let Err(error) = result {
            prop_assert_eq!(bits(&state), bits(&before), "{:?}: {}", method, error);
            return Ok(Err(error));
        }
        expected += h / 2.0 * (sample.power(&before) + sample.power(&state));
        scale = magnitude(state.velocity()).to_f64().powi(2).max(scale);
        // An error of h^(p + 1) in each step, of h³ from the trapezoidal rule above, and round-off: on the position level of
        // implicit Euler that of the positions enters the velocities, as ε/h.
        let position_level = matches!(method, Method::EulerPositions | Method::EulerStabilised);
        let round_off = T::EPSILON.to_f64() * if position_level { 10.0 / sample.step } else { 10.0 };
        let each = sample.step.powi(i32::from(method.order()).min(2) + 1) + round_off;
        let (off, bound) = ((sample.energy(&state) - expected).abs(), 4.0 * scale * each * f64::from(n));
        prop_assert!(
            sample.step > 0.1 || off < bound,
            "{:?}, step {}: energy off by {:e}, bound {:e}",
            method,
            n,
            off,
            bound
        );
    }
    Ok(Ok(()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Rods of 3 cm to 3 m and steps of up to 0.03 rad always succeed, with the energy that they should have.
    #[test]
    fn moderate_steps_are_good(sample in samples(-1.5..0.5, -3.5..-1.5)) {
        for method in Method::ALL {
            let result = walk::<f32>(&sample, method, 100)?;
            prop_assert!(result.is_ok(), "{:?} in f32: {}", method, result.unwrap_err());
            let result = walk::<f64>(&sample, method, 100)?;
            prop_assert!(result.is_ok(), "{:?} in f64: {}", method, result.unwrap_err());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// From 1 mm to 1 km, and steps of up to 30 rad: what succeeds is good, the rest is refused.
    #[test]
    fn any_step_is_good_or_refused(sample in samples(-3.0..3.0, -5.0..1.5)) {
        for method in Method::ALL {
            refused_as_expected(method, walk::<f32>(&sample, method, 20)?)?;
            refused_as_expected(method, walk::<f64>(&sample, method, 20)?)?;
        }
    }
}

/// All inputs are numbers and the model does not change: it can only be that the step is too large, and the iterations with it,
/// which may run away beyond all numbers.
fn refused_as_expected<T: Float>(method: Method, result: Result<(), StepError<T>>) -> Result<(), TestCaseError> {
    let too_large = |error: &StepError<T>| {
        matches!(
            error,
            StepError::NotConverged { .. }
                | StepError::Unbalanced { .. }
                | StepError::Singular { .. }
                | StepError::NonFinite { .. }
        )
    };
    prop_assert!(result.as_ref().err().is_none_or(too_large), "{:?}: {:?}", method, result);
    Ok(())
}

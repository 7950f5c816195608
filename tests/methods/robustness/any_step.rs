//! Properties of every method on driven pendulums of all sizes.

use core::fmt::Debug;

use mechanisms::Driven;
use proptest::prelude::*;
use taut::linalg::magnitude;
use taut::method::{Bdf2, LocalRungeKutta4, Partitioned, Report, Step, StepError, TwoNodes};
use taut::scalar::Float;
use taut::start::{Start, State};

use crate::variants::good::flaw;
use crate::variants::{Any, Claim, Outcome, bits, every_variant, seconds};

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

    /// With the default limit where a method holds the positions, and a fifth of the rod where it lets them drift.
    fn start<T: Float>(&self, claim: &Claim) -> State<T, 3, 1> {
        let (sin, cos) = self.angle.sin_cos();
        let speed = self.rate * (9.81 * self.length).sqrt();
        let q = [self.length * sin, -self.length * cos, 0.0].map(T::from_f64);
        let system = self.system();
        let start = Start::at(&system, seconds(self.step / self.fastest()), q);
        let start = if claim.positions { start } else { start.limit(T::from_f64(0.2 * self.length)) };
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

/// How a method steps something that holds a state.
struct Stepped<'a, T: Float, Held> {
    name: &'static str,
    state: fn(&Held) -> &State<T, 3, 1>,
    step: &'a dyn Fn(&Driven<T>, &mut Held) -> Taken<T>,
}

/// What a step returns.
type Taken<T> = Result<Report<T, 1>, StepError<T>>;

/// Steps as often as asked, every step without a flaw. The energy must be that which torque and damping leave.
fn walk<T: Float, Held: Copy + Debug>(
    sample: &Sample,
    Stepped { name, state, step }: &Stepped<'_, T, Held>,
    mut held: Held,
    count: u32,
) -> Result<Result<(), StepError<T>>, TestCaseError> {
    let (claim, system) = (Claim::of(name), sample.system::<T>());
    let (mut expected, h) = (sample.energy(state(&held)), state(&held).clock().step().to_f64());
    let mut scale = 9.81 * sample.length;
    for n in 1..=count {
        let (held_before, before) = (held, *state(&held));
        let result = step(&system, &mut held);
        let outcome = Outcome { name, result, after: *state(&held) };
        prop_assert_eq!(flaw(&system, &before, &outcome), None, "{} {:?}", n, core::any::type_name::<T>());
        let Outcome { after: state, .. } = outcome;
        if let Err(error) = result {
            prop_assert_eq!(bits(&held), bits(&held_before), "{}: {}", name, error);
            return Ok(Err(error));
        }
        expected += h / 2.0 * (sample.power(&before) + sample.power(&state));
        scale = magnitude(state.velocity()).to_f64().powi(2).max(scale);
        // An error of h^(p + 1) in each step, of h³ from the trapezoidal rule above, and round-off: where the position
        // constraint gives the velocities, that of the positions enters them as ε/h.
        let by_positions = claim.is_implicit() || name.starts_with("bdf_2");
        let round_off = T::EPSILON.to_f64() * if claim.positions && by_positions { 10.0 / sample.step } else { 10.0 };
        let each = sample.step.powi(i32::from(claim.order).min(2) + 1) + round_off;
        let (off, bound) = ((sample.energy(&state) - expected).abs(), 4.0 * scale * each * f64::from(n));
        prop_assert!(
            sample.step > 0.1 || off < bound,
            "{}, step {}: energy off by {:e}, bound {:e}",
            name,
            n,
            off,
            bound
        );
    }
    Ok(Ok(()))
}

/// Walks with every method; `judge` receives the outcome.
fn walks<T: Float>(
    sample: &Sample,
    count: u32,
    judge: impl Fn(&str, Result<(), StepError<T>>) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let mut found = Ok(());
    every_variant(&mut |method: &Any<Driven<T>, T, 3, 1>| {
        let name = method.name();
        let stepped = Stepped { name, state: |state| state, step: &|system, state| method.step(system, state) };
        if found.is_ok() {
            found =
                walk(sample, &stepped, sample.start(&Claim::of(name)), count).and_then(|result| judge(name, result));
        }
    });
    found?;
    let method = LocalRungeKutta4::partitioned();
    let stepped = Stepped {
        name: "runge_kutta_4_partitioned",
        state: Partitioned::state,
        step: &|system, held| method.step(system, held),
    };
    let start = Partitioned::new(sample.start(&Claim::of(stepped.name)));
    judge(stepped.name, walk(sample, &stepped, start, count)?)?;
    two_nodes(sample, count, "bdf_2", &Bdf2::new(), &judge)?;
    two_nodes(sample, count, "bdf_2_positions", &Bdf2::position_level(), &judge)
}

/// Walks with BDF2, which begins with a step of another method.
fn two_nodes<T: Float, const PROJECT: bool>(
    sample: &Sample,
    count: u32,
    name: &'static str,
    bdf2: &Bdf2<PROJECT>,
    judge: &impl Fn(&str, Result<(), StepError<T>>) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let nodes = match bdf2.begin(&sample.system::<T>(), sample.start(&Claim::of(name))) {
        Ok(nodes) => nodes,
        Err(error) => return judge(name, Err(error)),
    };
    let stepped = Stepped { name, state: TwoNodes::state, step: &|system, nodes| bdf2.step(system, nodes) };
    judge(name, walk(sample, &stepped, nodes, count)?)
}

fn succeeds<T: Float>(name: &str, result: Result<(), StepError<T>>) -> Result<(), TestCaseError> {
    prop_assert!(result.is_ok(), "{} in {}: {}", name, core::any::type_name::<T>(), result.unwrap_err());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Rods of 3 cm to 3 m and steps of up to 0.03 rad always succeed, with the energy that they should have.
    #[test]
    fn moderate_steps_are_good(sample in samples(-1.5..0.5, -3.5..-1.5)) {
        walks(&sample, 100, succeeds::<f32>)?;
        walks(&sample, 100, succeeds::<f64>)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// From 1 mm to 1 km, and steps of up to 30 rad: a step is correct or refused.
    #[test]
    fn any_step_is_good_or_refused(sample in samples(-3.0..3.0, -5.0..1.5)) {
        walks(&sample, 20, refused_as_expected::<f32>)?;
        walks(&sample, 20, refused_as_expected::<f64>)?;
    }
}

/// All inputs are finite and the model does not change. So the only reason is a step too large, with which Newton may diverge up to an
/// overflow.
fn refused_as_expected<T: Float>(name: &str, result: Result<(), StepError<T>>) -> Result<(), TestCaseError> {
    let too_large = |error: &StepError<T>| {
        matches!(
            error,
            StepError::NotConverged { .. }
                | StepError::OffConstraint { .. }
                | StepError::Singular { .. }
                | StepError::NonFinite { .. }
        )
    };
    prop_assert!(result.as_ref().err().is_none_or(too_large), "{}: {:?}", name, result);
    Ok(())
}

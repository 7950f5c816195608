//! What a step promises whatever it is given: after a success the residuals are within their limit, |g_i| ≤ √ε ‖G_i‖; after
//! a failure there is the documented error, and the state is as it was, bit for bit.

use nalgebra::vector;
use proptest::prelude::*;
use systems::{DoublePendulum, Pendulum};
use taut::linalg::{FactorError, Semidefinite, SymmetricFactors, Vector, magnitude};
use taut::method::{Composition, InvalidStep, Rattle, Report, StepError, StepSize, SymplecticEuler};
use taut::project::Level;
use taut::scalar::{Float, Real};
use taut::start::{Start, State, check};
use taut::system::{Lumped, Mechanical};

/// A method and the result of its step.
type Outcome<T, const M: usize> = (&'static str, Result<Report<T, M>, StepError<T>>);

/// Every method, each from the same state.
fn steps<T: Float, System, F, const N: usize, const M: usize>(
    system: &System,
    state: &State<T, N, M, F>,
    size: StepSize<T>,
) -> [(Outcome<T, M>, State<T, N, M, F>); 4]
where
    System: Mechanical<N, M, Base = T, Mass = Lumped<T, N>>,
    F: SymmetricFactors<T, M>,
{
    let [mut a, mut b, mut c, mut d] = [*state; 4];
    [
        (("RATTLE", Rattle::with_step(size).step(system, &mut a)), a),
        (("symplectic Euler", SymplecticEuler::with_step(size).step(system, &mut b)), b),
        (("Suzuki", Composition::suzuki(size).step(system, &mut c)), c),
        (("Kahan and Li", Composition::kahan_li(size).step(system, &mut d)), d),
    ]
}

/// Every bit of a state: its text has each number to the last digit, private parts included.
fn bits<T: Float, F: Copy + core::fmt::Debug, const N: usize, const M: usize>(state: &State<T, N, M, F>) -> String {
    format!("{state:?}")
}

/// Steps with every method; all must fail alike, leave the state and name its tick. Returns the errors.
fn refused<T: Float, System, F, const N: usize, const M: usize>(
    system: &System,
    state: &State<T, N, M, F>,
    size: StepSize<T>,
) -> [StepError<T>; 4]
where
    System: Mechanical<N, M, Base = T, Mass = Lumped<T, N>>,
    F: SymmetricFactors<T, M>,
{
    let before = bits(state);
    steps(system, state, size).map(|((name, result), after)| {
        let Err(error) = result else { panic!("{name} went on to {after:?}") };
        assert_eq!(bits(&after), before, "{name} changed the state");
        assert_eq!(after.save(), state.save());
        assert!(error.to_string().contains(&format!("tick {}", state.tick())), "{name}: {error}");
        error
    })
}

fn seconds<T: Float>(h: f64) -> StepSize<T> {
    StepSize::seconds(T::from_f64(h)).unwrap()
}

/// A pendulum under a torque, with a coordinate beside it that no constraint sees.
#[derive(Clone, Copy, Debug)]
struct Driven<T> {
    length: T,
    torque: T,
    /// The force on the free coordinate.
    push: T,
}

impl<T: Float> Driven<T> {
    fn standard() -> Self {
        Self { length: T::one(), torque: T::zero(), push: T::zero() }
    }

    fn start(&self) -> State<T, 3, 1> {
        Start::at(self, [0.6, -0.8, 0.0].map(T::from_f64)).at_tick(12).moving([0.8, 0.6, 1.0].map(T::from_f64)).unwrap()
    }
}

impl<T: Float> Mechanical<3, 1> for Driven<T> {
    type Base = T;
    type Mass = Lumped<T, 3>;

    fn mass(&self) -> Lumped<T, 3> {
        Lumped::new([T::one(); 3])
    }
    fn force<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 3>, v: &Vector<S, 3>) -> Vector<S, 3> {
        let damping = T::from_f64(-0.1);
        vector![
            q[1] * -self.torque + v[0] * damping,
            q[0] * self.torque + v[1] * damping - S::constant(9.81),
            S::from(self.push)
        ]
    }
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 3>) -> Vector<S, 1> {
        vector![(q[0] * q[0] + q[1] * q[1] - self.length * self.length) * T::from_f64(0.5)]
    }
}

fn inputs_that_are_not_finite<T: Float>() {
    let state = Driven::<T>::standard().start();
    for bad in [T::NAN, T::INFINITY, -T::INFINITY] {
        for error in refused(&Driven { torque: bad, ..Driven::standard() }, &state, seconds(1e-3)) {
            assert!(matches!(error, StepError::NonFinite { tick: 12, .. }), "torque {bad}: {error}");
        }
        // On a coordinate that no constraint sees.
        for error in refused(&Driven { push: bad, ..Driven::standard() }, &state, seconds(1e-3)) {
            assert!(matches!(error, StepError::NonFinite { tick: 12, .. }), "push {bad}: {error}");
        }
        // A constraint that is not a number: the state can not be on it.
        for error in refused(&Driven { length: bad, ..Driven::standard() }, &state, seconds(1e-3)) {
            assert!(matches!(error, StepError::Inconsistent { tick: 12, .. }), "length {bad}: {error}");
        }
    }
    // The state is good for the next step.
    for ((name, result), _) in steps(&Driven::standard(), &state, seconds(1e-3)) {
        assert!(result.is_ok(), "{name}");
    }
}

#[test]
fn inputs_that_are_not_finite_are_refused() {
    inputs_that_are_not_finite::<f32>();
    inputs_that_are_not_finite::<f64>();
}

#[test]
fn an_overflow_is_refused() {
    let state = Driven::<f32>::standard().start();
    for huge in [1e30, 3e38, -3e38] {
        for error in refused(&Driven { torque: huge, ..Driven::standard() }, &state, seconds(1e-3)) {
            assert!(matches!(error, StepError::NotConverged { .. } | StepError::NonFinite { .. }), "{huge}: {error}");
        }
    }
}

/// A force that is not a number on one side of a line.
struct Edge;

impl Mechanical<2, 1> for Edge {
    type Base = f64;
    type Mass = Lumped<f64, 2>;

    fn mass(&self) -> Lumped<f64, 2> {
        Lumped::new([1.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![(q.x - 0.9).sqrt() * 0.0, S::from(-9.81)]
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![(q.dot(q) - 1.0) * 0.5]
    }
}

#[test]
fn a_force_that_breaks_off_at_the_end_of_a_step_is_refused() {
    let rattle = Rattle::with_step(seconds(0.01));
    let mut state = Start::at(&Edge, [1.0, 0.0]).at_rest().unwrap();
    let error = loop {
        let before = bits(&state);
        match rattle.step(&Edge, &mut state) {
            Ok(_) => assert!(state.tick() < 100),
            Err(error) => {
                assert_eq!(bits(&state), before);
                break error;
            }
        }
    };
    // The force was a number where the step began, and the position was reached.
    assert!(state.position().x > 0.9);
    assert_eq!(error, StepError::NonFinite { tick: state.tick(), level: Level::Velocity, index: 0 });
    assert_eq!(error.to_string(), format!("tick {}: velocity 0 is not finite", state.tick()));
}

fn invalid_steps<T: Float>() {
    let bits = |number: T| number.to_f64().to_bits();
    for given in [0.0, -0.0, -1e-3, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, 1e300].map(T::from_f64) {
        let is_given = |error: InvalidStep<T>| bits(error.given) == bits(given);
        assert!(StepSize::seconds(given).is_err_and(is_given), "{given:e} s");
        assert!(StepSize::at_rate(given).is_err_and(is_given), "{given:e} Hz");
        assert!(Rattle::at_rate(given).is_err_and(is_given));
        assert!(SymplecticEuler::at_rate(given).is_err_and(is_given));
        assert!(Composition::suzuki_at_rate(given).is_err_and(is_given));
        assert!(Composition::kahan_li_at_rate(given).is_err_and(is_given));
    }
    let error = StepSize::seconds(T::from_f64(-0.5)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "-5e-1 is not a step size or a rate: it must be positive, and 1/h² far from overflow"
    );
}

#[test]
fn step_sizes_that_are_none_are_refused() {
    invalid_steps::<f32>();
    invalid_steps::<f64>();
    // 2/h² would be infinite, and a multiplier 0 · ∞.
    assert!(StepSize::seconds(6e-20_f32).is_err());
}

fn huge_steps<T: Float>() {
    let pendulum = Pendulum::<T>::standard();
    let state = Start::at(&pendulum, [T::one(), T::zero()]).at_rest().unwrap();
    let double = DoublePendulum::<T>::standard();
    let double_state = Start::at(&double, [1.0, 0.0, 2.0, 0.0].map(T::from_f64)).at_rest().unwrap();
    for h in [1.0, 1e3, 1e9, 1e18] {
        for error in refused(&pendulum, &state, seconds(h)) {
            assert!(
                matches!(error, StepError::NotConverged { tick: 0, .. } | StepError::NonFinite { .. }),
                "{h}: {error}"
            );
        }
        for error in refused(&double, &double_state, seconds(h)) {
            assert!(
                matches!(error, StepError::NotConverged { tick: 0, .. } | StepError::NonFinite { .. }),
                "{h}: {error}"
            );
        }
    }
}

#[test]
fn a_step_too_large_does_not_converge() {
    huge_steps::<f32>();
    huge_steps::<f64>();
    // The error says by how much.
    let pendulum = Pendulum::<f64>::standard();
    let mut state = Start::at(&pendulum, [1.0, 0.0]).at_rest().unwrap();
    let error = Rattle::with_step(seconds(0.4)).step(&pendulum, &mut state).unwrap_err();
    let StepError::NotConverged { tick: 0, residual } = error else { panic!("{error}") };
    assert_eq!((residual.level, residual.row), (Level::Position, 0));
    assert!(residual.residual.abs() > residual.limit && (residual.limit - 1.49e-8).abs() < 1e-10);
    assert!(error.to_string().starts_with("tick 0: not converged: residual "), "{error}");
}

/// A bead on two crossing wires, the axes: x y = 0. At the origin the constraint has no gradient.
struct Crossing;

impl Mechanical<2, 1> for Crossing {
    type Base = f64;
    type Mass = Lumped<f64, 2>;

    fn mass(&self) -> Lumped<f64, 2> {
        Lumped::new([1.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        Vector::zeros()
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![q.x * q.y]
    }
}

#[test]
fn a_singular_pose_met_on_the_way_is_refused() {
    // 1/8 m a step: the fourth ends at the origin.
    let mut state = Start::at(&Crossing, [-0.5, 0.0]).moving([1.0, 0.0]).unwrap();
    let rattle = Rattle::with_step(seconds(0.125));
    for _ in 0..3 {
        let _ = rattle.step(&Crossing, &mut state).unwrap();
    }
    let before = bits(&state);
    let error = rattle.step(&Crossing, &mut state).unwrap_err();
    assert!(
        matches!(error, StepError::Singular { tick: 3, cause: FactorError::SmallPivot { index: 0, pivot: 0.0, .. } }),
        "{error}"
    );
    assert_eq!(bits(&state), before);
    assert!(error.to_string().contains("tick 3: singular constraints: pivot 0e0 of row 0"), "{error}");
    let error = SymplecticEuler::with_step(seconds(0.125)).step(&Crossing, &mut state).unwrap_err();
    assert!(matches!(error, StepError::Singular { tick: 3, .. }), "{error}");
    assert_eq!(bits(&state), before);
    // A step that does not end there passes by.
    let _ = Rattle::with_step(seconds(0.1)).step(&Crossing, &mut state).unwrap();
}

/// Two guides for one coordinate that agree at first and part as t³.
struct Parting;

impl Mechanical<2, 2> for Parting {
    type Base = f64;
    type Mass = Lumped<f64, 2>;

    fn mass(&self) -> Lumped<f64, 2> {
        Lumped::new([1.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![S::from(1.0), S::from(1.0)]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 2>) -> Vector<S, 2> {
        vector![q.x - t, q.x - t - t * t * t]
    }
}

#[test]
fn constraints_that_come_to_contradict_each_other_are_refused() {
    let mut state: State<f64, 2, 2, Semidefinite<f64, 2>> =
        Start::at(&Parting, [0.0, 0.0]).redundant().at_rest().unwrap();
    // They part with 3 t²: after 50 µs by less than the limit, 1.5e-8 of a metre and of a metre a second, each.
    let report = Rattle::with_step(seconds(5e-5)).step(&Parting, &mut state).unwrap();
    assert_eq!(report.rank, 1);
    // A step of 1 ms on, the velocities contradict each other by 3.3e-6, half of it each.
    state.set_epoch(5e-5);
    let before = bits(&state);
    let error = Rattle::with_step(seconds(1e-3)).step(&Parting, &mut state).unwrap_err();
    let StepError::NotConverged { tick: 1, residual } = error else { panic!("{error}") };
    assert_eq!(residual.level, Level::Velocity);
    assert!((residual.residual.abs() - 1.65e-6).abs() < 2e-8, "{error}");
    assert_eq!(bits(&state), before);
}

fn changed_models<T: Float>() {
    let mut driven = Driven::<T>::standard();
    let state = driven.start();
    driven.length = T::from_f64(1.001);
    for error in refused(&driven, &state, seconds(1e-3)) {
        let StepError::Inconsistent { tick: 12, residual } = error else { panic!("{error}") };
        assert_eq!((residual.level, residual.row), (Level::Position, 0));
        assert!((residual.residual.to_f64() + 1.0005e-3).abs() < 1e-6, "{error}");
        assert!((residual.limit.to_f64() / T::ROOT_EPSILON.to_f64() - 1.0).abs() < 1e-3, "{error}");
        assert!(error.to_string().starts_with("tick 12: the model has changed: residual -1.000"), "{error}");
        assert!(error.to_string().contains("position constraint 0"), "{error}");
    }
    // An input is no such change.
    driven = Driven { torque: T::one(), ..Driven::standard() };
    for ((name, result), _) in steps(&driven, &state, seconds(1e-3)) {
        assert!(result.is_ok(), "{name}");
    }
}

#[test]
fn a_state_of_a_changed_model_is_refused() {
    changed_models::<f32>();
    changed_models::<f64>();
}

/// Steps as often as asked. Every success must be on the constraints, every failure must leave the state.
fn walk<T: Float, System, F, const N: usize, const M: usize>(
    system: &System,
    mut state: State<T, N, M, F>,
    size: StepSize<T>,
    count: usize,
    (gradients, acceleration): ([f64; M], f64),
) -> Result<Result<(), StepError<T>>, TestCaseError>
where
    System: Mechanical<N, M, Base = T, Mass = Lumped<T, N>>,
    F: SymmetricFactors<T, M>,
{
    let rattle = Rattle::with_step(size);
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
        // The report tells the truth, and the truth is within the limits.
        let consistency = check(system, &state, size.get());
        let speed = speed_before + magnitude(state.velocity()).to_f64() + acceleration * size.get().to_f64();
        for row in 0..M {
            let limit = T::ROOT_EPSILON.to_f64() * gradients[row];
            let residual = consistency.position_residual[row].to_f64();
            prop_assert!(residual.abs() <= 1.001 * limit, "row {row}: {residual:e} against {limit:e}");
            // Reported is a difference along the step, so the two agree up to the round-off of an evaluation at q.
            let reported = report.position_residual[row].to_f64();
            let round_off = 8.0 * T::EPSILON.to_f64() * gradients[row] * (1.0 + magnitude(state.position()).to_f64());
            prop_assert!(
                (residual - reported).abs() <= round_off,
                "row {row}: {reported:e} reported, {residual:e} found"
            );
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
        (system, Start::at(&system, q).moving([speed * cos, speed * sin].map(T::from_f64)).unwrap())
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
        (system, Start::at(&system, q.map(T::from_f64)).moving(v.map(T::from_f64)).unwrap())
    }

    /// The step, such that the fastest rod turns by about `step` radians in it.
    fn size<T: Float>(&self) -> StepSize<T> {
        StepSize::seconds(T::from_f64(self.step / self.fastest())).unwrap()
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
    let one = walk(&system, state, sample.size(), count, ([sample.length], acceleration))?;
    let (system, state) = sample.double_pendulum::<T>();
    let gradients = [sample.length, 2.0_f64.sqrt() * sample.length];
    Ok([one, walk(&system, state, sample.size(), count, (gradients, acceleration))?])
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

    /// From 1 mm to 1 km, and steps of up to 30 rad: whatever succeeds is on the constraints, the rest does not converge.
    #[test]
    fn any_step_is_on_the_constraints_or_refused(sample in samples(-3.0..3.0, -5.0..1.5)) {
        for result in both::<f32>(&sample, 50)? {
            prop_assert!(matches!(result, Ok(()) | Err(StepError::NotConverged { .. })), "f32: {result:?}");
        }
        for result in both::<f64>(&sample, 50)? {
            prop_assert!(matches!(result, Ok(()) | Err(StepError::NotConverged { .. })), "f64: {result:?}");
        }
    }

    /// Any bits whatsoever: no panic, no half-made step, nothing that is not a number.
    #[test]
    fn any_bits_are_handled(numbers in proptest::array::uniform8(any::<u32>()), mask in 0_u32..256) {
        // Some of the inputs are arbitrary, the others what they should be.
        let usual = [1.0_f32, 0.0, 0.0, 0.6, -0.8, 0.8, 0.6, 1e-3];
        let any: [f32; 8] =
            core::array::from_fn(|i| if mask >> i & 1 == 1 { f32::from_bits(numbers[i]) } else { usual[i] });
        let [length, torque, push, x, y, u, v, h] = any;
        let system = Driven { length, torque, push };
        let (Ok(size), Ok(state)) = (StepSize::seconds(h), Start::at(&system, [x, y, 0.0]).moving([u, v, 1.0])) else {
            return Ok(());
        };
        prop_assert!(state.position().iter().chain(state.velocity()).all(|x| x.is_finite()));
        let before = bits(&state);
        for ((name, result), after) in steps(&system, &state, size) {
            match result {
                Ok(_) => prop_assert!(after.position().iter().chain(after.velocity()).all(|x| x.is_finite()), "{name}"),
                Err(error) => {
                    prop_assert_eq!(bits(&after), before.clone(), "{}: {}", name, error);
                }
            }
        }
    }
}

#[test]
fn samples_start_where_they_should() {
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
    assert!(check(&system, &state, 1.0).velocity_residual.iter().all(|residual| residual.abs() < 1e-15));
}

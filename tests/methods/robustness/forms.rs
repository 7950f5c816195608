//! Properties of Radau IIA, BDF2 and Runge–Kutta 4 on the other forms, and of the charts: from any place, with any speed, at any step.

use core::fmt::Debug;
use core::marker::PhantomData;

use mechanisms::{Breathing, RigidBody};
use nalgebra::vector;
use proptest::prelude::*;
use taut::linalg::Vector;
use taut::method::{Bdf2, Chart, RadauIia, RungeKutta4, Step, StepError, TwoNodes};
use taut::project::{Invariant, OnManifold};
use taut::scalar::{Float, Real};
use taut::start::{Clock, ImplicitState, IndexThreeState, ManifoldState, SemiExplicitState, Start};
use taut::system::{Mechanical, SemiExplicit};

use crate::variants::{bits, seconds};

/// A place on the sphere, two velocities along it, and the step in seconds.
type Sample = (f64, f64, f64, f64, f64);

fn samples() -> impl Strategy<Value = Sample> {
    // Steps over powers of ten, so that every size is as likely.
    (-3.2..3.2, -1.5..1.5, -5.0..5.0, -5.0..5.0, (-5.0..1.0).prop_map(|power: f64| 10_f64.powf(power)))
}

/// Positions and velocities at t = 0, where r = 1 and r' = 0.4, and a multiplier that is consistent.
fn start<T: Float>((azimuth, height, along, up, h): Sample) -> (Clock<T>, [Vector<T, 3>; 2], T) {
    let ((s, c), (s2, c2)) = (azimuth.sin_cos(), height.sin_cos());
    let q = vector![c * c2, s * c2, s2];
    let v = q * 0.4 + vector![-s, c, 0.0] * along + vector![-c * s2, -s * s2, c2] * up;
    let [q, v] = [q, v].map(|x| x.map(T::from_f64));
    let system = Breathing::<T>::new();
    let state = Start::at(&system, seconds(h), q).limit(T::from_f64(0.01)).moving(v).unwrap();
    (seconds(h), [*state.position(), *state.velocity()], state.multipliers(&system).unwrap()[0])
}

/// Ten steps. Each leaves finite numbers that satisfy the constraint, or the whole state as it was.
fn walk<T: Float, State: Copy + Debug, R>(
    mut state: State,
    step: impl Fn(&mut State) -> Result<R, StepError<T>>,
    numbers: impl Fn(&State) -> Vec<T>,
    residual: impl Fn(&State) -> T,
) -> Result<(), TestCaseError> {
    for n in 0..10 {
        let before = state;
        if let Err(error) = step(&mut state).map(|_| ()) {
            prop_assert_eq!(bits(&state), bits(&before), "{}", error);
            let known = matches!(
                error,
                StepError::NotConverged { .. }
                    | StepError::OffConstraint { .. }
                    | StepError::Singular { .. }
                    | StepError::SingularWithin { .. }
                    | StepError::NonFinite { .. }
            );
            prop_assert!(known, "{}", error);
            return Ok(());
        }
        let size = numbers(&state).into_iter().fold(1.0, |size, x| x.to_f64().abs().max(size));
        prop_assert!(size.is_finite(), "{} {:?}", n, state);
        // A distance of √ε (1 + |y|) from the constraint, whose gradient has entries up to a few times |y|.
        let (off, limit) = (residual(&state).to_f64().abs(), 16.0 * T::ROOT_EPSILON.to_f64() * size * size);
        prop_assert!(off <= limit, "{}: off by {:e}, the limit is {:e}: {:?}", n, off, limit, state);
    }
    Ok(())
}

fn explicit<T: Float, const LEVEL: usize>(sample: Sample) -> Result<(), TestCaseError> {
    let (clock, [q, v], z) = start::<T>(sample);
    let (system, y) = (Breathing::<T, LEVEL>::new(), vector![q.x, q.y, q.z, v.x, v.y, v.z]);
    let numbers = |state: &SemiExplicitState<T, 6, 1>| {
        state.differential().iter().chain(state.algebraic()).copied().collect::<Vec<_>>()
    };
    let residual = |state: &SemiExplicitState<T, 6, 1>| {
        system.constraint(state.clock().time(), state.differential(), state.algebraic())[0]
    };
    let state = SemiExplicitState::start(&system, clock, y, [z]).unwrap();
    walk(state, |state| RadauIia::order_three().step(&system, state), numbers, residual)?;
    walk(state, |state| RadauIia::order_five().step(&system, state), numbers, residual)?;
    walk(state, |state| RungeKutta4::new().step(&system, state), numbers, residual)?;
    let Ok(nodes) = Bdf2::new().begin_semi_explicit(&system, state) else { return Ok(()) };
    walk(
        nodes,
        |nodes| Bdf2::new().step(&system, nodes),
        |nodes: &TwoNodes<_, _>| numbers(nodes.state()),
        |nodes: &TwoNodes<_, _>| residual(nodes.state()),
    )
}

fn implicit<T: Float, const LEVEL: usize>(sample: Sample) -> Result<(), TestCaseError> {
    let (clock, [q, v], z) = start::<T>(sample);
    let (system, u) = (Breathing::<T, LEVEL>::new(), Vector::from([q.x, q.y, q.z, v.x, v.y, v.z, z]));
    let numbers = |state: &ImplicitState<T, 7>| state.variables().iter().copied().collect::<Vec<_>>();
    let residual = |state: &ImplicitState<T, 7>| {
        let u = state.variables();
        let y = u.fixed_rows::<6>(0).into_owned();
        SemiExplicit::constraint(&system, state.clock().time(), &y, &vector![u[6]])[0]
    };
    let state = ImplicitState::start(&system, clock, u).unwrap();
    walk(state, |state| RadauIia::order_three().step(&system, state), numbers, residual)?;
    walk(state, |state| RadauIia::order_five().step(&system, state), numbers, residual)
}

fn general<T: Float>(sample: Sample) -> Result<(), TestCaseError> {
    let (clock, [q, v], _) = start::<T>(sample);
    let system = Breathing::<T>::new();
    let numbers = |state: &IndexThreeState<T, 3, 3, 1>| {
        state.position().iter().chain(state.velocity()).copied().collect::<Vec<_>>()
    };
    let residual = |state: &IndexThreeState<T, 3, 3, 1>| {
        Mechanical::constraint(&system, state.clock().time(), state.position())[0]
    };
    let state = IndexThreeState::start(&system, clock, q, v).unwrap();
    walk(state, |state| RadauIia::order_three().step(&system, state), numbers, residual)?;
    walk(state, |state| RadauIia::order_five().step(&system, state), numbers, residual)
}

/// The angular momentum of a rigid body, on the unit sphere.
struct Sphere<T>(PhantomData<T>);

impl<T: Float> Invariant<3, 1> for Sphere<T> {
    type Base = T;
    fn residual<S: Real<Base = T>>(&self, y: &Vector<S, 3>) -> Vector<S, 1> {
        vector![(y.dot(y) - S::one()) * S::constant(0.5)]
    }
}

impl<T: Float> OnManifold<3, 1> for Sphere<T> {
    fn rate(&self, _t: T, y: &Vector<T, 3>) -> Vector<T, 3> {
        RigidBody::rate(y)
    }
}

fn charts<T: Float>(sample: Sample) -> Result<(), TestCaseError> {
    let (clock, [q, _], _) = start::<T>(sample);
    let system = Sphere(PhantomData);
    let state = ManifoldState::start(&system, clock, q).unwrap();
    let numbers = |state: &ManifoldState<T, 3, 1>| state.point().iter().copied().collect::<Vec<_>>();
    let residual = |state: &ManifoldState<T, 3, 1>| system.residual(state.point())[0];
    walk(state, |state| RungeKutta4::new().step(&system, state), numbers, residual)?;
    for chart in [Chart::Projected, Chart::Tangent, Chart::Stereographic] {
        walk(state, |state| chart.step(&system, state), numbers, residual)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn semi_explicit_systems(sample in samples()) {
        explicit::<f32, 1>(sample)?;
        explicit::<f64, 1>(sample)?;
        explicit::<f32, 2>(sample)?;
        explicit::<f64, 2>(sample)?;
    }

    #[test]
    fn systems_with_a_singular_matrix(sample in samples()) {
        implicit::<f32, 1>(sample)?;
        implicit::<f64, 1>(sample)?;
        implicit::<f32, 2>(sample)?;
        implicit::<f64, 2>(sample)?;
    }

    #[test]
    fn the_general_form_of_index_three(sample in samples()) {
        general::<f32>(sample)?;
        general::<f64>(sample)?;
    }

    #[test]
    fn points_on_a_sphere(sample in samples()) {
        charts::<f32>(sample)?;
        charts::<f64>(sample)?;
    }
}

//! Every method steps every system that it supports through the trait [`Step`] and one generic function.

use std::collections::BTreeSet;

use crate::variants::{Any, Claim, bits, every_variant, seconds};
use mechanisms::{
    Arm, Bead, Chain, Crane, DoublePendulum, Driven, FiveBar, FourBar, GearPetzold, LinearImplicit, Lines, Pendulum,
    Problem51, Problem52, Ring, RobotArm, SliderCrank, SphericalPendulum, SteeringWheel, Transformed, TwoMasses,
};
use nalgebra::{matrix, vector};
use taut::control::Driven as Motors;
use taut::linalg::{Ldlt, SymmetricFactors, Vector};
use taut::method::{
    Composition, HalfExplicit, ImplicitEuler, InvalidComposition, NAMES, Rattle, Step, StepError, every_method,
    every_method_for_any_mass,
};
use taut::scalar::Float;
use taut::start::{Clock, ImplicitState, IndexThreeState, SemiExplicitState, Start, State, check};
use taut::system::{ConstantMass, Implicit, Mechanical, SemiExplicit};
use taut::trajectory::Circle;

/// Steps any system with any method that fits it.
fn run<System, State, Method: Step<System, State> + ?Sized>(
    method: &Method,
    system: &System,
    state: &mut State,
    steps: usize,
) -> Result<(), Method::Error> {
    for _ in 0..steps {
        method.step(system, state)?;
    }
    Ok(())
}

/// Runs a system of any form; the clock must have ticked. A broken system must be refused
/// and leave the state as it was.
fn runs<System, State, Method>(
    method: &Method,
    (system, broken): (&System, Option<&System>),
    start: &State,
    clock: fn(&State) -> &Clock<f64>,
) -> State
where
    State: Clone + core::fmt::Debug,
    Method: Step<System, State, Error = StepError<f64>> + ?Sized,
{
    let name = method.name();
    let mut state = start.clone();
    run(method, system, &mut state, STEPS).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (first, tick, time) = (clock(start), clock(&state).tick(), clock(&state).time());
    assert_eq!(tick, first.tick() + STEPS as u64, "{name}");
    assert!((time - first.time() - STEPS as f64 * first.step()).abs() < 1e-15, "{name}: {time}");
    if let Some(broken) = broken {
        let before = bits(&state);
        let error = run(method, broken, &mut state, 1).unwrap_err();
        assert_eq!(bits(&state), before, "{name}: {error}");
        assert!(error.to_string().starts_with(&format!("tick {tick}: ")), "{name}: {error}");
    }
    state
}

const STEPS: usize = 50;

/// Runs a mechanism with one method.
fn mechanism<System, F, const N: usize, const M: usize>(
    method: &Any<System, f64, N, M, F>,
    systems: (&System, Option<&System>),
    start: &State<f64, N, M, F>,
) where
    System: Mechanical<N, M, Base = f64>,
    F: SymmetricFactors<f64, M> + core::fmt::Debug,
{
    let (name, state) = (method.name(), runs(method, systems, start, State::clock));
    // Round-off of coordinates, velocities and gradients of up to a few units.
    let consistency = check(systems.0, &state);
    let residuals = consistency.position_residual.into_iter().chain(consistency.velocity_residual);
    for residual in residuals {
        assert!(residual.abs() < 1e-12, "{name}: {consistency:?}");
    }
    assert!(state.position() != start.position(), "{name} has not moved");
}

/// A mechanism of constant mass, with all methods. The broken one differs in its forces or constraints.
fn constant<System, F, const N: usize, const M: usize>(
    system: System,
    broken: Option<System>,
    start: impl Fn(&System) -> State<f64, N, M, F>,
) where
    System: Mechanical<N, M, Base = f64>,
    System::Mass: ConstantMass<f64, N>,
    F: SymmetricFactors<f64, M> + core::fmt::Debug,
{
    let (start, mut names) = (start(&system), Vec::new());
    every_method(|method: &Any<System, f64, N, M, F>| {
        names.push(method.name());
        mechanism(method, (&system, broken.as_ref()), &start);
    });
    assert_eq!(names, NAMES);
}

/// Ticks do not begin at zero.
fn clock() -> Clock<f64> {
    seconds(1e-3).at_tick(7)
}

#[test]
fn every_method_steps_every_mechanism_of_constant_mass() {
    let bad = f64::NAN;
    let pendulum = Pendulum::standard();
    constant(pendulum, Some(Pendulum { gravity: bad, ..pendulum }), |system| {
        Start::at(system, clock(), [1.0, 0.0]).at_rest().unwrap()
    });
    let double = DoublePendulum::standard();
    constant(double, Some(DoublePendulum { length: 1.1, ..double }), |system| {
        Start::at(system, clock(), [1.0, 0.0, 2.0, 0.0]).at_rest().unwrap()
    });
    constant(Chain::<f64, 6, 3>::standard(), Some(Chain { gravity: bad }), |system| {
        Start::at(system, clock(), Chain::<f64, 6, 3>::position()).at_rest().unwrap()
    });
    constant(SphericalPendulum::default(), None, |system| {
        Start::at(system, clock(), SphericalPendulum::position()).moving(SphericalPendulum::velocity()).unwrap()
    });
    let (q, v, _) = Problem51::exact(0.0);
    constant(Problem51::new(), None, |system| Start::at(system, clock(), q).moving(v).unwrap());
    constant(SliderCrank::standard(), None, |system| {
        Start::at(system, clock(), SliderCrank::position()).moving(SliderCrank::velocity()).unwrap()
    });
    constant(FourBar::standard(), Some(FourBar { gravity: bad }), |system| {
        Start::at(system, clock(), FourBar::guess()).at_rest().unwrap()
    });
    let arm = Motors { system: Arm::standard(), inputs: vector![1.0] };
    constant(arm, Some(Motors { inputs: vector![bad], ..arm }), |system| {
        Start::at(system, clock(), [0.5, 0.0]).at_rest().unwrap()
    });
    let crane = Motors { system: Crane::standard(), inputs: vector![0.0, 0.0] };
    constant(crane, Some(Motors { inputs: vector![bad, 0.0], ..crane }), |system| {
        Start::at(system, clock(), [0.1, -1.0, 0.0, 1.0]).at_rest().unwrap()
    });
    // A force that uses the velocity, and a coordinate that no constraint sees.
    let driven = Driven::standard();
    constant(driven, Some(Driven { push: bad, ..driven }), |system| {
        Start::at(system, clock(), [0.6, -0.8, 0.0]).moving([0.8, 0.6, 1.0]).unwrap()
    });
    // No constraint at all.
    let masses = Motors { system: TwoMasses::standard(), inputs: vector![1.0] };
    constant(masses, Some(Motors { inputs: vector![bad], ..masses }), |system| {
        Start::at(system, clock(), [0.0, 0.0]).at_rest().unwrap()
    });
}

#[test]
fn every_method_steps_moving_and_redundant_constraints() {
    constant(Bead, None, |system| Start::at(system, clock(), [1.5, 0.0]).moving([0.7, 4.5]).unwrap());
    let moving = Lines { rows: [[1.0, 0.5, 0.0, 2.0]], masses: [1.0, 3.0] };
    constant(moving, Some(Lines { masses: [f64::NAN; 2], ..moving }), |system| {
        Start::at(system, clock(), [0.0, 0.0]).at_rest().unwrap()
    });
    let twice = Lines { rows: [[1.0, 0.5, 0.0, 2.0], [2.0, 1.0, 0.0, 4.0]], masses: [1.0, 3.0] };
    constant(twice, None, |system| Start::at(system, clock(), [0.0, 0.0]).redundant().at_rest().unwrap());
    // Rank 17 of 18, and a piece that moves.
    constant(Ring { swing: 0.3 }, Some(Ring { swing: f64::NAN }), |system| {
        Start::at(system, clock(), Ring::position()).redundant().at_rest().unwrap()
    });
}

#[test]
fn every_method_for_any_mass_steps_a_mass_that_varies() {
    let system = FiveBar::standard();
    let broken = FiveBar { gravity: f64::NAN, ..system };
    let pose = system.elbows_out(vector![0.02, 0.18]);
    let start = Start::at(&system, clock(), pose).at_rest().unwrap();
    let mut names = Vec::new();
    every_method_for_any_mass(|method: &Any<FiveBar<f64>, f64, 4, 2, Ldlt<f64, 2>>| {
        names.push(method.name());
        mechanism(method, (&system, Some(&broken)), &start);
    });
    assert_eq!(names, NAMES[5..]);
}

#[test]
fn names_are_unique_and_known() {
    let mut names = Vec::new();
    every_variant(&mut |method: &Any<Pendulum<f64>, f64, 2, 1>| names.push(method.name()));
    assert_eq!(names[..NAMES.len()], NAMES);
    assert_eq!(BTreeSet::from_iter(&names).len(), names.len(), "{names:?}");
    for name in names {
        assert_eq!(Claim::of(name).name, name);
    }
}

/// Runs a semi-explicit system with every method that can; the constraint must hold.
fn semi_explicit<System, const Y: usize, const Z: usize>(
    system: &System,
    broken: Option<&System>,
    start: SemiExplicitState<f64, Y, Z>,
) where
    System: SemiExplicit<Y, Z, Base = f64>,
{
    type Any<System, const Y: usize, const Z: usize> =
        dyn Step<System, SemiExplicitState<f64, Y, Z>, Report = (), Error = StepError<f64>>;
    let methods: [&Any<System, Y, Z>; 5] = [
        &HalfExplicit::order_one(),
        &HalfExplicit::order_two(),
        &HalfExplicit::order_three(),
        &HalfExplicit::order_four(),
        &ImplicitEuler::new(),
    ];
    for method in methods {
        let state = runs(method, (system, broken), &start, SemiExplicitState::clock);
        let residual = system.constraint(state.clock().time(), state.differential(), state.algebraic());
        assert!(residual.amax() < 1e-13, "{}: {residual}", method.name());
    }
}

#[test]
fn semi_explicit_systems_step_through_the_trait() {
    let (sin, cos) = (-0.5_f64).sin_cos();
    let start = SemiExplicitState::start(&SteeringWheel::<f64, 1>::new(), clock(), [cos, sin], [1.0]).unwrap();
    semi_explicit(&SteeringWheel::<f64, 1>::new(), None, start);
    let start = SemiExplicitState::start(&SteeringWheel::<f64, 2>::new(), clock(), [cos, sin], [1.0]).unwrap();
    semi_explicit(&SteeringWheel::<f64, 2>::new(), None, start);
    // A path that jumps is refused.
    let angles = [1.0, 0.2, -0.6];
    let centre = RobotArm::<Circle<f64, 2>, 3>::hand(&Vector::from(angles)) - vector![0.5, 0.0];
    let [arm, jumped] = [0.5, 0.6]
        .map(|radius| RobotArm::<Circle<f64, 2>, 3> { path: Circle::around(centre, radius, 1, 1_000, 1e-3).unwrap() });
    let start = SemiExplicitState::start(&arm, clock(), angles, [0.0; 2]).unwrap();
    semi_explicit(&arm, Some(&jumped), start);
}

/// Runs M u' = F; u must satisfy the step's equations, M (u₁ − u₀) = h F.
fn implicit<System: Implicit<N, Base = f64>, const N: usize>(
    system: &System,
    broken: Option<&System>,
    start: ImplicitState<f64, N>,
) {
    let mut state = runs(&ImplicitEuler::new(), (system, broken), &start, ImplicitState::clock);
    let before = *state.variables();
    run(&ImplicitEuler::new(), system, &mut state, 1).unwrap();
    let u = state.variables();
    let off = system.mass() * (u - before) - system.force(state.clock().time(), u) * state.clock().step();
    assert!(off.amax() < 1e-13 * (1.0 + u.amax()), "{off}");
}

#[test]
fn implicit_systems_step_through_the_trait() {
    let linear = LinearImplicit { mass: [1.0, 0.0], force: matrix![1.0, 0.0; 1.0, 1.0] };
    let broken = LinearImplicit { mass: [1.0, 0.0], force: matrix![f64::NAN, 0.0; 1.0, 1.0] };
    implicit(&linear, Some(&broken), ImplicitState::start(&linear, clock(), [0.2, -0.2]).unwrap());
    let gear = GearPetzold { eta: -0.4 };
    implicit(&gear, Some(&GearPetzold { eta: -1.0 }), ImplicitState::given(&gear, clock(), gear.exact(0.0)).unwrap());
    let (sin, cos) = (-0.5_f64).sin_cos();
    let wheel = SteeringWheel::<f64, 2>::new();
    implicit(&wheel, None, ImplicitState::start(&wheel, clock(), [cos, sin, 1.0]).unwrap());
    let a = matrix![2.0, -1.0, 0.5; 0.3, 1.0, -2.0; 1.0, 1.5, 0.7];
    let turned = Transformed::<f64, 1> { a, b: matrix![1.0, 0.4, -0.3; -0.5, 1.2, 0.8; 0.6, -0.2, 1.1] };
    implicit(&turned, None, ImplicitState::start(&turned, clock(), [0.5, 0.2, 0.1]).unwrap());
}

#[test]
fn the_general_index_three_form_steps_through_the_trait() {
    let (system, euler) = (Problem52::new(), ImplicitEuler::new());
    let (p, q) = Problem52::exact(1.0);
    let start = IndexThreeState::start(&system, clock().at_time(1.0), p, q).unwrap();
    let mut state = runs(&euler, (&system, None), &start, IndexThreeState::clock);
    let exact = Problem52::exact(state.clock().time()).0;
    assert!((state.position() - Vector::from(exact)).amax() < 1e-3, "{}", state.position());
    // On to the singularity at t = 1.535, where a step is refused.
    let mut before = state;
    let error = loop {
        match run(&euler, &system, &mut state, 1) {
            Ok(()) => before = state,
            Err(error) => break error,
        }
    };
    assert_eq!(state, before, "{error}");
    assert!((state.clock().time() - 1.535).abs() < 2e-3, "{error}");
}

/// Positions and velocities of a run of the double pendulum, with all digits.
fn composed<T: Float, const S: usize>(method: Composition<T, S>) -> String {
    let system = DoublePendulum::<T>::standard();
    let guess = [1.0, 0.0, 2.0, 0.0].map(T::from_f64);
    let mut state = Start::at(&system, seconds(0.01), guess).at_rest().unwrap();
    run(&method, &system, &mut state, 200).unwrap();
    bits(&state)
}

/// 1/(4 − 4^(1/3)) four times; the middle one completes the sum to one.
const SUZUKI: [f64; 5] = {
    let outer = 0.414_490_771_794_375_7;
    [outer, outer, 1.0 - 4.0 * outer, outer, outer]
};

#[test]
fn a_composition_with_the_coefficients_of_suzuki_is_suzuki() {
    assert_eq!(composed::<f64, 5>(Composition::new("own", SUZUKI).unwrap()), composed(Composition::<f64, 5>::suzuki()));
    assert_eq!(composed::<f32, 5>(Composition::new("own", SUZUKI).unwrap()), composed(Composition::<f32, 5>::suzuki()));
    let own = Composition::<f64, 5>::new("own", SUZUKI).unwrap();
    assert_eq!(Step::<Pendulum<f64>, State<f64, 2, 1>>::name(&own), "own");

    // Two halves are two steps of RATTLE at half the step.
    let pendulum = Pendulum::<f64>::standard();
    let mut state = Start::at(&pendulum, seconds(0.02), [1.0, 0.0]).at_rest().unwrap();
    let mut halved = Start::at(&pendulum, seconds(0.01), [1.0, 0.0]).at_rest().unwrap();
    run(&Composition::new("halves", [0.5, 0.5]).unwrap(), &pendulum, &mut state, 100).unwrap();
    run(&Rattle::new(), &pendulum, &mut halved, 200).unwrap();
    assert_eq!((state.clock().tick(), halved.clock().tick()), (100, 200));
    assert!((state.position() - halved.position()).amax() < 1e-13, "{} {}", state.position(), halved.position());
}

#[test]
fn coefficients_that_do_not_make_a_composition_are_refused() {
    for given in [0.0, 0.06, -0.06, f64::INFINITY, f64::NEG_INFINITY] {
        let refused = Composition::<f64, 3>::new("bad", [0.5, given, 0.5 - given]);
        assert_eq!(refused, Err(InvalidComposition::Coefficient { stage: 1, given }));
    }
    let refused = Composition::<f64, 2>::new("bad", [f64::NAN, 0.5]);
    assert!(matches!(refused, Err(InvalidComposition::Coefficient { stage: 0, given }) if given.is_nan()));
    assert_eq!(Composition::<f32, 2>::new("long", [0.5, 0.75]), Err(InvalidComposition::Sum { sum: 1.25 }));
    assert_eq!(Composition::<f32, 0>::new("none", []), Err(InvalidComposition::Sum { sum: 0.0 }));
    // Off by more than the rounding of the coefficients.
    assert!(matches!(Composition::<f32, 2>::new("off", [0.5, 0.5 + 1e-12]), Err(InvalidComposition::Sum { .. })));
    let message = InvalidComposition::Sum { sum: 1.25 }.to_string();
    assert_eq!(message, "the coefficients add up to 1.25; they must add up to 1");
    let message = InvalidComposition::Coefficient { stage: 1, given: 0.0 }.to_string();
    assert_eq!(message, "coefficient 1 is 0e0; its magnitude must be finite and at least 0.0625");
}

#[test]
fn the_stages_of_yoshida_make_a_whole_step_in_single_precision() {
    // Without forces and constraints a step moves by h v times the sum of the coefficients, here 1/8 exactly.
    let masses = TwoMasses { stiffness: 0.0_f32, ..TwoMasses::standard() };
    let mut state = Start::at(&masses, seconds(0.125), [0.0, 0.0]).moving([1.0, -2.0]).unwrap();
    run(&Composition::yoshida(), &masses, &mut state, 1_000).unwrap();
    assert_eq!(state.position(), &vector![125.0, -250.0]);
}

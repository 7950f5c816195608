//! M u' = F(t, u) with a singular M: implicit Euler (Hairer, *Solving Differential Equations on Manifolds*, V.1 and V.6).

use mechanisms::{GearPetzold, LinearImplicit, SteeringWheel, Transformed};
use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::method::{ImplicitEuler, Step, StepError};
use taut::scalar::{Float, Real};
use taut::start::{Clock, ImplicitState, Part, SemiExplicitState, StartError};
use taut::system::Implicit;

const EULER: ImplicitEuler = ImplicitEuler::new();

fn clock<T: Float>(h: f64) -> Clock<T> {
    Clock::with_step(T::from_f64(h)).unwrap()
}

/// The error of Gear and Petzold's z at t = 1, and all z on the way.
fn run(eta: f64, h: f64) -> (f64, Vec<f64>) {
    let system = GearPetzold { eta };
    let mut state = ImplicitState::given(&system, clock(h), system.exact(0.0)).unwrap();
    let mut values = vec![];
    for _ in 0..(1.0 / h).round() as usize {
        EULER.step(&system, &mut state).unwrap();
        values.push(state.variables()[1]);
    }
    (state.variables()[1] - system.exact(1.0)[1], values)
}

#[test]
fn an_index_of_three_is_stable_or_not_as_its_recursion_says() {
    // η, h; z_N − z(1): J.6.2.eta… The factor of the recursion is η/(1 + η): −2/3, 0, and −3/2, which explodes.
    let table = [
        (-0.6, 0.1, -1.638227362075441),
        (-0.6, 0.05, -49.36259470250447),
        (-0.6, 0.025, -82525.86764585272),
        (-0.4, 0.1, 0.023646815057956294),
        (-0.4, 0.05, 0.012134219795285395),
        (-0.4, 0.025, 0.006104558621695233),
        (0.0, 0.1, -0.0411384459359907),
        (0.0, 0.05, -0.020807294502316775),
        (0.0, 0.025, -0.010461559757420913),
    ];
    for (eta, h, reference) in table {
        let (error, _) = run(eta, h);
        assert!(
            (error - reference).abs() <= 1e-6 * reference.abs() + 1e-10,
            "η = {eta}, h = {h}: {error}, not {reference}"
        );
    }
    // Growth by 1.5 a step, to 1e15 in a hundred: J.6.2.eta-0.6.h0.01.z1err.
    let (error, _) = run(-0.6, 0.01);
    assert!((error + 1217309663143067.8).abs() <= 1e-3 * 1217309663143067.8, "{error:e}");
    // Order 1 where it is stable.
    let errors = [0.1, 0.05, 0.025].map(|h| run(-0.4, h).0);
    assert!(errors.windows(2).all(|pair| ((pair[0] / pair[1]).log2() - 1.0).abs() < 0.05), "{errors:?}");
}

#[test]
fn it_is_the_recursion_of_the_form_with_a_varying_matrix() {
    // (6.2): z_n₊₁ = η/(1 + η) z_n + (g − Δf/h)/(1 + η); J.6.3.eta….equiv, to 1e-12.
    for eta in [-0.6, -0.4, 2.0] {
        let h = 0.1;
        let (_, values) = run(eta, h);
        let mut z = GearPetzold { eta }.exact(0.0)[1];
        for (n, found) in values.into_iter().enumerate() {
            let (before, t) = (n as f64 * h, (n + 1) as f64 * h);
            z = eta / (1.0 + eta) * z + ((t / 2.0).exp() - (t.sin() - before.sin()) / h) / (1.0 + eta);
            assert!((found - z).abs() < 1e-12 * (1.0 + z.abs()), "η = {eta}: {found} {z}");
        }
    }
}

#[test]
fn a_system_without_a_solution_is_refused() {
    // η = −1: the matrix of the step is singular for every h, J.6.2.eta-1 and J.6.3.eta-1.det; that is, the pencil is.
    let system = GearPetzold { eta: -1.0 };
    assert!(matches!(ImplicitState::given(&system, clock(0.01), system.exact(0.0)), Err(StartError::Pencil(_))));
    // And if η becomes −1 on the way, the step says so.
    for h in [0.1, 0.01, 0.003] {
        let mut state = ImplicitState::given(&GearPetzold { eta: -0.4 }, clock(h), system.exact(0.0)).unwrap();
        let before = state;
        let error = EULER.step(&system, &mut state).unwrap_err();
        assert!(matches!(error, StepError::Singular { tick: 0, .. }), "{error}");
        assert_eq!(state, before);
    }
}

fn invariance<T: Float, const INDEX: usize>(h: f64, tolerance: f64) {
    let number = T::from_f64;
    let a = matrix![2.0, -1.0, 0.5; 0.3, 1.0, -2.0; 1.0, 1.5, 0.7].map(number);
    let b = matrix![1.0, 0.4, -0.3; -0.5, 1.2, 0.8; 0.6, -0.2, 1.1].map(number);
    let wheel = SteeringWheel::<T, INDEX>::new();
    let (sin, cos) = (-0.5_f64).sin_cos();
    let mut plain = SemiExplicitState::start(&wheel, clock(h), [number(cos), number(sin)], [T::one()]).unwrap();
    let inverse = b.map(|x| x.to_f64()).try_inverse().unwrap();
    let yz = vector![plain.differential()[0], plain.differential()[1], plain.algebraic()[0]].map(|x| x.to_f64());
    let system = Transformed::<T, INDEX> { a, b };
    let mut state = ImplicitState::given(&system, clock(h), (inverse * yz).map(number)).unwrap();
    assert_eq!(state.rank(), 2);
    for step in 0..(1.0 / h).round() as usize {
        EULER.step(&wheel, &mut plain).unwrap();
        EULER.step(&system, &mut state).unwrap();
        let found = b * state.variables();
        let expected = vector![plain.differential()[0], plain.differential()[1], plain.algebraic()[0]];
        let off = (found - expected).map(|x| x.to_f64()).norm();
        assert!(off < tolerance, "index {INDEX}, step {step}: {off:e}");
    }
}

#[test]
fn the_method_commutes_with_linear_transformations() {
    // (1.7)–(1.10). Round-off in z is ε/h with index 2, times the condition of the two matrices, about ten.
    invariance::<f64, 1>(0.01, 1e-13);
    invariance::<f64, 2>(0.01, 1e-11);
    invariance::<f32, 1>(0.01, 1e-4);
    invariance::<f32, 2>(0.01, 5e-3);
}

#[test]
fn starts_that_are_not_consistent_are_refused() {
    // det (M − s F) = 0 for all s: the second column is zero.
    let pencil = LinearImplicit { mass: [1.0, 0.0], force: matrix![1.0, 0.0; 1.0, 0.0] };
    assert!(matches!(ImplicitState::given(&pencil, clock(0.01), [0.0, 0.0]), Err(StartError::Pencil(_))));
    // Index 1: u₁' = u₁, 0 = u₁ + u₂ − t.
    let one = LinearImplicit { mass: [1.0, 0.0], force: matrix![1.0, 0.0; 1.0, 1.0] };
    assert!(ImplicitState::given(&one, clock(0.01).at_time(0.5), [0.2, 0.3]).is_ok());
    assert!(matches!(
        ImplicitState::given(&one, clock(0.01).at_time(0.5), [0.2, 0.2]),
        Err(StartError::NotAssembled { .. })
    ));
    // Index 2: u₁' = u₂, 0 = u₁ − t, so u₂ = 1 is hidden.
    let two = LinearImplicit { mass: [1.0, 0.0], force: matrix![0.0, 1.0; 1.0, 0.0] };
    assert!(ImplicitState::given(&two, clock(0.01).at_time(0.5), [0.5, 1.0]).is_ok());
    assert!(matches!(
        ImplicitState::given(&two, clock(0.01).at_time(0.5), [0.4, 1.0]),
        Err(StartError::NotAssembled { .. })
    ));
    assert!(matches!(ImplicitState::given(&two, clock(0.01).at_time(0.5), [0.5, 0.9]), Err(StartError::Velocity(_))));
    // An ordinary differential equation has no constraint.
    let none = LinearImplicit { mass: [2.0, 1.0], force: matrix![0.0, 1.0; 1.0, 0.0] };
    assert_eq!(ImplicitState::given(&none, clock(0.01).at_time(0.5), [0.3, 0.9]).unwrap().rank(), 2);
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!(
            ImplicitState::given(&one, clock(0.01), [0.0, bad]),
            Err(StartError::NonFinite { part: Part::Variable, index: 1 })
        );
        assert!(ImplicitState::given(&one, clock(0.01).at_time(bad), [0.0, 0.0]).is_err());
        let broken = LinearImplicit { mass: [bad, 0.0], force: matrix![1.0, 0.0; 1.0, 1.0] };
        assert!(matches!(ImplicitState::given(&broken, clock(0.01), [0.0, 0.0]), Err(StartError::Pencil(_))));
    }
    // A model that has changed under the state.
    let mut state = ImplicitState::given(&one, clock(0.01).at_time(0.5), [0.2, 0.3]).unwrap();
    let changed = LinearImplicit { mass: [1.0, 0.0], force: matrix![1.0, 0.0; 1.0, 2.0] };
    let error = EULER.step(&changed, &mut state).unwrap_err();
    assert!(matches!(error, StepError::Inconsistent { tick: 0, .. }), "{error}");
}

/// m u' = sin t: nothing depends on u. Or 0 = u − sin t, without anything that moves.
struct Thrust {
    mass: f64,
    stiffness: f64,
}

impl Implicit<1> for Thrust {
    type Base = f64;

    fn mass(&self) -> Matrix<f64, 1, 1> {
        matrix![self.mass]
    }
    fn force<S: Real<Base = f64>>(&self, t: S, u: &Vector<S, 1>) -> Vector<S, 1> {
        vector![t.sin() - u[0] * self.stiffness]
    }
}

#[test]
fn a_regular_pencil_may_lack_one_of_its_matrices() {
    for mass in [1e-300, 1e-3, 1.0, 10.0, 1e3, 1e300] {
        let thrust = Thrust { mass, stiffness: 0.0 };
        let mut state = ImplicitState::given(&thrust, clock(0.01), [0.0]).unwrap();
        assert_eq!(state.rank(), 1);
        EULER.step(&thrust, &mut state).unwrap();
        assert!((state.variables()[0] * mass / 0.01 - 0.01_f64.sin()).abs() < 1e-17, "{mass}");
    }
    for stiffness in [1e-3, 1.0, 1e3] {
        let spring = Thrust { mass: 0.0, stiffness };
        let mut state = ImplicitState::given(&spring, clock(0.01), [0.0]).unwrap();
        assert_eq!(state.rank(), 0);
        EULER.step(&spring, &mut state).unwrap();
        assert!((state.variables()[0] * stiffness - 0.01_f64.sin()).abs() < 1e-17, "{stiffness}");
    }
    // With neither, no u is a solution, or every u.
    let nothing = Thrust { mass: 0.0, stiffness: 0.0 };
    assert!(matches!(ImplicitState::given(&nothing, clock(0.01), [0.0]), Err(StartError::Pencil(_))));
}

/// u₁' = u₂ and 0 = u₁ − t (index 2), or 0 = u₁ + u₂ − t (index 1), each equation in units of its own.
#[derive(Clone, Copy)]
struct Scaled {
    scales: [f32; 2],
    index: usize,
    offset: f32,
}

impl Implicit<2> for Scaled {
    type Base = f32;

    fn mass(&self) -> Matrix<f32, 2, 2> {
        matrix![self.scales[0], 0.0; 0.0, 0.0]
    }
    fn force<S: Real<Base = f32>>(&self, t: S, u: &Vector<S, 2>) -> Vector<S, 2> {
        let path = if self.index == 2 { u[0] } else { u[0] + u[1] };
        vector![u[1] * self.scales[0], (path - t + self.offset) * self.scales[1]]
    }
}

#[test]
fn the_units_of_the_equations_change_nothing() {
    let run = |index: usize, powers: [i32; 2]| {
        let what = format!("index {index}, 2^{powers:?}");
        let system = Scaled { scales: powers.map(|power| 2.0_f32.powi(power)), index, offset: 0.0 };
        let good = if index == 2 { [0.5, 1.0] } else { [0.2, 0.3] };
        let mut state = ImplicitState::given(&system, clock(0.01).at_time(0.5), good).unwrap();
        for _ in 0..100 {
            EULER.step(&system, &mut state).unwrap();
        }
        // Off by a tenth: the constraint, the hidden one, and a step under which the constraint has jumped.
        let off = ImplicitState::given(&system, clock(0.01).at_time(0.5), [good[0] + 0.1, good[1]]);
        assert!(matches!(off, Err(StartError::NotAssembled { .. })), "{what}: {off:?}");
        if index == 2 {
            let off = ImplicitState::given(&system, clock(0.01).at_time(0.5), [0.5, 0.9]);
            assert!(matches!(off, Err(StartError::Velocity(_))), "{what}: {off:?}");
        }
        let error = EULER.step(&Scaled { offset: 0.1, ..system }, &mut state).unwrap_err();
        assert!(matches!(error, StepError::Inconsistent { .. }), "{what}: {error}");
        *state.variables()
    };
    // Powers of two go through every operation without a rounding: the same bits, unless pivots change their order. What f32 leaves
    // in u₂ with index 2 is ε/h for u of about one, in any order.
    for index in [1, 2] {
        let plain = run(index, [0, 0]);
        for powers in [[-13, -13], [13, 13], [-13, 0], [13, 0], [0, -13], [0, 13]] {
            let off = (run(index, powers) - plain).amax();
            assert!(off <= 2.0 * f32::EPSILON / 0.01, "index {index}, 2^{powers:?}: {off:e}");
        }
    }
}

//! Implicit Euler: the tables of Arévalo (numerically consistent initial values), the spherical pendulum of Hairer's lecture
//! notes, orders.

use systems::{Problem51, SphericalPendulum};
use taut::linalg::Vector;
use taut::method::{ImplicitEuler, Report, StepError, StepSize};
use taut::start::{Start, State};

fn size(h: f64) -> StepSize<f64> {
    StepSize::seconds(h).unwrap()
}

fn problem_5_1() -> State<f64, 2, 1> {
    let (q, v, _) = Problem51::exact(0.0);
    Start::at(&Problem51::new(), q).moving(v).unwrap()
}

#[test]
fn table_5_1_from_exact_initial_values() {
    // A.T5.1.*.exactIV: the error of λ is O(1) in the first step and O(h) from the second on.
    for (h, errors) in [
        (0.0005, &[2.0040019999995, 0.004008508, 0.004018538, 0.004028588][..]),
        (0.001, &[2.008008, 0.00803406394][..]),
    ] {
        let euler = ImplicitEuler::position_level(size(h));
        let mut state = problem_5_1();
        for (n, expected) in errors.iter().enumerate() {
            let report = euler.step(&Problem51::new(), &mut state).unwrap();
            let error = (report.multipliers[0] - Problem51::exact(h * (n + 1) as f64).2).abs();
            // Round-off enters λ as ε/h².
            assert!((error - expected).abs() < 1e-8, "h = {h}, step {}: {error}, not {expected}", n + 1);
        }
    }
}

#[test]
fn table_5_1_from_numerically_consistent_values() {
    for (h, expected, velocity) in
        [(0.0005, 0.004003, [1.08144662245, -1.68240250974]), (0.001, 0.008012, [1.08228971033, -1.68186473857])]
    {
        let euler = ImplicitEuler::position_level(size(h));
        let mut state = problem_5_1();
        euler.make_consistent(&Problem51::new(), &mut state).unwrap();
        assert!((state.velocity() - Vector::<f64, 2>::from(velocity)).amax() < 1e-10, "{}", state.velocity());
        let report = euler.step(&Problem51::new(), &mut state).unwrap();
        let error = (report.multipliers[0] - Problem51::exact(h).2).abs();
        assert!((error - expected).abs() < 1e-6, "h = {h}: {error}, not {expected}");
    }
}

type Pendulum = SphericalPendulum<f64>;

/// (q, v) after 1, 10, 100 steps, and the energy lost at the end, of 10,000 steps with h = 0.01.
fn spherical(
    step: impl Fn(&mut State<f64, 3, 1>) -> Result<Report<f64, 1>, StepError<f64>>,
) -> ([[f64; 6]; 3], f64, f64) {
    let system = Pendulum::default();
    let mut state = Start::at(&system, Pendulum::position()).moving(Pendulum::velocity()).unwrap();
    let energy = system.energy(state.position(), state.velocity());
    let mut states = [[0.0; 6]; 3];
    for n in 1..=10_000 {
        let _ = step(&mut state).unwrap();
        if let Some(k) = [1, 10, 100].iter().position(|mark| *mark == n) {
            states[k][..3].copy_from_slice(state.position().as_slice());
            states[k][3..].copy_from_slice(state.velocity().as_slice());
        }
    }
    (states, system.energy(state.position(), state.velocity()) - energy, state.position().z)
}

fn assert_states(ours: &[[f64; 6]; 3], reference: &[[f64; 6]; 3]) {
    for (ours, reference) in ours.iter().flatten().zip(reference.iter().flatten()) {
        assert!((ours - reference).abs() < 1e-11, "{ours} is not {reference}");
    }
}

#[test]
fn spherical_pendulum_without_projection() {
    let euler = ImplicitEuler::position_level(size(0.01)).iterations::<10>();
    let (states, energy, height) = spherical(|state| euler.step(&Pendulum::default(), state));
    // B.IE.h0.01.state.n1, n10, n100.
    assert_states(
        &states,
        &[
            [
                0.9691259976117097,
                0.064835613737096,
                0.2378889319502752,
                0.5567812194516707,
                6.4835613737096,
                -2.9609896674312175,
            ],
            [
                0.8095396936801791,
                0.583976214728401,
                -0.06014370280994076,
                -3.476635401349474,
                4.87577555545274,
                -3.3904442389098333,
            ],
            [
                0.8650108176478217,
                -0.33344090625698974,
                0.37493125688153034,
                2.339079461025887,
                4.184917879600349,
                -1.344110166522471,
            ],
        ],
    );
    assert!((energy + 26.472846049022007).abs() < 1e-8 && (height + 0.883648172983063).abs() < 1e-8);
}

#[test]
fn spherical_pendulum_with_velocity_projection() {
    let euler = ImplicitEuler::position_level(size(0.01)).projecting_velocities().iterations::<10>();
    let (states, energy, height) = spherical(|state| euler.step(&Pendulum::default(), state));
    // B.IEP.h0.01.state.n1, n10, n100.
    assert_states(
        &states,
        &[
            [
                0.9691259976117097,
                0.064835613737096,
                0.2378889319502752,
                0.3091015272526353,
                6.466991325136439,
                -3.0217869812874167,
            ],
            [
                0.8053805877542166,
                0.5893046308020071,
                -0.06389179120968888,
                -3.7924120258682477,
                4.809345447986919,
                -3.445911886428637,
            ],
            [
                0.9720705644766711,
                0.1327320542468913,
                0.19354849380299075,
                -0.1985521428500946,
                5.206089029782084,
                -2.573040937449764,
            ],
        ],
    );
    assert!((energy + 26.12567698880432).abs() < 1e-8 && (height + 0.522362050862202).abs() < 1e-8);
}

/// Errors of positions, velocities and multipliers of Problem 5.1 at t = 1, against those of the reference (relative 1e-3).
fn assert_errors(
    table: [(f64, [f64; 3]); 3],
    step: impl Fn(f64, &mut State<f64, 2, 1>) -> Result<Report<f64, 1>, StepError<f64>>,
) {
    for (h, expected) in table {
        let (q, v, _) = Problem51::exact(0.0);
        // On the lower levels the positions drift, by 0.07 at the most here.
        let mut state = Start::at(&Problem51::new(), q).limit(0.2).moving(v).unwrap();
        let mut multiplier = 0.0;
        for _ in 0..(1.0 / h).round() as u32 {
            multiplier = step(h, &mut state).unwrap().multipliers[0];
        }
        let (q, v, exact) = Problem51::exact(1.0);
        let errors = [(state.position() - q).norm(), (state.velocity() - v).norm(), (multiplier - exact).abs()];
        for (error, expected) in errors.iter().zip(expected) {
            assert!((error - expected).abs() < 1e-3 * expected, "h = {h}: {errors:?}, not {expected}");
        }
    }
}

#[test]
fn problem_5_1_on_the_position_level() {
    // D.P51.index3.IE: order 1 in positions, velocities and multipliers.
    let table = [
        (0.01, [0.08689946069793976, 0.4868798678307634, 2.1759798913993595]),
        (0.005, [0.045143617719185236, 0.2572598731149032, 1.176011283817239]),
        (0.0025, [0.023024947095035598, 0.13241768980550034, 0.6128737179228487]),
    ];
    assert_errors(table, |h, state| {
        ImplicitEuler::position_level(size(h)).iterations::<10>().step(&Problem51::new(), state)
    });
}

#[test]
fn problem_5_1_on_the_velocity_level() {
    // D.P51.index2.IE.
    let table = [
        (0.01, [0.04669065976084037, 0.18676263904336113, 0.08000000000005869]),
        (0.005, [0.023604827521686963, 0.0944193100867482, 0.039999999999912106]),
        (0.0025, [0.011867056896580042, 0.04746822758632569, 0.019999999999971152]),
    ];
    assert_errors(table, |h, state| {
        ImplicitEuler::velocity_level(size(h)).iterations::<10>().step(&Problem51::new(), state)
    });
}

#[test]
fn problem_5_1_on_the_acceleration_level() {
    // D.P51.index1.IE.
    let table = [
        (0.01, [0.09745334714859179, 0.3383200787642588, 1.6831693403142651]),
        (0.005, [0.04812940025668502, 0.16513647851482674, 0.7758271199511952]),
        (0.0025, [0.023926046679197864, 0.08165579458324007, 0.3734109341615941]),
    ];
    assert_errors(table, |h, state| {
        ImplicitEuler::acceleration_level(size(h)).iterations::<10>().step(&Problem51::new(), state)
    });
}

#[test]
fn problem_5_1_in_the_stabilised_form() {
    // D.P51.GGL.IE: step by step the position level with projection of velocities, and its multiplier is λ + μ.
    let table = [
        (0.01, [0.040408471244678806, 0.2126918769070289, 1.1785077763481908]),
        (0.005, [0.02059339311817935, 0.10938228590594806, 0.6135545896583849]),
        (0.0025, [0.010397216793376584, 0.055485512916005036, 0.3132458611578084]),
    ];
    assert_errors(table, |h, state| {
        ImplicitEuler::position_level(size(h)).projecting_velocities().iterations::<10>().step(&Problem51::new(), state)
    });
}

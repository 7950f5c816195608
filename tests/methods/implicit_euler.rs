//! Implicit Euler: the tables of Arévalo (numerically consistent initial values), the spherical pendulum of Hairer's lecture
//! notes, orders.

use crate::variants::{Any, assert_slopes};
use mechanisms::{Problem51, SphericalPendulum};
use nalgebra::vector;
use taut::linalg::Vector;
use taut::method::{ImplicitEuler, RungeKutta8, Step, SymplecticEuler};
use taut::scalar::Real;
use taut::start::{Clock, Start, State};
use taut::system::{Diagonal, Mechanical};

fn clock(h: f64) -> Clock<f64> {
    Clock::with_step(h).unwrap()
}

fn problem_5_1(h: f64) -> State<f64, 2, 1> {
    let (q, v, _) = Problem51::exact(0.0);
    Start::at(&Problem51::new(), clock(h), q).moving(v).unwrap()
}

/// |λ − λ_n| of the first steps of Problem 5.1, whose λ is minus ours in the source.
fn table_5_1(h: f64, state: &mut State<f64, 2, 1>, expected: &[f64]) {
    let euler = ImplicitEuler::new();
    for (n, expected) in expected.iter().enumerate() {
        let report = euler.step(&Problem51::new(), state).unwrap();
        let error = (report.multipliers[0] - Problem51::exact(h * (n + 1) as f64).2).abs();
        // The reference's tolerance: round-off enters λ as ε/h², 1e-9 here.
        assert!((error - expected).abs() < 5e-9, "h = {h}, step {}: {error}, not {expected}", n + 1);
    }
}

#[test]
fn table_5_1_from_exact_initial_values() {
    // A.T5.1.*.exactIV: the error of λ is O(1) in the first step and O(h) from the second on.
    for (h, errors) in [
        (0.0005, &[2.0040019999995, 0.004008507996483499, 0.0040185379998543625, 0.004028588033998615][..]),
        (0.001, &[2.008007999992, 0.008034063943471894][..]),
    ] {
        table_5_1(h, &mut problem_5_1(h), errors);
    }
}

#[test]
fn table_5_1_from_numerically_consistent_values() {
    // A.T5.1.*.consIV and A.q0.5.1.*.
    for (h, errors, velocity) in [
        (
            0.0005,
            &[0.004002999999000001, 0.004008507996483499, 0.0040185379998543625, 0.004028588033998615][..],
            [1.0814466224511126, -1.682402509741375],
        ),
        (0.001, &[0.008011999984000049, 0.008034063943471894][..], [1.0822897103291906, -1.6818647385671242]),
    ] {
        let mut state = problem_5_1(h);
        ImplicitEuler::new().make_consistent(&Problem51::new(), &mut state).unwrap();
        assert!((state.velocity() - Vector::<f64, 2>::from(velocity)).amax() < 1e-11, "{}", state.velocity());
        table_5_1(h, &mut state, errors);
    }
}

type Pendulum = SphericalPendulum<f64>;

/// The numbers of the figure and its table: 10,000 steps with h = 0.01.
struct Run {
    /// (q, v) after 1, 10, 100 steps.
    states: [[f64; 6]; 3],
    /// The multipliers reported in these.
    multipliers: [f64; 3],
    /// The energy at t = 1, 2, 5, 10, 20, 50, 100.
    energies: [f64; 7],
    /// The largest H − H₀.
    gain: f64,
    /// The smallest and the largest q₃, and the last.
    heights: [f64; 3],
    /// The largest change of the vertical angular momentum, and the largest |q·p|.
    momentum: f64,
    off_tangent: f64,
}

fn spherical(euler: &Any<Pendulum, f64, 3, 1>) -> Run {
    let system = Pendulum::default();
    let mut state = Start::at(&system, clock(0.01), Pendulum::position()).moving(Pendulum::velocity()).unwrap();
    let energy = |state: &State<f64, 3, 1>| system.energy(state.position(), state.velocity());
    let momentum = |state: &State<f64, 3, 1>| state.position().cross(state.velocity()).z;
    let first = (energy(&state), momentum(&state));
    let z = state.position().z;
    let mut run = Run {
        states: [[0.0; 6]; 3],
        multipliers: [0.0; 3],
        energies: [0.0; 7],
        gain: f64::NEG_INFINITY,
        heights: [z; 3],
        momentum: 0.0,
        off_tangent: 0.0,
    };
    for n in 1..=10_000 {
        let report = euler.step(&system, &mut state).unwrap();
        if let Some(k) = [1, 10, 100].iter().position(|mark| *mark == n) {
            run.states[k][..3].copy_from_slice(state.position().as_slice());
            run.states[k][3..].copy_from_slice(state.velocity().as_slice());
            run.multipliers[k] = report.multipliers[0];
        }
        if let Some(k) = [100, 200, 500, 1_000, 2_000, 5_000, 10_000].iter().position(|mark| *mark == n) {
            run.energies[k] = energy(&state);
        }
        let z = state.position().z;
        run.gain = run.gain.max(energy(&state) - first.0);
        run.heights = [run.heights[0].min(z), run.heights[1].max(z), z];
        run.momentum = run.momentum.max((momentum(&state) - first.1).abs());
        run.off_tangent = run.off_tangent.max(state.position().dot(state.velocity()).abs());
    }
    run
}

/// H₀ of the figure.
const ENERGY: f64 = 25.89249882862459;

fn assert_close(what: &str, ours: &[f64], reference: &[f64], tolerance: f64) {
    for (ours, reference) in ours.iter().zip(reference) {
        assert!((ours - reference).abs() < tolerance, "{what}: {ours} is not {reference}");
    }
}

fn assert_states(ours: &[[f64; 6]; 3], reference: &[[f64; 6]; 3]) {
    assert_close("(q, v)", ours.as_flattened(), reference.as_flattened(), 1e-11);
}

#[test]
fn spherical_pendulum_without_projection() {
    let euler = ImplicitEuler::new().iterations::<10>();
    let run = spherical(&euler);
    // B.IE.h0.01.state.n1, n10, n100.
    assert_states(
        &run.states,
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
    // B.IE.h0.01.lam.*, H.t1_2_5_10_20_50_100, Emax, q3range, q3end, dL3max, Gpmax, and their tolerances. The energy falls from 25.9.
    assert_close("λ", &run.multipliers, &[25.35431585032555, 47.68691601602981, 24.481276251715478], 1e-7);
    let energies = [
        12.770662518751983,
        8.315948411588792,
        4.123339785935428,
        2.1341528692357365,
        0.8947233960744558,
        -0.0901817285912494,
        -0.5803472203974218,
    ];
    assert_close("H", &run.energies, &energies, 1e-8);
    assert!(run.gain < 0.0, "{}", run.gain);
    assert_close("q₃", &run.heights, &[-0.883648172983063, 0.4622013181213874], 1e-9);
    assert_close("last q₃", &run.heights[2..], &[-0.883648172983063], 1e-8);
    assert_close("ΔL₃", &[run.momentum], &[5.90079995884138], 1e-8);
    assert_close("q·p", &[run.off_tangent], &[0.25557016611814276], 1e-8);
}

#[test]
fn spherical_pendulum_with_velocity_projection() {
    let euler = ImplicitEuler::new().projecting_velocities().iterations::<10>();
    let run = spherical(&euler);
    // B.IEP.h0.01.state.n1, n10, n100.
    assert_states(
        &run.states,
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
    // B.IEP.h0.01.Eend, Emax, q3range, q3end, dL3max, and their tolerances; q·p is round-off, 9e-16 in the reference.
    assert_close("last H", &run.energies[6..], &[ENERGY - 26.12567698880432], 1e-8);
    assert!(run.gain < 0.0, "{}", run.gain);
    assert_close("q₃", &run.heights, &[-0.8118774565836365, 0.4707851813951907], 1e-9);
    assert_close("last q₃", &run.heights[2..], &[-0.522362050862202], 1e-8);
    assert_close("ΔL₃", &[run.momentum], &[5.637295216022963], 1e-8);
    assert!(run.off_tangent < 1e-14, "{:e}", run.off_tangent);
}

/// Errors of positions, velocities and multipliers of Problem 5.1 at t = 1, against those of the reference (relative 1e-3).
fn assert_errors(table: [(f64, [f64; 3]); 3], euler: &Any<Problem51<f64>, f64, 2, 1>) {
    for (h, expected) in table {
        let (q, v, _) = Problem51::exact(0.0);
        // On the lower levels the positions drift, by 0.07 at the most here.
        let mut state = Start::at(&Problem51::new(), clock(h), q).limit(0.2).moving(v).unwrap();
        let mut multiplier = 0.0;
        for _ in 0..(1.0 / h).round() as u32 {
            multiplier = euler.step(&Problem51::new(), &mut state).unwrap().multipliers[0];
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
    assert_errors(table, &ImplicitEuler::new().iterations::<10>());
}

#[test]
fn problem_5_1_on_the_velocity_level() {
    // D.P51.index2.IE.
    let table = [
        (0.01, [0.04669065976084037, 0.18676263904336113, 0.08000000000005869]),
        (0.005, [0.023604827521686963, 0.0944193100867482, 0.039999999999912106]),
        (0.0025, [0.011867056896580042, 0.04746822758632569, 0.019999999999971152]),
    ];
    assert_errors(table, &ImplicitEuler::velocity_level().iterations::<10>());
}

#[test]
fn problem_5_1_on_the_acceleration_level() {
    // D.P51.index1.IE.
    let table = [
        (0.01, [0.09745334714859179, 0.3383200787642588, 1.6831693403142651]),
        (0.005, [0.04812940025668502, 0.16513647851482674, 0.7758271199511952]),
        (0.0025, [0.023926046679197864, 0.08165579458324007, 0.3734109341615941]),
    ];
    assert_errors(table, &ImplicitEuler::acceleration_level().iterations::<10>());
}

#[test]
fn problem_5_1_in_the_stabilised_form() {
    // D.P51.GGL.IE: without forces that use velocities it is the position level with projected velocities, with the multiplier λ + μ.
    let table = [
        (0.01, [0.040408471244678806, 0.2126918769070289, 1.1785077763481908]),
        (0.005, [0.02059339311817935, 0.10938228590594806, 0.6135545896583849]),
        (0.0025, [0.010397216793376584, 0.055485512916005036, 0.3132458611578084]),
    ];
    assert_errors(table, &ImplicitEuler::new().projecting_velocities().iterations::<10>());
}

/// Problem 5.1 with an added force (−v₁, 0).
struct Damped;

impl Mechanical<2, 1> for Damped {
    type Base = f64;
    type Mass = Diagonal<f64, 2>;

    const TIME_DEPENDENT: bool = false;

    fn mass(&self) -> Diagonal<f64, 2> {
        Diagonal::new([1.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 2>, v: &Vector<S, 2>) -> Vector<S, 2> {
        Problem51::new().force(t, q, v) - vector![v.x, S::zero()]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        Problem51::new().constraint(t, q)
    }
}

#[test]
fn the_stabilised_form_evaluates_forces_at_the_projected_velocity() {
    // (1.48) of Hairer & Wanner VII.2 with implicit Euler, 100 steps to t = 1; and the exact solution there.
    let ([x, y], multiplier) = ([-0.4435598876, -0.8962447356], 5.8754353151);
    let exact = vector![-0.472625172209104, -0.881263551154996];
    let (exact_velocity, exact_multiplier) = (vector![-2.381298127721811, 1.277099723709999], 6.17610303969582);
    let run = |steps: u32| {
        let (q, v, _) = Problem51::exact(0.0);
        let mut state = Start::at(&Damped, clock(1.0 / f64::from(steps)), q).moving(v).unwrap();
        let mut reported = 0.0;
        for _ in 0..steps {
            let report = ImplicitEuler::new().projecting_velocities().step(&Damped, &mut state).unwrap();
            reported = report.multipliers[0];
        }
        (*state.position(), *state.velocity(), reported)
    };
    let (q, _, reported) = run(100);
    // The digits of the reference.
    assert_close("q", q.as_slice(), &[x, y], 1e-10);
    assert_close("λ", &[reported], &[multiplier], 2e-10);
    let errors = [800, 1_600, 3_200].map(|steps| {
        let (q, v, reported) = run(steps);
        [(q - exact).norm(), (v - exact_velocity).norm(), (reported - exact_multiplier).abs()]
    });
    for (component, what) in ["q", "v", "λ"].iter().enumerate() {
        assert_slopes(what, &errors.map(|errors| errors[component]), 1.0, 0.02);
    }

    // The exact solution, by order 8 with small steps: to the last two digits of the reference.
    let (q, v, _) = Problem51::exact(0.0);
    let mut state = Start::at(&Damped, clock(1.0 / 400.0), q).moving(v).unwrap();
    for _ in 0..400 {
        let _ = (&RungeKutta8::new() as &Any<_, f64, 2, 1>).step(&Damped, &mut state).unwrap();
    }
    assert_close("q", state.position().as_slice(), exact.as_slice(), 1e-13);
    assert_close("v", state.velocity().as_slice(), exact_velocity.as_slice(), 1e-13);
    assert_close("λ", state.multipliers(&Damped).unwrap().as_slice(), &[exact_multiplier], 1e-12);
}

/// The multiplier λ of the step from q_n to q_n₊₁ holds all of the weight and half of v², the other half is in μ (V, (4.4) and (4.5)).
#[test]
fn half_of_the_curvature_is_in_the_first_multiplier_of_symplectic_euler() {
    let (pendulum, h) = (mechanisms::Pendulum::<f64>::standard(), 1e-3);
    let mut state = Start::at(&pendulum, clock(h), [0.0, -1.0]).moving([0.1, 0.0]).unwrap();
    let sum = SymplecticEuler::new().step(&pendulum, &mut state).unwrap().multipliers[0];
    // y_n₊₁ = −1 + h² (λ − 9.81). Round-off is ε/h²; the next terms are v² (v h)² and, of the sum, O(h).
    let first = 9.81 + (state.position().y + 1.0) / (h * h);
    assert_close("λ", &[first], &[9.815], 1e-9);
    assert_close("λ + μ", &[sum], &[9.82], 1e-4);
}

#[test]
fn the_drift_of_the_lower_levels_is_that_of_the_reference() {
    // D.P51.index1.IE.N100 and N1000, g and Gv at t = 1; D.P51.index2.IE likewise, where G v is round-off. To 1e-10.
    for (steps, accelerations, velocities) in [
        (100, [-0.07273353601483079, -0.06084207482345927], [-0.044805745437241584, 0.0]),
        (1_000, [-0.00732710660964242, -0.006006453124223432], [-0.004647904336757491, 0.0]),
    ] {
        let (q, v, _) = Problem51::exact(0.0);
        let mut states =
            [Start::at(&Problem51::new(), clock(1.0 / f64::from(steps)), q).limit(0.2).moving(v).unwrap(); 2];
        for _ in 0..steps {
            let _ =
                ImplicitEuler::acceleration_level().iterations::<10>().step(&Problem51::new(), &mut states[0]).unwrap();
            let _ = ImplicitEuler::velocity_level().iterations::<10>().step(&Problem51::new(), &mut states[1]).unwrap();
        }
        for (state, expected) in states.iter().zip([accelerations, velocities]) {
            let (q, v) = (state.position(), state.velocity());
            assert_close("drift", &[(q.norm_squared() - 1.0) / 2.0, q.dot(v)], &expected, 1e-10);
        }
    }
}

#[test]
fn the_spherical_pendulum_converges_with_order_one() {
    // D.sph.IE.q.errors, p.errors at t = 1.
    let table = [
        (0.01, [1.193911600846704, 7.61531018414011]),
        (0.005, [0.7399846537379886, 5.080063154949014]),
        (0.0025, [0.41672734563775043, 2.9994953157586774]),
        (0.00125, [0.22180796595518498, 1.641111573898531]),
        (0.000625, [0.11451004724678489, 0.8600493986636689]),
        (0.0003125, [0.05818845359160577, 0.44048342889589337]),
    ];
    // D.sph.exact.t1.
    let q = vector![0.6789190097611935, 0.7157661913629996, -0.16354735548637392];
    let p = vector![-4.992882918443517, 3.9612845952008926, -3.3899021942765506];
    for (h, expected) in table {
        let system = Pendulum::default();
        let euler = ImplicitEuler::new().iterations::<10>();
        let mut state = Start::at(&system, clock(h), Pendulum::position()).moving(Pendulum::velocity()).unwrap();
        for _ in 0..(1.0 / h).round() as u32 {
            let _ = euler.step(&system, &mut state).unwrap();
        }
        for (error, expected) in [(state.position() - q).norm(), (state.velocity() - p).norm()].iter().zip(expected) {
            assert!((error - expected).abs() < 1e-3 * expected, "h = {h}: {error}, not {expected}");
        }
    }
}

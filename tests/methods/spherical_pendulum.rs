//! The spherical pendulum of Hairer's lecture notes, Fig. V.1: h = 0.01 to t = 100, H₀ = 25.8924988286.
//!
//! Reference values computed independently, with Newton's method to round-off in 25 digits and more.

use crate::variants::Any;
use mechanisms::SphericalPendulum;
use taut::method::{Rattle, SymplecticEuler};
use taut::start::{Clock, Start, State};

type Pendulum = SphericalPendulum<f64>;

/// What the figure and its table show of a run.
struct Run {
    /// (q, v) after 1, 10 and 100 steps.
    states: [[f64; 6]; 3],
    energy: [f64; 2],
    last_energy: f64,
    height: [f64; 2],
    last_height: f64,
    momentum_error: f64,
    velocity_residual: f64,
}

fn run(method: &Any<Pendulum, f64, 3, 1>) -> Run {
    let (system, clock) = (Pendulum::default(), Clock::with_step(0.01).unwrap());
    let mut state = Start::at(&system, clock, Pendulum::position()).moving(Pendulum::velocity()).unwrap();
    let energy = system.energy(state.position(), state.velocity());
    assert!((energy - 25.892_498_828_624_59).abs() < 1e-13);
    let momentum = |state: &State<f64, 3, 1>| state.position().cross(state.velocity()).z;
    let first_momentum = momentum(&state);
    let mut run = Run {
        states: [[0.0; 6]; 3],
        energy: [0.0; 2],
        last_energy: 0.0,
        height: [state.position().z; 2],
        last_height: 0.0,
        momentum_error: 0.0,
        velocity_residual: 0.0,
    };
    for n in 1..=10_000 {
        let report = method.step(&system, &mut state).unwrap();
        let change = system.energy(state.position(), state.velocity()) - energy;
        run.energy = [run.energy[0].min(change), run.energy[1].max(change)];
        let z = state.position().z;
        run.height = [run.height[0].min(z), run.height[1].max(z)];
        run.momentum_error = run.momentum_error.max((momentum(&state) - first_momentum).abs());
        run.velocity_residual = run.velocity_residual.max(report.velocity_residual[0].abs());
        if let Some(k) = [1, 10, 100].iter().position(|mark| *mark == n) {
            run.states[k][..3].copy_from_slice(state.position().as_slice());
            run.states[k][3..].copy_from_slice(state.velocity().as_slice());
        }
        (run.last_energy, run.last_height) = (change, z);
    }
    run
}

fn assert_close(ours: &[f64], reference: &[f64], tolerance: f64) {
    for (ours, reference) in ours.iter().zip(reference) {
        assert!((ours - reference).abs() <= tolerance, "{ours} is not {reference} within {tolerance:e}");
    }
}

#[test]
fn rattle_matches_the_figure() {
    let rattle = Rattle::new().iterations::<12>();
    let run = run(&rattle);
    // B.RATTLE.h0.01.state.n1, n10, n100.
    let states = [
        [0.9691223508989693, 0.065, 0.23785892665202846, 0.30877197320696836, 6.483390232040194, -3.0297714523152526],
        [
            0.8000200036754145,
            0.5960830798096005,
            -0.0682125771679328,
            -3.9442671131883817,
            4.889899376038465,
            -3.52876727951706,
        ],
        [
            0.6746199396575998,
            0.7191553325010052,
            -0.16644381860479185,
            -5.023212012402469,
            3.9291137785739734,
            -3.3832188155134433,
        ],
    ];
    for (ours, reference) in run.states.iter().zip(&states) {
        assert_close(ours, reference, 1e-11);
    }
    assert_close(&run.energy, &[-0.0010109103758324522, 0.0002666990833581906], 1e-9);
    assert_close(&[run.last_energy, run.last_height], &[7.987080918780975e-05, 0.33019987898400527], 1e-8);
    assert_close(&run.height, &[-0.5069767699026363, 0.4777809796844988], 1e-9);
    assert!(run.momentum_error < 1e-10, "vertical angular momentum: {:e}", run.momentum_error);
    assert!(run.velocity_residual < 1e-14, "q·p: {:e}", run.velocity_residual);
}

#[test]
fn symplectic_euler_matches_the_figure() {
    let euler = SymplecticEuler::new().iterations::<12>();
    let run = run(&euler);
    // B.SE.h0.01.state.n1, n10, n100.
    let states = [
        [0.9691338388177436, 0.065, 0.2378121158780264, 0.30862447240377155, 6.483303486320245, -3.029757939978694],
        [
            0.8000042406492484,
            0.5960527718909194,
            -0.06866081898995201,
            -3.9455195714102476,
            4.889211993362049,
            -3.527543528463748,
        ],
        [
            0.6733280536370304,
            0.7200482755773255,
            -0.16780885859658407,
            -5.033331199968308,
            3.9191694746875436,
            -3.3793917852956823,
        ],
    ];
    for (ours, reference) in run.states.iter().zip(&states) {
        assert_close(ours, reference, 1e-11);
    }
    assert_close(&run.energy, &[-0.0036555667821431825, 0.03187200113209343], 1e-9);
    assert_close(&[run.last_energy, run.last_height], &[0.024510344283804386, 0.3934771228711764], 1e-8);
    assert_close(&run.height, &[-0.5073892624240964, 0.4782260441744424], 1e-9);
    assert!(run.momentum_error < 1e-10, "vertical angular momentum: {:e}", run.momentum_error);
    assert!(run.velocity_residual < 1e-14, "q·p: {:e}", run.velocity_residual);
}

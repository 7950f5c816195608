//! Precise positions stay on their constraint for ever: |g| of long runs in `f32`, evaluated in double precision on the full value.
//!
//! The long ones: `cargo test --test precision drift -- --ignored --nocapture`.

use crate::clock;
use mechanisms::{DoublePendulum, Pendulum, SliderCrank};
use taut::linalg::{Ldlt, Vector};
use taut::method::{Rattle, Step};
use taut::scalar::DoubleFloat;
use taut::start::{Precise, Start, State};
use taut::system::{ConstantMass, Mechanical};

/// The largest |g| of each tenth of a run, and its root mean square there.
fn residuals<System, const N: usize, const M: usize>(
    system: &System,
    mut state: State<f32, N, M, Ldlt<f32, M>, Precise>,
    constraint: impl Fn(Vector<f64, N>) -> [f64; M],
    steps: usize,
) -> [[f64; 10]; 2]
where
    System: Mechanical<N, M, Base = f32>,
    System::Mass: ConstantMass<f32, N>,
{
    let rattle = Rattle::new();
    let mut tenths = [[0.0_f64; 10]; 2];
    for tenth in 0..10 {
        let mut sum = 0.0;
        for _ in 0..steps / 10 {
            rattle.step(system, &mut state).unwrap();
            for g in constraint(state.full_position().full().map(DoubleFloat::to_f64)) {
                tenths[0][tenth] = tenths[0][tenth].max(g.abs());
                sum += g * g;
            }
        }
        tenths[1][tenth] = (sum / (steps / 10 * M) as f64).sqrt();
    }
    let digits = |numbers: [f64; 10]| numbers.map(|number| format!("{number:.2e}")).join(" ");
    println!("{steps} steps, largest: {}, root mean square: {}", digits(tenths[0]), digits(tenths[1]));
    tenths
}

fn pendulum(steps: usize) -> [[f64; 10]; 2] {
    let system = Pendulum::<f32>::unit();
    let start = Start::at(&system, clock(), [1.0, 0.0]).precise().moving([0.0, -1.0]).unwrap();
    residuals(&system, start, |q| [(q.norm_squared() - 1.0) / 2.0], steps)
}

fn double_pendulum(steps: usize) -> [[f64; 10]; 2] {
    let system = DoublePendulum::<f32>::unit();
    let start = Start::at(&system, clock(), [1.0, 0.0, 2.0, 0.0]).precise().at_rest().unwrap();
    let constraint = |q: Vector<f64, 4>| {
        let rod = |x: f64, y: f64| (x * x + y * y - 1.0) / 2.0;
        [rod(q[0], q[1]), rod(q[2] - q[0], q[3] - q[1])]
    };
    residuals(&system, start, constraint, steps)
}

/// Sines and cosines, and an angle that turns.
fn slider_crank(steps: usize) -> [[f64; 10]; 2] {
    let system = SliderCrank::<f32>::standard();
    let start = Start::at(&system, clock(), SliderCrank::position()).precise().moving(SliderCrank::velocity()).unwrap();
    // The crank is as long as the system in f32 has it.
    let crank = f64::from(0.1_f32);
    let constraint = |q: Vector<f64, 2>| {
        let (sin, cos) = q.x.sin_cos();
        [((q.y - crank * cos).powi(2) + (crank * sin).powi(2) - 0.25) / 2.0]
    };
    residuals(&system, start, constraint, steps)
}

/// The residual of two iterations, of a correction of h² λ/2: each contracts by h times an angular velocity ω or so, so h⁴ ω² λ/2. Energies
/// allow ω² = 3 and λ = 4 for the pendulum, and 4² and 8 or so for the double pendulum, where both rods turn against each other. The
/// crank turns with 5 rad/s and a multiplier of 21 at constraints of a tenth, (s − r cos φ) r, of that. All are far below a float's
/// 6e-8.
const LEVELS: [f64; 3] = [6e-12, 6.4e-11, 2.6e-11];

fn runs(steps: usize) -> [[[f64; 10]; 2]; 3] {
    [pendulum(steps), double_pendulum(steps), slider_crank(steps)]
}

fn assert_levels(runs: &[[[f64; 10]; 2]; 3]) {
    for ([largest, _], level) in runs.iter().zip(LEVELS) {
        assert!(largest.iter().all(|g| *g < level), "{largest:?}, limit {level:e}");
    }
}

/// The root mean square of equally many samples of a stationary noise differs by little from tenth to tenth. A running sum
/// of roundings would grow like the root of the time, and triple.
fn assert_no_trend([_, mean]: &[[f64; 10]; 2], tolerance: f64) {
    let smallest = mean.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = mean.iter().copied().fold(0.0, f64::max);
    assert!(largest < (1.0 + tolerance) * smallest, "{mean:?}");
}

/// A double pendulum is chaotic, and its tenths differ by chance. So the slope of a straight line through them is compared with
/// their scatter: by chance its slope is 4.5 times its standard error in one of 500 runs (Student's t, 8 degrees of freedom).
fn has_trend([_, mean]: &[[f64; 10]; 2]) -> bool {
    let tenths = || mean.iter().zip(0..10).map(|(value, tenth)| (f64::from(tenth) - 4.5, *value));
    let center = mean.iter().sum::<f64>() / 10.0;
    let spread: f64 = tenths().map(|(tenth, _)| tenth * tenth).sum();
    let slope = tenths().map(|(tenth, value)| tenth * value).sum::<f64>() / spread;
    let scatter: f64 = tenths().map(|(tenth, value)| (value - center - slope * tenth).powi(2)).sum();
    let error = (scatter / 8.0 / spread).sqrt();
    let (change, doubt) = (9.0 * slope / center, 9.0 * 4.5 * error / center);
    println!("changes by {change:.1e} of itself from the first to the last tenth, by chance at most {doubt:.1e}");
    // With more scatter than that, a tenth more would not be seen.
    change.abs() > doubt || doubt > 0.1
}

#[test]
fn the_trend_test_detects_growth_like_the_root_of_time() {
    let noise = [0.03, -0.02, 0.01, -0.01, 0.0, -0.02, 0.02, 0.03, -0.03, -0.01];
    let still = noise.map(|noise| 1.0 + noise);
    let growing: [f64; 10] = core::array::from_fn(|tenth| ((tenth as f64 + 0.5) / 5.0).sqrt() * still[tenth]);
    let slowly: [f64; 10] = core::array::from_fn(|tenth| still[tenth] * (1.0 + tenth as f64 / 45.0));
    assert!(!has_trend(&[still; 2]));
    assert!(has_trend(&[growing; 2]));
    assert!(has_trend(&[slowly; 2]), "a fifth more");
}

#[test]
fn precise_positions_stay_on_the_constraint() {
    let runs = runs(1_000_000);
    assert_levels(&runs);
    // The double pendulum does not come round in 100 s: its tenths differ by chance.
    assert_no_trend(&runs[0], 0.05);
    assert_no_trend(&runs[2], 0.05);
}

#[test]
#[ignore = "1e8 steps of three systems take some minutes"]
fn precise_positions_stay_on_the_constraint_for_ever() {
    let runs = runs(100_000_000);
    assert_levels(&runs);
    assert_no_trend(&runs[0], 0.05);
    assert!(!has_trend(&runs[1]));
    assert_no_trend(&runs[2], 0.05);
}

//! Tops, gyroscopes and shafts move as theory says.

use mechanisms::parts::{self, Gyroscope, HeavyTop, UniversalJoint};
use nalgebra::Vector3;
use taut::control::Sensed;
use taut::linalg::Vector;
use taut::method::{Rattle, RungeKutta4, Step};
use taut::parts::Mechanism;
use taut::start::{Clock, Start, State};

type Top = Mechanism<HeavyTop<f64>, 9, 6>;

/// A fast spin about the third axis.
fn spinning(top: &Top, h: f64) -> State<f64, 9, 6> {
    let velocity = parts::velocity(top);
    Start::at(top, Clock::with_step(h).unwrap(), top.assembled()).moving(velocity).unwrap()
}

/// The centre of mass after one second.
fn after_a_second(h: f64, method: &impl Step<Top, State<f64, 9, 6>, Error: core::fmt::Debug>) -> Vector3<f64> {
    let top = HeavyTop::<f64>::new().build().unwrap();
    let mut state = spinning(&top, h);
    for _ in 0..(1.0 / h).round() as usize {
        method.step(&top, &mut state).unwrap();
    }
    let q = state.position();
    Vector3::new(q[6], q[7], q[8]) * 0.3
}

#[test]
fn rattle_steps_a_heavy_top_with_order_two() {
    let exact = after_a_second(1e-4, &RungeKutta4::new());
    let errors = [2e-3, 1e-3, 5e-4].map(|h| (after_a_second(h, &Rattle::new()) - exact).norm());
    // Tilted by 0.6 rad and spinning with 20 rad/s. A model written by hand had these errors, at a tilt near this one.
    for (error, expected) in errors.into_iter().zip([3.52e-5, 8.80e-6, 2.20e-6]) {
        assert!((0.9..1.0).contains(&(error / expected)), "{errors:?}");
    }
    for pair in errors.windows(2) {
        // Order two: the next term, of fourth order, is a hundredth at the longest step.
        assert!((pair[0] / pair[1] - 4.0).abs() < 0.04, "{errors:?}");
    }
}

/// The range of the relative energy in the first and in the last tenth of a run of 1 ms steps.
fn energies(steps: usize) -> [(f64, f64); 2] {
    let top = HeavyTop::<f64>::new().build().unwrap();
    let mut state = spinning(&top, 1e-3);
    let energy = |q: &Vector<f64, 9>, v: &Vector<f64, 9>| top.kinetic_energy(q, v) + top.potential_energy(q);
    let begin = energy(state.position(), state.velocity());
    let mut ranges = [(0.0_f64, 0.0_f64); 2];
    for step in 0..steps {
        Rattle::new().step(&top, &mut state).unwrap();
        let off = energy(state.position(), state.velocity()) / begin - 1.0;
        let range = match step {
            _ if step < steps / 10 => &mut ranges[0],
            _ if step >= steps - steps / 10 => &mut ranges[1],
            _ => continue,
        };
        *range = (range.0.min(off), range.1.max(off));
    }
    ranges
}

/// The energy oscillates, and has no trend.
#[test]
fn the_energy_of_a_heavy_top_has_no_trend_in_a_million_steps() {
    let [first, last] = energies(1_000_000);
    // The oscillation is the error of second order. In a tenth, it comes within a tenth of its extremes.
    let width = first.1 - first.0;
    assert!(width < 1e-4, "{width}");
    assert!((last.0 - first.0).abs() < 0.1 * width && (last.1 - first.1).abs() < 0.1 * width, "{first:?} {last:?}");
}

/// A gyroscope with a horizontal axle precesses with m g d/(I₃ ω), steadily if it starts so.
#[test]
fn a_gyroscope_precesses() {
    let gyroscope = Gyroscope::<f64>::new().build().unwrap();
    let (q, spin) = (gyroscope.assembled(), 100.0);
    let rate = 0.5 * 9.81 * 0.1 / (2.5e-3 * spin);
    // The axle e₃ is along x, and e₁ points down: the rate about the vertical is one about −e₁.
    let velocity = gyroscope.turning(&q, "wheel", [-rate, 0.0, spin]);
    let mut state = Start::at(&gyroscope, Clock::with_step(1e-3).unwrap(), q).moving(velocity).unwrap();
    for _ in 0..500 {
        RungeKutta4::new().step(&gyroscope, &mut state).unwrap();
    }
    let [x, y, z] = [6, 7, 8].map(|i| state.position()[i]);
    // Runge–Kutta's error: T ω (h ω)⁴/120 = 0.5 · 100 · 0.1⁴/120 = 4e-5 in the angle of the spin, and less by the ratio of the rates in
    // that of the axle.
    assert!((y.atan2(x) - rate * 0.5).abs() < 4e-5 && z.abs() < 4e-5, "{} instead of {}, {z}", y.atan2(x), rate * 0.5);
}

/// The angles of two shafts at an angle β with a universal joint: tan φ₂ = cos β tan φ₁.
#[test]
fn a_universal_joint_turns_unevenly() {
    let shafts = UniversalJoint::<f64>::new().build().unwrap();
    let q = shafts.assembled();
    let velocity = shafts.turning(&q, "shaft_1", [10.0, 0.0, 0.0]) + shafts.turning(&q, "shaft_2", [6.4, 4.8, 0.0]);
    let mut state = Start::at(&shafts, Clock::with_step(1e-3).unwrap(), q).moving(velocity).unwrap();
    let (mut rates, cos) = ((f64::INFINITY, 0.0_f64), 0.8);
    for _ in 0..700 {
        RungeKutta4::new().step(&shafts, &mut state).unwrap();
        let (angles, jacobian) = shafts.sensor_jacobian(state.position());
        let rate = jacobian * state.velocity();
        let [first, second]: [f64; 2] = angles.into();
        // The step's limit for the distance from the constraints is 1.5e-8; it projects to round-off.
        assert!((second.sin() * first.cos() - cos * first.sin() * second.cos()).abs() < 1e-9, "{first} {second}");
        // φ₂' = φ₁' cos β/(cos² φ₁ + cos² β sin² φ₁).
        let ratio = cos / (first.cos().powi(2) + (cos * first.sin()).powi(2));
        assert!((rate[1] / rate[0] - ratio).abs() < 1e-8, "{rate} {ratio}");
        rates = (rates.0.min(ratio), rates.1.max(ratio));
    }
    // Every ratio between cos β and 1/cos β was met.
    assert!(rates.0 < 0.81 && rates.1 > 1.24, "{rates:?}");
}

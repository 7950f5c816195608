//! Mechanisms from parts move as they should.

use mechanisms::parts;
use nalgebra::vector;
use taut::linalg::Vector;
use taut::method::{Rattle, RungeKutta4, Step};
use taut::parts::Mechanism;
use taut::parts::by_hand::List;
use taut::start::{Clock, Start};

/// Lets every mechanism of the gallery fall from rest for 0.15 s, with Runge–Kutta 4 at 0.5 ms.
struct Fall;

impl parts::Visitor<f64> for Fall {
    fn visit<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        &mut self,
        name: &'static str,
        mechanism: &Mechanism<L, N, M>,
    ) {
        let clock = Clock::with_step(5e-4).unwrap();
        let velocity = parts::velocity(name, mechanism);
        let mut state = Start::at(mechanism, clock, mechanism.assembled()).moving(velocity).unwrap();
        let energy =
            |q: &Vector<f64, N>, v: &Vector<f64, N>| mechanism.kinetic_energy(q, v) + mechanism.potential_energy(q);
        let start = energy(state.position(), state.velocity());
        let (mut largest, mut kinetic) = (0.0_f64, 0.0_f64);
        for _ in 0..300 {
            RungeKutta4::new().step(mechanism, &mut state).unwrap_or_else(|error| panic!("{name}: {error}"));
            let (q, v) = (state.position(), state.velocity());
            kinetic = kinetic.max(mechanism.kinetic_energy(q, v));
            largest = largest.max((energy(q, v) - start).abs());
        }
        assert!(kinetic > 1e-3, "{name} does not move: {kinetic} J");
        // The error of Runge–Kutta 4: T ω (h ω)⁴ = 0.15 · 30 · (30 · 5e-4)⁴ = 2e-7 at rates of 30 rad/s.
        if name != "sprung-slider" {
            assert!(largest < 1e-6 * kinetic, "{name}: {largest} of {kinetic} J");
        }
    }
}

#[test]
fn energy_is_conserved() {
    parts::visit_all(&mut Fall);
}

/// One list with angles and with points is one mechanism.
#[test]
fn angles_and_points_move_alike() {
    let (angles, points) =
        (parts::FourBarAngles::<f64>::new().build().unwrap(), parts::FourBar::<f64>::new().build().unwrap());
    let clock = Clock::with_step(1e-4).unwrap();
    let mut by_angle = Start::at(&angles, clock, angles.assembled()).moving([10.0, 0.0]).unwrap();
    // The same pose, and the velocities of the ends: the rates across the arms.
    let ([crank, rocker], rates) = (by_angle.position().data.0[0], *by_angle.velocity());
    let [x, y] = [0.2 * crank.cos(), 0.2 * crank.sin()];
    let [rx, ry] = [0.6 * rocker.cos(), 0.6 * rocker.sin()];
    let v = vector![-y * rates[0], x * rates[0], -ry * rates[1], rx * rates[1]];
    let mut by_point = Start::at(&points, clock, [x, y, rx + 0.8, ry]).moving(v).unwrap();
    let kinetic = |q: &Vector<f64, 4>, v: &Vector<f64, 4>| points.kinetic_energy(q, v);
    let of_angles = angles.kinetic_energy(by_angle.position(), by_angle.velocity());
    assert!((kinetic(by_point.position(), by_point.velocity()) - of_angles).abs() < 1e-12);
    for _ in 0..5_000 {
        RungeKutta4::new().step(&angles, &mut by_angle).unwrap();
        RungeKutta4::new().step(&points, &mut by_point).unwrap();
    }
    let angle = by_angle.position()[0];
    let end = vector![0.2 * angle.cos(), 0.2 * angle.sin()];
    // An error of 1.8e-8 at a step ten times as long, so 1.8e-12 here, in each of the two; a factor of ten for the motion.
    assert!((by_point.position().fixed_rows::<2>(0) - end).norm() < 4e-11);
}

/// RATTLE keeps the energy of the four-bar of points in f32: there is no sine to be rounded.
#[test]
fn rattle_steps_points() {
    let linkage = parts::FourBar::<f32>::new().build().unwrap();
    let clock = Clock::with_step(1e-3_f32).unwrap();
    let mut state = Start::at(&linkage, clock, linkage.assembled()).moving([-2.0, 0.0, 0.0, 0.0]).unwrap();
    let energy = |q: &Vector<f32, 4>, v: &Vector<f32, 4>| linkage.kinetic_energy(q, v) + linkage.potential_energy(q);
    let start = energy(state.position(), state.velocity());
    let mut largest = 0.0_f32;
    for _ in 0..20_000 {
        Rattle::new().step(&linkage, &mut state).unwrap();
        largest = largest.max((energy(state.position(), state.velocity()) - start).abs());
    }
    // RATTLE's energy oscillates by 1.2e-4 of 1.6 J at 10 rad/s: an error of second order, here at the same rate.
    assert!(largest < 4e-4, "{largest} J");
}

/// Peaucellier's point stays on a straight line: x = (long² − short²)/(2 · crank).
#[test]
fn peaucellier_draws_a_straight_line() {
    let linkage = parts::Peaucellier::<f64>::new().build().unwrap();
    let clock = Clock::with_step(1e-3).unwrap();
    let mut state = Start::at(&linkage, clock, linkage.assembled()).at_rest().unwrap();
    let mut span = (0.0_f64, 0.0_f64);
    for _ in 0..200 {
        Rattle::new().step(&linkage, &mut state).unwrap();
        let (x, y) = (state.position()[6], state.position()[7]);
        assert!((x - (0.3 * 0.3 - 0.15 * 0.15) / 0.2).abs() < 1e-9, "{x}");
        span = (span.0.min(y), span.1.max(y));
    }
    assert!(span.1 - span.0 > 0.05, "{span:?}");
}

/// The pen of a pantograph draws three times as large what its tracer draws.
#[test]
fn a_pantograph_copies() {
    let linkage = parts::Pantograph::<f64>::new().build().unwrap();
    let clock = Clock::with_step(1e-3).unwrap();
    let mut state = Start::at(&linkage, clock, linkage.assembled()).at_rest().unwrap();
    for _ in 0..150 {
        Rattle::new().step(&linkage, &mut state).unwrap();
        let [_, _, x, y, small_x, small_y] = state.position().data.0[0];
        assert!((x - 3.0 * small_x).abs() < 1e-9 && (y - 3.0 * small_y).abs() < 1e-9);
    }
}

/// Geared cranks keep their ratio over whole turns.
#[test]
fn a_gear_keeps_its_ratio() {
    let linkage = parts::GearedFiveBar::<f64>::new().build().unwrap();
    let clock = Clock::with_step(1e-3).unwrap();
    let start = linkage.assembled();
    let mut state = Start::at(&linkage, clock, start).moving([30.0, -60.0, 0.0, 0.0]).unwrap();
    for _ in 0..1_000 {
        RungeKutta4::new().step(&linkage, &mut state).unwrap();
    }
    let q = state.position();
    assert!(q[0] > 10.0, "{}", q[0]);
    assert!((q[1] + 2.0 * q[0]).abs() < 1e-9);
}

/// A rope keeps its length over a pulley that swings.
#[test]
fn a_rope_keeps_its_length() {
    let mechanism = parts::ConnectedPendulums::<f64>::new().build().unwrap();
    let clock = Clock::with_step(1e-3).unwrap();
    let mut state = Start::at(&mechanism, clock, mechanism.assembled()).at_rest().unwrap();
    for _ in 0..500 {
        RungeKutta4::new().step(&mechanism, &mut state).unwrap();
        let [angle, x, y, z, w] = state.position().data.0[0];
        let (across, down) = (0.3 * angle.cos(), 0.3 * angle.sin());
        let length = (x - across).hypot(y - down) + (z - across).hypot(w - down);
        // The step projects to round-off; its limit is 1.5e-8.
        assert!((length - 1.2).abs() < 1e-9, "{length}");
    }
}

//! Mechanisms from parts move as they should.

use mechanisms::parts;
use nalgebra::vector;
use taut::linalg::Vector;
use taut::method::{Rattle, RungeKutta4, Step};
use taut::parts::Shape;
use taut::start::{Clock, Start};

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

/// RATTLE keeps the energy of the four-bar of points for twenty seconds in f32. `tests/precision/energy.rs` has the drift of hours.
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

/// Chebyshev's foot stays within 1% of a level line for half a turn of the crank, which turns at the prescribed rate.
#[test]
fn a_feed_turns_a_crank() {
    let linkage = parts::Lambda::<f64>::new().build().unwrap();
    let mut state = Start::at(&linkage, Clock::with_step(1e-3).unwrap(), linkage.assembled()).at_rest().unwrap();
    let (mut level, mut span) = ((f64::MAX, f64::MIN), (f64::MAX, f64::MIN));
    for step in 1..=2_000 {
        RungeKutta4::new().step(&linkage, &mut state).unwrap();
        let angle = state.position()[0];
        assert!((angle - (1.0 + 5e-3 * f64::from(step))).abs() < 1e-10, "{angle}");
        let mut foot = [0.0; 3];
        linkage.shapes(state.position(), |name, shape| {
            if let ("foot", Shape::Corner([_, corner, _])) = (name, shape) {
                foot = corner;
            }
        });
        if angle.cos() < 0.0 {
            (level, span) = ((level.0.min(foot[1]), level.1.max(foot[1])), (span.0.min(foot[0]), span.1.max(foot[0])));
        }
    }
    assert!(span.1 - span.0 > 0.35 && level.1 - level.0 < 4e-3, "{span:?} {level:?}");
}

taut::mechanism! {
    /// A load on a strut above a pivot that is shaken.
    struct Kapitza in plane, arms as points {
        pivot: Point { mass: 0.1 } near [0.0, 0.0],
        load: Point { mass: 1.0 } near [0.01, 0.2],
        strut: Strut(pivot, load) { length: 0.2 },
        shaker: Guide(pivot) { position: [0.0, 0.0], velocity: [0.0, 0.0], acceleration: [0.0, 0.0], since: 0.0 },
    }
}

/// Kapitza's pendulum stands upright while its pivot is shaken with a² ω² > 2 g l, and falls if it is not.
#[test]
fn a_shaken_pendulum_stands() {
    for (amplitude, stands) in [(0.02, true), (0.005, false)] {
        let mut pendulum = Kapitza::<f64>::new().build().unwrap();
        // A parabola leaves the path by a ω³ h³/6 = 1.4e-9 m in a step; a step refuses starts that are 3e-8 off.
        let (step, rate) = (5e-5, 150.0);
        let mut state = Start::at(&pendulum, Clock::with_step(step).unwrap(), pendulum.assembled()).at_rest().unwrap();
        let mut lowest = f64::MAX;
        for tick in 1..=40_000 {
            let t = step * f64::from(tick);
            let (sin, cos) = (rate * t).sin_cos();
            let shaker = pendulum.motion(|list| &mut list.shaker);
            (shaker.position[1], shaker.velocity[1]) = (amplitude * (1.0 - cos), amplitude * rate * sin);
            (shaker.acceleration[1], shaker.since) = (amplitude * rate * rate * cos, t);
            Rattle::new().step(&pendulum, &mut state).unwrap();
            let q = state.position();
            assert!((q[1] - amplitude * (1.0 - cos)).abs() < 1e-12);
            lowest = lowest.min(q[3] - q[1]);
        }
        // a ω = 3 and 0.75 m/s, √(2 g l) = 1.98 m/s.
        assert_eq!(lowest > 0.19, stands, "{lowest}");
    }
}

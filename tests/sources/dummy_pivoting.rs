//! The pendulum of Mattsson and Söderlind, "Index reduction in differential-algebraic equations using dummy derivatives", section 5, at a
//! fixed step: model a (the angle), model c (dummy pivoting) and model d (stabilised). Model b is in `tests/sources/drift.rs`; Runge–Kutta 4
//! with dummy pivoting is in `tests/manifolds/local.rs`.
//!
//! m = g = L = 1, h = 0.01, t = 0 … 1000: from φ = 0.1 at rest (case 1), and from φ = π/2 with φ' = −1 (case 2).

use core::f64::consts::{FRAC_PI_2, PI};

use mechanisms::Pendulum;
use nalgebra::{Matrix2, Vector2, Vector4, vector};
use taut::linalg::Lu;
use taut::method::{Bdf2, Step, TwoNodes};
use taut::scalar::{Dual, Real};
use taut::start::{Clock, Start};

use crate::assert_error;
use crate::drift::{angle, point};

/// φ and φ' at the start.
const SMALL: [f64; 2] = [0.1, 0.0];
const LARGE: [f64; 2] = [FRAC_PI_2, -1.0];

/// The coordinate that is integrated. For x and y the other one depends on it and has this sign.
#[derive(Clone, Copy)]
enum Coordinate {
    Angle,
    X(f64),
    Y(f64),
}

use Coordinate::{Angle, X, Y};

impl Coordinate {
    /// Dummy pivoting: x depends on y while |x| > |y|, else y on x.
    fn pivoted(u: &Vector4<f64>) -> Self {
        if u[0].abs() > u[1].abs() { Y(u[0].signum()) } else { X(u[1].signum()) }
    }

    /// (x, y, x', y') from the coordinate and its rate: (2.22) of Hairer & Wanner VII.2.
    fn lift<S: Real<Base = f64>>(self, [eta, nu]: [S; 2]) -> [S; 4] {
        let dependent = |sign: f64| {
            let other = (S::one() - eta * eta).sqrt() * sign;
            [other, -(eta * nu) / other]
        };
        match self {
            Angle => {
                let (sin, cos) = eta.sin_cos();
                [sin, -cos, cos * nu, sin * nu]
            }
            X(sign) => {
                let [y, w] = dependent(sign);
                [eta, y, nu, w]
            }
            Y(sign) => {
                let [x, v] = dependent(sign);
                [x, eta, v, nu]
            }
        }
    }

    /// The coordinate and its rate. The angle stays within ±π.
    fn of(self, u: &Vector4<f64>) -> Vector2<f64> {
        match self {
            Angle => vector![u[0].atan2(-u[1]), u[0] * u[3] - u[1] * u[2]],
            X(_) => vector![u[0], u[2]],
            Y(_) => vector![u[1], u[3]],
        }
    }

    fn rate<S: Real<Base = f64>>(self, at: [S; 2]) -> [S; 2] {
        let [x, y, v, w] = self.lift(at);
        let multiplier = v * v + w * w - y;
        let acceleration = match self {
            Angle => -x,
            X(_) => -(x * multiplier),
            Y(_) => -(y * multiplier) - S::one(),
        };
        [at[1], acceleration]
    }

    /// U = from + h F(U), by Newton's method.
    fn implicit(self, from: Vector2<f64>, h: f64, guess: Vector2<f64>) -> Vector2<f64> {
        let mut u = guess;
        for _ in 0..6 {
            let rates = self.rate(Dual::<f64, 2>::variables(u.into()));
            let residual = u - from - Vector2::from(rates.map(|rate| rate.value)) * h;
            let slopes = Matrix2::from_fn(|i, j| f64::from(i == j) - rates[i].partials[j] * h);
            u -= Lu::factor(slopes).unwrap().solve(residual);
        }
        u
    }
}

#[derive(Clone, Copy)]
enum Method {
    ImplicitEuler,
    ImplicitMidpoint,
    Bdf2,
}

fn energy(u: &Vector4<f64>) -> f64 {
    (u[2] * u[2] + u[3] * u[3]) / 2.0 + u[1]
}

/// The change of the energy to the end, its largest magnitude, and the largest | |q| − 1 |.
fn run(start: [f64; 2], choose: fn(&Vector4<f64>) -> Coordinate, method: Method, [h, end]: [f64; 2]) -> [f64; 3] {
    let (mut before, mut now) = (point(start), point(angle(start, h)));
    let first = energy(&before);
    // BDF2 begins with an exact second value.
    let done = if matches!(method, Method::Bdf2) { 1 } else { 0 };
    if done == 0 {
        now = before;
    }
    let [mut largest, mut length] = [0.0_f64; 2];
    for _ in done..(end / h).round() as u32 {
        let coordinate = choose(&now);
        let [a, b] = [&before, &now].map(|u| coordinate.of(u));
        let next = match method {
            Method::ImplicitEuler => coordinate.implicit(b, h, b),
            Method::ImplicitMidpoint => coordinate.implicit(b, h / 2.0, b) * 2.0 - b,
            Method::Bdf2 => coordinate.implicit((b * 4.0 - a) / 3.0, h * 2.0 / 3.0, b * 2.0 - a),
        };
        (before, now) = (now, Vector4::from(coordinate.lift(next.into())));
        largest = largest.max((energy(&now) - first).abs());
        length = length.max((now.fixed_rows::<2>(0).norm() - 1.0).abs());
    }
    [energy(&now) - first, largest, length]
}

/// The periods are 4K, here by the arithmetic-geometric mean. The pendulum returns after each. The coordinates switch four times in one.
#[test]
fn the_periods_are_those_of_the_reference() {
    // k = sin(0.05); with the energy ½ the largest angle is 2π/3, so k = sin(π/3).
    for (start, half_angle, reference) in [(SMALL, 0.05_f64, 6.28711454931048), (LARGE, PI / 3.0, 8.62606258999857)] {
        let (mut a, mut b) = (1.0, half_angle.cos());
        for _ in 0..6 {
            (a, b) = ((a + b) / 2.0, (a * b).sqrt());
        }
        let period = 2.0 * PI / a;
        assert!((period - reference).abs() < 1e-14, "{period}");
        let [phi, turning] = (0..100).fold(start, |at, _| angle(at, reference / 100.0));
        // 10,000 steps: their round-off, a walk, and the method's (h = 1e-3)⁴/100.
        assert!((phi - start[0]).abs() < 1e-13 && (turning - start[1]).abs() < 1e-13, "{phi} {turning}");
    }
    let periods: f64 = 1e3 / 8.62606258999857;
    assert!((periods - 115.93).abs() < 5e-3, "{periods}");
    // Four in each, as counted in `tests/manifolds/local.rs`: 464.
    assert_eq!((4.0 * periods).round(), 464.0);
}

/// Model a by Runge–Kutta 4. Sums are compensated and the energy is 2 sin²(φ/2) + φ'²/2 − 1: −6.9e-12 needs its digits to 1e-17.
#[test]
fn the_angle_is_ninety_times_as_accurate_in_large_oscillations() {
    let change = |start: [f64; 2], h: f64| {
        let energy = |u: &Vector2<f64>| 2.0 * (u[0] / 2.0).sin().powi(2) + u[1] * u[1] / 2.0;
        let rate = |u: Vector2<f64>| vector![u[1], -u[0].sin()];
        let (mut u, mut lost) = (Vector2::from(start), Vector2::zeros());
        let first = energy(&u);
        for _ in 0..(1e3 / h).round() as u32 {
            let a = rate(u);
            let b = rate(u + a * (h / 2.0));
            let c = rate(u + b * (h / 2.0));
            let d = rate(u + c * h);
            let change = (a + (b + c) * 2.0 + d) * (h / 6.0) - lost;
            let next = u + change;
            (lost, u) = ((next - u) - change, next);
        }
        energy(&u) - first
    };
    assert_error("energy", change(SMALL, 0.01), -6.91103e-12, 6);
    assert_error("energy", change(LARGE, 0.05), -3.30740941e-6, 9);
    let fine = change(LARGE, 0.01);
    // The last digit of the reference has the round-off of plain sums, 2e-14.
    assert_error("energy", fine, -1.02274e-9, 5);
    // Dummy pivoting, `tests/manifolds/local.rs`, has 87 and 90 times as much.
    assert!((-2.8621006568e-4_f64 / change(LARGE, 0.05) - 86.5).abs() < 0.1);
    assert!((-9.1769439770e-8_f64 / fine - 89.7).abs() < 0.1);
}

/// The midpoint rule is symplectic in one chart; with switches the energy drifts.
#[test]
fn switching_spoils_the_midpoint_rule() {
    let [_, largest, _] = run(SMALL, Coordinate::pivoted, Method::ImplicitMidpoint, [0.01, 1e3]);
    assert_error("energy", largest, 4.159e-10, 4);
    let [last, _, length] = run(LARGE, Coordinate::pivoted, Method::ImplicitMidpoint, [0.01, 1e3]);
    assert_error("energy", last, 2.30626e-3, 6);
    assert!(length <= 4.0 * f64::EPSILON, "{length:e}");
    // It grows linearly, with the four switches of each period: twice the time, twice the change.
    let [quarter, half] =
        [250.0, 500.0].map(|end| run(LARGE, Coordinate::pivoted, Method::ImplicitMidpoint, [0.01, end])[0]);
    assert_error("energy", quarter, 5.50910e-4, 6);
    assert_error("energy", half, 1.148164e-3, 6);
    assert!((half / quarter - 2.0).abs() < 0.1 && (last / half - 2.0).abs() < 0.1, "{quarter:e} {half:e} {last:e}");
}

#[test]
fn implicit_euler_loses_the_energy() {
    let [last, ..] = run(LARGE, Coordinate::pivoted, Method::ImplicitEuler, [1e-3, 1e3]);
    assert_error("energy", last, -1.12539544, 9);
}

/// Models a and c by BDF2; with model d the library's own.
#[test]
fn bdf2_with_the_angle_with_pivoting_and_stabilised() {
    let [angle_only, ..] = run(SMALL, |_| Angle, Method::Bdf2, [0.01, 1e3]);
    assert_error("energy", angle_only, -2.48959796e-6, 9);
    let [pivoted, _, length] = run(SMALL, Coordinate::pivoted, Method::Bdf2, [0.01, 1e3]);
    assert_error("energy", pivoted, -2.49579745e-6, 9);
    assert!(length <= 4.0 * f64::EPSILON, "{length:e}");

    let pendulum = Pendulum::<f64>::unit();
    let [first, second] = [point(SMALL), point(angle(SMALL, 0.01))];
    let halves = |u: &Vector4<f64>| (vector![u[0], u[1]], vector![u[2], u[3]]);
    let ((q0, v0), (q1, v1)) = (halves(&first), halves(&second));
    let state = Start::at(&pendulum, Clock::with_step(0.01).unwrap().at_tick(1), q1).moving(v1).unwrap();
    let (mut nodes, mut length) = (TwoNodes::new(state, [q1 - q0, v1 - v0]), 0.0_f64);
    for _ in 1..100_000 {
        let _ = Bdf2::new().step(&pendulum, &mut nodes).unwrap();
        length = length.max((nodes.state().position().norm() - 1.0).abs());
    }
    let state = nodes.state();
    let stabilised = pendulum.energy(state.position(), state.velocity()) - energy(&first);
    assert_error("energy", stabilised, -2.55505002e-6, 9);
    assert!(length <= 4.0 * f64::EPSILON, "{length:e}");
}

/// With x dependent from φ = 0.1 the energy, 5.0e-3 above its minimum, is lost in one step as x passes zero: after 157 steps, a quarter of
/// the period. There the method sticks: it never gets past x = 0, and a stage of step 158 asks for the root of a negative number. The library
/// refuses step 157, see `tests/manifolds/local.rs`.
#[test]
fn the_wrong_choice_loses_the_energy_where_x_vanishes() {
    let (coordinate, h, start) = (Y(1.0), 0.01, point(SMALL));
    let rate = |u: Vector2<f64>| Vector2::from(coordinate.rate(u.into()));
    let (mut u, mut lost) = (coordinate.of(&start), vec![]);
    for _ in 0..158 {
        let a = rate(u);
        let b = rate(u + a * (h / 2.0));
        let c = rate(u + b * (h / 2.0));
        let d = rate(u + c * h);
        u += (a + (b + c) * 2.0 + d) * (h / 6.0);
        lost.push(energy(&start) - energy(&coordinate.lift(u.into()).into()));
    }
    assert!(lost[..156].iter().all(|lost| *lost < 1e-4), "{lost:?}");
    assert!((lost[156] - 4.4e-3).abs() < 5e-5 && (energy(&start) + 1.0 - 5.0e-3).abs() < 5e-6, "{:e}", lost[156]);
    assert!(lost[157].is_nan(), "{:e}", lost[157]);
}

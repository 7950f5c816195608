//! A gyro on a body whose axis goes round a cone: two samples a tick, summed, and with the coning correction (Magnus' method of order 4;
//! Hairer's lecture notes, III.4, example 4.4). The sum turns away about the axis of the cone.
//!
//! `cargo run --release --example attitude -- --plot attitude.svg`

use std::process::ExitCode;

use desk::plot::{Chart, Curve};
use desk::{About, Desk, Outcome, Progress, Table, doubles};
use nalgebra::vector;
use taut::attitude::{Attitude, Rotation, coning};
use taut::linalg::Vector;
use taut::scalar::Float;
use taut::start::Clock;

const ABOUT: About = About {
    name: "Attitude",
    about: "A body whose axis goes round a cone of 5 degrees five times a second. A gyro gives two angle increments a tick; the attitude \
            is found from their sum, and with the coning correction.",
    methods: &["magnus_4"],
    method: "magnus_4",
    rate: 100.0,
    seconds: 20.0,
};

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

/// The half angle c of the cone, and Ω, by which its axis turns.
const CONE: f64 = 5.0 * std::f64::consts::PI / 180.0;
const TURNING: f64 = 5.0 * std::f64::consts::TAU;

/// R = exp(c n) with n = (cos Ωt, sin Ωt, 0).
fn exact(t: f64) -> Rotation<f64> {
    let (sin, cos) = (TURNING * t).sin_cos();
    Rotation::exp(&(vector![cos, sin, 0.0] * CONE))
}

/// The integral of the angular velocity in the body frame, ω = n' sin c − n×n' (1 − cos c), between two times.
fn increment<T: Float>(from: f64, to: f64) -> Vector<T, 3> {
    let integral = |t: f64| {
        let (sin, cos) = (TURNING * t).sin_cos();
        vector![CONE.sin() * cos, CONE.sin() * sin, -TURNING * t * (1.0 - CONE.cos())]
    };
    (integral(to) - integral(from)).map(T::from_f64)
}

/// The sum of the increments, and the corrected one.
const WAYS: [&str; 2] = ["sum of both samples", "with the coning correction"];

/// Two attitudes, one for each way.
struct Gyro<T: Float>([Attitude<T>; 2]);

impl<T: Float> Gyro<T> {
    fn start(clock: Clock<T>) -> Outcome<Self> {
        Ok(Self([Attitude::start(clock, Rotation::from_quaternion(exact(0.0).quaternion().map(T::from_f64))?)?; 2]))
    }

    fn tick(&mut self, tick: u64, h: f64) -> Outcome {
        let [begin, middle, end] = [0.0, 0.5, 1.0].map(|part| (tick as f64 + part) * h);
        let (first, second) = (increment(begin, middle), increment(middle, end));
        self.0[0].turn(&(first + second))?;
        self.0[1].turn(&coning(&first, &second))?;
        Ok(())
    }

    /// The rotations that are left between the attitudes found and the exact one.
    fn errors(&self, t: f64) -> Outcome<[Vector<f64, 3>; 2]> {
        let [a, b] = [0, 1].map(|way| Rotation::from_quaternion(doubles(self.0[way].full_quaternion())));
        Ok([a?, b?].map(|found| (found * exact(t).inverse()).log()))
    }
}

fn simulate<T: Float>(desk: &Desk) -> Outcome {
    let h = 1.0 / desk.rate();
    let mut gyro = Gyro::<T>::start(desk.clock()?)?;
    let mut table = Table::new(["time / s", "error 1 / rad", "error 2 / rad", "turned 1 / rad", "turned 2 / rad"]);
    let mut progress = Progress::of(desk.steps());
    for tick in 0..=desk.steps() {
        let t = tick as f64 * h;
        let [sum, corrected] = gyro.errors(t)?;
        table.push([t, sum.norm(), corrected.norm(), sum.z, corrected.z]);
        gyro.tick(tick, h)?;
        progress.step();
    }
    for (way, name) in WAYS.into_iter().enumerate() {
        desk.say(name, format_args!("at most {:.1e} rad off", table.largest(1 + way)));
    }

    // The error after a second, against the rate.
    let mut by_rate = [const { Vec::new() }; 2];
    for rate in [50_u32, 100, 200, 400, 800, 1600] {
        let h = 1.0 / f64::from(rate);
        let mut gyro = Gyro::<f64>::start(Clock::with_step(h)?)?;
        for tick in 0..u64::from(rate) {
            gyro.tick(tick, h)?;
        }
        for (errors, error) in by_rate.iter_mut().zip(gyro.errors(1.0)?) {
            errors.push((f64::from(rate), error.norm()));
        }
    }
    desk.finish(&table, |page| {
        let both = |chart: Chart, curve: &dyn Fn(usize) -> Curve| {
            WAYS.into_iter().enumerate().fold(chart, |chart, (way, name)| chart.curve(curve(way).named(name)))
        };
        let drift = Chart::new("time / s", "turned about the cone's axis / rad").titled("Drift");
        let error = Chart::new("time / s", "error / rad").titled("Error of the attitude").logarithmic();
        let order =
            Chart::new("ticks per second", "error after 1 s / rad").titled("Orders 2 and 4").doubly_logarithmic();
        page.row(250, [both(drift, &|way| table.curve(0, 3 + way))])
            .row(250, [both(error, &|way| table.magnitudes(1 + way))])
            .row(270, [both(order, &|way| Curve::through(by_rate[way].clone()))])
    })
}

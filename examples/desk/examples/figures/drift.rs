//! Why constraints drift: a pendulum by Runge–Kutta's method of order 4, with projection and without.

use desk::Outcome;
use desk::plot::{Chart, Curve, Ink, Page};
use mechanisms::Pendulum;
use taut::method::{AnyMethod, RungeKutta4};
use taut::prelude::*;

/// Steps a second, and seconds.
const RATE: f64 = 5.0;
const SECONDS: f64 = 60.0;

/// Where the bob is at every step. A step that is refused ends it.
fn path(method: &AnyMethod<Pendulum<f64>, f64, 2, 1>) -> Outcome<Vec<Vector<f64, 2>>> {
    let pendulum = Pendulum::<f64>::unit();
    // Far off is what is to be seen.
    let mut state = Start::at(&pendulum, Clock::at_rate(RATE)?, [1.0, 0.0]).limit(10.0).at_rest()?;
    let mut path = vec![*state.position()];
    while path.len() as f64 <= RATE * SECONDS && method.step(&pendulum, &mut state).is_ok() {
        path.push(*state.position());
    }
    Ok(path)
}

pub fn plot() -> Outcome<String> {
    let method = RungeKutta4::new();
    let bare = path(&method.bare())?;
    let swing = |path: &[Vector<f64, 2>]| Curve::through(path.iter().map(|q| (q.x, q.y)));
    let circle = (0..=90).map(|step| f64::from(180 + 2 * step).to_radians().sin_cos());
    let picture = Chart::new("x / m", "y / m")
        .titled("The bob without projection")
        .to_scale()
        .curve(Curve::through(circle.map(|(sin, cos)| (cos, sin))).drawn(Ink::grey(0.75), 5.0).named("constraint"))
        .curve(swing(&bare[..20]).dotted(3.0, Ink::WHITE).named("first 4 s"))
        .curve(swing(&bare[bare.len() - 20..]).dotted(3.0, Ink::BLUE).named("last 4 s of a minute"));
    let off = |path: &[Vector<f64, 2>]| {
        Curve::through(path.iter().enumerate().map(|(step, q)| (step as f64 / RATE, (q.norm() - 1.0).abs().max(1e-17))))
    };
    let both: [(&str, &AnyMethod<Pendulum<f64>, f64, 2, 1>); 4] = [
        ("no projection", &method.bare()),
        ("velocities only", &method.velocities_only()),
        ("positions only", &method.positions_only()),
        ("both", &method),
    ];
    let mut distance = Chart::new("time / s", "|length − 1 m| / m").titled("Error of the rod's length").logarithmic();
    for (name, method) in both {
        distance = distance.curve(off(&path(method)?).named(name));
    }
    Ok(Page::new("Pendulum, Runge–Kutta 4 on the acceleration level, h = 0.2 s").row(330, [picture, distance]).svg())
}

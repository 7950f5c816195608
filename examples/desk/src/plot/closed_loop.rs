//! A run of a control loop: the path, the motors, the tracking error and the constraint residual.

use super::{Chart, Curve, Ink, Page};

/// One tick of a run.
#[derive(Clone, Debug)]
pub struct Tick {
    /// s, since the start.
    pub time: f64,
    /// Whether the loop follows its path.
    pub running: bool,
    /// Where the output is: x, y and z of a point, or one number.
    pub place: Vec<f64>,
    /// Where it should be.
    pub target: Vec<f64>,
    /// The distance between the two.
    pub error: f64,
    /// The largest constraint residual of the machine.
    pub residual: f64,
    /// The torque or the force of each motor.
    pub efforts: Vec<f64>,
}

/// Draws a run. A path in space is seen from above; a path of one number is drawn over time.
pub fn closed_loop(title: &str, ticks: &[Tick]) -> Page {
    let running: Vec<&Tick> = ticks.iter().filter(|tick| tick.running).collect();
    let all: Vec<&Tick> = ticks.iter().collect();
    let curve =
        |ticks: &[&Tick], value: &dyn Fn(&Tick) -> (f64, f64)| Curve::through(ticks.iter().map(|tick| value(tick)));
    let point = |tick: &Tick, place: &[f64]| match *place {
        [x, y, ..] => (x, y),
        [x] => (tick.time, x),
        [] => (tick.time, 0.0),
    };
    let path = match ticks.first().map_or(0, |tick| tick.place.len()) {
        0 | 1 => Chart::new("time / s", "output").titled("Path"),
        2 => Chart::new("x / m", "y / m").titled("Path").to_scale(),
        _ => Chart::new("x / m", "y / m").titled("Path from above").to_scale(),
    };
    let path = path
        .curve(curve(&all, &|tick| point(tick, &tick.place)).named("machine"))
        .curve(curve(&running, &|tick| point(tick, &tick.target)).named("target while running").dotted(2.4, Ink::BLUE));
    let mut efforts = Chart::new("time / s", "effort / (N m or N)").titled("Motors");
    for (motor, name) in ["first", "second", "third", "fourth", "fifth", "sixth"].into_iter().enumerate() {
        if ticks.iter().any(|tick| motor < tick.efforts.len()) {
            let effort = curve(&all, &|tick| (tick.time, tick.efforts.get(motor).copied().unwrap_or(0.0))).named(name);
            efforts = efforts.curve(match motor {
                0 => effort,
                1 => effort.dashed(Ink::BLUE, 1.4),
                _ => effort.drawn(Ink::grey(0.6), 1.4),
            });
        }
    }
    let errors = Chart::new("time / s", "tracking error / mm or mrad")
        .curve(curve(&running, &|tick| (tick.time, tick.error * 1e3)));
    let residuals =
        Chart::new("time / s", "constraint residual").curve(curve(&all, &|tick| (tick.time, tick.residual)));
    Page::new(title).row(380, [path, efforts]).row(220, [errors]).row(220, [residuals])
}

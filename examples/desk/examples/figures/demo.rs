//! The README's demo: the five-bar linkage that the boards drive, here on this computer, with the same bits.

use desk::Outcome;
use desk::plot::{Animation, Chart, Curve, Link, Page};
use loops::{Options, Sample, five_bar};
use mechanisms::FiveBar;
use taut::supervise::State;

/// Counts of a clock in a tick, on which nothing here depends.
const PERIOD: u32 = 1_000;

/// So many ticks of a millisecond.
fn run(ticks: u32) -> Outcome<Vec<Sample>> {
    let mut program = five_bar::program(Options::default(), PERIOD).map_err(|error| format!("{error:?}"))?;
    Ok((0..ticks).map(|tick| program.tick(&mut (tick * PERIOD), &mut ())).collect())
}

/// Homing and a turn on the circle, four times slower than they are.
pub fn animation() -> Outcome<String> {
    let linkage = FiveBar::<f64>::standard();
    let pose = |sample: &Sample| {
        let [x, y] = sample.place.map(f64::from);
        let q = linkage.elbows_out([x, y].into());
        let elbow = |side: f64, angle: f64| {
            (side * linkage.half_base + linkage.proximal * angle.cos(), linkage.proximal * angle.sin())
        };
        vec![(-linkage.half_base, 0.0), elbow(-1.0, q[0]), (x, y), elbow(1.0, q[1]), (linkage.half_base, 0.0)]
    };
    let samples = run(1_100)?;
    let circle = (0..=72).map(|step| f64::from(step * 5).to_radians().sin_cos());
    Ok(Animation {
        poses: samples.iter().step_by(10).map(pose).collect(),
        links: vec![Link::rod(0..5)],
        traced: 2,
        target: circle.map(|(sin, cos)| (0.03 * cos, 0.17 + 0.03 * sin)).collect(),
        caption: "A five-bar linkage comes home and follows a circle (4 times slower)".into(),
        seconds: 4.4,
    }
    .svg())
}

/// What its motors do, and how far its tip is off the path.
pub fn plot() -> Outcome<String> {
    let samples = run(3_000)?;
    let curve = |samples: &mut dyn Iterator<Item = &Sample>, value: &dyn Fn(&Sample) -> f32| {
        Curve::through(samples.step_by(8).map(|sample| (sample.tick as f64 / 1e3, f64::from(value(sample)))))
    };
    let motors = Chart::new("time / s", "torque / (N m)")
        .titled("Motors")
        .curve(curve(&mut samples.iter(), &|sample| sample.efforts[0]).named("left"))
        .curve(curve(&mut samples.iter(), &|sample| sample.efforts[1]).named("right"));
    let mut running = samples.iter().filter(|sample| sample.state == State::Running);
    let error = Chart::new("time / s", "distance / mm")
        .titled("Tip off its path, while it runs")
        .curve(curve(&mut running, &|sample| sample.error * 1e3));
    Ok(Page::new("cargo xtask demo: five-bar linkage, 1 kHz, tip 5% heavier than the model")
        .row(240, [motors, error])
        .svg())
}

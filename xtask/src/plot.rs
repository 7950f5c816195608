//! Plots of what the firmware reported.

use std::path::Path;

use anyhow::{Result, bail};
use desk::plot::{Chart, Curve, Ink, Page};

use crate::telemetry::Sample;

/// Draws a run: its path and how far from it, what the motors do, how far the machine is off its constraints.
pub fn run(title: &str, samples: &[Sample], file: &Path) -> Result<()> {
    if samples.is_empty() {
        bail!("there is no telemetry to plot");
    }
    let is_running = |sample: &&Sample| sample.state == "running";
    let over_time =
        |value: fn(&Sample) -> f64| Curve::through(samples.iter().map(|sample| (sample.time.into(), value(sample))));
    let place = |place: [f32; 2]| (f64::from(place[0]), f64::from(place[1]));
    let path = Chart::new("x / m", "y / m")
        .titled("Path")
        .to_scale()
        .curve(Curve::through(samples.iter().map(|sample| place(sample.place))).named("machine"))
        .curve(
            Curve::through(samples.iter().filter(is_running).map(|sample| place(sample.target)))
                .named("target while running")
                .dotted(2.4, Ink::BLUE),
        );
    let efforts = Chart::new("time / s", "effort / (N m or N)")
        .titled("Motors")
        .curve(over_time(|sample| sample.efforts[0].into()).named("first"))
        .curve(over_time(|sample| sample.efforts[1].into()).named("second").dashed(Ink::BLUE, 1.4));
    let errors = samples.iter().filter(is_running).map(|sample| (sample.time.into(), f64::from(sample.error) * 1e3));
    let page = Page::new(title)
        .row(380, [path, efforts])
        .row(220, [Chart::new("time / s", "off the path / mm").curve(Curve::through(errors))])
        .row(220, [Chart::new("time / s", "constraint residual").curve(over_time(|sample| sample.residual.into()))]);
    Ok(page.write(file)?)
}

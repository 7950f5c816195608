//! Plots of what the firmware reported.

use std::path::Path;

use anyhow::{Result, bail};
use desk::plot::{Chart, Curve, Page};

use crate::telemetry::Sample;

/// One panel: what its vertical axis is called, and what it shows of a sample.
type Panel = (&'static str, fn(&Sample) -> f64);

const PANELS: [Panel; 5] = [
    ("x / m", |sample| sample.place[0].into()),
    ("y / m", |sample| sample.place[1].into()),
    ("distance from the path / m", |sample| sample.error.into()),
    ("first effort / (N m or N)", |sample| sample.efforts[0].into()),
    ("constraint residual", |sample| sample.residual.into()),
];

/// Draws a run over time: where it is, how far from its path, what its first motor does, how far its machine is off its constraints.
pub fn run(title: &str, samples: &[Sample], file: &Path) -> Result<()> {
    if samples.is_empty() {
        bail!("there is no telemetry to plot");
    }
    let page = PANELS.iter().fold(Page::new(title), |page, (label, value)| {
        let curve = Curve::through(samples.iter().map(|sample| (sample.time.into(), value(sample))));
        page.row(205, [Chart::new("time / s", *label).curve(curve)])
    });
    Ok(page.write(file)?)
}

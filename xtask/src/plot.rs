//! Plots of what the firmware reported.

use std::path::Path;

use anyhow::{Result, bail};
use desk::plot::{Chart, Curve, Page};

use crate::telemetry::Sample;

/// One panel: what its vertical axis is called, and what it shows of a sample.
type Panel = (&'static str, fn(&Sample) -> f64);

const PANELS: [Panel; 5] = [
    ("x / m", |sample| sample.x),
    ("y / m", |sample| sample.y),
    ("multiplier / (N/m)", |sample| sample.multiplier),
    ("energy error / (m g l)", |sample| sample.energy_error),
    ("constraint / m²", |sample| sample.position_residual),
];

/// Draws the run of a pendulum over time: where it is, what its rod bears, how far energy and position are off.
pub fn pendulum(samples: &[Sample], file: &Path) -> Result<()> {
    if samples.is_empty() {
        bail!("there is no telemetry to plot");
    }
    let title = "Pendulum on the emulated STM32F405, RATTLE at 1 kHz";
    let page = PANELS.iter().fold(Page::new(title), |page, (label, value)| {
        let curve = Curve::through(samples.iter().map(|sample| (sample.time, value(sample))));
        page.row(205, [Chart::new("time / s", *label).curve(curve)])
    });
    Ok(page.write(file)?)
}

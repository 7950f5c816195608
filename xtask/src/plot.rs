//! Plots of what the firmware reported, as SVG: labelled axes with units, readable in grey.

use std::ops::Range;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use plotters::coord::Shift;
use plotters::prelude::*;

use crate::telemetry::Sample;

/// One panel: what its vertical axis is called, and what it shows of a sample.
type Panel = (&'static str, fn(&Sample) -> f64);

const PANELS: [Panel; 5] = [
    ("x / m", |sample| sample.x),
    ("y / m", |sample| sample.y),
    ("multiplier / (N/m)", |sample| sample.multiplier),
    ("energy error / (m g l)", |sample| sample.energy_error),
    ("position residual / m²", |sample| sample.position_residual),
];

/// Draws the run of a pendulum over time: where it is, what its rod bears, how far energy and position are off.
pub fn pendulum(samples: &[Sample], file: &Path) -> Result<()> {
    let Some(last) = samples.last() else {
        bail!("there is no telemetry to plot");
    };
    let page = SVGBackend::new(file, (800, 1100)).into_drawing_area();
    page.fill(&WHITE).map_err(readable)?;
    let title = ("sans-serif", 18);
    let page = page.titled("Pendulum on the emulated STM32F405, RATTLE at 1 kHz", title).map_err(readable)?;
    for (area, panel) in page.split_evenly((PANELS.len(), 1)).iter().zip(PANELS) {
        draw(area, panel, samples, 0.0..last.time)?;
    }
    page.present().map_err(readable)
}

fn draw(
    area: &DrawingArea<SVGBackend, Shift>,
    (label, value): Panel,
    samples: &[Sample],
    time: Range<f64>,
) -> Result<()> {
    let values = range(samples.iter().map(value));
    let largest = values.start.abs().max(values.end.abs());
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .margin_right(20)
        .x_label_area_size(40)
        .y_label_area_size(84)
        .build_cartesian_2d(time, values)
        .map_err(readable)?;
    chart
        .configure_mesh()
        .x_desc("time / s")
        .y_desc(label)
        .y_labels(6)
        .y_label_formatter(&|value| label_at(*value, largest))
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.15))
        .label_style(("sans-serif", 13))
        .axis_desc_style(("sans-serif", 14))
        .draw()
        .map_err(readable)?;
    let points = samples.iter().map(|sample| (sample.time, value(sample)));
    chart.draw_series(LineSeries::new(points, BLACK.stroke_width(2))).map_err(readable)?;
    Ok(())
}

/// A number on an axis that reaches so far.
fn label_at(value: f64, largest: f64) -> String {
    // The library's steps miss zero by a rounding.
    if value.abs() < 1e-9 * largest {
        "0".to_owned()
    } else if largest < 0.01 {
        format!("{value:.1e}")
    } else {
        format!("{value:.1}")
    }
}

/// The range of some values, with a margin.
fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    let margin = if high > low { 0.06 * (high - low) } else { 1.0 };
    low - margin..high + margin
}

/// The drawing library's errors are not `Sync`; their text is enough.
fn readable(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("cannot draw: {error}")
}

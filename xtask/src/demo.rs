//! The main job in one command: the default board's firmware in the emulator, its log, a summary and a plot.

use std::fs;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::telemetry::{Sample, Summary};
use crate::{firmware, plot, setup, shell};

/// Sets up, builds, runs, shows and plots.
pub fn run() -> Result<()> {
    setup::ensure_toolchain()?;
    setup::ensure_qemu()?;
    let elf = firmware::build()?;

    println!("\nThe log of the emulated Olimex STM32-H405 (STM32F405, Cortex-M4F):\n");
    let begun = Instant::now();
    let (mut samples, mut summary) = (Vec::new(), None);
    firmware::emulated(&elf, |line| {
        println!("  {line}");
        samples.extend(Sample::from_line(line));
        summary = summary.or(Summary::from_line(line));
    })?;
    let elapsed = begun.elapsed().as_secs_f64();
    let summary = summary.context("the firmware ended without its summary line")?;
    let last = samples.last().context("the firmware sent no telemetry")?;

    let file = shell::root().join("target/demo/pendulum.svg");
    fs::create_dir_all(file.parent().context("the plot has a folder")?)?;
    plot::pendulum(&samples, &file)?;

    println!();
    println!(
        "  steps           {} in {} s of simulated time, {} ticks missed",
        summary.steps, last.time, summary.missed_ticks
    );
    println!("  constraint      at most {:.1e} m² off", summary.largest_position_residual);
    println!("  energy error    at most {:.1e} of m g l", summary.largest_energy_error);
    println!(
        "  energy drift    {:+.1e} of m g l, its largest error in the second half against the first",
        drift(&samples)
    );
    println!("  emulation       {elapsed:.1} s");
    println!("  plot            {}", file.display());
    Ok(())
}

/// By how much the largest energy error of a run's second half exceeds that of its first: near zero if the error only
/// swings.
fn drift(samples: &[Sample]) -> f64 {
    let largest = |part: &[Sample]| part.iter().map(|sample| sample.energy_error.abs()).fold(0.0, f64::max);
    let (first, second) = samples.split_at(samples.len() / 2);
    largest(second) - largest(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_only_swings_has_no_drift() {
        let sample = |index: i32| Sample {
            time: f64::from(index),
            x: 0.0,
            y: 0.0,
            energy_error: if index % 2 == 0 { 1.0 } else { -1.0 },
            position_residual: 0.0,
            multiplier: 0.0,
        };
        let samples: Vec<_> = (0..8).map(sample).collect();
        assert_eq!(drift(&samples), 0.0);
    }
}

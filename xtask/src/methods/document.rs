//! Writes the table for the documentation, and reads the costs back from it.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use super::measurements::{self, Accuracy, Combination, Cost, Measurements, combination, grouped};

/// The names of the methods in the programs and in the documentation.
const METHODS: [(&str, &str); 17] = [
    ("symplectic_euler", "symplectic Euler"),
    ("rattle", "RATTLE"),
    ("yoshida", "Yoshida, order 4"),
    ("suzuki", "Suzuki, order 4"),
    ("kahan_li", "Kahan–Li, order 6"),
    ("half_explicit_1", "half-explicit, order 1"),
    ("half_explicit_2", "half-explicit, order 2"),
    ("half_explicit_3", "half-explicit, order 3"),
    ("half_explicit_4", "half-explicit, order 4"),
    ("runge_kutta_4", "Runge–Kutta 4, projected"),
    ("runge_kutta_8", "Runge–Kutta 8, projected"),
    ("implicit_euler", "implicit Euler"),
    ("radau_iia_3", "Radau IIA, order 3"),
    ("radau_iia_5", "Radau IIA, order 5"),
    ("bdf_2", "BDF2"),
    ("runge_kutta_4_partitioned", "Runge–Kutta 4, partitioned"),
    ("runge_kutta_4_tangent", "Runge–Kutta 4, tangent"),
];

/// The name of a method in the documentation.
pub fn title(method: &str) -> &str {
    METHODS.iter().find(|(known, _)| *known == method).map_or(method, |(_, title)| title)
}

/// The names of the systems in the programs and in the documentation.
const SYSTEMS: [(&str, &str); 4] = [
    ("pendulum", "Pendulum"),
    ("double_pendulum", "Double pendulum"),
    ("four_bar", "Four-bar linkage"),
    ("stiff_actuator", "Stiff actuator"),
];

/// The names of the scalar types, plain or compensated.
const SCALARS: [(&str, &str); 3] =
    [("plain-f32", "plain `f32`"), ("compensated-f32", "compensated `f32`"), ("plain-f64", "plain `f64`")];

/// The step sizes in seconds, as the programs print them.
const STEP_SIZES: [&str; 3] = ["1e-2", "1e-3", "1e-4"];

/// The position errors for which the cheapest method is listed.
const WANTED: [&str; 3] = ["1e-2", "1e-4", "1e-6"];

/// The whole text.
pub fn written(measurements: &Measurements, compiler: &str) -> Result<String> {
    let mut text = include_str!("introduction.md").replace("COMPILER", compiler);
    text = text.replace("RESOLUTION", &format!("{:e}", measurements.resolution));
    for (system, system_title) in SYSTEMS {
        for (scalar, scalar_title) in SCALARS {
            text += &format!("\n## {system_title}, {scalar_title}\n\n");
            text += &section(measurements, system, scalar)?;
        }
    }
    Ok(text)
}

/// The table of a system in a precision, and the cheapest methods.
fn section(measurements: &Measurements, system: &str, scalar: &str) -> Result<String> {
    let sizes = STEP_SIZES.map(|size| format!(" h = {size} |")).concat();
    let mut text = format!("| method | instructions |{sizes}\n|---|--:|---|---|---|\n");
    for (method, title) in METHODS {
        let combination = combination([method, system, scalar]);
        let cost = measurements.costs.get(&combination).with_context(|| format!("no cost of {combination:?}"))?;
        text += &format!("| {title} | {} |", measurements::shown(cost));
        for size in STEP_SIZES {
            text += &format!(" {} |", shown(accuracy(measurements, &combination, size)?, measurements.resolution));
        }
        text += "\n";
    }
    let cheapest = |wanted: &str| Ok(format!("{wanted}: {}", cheapest(measurements, system, scalar, wanted)?));
    let ways = WANTED.into_iter().map(cheapest).collect::<Result<Vec<_>>>()?;
    Ok(text + &format!("\nCheapest for a position error of {}.\n", ways.join("; of ")))
}

fn accuracy<'a>(measurements: &'a Measurements, combination: &Combination, size: &str) -> Result<&'a Accuracy> {
    let accuracy = measurements.errors.get(&(combination.clone(), size.to_owned()));
    accuracy.with_context(|| format!("no errors of {combination:?} at {size}"))
}

fn shown(accuracy: &Accuracy, resolution: f64) -> String {
    match accuracy {
        Ok([position, energy]) if *position < resolution => format!("< {resolution:e} / {energy:.1e}"),
        Ok([position, energy]) => format!("{position:.1e} / {energy:.1e}"),
        Err(error) => format!("`{error}`"),
    }
}

/// The method and step size that are accurate enough and take the fewest instructions per simulated second.
fn cheapest(measurements: &Measurements, system: &str, scalar: &str, wanted: &str) -> Result<String> {
    let limit: f64 = wanted.parse()?;
    let mut best: Option<(f64, &str, &str)> = None;
    for (method, title) in METHODS {
        let combination = combination([method, system, scalar]);
        let Some(Ok(instructions)) = measurements.costs.get(&combination) else { continue };
        for size in STEP_SIZES {
            let Ok([position, _]) = accuracy(measurements, &combination, size)? else { continue };
            let per_second = *instructions as f64 / size.parse::<f64>()?;
            if *position <= limit && best.is_none_or(|(least, ..)| per_second < least) {
                best = Some((per_second, title, size));
            }
        }
    }
    Ok(best.map_or("none".to_owned(), |(per_second, title, size)| {
        format!("**{title}** at h = {size} ({} instructions a second)", grouped(per_second.round() as u64))
    }))
}

/// Parses the costs from a text written by [`written`].
pub fn costs(text: &str) -> Result<BTreeMap<Combination, Cost>> {
    let word = |table: &[(&'static str, &str)], title: &str| {
        table.iter().find(|(_, known)| *known == title).map(|(word, _)| *word)
    };
    let (mut costs, mut place) = (BTreeMap::new(), None);
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            let (system, scalar) = heading.split_once(", ").context("a heading without a precision")?;
            let system = word(&SYSTEMS, system).with_context(|| format!("unknown system: {heading}"))?;
            place = Some((system, word(&SCALARS, scalar).with_context(|| format!("unknown precision: {heading}"))?));
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let (Some((system, scalar)), ["", title, cost, ..]) = (place, cells.as_slice()) else { continue };
        let Some(method) = word(&METHODS, title) else { continue };
        let cost = cost.replace(',', "").parse().map_err(|_| (*cost).to_owned());
        costs.insert(combination([method, system, scalar]), cost);
    }
    Ok(costs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every method costs 1,000 and has an error of h, except RATTLE, which costs 2,000, has an error of h³ and fails at 1e-2.
    fn invented() -> Measurements {
        let mut measurements = Measurements { resolution: 1e-11, ..Measurements::default() };
        for (method, _) in METHODS {
            for (system, _) in SYSTEMS {
                for (scalar, _) in SCALARS {
                    let combination = combination([method, system, scalar]);
                    let is_rattle = method == "rattle";
                    for size in STEP_SIZES {
                        let h: f64 = size.parse().unwrap();
                        let position = if is_rattle { h.powi(3) } else { h };
                        let accuracy = if is_rattle && size == "1e-2" {
                            Err("NotConverged".to_owned())
                        } else {
                            Ok([position, 0.5])
                        };
                        measurements.errors.insert((combination.clone(), size.to_owned()), accuracy);
                    }
                    measurements.costs.insert(combination, Ok(if is_rattle { 2_000 } else { 1_000 }));
                }
            }
        }
        measurements
    }

    #[test]
    fn every_method_of_the_library_has_a_row() {
        // The last three step states of their own, or have a variant that does.
        for name in
            taut::method::NAMES.into_iter().chain(["bdf_2", "runge_kutta_4_partitioned", "runge_kutta_4_tangent"])
        {
            assert!(METHODS.iter().any(|(known, _)| *known == name), "{name} is not in the tables");
        }
    }

    #[test]
    fn costs_are_read_back_as_written() {
        let measurements = invented();
        let text = written(&measurements, "rustc 1.0").unwrap();
        assert_eq!(costs(&text).unwrap(), measurements.costs);
        assert!(text.contains("| RATTLE | 2,000 | `NotConverged` | 1.0e-9 / 5.0e-1 | < 1e-11 / 5.0e-1 |"), "{text}");
    }

    #[test]
    fn the_cheapest_method_takes_the_fewest_instructions_per_simulated_second() {
        let cheapest = |wanted| cheapest(&invented(), "pendulum", "plain-f32", wanted).unwrap();
        assert_eq!(cheapest("1e-2"), "**symplectic Euler** at h = 1e-2 (100,000 instructions a second)");
        assert_eq!(cheapest("1e-4"), "**RATTLE** at h = 1e-3 (2,000,000 instructions a second)");
        assert_eq!(cheapest("1e-15"), "none");
    }
}

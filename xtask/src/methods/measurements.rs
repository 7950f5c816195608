//! What the programs have printed, combination by combination.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Result, bail};

use crate::budget::kernels::{check_calibration, rows};
use crate::machines::Counter;

/// A method on a system in a precision, by the names that the programs use.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Combination {
    /// The method.
    pub method: String,
    /// The system.
    pub system: String,
    /// The precision.
    pub scalar: String,
}

impl Combination {
    /// From its three names.
    pub fn new(method: &str, system: &str, scalar: &str) -> Self {
        Self { method: method.to_owned(), system: system.to_owned(), scalar: scalar.to_owned() }
    }
}

impl fmt::Display for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {} in {}", self.method, self.system, self.scalar)
    }
}

/// What a step costs.
#[derive(Clone, PartialEq, Debug)]
pub enum Cost {
    /// The mean of some steps.
    Instructions(u64),
    /// A step fails, with an error of this name.
    Failure(String),
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Instructions(instructions) => f.write_str(&grouped(*instructions)),
            Self::Failure(error) => f.write_str(error),
        }
    }
}

/// How far off a run is.
#[derive(Clone, PartialEq, Debug)]
pub enum Accuracy {
    /// The run has reached its end.
    Errors {
        /// Of the position at the end.
        position: f64,
        /// Of the energy at its worst.
        energy: f64,
    },
    /// A step fails, with an error of this name.
    Failure(String),
}

/// Everything that was measured.
#[derive(Default)]
pub struct Measurements {
    /// What a step costs.
    pub costs: BTreeMap<Combination, Cost>,
    /// How far off a run is, at each step size.
    pub errors: BTreeMap<(Combination, String), Accuracy>,
    /// Errors of the position below this are not resolved.
    pub resolution: f64,
}

impl Measurements {
    /// Adds what a program has printed on a machine.
    pub fn add_costs(&mut self, output: &str, counter: &Counter) -> Result<()> {
        let rows = rows(output);
        check_calibration(&rows, counter)?;
        for row in rows {
            let (combination, cost) = match row.as_slice() {
                ["cost", method, system, scalar, steps, ticks, ticks_of_nothing] => {
                    let (steps, ticks, nothing): (u64, u64, u64) =
                        (steps.parse()?, ticks.parse()?, ticks_of_nothing.parse()?);
                    let instructions = counter.instructions(ticks - nothing);
                    (Combination::new(method, system, scalar), Cost::Instructions((instructions + steps / 2) / steps))
                }
                ["failure", method, system, scalar, error] => {
                    (Combination::new(method, system, scalar), Cost::Failure((*error).to_owned()))
                }
                ["nops", ..] => continue,
                _ => bail!("not a cost: {}", row.join(" ")),
            };
            self.costs.insert(combination, cost);
        }
        Ok(())
    }

    /// Adds what a program has printed on this computer.
    pub fn add_errors(&mut self, output: &str) -> Result<()> {
        for row in rows(output) {
            let (combination, size, accuracy) = match row.as_slice() {
                ["error", method, system, scalar, size, position, energy] => {
                    let accuracy = Accuracy::Errors { position: position.parse()?, energy: energy.parse()? };
                    (Combination::new(method, system, scalar), size, accuracy)
                }
                ["failure", method, system, scalar, size, error] => {
                    (Combination::new(method, system, scalar), size, Accuracy::Failure((*error).to_owned()))
                }
                ["reference", _system, _size, _uncertainty, resolution] => {
                    self.resolution = resolution.parse()?;
                    continue;
                }
                _ => bail!("not an error: {}", row.join(" ")),
            };
            self.errors.insert((combination, (*size).to_owned()), accuracy);
        }
        Ok(())
    }
}

/// A number with commas between its thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_means_without_the_call() {
        let counter = Counter { shift: 5, frequency: None };
        let output = "nops 0 1\nnops 40 41\nnops 400 401\ncost rattle pendulum f32 10 1570 150\n\
                      failure suzuki pendulum f32 Singular";
        let mut measurements = Measurements::default();
        measurements.add_costs(output, &counter).unwrap();
        let cost = |method| &measurements.costs[&Combination::new(method, "pendulum", "f32")];
        assert_eq!(cost("rattle"), &Cost::Instructions(142));
        assert_eq!(cost("suzuki"), &Cost::Failure("Singular".to_owned()));
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([7, 142, 1000, 1234567].map(grouped), ["7", "142", "1,000", "1,234,567"]);
    }
}

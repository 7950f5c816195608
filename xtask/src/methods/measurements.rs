//! The parsed output of the programs, by combination.

use std::collections::BTreeMap;

use anyhow::{Result, bail};

use crate::machines::{Counts, rows};

/// A method, a system and a precision, as the programs name them.
pub type Combination = [String; 3];

/// A combination from its three words.
pub fn combination(words: [&str; 3]) -> Combination {
    words.map(str::to_owned)
}

/// The mean instructions of a step, or the error with which a step fails.
pub type Cost = Result<u64, String>;

/// The position error at the end and the largest energy error, or the error with which a step fails.
pub type Accuracy = Result<[f64; 2], String>;

/// All measurements.
#[derive(Default)]
pub struct Measurements {
    /// The cost of a step.
    pub costs: BTreeMap<Combination, Cost>,
    /// The errors of a run at each step size.
    pub errors: BTreeMap<(Combination, String), Accuracy>,
    /// Position errors below this are not resolved.
    pub resolution: f64,
}

impl Measurements {
    /// Adds the output of a program on a machine.
    pub fn add_costs(&mut self, output: &str, counts: &Counts) -> Result<()> {
        for row in rows(output) {
            let (words, cost) = match *row.as_slice() {
                ["cost", method, system, scalar, steps, ticks, ticks_of_nothing] => {
                    let [steps, ticks, nothing] = [steps.parse::<u64>()?, ticks.parse()?, ticks_of_nothing.parse()?];
                    let instructions = counts.of_calls(steps, ticks, nothing);
                    ([method, system, scalar], Ok((instructions + steps / 2) / steps))
                }
                ["failure", method, system, scalar, error] => ([method, system, scalar], Err(error.to_owned())),
                ["nops" | "empty", ..] => continue,
                _ => bail!("expected a row of costs, got: {}", row.join(" ")),
            };
            self.costs.insert(combination(words), cost);
        }
        Ok(())
    }

    /// Adds the output of a program on this computer.
    pub fn add_errors(&mut self, output: &str) -> Result<()> {
        for row in rows(output) {
            let (words, size, accuracy) = match *row.as_slice() {
                ["error", method, system, scalar, size, position, energy] => {
                    ([method, system, scalar], size, Ok([position.parse()?, energy.parse()?]))
                }
                ["failure", method, system, scalar, size, error] => {
                    ([method, system, scalar], size, Err(error.to_owned()))
                }
                ["reference", _system, _size, _uncertainty, resolution] => {
                    self.resolution = resolution.parse()?;
                    continue;
                }
                _ => bail!("expected a row of errors, got: {}", row.join(" ")),
            };
            self.errors.insert((combination(words), size.to_owned()), accuracy);
        }
        Ok(())
    }
}

/// A cost as text.
pub fn shown(cost: &Cost) -> String {
    cost.as_ref().map_or_else(String::clone, |instructions| grouped(*instructions))
}

/// A number with commas between thousands.
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
    fn a_cost_is_the_mean_without_the_call() {
        let counts = Counts::in_instructions(3);
        let output = "nops 0 1\ncost rattle pendulum f32 10 1570 150\nfailure suzuki pendulum f32 Singular";
        let mut measurements = Measurements::default();
        measurements.add_costs(output, &counts).unwrap();
        let cost = |method| &measurements.costs[&combination([method, "pendulum", "f32"])];
        assert_eq!(cost("rattle"), &Ok(145));
        assert_eq!(cost("suzuki"), &Err("Singular".to_owned()));
    }

    #[test]
    fn thousands_are_separated_by_commas() {
        assert_eq!([7, 142, 1000, 1234567].map(grouped), ["7", "142", "1,000", "1,234,567"]);
    }
}

//! Parses the lines of the firmware's log: words and numbers as `name=value`.

use std::str::FromStr;

use anyhow::{Context, Result};

/// A line of the log: its subject and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Line(String);

impl Line {
    /// The line, if it has this subject: `begin`, `telemetry`, `result` or `timing`.
    pub fn about(subject: &str, line: &str) -> Option<Self> {
        line.split_whitespace().any(|word| word == subject).then(|| Self(line.to_owned()))
    }

    /// The word in `name=word`.
    pub fn word(&self, name: &str) -> Result<&str> {
        let word = self.0.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        word.with_context(|| format!("no {name} in: {self:?}"))
    }

    /// The number in `name=number`.
    pub fn number<T: FromStr>(&self, name: &str) -> Result<T> {
        self.word(name)?.parse().ok().with_context(|| format!("{name} is not a number in: {self:?}"))
    }

    /// Several numbers.
    pub fn numbers<T: FromStr + Copy + Default, const N: usize>(&self, names: [&str; N]) -> Result<[T; N]> {
        let mut numbers = [T::default(); N];
        for (number, name) in numbers.iter_mut().zip(names) {
            *number = self.number(name)?;
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "INFO telemetry tick=50 time=0.05 state=running output=following fault=none x=0.4 y=-0.3 target_x=0.5 \
                        target_y=-0.25 error=1e-5 residual=-2e-8 effort_1=3.5 effort_2=0.0";

    #[test]
    fn a_telemetry_line_gives_its_values() {
        let sample = Line::about("telemetry", LINE).unwrap();
        assert_eq!((sample.number("tick").ok(), sample.word("state").unwrap()), (Some(50), "running"));
        let numbers: [f32; 4] = sample.numbers(["x", "y", "error", "residual"]).unwrap();
        assert_eq!(numbers, [0.4, -0.3, 1e-5, -2e-8]);
        assert_eq!(Line::about("result", LINE), None);
    }

    #[test]
    fn a_missing_or_malformed_value_is_named() {
        let line = Line::about("telemetry", &LINE.replace("y=-0.3", "y=high")).unwrap();
        assert!(line.number::<f32>("y").unwrap_err().to_string().contains("y is not a number"));
        assert!(line.number::<f32>("z").unwrap_err().to_string().contains("no z in"));
    }

    #[test]
    fn a_result_line_gives_its_values() {
        let line = "INFO result calls=9 running=7 worst_error=0.5 worst_residual=1e-9 faults=1 last_fault=late stuck=0 digest=00ff00ff";
        let outcome = Line::about("result", line).unwrap();
        assert_eq!((outcome.number("calls").ok(), outcome.word("last_fault").unwrap()), (Some(9), "late"));
        assert_eq!(outcome.word("digest").unwrap(), "00ff00ff");
    }
}

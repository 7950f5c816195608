//! An advice as a table: every way at every rate, then the Pareto front.

use core::fmt;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::advice::{Advice, Unit};
use super::trial::Trial;
use crate::method::StepError;

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Relative { to, seconds } => {
                write!(f, "time of a step on this computer, relative to {to} ({:.0} ns)", seconds * 1e9)
            }
            Self::Counted(unit) => f.write_str(unit),
        }
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let uncertainty = self.reference.uncertainty;
        writeln!(
            f,
            "Error of the position after {} s, known to {uncertainty:.0e}; where a step fails, why.",
            self.duration
        )?;
        if let Some(unit) = &self.unit {
            writeln!(f, "Cost of a step: {unit}.")?;
        }
        writeln!(f)?;
        let mut rates: Vec<f64> = self.trials.iter().map(|trial| trial.rate).collect();
        rates.sort_by(f64::total_cmp);
        rates.dedup();
        write!(f, "{:<16}  {:<15}  {:>10}", "method", "state", "cost")?;
        rates.iter().try_for_each(|rate| write!(f, "  {:>12}", hertz(*rate)))?;
        writeln!(f)?;
        let mut rest = self.trials.as_slice();
        while let Some(Trial { way, cost, .. }) = rest.first() {
            let (row, others) = rest.split_at(rest.iter().take_while(|trial| trial.way == *way).count());
            let state = format!("{} {}", way.digits, way.base);
            write!(f, "{:<16}  {state:<15}  {:>10}", way.method, shown(*cost))?;
            for rate in &rates {
                let trial = row.iter().find(|trial| trial.rate == *rate);
                write!(f, "  {:>12}", trial.map_or(String::new(), |trial| self.error_shown(trial)))?;
            }
            writeln!(f)?;
            rest = others;
        }
        writeln!(f, "\nNothing cheaper is as accurate as these:")?;
        writeln!(f, "{:>10}  {:>15}  way", "error", "cost a second")?;
        for trial in self.front() {
            let (error, cost) = (self.error_shown(trial), shown(trial.cost_per_second()));
            writeln!(f, "{error:>10}  {cost:>15}  {}, {}", trial.way, hertz(trial.rate))?;
        }
        Ok(())
    }
}

impl Advice {
    fn error_shown(&self, trial: &Trial) -> String {
        let uncertainty = self.reference.uncertainty;
        match &trial.accuracy {
            Ok(accuracy) if accuracy.position < uncertainty => format!("< {uncertainty:.0e}"),
            Ok(accuracy) => format!("{:.1e}", accuracy.position),
            Err(error) => kind(error),
        }
    }
}

/// A cost, whole where it is large.
fn shown(cost: Option<f64>) -> String {
    match cost {
        None => "unknown".to_string(),
        Some(cost) if cost < 100.0 => format!("{cost:.2}"),
        Some(cost) => format!("{cost:.0}"),
    }
}

/// A rate with its unit.
fn hertz(rate: f64) -> String {
    if rate < 1_000.0 { format!("{rate} Hz") } else { format!("{} kHz", rate / 1_000.0) }
}

/// The name of an error's variant, short enough for the table.
fn kind(error: &StepError<f64>) -> String {
    format!("{error:?}").chars().take_while(|character| character.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_readable() {
        let costs = [None, Some(1.0), Some(132.4), Some(1_234_567.0)].map(shown);
        assert_eq!(costs, ["unknown", "1.00", "132", "1234567"]);
        let error = StepError::NonFinite { tick: 3, level: crate::project::Level::Position, index: 1 };
        assert_eq!(kind(&error), "NonFinite");
        assert_eq!([50.0, 1_000.0, 2_500.0].map(hertz), ["50 Hz", "1 kHz", "2.5 kHz"]);
    }
}

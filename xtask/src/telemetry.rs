//! What the firmware's log lines say, as numbers.

/// One telemetry line of the pendulum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Simulated time, s.
    pub time: f64,
    /// Angle from hanging straight down, rad.
    pub angle: f64,
    /// Angular rate, rad/s.
    pub rate: f64,
    /// Energy gained since the start, in units of m g l.
    pub energy_error: f64,
}

impl Sample {
    /// Reads a telemetry line; `None` for any other line.
    pub fn from_line(line: &str) -> Option<Self> {
        let values = after_word(line, "telemetry")?;
        Some(Self {
            time: number(values, "time")?,
            angle: number(values, "angle")?,
            rate: number(values, "rate")?,
            energy_error: number(values, "energy_error")?,
        })
    }
}

/// The firmware's last line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Steps taken.
    pub steps: f64,
    /// Ticks that came while the loop was still busy.
    pub missed_ticks: f64,
    /// Largest energy error of all steps, in units of m g l.
    pub largest_energy_error: f64,
}

impl Summary {
    /// Reads the summary line; `None` for any other line.
    pub fn from_line(line: &str) -> Option<Self> {
        let values = after_word(line, "summary")?;
        Some(Self {
            steps: number(values, "steps")?,
            missed_ticks: number(values, "missed_ticks")?,
            largest_energy_error: number(values, "largest_energy_error")?,
        })
    }
}

/// What follows a word.
fn after_word<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let (_, after) = line.split_once(word)?;
    after.starts_with(' ').then_some(after)
}

/// The number in `name=number`.
fn number(values: &str, name: &str) -> Option<f64> {
    let value = values.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))?;
    value.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_telemetry_line_gives_its_numbers() {
        let line = "0.050 INFO telemetry time=0.05 angle=1.5 rate=-0.25 energy_error=1e-5";
        let sample = Sample { time: 0.05, angle: 1.5, rate: -0.25, energy_error: 1e-5 };
        assert_eq!(Sample::from_line(line), Some(sample));
        assert_eq!(Summary::from_line(line), None);
    }

    #[test]
    fn a_line_without_all_numbers_is_none() {
        assert_eq!(Sample::from_line("0.050 INFO telemetry time=0.05 angle=1.5 rate=x energy_error=0"), None);
        assert_eq!(Sample::from_line("0.050 INFO telemetry time=0.05"), None);
    }
}

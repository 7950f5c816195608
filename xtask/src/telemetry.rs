//! What the firmware's log lines say, as numbers.

/// One telemetry line of the pendulum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Simulated time, s.
    pub time: f64,
    /// Position across, m.
    pub x: f64,
    /// Position upwards, m.
    pub y: f64,
    /// Energy gained since the start, in units of m g l.
    pub energy_error: f64,
    /// How far off zero the constraint (x² + y² − l²)/2 was at most since the last line, m².
    pub position_residual: f64,
    /// The constraint's multiplier, N/m: times the length, the tension of the rod.
    pub multiplier: f64,
}

impl Sample {
    /// Reads a telemetry line; `None` for any other line.
    pub fn from_line(line: &str) -> Option<Self> {
        let values = after_word(line, "telemetry")?;
        Some(Self {
            time: number(values, "time")?,
            x: number(values, "x")?,
            y: number(values, "y")?,
            energy_error: number(values, "energy_error")?,
            position_residual: number(values, "position_residual")?,
            multiplier: number(values, "multiplier")?,
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
    /// Largest position residual of all steps, m².
    pub largest_position_residual: f64,
}

impl Summary {
    /// Reads the summary line; `None` for any other line.
    pub fn from_line(line: &str) -> Option<Self> {
        let values = after_word(line, "summary")?;
        Some(Self {
            steps: number(values, "steps")?,
            missed_ticks: number(values, "missed_ticks")?,
            largest_energy_error: number(values, "largest_energy_error")?,
            largest_position_residual: number(values, "largest_position_residual")?,
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
        let line =
            "0.050 INFO telemetry time=0.05 x=0.4 y=-0.3 energy_error=1e-5 position_residual=-2e-8 multiplier=3.5";
        let sample =
            Sample { time: 0.05, x: 0.4, y: -0.3, energy_error: 1e-5, position_residual: -2e-8, multiplier: 3.5 };
        assert_eq!(Sample::from_line(line), Some(sample));
        assert_eq!(Summary::from_line(line), None);
    }

    #[test]
    fn a_line_without_all_numbers_is_none() {
        let line = "0.050 INFO telemetry time=0.05 x=0.4 y=high energy_error=0 position_residual=0 multiplier=3.5";
        assert_eq!(Sample::from_line(line), None);
        assert_eq!(Sample::from_line("0.050 INFO telemetry time=0.05"), None);
    }
}

//! What the firmware's log lines say: words and numbers as `name=value`.

/// One telemetry line of a control loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The tick.
    pub tick: u64,
    /// Simulated time, s.
    pub time: f32,
    /// What the loop is doing.
    pub state: String,
    /// What the motors get.
    pub output: String,
    /// Why it stopped.
    pub fault: String,
    /// Where the tip, the load or the bob is, m.
    pub place: [f32; 2],
    /// Where the path has it, m.
    pub target: [f32; 2],
    /// How far that is, m.
    pub error: f32,
    /// The largest constraint residual of the machine, as its model writes it.
    pub residual: f32,
    /// What the motors were driven with, N m or N.
    pub efforts: [f32; 2],
}

impl Sample {
    /// Reads a telemetry line; `None` for any other line.
    pub fn from_line(line: &str) -> Option<Self> {
        let line = Line::after(line, "telemetry")?;
        Some(Self {
            tick: line.number("tick")?,
            time: line.number("time")?,
            state: line.word("state")?.to_owned(),
            output: line.word("output")?.to_owned(),
            fault: line.word("fault")?.to_owned(),
            place: [line.number("x")?, line.number("y")?],
            target: [line.number("target_x")?, line.number("target_y")?],
            error: line.number("error")?,
            residual: line.number("residual")?,
            efforts: [line.number("effort_1")?, line.number("effort_2")?],
        })
    }
}

/// What a loop did: the same on every board.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// How many ticks the loop was called for.
    pub calls: u32,
    /// How many of them ended in the running state.
    pub running: u32,
    /// The largest distance from the path while it ran, m.
    pub worst_error: f32,
    /// The largest constraint residual of the machine, as its model writes it.
    pub worst_residual: f32,
    /// How many faults there were.
    pub faults: u32,
    /// The last of them.
    pub last_fault: String,
    /// Of the bits of all samples.
    pub digest: u32,
}

impl Outcome {
    /// Reads the line of the result; `None` for any other line.
    pub fn from_line(line: &str) -> Option<Self> {
        let line = Line::after(line, "result")?;
        Some(Self {
            calls: line.number("calls")?,
            running: line.number("running")?,
            worst_error: line.number("worst_error")?,
            worst_residual: line.number("worst_residual")?,
            faults: line.number("faults")?,
            last_fault: line.word("last_fault")?.to_owned(),
            digest: u32::from_str_radix(line.word("digest")?, 16).ok()?,
        })
    }
}

/// How a board did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Counts of the board's clock a second.
    pub frequency: u64,
    /// Counts in a tick.
    pub period: u64,
    /// How late a tick began at most, in counts.
    pub worst_lateness: u64,
    /// How long a tick took at most, in counts, without the simulated machine.
    pub worst_execution: u64,
    /// How many ticks were skipped because they were late.
    pub skipped: u32,
    /// How many ticks ended after the next one's release.
    pub overruns: u32,
    /// How many samples found no room on their way.
    pub dropped: u32,
    /// How often the watchdog was fed.
    pub fed: u32,
    /// For how many ticks it was not, at last.
    pub hungry: u32,
    /// The most bytes of stack that a tick took, where that was measured.
    pub stack: u64,
}

impl Timing {
    /// Reads the line of the timing; `None` for any other line.
    pub fn from_line(line: &str) -> Option<Self> {
        let line = Line::after(line, "timing")?;
        Some(Self {
            frequency: line.number("frequency")?,
            period: line.number("period")?,
            worst_lateness: line.number("worst_lateness")?,
            worst_execution: line.number("worst_execution")?,
            skipped: line.number("skipped")?,
            overruns: line.number("overruns")?,
            dropped: line.number("dropped")?,
            fed: line.number("fed")?,
            hungry: line.number("hungry")?,
            stack: line.number("stack")?,
        })
    }
}

/// Which loop runs, and at how many ticks a second: from the first line, `None` for any other.
pub fn beginning(line: &str) -> Option<(String, u64)> {
    let line = Line::after(line, "begin")?;
    Some((line.word("loop")?.to_owned(), line.number("rate")?))
}

/// The values of a line.
struct Line<'a>(&'a str);

impl<'a> Line<'a> {
    /// What follows a word.
    fn after(line: &'a str, word: &str) -> Option<Self> {
        let (_, after) = line.split_once(word)?;
        after.starts_with(' ').then_some(Self(after))
    }

    /// The word in `name=word`.
    fn word(&self, name: &str) -> Option<&'a str> {
        self.0.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    }

    /// The number in `name=number`.
    fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.word(name)?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "INFO telemetry tick=50 time=0.05 state=running output=following fault=none x=0.4 y=-0.3 target_x=0.5 \
                        target_y=-0.25 error=1e-5 residual=-2e-8 effort_1=3.5 effort_2=0.0";

    #[test]
    fn a_telemetry_line_gives_its_values() {
        let sample = Sample::from_line(LINE).unwrap();
        assert_eq!((sample.tick, sample.time, sample.state.as_str()), (50, 0.05, "running"));
        assert_eq!((sample.place, sample.target, sample.efforts), ([0.4, -0.3], [0.5, -0.25], [3.5, 0.0]));
        assert_eq!((sample.error, sample.residual), (1e-5, -2e-8));
        assert_eq!(Outcome::from_line(LINE), None);
    }

    #[test]
    fn a_line_without_all_values_is_none() {
        assert_eq!(Sample::from_line(&LINE.replace("y=-0.3", "y=high")), None);
        assert_eq!(Sample::from_line("INFO telemetry tick=50"), None);
    }

    #[test]
    fn the_last_lines_give_their_numbers() {
        let line = "INFO result calls=9 running=7 worst_error=0.5 worst_residual=1e-9 faults=1 last_fault=late stuck=0 digest=00ff00ff";
        let outcome = Outcome::from_line(line).unwrap();
        assert_eq!((outcome.calls, outcome.last_fault.as_str(), outcome.digest), (9, "late", 0x00ff_00ff));
        let line = "INFO timing frequency=16 period=4 worst_lateness=1 worst_execution=3 skipped=2 overruns=1 dropped=0 fed=8 \
                    hungry=1 stack=900";
        let timing = Timing::from_line(line).unwrap();
        assert_eq!((timing.period, timing.overruns, timing.fed, timing.stack), (4, 1, 8, 900));
    }
}

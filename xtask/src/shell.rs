//! Running other programs: a line per step with the time it took, and their output only when they fail.

use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{LazyLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies inside the repository").to_owned()
}

/// `cargo` of the toolchain that runs us, in a folder given relative to the root ("" is the root).
pub fn cargo(folder: &str) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // What changes between two of our commands is compiled anew rather than in parts, which takes less time for all of it.
    command.current_dir(root().join(folder)).env("CARGO_INCREMENTAL", "0");
    command
}

/// Runs a command to its end as one visible step. Its output is shown only if it fails.
pub fn run(step: &str, command: &mut Command) -> Result<()> {
    capture(step, command).map(|_| ())
}

/// Does something of our own as one visible step, with a line before it: it may show steps of its own.
pub fn step(step: &str, action: impl FnOnce() -> Result<()>) -> Result<()> {
    say(&format!("  ...    {step}"));
    let begun = Instant::now();
    let result = action();
    report(step, begun, result.is_ok());
    result
}

/// Like [`run`], and returns what the command wrote to its standard output.
pub fn capture(step: &str, command: &mut Command) -> Result<String> {
    let progress = Progress::start(step);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("{step}: cannot start {}", shown(command)))?;

    // Both pipes are drained at once, or a full one would block the child; lines keep their order of arrival.
    let (sender, lines) = mpsc::channel();
    let readers = [
        child.stdout.take().map(|pipe| drain(pipe, true, sender.clone())),
        child.stderr.take().map(|pipe| drain(pipe, false, sender)),
    ];
    let (mut everything, mut output) = (String::new(), String::new());
    for (is_output, line) in lines {
        progress.say(line.trim());
        everything += &line;
        if is_output {
            output += &line;
        }
    }
    for reader in readers.into_iter().flatten() {
        reader.join().ok();
    }

    let status = child.wait()?;
    progress.end(status.success());
    if !status.success() {
        bail!("{step}: {status}\n  $ {}\n{everything}", shown(command));
    }
    Ok(output)
}

/// What a short command prints, without showing a step; `None` if it is missing or fails.
pub fn ask(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Sends a pipe's text on, line by line.
fn drain(
    pipe: impl Read + Send + 'static,
    is_output: bool,
    sender: mpsc::Sender<(bool, String)>,
) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut bytes = Vec::new();
        while matches!(pipe.read_until(b'\n', &mut bytes), Ok(1..)) {
            let line = String::from_utf8_lossy(&bytes).into_owned();
            if sender.send((is_output, line)).is_err() {
                break;
            }
            bytes.clear();
        }
    })
}

/// The command as one would type it.
fn shown(command: &Command) -> String {
    let environment =
        command.get_envs().filter_map(|(name, value)| Some(format!("{}={:?} ", name.to_string_lossy(), value?)));
    let words = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy().into_owned());
    environment.collect::<String>() + &words.collect::<Vec<_>>().join(" ")
}

/// The moving lines of the steps that are under way.
static UNDER_WAY: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// One step on the screen: a moving line on a terminal, a plain line at its end elsewhere.
struct Progress {
    step: String,
    begun: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    fn start(step: &str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = UNDER_WAY.add(ProgressBar::new_spinner());
            let style = ProgressStyle::with_template("  {spinner} {prefix}  {elapsed}  {wide_msg:.dim}");
            bar.set_style(style.expect("a valid template"));
            bar.set_prefix(step.to_owned());
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        });
        Self { step: step.to_owned(), begun: Instant::now(), bar }
    }

    fn say(&self, line: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(line.to_owned());
        }
    }

    fn end(self, success: bool) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        report(&self.step, self.begun, success);
    }
}

/// The line at the end of a step.
fn report(step: &str, begun: Instant, success: bool) {
    let mark = if success { "ok    " } else { "FAILED" };
    say(&format!("  {mark} {step} ({:.1} s)", begun.elapsed().as_secs_f32()));
}

/// A line for people, above those that move.
pub fn say(line: &str) {
    UNDER_WAY.suspend(|| eprintln!("{line}"));
}

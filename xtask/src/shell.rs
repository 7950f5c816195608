//! Runs other programs: prints one line per step with its time, and the output only if the step fails. Also finds cargo's folders.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{LazyLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies inside the repository")
}

/// The folder in which cargo builds the root's workspace: `target`, `CARGO_TARGET_DIR` or cargo's setting. Everything that xtask
/// builds is in it.
pub fn target() -> &'static Path {
    static TARGET: LazyLock<PathBuf> = LazyLock::new(|| {
        let metadata = Command::new(cargo_program())
            .args(["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path"])
            .arg(root().join("Cargo.toml"))
            .output();
        let metadata = metadata.ok().and_then(|output| target_directory(&output.stdout));
        metadata.unwrap_or_else(|| root().join("target"))
    });
    &TARGET
}

/// The folder that `cargo metadata` names.
fn target_directory(metadata: &[u8]) -> Option<PathBuf> {
    let metadata: serde_json::Value = serde_json::from_slice(metadata).ok()?;
    metadata.get("target_directory")?.as_str().map(PathBuf::from)
}

/// The subfolder of [`target`] in which a package is built. Packages with few common dependencies have separate subfolders, so that
/// they can be built at the same time; `benches/count` shares one with `tests/on-target`, which has the same dependencies.
fn place(folder: &str) -> &'static str {
    match folder {
        "tests/on-target" | "benches/count" => "on-target",
        _ if folder.starts_with("boards/") => "boards",
        _ if folder.starts_with("benches/") => "benches",
        _ => "",
    }
}

/// The folder into which [`cargo`] builds a package for a target ("" is this computer) with a profile.
pub fn built(folder: &str, target: &str, profile: &str) -> PathBuf {
    built_in(self::target(), folder, target, profile)
}

fn built_in(base: &Path, folder: &str, target: &str, profile: &str) -> PathBuf {
    // The folder of these two profiles has another name.
    let profile = if ["dev", "test"].contains(&profile) { "debug" } else { profile };
    [place(folder), target, profile]
        .iter()
        .filter(|part| !part.is_empty())
        .fold(base.to_owned(), |path, part| path.join(part))
}

fn cargo_program() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// The `cargo` that runs xtask, in a folder relative to the root ("" is the root).
pub fn cargo(folder: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_program());
    // Without incremental compilation, a full build takes less time.
    command.current_dir(root().join(folder)).env("CARGO_INCREMENTAL", "0");
    command.env("CARGO_TARGET_DIR", target().join(place(folder))).args(arguments);
    command
}

/// `cargo clippy`; every warning is an error.
pub fn clippy(folder: &str, arguments: &[&str]) -> Command {
    cargo(folder, &[&["clippy"], arguments, &["--", "--deny", "warnings"]].concat())
}

/// Runs a command to its end as one visible step. Shows its output only if it fails.
pub fn run(step: &str, command: &mut Command) -> Result<()> {
    capture(step, command).map(|_| ())
}

/// Calls a function as one visible step. Prints a line before it as well, because the function may print steps of its own.
pub fn step<T>(step: &str, action: impl FnOnce() -> Result<T>) -> Result<T> {
    say(&format!("  ...    {step}"));
    let begun = Instant::now();
    let result = action();
    report(step, begun, result.is_ok());
    result
}

/// Like [`run`], and returns the command's standard output.
pub fn capture(step: &str, command: &mut Command) -> Result<String> {
    let (begun, bar) = (Instant::now(), std::io::stderr().is_terminal().then(|| progress_line(step)));
    let (success, output, everything) =
        outcome(command, |line| bar.iter().for_each(|bar| bar.set_message(line.to_owned())))
            .with_context(|| format!("{step}: cannot start {}", shown(command)))?;
    bar.iter().for_each(ProgressBar::finish_and_clear);
    report(step, begun, success);
    ensure!(success, "{step} failed\n  $ {}\n{everything}", shown(command));
    Ok(output)
}

/// Runs a command and passes on each line. Returns whether it succeeded, its standard output, and its whole output.
pub fn outcome(command: &mut Command, line: impl Fn(&str)) -> Result<(bool, String, String)> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    // Both pipes are drained at the same time: a full one would block the child. Lines keep their order of arrival.
    let (sender, lines) = mpsc::channel();
    if let (Some(output), Some(errors)) = (child.stdout.take(), child.stderr.take()) {
        drain(output, true, sender.clone());
        drain(errors, false, sender);
    }
    let (mut output, mut everything) = (String::new(), String::new());
    for (is_output, text) in lines {
        line(text.trim());
        everything += &text;
        output += if is_output { &text } else { "" };
    }
    Ok((child.wait()?.success(), output, everything))
}

/// The output of a short command, without a visible step; `None` if it is missing or fails.
pub fn ask(program: &str, arguments: &[&str]) -> Option<String> {
    let (success, output, _) = outcome(Command::new(program).args(arguments), |_| ()).ok()?;
    success.then_some(output)
}

/// Sends the text of a pipe line by line.
fn drain(pipe: impl Read + Send + 'static, is_output: bool, sender: mpsc::Sender<(bool, String)>) {
    thread::spawn(move || {
        let (mut pipe, mut bytes) = (BufReader::new(pipe), Vec::new());
        while matches!(pipe.read_until(b'\n', &mut bytes), Ok(1..)) {
            if sender.send((is_output, String::from_utf8_lossy(&bytes).into_owned())).is_err() {
                break;
            }
            bytes.clear();
        }
    });
}

/// The command as you would type it.
fn shown(command: &Command) -> String {
    let environment = command.get_envs().filter_map(|(name, value)| Some(format!("{}={:?} ", name.display(), value?)));
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    environment.collect::<String>() + &words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// The progress lines of the running steps, on a terminal.
static RUNNING: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

fn progress_line(step: &str) -> ProgressBar {
    let bar = RUNNING.add(ProgressBar::new_spinner());
    let style = ProgressStyle::with_template("  {spinner} {prefix}  {elapsed}  {wide_msg:.dim}");
    bar.set_style(style.expect("a valid template"));
    bar.set_prefix(step.to_owned());
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// Prints the line at the end of a step.
pub fn report(step: &str, begun: Instant, success: bool) {
    let mark = if success { "ok    " } else { "FAILED" };
    say(&format!("  {mark} {step} ({:.1} s)", begun.elapsed().as_secs_f32()));
}

/// Prints a line above the progress lines.
pub fn say(line: &str) {
    RUNNING.suspend(|| eprintln!("{line}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_files_are_found_in_any_target_folder() {
        let base = Path::new("/a folder");
        let built = |folder, target, profile| built_in(base, folder, target, profile).display().to_string();
        assert_eq!(built("", "", "test"), "/a folder/debug");
        assert_eq!(
            built("boards/microbit", "thumbv6m-none-eabi", "release"),
            "/a folder/boards/thumbv6m-none-eabi/release"
        );
        assert_eq!(built("tests/on-target", "x", "small"), "/a folder/on-target/x/small");
        assert_eq!(built("benches/count", "x", "release"), "/a folder/on-target/x/release");
        assert_eq!(built("benches/peers", "", "release"), "/a folder/benches/release");
    }

    #[test]
    fn cargo_metadata_gives_the_target_folder() {
        let metadata = br#"{"packages":[],"target_directory":"/some where/target"}"#;
        assert_eq!(target_directory(metadata), Some(PathBuf::from("/some where/target")));
        assert_eq!(target_directory(b"error"), None);
        // The folder of this very program.
        assert!(std::env::current_exe().unwrap().starts_with(target()));
    }

    #[test]
    fn standard_output_and_errors_are_separate() {
        let (success, output, everything) =
            outcome(Command::new("rustc").args(["--version"]), |_| ()).expect("rustc is there");
        assert!(success && output == everything && output.starts_with("rustc"));
        assert!(outcome(&mut Command::new("no such program"), |_| ()).is_err());
    }
}

//! Running the emulator: what a program writes is handed on as it comes, and a program that hangs is stopped.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A program that has not ended by then hangs. The longest runs a minute and a half on a slow computer.
pub const TIME_LIMIT: Duration = Duration::from_secs(600);

/// The command that runs a program with arguments on a machine that QEMU knows by `model`. With a shift, each instruction takes 2
/// to the power of it in nanoseconds of the emulated time, which leaps over sleep.
pub fn command(target: &str, model: &str, program: &Path, arguments: &[&str], shift: Option<u32>) -> Command {
    let is_riscv = target.starts_with("riscv32");
    let mut command = Command::new(if is_riscv { "qemu-system-riscv32" } else { "qemu-system-arm" });
    command.args(["-machine", model, "-nographic", "-monitor", "none", "-serial", "null"]);
    // The first argument is the program's name, as everywhere.
    let arguments: String = arguments.iter().map(|argument| format!(",arg={argument}")).collect();
    command.args(["-semihosting-config", &format!("enable=on,target=native,arg=program{arguments}")]);
    if is_riscv {
        command.args(["-bios", "none"]);
    }
    if let Some(shift) = shift {
        command.args(["-icount", &format!("shift={shift},align=off,sleep=off")]);
    }
    command.arg("-kernel").arg(program);
    command
}

/// Runs an emulator to its end and hands on what the program writes. Fails if the program does, if it hangs, or if its output is
/// refused.
pub fn run(command: &mut Command, output: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    run_within(command, TIME_LIMIT, output)
}

/// The same with another time after which a program hangs.
pub fn run_within(command: &mut Command, limit: Duration, mut output: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let emulator = Emulator::start(command)?;
    let deadline = Instant::now() + limit;
    loop {
        match emulator.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(bytes) => output(&bytes)?,
            Err(RecvTimeoutError::Disconnected) => return emulator.end(),
            Err(RecvTimeoutError::Timeout) => bail!("the program has not ended after {limit:?}"),
        }
    }
}

/// A running emulator; stopped when dropped.
struct Emulator {
    process: Child,
    output: mpsc::Receiver<Vec<u8>>,
    complaints: Option<thread::JoinHandle<String>>,
}

impl Emulator {
    fn start(command: &mut Command) -> Result<Self> {
        let mut process =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().with_context(|| {
                format!("cannot start {}; `cargo xtask doctor` says how to get it", command.get_program().display())
            })?;
        let mut stdout = process.stdout.take().context("no pipe from the emulator")?;
        let mut stderr = process.stderr.take().context("no pipe from the emulator")?;

        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = stdout.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let complaints = thread::spawn(move || {
            let mut text = Vec::new();
            // What arrived before an error is still worth showing.
            stderr.read_to_end(&mut text).ok();
            String::from_utf8_lossy(&text).into_owned()
        });
        Ok(Self { process, output, complaints: Some(complaints) })
    }

    /// Waits for the end; what the emulator itself has to say goes into the error.
    fn end(mut self) -> Result<()> {
        let status = self.process.wait()?;
        let complaints = self.complaints.take().and_then(|reader| reader.join().ok()).unwrap_or_default();
        // Stopped from outside, it ends with success all the same.
        if !status.success() || complaints.contains("terminating on signal") {
            bail!("the program ended with a failure ({status})\n{complaints}");
        }
        Ok(())
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        // Both fail harmlessly if the emulator has ended.
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

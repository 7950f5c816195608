//! Runs the emulator, passes on a program's output as it arrives, and stops a program that hangs.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

/// A program that takes longer hangs. The longest one takes 90 s on a slow computer.
pub const TIME_LIMIT: Duration = Duration::from_secs(600);

/// The command that runs a program with arguments on QEMU's machine `model`. With a shift, each instruction takes 2^shift ns of
/// emulated time, and sleeping takes no real time. Every run is then the same.
pub fn command(target: &str, model: &str, program: &Path, arguments: &[&str], shift: Option<u32>) -> Command {
    let is_riscv = target.starts_with("riscv32");
    let mut command = Command::new(if is_riscv { "qemu-system-riscv32" } else { "qemu-system-arm" });
    command.args(["-machine", model, "-nographic", "-monitor", "none", "-serial", "null"]);
    // The first argument is the program's name, as usual.
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

/// Runs an emulator to its end and passes on the program's output. Fails if the program fails, if it exceeds the time limit, or if
/// `output` returns an error.
pub fn run(command: &mut Command, limit: Duration, mut output: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let process = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let missing = || format!("cannot start {}; see `cargo xtask doctor`", command.get_program().display());
    let mut emulator = Emulator(process.with_context(missing)?);
    let mut stdout = emulator.0.stdout.take().context("no pipe from the emulator")?;
    let mut stderr = emulator.0.stderr.take().context("no pipe from the emulator")?;
    let (sender, received) = mpsc::channel();
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
        // Text that arrived before a read error is still worth showing.
        stderr.read_to_end(&mut text).ok();
        String::from_utf8_lossy(&text).into_owned()
    });
    let deadline = Instant::now() + limit;
    loop {
        match received.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(bytes) => output(&bytes)?,
            Err(RecvTimeoutError::Timeout) => bail!("the program was stopped: it did not end within {limit:?}"),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = emulator.0.wait()?;
    let complaints = complaints.join().unwrap_or_default();
    // When a signal stops QEMU, it still reports success.
    let good = status.success() && !complaints.contains("terminating on signal");
    ensure!(good, "the program failed ({status})\n{complaints}");
    Ok(())
}

/// A running emulator; stopped when dropped.
struct Emulator(Child);

impl Drop for Emulator {
    fn drop(&mut self) {
        // Both fail harmlessly if the emulator has ended.
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

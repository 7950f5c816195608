//! Running a firmware file in QEMU and reading its defmt log as it comes.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use defmt_decoder::{DecodeError, Table};

/// A program that has not ended by then hangs.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Runs a firmware file of the default board to its end, handing on each line of its log as soon as it is decoded.
/// Fails if the program exits with a failure, hangs, or writes what is no log.
///
/// Time in the emulator is counted in instructions (32 ns each) and leaps over sleep, so that a run is the same each
/// time and lasts no longer than its work.
pub fn firmware(elf: &Path, mut line: impl FnMut(&str)) -> Result<()> {
    let image = std::fs::read(elf).with_context(|| format!("cannot read {}", elf.display()))?;
    let table = Table::parse(&image)?.with_context(|| format!("{} contains no defmt log", elf.display()))?;
    let mut decoder = table.new_stream_decoder();

    let machine = Machine::start(elf)?;
    let deadline = Instant::now() + TIME_LIMIT;
    loop {
        match machine.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(bytes) => decoder.received(&bytes),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => bail!("the firmware has not ended after {TIME_LIMIT:?}"),
        }
        loop {
            match decoder.decode() {
                Ok(frame) => line(&frame.display(false).to_string()),
                Err(DecodeError::UnexpectedEof) => break,
                Err(DecodeError::Malformed) => bail!("the emulator sent bytes that are no defmt log"),
            }
        }
    }
    machine.end()
}

/// A running emulator; stopped when dropped.
struct Machine {
    emulator: Child,
    output: mpsc::Receiver<Vec<u8>>,
    complaints: Option<thread::JoinHandle<String>>,
}

impl Machine {
    fn start(elf: &Path) -> Result<Self> {
        let mut emulator = Command::new("qemu-system-arm")
            .args(["-machine", "olimex-stm32-h405", "-nographic", "-monitor", "none", "-serial", "null"])
            .args(["-semihosting-config", "enable=on,target=native"])
            .args(["-icount", "shift=5,align=off,sleep=off"])
            .arg("-kernel")
            .arg(elf)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("cannot start qemu-system-arm; `cargo xtask doctor` says how to get it")?;
        let mut stdout = emulator.stdout.take().context("no pipe from the emulator")?;
        let mut stderr = emulator.stderr.take().context("no pipe from the emulator")?;

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
            stderr.read_to_end(&mut text).ok();
            String::from_utf8_lossy(&text).into_owned()
        });
        Ok(Self { emulator, output, complaints: Some(complaints) })
    }

    /// Waits for the end; what the emulator itself has to say goes into the error.
    fn end(mut self) -> Result<()> {
        let status = self.emulator.wait()?;
        let complaints = self.complaints.take().and_then(|reader| reader.join().ok()).unwrap_or_default();
        if !status.success() {
            bail!("the firmware ended with a failure ({status})\n{complaints}");
        }
        Ok(())
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // Both fail harmlessly if the emulator has ended.
        self.emulator.kill().ok();
        self.emulator.wait().ok();
    }
}

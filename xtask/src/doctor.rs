//! What is installed, what is missing, and how to get it.

use anyhow::{Result, bail};

use crate::{setup, shell};

/// A tool: its name, what was found of it, and how to get it.
struct Finding {
    name: String,
    found: Option<String>,
    advice: String,
    required: bool,
}

impl Finding {
    fn new(name: &str, found: Option<String>, advice: &str) -> Self {
        Self { name: name.to_owned(), found, advice: advice.to_owned(), required: true }
    }

    fn optional(self) -> Self {
        Self { required: false, ..self }
    }

    fn print(&self, width: usize) {
        let (state, remark) = match (&self.found, self.required) {
            (Some(version), _) => ("present", version),
            (None, true) => ("MISSING", &self.advice),
            (None, false) => ("absent ", &self.advice),
        };
        println!("  {state}  {:width$}  {}", self.name, remark.trim_end());
    }
}

/// Prints the table; fails if something required is missing.
pub fn run() -> Result<()> {
    let mut findings = vec![Finding::new("rustc", version("rustc", "--version"), "https://rustup.rs")];
    findings.extend(rustup_parts("component", &setup::components()?));
    findings.extend(rustup_parts("target", &setup::targets()?));
    findings.extend(emulators());
    for (name, advice) in [
        ("arm-none-eabi-gcc", "for the comparison with C: cargo xtask test installs it"),
        ("probe-rs", "optional, for flashing a board: cargo install probe-rs-tools --locked"),
        ("openocd", "optional, for flashing the HiFive1: apt-get install openocd, or brew install open-ocd"),
    ] {
        findings.push(Finding::new(name, version(name, "--version"), advice).optional());
    }

    let width = findings.iter().map(|finding| finding.name.len()).max().unwrap_or(0);
    for finding in &findings {
        finding.print(width);
    }
    let missing = findings.iter().filter(|finding| finding.required && finding.found.is_none()).count();
    if missing > 0 {
        println!(
            "\n`cargo xtask demo` and `cargo xtask test` install what is missing if they can. To get QEMU by hand:\n{}",
            setup::QEMU_ADVICE
        );
        bail!("{missing} required {} missing", if missing == 1 { "tool is" } else { "tools are" });
    }
    Ok(())
}

/// Components or targets of the toolchain.
fn rustup_parts(kind: &str, names: &[String]) -> Vec<Finding> {
    let missing = setup::missing_parts(kind, names).unwrap_or_else(|_| names.to_vec());
    let finding = |name: &String| {
        let found = (!missing.contains(name)).then(|| kind.to_owned());
        Finding::new(name, found, &format!("rustup {kind} add {name}"))
    };
    names.iter().map(finding).collect()
}

/// The emulators; one that does not know its machine is as good as missing.
fn emulators() -> Vec<Finding> {
    let missing = setup::missing_emulators();
    let finding = |(emulator, machine): (&'static str, &'static str)| match version(emulator, "--version") {
        Some(version) if missing.contains(&emulator) => {
            let advice = format!("too old for the machine {machine}: {version}");
            Finding::new(emulator, None, &advice)
        }
        found => Finding::new(emulator, found, "cargo xtask test installs it, or see below"),
    };
    setup::EMULATORS.into_iter().map(finding).collect()
}

/// The first line a program prints about its version; some print it where errors go.
fn version(program: &str, flag: &str) -> Option<String> {
    Some(shell::ask(program, &[flag])?.lines().next().unwrap_or("installed").to_owned())
}

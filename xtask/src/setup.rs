//! The tools that the other commands need: the Rust targets, QEMU, a C compiler. Installs what is missing; if it cannot, it fails and
//! says what to type.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::shell;

mod apt;

/// A program that does not come with cargo.
struct Tool {
    name: &'static str,
    /// Whether it is installed and new enough.
    works: fn(&Tool) -> bool,
    /// What to type if it cannot be installed automatically.
    advice: &'static str,
    /// Its Debian packages, which can be installed automatically.
    packages: &'static [&'static str],
    /// Whether every test needs it.
    required: bool,
}

const QEMU: &str = "needs QEMU 8.0 or later; if your release is older, use its backports.
    Debian, Ubuntu  sudo apt-get install qemu-system-arm qemu-system-misc
    Fedora          sudo dnf install qemu-system-arm qemu-system-riscv
    Arch            sudo pacman -S qemu-system-arm qemu-system-riscv
    macOS           brew install qemu";

const C_COMPILER: &str = "the C compiler for Cortex-M with newlib; only `cargo xtask compare` and `test --all` need it.
    Debian, Ubuntu  sudo apt-get install gcc-arm-none-eabi libnewlib-arm-none-eabi
    Fedora          sudo dnf install arm-none-eabi-gcc-cs arm-none-eabi-newlib
    Arch            sudo pacman -S arm-none-eabi-gcc arm-none-eabi-newlib
    macOS           brew install --cask gcc-arm-embedded";

/// The tools: both emulators, the C compiler, and the programs that flash a board.
#[rustfmt::skip]
const TOOLS: [Tool; 5] = [
    Tool { name: "qemu-system-arm", works: |it| it.knows("olimex-stm32-h405"), advice: QEMU, packages: &["qemu-system-arm", "qemu-system-misc"], required: true },
    Tool { name: "qemu-system-riscv32", works: |it| it.knows("sifive_e"), advice: QEMU, packages: &["qemu-system-arm", "qemu-system-misc"], required: true },
    Tool { name: "arm-none-eabi-gcc", works: Tool::starts, advice: C_COMPILER, packages: &["gcc-arm-none-eabi", "libnewlib-arm-none-eabi"], required: false },
    Tool { name: "probe-rs", works: Tool::starts, advice: "flashes a board: cargo install probe-rs-tools --locked", packages: &[], required: false },
    Tool { name: "openocd", works: Tool::starts, advice: "flashes the HiFive1: apt-get install openocd, or brew install open-ocd", packages: &[], required: false },
];

impl Tool {
    /// The first line of `--version`.
    fn version(&self) -> Option<String> {
        Some(shell::ask(self.name, &["--version"])?.lines().next().unwrap_or("installed").to_owned())
    }

    fn starts(&self) -> bool {
        self.version().is_some()
    }

    /// Whether an emulator has a machine: the newest one that we use.
    fn knows(&self, machine: &str) -> bool {
        let machines = shell::ask(self.name, &["-machine", "help"]).unwrap_or_default();
        machines.lines().any(|line| line.split_whitespace().next() == Some(machine))
    }

    fn is_missing(&self) -> bool {
        !(self.works)(self)
    }

    /// Installs it if it is missing.
    fn ensure(&self) -> Result<()> {
        if !self.is_missing() {
            return Ok(());
        }
        let attempt = apt::install(self.packages, || !self.is_missing());
        if !self.is_missing() {
            return Ok(());
        }
        let reason = attempt.err().map_or("apt-get reported success".to_owned(), |error| format!("{error:#}"));
        let Self { name, advice, .. } = self;
        bail!("{name} is missing or too old, and could not be installed: {reason}\n\nInstall it yourself: {advice}")
    }
}

/// Installs both emulators if they are missing.
pub fn ensure_qemu() -> Result<()> {
    TOOLS[..2].iter().try_for_each(Tool::ensure)
}

/// Installs the C compiler for Cortex-M if it is missing.
pub fn ensure_c_compiler() -> Result<()> {
    TOOLS[2].ensure()
}

/// The components and targets listed in `rust-toolchain.toml`, the only place that lists them.
#[derive(Deserialize)]
struct Toolchain {
    components: Vec<String>,
    targets: Vec<String>,
}

impl Toolchain {
    fn named(text: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct File {
            toolchain: Toolchain,
        }
        Ok(toml::from_str::<File>(text).context("cannot parse rust-toolchain.toml")?.toolchain)
    }

    fn read() -> Result<Self> {
        let file = shell::root().join("rust-toolchain.toml");
        Self::named(&std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?)
    }
}

/// The components or targets (the `kind`) that are not installed. Without rustup, a target is installed if its library folder exists.
fn missing(kind: &str, names: &[String]) -> Vec<String> {
    if let Some(installed) = shell::ask("rustup", &[kind, "list", "--installed"]) {
        return names.iter().filter(|name| !is_listed(&installed, name)).cloned().collect();
    }
    let is_there = |name: &str| match kind {
        "target" => shell::ask("rustc", &["--print", "target-libdir", "--target", name])
            .is_some_and(|folder| std::path::Path::new(folder.trim()).is_dir()),
        _ => shell::ask("cargo", &[name.trim_start_matches("rust"), "--version"]).is_some(),
    };
    names.iter().filter(|name| !is_there(name)).cloned().collect()
}

/// Whether a name is in rustup's list, where the host follows a component's name: clippy-x86_64-unknown-linux-gnu.
fn is_listed(installed: &str, name: &str) -> bool {
    let is = |line: &str| line == name || line.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
    installed.lines().any(|line| is(line.trim()))
}

/// Installs missing components and targets. rustup does this from `rust-toolchain.toml` itself, unless its automatic installation is
/// switched off.
pub fn ensure_toolchain() -> Result<()> {
    let Toolchain { components, targets } = Toolchain::read()?;
    for (kind, names) in [("component", components), ("target", targets)] {
        let missing = missing(kind, &names);
        if !missing.is_empty() {
            let list = missing.join(" ");
            let mut rustup = Command::new("rustup");
            let install = rustup.current_dir(shell::root()).args([kind, "add"]).args(&missing);
            shell::run(&format!("install the Rust {kind}s {list}"), install).with_context(|| {
                format!("install them yourself: rustup {kind} add {list}\nor, without rustup (https://rustup.rs), from your distribution")
            })?;
        }
    }
    Ok(())
}

/// Prints what is installed, what is missing and how to install it. Fails if a required tool is missing.
pub fn doctor() -> Result<()> {
    let Toolchain { components, targets } = Toolchain::read()?;
    let mut required = 0;
    let mut print = |name: &str, found: Result<String, (bool, String)>| {
        let (state, remark) = match found {
            Ok(found) => ("installed", found),
            Err((true, advice)) => ("MISSING  ", advice),
            Err((false, advice)) => ("optional ", format!("not installed; {advice}")),
        };
        required += usize::from(state == "MISSING  ");
        println!("  {state}  {name:30}  {}", remark.trim_end());
    };
    print("rustc", shell::ask("rustc", &["--version"]).ok_or((true, "https://rustup.rs".to_owned())));
    for (kind, names) in [("component", components), ("target", targets)] {
        let missing = missing(kind, &names);
        for name in names {
            let advice = (true, format!("rustup {kind} add {name}"));
            print(&name, if missing.contains(&name) { Err(advice) } else { Ok(kind.to_owned()) });
        }
    }
    for tool in &TOOLS {
        let found = if tool.is_missing() { None } else { tool.version() };
        print(tool.name, found.ok_or((tool.required, tool.advice.to_owned())));
    }
    if required > 0 {
        println!("\n`cargo xtask demo` and `cargo xtask test` try to install what is missing.");
        bail!("{required} required {} missing", if required == 1 { "tool is" } else { "tools are" });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_toolchain_file_may_have_comments_and_lists_over_several_lines() {
        let text = "[toolchain]\ncomponents = [\"rustfmt\"]\ntargets = [ # all \"of\" them\n  \"one\",\n  \"two\",\n]\nlast = [\"x\"]\n";
        let toolchain = Toolchain::named(text).unwrap();
        assert_eq!(
            (toolchain.targets, toolchain.components),
            (vec!["one".into(), "two".into()], vec!["rustfmt".into()])
        );
        assert!(Toolchain::named("[toolchain]\ncomponents = []\n").is_err());
    }

    #[test]
    fn the_toolchain_file_lists_the_targets_of_all_boards() {
        let targets = Toolchain::read().unwrap().targets;
        for target in crate::boards::BOARDS.iter().map(|board| board.target) {
            assert!(targets.iter().any(|named| named == target), "{target}");
        }
    }

    #[test]
    fn a_component_is_listed_with_its_host() {
        let installed = "clippy-x86_64-unknown-linux-gnu\nthumbv7m-none-eabi\n";
        assert!(is_listed(installed, "clippy") && is_listed(installed, "thumbv7m-none-eabi"));
        assert!(!is_listed(installed, "rustfmt") && !is_listed(installed, "thumbv7em-none-eabihf"));
    }

    #[test]
    fn a_tool_that_cannot_be_installed_is_named_with_what_to_type() {
        let tool =
            Tool { name: "no-such-tool", works: Tool::starts, advice: "make one", packages: &[], required: true };
        assert!(tool.ensure().unwrap_err().to_string().contains("Install it yourself: make one"));
    }
}

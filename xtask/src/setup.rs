//! What the other commands need on this computer: the Rust targets and QEMU. Installs what is missing, or says
//! exactly what to install and fails.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::shell;

mod apt;

/// The emulators in use, one for each processor family, and the youngest machine that each must know.
pub const EMULATORS: [(&str, &str); 2] =
    [("qemu-system-arm", "olimex-stm32-h405"), ("qemu-system-riscv32", "sifive_e")];

/// What to type where we cannot install QEMU ourselves.
pub const QEMU_ADVICE: &str = "  QEMU 8.0 or later; where your release has an older one, take its backports.
    Debian, Ubuntu  sudo apt-get install qemu-system-arm qemu-system-misc
    Fedora          sudo dnf install qemu-system-arm qemu-system-riscv
    Arch            sudo pacman -S qemu-system-arm qemu-system-riscv
    macOS           brew install qemu";

/// The targets named in `rust-toolchain.toml`, the one place where they are listed.
pub fn targets() -> Result<Vec<String>> {
    toolchain_list("targets")
}

/// The components named in `rust-toolchain.toml`.
pub fn components() -> Result<Vec<String>> {
    toolchain_list("components")
}

fn toolchain_list(name: &str) -> Result<Vec<String>> {
    let file = shell::root().join("rust-toolchain.toml");
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let list = quoted_list(&text, name);
    if list.is_empty() {
        bail!("rust-toolchain.toml names no {name}");
    }
    Ok(list)
}

/// Those of the named components or targets (the `kind`) that rustup has not installed.
pub fn missing_parts(kind: &str, names: &[String]) -> Result<Vec<String>> {
    let installed = shell::ask("rustup", &[kind, "list", "--installed"]).with_context(|| {
        format!(
            "rustup does not answer; install it (https://rustup.rs), or let your distribution provide: {}",
            names.join(" ")
        )
    })?;
    // An installed component is listed with its host behind it: clippy-x86_64-unknown-linux-gnu.
    let is = |line: &str, name: &str| line == name || line.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
    Ok(names.iter().filter(|name| !installed.lines().any(|line| is(line.trim(), name))).cloned().collect())
}

/// Adds the components and targets that are missing. `rust-toolchain.toml` alone does not where rustup's automatic
/// installation is switched off.
pub fn ensure_toolchain() -> Result<()> {
    for (kind, names) in [("component", components()?), ("target", targets()?)] {
        let missing = missing_parts(kind, &names)?;
        if !missing.is_empty() {
            shell::run(
                &format!("install the Rust {kind}s {}", missing.join(", ")),
                Command::new("rustup").current_dir(shell::root()).args([kind, "add"]).args(&missing),
            )?;
        }
    }
    Ok(())
}

/// The emulators that do not start or do not know their machine.
pub fn missing_emulators() -> Vec<&'static str> {
    let knows = |emulator: &str, machine: &str| {
        let machines = shell::ask(emulator, &["-machine", "help"]).unwrap_or_default();
        machines.lines().any(|line| line.split_whitespace().next() == Some(machine))
    };
    let missing = EMULATORS.into_iter().filter(|(emulator, machine)| !knows(emulator, machine));
    missing.map(|(emulator, _)| emulator).collect()
}

/// Installs QEMU if it is missing and the computer lets us.
pub fn ensure_qemu() -> Result<()> {
    let missing = missing_emulators();
    if missing.is_empty() {
        return Ok(());
    }
    let attempt = apt::install(&["qemu-system-arm", "qemu-system-misc"], || missing_emulators().is_empty());
    let missing_still = missing_emulators();
    if missing_still.is_empty() {
        return Ok(());
    }
    let reason = match attempt {
        Ok(()) => "apt-get reported success".to_owned(),
        Err(error) => format!("{error:#}"),
    };
    bail!(
        "{} missing or too old, and not installed: {reason}\n\nInstall QEMU yourself:\n{QEMU_ADVICE}",
        missing_still.join(" and ")
    )
}

/// The C compiler for Cortex-M, with its library of mathematical functions.
const C_COMPILER: &str = "arm-none-eabi-gcc";

/// Installs the C compiler for Cortex-M if it is missing and the computer lets us; only comparisons need it.
pub fn ensure_c_compiler() -> Result<()> {
    let works = || shell::ask(C_COMPILER, &["--version"]).is_some();
    if works() {
        return Ok(());
    }
    let attempt = apt::install(&["gcc-arm-none-eabi", "libnewlib-arm-none-eabi"], works);
    if works() {
        return Ok(());
    }
    let reason = attempt.err().map_or("apt-get reported success".to_owned(), |error| format!("{error:#}"));
    bail!(
        "{C_COMPILER} is missing, and not installed: {reason}\n\nInstall it yourself:
    Debian, Ubuntu  sudo apt-get install gcc-arm-none-eabi libnewlib-arm-none-eabi
    Fedora          sudo dnf install arm-none-eabi-gcc-cs arm-none-eabi-newlib
    Arch            sudo pacman -S arm-none-eabi-gcc arm-none-eabi-newlib
    macOS           brew install --cask gcc-arm-embedded"
    )
}

/// The strings of `name = ["…", "…"]` in a TOML text.
fn quoted_list(text: &str, name: &str) -> Vec<String> {
    let after_name = text.lines().skip_while(|line| {
        let rest = line.trim_start().strip_prefix(name).map(str::trim_start);
        !rest.is_some_and(|rest| rest.starts_with('='))
    });
    let mut list = String::new();
    for line in after_name {
        list += line.split('#').next().unwrap_or_default();
        if line.contains(']') {
            break;
        }
    }
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_over_several_lines_and_past_comments() {
        let text =
            "components = [\"rustfmt\"]\ntargets = [ # all \"of\" them\n  \"one\",\n  \"two\",\n]\nlast = [\"x\"]\n";
        assert_eq!(quoted_list(text, "targets"), ["one", "two"]);
        assert_eq!(quoted_list(text, "components"), ["rustfmt"]);
        assert!(quoted_list(text, "absent").is_empty());
    }

    #[test]
    fn the_repository_names_its_targets() {
        assert!(targets().unwrap().iter().any(|target| target == "thumbv7em-none-eabihf"));
    }
}

//! Makes a crate outside the repository: your own machine, its test, its desk program and its firmware.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use crate::shell;

pub mod chips;
pub mod lists;

use chips::{CHIPS, Chip};
use lists::Machine;

/// The files of a crate and their templates.
const FILES: [(&str, &str); 9] = [
    ("Cargo.toml", include_str!("new/crate/Cargo.toml.in")),
    (".cargo/config.toml", include_str!("new/crate/config.toml.in")),
    ("build.rs", include_str!("new/crate/build.rs.in")),
    ("src/lib.rs", include_str!("new/crate/lib.rs.in")),
    ("src/main.rs", include_str!("new/crate/main.rs.in")),
    ("src/board/main.rs", include_str!("new/crate/board.rs.in")),
    ("src/board/emulated.rs", include_str!("new/crate/emulated.rs.in")),
    ("tests/follows.rs", include_str!("new/crate/test.rs.in")),
    ("README.md", include_str!("new/crate/README.md.in")),
];

/// The options of `new`.
#[derive(clap::Args)]
pub struct Options {
    /// The name of the crate and of its folder
    name: String,
    /// The machine to begin with
    #[arg(long, default_value = "delta", value_parser = lists::parser())]
    mechanism: String,
    /// The board; the emulator always runs the first
    #[arg(long, default_value = CHIPS[0].name, value_parser = CHIPS.map(|chip| chip.name))]
    board: String,
    /// Where to make the folder: by default the current folder, or beside taut's if that is inside of it
    #[arg(long)]
    path: Option<PathBuf>,
}

/// Makes the crate and says what to do with it.
pub fn run(options: &Options) -> Result<()> {
    let here = env::current_dir().context("there is no current folder")?;
    let beside = shell::root().parent().context("the repository has no parent folder")?;
    let base = if here.starts_with(shell::root()) { beside } else { &here };
    let folder = here.join(options.path.as_deref().unwrap_or(base)).join(&options.name);
    ensure!(!folder.exists(), "{} exists already", folder.display());
    make(&folder, &options.name, Machine::named(&options.mechanism)?, Chip::named(&options.board)?)?;
    // Where a name goes depends on it. A crate that is not formatted works, too.
    shell::cargo("", &["fmt"]).current_dir(&folder).status().ok();
    println!("{}", folder.display());
    println!("  cargo test           the machine must follow its path");
    println!("  cargo run --release  draws the run: run.svg, motion.svg");
    println!("  cargo emulate        the firmware in QEMU");
    println!("  cargo flash          the firmware on the board, {}", Chip::named(&options.board)?.title);
    println!("Your machine is src/lib.rs.");
    Ok(())
}

/// Writes the files of a crate.
pub fn make(folder: &Path, name: &str, machine: &Machine, chip: &Chip) -> Result<()> {
    let good = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c));
    ensure!(
        good,
        "`{name}` is no name for a crate: begin with a lower-case letter, go on with letters, digits, - and _"
    );
    let taken = ["taut", "loops", "desk", "runtime", "test", "core", "std", chip.name];
    ensure!(!taken.contains(&name), "a crate cannot be called `{name}`: its parts have that name already");

    // The list of parts has the crate's name.
    let own = camel(name);
    let used = ["Actuators", "Circle", "EncoderLimits", "Options", "Program", "Task", "Unusable", "Watch"];
    ensure!(!used.contains(&own.as_str()), "a crate cannot be called `{name}`: `{own}` is in use");

    let features: Vec<_> = chip.hal.iter().map(|(hal, _)| format!("\"dep:{hal}\"")).collect();
    let hal: Vec<_> = chip.hal.iter().map(|(hal, rest)| format!("{hal} = {{ {rest}, optional = true }}")).collect();
    let emulated = chip.name == CHIPS[0].name;
    let status =
        if emulated { "Run in the emulator, not yet on hardware." } else { "Compiled only, not yet run on hardware." };
    let values = [
        ("list", machine.source()?.replace(&format!("struct {} in", machine.list), &format!("struct {own} in"))),
        (
            "task",
            machine
                .task
                .replace(&format!("{}<", machine.list), &format!("{own}<"))
                .replace(&format!("{}::", machine.list), &format!("{own}::")),
        ),
        ("List", own.clone()),
        ("name", name.to_owned()),
        ("crate", name.replace('-', "_")),
        ("board", chip.name.to_owned()),
        ("title", chip.title.to_owned()),
        ("status", status.to_owned()),
        ("target", chip.target.to_owned()),
        ("frequency", chip.clock.to_string()),
        ("clock", chip.source.to_owned()),
        ("hal_crate", chip.hal[0].0.replace('-', "_")),
        ("hal_features", features.join(", ")),
        ("hal", hal.join("\n")),
        ("taut", shell::root().display().to_string().replace('\\', "/")),
    ];
    let filled = |template: &str| {
        values.iter().fold(template.to_owned(), |text, (key, value)| text.replace(&format!("{{{{{key}}}}}"), value))
    };
    let write = |file: &str, text: &str| {
        let file = folder.join(file);
        let made = file.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(&file, text)).with_context(|| format!("cannot write {}", file.display()))
    };
    for (file, template) in FILES {
        write(file, &filled(template))?;
    }
    write("src/board/chip.rs", &filled(chip.start))?;
    write("board.x", chip.memory)?;
    write("emulated.x", CHIPS[0].memory)?;
    write(".gitignore", "/target\n")?;
    // The same compiler and the same versions as in the repository.
    for file in ["rust-toolchain.toml", "rustfmt.toml", "Cargo.lock"] {
        let from = shell::root().join(file);
        write(file, &fs::read_to_string(&from).with_context(|| format!("cannot read {}", from.display()))?)?;
    }
    Ok(())
}

/// `two-arms` as `TwoArms`.
fn camel(name: &str) -> String {
    let mut begins = true;
    let letter = |c: char| {
        let this = if begins { c.to_ascii_uppercase() } else { c };
        begins = "-_".contains(c);
        (!begins).then_some(this)
    };
    name.chars().filter_map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_has_no_place_left_to_fill_and_a_good_name() {
        let folder = env::temp_dir().join(format!("taut-new-{}", std::process::id()));
        for (machine, chip) in lists::MACHINES.iter().cycle().zip(&CHIPS) {
            make(&folder, "robot", machine, chip).unwrap();
            for (file, _) in FILES.iter().chain(&[("src/board/chip.rs", "")]) {
                let text = fs::read_to_string(folder.join(file)).unwrap();
                assert!(text.contains("Robot<f32>") || *file != "src/lib.rs", "{text}");
                assert!(!text.contains("{{") && !text.contains("}}\n"), "{file}:\n{text}");
            }
        }
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(camel("two-arms_3"), "TwoArms3");
        for name in ["", "Robot", "3d", "my robot", "taut", "olimex-h405", "task"] {
            assert!(make(&folder, name, &lists::MACHINES[0], &CHIPS[0]).is_err() && !folder.exists(), "{name}");
        }
    }
}

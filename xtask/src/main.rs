//! The commands of this repository: `cargo xtask --help`.
//!
//! `demo` and `test` are the two that matter; both install what they need first (Rust targets, QEMU).

#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod advise;
mod bits;
mod boards;
mod budget;
mod checks;
mod compare;
mod demo;
mod doctor;
mod emulate;
mod firmware;
mod machines;
mod methods;
mod no_panic;
mod plot;
mod setup;
mod shell;
mod telemetry;
mod test;

/// Builds, runs and checks taut on this computer and on emulated microcontrollers.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a board's firmware in the emulator, show its log and plot what it did
    Demo {
        /// What to run: a loop (five_bar, crane, arm), a fault in it (nan-reading, stuck-reading, jumping-reading, bus-error, late-tick,
        /// infeasible-target, singular-pose, saturated-motor, corrupted-state), a trial (overrun, hang, stack)
        arguments: Vec<String>,
        /// Which board: olimex-h405, or with the arm only microbit, hifive1
        #[arg(long, default_value = boards::Board::DEFAULT.name)]
        board: String,
    },
    /// Run everything that must pass: host tests, docs, lints, bare-metal builds, emulator tests
    Test {
        /// Only what needs no emulator
        #[arg(long)]
        host: bool,
        /// Only the steps whose name contains this
        #[arg(long, default_value = "", hide_default_value = true, value_name = "TEXT")]
        only: String,
        /// More: 1e8 steps on the host, up to 1e7 on every target, no panic on every target; takes hours
        #[arg(long, conflicts_with = "host")]
        long: bool,
    },
    /// Check the boards alone: their lints, and what their firmware does in the emulator
    Boards,
    /// Say which tools are installed, which are missing and how to get them
    Doctor,
    /// Compare the results of all functions and of long runs, bit by bit, between this computer and every emulated target
    Bits {
        /// Write the results of this computer into the file of expected bits first
        #[arg(long, conflicts_with = "long")]
        update: bool,
        /// Run up to ten million steps, which takes most of an hour
        #[arg(long)]
        long: bool,
        /// Only count what a step of each run costs, which is what their lengths are made of
        #[arg(long, conflicts_with_all = ["long", "update"])]
        costs: bool,
    },
    /// Check instructions, stack, flash and RAM of every kernel and every board's firmware against the figures kept in the repository
    Budget {
        /// Write the measured figures into the budget file instead of checking them
        #[arg(long)]
        update: bool,
        /// Only the firmware of the boards
        #[arg(long)]
        boards: bool,
    },
    /// Link everything that a user calls for every target, which succeeds only if no panic is reachable
    NoPanic,
    /// Measure which method reaches which error with how many instructions, and print the table
    Methods {
        /// Write the table into the documentation as well
        #[arg(long, conflicts_with = "check")]
        update: bool,
        /// Only count instructions, and compare them with the documentation
        #[arg(long)]
        check: bool,
    },
    /// Run every example in a short form, with all of its methods, and check its plots and numbers
    Examples,
    /// Run taut, the same in C and other libraries side by side, and print how times, errors and instructions compare
    ///
    /// Building the other libraries takes several minutes the first time.
    Compare(compare::Options),
    /// Say which method, precision and rate to choose for a system: errors here against instructions on an emulated machine
    Advise(advise::Question),
    /// Run one firmware file: in the emulator, or on the board if it was built for that
    ///
    /// `cargo run` in a board's folder ends up here.
    RunFirmware {
        /// The ELF file
        file: PathBuf,
        /// What the program is told in the emulator
        arguments: Vec<String>,
    },
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Demo { arguments, board } => boards::Board::named(&board).and_then(|it| demo::run(it, &arguments)),
        Command::Test { host, only, long } => test::run(host, &only, long),
        Command::Boards => with_set_up(test::run_boards),
        Command::Doctor => doctor::run(),
        Command::Bits { update: true, .. } => with_set_up(bits::update),
        Command::Bits { costs: true, .. } => with_set_up(bits::costs::print),
        Command::Bits { long, .. } => {
            with_set_up(|| bits::run(if long { bits::Length::LONG } else { bits::Length::USUAL }))
        }
        Command::Budget { update, boards } => with_set_up(|| budget::run(update, boards)),
        Command::NoPanic => with_set_up(|| no_panic::run(no_panic::Extent::All)),
        Command::Methods { update, check } => with_set_up(|| {
            methods::run(match (update, check) {
                (true, _) => methods::Table::Update,
                (_, true) => methods::Table::Check,
                _ => methods::Table::Print,
            })
        }),
        Command::Examples => checks::examples::run(),
        Command::Compare(options) => with_set_up(|| compare::run(&options)),
        Command::Advise(question) => with_set_up(|| advise::run(&question)),
        Command::RunFirmware { file, arguments } => firmware::run(&file, &arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Installs what is missing, then does the work.
fn with_set_up(work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    setup::ensure_toolchain()?;
    setup::ensure_qemu()?;
    work()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use taut::control::supervisor::Injection;

    use super::*;

    #[test]
    fn the_help_of_the_demo_lists_every_loop_fault_and_board() {
        let help = Arguments::command().find_subcommand_mut("demo").unwrap().render_long_help().to_string();
        let faults = Injection::ALL.map(Injection::name);
        let boards: Vec<_> = boards::Board::emulated().map(|(board, _)| board.name).collect();
        for name in faults.iter().chain(boards::Board::DEFAULT.loops()).chain(&boards) {
            assert!(help.contains(name), "{name}");
        }
    }
}

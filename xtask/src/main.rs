//! The commands of this repository: `cargo xtask --help`.
//!
//! `demo` and `test` are the two main commands. Both first install what they need (Rust targets, QEMU).

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
mod emulate;
mod firmware;
mod import;
mod machines;
mod methods;
mod new;
mod no_panic;
mod pinocchio;
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
    /// Run a board's firmware in the emulator, show its log and plot the run
    Demo {
        /// A loop (five_bar, crane, arm), a fault to inject (nan-reading, stuck-reading, jumping-reading, bus-error, late-tick,
        /// infeasible-target, singular-pose, saturated-motor, corrupted-state, flipped-reading, dithering-reading, slipping-reading,
        /// lost-reference, shorted-bridge, frozen-clock, fast-clock, often-late, lost-heartbeat, bouncing-reset) or a firmware trial
        /// (overrun, hang, stack, hard-fault)
        arguments: Vec<String>,
        /// The board: olimex-h405 runs every loop; microbit and hifive1 run the arm only
        #[arg(long, default_value = boards::Board::DEFAULT.name)]
        board: String,
        /// A mechanism of the gallery in place of the board's loops, on the default board, drawn in motion, too. One with motors follows a
        /// path, one without is let go. So are crane, which has fewer motors than ways to move (its own loop is `demo crane`), andrews,
        /// whose spring needs a loop of 2 kHz, more than the emulated board has time for, and gimbal, universal-joint and
        /// spatial-four-bar, whose loops need more stack than it has
        #[arg(long, conflicts_with = "board", value_parser = new::lists::gallery())]
        mechanism: Option<String>,
    },
    /// Make a crate outside the repository: a machine of your own with its test, its desk program and its firmware
    ///
    /// Only the Olimex STM32-H405 is emulated; for the other boards the firmware has been compiled, not yet run.
    New(new::Options),
    /// Run the checks for a commit: format, lints, docs, host tests; bits, budgets and no-panic on the emulated Cortex-M4F
    Test {
        /// Run every check, as CI does: all targets, boards and features, and the comparison with C
        #[arg(long)]
        all: bool,
        /// Run only the steps whose name contains this text
        #[arg(long, default_value = "", hide_default_value = true, value_name = "TEXT")]
        only: String,
    },
    /// Check only the boards: lint their firmware and run it in the emulator
    Boards,
    /// List the tools that are installed and missing, and how to install them
    Doctor,
    /// Check that all functions and long runs give the same bits on this computer and on every emulated target
    Bits {
        /// First write this computer's results to the file of expected bits
        #[arg(long, conflicts_with = "long")]
        update: bool,
        /// Run up to ten million steps (takes almost an hour)
        #[arg(long)]
        long: bool,
        /// Only count the instructions of a step of each run; the lengths of the runs are chosen from these counts
        #[arg(long, conflicts_with_all = ["long", "update"])]
        costs: bool,
    },
    /// Check the instructions, stack, flash and RAM of every kernel and every firmware against tests/on-target/budget.toml
    Budget {
        /// Write the measured figures to the budget file instead of checking them
        #[arg(long)]
        update: bool,
        /// Measure only the firmware of the boards
        #[arg(long)]
        boards: bool,
    },
    /// Prove that no panic is reachable: link everything a user calls, for every target, without a panic handler
    NoPanic,
    /// Measure the error and the instructions of every method, and print the table
    Methods(methods::Options),
    /// Compare times, errors and instructions of taut, hand-written C and other libraries
    ///
    /// Building the other libraries takes several minutes the first time.
    Compare(compare::Options),
    /// Recommend a method, precision and rate for a system, from errors measured here and instructions counted in the emulator
    Advise(advise::Question),
    /// Draw the figures of the README and the guide, from runs of the library on this computer
    Figures {
        /// Only compare them with those in the repository
        #[arg(long)]
        check: bool,
    },
    /// Call the library with random bytes and assert its promises, for a minute
    Fuzz(Options),
    /// Break the library in a list of places, and check that a test fails for each; takes minutes for each mutation
    Mutants(Options),
    /// Draw the mechanisms of the gallery, as pictures that move
    Gallery(Options),
    /// Say which index a mechanism has, which equations must be differentiated and which initial values may be chosen
    Analyse(Options),
    /// Print the list of parts of an MJCF or URDF file, and name what it cannot say
    Import(import::Options),
    /// Run hours of simulated time on this computer, and print the drift of the energy
    Soak(Options),
    /// Run one firmware file: in the emulator, or on the board if it was built for the board
    ///
    /// `cargo run` in a board's folder calls this command.
    RunFirmware {
        /// The ELF file
        file: PathBuf,
        /// The arguments of the program in the emulator
        arguments: Vec<String>,
    },
}

/// The options of a program, which has a `--help` of its own.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
struct Options {
    /// `--help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Demo { arguments, board, mechanism } => {
            demo::run(boards::Board::named(&board)?, mechanism.as_deref(), &arguments)
        }
        Command::New(options) => new::run(&options),
        Command::Test { all, only } => test::run(all, &only),
        Command::Boards => with_set_up(test::run_boards),
        Command::Doctor => setup::doctor(),
        Command::Bits { update: true, .. } => with_set_up(bits::update),
        Command::Bits { costs: true, .. } => with_set_up(bits::costs::print),
        Command::Bits { long: true, .. } => with_set_up(|| bits::run(bits::Extent::Long)),
        Command::Bits { .. } => with_set_up(|| bits::run(bits::Extent::All)),
        Command::Budget { update, boards: true } => with_set_up(|| budget::run(budget::Extent::Boards, update)),
        Command::Budget { update, .. } => with_set_up(|| budget::run(budget::Extent::All, update)),
        Command::NoPanic => with_set_up(|| no_panic::run(no_panic::Extent::All)),
        Command::Methods(options) => with_set_up(|| methods::run(&options)),
        Command::Compare(options) => with_set_up(|| compare::run(&options)),
        Command::Advise(question) => with_set_up(|| advise::run(&question)),
        Command::Figures { check } => checks::figures(check),
        Command::Fuzz(Options { options }) => checks::program(&checks::FUZZ, &options),
        Command::Mutants(Options { options }) => checks::program(&checks::MUTANTS, &options),
        Command::Gallery(Options { options }) => checks::program(&checks::GALLERY, &options),
        Command::Analyse(Options { options }) => checks::program(&checks::ANALYSE, &options),
        Command::Import(options) => import::run(&options),
        Command::Soak(Options { options }) => checks::program(&checks::SOAK, &options),
        Command::RunFirmware { file, arguments } => firmware::run(&file, &arguments),
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
    use taut::supervise::Injection;

    use super::*;

    #[test]
    fn the_help_of_the_demo_lists_every_loop_fault_and_board() {
        let help = Arguments::command().find_subcommand_mut("demo").unwrap().render_long_help().to_string();
        let faults = Injection::ALL.map(Injection::name);
        let boards: Vec<_> = boards::Board::all_emulated().map(|board| board.name).collect();
        for name in faults.iter().chain(boards::Board::DEFAULT.loops).chain(&boards) {
            assert!(help.contains(name), "{name}");
        }
    }
}

//! How a program starts, reads its arguments and prints, on this computer and on every machine.

use crate::bits::Body;
use crate::bits::trajectories::{Limits, Run};

/// Prints the hash of every body: `name: hash`.
pub fn print_hashes(tables: &[&[Body]]) {
    #[cfg(target_os = "none")]
    use semihosting::println;
    #[cfg(not(target_os = "none"))]
    use std::println;

    for (name, body) in tables.iter().copied().flatten() {
        println!("{name}: {:016x}", body());
    }
}

/// Prints the hashes of runs, or the cost of their steps. The arguments of the program limit the runs.
pub fn print_hashes_of_runs(runs: &[Run]) {
    let [steps, instructions, processor] = arguments();
    let limits = Limits { steps, instructions, processor };
    runs.iter().for_each(|run| limits.make(run));
}

/// The program's arguments, all of them numbers.
#[cfg(target_os = "none")]
fn arguments<const COUNT: usize>() -> [u64; COUNT] {
    let arguments = semihosting::experimental::env::args::<64>().expect("a short command line");
    let mut arguments = (&arguments).skip(1);
    core::array::from_fn(|_| number(arguments.next().and_then(Result::ok)))
}

/// The program's arguments, all of them numbers.
#[cfg(not(target_os = "none"))]
fn arguments<const COUNT: usize>() -> [u64; COUNT] {
    let mut arguments = std::env::args().skip(1);
    core::array::from_fn(|_| number(arguments.next().as_deref()))
}

fn number(argument: Option<&str>) -> u64 {
    argument.expect("three arguments").parse().expect("a whole number")
}

/// Makes a function the program. The program ends with success when the function returns.
#[macro_export]
macro_rules! program {
    ($run:path) => {
        #[cfg(not(target_os = "none"))]
        fn main() {
            $run();
        }

        #[cfg(target_os = "none")]
        #[cfg_attr(target_arch = "arm", cortex_m_rt::entry)]
        #[cfg_attr(target_arch = "riscv32", riscv_rt::entry)]
        fn main() -> ! {
            $run();
            semihosting::process::exit(0)
        }
    };
}

/// Makes a program that counts instructions: starts the counter and runs a function of this crate. Programs without an emulator say which
/// command to use.
#[macro_export]
macro_rules! counting_program {
    ($count:path) => {
        $crate::program!(print_costs);
        $crate::report_panics!();

        #[cfg(target_os = "none")]
        fn print_costs() {
            $crate::measure::start();
            $count();
        }

        #[cfg(not(target_os = "none"))]
        fn print_costs() {
            eprintln!("instructions are counted in the emulator: run `cargo xtask budget`");
        }
    };
}

/// Makes a program that only starts one system and steps it with RATTLE, with a compensated or a plain state. Its flash is measured; it
/// is never run, and links only if it cannot panic.
#[macro_export]
macro_rules! stepping_program {
    ($system:expr, $guess:expr $(, $precision:ident)?) => {
        $crate::program!(step_until_it_fails);

        fn step_until_it_fails() {
            use core::hint::black_box;
            use taut::method::{Rattle, Step};
            use taut::start::{Clock, Start};

            let system = black_box($system);
            let Ok(clock) = Clock::at_rate(black_box(1_000.0)) else { return };
            let Ok(mut state) = Start::at(&system, clock, black_box($guess))$(.$precision())?.at_rest() else { return };
            while let Ok(report) = Rattle::new().step(&system, &mut state) {
                let _ = black_box((report, &mut state));
            }
        }
    };
}

/// On a panic, prints its message and ends the program with a failure.
#[macro_export]
macro_rules! report_panics {
    () => {
        #[cfg(target_os = "none")]
        #[panic_handler]
        fn report(panic: &core::panic::PanicInfo) -> ! {
            semihosting::println!("{panic}");
            semihosting::process::exit(101)
        }
    };
}

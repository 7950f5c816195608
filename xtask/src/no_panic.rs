//! No path to a panic is linked into the functions and kernels.

use anyhow::{Result, bail};

use crate::machines::{MACHINES, Machine, Optimised};
use crate::shell;

/// What the linker is missing if a panic is reachable.
const PROOF: &str = "error(panic-never)";

/// Links every function and kernel with `panic-never`, for every instruction set, optimised for speed and for size. A control
/// that can panic must not link.
pub fn run() -> Result<()> {
    for machine in instruction_sets() {
        for optimised in [Optimised::ForSpeed, Optimised::ForSize] {
            let profile = optimised.profile();
            let command = |program| {
                let mut command = machine.build_command(&[program], optimised);
                command.env("TAUT_MACHINE", roomy(machine));
                command
            };
            shell::run(&format!("link without a panic for {} ({profile})", machine.target), &mut command("no_panic"))?;

            let output = command("no_panic_control").output()?;
            if output.status.success() {
                bail!("no_panic_control can panic and links for {} ({profile}): the check is void", machine.target);
            }
            let message = String::from_utf8_lossy(&output.stderr);
            if !message.contains(PROOF) {
                bail!("no_panic_control fails for {} ({profile}), but not for its panic:\n{message}", machine.target);
            }
            eprintln!("  ok     a panic is refused for {} ({profile})", machine.target);
        }
    }
    Ok(())
}

/// One machine for each instruction set.
fn instruction_sets() -> Vec<&'static Machine> {
    let mut machines: Vec<&Machine> = MACHINES.iter().collect();
    machines.dedup_by_key(|machine| machine.target);
    machines
}

/// A machine whose memory map has room for everything at once: the program is linked, never run.
fn roomy(machine: &Machine) -> &'static str {
    if machine.target.starts_with("riscv32") { "virt" } else { "mps2-an500" }
}

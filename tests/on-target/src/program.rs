//! How a program starts and speaks, on this computer and on every machine.

use crate::bits::Body;

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

/// Makes a function the program: it ends, successfully, when the function returns.
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

/// Lets a panic be seen: its message is printed and the program ends without success.
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

//! Prints the cost of every kernel: ticks of the counter and bytes of stack. `cargo xtask budget` converts the ticks to instructions.

#![cfg_attr(target_os = "none", no_std, no_main)]

on_target::counting_program!(count);

#[cfg(target_os = "none")]
fn count() {
    use on_target::kernels::{Kernel, Sample, Visitor, visit_all};
    use on_target::measure;
    use semihosting::println;

    struct Print;

    impl Visitor for Print {
        fn visit<I: Sample, O>(&mut self, name: &str, kernel: Kernel<I, O>) {
            let cost = measure::cost(kernel);
            let stack = cost.stack.expect("the kernel's stack is within the paint");
            println!("kernel {name} {} {} {stack}", cost.ticks, cost.ticks_of_nothing);
        }
    }

    visit_all(&mut Print);
}

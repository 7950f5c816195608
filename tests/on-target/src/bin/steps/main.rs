//! Prints the cost of every step: ticks of the counter and bytes of stack. `cargo xtask budget` converts the ticks to instructions.

#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod cost;
#[cfg(target_os = "none")]
mod table;

on_target::counting_program!(count);

#[cfg(target_os = "none")]
fn count() {
    use on_target::digits::Digits;
    use semihosting::println;

    use crate::cost::{cost, failures};
    use crate::table::{Counted, Outcome, Visitor, visit_all};
    use on_target::hostile::Hostile;

    struct Print;

    impl Visitor for Print {
        fn visit<System, R, P, const K: usize, const N: usize, const M: usize>(
            &mut self,
            name: &str,
            step: Counted<System, R, P, K, N, M>,
        ) where
            System: Hostile<N, M>,
            R: Outcome,
            P: Digits,
        {
            let cost = cost(step);
            let stack = cost.stack.expect("the step's stack is within the paint");
            println!("step {name} {} {} {} {stack} {}", cost.cheapest, cost.costliest, cost.nothing, cost.steps);
            failures(step, |error, ticks| println!("failure {name} {error} {ticks}"));
        }
    }

    visit_all(&mut Print);
}

//! Calls the loops of the boards and their simulated machines, with input that is unknown to the compiler. It links only if none of
//! that can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use loops::{Options, arm, crane, five_bar};
#[cfg(target_os = "none")]
use panic_never as _;

on_target::program!(every_loop);

fn every_loop() {
    let options = black_box(Options::default());
    macro_rules! reach {
        ($($name:ident),*) => {$(
            if let Ok(mut program) = $name::program(options, black_box(64_000)) {
                for _ in 0..black_box(3_u8) {
                    black_box(black_box(&mut program).tick(&mut black_box(7_u32), &mut ()));
                }
                black_box(program.summary());
            }
        )*};
    }
    reach!(arm, five_bar, crane);
}

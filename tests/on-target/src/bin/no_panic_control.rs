//! A negative control that can panic and must not link. It shows that `no_panic` would not link either if it could panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

#[cfg(target_os = "none")]
use panic_never as _;

on_target::program!(panic_perhaps);

fn panic_perhaps() {
    // The compiler does not know that the index is in bounds.
    let values = black_box([1_u32, 2, 3]);
    black_box(values[black_box(0)]);
}

//! Calls every scalar function and kernel. It links only if none of them can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;
use core::mem::MaybeUninit;

use on_target::bits::{beyond_real, factorisations_f32, factorisations_f64, scalars};
use on_target::kernels::{Kernel, Sample, Visitor, visit_all};
#[cfg(target_os = "none")]
use panic_never as _;

on_target::program!(reach_everything);

fn reach_everything() {
    for (_, body) in
        black_box([scalars(), beyond_real(), factorisations_f32(), factorisations_f64()]).into_iter().flatten()
    {
        black_box(body());
    }
    visit_all(&mut Call);
}

struct Call;

impl Visitor for Call {
    fn visit<I: Sample, O>(&mut self, _: &str, kernel: Kernel<I, O>) {
        for input in (0..).map_while(I::sample) {
            let mut output = MaybeUninit::uninit();
            black_box(kernel)(black_box(&input), &mut output);
            black_box(&output);
        }
    }
}

//! A program that only starts and steps a double pendulum with a compensated state, the default.

#![cfg_attr(target_os = "none", no_std, no_main)]

use mechanisms::DoublePendulum;
#[cfg(target_os = "none")]
use panic_never as _;

on_target::stepping_program!(DoublePendulum::<f32>::standard(), [1.0, 0.0, 1.0, 1.0]);

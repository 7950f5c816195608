//! A program that only starts and steps a pendulum with a compensated state, the default.

#![cfg_attr(target_os = "none", no_std, no_main)]

use mechanisms::Pendulum;
#[cfg(target_os = "none")]
use panic_never as _;

on_target::stepping_program!(Pendulum::<f32>::standard(), [1.0, 0.0]);

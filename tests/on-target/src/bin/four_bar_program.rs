//! A program that only starts and steps a four-bar linkage with a compensated state, the default.

#![cfg_attr(target_os = "none", no_std, no_main)]

use mechanisms::FourBar;
#[cfg(target_os = "none")]
use panic_never as _;

on_target::stepping_program!(FourBar::<f32>::standard(), FourBar::guess());

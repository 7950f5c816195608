//! A program that does nothing. Its size is subtracted from those of the programs that start and step a system.

#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
use panic_never as _;

on_target::program!(nothing);

fn nothing() {}

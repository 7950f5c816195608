//! Reaches whatever a user calls to start, project and step a system of many constraints. It links only if none of that can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use on_target::reach::reach;
#[cfg(target_os = "none")]
use panic_never as _;
use systems::{Chain, FourBar};

on_target::program!(every_linkage);

fn every_linkage() {
    reach(&FourBar::standard(), FourBar::guess());
    reach(&Chain::<f32, 8, 4>::standard(), Chain::<f32, 8, 4>::position());
}

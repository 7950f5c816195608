//! Calls everything that a user calls to start, project and step a system of many constraints. It links only if none of that can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use mechanisms::{Chain, FourBar};
use on_target::reach::reach;
#[cfg(target_os = "none")]
use panic_never as _;

on_target::program!(every_linkage);

fn every_linkage() {
    reach(&FourBar::standard(), FourBar::guess());
    reach(&Chain::<f32, 8, 4>::standard(), Chain::<f32, 8, 4>::position());
}

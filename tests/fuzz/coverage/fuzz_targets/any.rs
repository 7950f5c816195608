//! The target that the environment variable `TARGET` names.

#![no_main]

use std::sync::LazyLock;

static TARGET: LazyLock<fuzz::Target> = LazyLock::new(|| {
    let name = std::env::var("TARGET").unwrap_or_default();
    fuzz::target(&name).unwrap_or_else(|| panic!("set TARGET to one of {:?}", fuzz::TARGETS.map(|(name, _)| name)))
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    TARGET(data);
});

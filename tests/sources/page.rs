//! The page that maps the source texts names files that exist.

use std::fs;
use std::path::Path;

/// The tests of the source texts are in these folders; each of their modules is on the page, but for the roots and this one.
const FOLDERS: [&str; 4] = ["tests/sources", "tests/manifolds", "tests/linear", "tests/structure"];

#[test]
fn every_file_on_the_page_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("src/guide/sources.md")).unwrap();
    let mut count = 0;
    for name in page.split('`').skip(1).step_by(2).filter(|name| name.contains('/')) {
        assert!(root.join(name).is_file(), "src/guide/sources.md names {name}, which does not exist");
        count += 1;
    }
    // The names were read at all.
    assert!(count > 80, "{count} names");
    for row in page.lines().filter(|line| line.starts_with('|')) {
        assert!(row.matches('|').count() <= 8, "more than seven columns: {row}");
    }
}

#[test]
fn every_reproduction_is_on_the_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("src/guide/sources.md")).unwrap();
    for folder in FOLDERS {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            let named = page.contains(&format!("`{folder}/{file}`"));
            assert!(
                named || ["main.rs", "page.rs"].contains(&&*file),
                "{folder}/{file} is not in src/guide/sources.md"
            );
        }
    }
}

/// Systems that the table of indices has under another form, or that have none, with the reason.
const NOT_ANALYSED: [(&[&str], &str); 4] = [
    (&["Pendulum", "DoublePendulum", "SliderCrank", "Crane", "FiveBar", "FiveBarPoints"], "as lists of the gallery"),
    (&["HangingChain", "ChainLink", "Mobile", "PinnedBars", "SuspendedChain"], "`Serial` is stepped link by link"),
    (&["FreeBody", "HeavyTop", "LinearRate", "RigidBody", "BodyInvariants"], "attitudes and momenta, no constraints"),
    (&["ByHand", "HandWritten"], "derivatives by hand of other systems"),
];

/// Every system that the tests share has a row in `src/guide/indices.md`.
#[test]
fn every_shared_system_is_analysed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(root.join(name)).unwrap();
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).filter(|word| !word.is_empty()).collect()
    };
    let imported = |file: &str| {
        let text = read(&format!("examples/desk/examples/analyse/{file}.rs"));
        words(text.split_once("use mechanisms::{").and_then(|(_, rest)| rest.split_once('}')).unwrap().0)
    };
    let imported = [imported("systems"), imported("forms")].concat();
    let shared = read("examples/mechanisms/src/lib.rs");
    let mut count = 0;
    for name in shared.lines().filter_map(|line| line.strip_prefix("pub use ")).flat_map(words) {
        // Not the module.
        if name.starts_with(char::is_uppercase) {
            let excepted = NOT_ANALYSED.iter().any(|(names, _)| names.contains(&&*name));
            assert!(imported.contains(&name) != excepted, "{name}: a row of the table of indices, or an exception");
            count += 1;
        }
    }
    assert!(count > 40, "{count} names");
}

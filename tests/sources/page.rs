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

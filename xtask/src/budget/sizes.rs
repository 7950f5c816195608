//! Sizes of programs.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use object::{Object, ObjectSection, SectionKind};

/// The sizes of a program.
pub struct Sizes {
    /// The bytes of code, constants and initial values, without the interrupt vector table, whose length depends on the chip.
    pub program: u64,
    /// The bytes of all static variables in RAM, without the stack.
    pub variables: u64,
    /// The bytes of the path of cargo's registry in constants: that path differs between computers.
    pub folders: u64,
}

/// Reads the sizes from an ELF file.
pub fn of(program: &Path) -> Result<Sizes> {
    let bytes = std::fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    let file = object::File::parse(bytes.as_slice()).with_context(|| format!("cannot parse {}", program.display()))?;
    let in_flash = |section: &object::Section| {
        use SectionKind::{Data, ReadOnlyData, ReadOnlyString, Text};
        matches!(section.kind(), Text | ReadOnlyData | ReadOnlyString | Data) && section.name() != Ok(".vector_table")
    };
    // RISC-V's linker script also makes sections of the unused RAM: `.stack` and `.heap`.
    let in_ram = |section: &object::Section| {
        matches!(section.kind(), SectionKind::Data | SectionKind::UninitializedData)
            && !matches!(section.name(), Ok(".stack" | ".heap"))
    };
    let sum = |belongs: &dyn Fn(&object::Section) -> bool| {
        file.sections().filter(|section| belongs(section)).map(|section| section.size()).sum()
    };
    let mut folders = 0;
    for section in file.sections().filter(in_flash) {
        folders += folders_in(section.data()?);
    }
    Ok(Sizes { program: sum(&in_flash), variables: sum(&in_ram), folders })
}

/// The bytes of every `…/registry/src/INDEX/` in a section: the folder of the dependencies' sources.
fn folders_in(section: &[u8]) -> u64 {
    let home = cargo_home().join("registry/src/").to_string_lossy().into_owned().into_bytes();
    let found = section.windows(home.len()).enumerate().filter(|(_, window)| *window == home);
    let index = |begin: usize| section[begin..].iter().position(|byte| *byte == b'/').map_or(0, |length| length + 1);
    found.map(|(place, _)| (home.len() + index(place + home.len())) as u64).sum()
}

/// Cargo's home folder.
fn cargo_home() -> PathBuf {
    std::env::var_os("CARGO_HOME")
        .map_or_else(|| std::env::home_dir().unwrap_or_default().join(".cargo"), PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_folders_of_dependencies_are_counted() {
        let folder = format!("{}/registry/src/index-1/", cargo_home().display());
        let section = format!("text{folder}one/src/lib.rs{folder}two/src/lib.rs/rustc/src/lib.rs");
        assert_eq!(folders_in(section.as_bytes()), 2 * folder.len() as u64);
        assert_eq!(folders_in(b"/rustc/src/lib.rs"), 0);
    }
}

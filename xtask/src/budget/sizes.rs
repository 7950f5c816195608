//! Sizes of programs and of the functions in them.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};

/// What a program occupies.
pub struct Sizes {
    /// The bytes of each function, by the name of its symbol.
    pub functions: HashMap<String, u64>,
    /// The bytes of code, constants and initial values, without the table of interrupt vectors, whose length is the chip's.
    pub program: u64,
}

/// Reads the sizes from an ELF file.
pub fn of(program: &Path) -> Result<Sizes> {
    let bytes = std::fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    let file = object::File::parse(bytes.as_slice()).with_context(|| format!("{} is no program", program.display()))?;
    let functions = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
    let functions = functions.filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), symbol.size()))).collect();
    let in_flash = |section: &object::Section| {
        use SectionKind::{Data, ReadOnlyData, ReadOnlyString, Text};
        matches!(section.kind(), Text | ReadOnlyData | ReadOnlyString | Data) && section.name() != Ok(".vector_table")
    };
    Ok(Sizes { functions, program: file.sections().filter(in_flash).map(|section| section.size()).sum() })
}

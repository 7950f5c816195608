//! Sizes of the functions in a program.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result};
use object::{Object, ObjectSymbol, SymbolKind};

/// The bytes that each function of an ELF file occupies, by the name of its symbol.
pub fn sizes(program: &Path) -> Result<HashMap<String, u64>> {
    let bytes = std::fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    let file = object::File::parse(bytes.as_slice()).with_context(|| format!("{} is no program", program.display()))?;
    let functions = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
    Ok(functions.filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), symbol.size()))).collect())
}

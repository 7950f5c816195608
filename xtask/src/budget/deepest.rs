//! The largest stack that a function can use: its frame plus those of the deepest chain of calls from it, read from the linked
//! machine code of Cortex-M ([`thumb`]) or RISC-V ([`riscv`]). Everything that a function subtracts from the stack pointer counts as
//! its frame. Calls through a pointer and recursion have no bound and are errors.
//!
//! It does not follow conditional jumps into another function, nor jumps through a register, which the compiler uses for returns and
//! jump tables. Interrupt handlers need their own stack on top.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use object::{Architecture, Object, ObjectSection, ObjectSymbol, SymbolKind};

mod riscv;
mod thumb;

/// The code of a program and its first address.
struct Code<'program> {
    bytes: &'program [u8],
    begin: u64,
}

impl Code<'_> {
    /// The two bytes at an address.
    fn half(&self, at: u64) -> Option<u32> {
        let bytes = self.bytes.get(usize::try_from(at.checked_sub(self.begin)?).ok()?..)?.first_chunk()?;
        Some(u32::from(u16::from_le_bytes(*bytes)))
    }
}

/// A function's stack frame in bytes and the addresses that it calls.
#[derive(Default, Debug, PartialEq)]
struct Function {
    frame: u64,
    calls: Vec<u64>,
}

/// The bytes of stack that a function and its callees use. The function is the only one whose symbol contains all these words.
pub fn below(program: &Path, words: &[&str]) -> Result<u64> {
    let bytes = std::fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    let file = object::File::parse(bytes.as_slice())?;
    let text = file.section_by_name(".text").context("no code")?;
    let code = Code { bytes: text.data()?, begin: text.address() };
    let mut data: Vec<(u64, bool)> = Vec::new();
    let (mut functions, mut entry) = (BTreeMap::new(), None);
    for symbol in file.symbols().filter(|symbol| symbol.section_index() == Some(text.index())) {
        let name = symbol.name()?;
        if ["$d", "$t", "$x"].iter().any(|kind| name.starts_with(kind)) {
            data.push((symbol.address(), name.starts_with("$d")));
        }
    }
    data.sort_unstable();
    let is_data = |address| data[..data.partition_point(|(at, _)| *at <= address)].last().is_some_and(|(_, is)| *is);
    let function = if file.architecture() == Architecture::Riscv32 { riscv::function } else { thumb::function };
    for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0) {
        let (name, first) = (symbol.name()?, symbol.address() & !1);
        if first < code.begin || first + symbol.size() > code.begin + code.bytes.len() as u64 {
            continue;
        }
        let function = function(&code, first..first + symbol.size(), &is_data);
        if words.iter().all(|word| name.contains(word)) {
            ensure!(entry.replace(first).is_none(), "several functions are named {words:?}");
        }
        functions.insert(first, function);
    }
    deepest(&functions, entry.with_context(|| format!("no function is named {words:?}"))?, &mut Vec::new())
}

/// The frame of a function plus that of its deepest chain of calls.
fn deepest(functions: &BTreeMap<u64, Option<Function>>, at: u64, above: &mut Vec<u64>) -> Result<u64> {
    ensure!(!above.contains(&at), "the function at {at:#x} calls itself");
    let function = functions.get(&at).with_context(|| format!("no function begins at {at:#x}"))?;
    let Some(function) = function else { bail!("the function at {at:#x} calls through a pointer") };
    above.push(at);
    let mut deepest_call = 0;
    for call in &function.calls {
        deepest_call = deepest_call.max(deepest(functions, *call, above)?);
    }
    above.pop();
    Ok(function.frame + deepest_call)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    type Reader = fn(&Code<'_>, Range<u64>, &dyn Fn(u64) -> bool) -> Option<Function>;

    /// Decodes these instructions, with no data between them.
    pub fn read(function: Reader, halves: &[u16]) -> Option<Function> {
        let code: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
        function(&Code { bytes: &code, begin: 0x100 }, 0x100..0x100 + code.len() as u64, &|_| false)
    }

    #[test]
    fn the_deepest_chain_counts_and_recursion_is_refused() {
        let of = |frame, calls: &[u64]| Some(Function { frame, calls: calls.to_vec() });
        let mut functions = BTreeMap::from([(1, of(8, &[2, 3])), (2, of(16, &[])), (3, of(4, &[4])), (4, of(20, &[]))]);
        assert_eq!(deepest(&functions, 1, &mut Vec::new()).unwrap(), 32);
        functions.insert(4, of(20, &[1]));
        assert!(deepest(&functions, 1, &mut Vec::new()).is_err());
    }
}

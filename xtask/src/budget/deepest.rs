//! The deepest stack that a function of a Cortex-M program can take: its frame and those of the deepest chain of calls from it, read
//! from the linked machine code (Arm, ARMv7-M Architecture Reference Manual, A5 and A7.7). All that a function subtracts from the
//! stack pointer counts as its frame. Calls through a pointer and recursion have no bound, and are refused.
//!
//! Not followed are conditional jumps into another function and jumps through a register, which the compiler uses to return and to
//! choose among cases. What interrupts the function has its own stack on top.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};

/// What a function does with the stack.
#[derive(Default, Debug, PartialEq)]
struct Function {
    frame: u64,
    calls: Vec<u64>,
}

/// Bytes of stack below the only function whose symbol contains all these words.
pub fn below(program: &Path, words: &[&str]) -> Result<u64> {
    let bytes = std::fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    let file = object::File::parse(bytes.as_slice())?;
    let text = file.section_by_name(".text").context("no code")?;
    let (begin, code) = (text.address(), text.data()?);
    let mut data: Vec<(u64, bool)> = Vec::new();
    let (mut functions, mut entry) = (BTreeMap::new(), None);
    for symbol in file.symbols().filter(|symbol| symbol.section_index() == Some(text.index())) {
        let name = symbol.name()?;
        if name.starts_with("$d") || name.starts_with("$t") {
            data.push((symbol.address(), name.starts_with("$d")));
        }
    }
    data.sort_unstable();
    let is_data = |address| data[..data.partition_point(|(at, _)| *at <= address)].last().is_some_and(|(_, is)| *is);
    for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0) {
        let (name, first) = (symbol.name()?, symbol.address() & !1);
        if first < begin || first + symbol.size() > begin + code.len() as u64 {
            continue;
        }
        let function = function(code, begin, first..first + symbol.size(), &is_data);
        if words.iter().all(|word| name.contains(word)) {
            ensure!(entry.replace(first).is_none(), "several functions are named {words:?}");
        }
        functions.insert(first, function);
    }
    deepest(&functions, entry.with_context(|| format!("no function is named {words:?}"))?, &mut Vec::new())
}

/// Its frame and the deepest of what it calls.
fn deepest(functions: &BTreeMap<u64, Option<Function>>, at: u64, above: &mut Vec<u64>) -> Result<u64> {
    ensure!(!above.contains(&at), "the function at {at:#x} calls itself");
    let function = functions.get(&at).with_context(|| format!("no function begins at {at:#x}"))?;
    let Some(function) = function else { bail!("the function at {at:#x} calls through a pointer") };
    above.push(at);
    let mut most = 0;
    for call in &function.calls {
        most = most.max(deepest(functions, *call, above)?);
    }
    above.pop();
    Ok(function.frame + most)
}

/// What the code in a range of addresses does; `None` if it calls through a pointer.
fn function(code: &[u8], begin: u64, range: std::ops::Range<u64>, is_data: &dyn Fn(u64) -> bool) -> Option<Function> {
    let half = |at: u64| {
        let bytes = code.get((at - begin) as usize..)?.first_chunk()?;
        Some(u32::from(u16::from_le_bytes(*bytes)))
    };
    let (mut function, mut literals, mut at) = (Function::default(), [0_u32; 8], range.start);
    while at < range.end {
        let (here, first) = (at, half(at)?);
        at += 2;
        if is_data(here) {
            continue;
        }
        let mut call = |offset: i64| function.calls.push((here + 4).wrapping_add_signed(offset));
        if first >> 11 < 0b11101 {
            match first {
                0xb400..=0xb5ff => function.frame += 4 * u64::from((first & 0x1ff).count_ones()),
                0xb080..=0xb0ff => function.frame += 4 * u64::from(first & 0x7f),
                // A constant from behind the code, which may be what is added to the stack pointer.
                0x4800..=0x4fff => {
                    let place = ((here + 4) & !3) + 4 * u64::from(first & 0xff);
                    literals[(first as usize >> 8) & 7] = half(place)? | half(place + 2)? << 16;
                }
                _ if first & 0xffc7 == 0x4485 => {
                    let added = literals[(first as usize >> 3) & 7] as i32;
                    function.frame += u64::from(added.min(0).unsigned_abs());
                }
                0x4780..=0x47ff => return None,
                0xe000..=0xe7ff => call(i64::from((first << 21) as i32 >> 20)),
                _ => {}
            }
            continue;
        }
        let second = half(at)?;
        at += 2;
        let constant = (first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | second & 0xff;
        if first & 0xf800 == 0xf000 && second & 0x9000 == 0x9000 {
            let sign = first >> 10 & 1;
            let [high, low] = [second >> 13 & 1, second >> 11 & 1].map(|bit| 1 ^ bit ^ sign);
            let offset = sign << 24 | high << 23 | low << 22 | (first & 0x3ff) << 12 | (second & 0x7ff) << 1;
            call(i64::from((offset << 7) as i32 >> 7));
        } else if first == 0xe92d {
            function.frame += 4 * u64::from(second.count_ones());
        } else if first == 0xf84d && second & 0xfff == 0xd04 {
            function.frame += 4;
        } else if first & 0xffbf == 0xed2d {
            function.frame += 4 * u64::from(second & 0xff);
        } else if first & 0xfbff == 0xf2ad && second & 0x8f00 == 0x0d00 {
            function.frame += u64::from(constant);
        } else if first & 0xfbef == 0xf1ad && second & 0x8f00 == 0x0d00 {
            let rotated = (0x80 | constant & 0x7f).rotate_right(constant >> 7);
            function.frame += u64::from(if constant >> 10 == 0 { constant & 0xff } else { rotated });
        }
    }
    // Jumps within the function are no calls.
    function.calls.retain(|target| !range.contains(target));
    Some(function)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(halves: &[u16]) -> Option<Function> {
        let code: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
        function(&code, 0x100, 0x100..0x100 + code.len() as u64, &|_| false)
    }

    #[test]
    fn frames_and_calls_are_read() {
        // push {r4-r7, lr}; sub sp, #20; vpush {d8}; sub.w sp, sp, #1024; bl of the next but this function.
        let halves = [0xb5f0, 0xb085, 0xed2d, 0x8b02, 0xf5ad, 0x6d80, 0xf000, 0xf802];
        assert_eq!(read(&halves), Some(Function { frame: 20 + 20 + 8 + 1024, calls: vec![0x114] }));
        // blx r3.
        assert_eq!(read(&[0x4798]), None);
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

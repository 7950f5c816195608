//! Reads the stack frame and the calls of a RISC-V function: RV32 with compressed instructions (The RISC-V Instruction Set Manual,
//! Volume I, "C" extension and RV32I base).

use std::ops::Range;

use super::{Code, Function};

/// The registers of return address and stack pointer.
const RA: u32 = 1;
const SP: u32 = 2;

/// Decodes the code in a range of addresses; `None` if it calls through a pointer.
pub fn function(code: &Code<'_>, range: Range<u64>, is_data: &dyn Fn(u64) -> bool) -> Option<Function> {
    let (mut function, mut at) = (Function::default(), range.start);
    // The constants in registers, because one may be subtracted from the stack pointer; and an address that the next instruction may call.
    let (mut constants, mut address) = ([0_i32; 32], None);
    while at < range.end {
        let (here, first) = (at, code.half(at)?);
        at += 2;
        if is_data(here) {
            continue;
        }
        let near = std::mem::take(&mut address);
        let effect = if first & 3 == 3 {
            let word = first | code.half(at)? << 16;
            at += 2;
            whole(word, here, near, &mut constants, &mut address)
        } else {
            compressed(first, &mut constants)
        };
        match effect {
            Effect::None => {}
            Effect::Stack(bytes) => function.frame += u64::from(bytes.min(0).unsigned_abs()),
            Effect::Jump(offset) => function.calls.push(here.wrapping_add_signed(offset.into()) & 0xffff_ffff),
            Effect::To(target) => function.calls.push(target.into()),
            Effect::Pointer => return None,
        }
    }
    // Jumps within the function are not calls.
    function.calls.retain(|target| !range.contains(target));
    Some(function)
}

/// The effect of an instruction.
enum Effect {
    /// Nothing relevant.
    None,
    /// Adds this many bytes to the stack pointer.
    Stack(i32),
    /// Jumps to or calls this offset from itself.
    Jump(i32),
    /// Jumps to or calls this address.
    To(u32),
    /// Calls through a pointer.
    Pointer,
}

/// An instruction of four bytes. `near` is a register and the address that the previous instruction put into it.
fn whole(
    word: u32,
    here: u64,
    near: Option<(u32, u32)>,
    constants: &mut [i32; 32],
    address: &mut Option<(u32, u32)>,
) -> Effect {
    let field = |low: u32, bits: u32| word >> low & ((1 << bits) - 1);
    let (destination, source, immediate) = (field(7, 5), field(15, 5), word as i32 >> 20);
    match (field(0, 7), field(12, 3)) {
        // addi
        (0x13, 0) if (destination, source) == (SP, SP) => return Effect::Stack(immediate),
        (0x13, 0) => constants[destination as usize] = constants[source as usize].wrapping_add(immediate),
        // lui
        (0x37, _) => constants[destination as usize] = (word & !0xfff) as i32,
        // sub, add
        (0x33, 0) if (destination, source) == (SP, SP) => {
            let other = constants[field(20, 5) as usize];
            return Effect::Stack(if field(25, 7) == 0x20 { other.wrapping_neg() } else { other });
        }
        // auipc
        (0x17, _) => *address = Some((destination, (here as u32).wrapping_add(word & !0xfff))),
        // jal
        (0x6f, _) => {
            let offset = field(31, 1) << 20 | field(12, 8) << 12 | field(20, 1) << 11 | field(21, 10) << 1;
            return Effect::Jump((offset << 11) as i32 >> 11);
        }
        // jalr
        (0x67, 0) => match near {
            Some((register, base)) if register == source => return Effect::To(base.wrapping_add_signed(immediate)),
            _ if destination == RA => return Effect::Pointer,
            _ => {}
        },
        _ => {}
    }
    Effect::None
}

/// An instruction of two bytes.
fn compressed(half: u32, constants: &mut [i32; 32]) -> Effect {
    let bit = |from: u32, to: u32| (half >> from & 1) << to;
    let register = half >> 7 & 31;
    // A signed immediate of six bits.
    let six = (((half >> 7 & 0x20) | (half >> 2 & 0x1f)) << 26) as i32 >> 26;
    let set = |constants: &mut [i32; 32], value| {
        constants[register as usize] = value;
        Effect::None
    };
    match (half & 3, half >> 13) {
        // c.addi
        (1, 0) if register == SP => Effect::Stack(six),
        (1, 0) => set(constants, constants[register as usize].wrapping_add(six)),
        // c.jal, c.j
        (1, 1 | 5) => {
            let near = bit(12, 11) | bit(11, 4) | (half >> 9 & 3) << 8 | bit(8, 10) | bit(7, 6) | bit(6, 7);
            let offset = near | (half >> 3 & 7) << 1 | bit(2, 5);
            Effect::Jump((offset << 20) as i32 >> 20)
        }
        // c.li
        (1, 2) => set(constants, six),
        // c.addi16sp
        (1, 3) if register == SP => {
            let offset = bit(12, 9) | bit(6, 4) | bit(5, 6) | (half >> 3 & 3) << 7 | bit(2, 5);
            Effect::Stack((offset << 22) as i32 >> 22)
        }
        // c.lui
        (1, 3) => set(constants, six << 12),
        // c.add
        (2, 4) if half >> 12 & 1 == 1 && register == SP => Effect::Stack(constants[(half >> 2 & 31) as usize]),
        // c.jalr
        (2, 4) if half >> 12 & 1 == 1 && half >> 2 & 31 == 0 && register != 0 => Effect::Pointer,
        _ => Effect::None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::read;
    use super::*;

    /// Assembled with `llvm-mc`.
    #[test]
    fn frames_and_calls_are_read() {
        // addi sp, sp, -32; addi sp, sp, -496; addi sp, sp, -2032; auipc ra, 1; jalr ra, 16(ra); addi sp, sp, 496.
        let halves = [0x1101, 0x7141, 0x0113, 0x8101, 0x1097, 0x0000, 0x80e7, 0x0100, 0x617d];
        assert_eq!(read(function, &halves), Some(Function { frame: 32 + 496 + 2032, calls: vec![0x1108 + 16] }));
        // lui a0, 1; addi a0, a0, -1000; sub sp, sp, a0.
        assert_eq!(
            read(function, &[0x6505, 0x0513, 0xc185, 0x0133, 0x40a1]),
            Some(Function { frame: 3096, calls: vec![] })
        );
        // c.jal .+0x200; c.j .-0x200 of the address 0x100 + 2, which wraps; c.j .+0x100; jal ra, .+0x200.
        let calls = vec![0x300, 0xffff_ff02, 0x204, 0x306];
        assert_eq!(read(function, &[0x2401, 0xb501, 0xa201, 0x00ef, 0x2000]), Some(Function { frame: 0, calls }));
        // jalr a0.
        assert_eq!(read(function, &[0x9502]), None);
    }
}

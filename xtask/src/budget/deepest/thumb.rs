//! Reads the stack frame and the calls of a Cortex-M function (Arm, ARMv7-M Architecture Reference Manual, A5 and A7.7).

use std::ops::Range;

use super::{Code, Function};

/// Decodes the code in a range of addresses; `None` if it calls through a pointer.
pub fn function(code: &Code<'_>, range: Range<u64>, is_data: &dyn Fn(u64) -> bool) -> Option<Function> {
    let half = |at: u64| code.half(at);
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
                // A constant from the literal pool, which may be added to the stack pointer.
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
    // Jumps within the function are not calls.
    function.calls.retain(|target| !range.contains(target));
    Some(function)
}

#[cfg(test)]
mod tests {
    use super::super::tests::read;
    use super::*;

    #[test]
    fn frames_and_calls_are_read() {
        // push {r4-r7, lr}; sub sp, #20; vpush {d8}; sub.w sp, sp, #1024; bl to the next function.
        let halves = [0xb5f0, 0xb085, 0xed2d, 0x8b02, 0xf5ad, 0x6d80, 0xf000, 0xf802];
        assert_eq!(read(function, &halves), Some(Function { frame: 20 + 20 + 8 + 1024, calls: vec![0x114] }));
        // blx r3.
        assert_eq!(read(function, &[0x4798]), None);
    }
}

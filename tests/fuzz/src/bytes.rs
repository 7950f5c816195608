//! Reads inputs from arbitrary bytes.

use taut::scalar::Float;

/// Bytes to read from. After the last one, zeros follow.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a>(pub &'a [u8]);

const INF: f64 = f64::INFINITY;

/// Numbers that nobody should give, and numbers near the ends of the range of `f32` and `f64`.
#[rustfmt::skip]
const SPECIAL: [f64; 22] = [
    f64::NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 1e-45, -1e-40, 1.2e-38, 1e-20, -1e20, 1.8e19, 1e30, 3.4e38, -3.4e38,
    5e-324, 1e-310, 1e-154, 1e154, 1.7e308, -1.7e308,
];

impl Bytes<'_> {
    /// Whether bytes are left.
    pub fn more(&self) -> bool {
        !self.0.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count
    }

    /// As many bytes as asked, at most eight.
    pub fn bits(&mut self, bytes: usize) -> u64 {
        (0..bytes).fold(0, |bits, _| bits << 8 | u64::from(self.byte()))
    }

    /// The usual number, one near it, a special one, one of any size, or any bits. A zero byte gives the usual number.
    pub fn number<T: Float>(&mut self, usual: f64) -> T {
        T::from_f64(match self.byte() % 8 {
            0..=2 => usual,
            3 => usual * (1.0 + f64::from(self.byte() as i8) / 1024.0),
            4 => SPECIAL[self.below(SPECIAL.len())],
            5 => 10_f64.powi(i32::from(self.byte() as i8) / 3).copysign(f64::from(self.byte() as i8)),
            6 if size_of::<T>() == 4 => f64::from(f32::from_bits(self.bits(4) as u32)),
            6 => f64::from_bits(self.bits(8)),
            _ => f64::from(self.bits(2) as i16) / 4096.0,
        })
    }

    /// The same for several numbers.
    pub fn numbers<T: Float, const N: usize>(&mut self, usual: [f64; N]) -> [T; N] {
        usual.map(|usual| self.number(usual))
    }
}

//! Hashes the bits of results: like 64-bit FNV-1a, but a word at a time, which takes a quarter of the instructions. Multiplying by an
//! odd number is invertible, so a single bit that differs changes the hash.

use nalgebra::SMatrix;

/// The hash of everything absorbed so far.
pub struct Hash(u64);

impl Hash {
    /// The hash of nothing.
    pub const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds a word.
    #[inline]
    pub fn word(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    /// Adds two words, the lower one first.
    #[inline]
    pub fn words(&mut self, words: u64) {
        self.word(words as u32);
        self.word((words >> 32) as u32);
    }

    /// The hash as a number.
    pub const fn value(&self) -> u64 {
        self.0
    }
}

impl Default for Hash {
    fn default() -> Self {
        Self::new()
    }
}

/// A result that can be hashed, bit by bit.
pub trait Absorb {
    /// Adds this result to the hash.
    fn absorb(&self, hash: &mut Hash);
}

impl Absorb for f32 {
    fn absorb(&self, hash: &mut Hash) {
        // The bits of a NaN differ between architectures.
        let bits = if self.is_nan() { 0x7fc0_0000 } else { self.to_bits() };
        hash.word(bits);
    }
}

impl Absorb for f64 {
    fn absorb(&self, hash: &mut Hash) {
        let bits = if self.is_nan() { 0x7ff8_0000_0000_0000 } else { self.to_bits() };
        hash.words(bits);
    }
}

impl Absorb for bool {
    fn absorb(&self, hash: &mut Hash) {
        hash.word(u32::from(*self));
    }
}

impl Absorb for usize {
    fn absorb(&self, hash: &mut Hash) {
        // The width of a pointer differs between this computer and the targets.
        hash.words(*self as u64);
    }
}

impl<A: Absorb, B: Absorb> Absorb for (A, B) {
    fn absorb(&self, hash: &mut Hash) {
        self.0.absorb(hash);
        self.1.absorb(hash);
    }
}

impl<A: Absorb> Absorb for Option<A> {
    fn absorb(&self, hash: &mut Hash) {
        self.is_some().absorb(hash);
        if let Some(value) = self {
            value.absorb(hash);
        }
    }
}

impl<A: Absorb, E: Absorb> Absorb for Result<A, E> {
    fn absorb(&self, hash: &mut Hash) {
        self.is_ok().absorb(hash);
        match self {
            Ok(value) => value.absorb(hash),
            Err(error) => error.absorb(hash),
        }
    }
}

impl<A: Absorb, const N: usize> Absorb for [A; N] {
    fn absorb(&self, hash: &mut Hash) {
        for value in self {
            value.absorb(hash);
        }
    }
}

impl<A: Absorb, const R: usize, const C: usize> Absorb for SMatrix<A, R, C> {
    fn absorb(&self, hash: &mut Hash) {
        for value in self.iter() {
            value.absorb(hash);
        }
    }
}

//! The inputs of functions: special values first, then random ones. They are made by integer arithmetic and exact operations, so that
//! every machine has the same inputs.

/// A pseudo-random generator: xorshift64* (Vigna 2016), short and good enough for test inputs.
pub struct Generator(u64);

impl Generator {
    /// A generator with a seed.
    pub const fn new(seed: u64) -> Self {
        // Zero is the one state that it never leaves.
        Self(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// The next integer in `0..limit`.
    pub fn below(&mut self, limit: u32) -> u32 {
        // Scales the upper half, whose bits are better distributed, without a division.
        (((self.bits() >> 32) * u64::from(limit)) >> 32) as u32
    }
}

/// A type of inputs.
pub trait Draw: Copy {
    /// The special values, numbered from 0; `None` after the last.
    fn special(index: usize, generator: &mut Generator) -> Option<Self>;

    /// Any value: half of them random bits, the others in the usual ranges of equations.
    fn random(generator: &mut Generator) -> Self;

    /// A finite value of moderate size.
    fn moderate(generator: &mut Generator) -> Self;
}

/// Implements [`Draw`] for a floating-point type from its positive special values.
macro_rules! draw {
    ($float:ident, $bits:ident, $integer:ident, $integer_scale:expr, [$($special:expr),* $(,)?]) => {
        impl Draw for $float {
            fn special(index: usize, _: &mut Generator) -> Option<Self> {
                const POSITIVE: &[$float] = {
                    use core::$float::consts::*;
                    const ONE: $bits = (1.0 as $float).to_bits();
                    &[
                        0.0,
                        // The smallest subnormal number, a middling one, the largest, and the normal one after it.
                        $float::from_bits(1),
                        $float::from_bits($float::MIN_POSITIVE.to_bits() / 3),
                        $float::from_bits($float::MIN_POSITIVE.to_bits() - 1),
                        $float::MIN_POSITIVE,
                        $float::EPSILON,
                        $float::from_bits(ONE - 1),
                        1.0,
                        $float::from_bits(ONE + 1),
                        0.5, 1.5, 2.0, 3.0, 10.0, 1000.0,
                        FRAC_PI_8, FRAC_PI_4, FRAC_PI_2, 3.0 * FRAC_PI_4, PI, 5.0 * FRAC_PI_4, 3.0 * FRAC_PI_2,
                        7.0 * FRAC_PI_4, TAU, 9.0 * FRAC_PI_4, 100.0 * PI, 1001.0 * FRAC_PI_4,
                        $float::from_bits(FRAC_PI_4.to_bits() - 1),
                        $float::from_bits(FRAC_PI_4.to_bits() + 1),
                        $float::from_bits(FRAC_PI_2.to_bits() - 1),
                        $float::from_bits(FRAC_PI_2.to_bits() + 1),
                        $float::from_bits(PI.to_bits() + 1),
                        SQRT_2, FRAC_1_SQRT_2, E, LN_2,
                        $float::from_bits($float::MAX.to_bits() - 1),
                        $float::MAX,
                        $float::INFINITY,
                        $float::NAN,
                        $($special),*
                    ]
                };
                let value = *POSITIVE.get(index / 2)?;
                Some(if index % 2 == 0 { value } else { -value })
            }

            fn random(generator: &mut Generator) -> Self {
                let choice = generator.below(4);
                let random = generator.bits();
                match choice {
                    0 | 1 => $float::from_bits((random >> (64 - $bits::BITS)) as $bits),
                    2 => (random as $integer) as $float * (8.0 * ($integer_scale)),
                    _ => (random as $integer) as $float * (1024.0 * ($integer_scale)),
                }
            }

            fn moderate(generator: &mut Generator) -> Self {
                (generator.bits() as $integer) as $float * ($integer_scale)
            }
        }
    };
}

// The integers of the generator are scaled to -1 ..= 1. The special values of each type are those where exp overflows, becomes
// subnormal and becomes zero, where integers are no longer exact, and where the reduction of large angles changes its method.
draw!(
    f32,
    u32,
    i32,
    1.0 / (1_u32 << 31) as f32,
    [
        88.0,
        88.722_83,
        88.722_84,
        87.336_54,
        103.972_08,
        103.972_09,
        16_777_216.0,
        2.147_483_6e9,
        1e10,
        1e-5,
        39_475.0,
        4_294_967_296.0,
        1e30,
        1e-30,
    ]
);
draw!(
    f64,
    u64,
    i64,
    1.0 / (1_u64 << 63) as f64,
    [
        709.0,
        709.782_712_893_384,
        709.782_712_893_385,
        708.396_418_532_264_1,
        745.133_219_101_941_1,
        9.007_199_254_740_992e15,
        9.223_372_036_854_776e18,
        1e22,
        1e-9,
        1_647_099.0,
        4_294_967_296.0,
        1e300,
        1e-300,
        16_777_216.0,
    ]
);

/// Every special value, then `random` random ones.
pub fn inputs<S: Draw>(random: usize) -> impl Iterator<Item = S> {
    let mut generator = Generator::new(random as u64);
    let mut index = 0;
    let mut left_over = random;
    core::iter::from_fn(move || {
        let special = S::special(index, &mut generator);
        index += 1;
        if special.is_some() {
            return special;
        }
        left_over = left_over.checked_sub(1)?;
        Some(S::random(&mut generator))
    })
}

/// Each special value paired with every third special value, then `random` random pairs.
pub fn pairs<S: Draw, T: Draw>(random: usize) -> impl Iterator<Item = (S, T)> {
    let mut generator = Generator::new(random as u64 + 1);
    let (mut first, mut second) = (0, 0);
    let mut left_over = random;
    core::iter::from_fn(move || {
        while let Some(left) = S::special(first, &mut generator) {
            if let Some(right) = T::special(second, &mut generator) {
                second += 3;
                return Some((left, right));
            }
            first += 1;
            second = first % 3;
        }
        left_over = left_over.checked_sub(1)?;
        Some((S::random(&mut generator), T::random(&mut generator)))
    })
}

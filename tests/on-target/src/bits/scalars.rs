//! Inputs and results of the composed scalars.

use taut::scalar::{DoubleFloat, Dual, Float, Jet};

use super::hash::{Absorb, Hash};
use super::inputs::{Draw, Generator};

impl<T: Draw + Float, const N: usize> Draw for Dual<T, N> {
    fn special(index: usize, generator: &mut Generator) -> Option<Self> {
        let value = T::special(index, generator)?;
        Some(Self::new(value, core::array::from_fn(|_| T::moderate(generator))))
    }

    fn random(generator: &mut Generator) -> Self {
        Self::new(T::random(generator), core::array::from_fn(|_| T::random(generator)))
    }

    fn moderate(generator: &mut Generator) -> Self {
        Self::new(T::moderate(generator), core::array::from_fn(|_| T::moderate(generator)))
    }
}

impl<T: Absorb, const N: usize> Absorb for Dual<T, N> {
    fn absorb(&self, hash: &mut Hash) {
        self.value.absorb(hash);
        self.partials.absorb(hash);
    }
}

impl<T: Draw + Float> Draw for Jet<T> {
    fn special(index: usize, generator: &mut Generator) -> Option<Self> {
        let value = T::special(index, generator)?;
        Some(Self::new(value, T::moderate(generator), T::moderate(generator)))
    }

    fn random(generator: &mut Generator) -> Self {
        Self::new(T::random(generator), T::random(generator), T::random(generator))
    }

    fn moderate(generator: &mut Generator) -> Self {
        Self::new(T::moderate(generator), T::moderate(generator), T::moderate(generator))
    }
}

impl<T: Absorb> Absorb for Jet<T> {
    fn absorb(&self, hash: &mut Hash) {
        self.value.absorb(hash);
        self.first.absorb(hash);
        self.second.absorb(hash);
    }
}

impl<T: Draw + Float> Draw for DoubleFloat<T> {
    fn special(index: usize, generator: &mut Generator) -> Option<Self> {
        let high = T::special(index, generator)?;
        // Half of them have a low part of zero, like a converted plain number.
        Some(if generator.below(2) == 0 { Self::from(high) } else { with_low_part(high, generator) })
    }

    fn random(generator: &mut Generator) -> Self {
        let high = T::random(generator);
        with_low_part(high, generator)
    }

    fn moderate(generator: &mut Generator) -> Self {
        let high = T::moderate(generator);
        with_low_part(high, generator)
    }
}

/// A number with a random low part, at most half a unit in the last place of the high one.
fn with_low_part<T: Draw + Float>(high: T, generator: &mut Generator) -> DoubleFloat<T> {
    let low = high * T::EPSILON * T::moderate(generator) * T::from_f64(0.5);
    DoubleFloat::from_sum(high, low)
}

impl<T: Absorb + Float> Absorb for DoubleFloat<T> {
    fn absorb(&self, hash: &mut Hash) {
        self.high().absorb(hash);
        self.low().absorb(hash);
    }
}

impl Draw for i32 {
    fn special(index: usize, _: &mut Generator) -> Option<Self> {
        [0, 1, -1, 2, -2, 3, -3, 7, 100, -100, i32::MAX, i32::MIN].get(index).copied()
    }

    fn random(generator: &mut Generator) -> Self {
        let bits = generator.bits();
        if bits & 1 == 0 { (bits >> 32) as i32 } else { Self::moderate(generator) }
    }

    fn moderate(generator: &mut Generator) -> Self {
        generator.below(41) as i32 - 20
    }
}

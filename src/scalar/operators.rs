//! The operators of a composite scalar, written once.
//!
//! A dual, a jet or a double-float defines what it means to add, subtract, multiply and divide (`plus`, `minus`,
//! `times`, `over`, and the same with `_base` for a base scalar on the right); this macro turns that into the operator
//! traits that [`Real`](super::Real) asks for.

macro_rules! operators {
    ([$($generics:tt)*] $scalar:ty, $base:ty) => {
        super::operators::operators!(@pair [$($generics)*] $scalar, $base, Add, add, AddAssign, add_assign, plus, plus_base);
        super::operators::operators!(@pair [$($generics)*] $scalar, $base, Sub, sub, SubAssign, sub_assign, minus, minus_base);
        super::operators::operators!(@pair [$($generics)*] $scalar, $base, Mul, mul, MulAssign, mul_assign, times, times_base);
        super::operators::operators!(@pair [$($generics)*] $scalar, $base, Div, div, DivAssign, div_assign, over, over_base);

        impl<$($generics)*> core::ops::Neg for $scalar {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                self.negative()
            }
        }

        impl<$($generics)*> From<$base> for $scalar {
            #[inline]
            fn from(number: $base) -> Self {
                Self::from_base(number)
            }
        }

        impl<$($generics)*> num_traits::Zero for $scalar {
            #[inline]
            fn zero() -> Self {
                Self::from_base(num_traits::Zero::zero())
            }
            /// Zero in every part.
            #[inline]
            fn is_zero(&self) -> bool {
                self.all_zero()
            }
        }

        impl<$($generics)*> num_traits::One for $scalar {
            #[inline]
            fn one() -> Self {
                Self::from_base(num_traits::One::one())
            }
        }
    };
    (@pair [$($generics:tt)*] $scalar:ty, $base:ty, $Op:ident, $op:ident, $OpAssign:ident, $op_assign:ident, $with_self:ident, $with_base:ident) => {
        impl<$($generics)*> core::ops::$Op for $scalar {
            type Output = Self;
            #[inline]
            fn $op(self, other: Self) -> Self {
                self.$with_self(other)
            }
        }

        impl<$($generics)*> core::ops::$Op<$base> for $scalar {
            type Output = Self;
            #[inline]
            fn $op(self, number: $base) -> Self {
                self.$with_base(number)
            }
        }

        impl<$($generics)*> core::ops::$OpAssign for $scalar {
            #[inline]
            fn $op_assign(&mut self, other: Self) {
                *self = self.$with_self(other);
            }
        }
    };
}

pub(super) use operators;

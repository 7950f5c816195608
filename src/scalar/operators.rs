//! The operators of a composite scalar, written once.
//!
//! A dual, a jet or a double-float gives a table of formulas: the four operations of two numbers of its kind (`a`, `b`), the same with a
//! base scalar (`n`) on the right, the conversion from a base scalar, and the key of comparisons. This macro implements the operator
//! traits that [`Real`](super::Real) needs from the table.

macro_rules! operators {
    ([$($generics:tt)*] $scalar:ty, $base:ty, |$a:ident, $b:ident, $n:ident| {
        a + b => $plus:expr,
        a - b => $minus:expr,
        a * b => $times:expr,
        a / b => $over:expr,
        a + n => $plus_base:expr,
        a - n => $minus_base:expr,
        a * n => $times_base:expr,
        a / n => $over_base:expr,
        -a => $negative:expr,
        from n => $from:expr,
        a is zero => $is_zero:expr,
        compare => $key:expr,
    }) => {
        super::operators::operators!(@pair [$($generics)*] $scalar, $base, Add, add, AddAssign, add_assign, $a, $b, $plus, $n, $plus_base);
        super::operators::operators!(@pair [$($generics)*] $scalar, $base, Sub, sub, SubAssign, sub_assign, $a, $b, $minus, $n, $minus_base);
        super::operators::operators!(@pair [$($generics)*] $scalar, $base, Mul, mul, MulAssign, mul_assign, $a, $b, $times, $n, $times_base);
        super::operators::operators!(@pair [$($generics)*] $scalar, $base, Div, div, DivAssign, div_assign, $a, $b, $over, $n, $over_base);

        impl<$($generics)*> core::ops::Neg for $scalar {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                let $a = self;
                $negative
            }
        }

        impl<$($generics)*> From<$base> for $scalar {
            #[inline]
            fn from($n: $base) -> Self {
                $from
            }
        }

        impl<$($generics)*> num_traits::Zero for $scalar {
            #[inline]
            fn zero() -> Self {
                Self::from(<$base as num_traits::Zero>::zero())
            }
            /// Zero in every part.
            #[inline]
            fn is_zero(&self) -> bool {
                let $a = self;
                $is_zero
            }
        }

        impl<$($generics)*> num_traits::One for $scalar {
            #[inline]
            fn one() -> Self {
                Self::from(<$base as num_traits::One>::one())
            }
        }

        impl<$($generics)*> PartialEq for $scalar {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                let key = |$a: &Self| $key;
                key(self) == key(other)
            }
        }

        impl<$($generics)*> PartialOrd for $scalar {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
                let key = |$a: &Self| $key;
                key(self).partial_cmp(&key(other))
            }
        }
    };
    (@pair [$($generics:tt)*] $scalar:ty, $base:ty, $Op:ident, $op:ident, $OpAssign:ident, $op_assign:ident, $a:ident, $b:ident, $with_self:expr, $n:ident, $with_base:expr) => {
        // Clippy expects only `*` in a product and only `/` in a quotient. These formulas also need sums and products.
        #[allow(clippy::suspicious_arithmetic_impl)]
        impl<$($generics)*> core::ops::$Op for $scalar {
            type Output = Self;
            #[inline]
            fn $op(self, $b: Self) -> Self {
                let $a = self;
                $with_self
            }
        }

        #[allow(clippy::suspicious_arithmetic_impl)]
        impl<$($generics)*> core::ops::$Op<$base> for $scalar {
            type Output = Self;
            #[inline]
            fn $op(self, $n: $base) -> Self {
                let $a = self;
                $with_base
            }
        }

        #[allow(clippy::suspicious_op_assign_impl)]
        impl<$($generics)*> core::ops::$OpAssign for $scalar {
            #[inline]
            fn $op_assign(&mut self, $b: Self) {
                let $a = *self;
                *self = $with_self;
            }
        }
    };
}

pub(super) use operators;

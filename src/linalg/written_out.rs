//! Loops over the entries of small matrices, written out by the compiler's front end.
//!
//! A loop that waits to be unrolled by the optimiser stays a loop at opt-level "s" and costs up to ten times as much. Written out, every
//! index is a constant, every entry that a pattern knows to be zero is left out, and no bound has to be checked.

/// How many times a loop is written out at most.
pub(crate) const MAX_WRITTEN_OUT: usize = 16;

/// Writes a block once for each constant `I` below [`MAX_WRITTEN_OUT`] for which the condition holds. The condition may use `I` and the
/// generic parameters of the function; it is decided at compile time. It must not index out of bounds for any `I`.
///
/// With `if` in place of `where`, the optimiser decides the condition. Within functions that are written out themselves, that compiles
/// faster: every constant condition of every copy is evaluated, even where the copy is not used.
///
/// Do not nest it: 16 × 16 blocks take long to compile. Call a function with the constant as a parameter instead.
macro_rules! written_out {
    ($index:ident where $condition:expr => $body:block) => {
        $crate::linalg::written_out::written_out!(@ $index $condition, $body,
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    ($index:ident if $condition:expr => $body:block) => {
        $crate::linalg::written_out::written_out!(@if $index $condition, $body,
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@if $index:ident $condition:expr, $body:block, $($n:literal)*) => {
        $({
            const $index: usize = $n;
            if $condition $body
        })*
    };
    (down $index:ident where $condition:expr => $body:block) => {
        $crate::linalg::written_out::written_out!(@ $index $condition, $body,
            15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0)
    };
    (@ $index:ident $condition:expr, $body:block, $($n:literal)*) => {
        $({
            const $index: usize = $n;
            if const { $condition } $body
        })*
    };
}

pub(crate) use written_out;

/// Writes a block once for each index below a constant; beyond [`MAX_WRITTEN_OUT`] as a loop.
macro_rules! for_each {
    ($index:ident < $count:expr => $body:block) => {
        if const { $count <= $crate::linalg::written_out::MAX_WRITTEN_OUT } {
            $crate::linalg::written_out::written_out!($index where $index < $count => $body);
        } else {
            #[allow(non_snake_case)]
            for $index in 0..$count $body
        }
    };
}

pub(crate) use for_each;

/// Adds a product to a sum that begins with its first product rather than with zero.
#[inline(always)]
pub(crate) fn add<T: core::ops::Add<Output = T>>(sum: Option<T>, term: T) -> Option<T> {
    Some(match sum {
        Some(sum) => sum + term,
        None => term,
    })
}

/// Whether an entry is within a pattern and not zero there.
#[inline(always)]
pub(crate) const fn counts<const R: usize, const C: usize>(
    pattern: &[[bool; C]; R],
    row: usize,
    column: usize,
) -> bool {
    row < R && column < C && pattern[row][column]
}

/// The same for an entry below the diagonal.
#[inline(always)]
pub(crate) const fn counts_below<const N: usize>(pattern: &[[bool; N]; N], row: usize, column: usize) -> bool {
    column < row && counts(pattern, row, column)
}

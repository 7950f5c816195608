//! What each element of a serial mechanism hangs from.

/// The element that each element of a [`Serial`](super::Serial) mechanism hangs from: one with a smaller number, or `None` for the ground.
///
/// ```
/// use taut::system::Parents;
///
/// // Two arms on a common stem, and a pendulum beside it.
/// const PARENTS: Parents<4> = Parents::of([None, Some(0), Some(0), None]);
/// assert_eq!(PARENTS.before(2), Some(0));
/// assert!(!PARENTS.is_row() && Parents::<4>::row().is_row());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parents<const N: usize> {
    before: [Option<usize>; N],
}

impl<const N: usize> Parents<N> {
    /// Each element hangs from the one before it, the first from the ground.
    pub const fn row() -> Self {
        let (mut before, mut i) = ([None; N], 1);
        while i < N {
            before[i] = Some(i - 1);
            i += 1;
        }
        Self { before }
    }

    /// From a table.
    ///
    /// # Panics
    /// If an element hangs from itself or from one with a larger number. In a constant that is an error of the compiler.
    pub const fn of(before: [Option<usize>; N]) -> Self {
        let mut i = 0;
        while i < N {
            if let Some(parent) = before[i] {
                assert!(parent < i, "an element hangs from one with a smaller number");
            }
            i += 1;
        }
        Self { before }
    }

    /// The element that an element hangs from; `None` for the ground, or if there is no such element.
    #[inline(always)]
    pub const fn before(&self, element: usize) -> Option<usize> {
        if element < N { self.before[element] } else { None }
    }

    /// Whether it does not branch: each element hangs from the one before it.
    pub const fn is_row(&self) -> bool {
        let mut i = 0;
        while i < N {
            match self.before[i] {
                None if i == 0 => {}
                Some(parent) if parent + 1 == i => {}
                _ => return false,
            }
            i += 1;
        }
        true
    }
}

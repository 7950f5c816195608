//! A place in memory that is filled once.

use core::cell::{Cell, UnsafeCell};
use core::mem::MaybeUninit;

use critical_section::Mutex;

/// A static place that can be filled once. The caller that fills it gets the only reference.
pub struct Once<T> {
    filled: Mutex<Cell<bool>>,
    place: UnsafeCell<MaybeUninit<T>>,
}

// SAFETY: only the caller that fills it has a reference to its content.
unsafe impl<T: Send> Sync for Once<T> {}

impl<T> Once<T> {
    /// An empty place.
    #[expect(clippy::new_without_default, reason = "it is static")]
    pub const fn new() -> Self {
        Self { filled: Mutex::new(Cell::new(false)), place: UnsafeCell::new(MaybeUninit::uninit()) }
    }

    /// Fills it; `None` if it is filled already.
    #[expect(clippy::mut_from_ref, reason = "only the first caller gets it")]
    pub fn fill(&'static self, with: T) -> Option<&'static mut T> {
        let first = critical_section::with(|token| !self.filled.borrow(token).replace(true));
        // SAFETY: only the first caller gets here.
        first.then(|| unsafe { &mut *self.place.get() }.write(with))
    }
}

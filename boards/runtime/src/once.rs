//! A place in memory that is filled once.

use core::cell::{Cell, UnsafeCell};
use core::mem::MaybeUninit;

use critical_section::Mutex;

/// A static place: what it is filled with stays there, and its only owner may change it.
pub struct Once<T> {
    filled: Mutex<Cell<bool>>,
    place: UnsafeCell<MaybeUninit<T>>,
}

// SAFETY: whoever fills it is the only one who has a reference to what is in it.
unsafe impl<T: Send> Sync for Once<T> {}

impl<T> Once<T> {
    /// An empty place.
    pub const fn new() -> Self {
        Self { filled: Mutex::new(Cell::new(false)), place: UnsafeCell::new(MaybeUninit::uninit()) }
    }

    /// Fills it; `None` if it is filled already.
    #[expect(clippy::mut_from_ref, reason = "only the first caller gets it")]
    pub fn fill(&'static self, with: T) -> Option<&'static mut T> {
        let first = critical_section::with(|token| !self.filled.borrow(token).replace(true));
        // SAFETY: only the first caller comes here.
        first.then(|| unsafe { &mut *self.place.get() }.write(with))
    }
}

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self::new()
    }
}

//! From the main program to the interrupt that needs it.

use core::cell::Cell;

use critical_section::Mutex;

/// A place where the main program leaves something that an interrupt works with. While the interrupt does, the place is empty, so
/// that nothing else can reach it.
pub struct Handover<T: 'static>(Mutex<Cell<Option<&'static mut T>>>);

impl<T> Handover<T> {
    /// An empty place.
    pub const fn new() -> Self {
        Self(Mutex::new(Cell::new(None)))
    }

    /// Leaves it there.
    pub fn give(&self, it: &'static mut T) {
        critical_section::with(|token| self.0.borrow(token).set(Some(it)));
    }

    /// Leaves something of which the compiler knows nothing, so that a program proved free of panics has every path through the
    /// interrupt linked in, and none of what starts it.
    ///
    /// # Safety
    /// For a program that is linked and never run.
    pub unsafe fn give_unknown(&self) {
        // SAFETY: never run, says the caller.
        self.give(unsafe { &mut *core::hint::black_box(core::ptr::dangling_mut()) });
    }

    /// Works with it, if it is there, and leaves it there again.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> Option<R> {
        let it = critical_section::with(|token| self.0.borrow(token).take())?;
        #[cfg(feature = "panics")]
        assert!(core::hint::black_box(true));
        let result = work(it);
        self.give(it);
        Some(result)
    }
}

impl<T> Default for Handover<T> {
    fn default() -> Self {
        Self::new()
    }
}

//! Hands data from the main program to an interrupt.

use core::cell::Cell;

use critical_section::Mutex;

/// A place where the main program leaves data for an interrupt. While the interrupt uses the data, the place is empty, so that nothing
/// else can reach it.
pub struct Handover<T: 'static>(Mutex<Cell<Option<&'static mut T>>>);

impl<T> Handover<T> {
    /// An empty place.
    pub const fn new() -> Self {
        Self(Mutex::new(Cell::new(None)))
    }

    /// Leaves the data.
    pub fn give(&self, it: &'static mut T) {
        critical_section::with(|token| self.0.borrow(token).set(Some(it)));
    }

    /// Leaves data that is unknown to the compiler. In a program that is linked to prove that it cannot panic, this links every path
    /// through the interrupt, but not the setup.
    ///
    /// # Safety
    /// The program must never be run.
    #[cfg(feature = "no-panic")]
    pub unsafe fn give_unknown(&self) {
        // SAFETY: the caller promises that the program is never run.
        self.give(unsafe { &mut *core::hint::black_box(core::ptr::dangling_mut()) });
    }

    /// Takes the data, if present, calls `work` with it and leaves it again.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> Option<R> {
        let it = critical_section::with(|token| self.0.borrow(token).take())?;
        #[cfg(feature = "panics")]
        assert!(core::hint::black_box(true));
        let result = work(it);
        self.give(it);
        Some(result)
    }
}

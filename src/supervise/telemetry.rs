//! Sends records out of the loop.

use heapless::spsc::Producer;

/// The loop's end of a queue; the other end is read outside of the loop.
///
/// The queue is a `heapless::spsc::Queue`: one producer and one consumer without a lock, for example an interrupt and the main program.
/// If the queue is full, the record is dropped and counted; the loop never waits. The queue needs only atomic loads and stores of a
/// word, which every target has.
///
/// ```
/// use heapless::spsc::Queue;
/// use taut::supervise::Telemetry;
///
/// let mut queue = Queue::<u32, 4>::new(); // room for three
/// let (producer, mut consumer) = queue.split();
/// let mut telemetry = Telemetry::new(producer);
/// for record in 0..5 {
///     telemetry.log(record);
/// }
/// assert_eq!(consumer.dequeue(), Some(0));
/// assert_eq!(telemetry.dropped(), 2);
/// ```
pub struct Telemetry<'queue, R> {
    producer: Producer<'queue, R>,
    dropped: u32,
}

impl<'queue, R> Telemetry<'queue, R> {
    /// Sends through this queue.
    pub fn new(producer: Producer<'queue, R>) -> Self {
        Self { producer, dropped: 0 }
    }

    /// Puts a record into the queue, or drops it.
    pub fn log(&mut self, record: R) {
        // The capacity is the number of slots less one, so `usize::MAX` means no slot. With this check the compiler removes a division
        // by zero.
        if self.producer.capacity() == usize::MAX || self.producer.enqueue(record).is_err() {
            self.dropped = self.dropped.saturating_add(1);
        }
    }

    /// How many records have been dropped.
    pub fn dropped(&self) -> u32 {
        self.dropped
    }
}

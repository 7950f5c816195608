//! Records on their way out of the loop.

use heapless::spsc::Producer;

/// The loop's end of a queue, whose other end is emptied outside of the loop.
///
/// The queue is a `heapless::spsc::Queue`: one producer and one consumer, which may be an interrupt and the main program, without a
/// lock. A record that finds the queue full is dropped and counted; the loop never waits. It takes loads and stores of a word that
/// are atomic, which every target has, and nothing else.
///
/// ```
/// use heapless::spsc::Queue;
/// use taut::control::supervisor::Telemetry;
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
    /// Through this queue.
    pub fn new(producer: Producer<'queue, R>) -> Self {
        Self { producer, dropped: 0 }
    }

    /// Puts a record into the queue, or drops it.
    pub fn log(&mut self, record: R) {
        // A queue has a place at least, or its capacity, one less, would be this; said here, that leaves no division by zero in it.
        if self.producer.capacity() == usize::MAX || self.producer.enqueue(record).is_err() {
            self.dropped = self.dropped.saturating_add(1);
        }
    }

    /// How many records have been dropped.
    pub fn dropped(&self) -> u32 {
        self.dropped
    }
}

//! A firmware: the interrupt runs the loop, the main program writes the queue to the log and sleeps.

use heapless::spsc::{Consumer, Queue};
use taut::supervise::{Telemetry, Timing, Watchdog};

use crate::beat::Beat;
use crate::handover::Handover;
use crate::once::Once;
use crate::platform;
use crate::program::{Program, Sample};
use crate::run::Run;
use crate::session::Session;
use crate::signals::Signals;

/// After this many releases without being fed, a watchdog would have reset the board.
const STARVED: u32 = 25;

/// The parts that a board supplies.
pub struct Setup<B, P, W> {
    /// The timer that releases the ticks.
    pub beat: B,
    /// The program that runs in each tick.
    pub program: P,
    /// The watchdog; `()` for a board without one.
    pub watchdog: W,
    /// The length of the run.
    pub run: Run,
}

/// The data of the interrupt.
struct Control<B, P: Program, W> {
    beat: B,
    session: Session<P, W>,
}

/// A program in static memory, with a queue of `QUEUE` − 1 samples for the log.
pub struct Firmware<B: 'static, P: Program + 'static, W: 'static, const QUEUE: usize> {
    queue: Once<Queue<P::Sample, QUEUE>>,
    control: Once<Control<B, P, W>>,
    handover: Handover<Control<B, P, W>>,
    signals: Signals,
}

impl<B: Beat, P: Program + 'static, W: Watchdog + 'static, const QUEUE: usize> Firmware<B, P, W, QUEUE> {
    /// A firmware that does not run yet.
    #[expect(clippy::new_without_default, reason = "there is one of it, static")]
    pub const fn new() -> Self {
        Self { queue: Once::new(), control: Once::new(), handover: Handover::new(), signals: Signals::new() }
    }

    /// Runs a tick. Call it in the interrupt of the beat.
    pub fn tick(&'static self) {
        self.handover.with(|Control { beat, session }| {
            if let Some(clock) = beat.due() {
                session.tick(clock);
                beat.next();
            }
        });
    }

    /// Sets up and runs the program to its end. `switch_off` gives the motors their safe output when the program ends, fails, panics or
    /// [crashes](crate::crash): it writes the registers of their pins directly, and must not panic.
    #[cfg(not(feature = "no-panic"))]
    pub fn run(&'static self, switch_off: fn(), set_up: impl FnOnce() -> Result<Setup<B, P, W>, &'static str>) -> ! {
        crate::crash::register(switch_off);
        platform::end(set_up().and_then(|setup| self.ran(setup)))
    }

    /// Gives the interrupt data that is unknown to the compiler, so that every path through the loop is linked, but not the setup.
    #[cfg(feature = "no-panic")]
    pub fn run(&'static self, switch_off: fn(), _set_up: impl FnOnce() -> Result<Setup<B, P, W>, &'static str>) -> ! {
        crate::crash::register(switch_off);
        // SAFETY: this feature is for firmware that is linked and never run.
        unsafe { self.handover.give_unknown() };
        loop {}
    }

    /// Runs to the end, and fails if the run did not go as intended.
    #[cfg_attr(feature = "no-panic", allow(dead_code))]
    fn ran(&'static self, Setup { beat, program, watchdog, run }: Setup<B, P, W>) -> Result<(), &'static str> {
        let (producer, samples) = self.queue.fill(Queue::new()).ok_or("the queue is taken")?.split();
        let counts = beat.counts();
        let session = Session::new(program, run, counts.1, watchdog, Telemetry::new(producer), &self.signals);
        self.handover.give(self.control.fill(Control { beat, session }).ok_or("the program is taken")?);
        B::unmask();
        let starved = self.log_all(samples, counts.0.checked_div(counts.1).unwrap_or(0));
        B::mask();
        let concluded = self.handover.with(|Control { session, .. }| {
            session.conclude();
            self.log_timing(session.timing(), session.dropped(), counts);
        });
        match (concluded, starved, run.hangs()) {
            (None, ..) => Err("the interrupt has not returned"),
            (_, false, true) => Err("the loop hangs, and the watchdog has not noticed"),
            (_, true, false) => Err("the watchdog has not been fed"),
            _ => Ok(()),
        }
    }

    /// Logs the samples of the queue until the run is over. Returns `true` if it ended because the watchdog was not fed for so long that it
    /// would have reset a board.
    fn log_all(&self, mut samples: Consumer<'static, P::Sample>, rate: u32) -> bool {
        loop {
            while let Some(sample) = samples.dequeue() {
                sample.log(rate);
            }
            let starved = self.signals.hungry() > STARVED;
            if starved || self.signals.over() {
                return starved && !self.signals.over();
            }
            // In a critical section: otherwise the program could sleep through a tick that comes between the check and the sleep.
            critical_section::with(|_| {
                if !samples.ready() && !self.signals.over() {
                    platform::sleep();
                }
            });
        }
    }

    /// Logs the timing of the run. Lateness and execution time are counts of the board's clock.
    fn log_timing(&self, timing: &Timing, dropped: u32, (frequency, period): (u32, u32)) {
        defmt::info!(
            "timing frequency={=u32} period={=u32} worst_lateness={=u32} worst_execution={=u32} skipped={=u32} \
             overruns={=u32} dropped={=u32} fed={=u32} hungry={=u32} stack={=u32}",
            frequency,
            period,
            timing.worst_lateness,
            timing.worst_execution,
            timing.skipped,
            timing.overruns,
            dropped,
            self.signals.fed(),
            self.signals.hungry(),
            self.signals.stack()
        );
    }
}

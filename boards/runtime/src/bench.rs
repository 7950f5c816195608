//! The five-bar linkage on real axes, as the interrupt has it, and what the main program shows of it.

use embedded_hal::digital::InputPin;
pub use embedded_hal::digital::PinState;
use heapless::spsc::Consumer;
use loops::five_bar;
use taut::control::Machine;
use taut::control::supervisor::{Clock, Record, Request, State, Telemetry, Watchdog};

/// Ten records in a second are sent.
const EVERY: u64 = five_bar::RATE as u64 / 10;

/// A loop, the axes that it is wired to, and a button that asks it to go on: to home and run, to hold, or to forget a fault.
pub struct Bench<Axes, Button, Dog> {
    control: five_bar::Control,
    axes: Axes,
    button: Button,
    pressed_at: PinState,
    pressed: bool,
    watchdog: Dog,
    telemetry: Telemetry<'static, Record<f32, 2, 2>>,
}

impl<Axes: Machine<f32, 2, 2>, Button: InputPin, Dog: Watchdog> Bench<Axes, Button, Dog> {
    /// An idle loop with its motors off. The button's pin has the given state when it is pressed.
    pub fn new(
        control: five_bar::Control,
        axes: Axes,
        (button, pressed_at): (Button, PinState),
        watchdog: Dog,
        telemetry: Telemetry<'static, Record<f32, 2, 2>>,
    ) -> Self {
        Self { control, axes, button, pressed_at, pressed: true, watchdog, telemetry }
    }

    /// A release of the board's beat.
    pub fn tick(&mut self, clock: &mut impl Clock) {
        // A button that fails is not pressed.
        let pressed = self.button.is_high().is_ok_and(|is_high| PinState::from(is_high) == self.pressed_at);
        if pressed && !self.pressed {
            self.go_on();
        }
        self.pressed = pressed;
        let report = self.control.tick(&mut self.axes, clock, &mut self.watchdog);
        if report.record.tick % EVERY == 0 {
            self.telemetry.log(report.record);
        }
    }

    fn go_on(&mut self) {
        let request = match self.control.state() {
            State::Idle | State::Hold => Request::Run,
            State::Homing | State::Running => Request::Hold,
            State::Fault => Request::Reset,
        };
        // Every state allows what is asked of it here.
        let _ = self.control.request(request);
    }
}

/// Shows what comes out of the queue for ever. `sleep` waits for an interrupt; the next one comes with the next tick.
pub fn show_all(mut records: Consumer<'static, Record<f32, 2, 2>>, sleep: impl Fn()) -> ! {
    loop {
        while let Some(record) = records.dequeue() {
            defmt::info!("record {}", record);
        }
        sleep();
    }
}

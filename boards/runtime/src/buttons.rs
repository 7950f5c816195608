//! Buttons that debounce, and a stop contact that is read as a level.
//!
//! | operator | run | hold | reset | reference |
//! |---|---|---|---|---|
//! | [`Button`] | short press in idle or hold, when it is released | press in homing or running, at once | press of one second in fault | press of one second in idle |
//! | `(Button, Button)` | press of the first in idle or hold | press of the first in homing or running | press of the second in fault | press of the second in idle |
//!
//! A press makes one request at most, and only one that fits the state in which it began. So a press that resets a fault never starts the
//! loop, however much the contact bounces. [`Panel`] adds a stop contact.

use embedded_hal::digital::{InputPin, PinState};
use taut::supervise::{Request, State};

use crate::bench::Operator;

/// A level counts when it has lasted this long, in milliseconds. Contacts bounce for 1 to 10 ms.
const SETTLING: u32 = 20;
/// A press is long when it has lasted this long, in milliseconds.
const LONG: u32 = 1_000;

/// A button that debounces. Alone it is an [`Operator`], as the table of the module says.
pub struct Button<Pin> {
    pin: Pin,
    pressed_at: PinState,
    /// Ticks until a level counts, and until a press is long.
    settling: u32,
    long: u32,
    /// The level that counts.
    pressed: bool,
    /// For how many ticks the pin has had the other level.
    changing: u32,
    /// For how many ticks the button has been pressed.
    held: u32,
    /// The state of the loop when the present press began; `None` without a press, or if the press is ignored.
    began: Option<State>,
    /// Whether a press says that the machine stands at its reference.
    references: bool,
}

/// What a button does in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Press {
    /// It is pressed.
    Begins,
    /// It has been pressed for long.
    IsLong,
    /// It is released before that.
    EndsShort,
}

impl<Pin: InputPin> Button<Pin> {
    /// A button at a pin. `pressed_at` is the level of the pin when it is pressed, `rate` the ticks per second.
    pub fn new(pin: Pin, pressed_at: PinState, rate: u32) -> Self {
        let (settling, long) = (ticks(SETTLING, rate), ticks(LONG, rate));
        // A button that is pressed from the beginning does nothing until it is released.
        Self { pin, pressed_at, settling, long, pressed: true, changing: 0, held: long, began: None, references: false }
    }

    /// Samples the pin, once in a tick. Returns what happens, and in which state of the loop the press began.
    fn sample(&mut self, state: State) -> Option<(Press, State)> {
        // A pin that cannot be read has not changed.
        let level = self.pin.is_high().map_or(self.pressed, |is_high| PinState::from(is_high) == self.pressed_at);
        self.held = if self.pressed { self.held.saturating_add(1) } else { 0 };
        if level == self.pressed {
            self.changing = 0;
            let is_long = self.pressed && self.held == self.long;
            return Some(Press::IsLong).filter(|_| is_long).zip(self.began);
        }
        self.changing = self.changing.saturating_add(1);
        if level && self.changing == 1 {
            self.began = Some(state);
        }
        if self.changing < self.settling {
            return None;
        }
        (self.pressed, self.changing) = (level, 0);
        let press = match (level, self.held < self.long) {
            (true, _) => Press::Begins,
            (false, true) => Press::EndsShort,
            (false, false) => return None,
        };
        Some(press).zip(self.began)
    }
}

/// The ticks in a time of milliseconds: at least two.
fn ticks(milliseconds: u32, rate: u32) -> u32 {
    milliseconds.saturating_mul(rate).div_ceil(1_000).max(2)
}

impl<Pin: InputPin> Operator for Button<Pin> {
    fn asks(&mut self, state: State) -> Option<Request> {
        match (self.sample(state)?, state) {
            ((Press::Begins, _), State::Homing | State::Running) => Some(Request::Hold),
            ((Press::EndsShort, State::Idle | State::Hold), State::Idle | State::Hold) => Some(Request::Run),
            ((Press::IsLong, State::Fault), State::Fault) => Some(Request::Reset),
            ((Press::IsLong, State::Idle), State::Idle) => {
                self.references = true;
                None
            }
            _ => None,
        }
    }

    fn references(&mut self) -> bool {
        core::mem::take(&mut self.references)
    }
}

/// A button that runs and holds, and one that resets.
impl<Run: InputPin, Reset: InputPin> Operator for (Button<Run>, Button<Reset>) {
    fn asks(&mut self, state: State) -> Option<Request> {
        let (run, reset) = (self.0.sample(state), self.1.sample(state));
        self.1.references = state == State::Idle && reset == Some((Press::Begins, State::Idle));
        match (state, run, reset) {
            (State::Idle | State::Hold, Some((Press::Begins, State::Idle | State::Hold)), _) => Some(Request::Run),
            (State::Homing | State::Running, Some((Press::Begins, _)), _) => Some(Request::Hold),
            (State::Fault, _, Some((Press::Begins, State::Fault))) => Some(Request::Reset),
            _ => None,
        }
    }

    fn references(&mut self) -> bool {
        core::mem::take(&mut self.1.references)
    }
}

/// A stop contact that is closed in normal operation. It is read as a level in every tick: an open contact, a broken wire and a pin that
/// cannot be read stop the loop at once. The stop ends when the contact has been closed for 20 ms.
///
/// It is an input of the program, no emergency stop: that one must cut the power of the motors without a program.
pub struct StopContact<Pin> {
    pin: Pin,
    closed_at: PinState,
    settling: u32,
    /// For how many ticks the contact has been closed.
    closed: u32,
}

impl<Pin: InputPin> StopContact<Pin> {
    /// A contact at a pin. `closed_at` is the level of the pin while it is closed: low for a contact to ground with a pull-up at the pin,
    /// so that a broken wire is an open contact. `rate` is the ticks per second.
    pub fn new(pin: Pin, closed_at: PinState, rate: u32) -> Self {
        Self { pin, closed_at, settling: ticks(SETTLING, rate), closed: 0 }
    }

    fn stops(&mut self) -> bool {
        let closed = self.pin.is_high().is_ok_and(|is_high| PinState::from(is_high) == self.closed_at);
        self.closed = if closed { self.closed.saturating_add(1) } else { 0 };
        self.closed < self.settling
    }
}

/// Buttons and a stop contact.
pub struct Panel<Buttons, Pin> {
    buttons: Buttons,
    stop: StopContact<Pin>,
}

impl<Buttons: Operator, Pin: InputPin> Panel<Buttons, Pin> {
    /// From an operator and a stop contact.
    pub fn new(buttons: Buttons, stop: StopContact<Pin>) -> Self {
        Self { buttons, stop }
    }
}

impl<Buttons: Operator, Pin: InputPin> Operator for Panel<Buttons, Pin> {
    fn asks(&mut self, state: State) -> Option<Request> {
        self.buttons.asks(state)
    }

    fn stops(&mut self) -> bool {
        self.stop.stops() | self.buttons.stops()
    }

    fn references(&mut self) -> bool {
        self.buttons.references()
    }

    fn is_alive(&mut self) -> bool {
        self.buttons.is_alive()
    }
}

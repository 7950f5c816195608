//! What bouncing contacts, long presses and broken wires make a loop do. The pins are mocks that read the levels of a script.

use embedded_hal_mock::eh1::MockError;
use embedded_hal_mock::eh1::digital::{Mock, State as Level, Transaction};
use runtime::{Button, Operator, Panel, PinState, StopContact};
use taut::supervise::{Request, State};

/// Ticks a second, as many as milliseconds.
const RATE: u32 = 1_000;
/// Contacts in these tests: `'#'` is pressed or closed, `'.'` released or open, `'!'` a pin that cannot be read.
fn pin(levels: &str) -> Mock {
    let transactions = levels.chars().map(|level| match level {
        '#' => Transaction::get(Level::High),
        '.' => Transaction::get(Level::Low),
        _ => Transaction::get(Level::Low).with_error(MockError::Io(std::io::ErrorKind::NotConnected)),
    });
    // The mock's `is_high` compares with what it expects to read.
    Mock::new(&transactions.collect::<Vec<_>>())
}

fn script(parts: &[(&str, usize)]) -> String {
    parts.iter().map(|(levels, times)| levels.repeat(*times)).collect()
}

fn button(pin: &Mock) -> Button<Mock> {
    Button::new(pin.clone(), PinState::High, RATE)
}

/// Runs an operator on a loop that follows its table of states, for as many ticks as the script has. Returns the accepted requests with
/// their ticks, and the last state.
fn run(mut operator: impl Operator, ticks: usize, mut state: State) -> (Vec<(usize, Request)>, State) {
    let mut requests = Vec::new();
    for tick in 0..ticks {
        if let Some(request) = operator.asks(state) {
            state = state.after(request).unwrap_or_else(|| panic!("{request} in {state}"));
            requests.push((tick, request));
        }
    }
    (requests, state)
}

/// Runs one button.
fn press(levels: &str, state: State) -> (Vec<(usize, Request)>, State) {
    let mut pin = pin(levels);
    let result = run(button(&pin), levels.len(), state);
    pin.done();
    result
}

/// A contact that bounces for 12 ms when it closes and when it opens.
const BOUNCE: (&str, usize) = ("#..#.##.#.#.", 1);

/// A press of a length in ms with bounces, and time after it.
fn bouncing(length: usize) -> String {
    script(&[(".", 30), BOUNCE, ("#", length), BOUNCE, (".", 100)])
}

#[test]
fn a_bouncing_press_in_fault_never_starts_the_loop() {
    assert_eq!(press(&bouncing(100), State::Fault), (vec![], State::Fault));
    let (requests, state) = press(&bouncing(1_500), State::Fault);
    assert_eq!((requests.len(), requests[0].1, state), (1, Request::Reset, State::Idle));
    // Two buttons: one press, one reset.
    let (levels, idle) = (bouncing(300), ".".repeat(454));
    assert_eq!(levels.len(), idle.len());
    let mut pins = (pin(&idle), pin(&levels));
    let (requests, state) = run((button(&pins.0), button(&pins.1)), levels.len(), State::Fault);
    assert_eq!((requests.len(), requests[0].1, state), (1, Request::Reset, State::Idle));
    pins.0.done();
    pins.1.done();
}

/// Also if both buttons are hit at once, and the reset counts first: the press of the other began in the fault.
#[test]
fn both_buttons_at_once_reset_and_do_not_start() {
    let (run_levels, reset_levels) =
        (script(&[(".", 41), ("#", 200), (".", 59)]), script(&[(".", 40), ("#", 200), (".", 60)]));
    let mut pins = (pin(&run_levels), pin(&reset_levels));
    let (requests, state) = run((button(&pins.0), button(&pins.1)), 300, State::Fault);
    assert_eq!((requests, state), (vec![(59, Request::Reset)], State::Idle));
    pins.0.done();
    pins.1.done();
}

/// A level counts in the twentieth tick in which it is the same. A press that holds, short or long, does not run when it ends.
#[test]
fn a_press_runs_once_and_the_next_one_holds_at_once() {
    for length in [100, 2_000] {
        let levels = script(&[(".", 30), ("#", 100), (".", 100), ("#", length), (".", 100)]);
        assert_eq!(press(&levels, State::Idle), (vec![(149, Request::Run), (249, Request::Hold)], State::Hold));
        let mut pins = (pin(&levels), pin(&".".repeat(levels.len())));
        let (requests, state) = run((button(&pins.0), button(&pins.1)), levels.len(), State::Idle);
        assert_eq!((requests, state), (vec![(49, Request::Run), (249, Request::Hold)], State::Hold));
        pins.0.done();
        pins.1.done();
    }
}

#[test]
fn a_contact_that_only_bounces_does_nothing() {
    let levels = script(&[(".", 30), ("#.##..###.", 200), (".", 30)]);
    for state in State::ALL {
        assert_eq!(press(&levels, state), (vec![], state));
    }
}

#[test]
fn a_long_press_outside_of_the_fault_does_nothing() {
    assert_eq!(press(&bouncing(1_500), State::Idle), (vec![], State::Idle));
}

/// A button that is stuck or pressed when the board starts, and a pin that cannot be read.
#[test]
fn a_button_that_was_pressed_from_the_beginning_does_nothing() {
    assert_eq!(press(&script(&[("#", 3_000)]), State::Fault), (vec![], State::Fault));
    assert_eq!(press(&script(&[("#", 100), (".", 100)]), State::Idle), (vec![], State::Idle));
    assert_eq!(press(&script(&[(".", 30), ("#", 30), ("!", 100)]), State::Idle), (vec![], State::Idle));
}

/// Whether a panel stops the loop in each tick: `'S'` if so.
fn stops(levels: &str) -> String {
    let (mut stop, mut none) = (pin(levels), pin(&".".repeat(levels.len())));
    let mut panel = Panel::new(button(&none), StopContact::new(stop.clone(), PinState::High, RATE));
    let stops = levels.chars().map(|_| if panel.stops() { 'S' } else { '-' }).collect();
    for _ in 0..levels.len() {
        panel.asks(State::Idle);
    }
    stop.done();
    none.done();
    stops
}

/// Closed for 19 ticks it still stops; open for a single one it stops again; a broken wire and an error stop for as long as they last.
#[test]
fn an_open_stop_contact_stops_in_every_tick() {
    let levels = script(&[("#", 30), (".", 1), ("#", 30), ("!", 5), (".", 40)]);
    let expected = script(&[("S", 19), ("-", 11), ("S", 20), ("-", 11), ("S", 45)]);
    assert_eq!(stops(&levels), expected);
}

//! Methods that keep more than the state: BDF2 its last node, Runge–Kutta in partitioned coordinates its choice.

use core::fmt::Debug;

use mechanisms::Driven;
use taut::linalg::Vector;
use taut::method::{Bdf2, LocalRungeKutta4, Partitioned, Report, Step, StepError, TwoNodes};
use taut::scalar::Float;
use taut::start::{Clock, Start, State};

use crate::bytes::Bytes;
use crate::mechanical::{disturb, driven};
use crate::variants::Outcome;
use crate::variants::good::flaw;

type Nodes<T> = TwoNodes<State<T, 3, 1>, [Vector<T, 3>; 2]>;

/// Steps what holds a state. A step that fails changes nothing of it; one that succeeds is correct.
fn step<T: Float, Held: Copy + Debug>(
    name: &'static str,
    system: &Driven<T>,
    held: &mut Held,
    state: fn(&Held) -> &State<T, 3, 1>,
    step: impl Fn(&mut Held) -> Result<Report<T, 1>, StepError<T>>,
) {
    let before = *held;
    let result = step(held);
    let same = result.is_ok() || format!("{before:?}") == format!("{held:?}");
    assert!(same, "{name} failed and changed {before:?} to {held:?}");
    let found = flaw(system, state(&before), &Outcome { name, result, after: *state(held) });
    assert!(found.is_none(), "{} from {before:?}", found.unwrap_or_default());
}

/// A driven pendulum. The model, the clock, the history and the choice may change between steps.
pub fn steps<T: Float>(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let [h, x, y, u, v] = bytes.numbers([1e-3, 0.6, -0.8, 0.8, 0.6]);
    let mut system = driven(&mut bytes);
    let Ok(clock) = Clock::<T>::with_step(h) else { return 1 };
    let Ok(start) = Start::at(&system, clock, [x, y, T::zero()]).moving([u, v, T::one()]) else { return 2 };
    let (stabilised, positions) = (Bdf2::new(), Bdf2::position_level());
    let partitioned = LocalRungeKutta4::partitioned().hysteresis(bytes.number(0.5));
    let mut chosen = Partitioned::new(start);
    let mut nodes = [stabilised.begin(&system, start), positions.begin(&system, start)].map(Result::ok);
    let mut calls = 4;
    for _ in 0..8 {
        step("runge_kutta_4_partitioned", &system, &mut chosen, Partitioned::state, |chosen| {
            let report = partitioned.step(&system, chosen)?;
            assert_eq!(chosen.dependent().iter().filter(|dependent| **dependent).count(), 1);
            Ok(report)
        });
        let [first, second] = &mut nodes;
        if let Some(nodes) = first {
            step("bdf_2", &system, nodes, Nodes::state, |nodes| stabilised.step(&system, nodes));
        }
        if let Some(nodes) = second {
            step("bdf_2_positions", &system, nodes, Nodes::state, |nodes| positions.step(&system, nodes));
        }
        calls += 3;
        if !bytes.more() {
            break;
        }
        match bytes.byte() & 7 {
            3 => system = driven(&mut bytes),
            4 => {
                let dependent = bytes.byte();
                chosen = Partitioned::with_dependent(*chosen.state(), [1, 2, 4].map(|bit| dependent & bit != 0));
            }
            5 => {
                let change = [[x, y, T::zero()], [u, v, T::one()]]
                    .map(|usual| Vector::from(bytes.numbers(usual.map(|usual| usual.to_f64() * h.to_f64()))));
                nodes = nodes.map(|nodes| nodes.map(|nodes| Nodes::new(*nodes.state(), change)));
            }
            6 => {
                let mut state = *chosen.state();
                disturb(&mut bytes, state.clock_mut());
                chosen = Partitioned::with_dependent(state, *chosen.dependent());
                nodes = [stabilised.begin(&system, state), positions.begin(&system, state)].map(Result::ok);
                calls += 2;
            }
            _ => {}
        }
    }
    calls
}

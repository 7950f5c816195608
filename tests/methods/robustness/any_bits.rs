//! Arbitrary bits as parameters, initial values and step.

use mechanisms::Driven;
use proptest::prelude::*;
use taut::start::{Clock, Start};

use crate::variants::good::flaw;
use crate::variants::{bits, outcomes};

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    /// No panic, no partial step, no NaN; a step that succeeds is correct.
    #[test]
    fn any_bits_are_handled(numbers in proptest::array::uniform8(any::<u32>()), mask in 0_u32..256) {
        // Some of the inputs are arbitrary, the others valid.
        let usual = [1.0_f32, 0.0, 0.0, 0.6, -0.8, 0.8, 0.6, 1e-3];
        let any: [f32; 8] =
            core::array::from_fn(|i| if mask >> i & 1 == 1 { f32::from_bits(numbers[i]) } else { usual[i] });
        let [length, torque, push, x, y, u, v, h] = any;
        let system = Driven { length, torque, push };
        let Ok(clock) = Clock::with_step(h) else { return Ok(()) };
        let Ok(state) = Start::at(&system, clock, [x, y, 0.0]).moving([u, v, 1.0]) else { return Ok(()) };
        prop_assert!(state.position().iter().chain(state.velocity()).all(|x| x.is_finite()));
        let before = bits(&state);
        for outcome in outcomes(&system, &state) {
            if let Err(error) = outcome.result {
                prop_assert_eq!(bits(&outcome.after), before.clone(), "{}: {}", outcome.name, error);
            }
            prop_assert_eq!(flaw(&system, &state, &outcome), None);
        }
    }
}

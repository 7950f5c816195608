//! Inputs that failed once. `cargo xtask fuzz` prints such lines.

use mechanisms::Pendulum;
use taut::prelude::*;

/// The target, and the bytes.
const FINDINGS: &[(&str, &[u8])] = &[
    // Implicit Euler returned a multiplier of −∞.
    ("steps_f32", &[6, 36, 18, 253, 71, 4, 3, 0, 4, 3, 0, 4, 4, 6, 123, 29, 211, 67, 0]),
    // Missed readings before the first one widened the limit of the first jump.
    ("encoders", &[29, 71, 0, 202, 110, 51, 166, 0, 0]),
    // The derivative of M u' = F was infinite.
    ("implicit", &[0, 159, 0, 135, 60, 204, 157, 180, 0, 0, 0, 129, 0, 68, 241]),
    // The record of the tick that ends the alignment tells what the motors get from the next tick on; its page did not say so.
    ("supervised", &[0, 0, 186, 188]),
    // The same, where the next tick comes too late.
    (
        "supervised",
        &[
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 134, 0, 0,
            17, 0, 163,
        ],
    ),
    // A choice of three dependent coordinates was kept, although there is one constraint.
    ("histories_f32", &[0, 228, 228, 0, 0, 0, 0, 0, 0, 0, 172, 151]),
    ("histories_f64", &[0, 0, 0, 0, 0, 0, 0, 0, 0, 156, 142]),
    // Tangent coordinates meet the velocity constraint by iterations, up to the limit of the state; the check expected round-off.
    ("steps_f64", &[85, 188, 0, 31, 0, 0, 0, 0, 0, 205, 193, 0, 0, 0, 0, 0]),
    // They project velocities now; the check forgot the round-off of what was projected.
    ("steps_f64", &[0, 0, 0, 0, 0, 0, 0, 0, 182, 30, 61, 179, 0, 0, 75, 0]),
    // The check took gradients for as long as the rods; that of the second rod is up to twice as long as the positions.
    (
        "projections",
        &[
            0, 0, 0, 0, 189, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 191,
            162,
        ],
    ),
    // A timing of 3e38 s, in which the angle of its circle overflows.
    ("joined", &[0, 0, 0, 0, 172, 58, 0, 0, 0, 0, 225]),
    // Points so far apart that the square of their distance overflows were taken for assembled.
    ("parts_f32", &[58, 0, 141, 64, 27, 0, 205, 51, 130, 0, 107, 236, 73, 165, 157, 65, 109, 88, 31, 75, 0, 53, 76]),
];

#[test]
fn past_findings_hold() {
    for (name, input) in FINDINGS {
        let target = fuzz::target(name).unwrap_or_else(|| panic!("no target {name}"));
        println!("{name} {input:?}");
        target(input);
    }
}

/// A pendulum so heavy that the force in its rod overflows on the way down: every number of an accepted step is finite.
#[test]
fn a_multiplier_that_overflows_is_refused() {
    let pendulum = Pendulum::<f32> { mass: 1e37, ..Pendulum::standard() };
    let mut state = Start::at(&pendulum, Clock::with_step(0.02).unwrap(), [1.0, 0.0]).plain().at_rest().unwrap();
    let error = (0..100).find_map(|_| Rattle::new().step(&pendulum, &mut state).err());
    assert!(error.unwrap().to_string().contains("multiplier"), "{error:?}");
}

//! The programs as they are, for ten seconds and more: they come home, follow their paths, and lose no tick.

use loops::{Options, Summary, arm, crane, five_bar};

/// Runs a program; the summary says the rest.
macro_rules! run {
    ($program:ident, $ticks:expr) => {{
        let mut program = $program::program(Options::default(), 1_000).unwrap();
        for tick in 0..$ticks {
            program.tick(&mut (tick * 1_000_u32), &mut ());
        }
        *program.summary()
    }};
}

fn check(summary: &Summary, worst_error: f32, worst_residual: f32) {
    assert_eq!((summary.faults, summary.timing.skipped, summary.timing.overruns, summary.stuck), (0, 0, 0, 0));
    assert!(summary.worst_error < worst_error && summary.worst_residual < worst_residual, "{summary:?}");
}

/// A tip that is 5% heavier: 0.013 N m of 0.26, over ω² J = 1e4 · 2e-3 kg m², turns a rod of 0.1 m by 6.5e-5 m. A count of 16 bits is
/// 1e-5 m there. Half a count of `f32` in the coordinates, times a rod of 0.16 m, is a residual of 1e-9 a step.
#[test]
fn the_five_bar_linkage_follows_its_circle() {
    let summary = run!(five_bar, 10_000);
    check(&summary, 1e-4, 1e-8);
    assert!(summary.running > 9_000, "{summary:?}");
}

/// A bob that is 5% heavier: 0.5 N m of 10.4, over a gain of 156 N m/rad, turns a rod of 0.5 m by 1.7 mm; half as much again while
/// the error goes with ω/4.
#[test]
fn the_arm_follows_its_swing() {
    let summary = run!(arm, 2_500);
    check(&summary, 2.5e-3, 1e-6);
    assert!(summary.running > 2_000, "{summary:?}");
}

/// A load that is 5% heavier sinks by 0.05 g/ω² = 1.2 mm; what is left of its swing when it arrives, of a way of 0.02 m that took as long as
/// a swing, is less than that way.
#[test]
fn the_crane_carries_its_load() {
    let summary = run!(crane, 12_000);
    check(&summary, 0.02, 1e-5);
    assert!(summary.running > 7_000, "{summary:?}");
}

//! taut and Pinocchio on the same linkages, chains and rings, at the same step, in turns: `beside-pinocchio PROGRAM [--quick] [SYSTEM…]`.
//! PROGRAM is `cpp/linkage.cpp`, compiled. Both sides step with Runge–Kutta of order 4 and project positions and velocities.
//!
//! Before anything is timed, both must arrive at the same place. Then they run in turns, and the fastest run of each counts: load on the
//! computer slows both. Prints `linkage SYSTEM RODS WHO SECONDS`, the seconds of a step, and `agreement SYSTEM RODS METRES`.

mod linkage;
mod ours;
mod peer;

use std::time::{Duration, Instant};

use crate::linkage::{Case, distance};
use crate::peer::{METHODS, Peer};

/// The largest distance of any point at the end, in metres. The methods have order 4 in different coordinates: at this step their errors
/// differ by less.
const AGREEMENT: f64 = 1e-6;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    arguments.retain(|argument| argument != "--quick");
    assert!(!arguments.is_empty(), "usage: beside-pinocchio PROGRAM [--quick] [SYSTEM…]");
    let mut peer = Peer::start(&arguments.remove(0));
    let patience = if quick { Duration::from_millis(300) } else { Duration::from_secs(5) };
    for case in ours::cases() {
        let family = if case.name == "four_bar" { "four_bar" } else { "chains" };
        if arguments.is_empty() || arguments.iter().any(|system| system == family) {
            compare(&mut peer, &case, patience);
        }
    }
}

/// Checks that all ways agree, then times them in turns.
fn compare(peer: &mut Peer, case: &Case, patience: Duration) {
    let (name, rods) = (case.name, case.rods.len());
    let methods = METHODS.iter().filter(|method| method.closed == case.closed);
    peer.take(case);
    let mut ends = Vec::new();
    for ours in &case.ours {
        ends.push((format!("taut/{}", ours.coordinates), (ours.run)(case.steps).ends));
    }
    for method in methods.clone() {
        ends.push((format!("pinocchio/{}", method.name), peer.run(method, case.steps).ends));
    }
    let mut apart = 0.0_f64;
    for (who, end) in &ends {
        let distance = distance(&ends[0].1, end);
        assert!(distance < AGREEMENT, "{name} of {rods} rods: {who} ends {distance:e} m from {}", ends[0].0);
        apart = apart.max(distance);
    }
    println!("agreement {name} {rods} {apart:e}");

    let mut fastest: Vec<(String, f64)> = ends.into_iter().map(|(who, _)| (who, f64::INFINITY)).collect();
    // Short runs: a long one of the slower side would never be without interruption, a short one of the faster side often.
    let steps = case.steps / 10;
    let (begun, mut rounds) = (Instant::now(), 0);
    while rounds < 5 || begun.elapsed() < patience {
        let ours = case.ours.iter().map(|ours| (ours.run)(steps).seconds);
        let times: Vec<f64> = ours.chain(methods.clone().map(|method| peer.run(method, steps).seconds)).collect();
        for ((_, fastest), time) in fastest.iter_mut().zip(times) {
            *fastest = fastest.min(time);
        }
        rounds += 1;
    }
    for (who, seconds) in fastest {
        println!("linkage {name} {rods} {who} {:e}", seconds / steps as f64);
    }
}

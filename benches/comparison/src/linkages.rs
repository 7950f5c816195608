//! The table of the linkages that taut and Pinocchio step in turns.

use crate::results::{Results, Turn};

/// How many times faster than Pinocchio taut aims to be.
pub fn goal(system: &str) -> f64 {
    if system == "four_bar" { 20.0 } else { 1.0 }
}

/// taut's fastest, Pinocchio's fastest, and the ratio of their times.
pub fn compared<'a>(results: &'a Results, system: &str, rods: usize) -> Option<(&'a Turn, &'a Turn, f64)> {
    let ours = results.fastest(system, rods, "taut/")?;
    let theirs = results.fastest(system, rods, "pinocchio/")?;
    Some((ours, theirs, theirs.seconds / ours.seconds))
}

/// The section; empty if Pinocchio was not run.
pub fn table(results: &Results) -> String {
    if results.linkages().is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\n## Beside Pinocchio\n\nA step of Runge–Kutta 4 in `f64` at 1 kHz, with projection of positions and velocities on both sides. Pinocchio \
         is called from C++ (`benches/pinocchio`): `aba` on an open chain, which has no constraint in joint coordinates; `lcaba` and \
         `constraintDynamics` on a ring, cut at the ground. taut is compiled for any x86-64, Pinocchio for this computer (`-march=native`). Both \
         run in turns, and the fastest run of each counts. Before that, all ends of rods must agree to 1e-6 m.\n\n\
         | system | rods | taut | Pinocchio | Pinocchio / taut | apart |\n|---|--:|---|---|--:|--:|\n",
    );
    for (system, rods, apart) in results.linkages() {
        let name = |turn: &Turn| turn.who.split_once('/').map_or(String::new(), |(_, name)| name.replace('_', " "));
        let mut rows = results.turns.iter().filter(|turn| turn.system == *system && turn.rods == *rods);
        let Some(theirs) = results.fastest(system, *rods, "pinocchio/") else { continue };
        for ours in rows.by_ref().filter(|turn| turn.who.starts_with("taut/")) {
            text += &format!(
                "| {} | {rods} | {} | {} | {:.1} | {apart:.0e} |\n",
                system.replace('_', " "),
                name(ours),
                name(theirs),
                theirs.seconds / ours.seconds,
            );
        }
    }
    text + &growth(results)
}

/// The time of a step of the longest chain over that of the shortest.
fn growth(results: &Results) -> String {
    let mut text = String::new();
    for system in ["chain", "ring_of_masses", "ring_of_bars"] {
        let lengths = results.linkages().iter().filter(|linkage| linkage.0 == system).map(|linkage| linkage.1);
        let (Some(shortest), Some(longest)) = (lengths.clone().min(), lengths.max()) else { continue };
        let (Some(few), Some(many)) = (compared(results, system, shortest), compared(results, system, longest)) else {
            continue;
        };
        let (ours, theirs) = (many.0.seconds / few.0.seconds, many.1.seconds / few.1.seconds);
        let name = system.replace('_', " ");
        text += &format!("- {name}, {longest} rods over {shortest}: taut {ours:.1}, Pinocchio {theirs:.1}\n");
    }
    if text.is_empty() { text } else { format!("\nGrowth of the time of a step:\n\n{text}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_of_each_side_are_compared() {
        let mut results = Results::default();
        assert_eq!(table(&results), "");
        let runs = "agreement four_bar 3 2e-8\nlinkage four_bar 3 taut/points 1e-7\nlinkage four_bar 3 taut/bodies 4e-7\n\
                    linkage four_bar 3 pinocchio/lcaba 4e-6\nlinkage four_bar 3 pinocchio/constraintDynamics 5e-6\n";
        results.add_runs(runs).unwrap();
        let text = table(&results);
        assert!(text.contains("| four bar | 3 | points | lcaba | 40.0 | 2e-8 |"), "{text}");
        assert!(text.contains("| four bar | 3 | bodies | lcaba | 10.0 | 2e-8 |"), "{text}");
        let (ours, theirs, ratio) = compared(&results, "four_bar", 3).unwrap();
        assert_eq!((ours.who.as_str(), theirs.who.as_str()), ("taut/points", "pinocchio/lcaba"));
        assert!((ratio - 40.0).abs() < 1e-12);
    }
}

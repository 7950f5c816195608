//! A list of parts may take at most 1.2 times the instructions of the same equations written by hand in the same coordinates.

use anyhow::{Context, Result};

use super::file::Figures;

/// The rows of lists of parts, and those of the models by hand.
const PAIRS: [(&str, &str); 9] = [
    ("parts_four_bar_rattle", "by_hand_four_bar_rattle"),
    ("parts_four_bar_rattle_compensated", "by_hand_four_bar_rattle_compensated"),
    ("parts_four_bar_rattle_precise", "by_hand_four_bar_rattle_precise"),
    ("parts_four_bar_runge_kutta_4", "by_hand_four_bar_runge_kutta_4"),
    ("parts_five_bar_rattle", "by_hand_five_bar_rattle"),
    ("parts_five_bar_runge_kutta_4", "by_hand_five_bar_runge_kutta_4"),
    ("parts_slider_crank_runge_kutta_4", "by_hand_slider_crank_runge_kutta_4"),
    ("parts_delta_runge_kutta_4", "by_hand_delta_runge_kutta_4"),
    ("parts_delta_computed_torque_tick", "delta_computed_torque_tick"),
];

/// The largest ratio in percent.
const LARGEST: u64 = 120;

/// The pairs among a machine's rows whose ratio is too large, as messages.
pub fn failures(rows: &[(String, Figures)]) -> Result<Vec<String>> {
    let instructions = |name: &str| {
        let row = rows.iter().find(|(row, _)| row == name);
        row.and_then(|(_, figures)| figures.instructions).with_context(|| format!("no program counts {name}"))
    };
    let mut failures = Vec::new();
    for (parts, by_hand) in PAIRS {
        failures.extend(excess(parts, instructions(parts)?, instructions(by_hand)?));
    }
    Ok(failures)
}

/// The failure of a list that takes too many instructions.
fn excess(name: &str, parts: u64, by_hand: u64) -> Option<String> {
    (parts * 100 > by_hand * LARGEST)
        .then(|| format!("{name}: {parts} instructions, the limit is {LARGEST}% of the {by_hand} by hand"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_costs_too_much_is_a_failure() {
        assert_eq!(excess("parts_delta", 1_200, 1_000), None);
        let failure = excess("parts_delta", 1_201, 1_000).unwrap();
        assert_eq!(failure, "parts_delta: 1201 instructions, the limit is 120% of the 1000 by hand");
        assert!(super::failures(&[]).is_err());
    }
}

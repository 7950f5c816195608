//! Every fault in every state: the table, as it is on every machine.

use std::fmt::Write;

use loops::matrix::{Row, rows};
use taut::control::supervisor::Injection;

#[test]
fn every_fault_in_every_state_is_safe_and_the_loop_starts_again() {
    let mut table = String::from(Row::HEADER);
    for row in rows() {
        let row = row.unwrap();
        write!(table, "\n{row}").unwrap();
        assert!(row.safe && row.restarted, "{row}");
        // What a single tick can tell is found in that tick. An encoder that stands still may belong to a machine that does, until its target
        // has gone on; late ticks are skipped until there are too many in a row; a motor may be at its limit for a while.
        let at_once = matches!(
            row.fault,
            Injection::NanReading | Injection::JumpingReading | Injection::BusError | Injection::CorruptedState
        );
        if let Some((_, ticks)) = row.found {
            assert!(!at_once || ticks == 0, "{row}");
        }
    }
    insta::assert_snapshot!("matrix", table);
}

//! Every fault in every state: the table, as it is on every machine.

use std::fmt::Write;

use loops::matrix::{Row, rows};

#[test]
fn every_fault_in_every_state_is_safe_and_the_loop_starts_again() {
    let mut table = String::from(Row::HEADER);
    for row in rows() {
        let row = row.unwrap();
        write!(table, "\n{row}").unwrap();
        assert!(row.safe && row.restarted, "{row}");
    }
    insta::assert_snapshot!("matrix", table);
}

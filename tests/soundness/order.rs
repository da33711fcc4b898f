//! Partial-order reduction: of independent steps one order is explored, unless something can tell the orders apart.

use crate::support::Case;
use synod::property::Judgement::Violated;

/// With one end's message there, the process in the middle can take it, but the other end's may come first.
#[test]
fn a_process_that_waits_at_two_channels() {
    Case::on("independent_waits_for_a_channel", "line(3)")
        .says("never_1", Violated)
        .says("never_2", Violated)
        .check();
}

/// Both orders of two steps that a property looks at are explored.
#[test]
fn steps_that_a_property_looks_at() {
    Case::on("independent_is_seen", "ring(2)")
        .says("not_before", Violated)
        .says("not_after", Violated)
        .check();
}

/// One process goes round for ever by itself; the steps of the others are not put off for ever.
#[test]
fn a_process_that_goes_round() {
    Case::on("independent_is_put_off", "ring(2)").says("never", Violated).check();
}

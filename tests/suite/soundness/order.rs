//! Partial-order reduction: the search explores one order of independent steps, unless the orders are distinguishable.

use crate::soundness::support::Case;
use synod::internals::property::Judgement::Violated;

/// The process in the middle can receive a message from one end, but the message from the other end may arrive first.
#[test]
fn a_process_that_waits_at_two_channels() {
    Case::on("independent_waits_for_a_channel", "line(3)")
        .says("never_1", Violated)
        .says("never_2", Violated)
        .check();
}

/// The search explores both orders of two steps that a property observes.
#[test]
fn steps_that_a_property_observes() {
    Case::on("independent_is_seen", "ring(2)")
        .says("not_before", Violated)
        .says("not_after", Violated)
        .check();
}

/// One process repeats a local cycle forever; the search does not postpone the steps of the others forever.
#[test]
fn a_process_that_repeats_a_cycle() {
    Case::on("independent_is_put_off", "ring(2)").says("never", Violated).check();
}

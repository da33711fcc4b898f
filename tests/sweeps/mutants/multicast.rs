//! Mistakes in multicast.

use super::{TWO_MULTICASTS, caught};
use crate::common::{edited, on};
use synod::internals::explore::{ExploreOptions, explore};
use synod::internals::property::Judgement;

#[test]
fn fifo_multicast_that_is_off_by_one() {
    let edit = ("fifo", "Numbered(count_sent, m)", "Numbered(count_sent - 1, m)");
    caught(&[edit], "complete(2)", &[], "validity");
}

#[test]
fn fifo_multicast_that_does_not_wait_for_the_next() {
    let edit = ("fifo", "with s = last_of(numbers, q) + 1", "with s > last_of(numbers, q)");
    caught(&[edit], "complete(2)", TWO_MULTICASTS, "fifo_order");
}

#[test]
fn causal_multicast_whose_own_message_comes_back() {
    let edit = (
        "causal",
        "Copies.multicast(Stamped(vector, m), others)\n  deliver(m)",
        "Copies.multicast(Stamped(vector, m))",
    );
    caught(&[edit], "complete(2)", &[], "validity");
    caught(&[edit], "complete(2)", &[], "nothing_held_back");
}

#[test]
fn causal_multicast_that_only_counts_the_sender() {
    let edit = (
        "causal",
        "\n                                      and (forall k in keys(w) with k != j: w[k] <= component(vector, k))",
        "",
    );
    caught(&[edit], "complete(3)", &[], "causal_order");
}

#[test]
fn isis_with_numbers_but_no_proposers() {
    let edits = [
        ("isis", "numbers[i] := (proposed, id)", "numbers[i] := (proposed, min(everybody))"),
        ("isis", "numbers[i] := a\n", "numbers[i] := (a.1, min(everybody))\n"),
    ];
    caught(&edits, "complete(2)", &[], "total_order");
}

#[test]
fn isis_that_delivers_whatever_is_agreed() {
    let edit = ("isis", " with numbers[i] = min(values(numbers))", "");
    caught(&[edit], "complete(2)", &[], "total_order");
}

#[test]
fn a_sequencer_that_does_not_count() {
    caught(&[("sequencer", "    s := s + 1", "    skip")], "complete(3)", &[], "validity");
}

#[test]
fn members_that_deliver_what_comes_before_its_number() {
    let edit = (
        "sequencer_member",
        "on Data.deliver(Item(i, m)) ->\n  held_back[i] := m",
        "on Data.deliver(Item(i, m)) ->\n  deliver(m)",
    );
    caught(&[edit], "complete(2)", &[], "total_order");
}

#[test]
fn a_total_order_by_stamps_over_channels_that_are_not_fifo() {
    let edit = ("lamport_total", "complete, reliable, fifo", "complete, reliable, unordered");
    caught(&[edit], "complete(3)", TWO_MULTICASTS, "total_order");
    caught(&[edit], "complete(3)", TWO_MULTICASTS, "never_too_late");
}

#[test]
fn a_total_order_by_stamps_that_does_not_wait_for_the_others() {
    let edit = (
        "lamport_total",
        " and (forall k in others: k in latest and min(keys(held_back)) <= (latest[k], k))",
        "",
    );
    caught(&[edit], "complete(2)", &[], "total_order");
}

/// No run has an end that a property could check: only this property detects it.
#[test]
fn basic_whose_own_copies_circulate_forever() {
    let edit = (
        "basic",
        "on Copy(m) from j -> deliver(m, j)",
        "on Copy(m) from j -> if j = id -> send Copy(m) to id [] otherwise -> deliver(m, j) fi",
    );
    let program = edited("basic", &[edit]);
    let options = ExploreOptions { keep_going: true, ..ExploreOptions::default() };
    let found = explore(&on(&program, "complete(2)").build(), None, &options, &mut |_| None);
    let violated = found.verdicts.iter().filter(|v| v.judgement == Judgement::Violated);
    assert_eq!(violated.map(|v| v.name.as_str()).collect::<Vec<_>>(), ["progress"]);
    assert_eq!(found.stopped_by, None);
}

#[test]
fn a_total_order_by_stamps_without_acknowledgements() {
    let edit = ("lamport_total", "  send Acknowledgement(clock) to others\n", "  skip\n");
    caught(&[edit], "complete(3)", &[], "validity");
}

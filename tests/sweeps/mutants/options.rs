//! Mistakes in optimizations that omit messages, and in consensus with coins. Catalogue: C 5.3, C12.

use super::{TWICE, caught, killed};

/// A request replaces a reply only if the other process has been sent something later.
#[test]
fn lamport_that_omits_too_many_replies() {
    let later = "if j in last_sent and (t, j) < (last_sent[j], id) -> skip        // j knows";
    let edit = |condition| ("lamport_omitted_replies", later, condition);
    // Messages to a third process tell the requester nothing.
    caught(&[edit("if (t, j) < (clock, id) -> skip // j knows")], "complete(3)", TWICE, "ME2");
    caught(&[edit("if (t, j) < (clock, id) -> skip // j knows")], "complete(3)", TWICE, "stuck");
}

#[test]
fn lamport_with_omitted_replies_over_channels_that_are_not_fifo() {
    let edits = [
        ("lamport_omitted_replies", "skip        // j knows, or will know", "skip // j knows, or will know"),
        ("lamport", "complete, reliable, fifo", "complete, reliable, unordered"),
    ];
    caught(&edits, "complete(2)", TWICE, "ME1");
}

#[test]
fn ben_or_that_reports_halves() {
    let edit = ("ben_or", "votes(reports[turn], w) > n div 2", "votes(reports[turn], w) >= n div 2");
    caught(&[edit], "complete(3)", &[], "one_proposal");
    caught(&[edit], "complete(3)", &[], "agreement");
}

#[test]
fn ben_or_that_decides_on_one_proposal() {
    let edits = [
        (
            "ben_or",
            "[] backed != none and votes(proposals[turn], backed) <= faults() -> value := backed\n",
            "[] backed != none and votes(proposals[turn], backed) <= 0 -> value := backed\n",
        ),
        (
            "ben_or",
            "[] backed != none and votes(proposals[turn], backed) > faults()  -> value := backed\n",
            "[] backed != none and votes(proposals[turn], backed) > 0  -> value := backed\n",
        ),
    ];
    caught(&edits, "complete(3)", &[], "locked");
    caught(&edits, "complete(3)", &[("turns", 2)], "agreement");
}

#[test]
fn ben_or_that_leaves_the_others_alone() {
    let edit = (
        "ben_or",
        "decided := backed\n                                                                           help_the_others\n",
        "decided := backed\n",
    );
    caught(&[edit], "complete(3)", &[], "termination");
    caught(&[edit], "complete(3)", &[], "stuck");
}

#[test]
fn ben_or_that_tosses_coins_though_there_is_a_proposal() {
    let edit = (
        "ben_or",
        "backed) <= faults() -> value := backed\n",
        "backed) <= faults() -> value := random({0, 1})\n",
    );
    caught(&[edit], "complete(3)", &[], "locked");
    caught(&[edit], "complete(3)", &[], "agreement");
}

/// As Fischer, Lynch and Paterson state: two processes with different values may continue forever without agreement.
#[test]
fn ben_or_without_coins() {
    let edits =
        [("ben_or", "value := random({0, 1})", "skip"), ("ben_or", ", knows n, randomness,", ", knows n,")];
    killed(&edits, "complete(2)", &[], "progress");
}

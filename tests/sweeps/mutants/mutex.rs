//! Mistakes in mutual exclusion.

use super::{TWICE, caught, entered, failing_scenarios, findings, killed};
use crate::common::{Edit, edited, library, on};
use std::collections::BTreeSet;
use synod::internals::explore::{ExploreOptions, explore};
use synod::internals::property::Judgement;

#[test]
fn ricart_agrawala_without_clocks_that_move_on_receipt() {
    let edits = [
        ("ricart_agrawala", "clock := max(clock, t) + 1\n  if held", "if held"),
        ("ricart_agrawala", "on Reply(t) -> clock := max(clock, t) + 1; replies", "on Reply(t) -> replies"),
    ];
    caught(&edits, "complete(2)", &[], "ME1");
}

#[test]
fn ricart_agrawala_that_compares_its_present_clock() {
    let edit = ("ricart_agrawala", "wanted and (stamp, id) < (t, j)", "wanted and (clock, id) < (t, j)");
    caught(&[edit], "complete(2)", &[], "ME1");
}

#[test]
fn ricart_agrawala_where_on_a_tie_neither_or_both_defer() {
    let compare = "wanted and (stamp, id) < (t, j)";
    caught(&[("ricart_agrawala", compare, "wanted and stamp < t")], "complete(2)", &[], "ME1");
    caught(&[("ricart_agrawala", compare, "wanted and stamp <= t")], "complete(2)", &[], "ME2");
    caught(&[("ricart_agrawala", compare, "wanted and stamp <= t")], "complete(2)", &[], "stuck");
}

#[test]
fn ricart_agrawala_whose_request_is_not_one_step() {
    let edit = (
        "ricart_agrawala",
        "become wanted\n  clock := clock + 1; stamp := clock; replies := 0",
        "clock := clock + 1; stamp := clock; replies := 0\n  pause\n  become wanted",
    );
    caught(&[edit], "complete(2)", &[], "ME1");
}

#[test]
fn ricart_agrawala_whose_replies_carry_no_clock() {
    let edit =
        ("ricart_agrawala", "on Reply(t) -> clock := max(clock, t) + 1; replies", "on Reply(t) -> replies");
    assert_eq!(failing_scenarios(&[edit]), ["causality_in_a_reply"]);
}

#[test]
fn lamport_over_channels_that_are_not_fifo() {
    let edit = ("lamport", "complete, reliable, fifo", "complete, reliable, unordered");
    caught(&[edit], "complete(2)", &[], "ME1");
}

#[test]
fn lamport_that_does_not_wait_for_the_others() {
    let edit = (
        "lamport",
        "await min(requests) = (stamp, id) and later = others",
        "await min(requests) = (stamp, id)",
    );
    caught(&[edit], "complete(2)", &[], "ME1");
}

#[test]
fn voting_that_needs_half_of_the_votes_only() {
    caught(&[("voting", "size(votes) > n div 2", "size(votes) >= n div 2")], "complete(2)", &[], "ME1");
}

/// All processes use the same two voters: few enough for an exhaustive search, and enough for three to deadlock.
const SAME_QUORUM: Edit<'_> = (
    "maekawa",
    "{ p in everybody | in_quorum(place(p, everybody), place(id, everybody), n) }",
    "{ p in everybody | place(p, everybody) < 2 }",
);

#[test]
fn maekawa_without_the_correction_of_sanders() {
    // The library has this mutant; only a comment is changed.
    let edits = [("maekawa_1985", "// Requests that fall", "// A request that falls"), SAME_QUORUM];
    caught(&edits, "complete(3)", &[], "stuck");
    assert_eq!(entered(&edited("maekawa_1985", &edits), "complete(3)"), (true, 12, 36));
    assert_eq!(
        entered(&edited("maekawa", &[SAME_QUORUM]), "complete(3)"),
        (true, 0, 36),
        "with it nobody is stuck"
    );
}

#[test]
fn maekawa_whose_holder_does_not_ask_back() {
    let edit = (
        "maekawa",
        "-> asked := true\n                                   send Inquire(vote.1) to vote.2",
        "-> asked := true",
    );
    caught(&[edit], "complete(3)", TWICE, "ME2");
}

#[test]
fn a_central_server_that_forgets_the_holder() {
    caught(
        &[("central_server", "if holder = none  -> holder := p", "if holder = none -> skip")],
        "star(2)",
        &[],
        "ME1",
    );
}

#[test]
fn a_token_that_is_sent_and_kept() {
    let sent = ("token_ring", "token := false; made := 0", "made := 0");
    caught(&[sent], "ring(3)", &[], "one_token");
    let sent = ("suzuki_kasami", "token := false; served", "served");
    caught(&[sent], "complete(2)", &[], "ME1");
    caught(&[sent], "complete(2)", &[], "one_token");
}

/// The token that never rests passes one process by: no run has an end at which that process could be found waiting.
#[test]
fn a_token_that_passes_one_process_by() {
    let edit = (
        "token_ring",
        "  if wanted     -> token := true\n  [] not wanted -> pass_on\n",
        "  if wanted and id != min(everybody) -> token := true\n  [] otherwise -> pass_on\n",
    );
    killed(&[edit], "ring(2)", &[("rest_after", -1)], "no_starvation");
}

const NEWEST_FIRST: Edit<'_> = (
    "suzuki_kasami",
    "k := head(line)\n                   line := tail(line)",
    "k := last(line)\n remove k from line",
);

#[test]
fn suzuki_kasami_that_serves_the_newest_first() {
    assert_eq!(failing_scenarios(&[NEWEST_FIRST]), ["round_the_circle"]);
}

/// Clients enter forever, and requests are acknowledged before their senders enter. So messages do not accumulate, one bit
/// distinguishes a new request from an old one, and the state space is finite.
const FOR_EVER: [Edit<'_>; 9] = [
    ("mutual_exclusion", "  for k in 1..entries do\n", "  do true ->\n"),
    ("suzuki_kasami", "line: queue of Id)\n", "line: queue of Id), Ack\nvar missing : Int\n"),
    ("suzuki_kasami", "number(requested, id) + 1\n", "1 - number(requested, id)\n  missing := n - 1\n"),
    ("suzuki_kasami", "  await token\n", "  await token and missing = 0\n"),
    (
        "suzuki_kasami",
        "number(requested, k) = number(served, k) + 1",
        "number(requested, k) != number(served, k)",
    ),
    (
        "suzuki_kasami",
        "requested[j] := max(number(requested, j), r)\n",
        "requested[j] := r\n  send Ack to j\n",
    ),
    ("suzuki_kasami", "requested[j] = number(served, j) + 1", "requested[j] != number(served, j)"),
    ("suzuki_kasami", "on Token(s, q) ->", "on Ack -> missing := missing - 1\non Token(s, q) ->"),
    // It counts messages, and there are more of them.
    ("suzuki_kasami", "bound entry_cost: messages per entry <= n\n", ""),
];

/// While two others continue to enter, a waiting process is overtaken forever: a cycle, since no run ends.
#[test]
fn suzuki_kasami_that_serves_the_newest_first_starves_the_others() {
    let starves = |edits: &[Edit<'_>]| {
        let instance = on(&edited("suzuki_kasami", edits), "complete(3)").build();
        let found =
            explore(&instance, Some(&["no_starvation".to_string()]), &ExploreOptions::default(), &mut |_| {
                None
            });
        assert_eq!(found.stopped_by, None);
        let shown = found.counterexamples.iter().map(|shown| shown.repeats_from.is_some());
        (found.verdicts[0].judgement, shown.collect::<Vec<_>>())
    };
    assert_eq!(starves(&FOR_EVER), (Judgement::Holds, vec![]));
    let newest_first: Vec<_> = FOR_EVER.into_iter().chain([NEWEST_FIRST]).collect();
    assert_eq!(starves(&newest_first), (Judgement::Violated, vec![true]));
}

#[test]
fn raymond_that_lets_another_in_while_it_is_inside() {
    caught(
        &[("raymond", "holder = none and not inside and line", "holder = none and line")],
        "tree(3)",
        &[],
        "ME1",
    );
}

#[test]
fn raymond_that_forgets_to_ask_again() {
    let edit = ("raymond", "       asked := false\n", "");
    caught(&[edit], "tree(3)", TWICE, "stuck");
}

#[test]
fn lamport_that_counts_replies_only() {
    // It is right over FIFO channels, and wrong without.
    let edits = |order| {
        [
            ("lamport", "complete, reliable, fifo", order),
            (
                "lamport",
                "on Reply(t) from j -> arrival(t, j)",
                "on Reply(t) from j -> arrival(t, j); later := later + {j}",
            ),
            ("lamport", "if (stamp, id) < (t, j) -> later := later + {j}", "if false -> skip"),
        ]
    };
    let found = findings(&edits("complete, reliable, fifo"), "complete(3)", TWICE);
    assert_eq!(found, BTreeSet::new());
    caught(&edits("complete, reliable, unordered"), "complete(2)", TWICE, "ME1");
}

#[test]
fn voting_by_pairs_of_neighbours() {
    // Quorums {i, i + 1} of three processes intersect pairwise, but all three may have one vote each.
    let quorum = "{id, least p in others by if p > id then (0, p) else (1, p)}";
    let request = format!("send Request(number) to {quorum}");
    let release = format!("send Release(number) to {quorum}");
    let edits = [
        ("voting", "send Request(number) to everybody", request.as_str()),
        ("voting", "send Release(number) to everybody", release.as_str()),
        ("voting", "await size(votes) > n div 2", "await size(votes) = 2"),
    ];
    let found = findings(&edits, "complete(3)", &[]);
    assert_eq!(found, BTreeSet::from(["stuck".to_string()]), "safe, and sometimes deadlocked");
    assert_eq!(entered(&edited("voting", &edits), "complete(3)"), (true, 2, 1));
}

/// Two of three never block each other, three may: each with one vote.
#[test]
fn voting_with_three_requesters() {
    assert_eq!(entered(&library("voting"), "complete(3)"), (true, 48, 64));
}

#[test]
fn carvalho_roucairol_that_keeps_what_it_gives_away() {
    let edit = ("carvalho_roucairol", "       permissions := permissions - {j}\n", "");
    caught(&[edit], "complete(2)", TWICE, "ME1");
    caught(&[edit], "complete(2)", TWICE, "one_permission");
}

#[test]
fn carvalho_roucairol_that_does_not_ask_again() {
    let edit = ("carvalho_roucairol", "-> send Request(stamp) to j", "-> skip");
    caught(&[edit], "complete(3)", &[("entries", 3)], "ME2");
}

#[test]
fn k_places_with_room_for_one_more() {
    caught(&[("k_mutex", ">= n - k", ">= n - k - 1")], "complete(3)", TWICE, "at_most_k");
}

#[test]
fn k_places_where_two_replies_in_one_message_count_once() {
    let edit = ("k_mutex", "missing[j] := missing[j] - r", "missing[j] := missing[j] - 1");
    caught(&[edit], "complete(3)", TWICE, "all_answered");
}

//! Mistakes that people make with these algorithms, each a small change to a library file. Random runs or the
//! file's scenarios must notice every one. Catalogue: C11 and the notes on errors of the entries.

mod common;

mod mutants {
    mod each;
    mod graphs;
    mod options;
}

use common::*;
use std::collections::BTreeSet;
use synod::explore::{Options, Order, Wrong, explore};
use synod::ir::Fault;
use synod::scenario::play;

const SEEDS: u64 = 300;

/// What runs of the changed algorithm show, over fixed schedules and random ones.
fn findings(edits: &[Edit<'_>], topology: &str, params: &[(&str, i64)]) -> BTreeSet<String> {
    let name = edits[0].0;
    let program = edited(name, edits);
    let mut found = BTreeSet::new();
    for (turn, (schedule, seed)) in (0u64..).zip(schedules(SEEDS)) {
        let mut setup = on(&program, topology).random_ids(turn);
        for (param, value) in params {
            setup = setup.param(param, *value);
        }
        found.extend(judge(&setup.build(), schedule, seed, 20_000).findings());
    }
    found
}

#[track_caller]
fn caught(edits: &[Edit<'_>], topology: &str, params: &[(&str, i64)], expected: &str) {
    let found = findings(edits, topology, params);
    assert!(found.contains(expected), "{edits:?}: found {found:?}, not {expected}");
    killed(edits, topology, params, expected);
}

/// So many configurations are looked at in one search, and in all of them together.
const MOST_CONFIGURATIONS: u64 = 40_000;
const MOST_IN_ALL: u64 = 300_000;
const ARRANGEMENTS: u64 = 40;

/// Mutants that show on instances only that are too large to be seen as a whole: chance alone kills them here.
const TOO_LARGE: &[(&str, &str)] = &[
    ("ben_or", "agreement"),
    ("ben_or", "locked"),
    ("chandy_lamport", "conserved"),
    ("chandy_misra_haas_and", "no_phantom"),
    ("hirschberg_sinclair", "cost"),
    ("korach_kutten_moran", "uniqueness"),
    ("lai_yang", "channels_right"),
    ("maekawa_1985", "stuck"),
    ("shout_extinction", "announcement"),
];

/// Rings and complete networks of at least two, up to this one; of other families this one alone.
fn smaller(topology: &str) -> Vec<String> {
    for family in ["ring", "complete"] {
        let inner = topology.strip_prefix(family).and_then(|t| t.strip_prefix('(')?.strip_suffix(')'));
        if let Some(n) = inner.and_then(|n| n.parse::<u32>().ok()) {
            return (2..=n).map(|k| format!("{family}({k})")).collect();
        }
    }
    vec![topology.into()]
}

/// The same by every schedule instead of by chance: some arrangement of the ids has a counterexample, nearest first or
/// deepest first.
#[track_caller]
fn killed(edits: &[Edit<'_>], topology: &str, params: &[(&str, i64)], expected: &str) {
    let program = edited(edits[0].0, edits);
    let wanted = match expected {
        "stuck" | "aborted" => Vec::new(),
        property => vec![property.to_string()],
    };
    let shows = |what: &Wrong| match what {
        Wrong::Property(p) => program.properties[*p].name == expected,
        Wrong::Stuck(_) => expected == "stuck",
        Wrong::Aborted(_) => expected == "aborted",
    };
    let (mut in_all, mut cut) = (0, false);
    let all = (0..ARRANGEMENTS).flat_map(|turn| smaller(topology).into_iter().map(move |t| (turn, t)));
    'search: for (turn, topology) in all {
        let mut setup = on(&program, &topology).random_ids(turn);
        for (param, value) in params {
            setup = setup.param(param, *value);
        }
        let instance = setup.build();
        for order in [Order::Breadth, Order::Depth] {
            if in_all >= MOST_IN_ALL {
                break 'search;
            }
            let max_configurations = MOST_CONFIGURATIONS;
            let options = Options { max_configurations, order, keep_going: true, ..Options::default() };
            let found = explore(&instance, Some(&wanted), &options, &mut |_| None);
            in_all += found.configurations;
            if found.counterexamples.iter().any(|c| shows(&c.what)) {
                return;
            }
            cut |= found.cut.is_some();
            // What has been seen as a whole need not be seen again from the other end.
            if found.cut.is_none() {
                break;
            }
        }
    }
    let known = TOO_LARGE.contains(&(edits[0].0, expected));
    assert!(known, "{edits:?}: no schedule on {topology} shows {expected} (all seen: {})", !cut);
}

/// The scenarios of a changed file that fail.
fn failing_scenarios(edits: &[Edit<'_>]) -> Vec<String> {
    let program = edited(edits[0].0, edits);
    let played = program.scenarios.iter().map(|s| play(&program, s, None, &mut |_, _, _, _, _| {}));
    played.filter(|p| !p.failures.is_empty()).map(|p| p.name).collect()
}

const TWICE: &[(&str, i64)] = &[("entries", 2)];
const TWO_MULTICASTS: &[(&str, i64)] = &[("multicasts", 2)];

// ---- Crashes

/// The same with so many crashes: random runs show it, and every schedule of the same instance.
#[track_caller]
fn caught_with_crashes(edits: &[Edit<'_>], topology: &str, crashes: u32, expected: &str) {
    let program = edited(edits[0].0, edits);
    let instance =
        on(&program, topology).param("f", i64::from(crashes)).faults(&[(Fault::Crash, crashes)]).build();
    let random =
        schedules(SEEDS).flat_map(|(schedule, seed)| judge(&instance, schedule, seed, 20_000).findings());
    let found: BTreeSet<String> = random.collect();
    assert!(found.contains(expected), "{edits:?}: found {found:?}, not {expected}");
    let wanted: Vec<String> = (expected != "aborted").then(|| expected.to_string()).into_iter().collect();
    let options = Options { max_configurations: MOST_IN_ALL, keep_going: true, ..Options::default() };
    let found = explore(&instance, Some(&wanted), &options, &mut |_| None);
    let shows = |what: &Wrong| match what {
        Wrong::Property(p) => program.properties[*p].name == expected,
        Wrong::Aborted(_) => expected == "aborted",
        Wrong::Stuck(_) => false,
    };
    assert!(found.counterexamples.iter().any(|c| shows(&c.what)), "{edits:?}: no schedule shows {expected}");
}

#[test]
fn floodset_with_one_round_less() {
    let hasty = [("floodset", "1..f + 1 do", "1..f do")];
    caught_with_crashes(&hasty, "complete(3)", 1, "agreement");
}

#[test]
fn floodset_that_tells_only_its_own_proposal() {
    caught_with_crashes(&[("floodset", "send known", "send {proposed}")], "complete(3)", 1, "agreement");
}

#[test]
fn floodset_that_forgets() {
    let forgets = [("floodset", "known := known + {", "known := {")];
    caught_with_crashes(&forgets, "complete(3)", 1, "agreement");
    // Who is left alone has heard nothing.
    caught_with_crashes(&forgets, "complete(2)", 1, "aborted");
}

// ---- Elections

#[test]
fn lelann_over_channels_that_are_not_fifo() {
    caught(
        &[("lelann", "unidirectional ring, fifo", "unidirectional ring, unordered")],
        "ring(5)",
        &[],
        "validity",
    );
}

#[test]
fn chang_roberts_that_lets_smaller_ids_pass() {
    let swallow = "q < id -> skip    ";
    caught(&[("chang_roberts", swallow, "q < id -> send Elect(q)")], "ring(4)", &[], "uniqueness");
    let swallow = "when q < id -> skip";
    caught(
        &[("chang_roberts_announced", swallow, "when q < id -> send Elect(q)")],
        "ring(4)",
        &[],
        "validity",
    );
}

#[test]
fn chang_roberts_where_a_bystander_passes_a_smaller_id_on() {
    let edit = ("chang_roberts_participants", "send Elect(max(q, id))", "send Elect(q)");
    caught(&[edit], "ring(4)", &[], "validity");
}

#[test]
fn hirschberg_sinclair_that_does_not_refuse() {
    let edit =
        ("hirschberg_sinclair", "[] j < id                   -> send Nak(j) to p", "[] j < id -> skip");
    caught(&[edit], "ring(5)", &[], "all_done");
}

#[test]
fn hirschberg_sinclair_that_goes_on_though_refused() {
    let edit =
        ("hirschberg_sinclair", "if refused   -> become relay", "if refused and id > id -> become relay");
    caught(&[edit], "ring(5)", &[], "cost");
}

#[test]
fn dolev_klawe_rodeh_that_compares_the_wrong_way() {
    caught(&[("dolev_klawe_rodeh", "if e > d and e > f", "if e < d and e < f")], "ring(5)", &[], "validity");
    caught(&[("dolev_klawe_rodeh", "if e > d and e > f", "if e > d")], "ring(5)", &[], "cost");
    caught(
        &[("dolev_klawe_rodeh", "unidirectional ring, fifo", "unidirectional ring, unordered")],
        "ring(5)",
        &[],
        "validity",
    );
}

#[test]
fn peterson_that_keeps_the_smaller_number() {
    caught(&[("peterson", "number := other; become odd", "become odd")], "ring(5)", &[], "validity");
}

#[test]
fn peterson_that_stops_at_its_own_id() {
    let edit = (
        "peterson",
        "if other = number -> elected := number; halt\n  [] other < number -> become even",
        "if other = id -> elected := id; halt\n  [] other < number and other != id -> become even",
    );
    caught(&[edit], "ring(5)", &[], "validity");
}

#[test]
fn franklin_that_gives_up_only_if_both_neighbours_are_greater() {
    let edit = ("franklin", "max(rival[left], rival[right]) > id", "min(rival[left], rival[right]) > id");
    caught(&[edit], "ring(4)", &[], "cost");
}

// ---- In rounds and by radio

#[test]
fn flooding_that_stops_a_round_too_early() {
    let edit = ("flooding", "1..diameter do", "1..diameter - 1 do");
    caught(&[edit], "line(5)", &[], "validity");
}

#[test]
fn flooding_of_changes_that_forgets_what_it_has_told() {
    assert!(!failing_scenarios(&[("flooding_changes", "; told := best", "")]).is_empty());
}

#[test]
fn time_slices_that_are_too_short_for_a_tour() {
    caught(&[("time_slice", "after n * int(id)", "after (n - 2) * int(id)")], "ring(5)", &[], "uniqueness");
}

#[test]
fn bits_by_radio_where_collisions_sound_like_silence() {
    let edit = ("radio_bitwise", "radio, collision detection", "radio");
    caught(&[edit], "complete(6)", &[], "agreement");
}

#[test]
fn beeps_that_are_not_passed_on() {
    caught(&[("beeping", "one := one or heard = beep", "skip")], "line(5)", &[], "uniqueness");
}

#[test]
fn frames_in_which_two_share_a_slot() {
    let edit = ("radio_multihop", "if slot = int(id) ", "if slot = int(id) div 2 ");
    caught(&[edit], "ring(5)", &[], "agreement");
}

// ---- Mutual exclusion

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

#[test]
fn maekawa_without_the_correction_of_sanders() {
    // The library has this mutant; nothing but a comment need change.
    caught(&[("maekawa_1985", "// Those who fall", "// Who falls")], "complete(7)", TWICE, "stuck");
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

#[test]
fn suzuki_kasami_that_serves_the_newest_first() {
    let edit = (
        "suzuki_kasami",
        "k := head(line)\n                   line := tail(line)",
        "k := last(line)\n remove k from line",
    );
    assert_eq!(failing_scenarios(&[edit]), ["round_the_circle"]);
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

// ---- Multicast

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

#[test]
fn a_total_order_by_stamps_where_nobody_acknowledges() {
    let edit = ("lamport_total", "  send Acknowledgement(clock) to others\n", "  skip\n");
    caught(&[edit], "complete(3)", &[], "validity");
}

// ---- More of mutual exclusion

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
    // Quorums {i, i + 1} of three share a process each, but all three may have one vote each.
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
}

#[test]
fn carvalho_roucairol_that_keeps_what_it_gives_away() {
    let edit = ("carvalho_roucairol", "       permissions := permissions except j\n", "");
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

// ---- Snapshots, deadlocks, termination

#[test]
fn chandy_lamport_over_channels_that_are_not_fifo() {
    let edit = ("chandy_lamport", "reliable, fifo", "reliable, unordered");
    caught(&[edit], "complete(3)", &[], "consistent_cut");
    caught(&[edit], "complete(3)", &[], "channels_right");
    caught(&[edit], "complete(3)", &[], "conserved");
}

#[test]
fn chandy_lamport_that_sends_no_markers_on() {
    let edit = ("chandy_lamport", "on Marker from p ->\n  begin_recording\n", "on Marker from p ->\n");
    caught(&[edit], "ring(3)", &[], "conserved");
}

#[test]
fn chandy_lamport_that_records_channels_after_their_markers_only() {
    let edits = [
        ("chandy_lamport", "if p in open     -> record", "if has_recorded and p not in open -> record"),
        ("chandy_lamport", "[] p not in open -> skip", "[] otherwise -> skip"),
    ];
    caught(&edits, "ring(3)", &[], "channels_right");
}

#[test]
fn chandy_lamport_where_the_application_goes_on_before_its_state_is_recorded() {
    let edit =
        ("chandy_lamport", "  await has_recorded            // the application", "  // the application");
    caught(&[edit], "line(2)", &[], "conserved");
}

#[test]
fn lai_yang_that_takes_red_messages_before_it_records_its_state() {
    let edit = ("lai_yang", "if by_red -> turn_red\n", "if by_red -> skip\n");
    caught(&[edit], "ring(3)", &[], "consistent_cut");
}

#[test]
fn lai_yang_that_does_not_wait_for_white_messages() {
    let edit = ("lai_yang", "p in expected and expected[p] = number(got, p)", "p in expected");
    // What comes after the end is recorded all the same, so it is only too early to say that it is complete.
    let strict = (
        "lai_yang",
        "       if red     -> record_message(m, p)",
        "       if red and not ended -> record_message(m, p)",
    );
    let otherwise = (
        "lai_yang",
        "       [] not red -> skip\n       fi\n  fi\n  deliver",
        "       [] otherwise -> skip\n       fi\n  fi\n  deliver",
    );
    caught(&[edit, strict, otherwise], "ring(3)", &[], "channels_right");
}

#[test]
fn edges_chased_to_any_process_a_second_time() {
    // Two ways to a process are no cycle.
    let edit = ("chandy_misra_haas_and", "and i = id ", "and (i = id or i in passed_on) ");
    caught(&[edit], "complete(4)", &[], "no_phantom");
}

#[test]
fn edges_chased_once_for_all_initiators() {
    let edit = (
        "chandy_misra_haas_and",
        "waits_for != {} and i not in passed_on",
        "waits_for != {} and passed_on = {}",
    );
    caught(&[edit], "complete(4)", &[], "found");
}

#[test]
fn queries_answered_by_who_is_active() {
    let edit = (
        "chandy_misra_haas_or",
        "if waits_for = {}    -> skip",
        "if waits_for = {}    -> send Reply(i) to j",
    );
    caught(&[edit], "complete(3)", &[], "no_phantom");
}

#[test]
fn queries_answered_before_one_s_own_are() {
    let edit = (
        "chandy_misra_haas_or",
        "missing[i] := size(waits_for)\n                          send Query(i) to waits_for",
        "missing[i] := 0\n                           send Reply(i) to j",
    );
    caught(&[edit], "complete(3)", &[], "no_phantom");
}

#[test]
fn dijkstra_scholten_that_answers_everything_at_once() {
    let edit = (
        "dijkstra_scholten",
        "  if engaged     -> send Signal to p\n",
        "  if engaged or true -> send Signal to p\n",
    );
    caught(&[edit], "line(3)", &[], "sound");
}

#[test]
fn dijkstra_scholten_that_leaves_with_answers_outstanding() {
    let edit = ("dijkstra_scholten", "engaged and passive and owed = 0", "engaged and passive");
    caught(&[edit], "line(3)", &[], "sound");
}

#[test]
fn safra_without_colours_or_without_counts() {
    let white = ("safra", "  black := true\n", "  black := false\n");
    caught(&[white], "complete(3)", &[], "sound");
    let uncounted = (
        "safra",
        "if not tokens_black and not black and tokens_count + count = 0",
        "if not tokens_black and not black",
    );
    caught(&[uncounted], "complete(3)", &[], "sound");
}

// ---- Waves, commitment, consensus

#[test]
fn echo_that_answers_before_it_has_heard_from_all() {
    let edit = ("echo", "    receive Token(counts[p]) from each p in neighbours except first_of_all\n", "");
    let leftovers = (
        "echo",
        "    send Token(counted) to father\n    halt",
        "    send Token(counted) to father\n    become done\n  state done\n    on Token(_) -> skip",
    );
    caught(&[edit, leftovers], "line(3)", &[], "everybody_counts");
    caught(&[edit, leftovers], "line(3)", &[], "dependence");
}

#[test]
fn two_phase_commit_that_does_not_look_at_the_votes() {
    let edit = (
        "two_phase_commit",
        "if false in set(values(votes)) then abort else commit",
        "if true in set(values(votes)) then commit else abort",
    );
    caught(&[edit], "star(2)", &[], "AC1");
    caught(&[edit], "star(2)", &[], "AC3");
}

#[test]
fn paxos_that_proposes_its_own_whatever_was_accepted() {
    let edit = (
        "paxos",
        "if max(reports).1.1 = 0 then own else max(reports).2",
        "if max(reports).1.1 >= 0 then own else max(reports).2",
    );
    caught(&[edit], "complete(3)", &[], "agreement");
    caught(&[edit], "complete(3)", &[], "chosen_stays");
}

#[test]
fn paxos_whose_acceptors_forget_their_promises() {
    let edit = (
        "paxos",
        "  if b >= promised -> promised := b             // equal",
        "  if b >= promised -> skip             // equal",
    );
    caught(&[edit], "complete(3)", &[], "agreement");
}

#[test]
fn paxos_with_halves_in_place_of_majorities() {
    let edits = [
        ("paxos", "       if size(promises) > n div 2 ->", "       if size(promises) >= n div 2 ->"),
        ("paxos", "       await size(promises) > n div 2", "       await size(promises) >= n div 2"),
        ("paxos", "            if size(accepted) > n div 2", "            if size(accepted) >= n div 2"),
        (
            "paxos",
            "            await size(accepted) > n div 2",
            "            await size(accepted) >= n div 2",
        ),
    ];
    caught(&edits, "complete(2)", &[], "agreement");
}

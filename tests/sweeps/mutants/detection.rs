//! Mistakes in snapshots, and in the detection of deadlocks and of termination.

use super::{caught, killed};

/// At most one gift from each, of no value: few enough configurations for an exhaustive search.
const POOR: &[(&str, i64)] = &[("gifts", 1), ("capital", 1)];

#[test]
fn chandy_lamport_over_channels_that_are_not_fifo() {
    let edit = ("chandy_lamport", "reliable, fifo", "reliable, unordered");
    caught(&[edit], "complete(3)", &[], "consistent_cut");
    caught(&[edit], "complete(3)", POOR, "channels_right");
    caught(&[edit], "complete(3)", &[], "conserved");
}

#[test]
fn chandy_lamport_that_sends_no_markers_on() {
    let edit = ("chandy_lamport", "on Marker from p ->\n  begin_recording\n", "on Marker from p ->\n");
    caught(&[edit], "ring(3)", &[], "conserved");
    caught(&[edit], "line(2)", &[("gifts", 1)], "nothing_late");
}

#[test]
fn chandy_lamport_that_ends_recording_when_it_has_sent_its_markers() {
    let edits = [
        (
            "chandy_lamport",
            "       send Marker to neighbours\n       end_if_all_closed\n",
            "       send Marker to neighbours\n       recording_ends\n",
        ),
        // The problem must detect it, without help from the algorithm.
        (
            "chandy_lamport",
            "invariant open_channels: forall p: (p.open = {}) = (p.complete or not p.has_recorded)",
            "",
        ),
    ];
    caught(&edits, "line(2)", &[("gifts", 1)], "nothing_late");
}

#[test]
fn chandy_lamport_that_records_channels_after_their_markers_only() {
    let edits = [
        ("chandy_lamport", "if p in open     -> record", "if has_recorded and p not in open -> record"),
        ("chandy_lamport", "[] p not in open -> skip", "[] otherwise -> skip"),
    ];
    caught(&edits, "ring(3)", POOR, "channels_right");
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
    // Messages after the end are still recorded: too late.
    caught(&[edit], "line(2)", &[("gifts", 1)], "nothing_late");
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

/// A process that has not started itself learns of the snapshot from the count, and from nothing else if no gift arrives.
#[test]
fn lai_yang_whose_counts_make_nobody_record_its_state() {
    let edit = ("lai_yang", "on Count(white) from p ->\n  turn_red\n", "on Count(white) from p ->\n");
    caught(&[edit], "line(2)", POOR, "all_complete");
    caught(&[edit], "line(2)", POOR, "progress");
}

#[test]
fn edges_chased_to_any_process_a_second_time() {
    // Two paths to a process are not a cycle.
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
fn queries_answered_by_active_processes() {
    let edit = (
        "chandy_misra_haas_or",
        "if waits_for = {}         -> skip",
        "if waits_for = {}         -> send Reply(i) to j",
    );
    caught(&[edit], "complete(3)", &[], "no_phantom");
}

#[test]
fn queries_answered_before_one_s_own_are() {
    let edit = (
        "chandy_misra_haas_or",
        "missing[i] := size(waits_for)\n                               send Query(i) to waits_for",
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

/// After any work the token circulates forever, and no process announces termination: no run has an end that a property could
/// check.
#[test]
fn safra_that_never_whitens() {
    let edits = [
        ("safra", "  token := false\n  black := false\n\n", "  token := false\n\n"),
        ("safra", "       token := false\n       black := false\n", "       token := false\n"),
    ];
    killed(&edits, "complete(2)", &[("tasks", 1)], "progress");
}

//! Mistakes in elections, and in algorithms for rounds or radio.

use super::{caught, failing_scenarios};

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

/// As the notes literally say: a process that forwards a greater identifier remains a bystander.
#[test]
fn chang_roberts_whose_forwarders_take_no_part() {
    let edit = (
        "chang_roberts_participants",
        "send Elect(max(q, id)); become participant",
        "if q > id -> send Elect(q) [] otherwise -> send Elect(id); become participant fi",
    );
    caught(&[edit], "ring(4)", &[], "E2");
    caught(&[edit], "ring(4)", &[], "all_bystanders");
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

//! Mistakes in elections on graphs and grids. Catalogue: the notes on errors of E18, E24 to E27.

use crate::mutants::caught;

#[test]
fn ghs_that_answers_tests_too_early() {
    let edits = [
        ("ghs", "  defer Test(l, f) when l > level\n", ""),
        ("ghs", "on Test(l, f) from j when l <= level ->", "on Test(l, f) from j ->"),
    ];
    caught(&edits, "complete(4)", &[], "stuck");
}

#[test]
fn ghs_over_channels_that_are_not_fifo() {
    caught(&[("ghs", "loops, fifo", "loops, unordered")], "complete(4)", &[], "stuck");
}

#[test]
fn mega_merger_that_calls_a_smaller_city_outside_too_early() {
    let defer = "  defer Outside(l, c) from p when l > level              // this city may have to grow before it can tell\n";
    let edits = [
        ("mega_merger", defer, ""),
        ("mega_merger", "on Outside(l, c) from p when l <= level ->", "on Outside(l, c) from p ->"),
    ];
    caught(&edits, "complete(4)", &[], "stuck");
}

#[test]
fn korach_kutten_moran_where_a_pursuer_overtakes() {
    caught(&[("korach_kutten_moran", "fifo, unique", "unordered, unique")], "complete(4)", &[], "progress");
}

#[test]
fn tarry_who_goes_back_to_the_father_too_early() {
    let edit = ("korach_kutten_moran", "onward := { p in free | p != father }", "onward := free");
    caught(&[edit], "random(8, 12, seed: 1)", &[], "uniqueness");
}

#[test]
fn shout_with_extinction_that_counts_echoes_of_other_waves() {
    let edit = ("shout_extinction", "wave, echoes, father := w, 0, p", "wave, father := w, p");
    caught(&[edit], "random(8, 12, seed: 1)", &[], "announcement");
}

/// As the encyclopedia literally says: NO to all after «only one» NO. With two, it passes for agreement.
#[test]
fn yo_yo_that_says_no_to_all_after_exactly_one_no() {
    let edit = ("yo_yo", "forall p in outgoing: yes[p]", "(count p in outgoing: not yes[p]) != 1");
    caught(&[edit], "random(8, 12, seed: 1)", &[], "uniqueness");
}

/// All ends look right: only stability detects it.
#[test]
fn a_winner_on_a_torus_that_can_still_be_beaten() {
    let edit = (
        "torus_stages",
        "[] otherwise                           -> stage := i + 1  ",
        "[] otherwise -> skip  ",
    );
    caught(&[edit], "torus(2, 4)", &[], "leader_for_ever");
}

#[test]
fn territories_that_fight_no_greater_rivals() {
    let edit = ("torus_stages", "found := keys(marks)", "found := { y in keys(marks) | y < x }");
    caught(&[edit], "torus(2, 4)", &[], "agreement");
}

//! The library on the command line, and skeletons for new algorithms.

use crate::cli::harness::{folder, session, synod, synod_in, synod_with};
use insta::assert_snapshot;

#[test]
fn the_list_of_the_library() {
    assert_snapshot!(session([
        synod(&["list"]),
        synod(&["list", "--problem", "mutual-exclusion", "--assumes", "unordered"]),
        synod(&["list", "--topology", "ring", "--assumes", "unordered"]),
        synod(&["list", "--model", "radio", "--topology", "complete"]),
        synod(&["list", "--model", "asynchronous", "--model", "anonymous", "--problem", "election"]),
        synod(&["list", "--model", "synchronous", "--assumes", "knows diameter"]),
        synod(&["list", "--model", "radio", "--problem", "Multicast"]),
        synod(&["list", "--model", "asynchron"]),
        synod(&["list", "--problem", "Elektion"]),
        synod(&["list", "--topology", "moebius strip"]),
    ]));
}

#[test]
fn show_prints_the_file_as_it_is_below_its_entry() {
    let text = include_str!("../../../stdlib/election/ring/lelann.syn");
    assert_eq!(synod(&["show", "lelann", "--source"]).stdout, text);
    assert_eq!(synod(&["show", "lelann.syn", "--source"]).stdout, text);
    let entry = |name: &str, text: &str| {
        let ran = synod(&["show", name]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran}");
        ran.stdout.strip_suffix(text).unwrap_or_else(|| panic!("{name} ends with its text")).to_string()
    };
    assert_snapshot!(
        [
            entry("lelann", text),
            entry("voting", include_str!("../../../stdlib/mutex/voting.syn")),
            entry("k_state_ring", include_str!("../../../stdlib/selfstab/k_state_ring.syn")),
            entry("MutualExclusion", include_str!("../../../stdlib/problems/mutual_exclusion.syn")),
        ]
        .join("-----\n")
    );
}

#[test]
fn names_that_the_library_does_not_have() {
    assert_snapshot!(session([synod(&["show", "lelan"]), synod(&["show", "x", "--source"])]));
}

#[test]
fn the_whole_library_checks() {
    let list = synod(&["list"]).stdout;
    let names: Vec<&str> = list.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
    let ran = synod(&[&["check"], &names[..]].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran}");
}

#[test]
fn skeletons_check_without_a_warning_and_run() {
    for problem in ["Election", "MutualExclusion", "Multicast"] {
        let here = folder(&format!("new_{problem}"), &[]);
        let ran = synod_in(&here, &["new", "mine", "--problem", problem]);
        assert_eq!(ran.code, 0, "{ran}");
        for words in [&["check", "mine.syn"][..], &["run", "mine.syn"], &["test", "mine.syn"]] {
            let ran = synod_in(&here, words);
            assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran}");
        }
        let ran = synod_in(&here, &["run", "mine.syn", "--runs", "20"]);
        assert!(ran.stdout.contains("no violation in 20 runs"), "{ran}");
    }
}

#[test]
fn names_and_files_of_skeletons() {
    let here = folder("new", &[]);
    let try_name = |words: &[&str]| synod_in(&here, &[&["new"], words].concat());
    assert_snapshot!(session([
        try_name(&["mine"]),
        try_name(&["mine"]),
        try_name(&["mine", "--force", "-q"]),
        try_name(&["my-own"]),
        try_name(&["2nd"]),
        try_name(&["état"]),
        try_name(&["state"]),
        try_name(&["nowhere/mine"]),
        try_name(&["mine", "--problem", "Gossip"]),
    ]));
}

/// On a narrow terminal, the description of an algorithm has priority over its execution model.
#[test]
fn a_narrow_list_says_what_things_are() {
    let here = folder("narrow_list", &[]);
    let listed = |columns: &str| synod_with(&here, &["list"], b"", &[("COLUMNS", columns)]).stdout;
    for (columns, head) in [
        ("200", "NAME PROBLEM TOPOLOGY MODEL SUMMARY"),
        ("120", "NAME PROBLEM SUMMARY"),
        ("80", "NAME SUMMARY"),
        ("20", "NAME"),
    ] {
        let text = listed(columns);
        let first: Vec<&str> = text.lines().next().unwrap().split_whitespace().collect();
        assert!(first.join(" ").starts_with(head), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= columns.parse().unwrap()), "{text}");
    }
    assert!(
        listed("80").contains("bully                                The bully algorithm: crashes"),
        "{}",
        listed("80")
    );
}

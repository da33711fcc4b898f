//! `stdlib/README.md` agrees with the descriptions and the measured costs of the library files, whose comments are summarized.

use synod::internals::catalogue::{Verified, cards, figures, summary};
use synod::internals::render::catalogue::{markdown, unshelved};

/// Infinite runs have no figures.
const ENDLESS: &[&str] = &[
    "leader_oracle_ring",
    "lelann_regeneration",
    "burns_pachl",
    "four_state_line",
    "herman",
    "k_state_ring",
    "three_state_ring",
];

#[test]
fn the_page_is_up_to_date() {
    let kept = include_str!("../../stdlib/README.md").replace("\r\n", "\n");
    let made = markdown();
    let differ = kept.lines().zip(made.lines()).enumerate().find(|(_, (old, new))| old != new);
    assert!(
        kept == made,
        "stdlib/README.md lags behind the files: run `cargo run -- list --markdown > page.md && mv page.md stdlib/README.md`. The first line that \
         differs, and what it should be: {differ:#?}"
    );
}

#[test]
fn every_file_has_its_place() {
    let cards = cards();
    assert_eq!(
        unshelved(&cards),
        Vec::<&str>::new(),
        "a folder without a shelf: see src/render/catalogue/families.rs"
    );
    for card in &cards {
        assert!(!card.paragraphs().is_empty(), "{} says nothing of itself", card.path);
        assert!(card.source.as_deref() != Some(""), "{}: «Source:» is empty", card.path);
    }
}

#[test]
fn all_terminating_algorithms_have_figures() {
    let algorithms = cards().into_iter().filter_map(|card| Some((card.name, card.program?)));
    let without = algorithms.filter(|(_, program)| figures(program).len() < 3).map(|(name, _)| name);
    assert_eq!(without.collect::<Vec<_>>(), ENDLESS);
}

#[test]
fn figures_are_deterministic() {
    let program =
        cards().into_iter().find(|card| card.name == "random_ids").and_then(|card| card.program).unwrap();
    let first = figures(&program);
    assert_eq!(first, figures(&program));
    assert!(first.iter().all(|figure| figure.messages.0 <= figure.messages.1 && figure.n > 0));
}

#[test]
fn a_summary_is_one_sentence_without_references() {
    for (doc, expected) in [
        ("", ""),
        (
            "Saturation: election\nin a tree. (Santoro, Design and Analysis, 2007.)\n\nMore.",
            "Saturation: election in a tree",
        ),
        ("A. Then B.", "A"),
        (
            "Franklin, 1982 (On an improved algorithm for finding, CACM 25):\nelection.",
            "Franklin, 1982: election",
        ),
        (
            "As Coulouris et al. tell it (Concepts and Design, a long book): any process.",
            "As Coulouris et al. tell it: any process",
        ),
        ("Agreement (consensus): O(n log n) (f(x) too).", "Agreement (consensus): O(n log n) (f(x) too)"),
        ("A negative example: *it deadlocks.* So it is.", "A negative example: *it deadlocks.* So it is"),
        ("No end", "No end"),
    ] {
        assert_eq!(summary(doc), expected);
    }
}

#[test]
fn lines_of_the_file_of_verified_networks() {
    let read = Verified::parse("lelann\tring(5)\t1234").unwrap();
    assert_eq!((read.algorithm.as_str(), read.network.as_str()), ("lelann", "ring(5)"));
    assert_eq!(read.configurations, 1234);
    assert_eq!(Verified::parse("# algorithm\tnetwork\tconfigurations"), None);
    assert_eq!(Verified::parse("lelann\tring(5)"), None);
    assert_eq!(Verified::parse(""), None);
}

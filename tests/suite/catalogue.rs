//! `stdlib/README.md` agrees with the descriptions and the measured costs of the library files.

use synod::internals::catalogue::{cards, figures};
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

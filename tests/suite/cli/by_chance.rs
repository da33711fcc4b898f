//! `verify --order random`.

use crate::cli::harness::{folder, session, synod, synod_in};
use insta::assert_snapshot;

/// Too large for a breadth-first search: it explores every interleaving of the first steps, and no end.
#[test]
fn a_large_network_by_chance() {
    let verify = |order: &[&str]| {
        let most = ["--max-configurations", "5000", "--no-events", "--no-diagram"];
        synod(&[&["verify", "voting", "--on", "complete(7)"], order, &most].concat())
    };
    assert_snapshot!(session([verify(&[]), verify(&["--order", "random", "--seed", "1"])]));
    let found = |seed: &str| verify(&["--order", "random", "--seed", seed]).stdout;
    assert_eq!(found("5"), found("5"));
    assert_ne!(found("5"), found("6"), "another seed, another way");
}

/// Too many initial configurations to enumerate: the random order draws some, and reports it.
#[test]
fn too_many_initial_configurations() {
    let text = "algorithm anything
assumes complete, unique ids
var x : 0..99 := any
state s
  pause
  become t
state t
invariant rare: (sum p: p.x) != 500
invariant bounded: (sum p: p.x) <= 99 * n
";
    let here = folder("anything", &[("anything.syn", text.as_bytes())]);
    let verify = |more: &[&str]| {
        synod_in(
            &here,
            &[&["verify", "anything.syn", "--on", "complete(10)", "--order", "random"], more].concat(),
        )
    };
    let found = verify(&["--quiet"]);
    assert_eq!(found.code, 1, "{found}");
    assert!(found.stdout.starts_with("rare violated"), "{found}");
    assert_eq!(found.stdout, verify(&["--quiet"]).stdout);
    let bounded = verify(&["--property", "bounded", "--max-configurations", "4000000"]);
    assert_eq!(bounded.code, 3, "{bounded}");
    let said = "search incomplete: only 4096 initial configurations explored, drawn at random\n";
    assert!(bounded.stdout.contains(said), "{bounded}");
    // Of fewer, all are explored.
    let few =
        synod_in(&here, &["verify", "anything.syn", "--on", "complete(1)", "--order", "random", "--quiet"]);
    assert_eq!(few.code, 0, "{few}");
    assert!(few.stdout.contains("\n200 configurations, 100 steps"), "{few}");
}

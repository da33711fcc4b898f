//! Pairwise interactions and processes that read their neighbours one at a time: steps found in tables, compared with the naive
//! explorer; and without names, the minimum number of configurations.

use crate::common::*;
use crate::explore::moves::is_as_naive;
use synod::internals::explore::{Exploration, ExploreOptions, ViolationKind, explore};
use synod::internals::instance::Instance;

fn search(instance: &Instance, symmetry: bool) -> Exploration {
    let options = ExploreOptions { symmetry, keep_going: true, ..ExploreOptions::default() };
    explore(instance, None, &options, &mut |_| None)
}

const MAJORITY: &str = "algorithm majority
assumes NETWORK, anonymous, pairwise interactions
enum Opinion = no | blank | yes
var opinion : Opinion := any
on interaction(v) when opinion = yes and v.opinion = no or opinion = no and v.opinion = yes ->
  v.opinion := blank
on interaction(v) when opinion != blank and v.opinion = blank -> v.opinion := opinion
settles agreed: some o in {no, blank, yes}: forall p: p.opinion = o
settles yes_wins: forall p: p.opinion = yes
invariant one_each: (count p: p.opinion = yes) + (count p: p.opinion = no) < n
";

/// Commands with choices and random choices, guards and commands that fail at some partners, and a cycle.
const CHOOSING: &str = "algorithm choosing
assumes NETWORK, anonymous, pairwise interactions, randomness
var x : 0..3
var y : Int
on interaction(v) when x = v.x ->
  choose k in {0, 1}
  if k = 0 -> x := random({1, 2}) [] otherwise -> v.x := (v.x + 1) mod 3 fi
on interaction(v) when x > v.x -> x, v.x := v.x, x
on interaction(v) when x = 2 and v.x = 1 and 4 div (y - v.y) >= 0 -> y := y + 1 - v.y
on interaction(v) when v.x = 0 -> v.x := v.x + x * 2
invariant calm: (count p: p.x = 2) < 2
eventually met: (count p: p.x = 1) >= 2
settles still: forall p: p.x != 1
leads low_high: (some p: p.x = 0) leads to (some p: p.x = 2)
stable high: (count p: p.x >= 1) = n
";

/// The step that makes a process lose its token leads to an equivalent configuration, as does one that changes nothing.
const SWAPPING: &str = "algorithm swapping
assumes NETWORK, anonymous, pairwise interactions
var lit : Bool := any
on interaction(v) when lit -> skip
on interaction(v) when lit and not v.lit -> lit, v.lit := false, true
stable keeps for p in processes: p.lit
settles dark: forall p: not p.lit
";

/// Enabled processes, which depend on all neighbours at once.
const ENABLED: &str = "algorithm enabled
assumes NETWORK, anonymous, pairwise interactions
var x : 0..2 := any
on interaction(v) when x > v.x -> v.x := v.x + 1
invariant not_one: (count p: p.enabled) != 1
invariant not_all: (count p: p.enabled) < n
stable rest: forall p: not p.enabled
eventually calm: forall p: not p.enabled
";

/// Colours that never rest.
const MOVING: &str = "algorithm moving
assumes NETWORK, anonymous, pairwise interactions
var lit, hot : Bool
on interaction(v) when not hot and not v.hot and not lit and not v.lit -> lit := true
on interaction(v) when lit and not v.lit -> lit, v.lit := false, true
                                            v.hot := not v.hot
on interaction(v) when lit and hot and v.lit -> hot := false
settles even: (count p: p.hot) mod 2 = 0
eventually all_hot: forall p: p.hot
leads cools: (some p: p.hot) leads to (forall p: not p.hot)
stable keeps for p in processes: p.lit or p.hot
";

/// Oracles, one of which fails in some configurations.
const ASKING: &str = "algorithm asking
assumes NETWORK, anonymous, pairwise interactions, oracle some_lit, oracle is_spread
var lit : Bool := any
var x : 0..2
function some_lit() : Bool = some p: p.lit
function is_spread() : Bool = n div (count p: p.x = 0) >= 2
on interaction(v) when not some_lit() -> lit, v.x := true, (v.x + 1) mod 3
on interaction(v) when some_lit() and lit and not v.lit -> lit, v.lit := false, true
on interaction(v) when lit and v.lit -> v.lit := false
                                        if is_spread() -> x := 0 [] otherwise -> x := 2 fi
settles one: (count p: p.lit) = 1
stable keeps for p in processes: p.lit
leads moves: (some p: p.x = 1) leads to (some p: p.x = 2)
";

const READING: &str = "algorithm reading
assumes NETWORK, anonymous, reads neighbours, central daemon
var x : 0..2 := any
var seen : set of Port
var turns : 0..2
when some q in neighbours with q.x > x and q not in seen -> x := x + 1
                                                            seen := seen + {q}
when (forall q in neighbours: q.x = x) and turns < 2 -> turns := turns + 1
when (some q in neighbours: q in seen and q.x = 0) -> x := 3 div (x - 1)
invariant few: (count p: size(p.seen) = 2) < 2
invariant at_most: forall p: p.turns <= 1
eventually done: forall p: p.turns = 2
stable up: (sum p: p.x) >= 2
";

/// Programs and networks, which `twins` explores with and without symmetry, too.
pub fn instances() -> Vec<(String, Instance)> {
    let mut all = Vec::new();
    for (name, text, networks) in [
        ("majority", MAJORITY, ["complete(2)", "complete(4)", "star(3)", "line(3)", "ring(4)"].as_slice()),
        ("choosing", CHOOSING, ["complete(2)", "complete(3)", "star(2)", "line(3)", "ring(3)"].as_slice()),
        ("enabled", ENABLED, &["complete(2)", "complete(3)", "star(2)", "line(3)", "ring(3)"]),
        ("swapping", SWAPPING, &["complete(2)", "complete(3)", "star(2)", "line(2)", "ring(3)"]),
        ("moving", MOVING, &["complete(2)", "complete(4)", "star(3)", "line(3)", "ring(4)"]),
        ("asking", ASKING, &["complete(2)", "complete(3)", "star(2)", "line(3)", "ring(3)"]),
        ("reading", READING, ["complete(2)", "complete(3)", "star(3)", "line(3)", "ring(3)"].as_slice()),
    ] {
        for network in networks {
            let family = network.split('(').next().expect("a family");
            let kind = if family == "ring" { "bidirectional ring" } else { family };
            let text = text.replace("NETWORK", kind);
            all.push((format!("{name} on {network}"), on(&source(&text), network).build()));
        }
    }
    all
}

#[test]
fn as_with_whole_configurations() {
    for (name, instance) in instances() {
        is_as_naive(&instance, &name);
    }
}

/// Symmetry keeps verdicts, and its counterexamples are real: see `twins`. Here some of them are cycles, and some abort.
#[test]
fn symmetry_applies_to_cycles_and_runtime_errors() {
    let (mut cycles, mut aborts) = (0, 0);
    for (name, instance) in instances() {
        let (all, fewer) = (search(&instance, false), search(&instance, true));
        for (one, other) in all.counterexamples.iter().zip(&fewer.counterexamples) {
            assert_eq!(one.repeats_from.is_some(), other.repeats_from.is_some(), "{name}");
            cycles += usize::from(fewer.symmetric && other.repeats_from.is_some());
            aborts += usize::from(fewer.symmetric && matches!(other.kind, ViolationKind::Aborted(_)));
        }
        // In the other programs, some renumbering keeps complete networks and stars.
        let asks = name.starts_with("enabled");
        assert!(fewer.symmetric != asks || name.contains("line") || name.contains("star(2)"), "{name}");
    }
    assert!(cycles >= 2 && aborts >= 2, "{cycles}, {aborts}");
}

/// Without names, the processes of a complete network are a multiset of local states: k of n + k - 1.
#[test]
fn everybody_is_a_multiset() {
    for n in [1, 2, 3, 5, 8] {
        let instance =
            on(&source(&MAJORITY.replace("NETWORK", "complete")), &format!("complete({n})")).build();
        let found = search(&instance, true);
        assert_eq!(found.configurations, (n + 1) * (n + 2) / 2, "{n}");
    }
    // The centre of a star reads the multiset of its leaves.
    let reading = "algorithm reading\nassumes star, anonymous, reads neighbours, central daemon\nvar x : 0..2 := any\n\
                   when some q in neighbours with q.x > x -> x := x + 1\ninvariant small: forall p: p.x <= 2\n";
    for leaves in [2, 3, 5] {
        let instance = on(&source(reading), &format!("star({leaves})")).build();
        let found = search(&instance, true);
        assert_eq!(found.configurations, 3 * (leaves + 1) * (leaves + 2) / 2, "{leaves}");
    }
}

/// Faults, oracles, a neighbour's ports and messages by identifier leave no symmetry.
#[test]
fn off_if_processes_can_be_told_apart() {
    let neighbour = |more: &str, body: &str| {
        format!(
            "algorithm apart\nassumes complete, reads neighbours, central daemon{more}\nvar x : 0..1\nvar at : Port?\n\
             when some q in neighbours with q.x = x ->\n  {body}\ninvariant small: (count p: p.x = 1) <= n\n"
        )
    };
    for text in [
        neighbour(", anonymous", "at := q\n  x := if q.at = none then 1 else 0"),
        neighbour(", unique ids, knows neighbours", "x := if neighbour(q) < id then 1 else 0"),
    ] {
        let instance = on(&source(&text), "complete(3)").build();
        assert!(!search(&instance, true).symmetric, "{text}");
    }
    let crashing = neighbour(", anonymous, crashes", "x := 1 - x");
    let instance =
        on(&source(&crashing), "complete(3)").faults(&[(synod::internals::ir::Fault::Crash, 1)]).build();
    assert!(!search(&instance, true).symmetric);
}

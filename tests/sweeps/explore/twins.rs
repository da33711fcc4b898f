//! Interchangeable processes, and indistinguishable ports: the minimum number of configurations, the same verdicts, and real
//! runs.

use crate::common::*;
use crate::explore::pairs;
use std::collections::BTreeSet;
use synod::internals::explore::{Exploration, ExploreOptions, explain, explore};
use synod::internals::instance::Instance;
use synod::internals::property::Judgement;

fn search(instance: &Instance, symmetry: bool, reduce: bool, threads: usize) -> Exploration {
    let options = ExploreOptions {
        symmetry,
        reduce,
        threads,
        dead_messages: false,
        forget_wakeups: false,
        keep_going: true,
        ..ExploreOptions::default()
    };
    explore(instance, None, &options, &mut |_| None)
}

fn counts(text: &str, topology: &str) -> (u64, u64) {
    let instance = on(&source(text), topology).build();
    let found = search(&instance, true, false, 1);
    assert!(found.symmetric, "{topology}");
    (found.configurations, search(&instance, false, false, 1).configurations)
}

/// Return the number of multisets: k from n, with repetition.
fn multisets(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |all, i| all * (n + i) / (i + 1))
}

fn dice(sides: u64, properties: &str) -> String {
    format!(
        "algorithm dice assumes star, one Hub, randomness
message T(k: Int)
role Hub
  ignore T
role Leaf
  var x : Int
  state s
    x := random(1..{sides})
    send T(x)
    halt
{properties}
"
    )
}

/// Every leaf throws a die of m sides and sends it: 2 m states including its message in transit, and the leaves form a multiset.
#[test]
fn leaves_of_a_star_are_a_multiset() {
    for (leaves, sides) in [(1, 2), (2, 2), (3, 2), (4, 2), (3, 3), (5, 1)] {
        let text = dice(sides, "invariant thrown: forall p in Leaf: p.x >= 1");
        let instance = on(&source(&text), &format!("star({leaves})")).build();
        let found = search(&instance, true, false, 1);
        assert_eq!(found.symmetric, leaves > 1);
        assert_eq!(found.configurations, multisets(2 * sides, leaves), "{leaves} leaves, {sides} sides");
        let all = search(&instance, false, false, 1).configurations;
        assert_eq!(all, (2 * sides).pow(leaves as u32));
    }
}

/// The same with counters of messages and chains: the state of each leaf determines the counts.
#[test]
fn counters_follow_their_processes() {
    for (leaves, sides) in [(2, 2), (3, 2), (4, 2), (3, 3)] {
        let text = dice(sides, &format!("invariant few: messages <= {leaves}\ninvariant short: time <= 1"));
        let instance = on(&source(&text), &format!("star({leaves})")).build();
        for name in ["few", "short"] {
            let search = |symmetry| {
                let options = ExploreOptions {
                    symmetry,
                    dead_messages: false,
                    forget_wakeups: false,
                    ..ExploreOptions::default()
                };
                let found = explore(&instance, Some(&[name.into()]), &options, &mut |_| None);
                assert_eq!(verdicts(&found), [(name.to_string(), Judgement::Holds)]);
                found.configurations
            };
            assert_eq!(search(true), multisets(2 * sides, leaves), "{name}: {leaves} leaves, {sides} sides");
            assert_eq!(search(false), (2 * sides).pow(leaves as u32));
        }
    }
}

/// Ports stored by the hub are distinguished by their use: the order of a queue matters, that of a set or map does not.
#[test]
fn ports_that_are_kept_follow_their_processes() {
    let text = |keep: &str| {
        format!(
            "algorithm keeps assumes star, one Hub, randomness
message T(k: Int)
role Hub
  var line : queue of Port
  var here : set of Port
  var value : map of Port to Int
  on T(k) from p -> {keep}
role Leaf
  state s
    x := random(1..2)
    send T(x)
    x := 0
    halt
  var x : Int
invariant true
"
        )
    };
    let fits = |keep: &str, leaves: u64, expected: u64| {
        let text = text(keep).replace("invariant true\n", "");
        let (found, _) = counts(&text, &format!("star({leaves})"));
        assert_eq!(found, expected, "{keep} on star({leaves})");
    };
    for leaves in 2..=4u64 {
        // A leaf that has not been heard has thrown 1 or 2; the values of those heard are gone.
        let gone: u64 = (0..=leaves).map(|k| multisets(2, leaves - k)).sum();
        fits("here := here + {p}", leaves, gone);
        fits("line := line + [p]", leaves, gone);
        // The values of those heard are kept.
        fits("value[p] := k", leaves, (0..=leaves).map(|k| multisets(2, k) * multisets(2, leaves - k)).sum());
        // In order of arrival, besides.
        let in_order = (0..=leaves).map(|k| 2u64.pow(k as u32) * multisets(2, leaves - k)).sum();
        fits("line := line + [p]; value[p] := k", leaves, in_order);
    }
}

/// The relation «has heard of» is a directed graph: the number of unlabelled ones is OEIS A000273, of 2^(n (n - 1)) labelled
/// ones.
#[test]
fn everybody_with_everybody_is_a_graph_without_names() {
    let text = "algorithm heard assumes complete
message T
var from_whom : set of Port
var count : map of Port to Int
state s
  send T to neighbours
  become up
state up
  on T from p -> from_whom := from_whom + {p}
";
    for (n, graphs) in [(2, 3), (3, 16), (4, 218)] {
        let (found, all) = counts(text, &format!("complete({n})"));
        assert_eq!(all, 1 << (n * (n - 1)), "{n}");
        assert_eq!(found, graphs, "{n}");
    }
}

/// Programs that use ports in every way that does not distinguish them, some of them wrong.
fn programs() -> Vec<(&'static str, String, Vec<&'static str>)> {
    let voting = |guard: &str, property: &str| {
        format!(
            "algorithm votes assumes complete
message Ask, Yes, No
var given : Port?
var yes : set of Port
var no : Int
var won : Bool
state s
  send Ask to neighbours
  become up
state up
  on Ask from p ->
    if {guard} -> given := p
                  send Yes to p
    [] otherwise -> send No to p
    fi
  on Yes from p ->
    yes := yes + {{p}}
    if size(yes) = degree -> won := true
    [] otherwise -> skip
    fi
  on No -> no := no + 1
{property}
"
        )
    };
    vec![
        (
            "one vote for each",
            voting("given = none", "invariant safe: (count p: p.won) <= 1"),
            vec!["complete(2)", "complete(3)"],
        ),
        (
            "votes for all",
            voting("given = none or true", "invariant safe: (count p: p.won) <= 1"),
            vec!["complete(3)"],
        ),
        (
            "somebody wins",
            voting("given = none", "eventually done: some p: p.won\nfinally none_left: forall p: p.no = 0"),
            vec!["complete(2)", "complete(3)"],
        ),
        (
            "each of them",
            voting(
                "given = none",
                "eventually each for p: p.given != none\nstable kept for p: p.given != none\nfinally lost for p: p.no > 0",
            ),
            vec!["complete(3)"],
        ),
        (
            "pairs",
            "algorithm two assumes star, one Hub
message T, U
role Hub
  var given : set of Port
  on T from p ->
    if size(given) < 2 -> given := given + {p}
                          send U to p
    [] otherwise -> skip
    fi
role Leaf
  var has : Bool
  state s
    send T
    become up
  state up
    on U -> has := true
eventually one for p in Leaf, q in Leaf: p = q or p.has or q.has
stable kept for p in Leaf: p.has
"
            .into(),
            vec!["star(3)", "star(4)", "star(5)"],
        ),
        (
            "a command that goes wrong",
            "algorithm wrong assumes star, one Hub
message T, U
role Hub
  var line : queue of Port
  var seen : map of Port to Int
  on T from p -> line := line + [p]
                 seen[p] := 1
                 send U to head(line)
  on U from p -> assert seen[p] = 1
                 line := tail(line)
                 x := seen[head(line)]
  var x : Int
role Leaf
  state s
    send T
    receive U
    send U
"
            .replace("assert seen[p] = 1", "x := seen[p]"),
            vec!["star(2)", "star(3)"],
        ),
        (
            "loops",
            "algorithm loops assumes star, one Hub
message T, U
role Hub
  var open : set of Port
  var told : map of Port to Int
  var turns : Int
  on T from p ->
    open := open + {p}
    told[p] := 0
    for q in open do
      told[q] := told[q] + 1
      turns := turns + 1
      if q != p -> send U to q
      [] otherwise -> skip
      fi
    od
role Leaf
  var told_of : Int
  state s
    send T
    become up
  state up
    on U -> told_of := told_of + 1
finally few: forall p in Leaf: p.told_of <= 2
finally even: forall p in Leaf: p.told_of != 1
"
            .into(),
            vec!["star(2)", "star(3)", "star(4)"],
        ),
        (
            "what is counted",
            "algorithm counted assumes star, one Hub
message T, U
role Hub
  var last : Port?
  on T from p ->
    if last != none -> send U to last
    [] otherwise -> skip
    fi
    last := p
role Leaf
  var turns : Int
  state s
    send T
    become up
  state up
    on U ->
      turns := turns + 1
      if turns = 1 -> send T
      [] otherwise -> skip
      fi
invariant few: messages <= 5
invariant in_time: time <= 4
finally sums: messages <= 3 * (count p in Leaf: p.turns <= 1) + 2
eventually said: messages >= 3
bound late: time <= 3
bound of_kind: messages of U <= 2
exactly chain: time = 2 * (count p in Leaf: p.turns > 0) + 1
"
            .into(),
            vec!["star(2)", "star(3)"],
        ),
    ]
}

fn verdicts(found: &Exploration) -> Vec<(String, Judgement)> {
    found.verdicts.iter().map(|v| (v.name.clone(), v.judgement)).collect()
}

fn instances() -> Vec<(String, Instance)> {
    let mut all = pairs::instances();
    for (name, text, topologies) in programs() {
        for topology in topologies {
            all.push((format!("{name} on {topology}"), on(&source(&text), topology).build()));
        }
    }
    for (name, topology) in [
        ("central_server", "star(2)"),
        ("central_server", "star(3)"),
        ("central_server", "star(4)"),
        ("two_phase_commit", "star(3)"),
        ("echo", "complete(4)"),
        ("echo", "star(4)"),
        ("dijkstra_scholten", "star(2)"),
    ] {
        all.push((format!("{name} on {topology}"), on(&library(name), topology).build()));
    }
    all
}

#[test]
fn nothing_is_lost() {
    let mut violated = 0;
    for (name, instance) in instances() {
        for reduce in [false, true] {
            let (all, fewer) = (search(&instance, false, reduce, 1), search(&instance, true, reduce, 1));
            assert_eq!(verdicts(&all), verdicts(&fewer), "{name}");
            assert_eq!(all.coverage, fewer.coverage, "{name}");
            assert_eq!(all.every_run_ends, fewer.every_run_ends, "{name}");
            let bounds = |e: &Exploration| format!("{:?}", e.extremes);
            assert_eq!(bounds(&all), bounds(&fewer), "{name}");
            let ends = |e: &Exploration| e.ends.iter().map(|e| e.outcome).collect::<BTreeSet<_>>();
            assert_eq!(ends(&all), ends(&fewer), "{name}");
            let wrong = |e: &Exploration| e.counterexamples.len();
            assert_eq!(wrong(&all), wrong(&fewer), "{name}");
            assert_eq!(all.depth, fewer.depth, "{name}");
            for (one, other) in all.counterexamples.iter().zip(&fewer.counterexamples) {
                violated += 1;
                assert!(explain(&instance, other).is_some(), "{name}");
                // The cycle of a representative may lead back only after several turns.
                let is_cycle = other.repeats_from.is_some();
                assert!(reduce || is_cycle || one.events.len() == other.events.len(), "{name}");
            }
        }
    }
    assert!(violated >= 60, "{violated}");
}

/// In the programs above, symmetry applies wherever two processes or ports are interchangeable.
#[test]
fn used_where_it_can_be() {
    for (name, instance) in instances() {
        let (found, all) = (search(&instance, true, false, 1), search(&instance, false, false, 1));
        assert_eq!(found.symmetric, found.configurations < all.configurations, "{name}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for (name, instance) in instances() {
        let run = |threads| {
            let found = search(&instance, true, true, threads);
            let events: Vec<_> = found.counterexamples.iter().map(|c| c.events.clone()).collect();
            (found.configurations, found.steps, found.verdicts, events)
        };
        assert_eq!(run(1), run(3), "{name}");
    }
}

/// A program that distinguishes its ports, by order or by number, has no interchangeable neighbours.
#[test]
fn off_if_ports_are_distinguishable() {
    let of = |hub: &str, leaf: &str| {
        format!(
            "algorithm told assumes star, one Hub
message T, U(k: Int)
role Hub
  var first : Port?
  var here : set of Port
  var line : queue of Port
  var value : map of Port to Int
  var x : Int
  var flag : Bool
  on T from p -> here := here + {{p}}
                 value[p] := 1
                 {hub}
role Leaf
  state s
    send T
    {leaf}
    become up
  state up
    on U(_) -> skip
"
        )
    };
    let is_used = |text: &str| {
        let program = source(text);
        let instance = on(&program, "star(2)").build();
        search(&instance, true, false, 1).symmetric
    };
    assert!(is_used(&of("skip", "skip")));
    for hub in [
        "first := min(here)",
        "line := list(here)",
        "line := sort(here)",
        "line := [q for q in here]",
        "first := least q in here by value[q]",
        "if some q in here: q < p -> x := 1 [] otherwise -> skip fi",
        "if p = port(0) -> x := 1 [] otherwise -> skip fi",
        "for q in here do first := q od",
        "for q in here do line := line + [q] od",
        "for q in here do x := x + 1; send U(x) to q od",
        "for q in here do value[q] := x; x := x + 1 od",
        "x := head(values(value))",
        "for q in here do send T to neighbours; send U(1) to q od",
        "for q in here do if q = p -> send U(1) to p [] otherwise -> send U(2) to p fi od",
        // The second `and` is not evaluated, and does not fail, once the first has made it false.
        "for q in here do flag := flag and value[q] div x > 0 od",
        "for q in here do x := x + value[q] od",
        "if max(here) = p -> x := 1 [] otherwise -> skip fi",
    ] {
        assert!(!is_used(&of(hub, "skip")), "{hub}");
    }
    for hub in [
        "first := p",
        "line := line + [p]; first := head(line)",
        "x := size(here)",
        "x := max(values(value)) + sum(values(value))",
        "if forall q in here: q in keys(value) -> x := 1 [] otherwise -> skip fi",
        "for q in here do send U(value[q]) to q od",
        "for q in here do value[q] := value[q] + 1 od",
        "send U(1) to here",
        "for q in here do send U(1) to p od",
        "send U(1) to neighbours - {p}",
        "choose q in here; first := q",
        // Quantifiers fail in no particular order.
        "if some q in neighbours: value[q] > 0 -> x := 1 [] otherwise -> skip fi",
        "if some q in here, k in {value[q]}: k > 0 -> x := 1 [] otherwise -> skip fi",
        "for q in here do flag := flag and q = p od",
        "for q in here do x := x + 1 od",
    ] {
        assert!(is_used(&of(hub, "skip")), "{hub}");
    }
}

/// Identifiers distinguish processes; so does a property that names a process by position.
#[test]
fn off_if_processes_are_distinguishable() {
    let of = |assumes: &str, body: &str, property: &str| {
        format!(
            "algorithm told assumes complete{assumes}
message T(k: Int)
var x : Port?
state s
  {body}
  become up
state up
  on T(_) from p -> x := p
{property}
"
        )
    };
    // More than the three rotations, which preserve ports.
    let is_used = |text: &str| {
        let instance = on(&source(text), "complete(3)").build();
        let of = |symmetry| search(&instance, symmetry, false, 1).configurations;
        of(true) * 3 < of(false)
    };
    assert!(is_used(&of("", "send T(1) to neighbours", "finally all: forall p: p.x != none")));
    assert!(is_used(&of(", unique ids", "send T(1) to neighbours", "")));
    let told = [
        (", unique ids", "if id = id -> send T(1) to neighbours fi", ""),
        ("", "send T(1) to neighbours", "finally first: forall p with p.index = 0: p.x != none"),
    ];
    for (assumes, body, property) in told {
        assert!(!is_used(&of(assumes, body, property)), "{assumes} {body} {property}");
    }
}

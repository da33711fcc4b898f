//! Views: what a program's `view` clauses name is left out, or taken relative to the least; shown to be sound, or labelled.

mod library;

use crate::common::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::check::check;
use synod::explore::{Counterexample, Exploration, Options, Standing, Wrong, explain, explore};
use synod::instance::Instance;
use synod::ir::Program;
use synod::property::Judgement;

const ALL: Options = Options {
    order: synod::explore::Order::Breadth,
    threads: 1,
    reduce: true,
    symmetry: true,
    view: true,
    notes: 0,
    surely: false,
    keep_going: true,
    max_configurations: 300_000,
    max_depth: None,
    max_bytes: None,
};

fn search(instance: &Instance, view: bool, reduce: bool) -> Exploration {
    explore(instance, None, &Options { view, reduce, ..ALL }, &mut |_| None)
}

fn verdicts(found: &Exploration) -> Vec<(String, Judgement)> {
    found.verdicts.iter().map(|v| (v.name.clone(), v.judgement)).collect()
}

fn standing(found: &Exploration) -> &Standing {
    &found.view.as_ref().expect("the program has a view").standing
}

/// Mutual exclusion by clients that enter for ever.
const ENDLESS: &str = "problem Endless
var waiting, critical : Bool
operation enter as entry
  waiting := true
  algorithm.enter
  waiting := false; critical := true
operation exit
  critical := false
  algorithm.exit
client
  do true -> pause; enter; pause; exit od
invariant ME1: (count p: p.critical) <= 1
leads ME2 for p: p.waiting leads to p.critical
";

/// Lamport 1978, and Ricart and Agrawala 1981: what is no request has no stamp.
const LAMPORT: &str = "algorithm lamport solves PROBLEM
assumes complete, reliable, fifo, unique ids, knows peers, knows n
message Request(stamp: Int), Reply(stamp: Int), Release(stamp: Int)
var clock    : Int
var stamp    : Int?
var requests : set of (Int, Id)
var later    : set of Id
VIEW
operation enter
  clock := clock + 1; stamp := clock; later := {}
  requests := requests + {(stamp, id)}
  send Request(stamp) to others
  await min(requests) = (stamp, id) and later = others
  clock := clock + 1
operation exit
  clock := clock + 1
  remove (stamp, id) from requests
  stamp := none
  send Release(clock) to others
on Request(t) from j ->
  arrival(t, j)
  requests := requests + {(t, j)}
  clock := clock + 1
  send Reply(clock) to j
on Reply(t) from j -> arrival(t, j)
on Release(t) from j ->
  arrival(t, j)
  requests := { (u, k) in requests | k != j }
procedure arrival(t: Int, j: Id)
  clock := max(clock, t) + 1
  if stamp != none and (stamp, id) < (t, j) -> later := later + {j}
  [] otherwise -> skip
  fi
invariant stamp_order: forall p, q: p.critical and q.waiting implies (p.stamp, p.id) < (q.stamp, q.id)
";
const LAMPORT_VIEW: &str =
    "view clock, stamp, requests, Request.stamp, Reply.stamp, Release.stamp up to shift";

const RICART: &str = "algorithm ricart solves PROBLEM
assumes complete, reliable, unordered, unique ids, knows peers, knows n
message Request(stamp: Int), Reply(stamp: Int)
var clock, replies : Int
var stamp : Int?
var deferred : set of Id
VIEW
state released
state wanted
state held
operation enter
  become wanted
  clock := clock + 1; stamp := clock; replies := 0
  send Request(stamp) to others
  await replies = n - 1
  become held
operation exit
  become released
  stamp := none
  send Reply(clock) to deferred
  deferred := {}
on Request(t) from j ->
  clock := max(clock, t) + 1
  if held or (wanted and (stamp, id) < (t, j)) -> deferred := deferred + {j}
  [] otherwise -> send Reply(clock) to j
  fi
on Reply(t) -> clock := max(clock, t) + 1; replies := replies + 1
";
const RICART_VIEW: &str = "view clock, stamp, Request.stamp, Reply.stamp up to shift";

fn with(text: &str, problem: &str, view: &str) -> Arc<Program> {
    let text = text.replace("PROBLEM", problem).replace("VIEW", view);
    let find = |name: &str| match name {
        "Endless" => Some(("endless".to_string(), ENDLESS.to_string())),
        name => synod::library::source(name),
    };
    let checked = check("test", &text, &find);
    Arc::new(checked.program.unwrap_or_else(|| panic!("{:#?}\n{text}", checked.diagnostics)))
}

/// A ring on which tokens go round; its parts are filled in.
fn ring_of(view: &str, vars: &str, start: &str, on_token: &str) -> String {
    format!(
        "algorithm tokens
assumes unidirectional ring, unique ids
message Token(who: Id, hops: Int, left: Int)
var count, best, other : Int
var seen : set of Int
var flag : Bool
{vars}
{view}
initial state first
  send Token(id, 0, 2)
  {start}
  become second
state second
on Token(w, h, l) from p ->
  {on_token}
  if l > 0 -> send Token(w, h + 1, l - 1)
  [] l <= 0 -> flag := w = id
  fi
finally home: (count p: p.flag) <= 1
"
    )
}

#[test]
fn what_never_ends_has_an_end_up_to_shift() {
    for (text, view) in [(LAMPORT, LAMPORT_VIEW), (RICART, RICART_VIEW)] {
        let instance = on(&with(text, "Endless", view), "complete(2)").build();
        let few = Options { view: false, max_configurations: 10_000, ..ALL };
        let (found, cut) = (search(&instance, true, true), explore(&instance, None, &few, &mut |_| None));
        assert_eq!(*standing(&found), Standing::Sound);
        assert_eq!(found.cut, None, "{} configurations", found.configurations);
        assert!(found.configurations < 10_000, "{}", found.configurations);
        assert!(found.verdicts.iter().all(|v| v.judgement == Judgement::Holds), "{:?}", verdicts(&found));
        // Entering for ever makes clocks without end.
        assert!(cut.cut.is_some() && cut.view.is_none());
    }
}

#[test]
fn nothing_is_lost() {
    let mut fewer = 0;
    let mut instances = Vec::new();
    for entries in [1, 2] {
        for (text, view) in [(LAMPORT, LAMPORT_VIEW), (RICART, RICART_VIEW)] {
            for n in ["complete(1)", "complete(2)"] {
                let program = with(text, "MutualExclusion", view);
                instances.push(on(&program, n).param("entries", entries).build());
            }
        }
    }
    let lefts = [
        ring_of("view without count", "", "", "count := count + 1"),
        ring_of("view without best, Token.hops", "", "", "best := max(best, h)"),
        ring_of("view without seen, count, Token.hops", "", "", "seen := seen + {h}; count := size(seen)"),
        ring_of("view without best\nview without count", "", "", "count := count + h; best := l"),
        ring_of("view best, Token.hops up to shift", "", "best := 7", "best := max(best, h + 1)"),
        ring_of(
            "view best, Token.hops up to shift",
            "",
            "",
            "if best < h -> best := h [] otherwise -> other := best - h fi",
        ),
    ];
    for text in &lefts {
        for n in ["ring(1)", "ring(2)", "ring(3)"] {
            instances.push(on(&source(text), n).build());
        }
    }
    for instance in instances {
        for reduce in [false, true] {
            let (found, all) = (search(&instance, true, reduce), search(&instance, false, reduce));
            let name = (&instance.program.name, instance.network.topology(), reduce);
            assert_eq!(*standing(&found), Standing::Sound, "{name:?}");
            assert_eq!((all.cut, found.cut), (None, None), "{name:?}");
            assert_eq!(verdicts(&all), verdicts(&found), "{name:?}");
            assert_eq!(all.extremes, found.extremes, "{name:?}");
            assert_eq!(all.seen, found.seen, "{name:?}");
            assert!(found.depth <= all.depth, "{name:?}");
            let ends = |e: &Exploration| {
                e.ends.iter().map(|e| (e.outcome, e.outputs.clone())).collect::<BTreeSet<_>>()
            };
            assert_eq!(ends(&all), ends(&found), "{name:?}");
            assert!(found.configurations <= all.configurations, "{name:?}");
            fewer += usize::from(found.configurations < all.configurations);
        }
    }
    assert!(fewer >= 8, "{fewer}");
}

/// Of each program: why its view is not shown to be sound, or «sound».
#[test]
fn what_is_shown_and_what_is_not() {
    let left = |code: &str| ring_of("view without count, Token.hops", "", "", code);
    let shifted = |code: &str| ring_of("view best, Token.hops up to shift", "", "", code);
    let cases = [
        (left("count := count + h * 2 - other"), "sound"),
        (left("if l > 0 or flag -> count := h [] otherwise -> count := 0 fi"), "sound"),
        (left("other := count"), "`other` gets what depends on something that is left out"),
        (left("if count > 1 -> skip [] otherwise -> skip fi"), "which way the command goes"),
        (left("for k in 1..count do skip od"), "how often this is done"),
        (left("count := 5 div count"), "whether the command goes wrong"),
        (left("count := l div (h + 1)"), "whether the command goes wrong"),
        (left("send Token(w, 0, count)"), "`Token.left` gets what depends"),
        (left("choose k in {count, 1}; other := l"), "what there is to choose"),
        (left("seen := seen + {h}"), "`seen` gets what depends"),
        (left("count := max({h} - {1})"), "whether the command goes wrong"),
        (left("flag := h = 2"), "`flag` gets what depends"),
        (left("remove h from seen"), "what is removed"),
        (ring_of("view without count", "var few : 0..9", "", "count := few; few := 0 * few"), "sound"),
        (ring_of("view without few", "var few : 0..9", "", "few := (few + 1) mod 10"), "has a range"),
        (shifted("best := max(best, h) + 1"), "sound"),
        (shifted("other := best - h"), "sound"),
        (shifted("best := best + l"), "sound"),
        (shifted("if best < h and h - best > 1 -> best := h [] otherwise -> skip fi"), "sound"),
        (shifted("best := 0"), "`best` gets a number that does not shift"),
        (shifted("best := max(best, 3)"), "a number of the view and another are compared"),
        (shifted("if h > 1 -> skip [] otherwise -> skip fi"), "are compared"),
        (shifted("best := best + h"), "what is computed here changes"),
        (shifted("best := 2 * best"), "what is computed here changes"),
        (shifted("best := best mod 2"), "what is computed here changes"),
        (shifted("best := -best"), "a number that is computed"),
        (shifted("other := best"), "`other` gets a number of the view"),
        (shifted("seen := seen + {h}"), "number of the view"),
        (shifted("for k in 1..best do skip od"), "are the ends of a range"),
        (shifted("send Token(w, l, 0)"), "`Token.hops` gets a number that does not shift"),
        (
            ring_of("view best up to shift\nview Token.hops up to shift", "", "", "best := max(best, h)"),
            "a number of the view and another are compared",
        ),
        (ring_of("view few up to shift", "var few : 0..9", "", "few := few"), "has a range"),
    ];
    for (text, expected) in cases {
        let found = search(&on(&source(&text), "ring(1)").build(), true, true);
        match standing(&found) {
            Standing::Sound => assert_eq!("sound", expected, "{text}"),
            Standing::Claimed { why } => {
                assert!(why.contains(expected) && why.contains("(test"), "{why}\n{expected}\n{text}");
            }
            Standing::Unused { why } => panic!("{why}\n{text}"),
        }
    }
}

#[test]
fn properties_and_outputs_that_can_tell_are_not_judged_under_it() {
    let text = ring_of("view without count", "", "", "count := count + 1");
    let told = |more: &str, property: Option<&str>| {
        let program = source(&format!("{text}{more}\n"));
        let names = property.map(|p| vec![p.to_string()]);
        let instance = on(&program, "ring(2)").build();
        let found = explore(&instance, names.as_deref(), &ALL, &mut |_| None);
        let all = explore(&instance, names.as_deref(), &Options { view: false, ..ALL }, &mut |_| None);
        assert_eq!(verdicts(&found), verdicts(&all), "{more}");
        (standing(&found).clone(), found.configurations == all.configurations)
    };
    for more in ["finally few: forall p: p.count <= 2", "bound b: bits <= 100"] {
        let (standing, exact) = told(more, None);
        assert!(matches!(standing, Standing::Unused { why } if why.contains("can tell")) && exact, "{more}");
        // What is not asked does not matter.
        assert_eq!(told(more, Some("home")).0, Standing::Sound, "{more}");
    }
    assert_eq!(told("bound b: messages <= 100", None).0, Standing::Sound);
    // What has to be counted along the runs is judged apart, and everything told apart for it.
    assert_eq!(told("finally b: bits <= 100", None).0, Standing::Sound);
    assert!(matches!(told("finally b: bits <= 100", Some("b")).0, Standing::Unused { .. }));
    let shifted = ring_of("view best, Token.hops up to shift", "", "", "best := max(best, h)");
    for (more, sound) in [
        ("finally near: forall p, q: p.best - q.best <= 5", true),
        ("invariant order: forall p, q: p.best < q.best or p.best >= q.best", true),
        ("finally few: forall p: p.best <= 2", false),
    ] {
        let found = search(&on(&source(&format!("{shifted}{more}\n")), "ring(2)").build(), true, true);
        assert_eq!(*standing(&found) == Standing::Sound, sound, "{more}: {found:?}");
    }
    // An output shows what it is.
    let text = "algorithm shows solves Election(winner: any, told: one)
assumes unidirectional ring, unique ids
message T
view without leader
state s
  send T
  receive T
  leader := true; decided := true
";
    let found = search(&on(&source(text), "ring(2)").build(), true, true);
    assert!(matches!(standing(&found), Standing::Unused { .. }), "{found:?}");
}

fn replays(instance: &Instance, counterexample: &Counterexample) {
    let shown = explain(instance, counterexample).expect("the run can be repeated");
    if let Wrong::Property(property) = counterexample.what
        && shown.flipped_by.is_some()
    {
        assert!(shown.violated.contains(&instance.program.properties[property].name), "{shown:?}");
    }
}

#[test]
fn mutants_are_caught_under_a_view() {
    let mutants = [
        // What is compared is not the order of requests.
        (RICART.replace("(stamp, id) < (t, j)", "stamp < t"), RICART_VIEW, "ME1"),
        // Whoever waits answers everybody.
        (RICART.replace("held or (wanted and (stamp, id) < (t, j))", "held"), RICART_VIEW, "ME1"),
        // Nobody is answered later.
        (RICART.replace("  send Reply(clock) to deferred\n", ""), RICART_VIEW, "ME2"),
        // Entries do not wait for word from everybody.
        (LAMPORT.replace(" and later = others", ""), LAMPORT_VIEW, "ME1"),
        // The queue alone.
        (LAMPORT.replace("min(requests) = (stamp, id) and ", ""), LAMPORT_VIEW, "ME1"),
    ];
    for (text, view, property) in mutants {
        for problem in ["Endless", "MutualExclusion"] {
            let instance = on(&with(&text, problem, view), "complete(2)").build();
            let asked = Some(&[property.to_string()][..]);
            let found =
                explore(&instance, asked, &Options { max_configurations: 20_000, ..ALL }, &mut |_| None);
            assert_eq!(*standing(&found), Standing::Sound);
            let violated = found.verdicts.iter().find(|v| v.name == property).map(|v| v.judgement);
            assert_eq!(violated, Some(Judgement::Violated), "{property} {problem} {text}");
            assert!(!found.counterexamples.is_empty());
            found.counterexamples.iter().for_each(|c| replays(&instance, c));
        }
    }
}

#[test]
fn a_run_for_ever_goes_round_up_to_shift() {
    // Two send each other ever greater stamps, and the third is promised what it never gets.
    let text = "algorithm ping
assumes unidirectional ring, unique ids
message Ping(t: Int)
var clock : Int
var done : Bool
view clock, Ping.t up to shift
state s
  if initiator -> send Ping(clock) [] otherwise -> skip fi
  do receive Ping(t) -> clock := max(clock, t) + 1; send Ping(clock) od
eventually e: some p: p.done
";
    let instance = on(&source(text), "ring(3)").initiators(&[0]).build();
    let found = search(&instance, true, true);
    assert_eq!((standing(&found), found.cut), (&Standing::Sound, None));
    let counterexample = &found.counterexamples[0];
    assert!(counterexample.repeats_from.is_some_and(|from| from < counterexample.events.len()));
    replays(&instance, counterexample);
}

#[test]
fn a_claim_is_labelled_and_what_it_finds_is_real() {
    // The third token changes everything, and the view leaves out how many there were.
    let text = ring_of("view without count", "", "", "count := count + 1; flag := count > 2")
        + "invariant calm: forall p: not p.flag\n";
    for n in ["ring(2)", "ring(3)"] {
        let instance = on(&source(&text), n).build();
        for reduce in [false, true] {
            let found = search(&instance, true, reduce);
            assert!(matches!(standing(&found), Standing::Claimed { .. }));
            found.counterexamples.iter().for_each(|c| replays(&instance, c));
            let real = search(&instance, false, reduce);
            for (name, judgement) in verdicts(&found) {
                let without = verdicts(&real).into_iter().find(|(other, _)| *other == name);
                let violated = Some((name, Judgement::Violated));
                assert!(judgement != Judgement::Violated || without == violated, "{n}");
            }
        }
    }
    // Under the view this goes round for ever, and in truth it ends: nothing is said that is not certain.
    let text = "algorithm counted
assumes unidirectional ring, unique ids
message Go
var count : Int
var done : Bool
view without count
state s
  if initiator -> send Go [] otherwise -> skip fi
  do receive Go ->
    count := count + 1
    if count < 5 -> send Go [] count >= 5 -> done := true fi
  od
eventually e: some p: p.done
bound few: messages <= 20
";
    let instance = on(&source(text), "ring(1)").initiators(&[0]).build();
    let found = search(&instance, true, true);
    assert!(matches!(standing(&found), Standing::Claimed { .. }));
    for v in &found.verdicts {
        assert_ne!(v.judgement, Judgement::Violated, "{}: {}", v.name, v.why);
    }
    assert!(search(&instance, false, true).verdicts.iter().all(|v| v.judgement == Judgement::Holds));
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let lamport = with(LAMPORT, "MutualExclusion", LAMPORT_VIEW);
    let instance = on(&lamport, "complete(2)").build();
    let found = |threads: usize| {
        let found = explore(&instance, None, &Options { threads, ..ALL }, &mut |_| None);
        let ends: Vec<_> = found.ends.iter().map(|e| (e.outputs.clone(), e.configurations)).collect();
        (found.configurations, found.steps, found.depth, verdicts(&found), ends)
    };
    assert_eq!(found(1), found(2));
    assert_eq!(found(1), found(5));
}

#[test]
fn a_view_goes_with_symmetry() {
    let text = "algorithm same
assumes unidirectional ring, anonymous
message T(hops: Int)
var count, got : Int
view without count, T.hops
state s
  send T(0)
  do receive T(h) ->
    count := count + h; got := got + 1
    if got < 3 -> send T(h + 1) [] got >= 3 -> skip fi
  od
finally f: forall p: p.got <= 3
";
    let instance = on(&source(text), "ring(3)").build();
    let of = |view: bool, symmetry: bool, reduce: bool| {
        explore(&instance, None, &Options { view, symmetry, reduce, ..ALL }, &mut |_| None)
    };
    for reduce in [false, true] {
        let (none, view, both) = (of(false, false, reduce), of(true, false, reduce), of(true, true, reduce));
        assert_eq!((verdicts(&none), verdicts(&none)), (verdicts(&view), verdicts(&both)));
        assert!(both.symmetric && *standing(&both) == Standing::Sound);
        if !reduce {
            assert!(both.configurations < view.configurations && view.configurations <= none.configurations);
        }
    }
}

#[test]
fn there_is_no_view_where_configurations_are_taken_whole() {
    let text = "algorithm beat
assumes unidirectional ring, synchronous, unique ids
message T
var count : Int
view without count
state s
  send T
  round
  count := count + 1
  halt
";
    let found = search(&on(&source(text), "ring(2)").build(), true, true);
    assert!(matches!(standing(&found), Standing::Unused { why } if why.contains("taken whole")), "{found:?}");
}

//! Views: the variables in a program's `view` clauses are left out, or taken relative to the least; proved sound, or labelled.

mod found;
mod library;
mod numbers;
mod shown;

use crate::common::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::check::check;
use synod::internals::explore::{
    Counterexample, Exploration, ExploreOptions, ViewStatus, ViolationKind, explain, explore,
};
use synod::internals::instance::Instance;
use synod::internals::ir::Program;
use synod::internals::property::Judgement;

const ALL: ExploreOptions = ExploreOptions {
    order: synod::internals::explore::SearchOrder::Breadth,
    threads: 1,
    reduce: true,
    symmetry: true,
    view: true,
    relevant_history: true,
    relevant_counts: false,
    implicit_losses: true,
    dead_messages: true,
    forget_wakeups: true,
    notes: 0,
    every_outcome: false,
    keep_going: true,
    whole_or_none: false,
    max_configurations: 300_000,
    max_depth: None,
    max_bytes: None,
};

fn search(instance: &Instance, view: bool, reduce: bool) -> Exploration {
    explore(instance, None, &ExploreOptions { view, reduce, ..ALL }, &mut |_| None)
}

fn verdicts(found: &Exploration) -> Vec<(String, Judgement)> {
    found.verdicts.iter().map(|v| (v.name.clone(), v.judgement)).collect()
}

fn standing(found: &Exploration) -> &ViewStatus {
    &found.view.as_ref().expect("the program has a view").standing
}

/// Mutual exclusion by clients that enter forever.
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

/// Lamport 1978, and Ricart and Agrawala 1981: only requests have stamps.
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
        name => synod::internals::library::source(name),
    };
    let checked = check("test", &text, &find);
    Arc::new(checked.program.unwrap_or_else(|| panic!("{:#?}\n{text}", checked.diagnostics)))
}

/// Return a ring with circulating tokens, completed by the arguments.
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
fn infinite_state_spaces_are_finite_up_to_shift() {
    for (text, view) in [(LAMPORT, LAMPORT_VIEW), (RICART, RICART_VIEW)] {
        let instance = on(&with(text, "Endless", view), "complete(2)").build();
        let few = ExploreOptions { view: false, max_configurations: 10_000, ..ALL };
        let (found, cut) = (search(&instance, true, true), explore(&instance, None, &few, &mut |_| None));
        assert_eq!(*standing(&found), ViewStatus::Sound);
        assert_eq!(found.stopped_by, None, "{} configurations", found.configurations);
        assert!(found.configurations < 10_000, "{}", found.configurations);
        assert!(found.verdicts.iter().all(|v| v.judgement == Judgement::Holds), "{:?}", verdicts(&found));
        // Entering forever gives unbounded clocks.
        assert!(cut.stopped_by.is_some() && cut.view.is_none());
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
        ring_of("view without best\nview without count", "", "", "count := max(count, h) - 1; best := l"),
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
            assert_eq!(*standing(&found), ViewStatus::Sound, "{name:?}");
            assert_eq!((all.stopped_by, found.stopped_by), (None, None), "{name:?}");
            assert_eq!(verdicts(&all), verdicts(&found), "{name:?}");
            assert_eq!(all.extremes, found.extremes, "{name:?}");
            assert_eq!(all.coverage, found.coverage, "{name:?}");
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

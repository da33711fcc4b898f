//! Bounds on time: exact where chains are bounded, violated where a cycle lengthens one, and undecided in neither case.

use crate::common::*;
use synod::internals::explore::{Exploration, ExploreOptions, ViolationKind, explore};
use synod::internals::instance::Instance;
use synod::internals::property::{Judgement, Reason, Verdict};
use synod::internals::semantics::Configuration;
use synod::internals::simulate::{Unobserved, replay};

/// A message circulates forever. `y` has two values, so that no cycle is shorter than two turns at a process.
fn round(assumed: &str, view: &str, limit: &str) -> String {
    format!(
        "algorithm pend\nassumes unidirectional ring, anonymous{assumed}\nmessage A\nvar x, y : Int\n{view}state s\n  \
         on wakeup -> send A\n  on A -> y := 1 - y; send A\ninvariant i: forall p: p.y <= 1\nbound t: time <= {limit}\n"
    )
}

fn explored(instance: &Instance, names: Option<&[String]>, options: &ExploreOptions) -> Exploration {
    explore(instance, names, options, &mut |_| None)
}

fn verdict<'v>(found: &'v Exploration, name: &str) -> &'v Verdict {
    found.verdicts.iter().find(|v| v.name == name).expect("a property")
}

/// Return the time at the end of the counterexample to a property.
fn time_shown(instance: &Instance, found: &Exploration, name: &str) -> u32 {
    let is_it = |wrong: &ViolationKind| matches!(wrong, ViolationKind::Property(p) if instance.program.properties[*p].name == name);
    let shown = found.counterexamples.iter().find(|c| is_it(&c.kind)).expect("a counterexample");
    let metrics = replay(instance, &mut Configuration::initial(instance), &shown.events, &mut Unobserved);
    metrics.expect("the run can be replayed").time
}

/// Eight of the 32 combinations: any two values of different rows occur together.
#[test]
fn a_cycle_that_lengthens_a_chain_exceeds_every_limit() {
    let whole = ExploreOptions {
        reduce: false,
        dead_messages: false,
        forget_wakeups: false,
        symmetry: false,
        view: false,
        ..ExploreOptions::default()
    };
    let (options, names) = ([ExploreOptions::default(), whole], [None, Some(["t".to_string()])]);
    for case in 0..8 {
        let [a, b, c] = [case & 1, case >> 1 & 1, case >> 2];
        let assumed = ["", ", unordered"][a];
        let view = ["", "view without y\n"][b];
        let n = [1, 2][c];
        let (options, names) = (&options[a ^ b], names[a ^ c].as_ref());
        let instance = on(&source(&round(assumed, view, "1000000")), &format!("ring({n})")).build();
        let found = explored(&instance, names.map(|names| names.as_slice()), options);
        let t = verdict(&found, "t");
        assert_eq!(t.judgement, Judgement::Violated, "{assumed} {view} {n}: {}", t.why);
        assert!(matches!(t.why, Reason::ChainGrows(_)), "{}", t.why);
        assert!(time_shown(&instance, &found, "t") > 500, "the run that is shown repeats the cycle");
        let i = || verdict(&found, "i").judgement;
        assert!(names.is_some() || i() == Judgement::Holds, "{assumed} {view} {n}");
    }
}

/// If a run exceeds the limit soon, the search along the runs finds the shortest one.
#[test]
fn a_limit_that_is_exceeded_soon_is_exceeded_by_the_shortest_run() {
    for limit in [0, 1, 5] {
        let instance = on(&source(&round("", "", &limit.to_string())), "ring(2)").build();
        let found = explored(&instance, None, &ExploreOptions::default());
        assert_eq!(verdict(&found, "t").judgement, Judgement::Violated);
        assert_eq!(time_shown(&instance, &found, "t"), limit + 1);
    }
}

/// Chains that end have a length, although the run does not end: no cycle lengthens one.
#[test]
fn chains_that_end_are_measured() {
    // A process that has received the third message keeps changing its variable, and sends nothing.
    let text = "algorithm fin\nassumes unidirectional ring, anonymous\nmessage A(k: Int)\nvar y : Int\nvar last : Bool\nstate s\n  \
        on wakeup -> send A(0)\n  on A(k) -> if k < 3 -> send A(k + 1) [] otherwise -> last := true fi\n  \
        when last -> y := 1 - y\nbound t: time <= 4\nbound u: time <= 3\n";
    let instance = on(&source(text), "ring(2)").build();
    let found = explored(&instance, None, &ExploreOptions { keep_going: true, ..ExploreOptions::default() });
    assert_eq!(verdict(&found, "t").judgement, Judgement::Holds, "{}", verdict(&found, "t").why);
    assert_eq!(verdict(&found, "u").judgement, Judgement::Violated);
    assert_eq!(time_shown(&instance, &found, "u"), 4);
}

/// Every process sends once, and receives what its neighbour has sent independently: no chain is longer than one message.
#[test]
fn messages_that_are_no_chain_do_not_count() {
    let text = "algorithm single\nassumes unidirectional ring, anonymous\nmessage A\nvar y : Int\nstate s\n  on wakeup -> send A\n  \
        on A -> skip\n  when true -> y := 1 - y\nbound t: time <= 1\n";
    let instance = on(&source(text), "ring(3)").build();
    let found = explored(&instance, None, &ExploreOptions::default());
    assert_eq!(verdict(&found, "t").judgement, Judgement::Holds);
}

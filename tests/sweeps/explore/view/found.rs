//! Findings under a view: real runs, labelled claims, the same for any number of threads.

use super::*;
use synod::internals::semantics::event::Event;
use synod::internals::semantics::{Configuration, Machine};

fn replays(instance: &Instance, counterexample: &Counterexample) {
    let shown = explain(instance, counterexample).expect("the run can be repeated");
    if let ViolationKind::Property(property) = counterexample.kind
        && shown.flipped_by.is_some()
    {
        assert!(shown.violated.contains(&instance.program.properties[property].name), "{shown:?}");
    }
}

#[test]
fn mutants_are_caught_under_a_view() {
    let mutants = [
        // The comparison is not by the order of requests.
        (RICART.replace("(stamp, id) < (t, j)", "stamp < t"), RICART_VIEW, "ME1"),
        // Every waiting process replies at once.
        (RICART.replace("held or (wanted and (stamp, id) < (t, j))", "held"), RICART_VIEW, "ME1"),
        // No reply is deferred.
        (RICART.replace("  send Reply(clock) to deferred\n", ""), RICART_VIEW, "ME2"),
        // Entries do not wait for replies of all processes.
        (LAMPORT.replace(" and later = others", ""), LAMPORT_VIEW, "ME1"),
        // The queue alone.
        (LAMPORT.replace("min(requests) = (stamp, id) and ", ""), LAMPORT_VIEW, "ME1"),
    ];
    for (text, view, property) in mutants {
        for problem in ["Endless", "MutualExclusion"] {
            let instance = on(&with(&text, problem, view), "complete(2)").build();
            let asked = Some(&[property.to_string()][..]);
            let found =
                explore(&instance, asked, &ExploreOptions { max_configurations: 20_000, ..ALL }, &mut |_| {
                    None
                });
            assert_eq!(*standing(&found), ViewStatus::Sound);
            let violated = found.verdicts.iter().find(|v| v.name == property).map(|v| v.judgement);
            assert_eq!(violated, Some(Judgement::Violated), "{property} {problem} {text}");
            assert!(!found.counterexamples.is_empty());
            found.counterexamples.iter().for_each(|c| replays(&instance, c));
        }
    }
}

#[test]
fn an_infinite_run_is_a_lasso_up_to_shift() {
    // Two processes send each other increasing stamps, and the third waits forever.
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
    assert_eq!((standing(&found), found.stopped_by), (&ViewStatus::Sound, None));
    let counterexample = &found.counterexamples[0];
    assert!(counterexample.repeats_from.is_some_and(|from| from < counterexample.events.len()));
    replays(&instance, counterexample);
}

#[test]
fn a_claim_is_labelled_and_what_it_finds_is_real() {
    // The third token changes everything, and the view omits their number.
    let text = ring_of("view without count", "", "", "count := count + 1; flag := count > 2")
        + "invariant calm: forall p: not p.flag\n";
    for n in ["ring(2)", "ring(3)"] {
        let instance = on(&source(&text), n).build();
        for reduce in [false, true] {
            let found = search(&instance, true, reduce);
            assert!(matches!(standing(&found), ViewStatus::Claimed { .. }));
            found.counterexamples.iter().for_each(|c| replays(&instance, c));
            let real = search(&instance, false, reduce);
            for (name, judgement) in verdicts(&found) {
                let without = verdicts(&real).into_iter().find(|(other, _)| *other == name);
                let violated = Some((name, Judgement::Violated));
                assert!(judgement != Judgement::Violated || without == violated, "{n}");
            }
        }
    }
    // Under the view this repeats a cycle, but the real run ends: only certain facts are reported.
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
    assert!(matches!(standing(&found), ViewStatus::Claimed { .. }));
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
        let found = explore(&instance, None, &ExploreOptions { threads, ..ALL }, &mut |_| None);
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
    count := max(count, h) + 1; got := got + 1
    if got < 3 -> send T(h + 1) [] got >= 3 -> skip fi
  od
finally f: forall p: p.got <= 3
";
    let instance = on(&source(text), "ring(3)").build();
    let of = |view: bool, symmetry: bool, reduce: bool| {
        explore(&instance, None, &ExploreOptions { view, symmetry, reduce, ..ALL }, &mut |_| None)
    };
    for reduce in [false, true] {
        let (none, view, both) = (of(false, false, reduce), of(true, false, reduce), of(true, true, reduce));
        assert_eq!((verdicts(&none), verdicts(&none)), (verdicts(&view), verdicts(&both)));
        assert!(both.symmetric && *standing(&both) == ViewStatus::Sound);
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
    assert!(
        matches!(standing(&found), ViewStatus::Unused { why } if why.contains("does not support views")),
        "{found:?}"
    );
}

/// Omitted values may change in the first turns, and then settle; the counterexample continues until all of them recur. If they
/// never do, the report says so.
#[test]
fn lassos_return_to_the_same_configuration() {
    let text = |assigned: &str| {
        format!(
            "algorithm turning\nassumes complete\nvar x : 0..1\nvar c : Int\nview without c\nstate s\n  pause\n\
             \x20 x := 1 - x\n  c := {assigned}\n  become s\neventually e: false\n"
        )
    };
    let (why, what) = ("a weakly fair run repeats a cycle and never satisfies it", "`false` is false");
    for (assigned, repeats_from, length, why) in [
        ("2", 2, 4, format!("{why}: {what}")),
        ("min(c + 1, 3)", 4, 6, format!("{why}: {what}")),
        ("c + 1", 1, 3, format!("{why}, as far as the view tells: {what}")),
    ] {
        let instance = on(&source(&text(assigned)), "complete(1)").build();
        let found = search(&instance, true, false);
        let [shown] = found.counterexamples.as_slice() else { panic!("{:?}", found.counterexamples) };
        assert_eq!(found.verdicts[0].why.to_string(), why, "{assigned}");
        assert_eq!((shown.repeats_from, shown.events.len()), (Some(repeats_from), length), "{assigned}");
        let after = |events: &[Event]| {
            let mut configuration = Configuration::initial(&instance);
            let mut machine = Machine::new(&instance);
            for event in events {
                machine.replay(&instance, &mut configuration, event).unwrap();
            }
            configuration
        };
        let closes = after(&shown.events) == after(&shown.events[..repeats_from]);
        assert_eq!(closes, assigned != "c + 1", "{assigned}");
    }
}

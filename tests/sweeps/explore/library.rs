//! Small instances of the whole library.

use crate::common::*;
use crate::explore::naive;
use std::collections::BTreeSet;
use synod::internals::explore::{Exploration, ExploreOptions, ViolationKind, explore};
use synod::internals::instance::Instance;
use synod::internals::ir::PropertyKind;
use synod::internals::property::{Judgement, Reads, needs_history};

fn all(reduce: bool, threads: usize) -> ExploreOptions {
    ExploreOptions {
        reduce,
        threads,
        symmetry: false,
        implicit_losses: false,
        dead_messages: false,
        forget_wakeups: false,
        keep_going: true,
        ..ExploreOptions::default()
    }
}

/// Explore without reductions, with every property.
fn whole(instance: &Instance) -> Exploration {
    explore(instance, None, &all(false, 1), &mut |_| None)
}

/// Explore with only those properties that concern single configurations.
fn plain(instance: &Instance, reduce: bool, threads: usize) -> Exploration {
    plainly(instance, &all(reduce, threads))
}

/// Explore with these options, for the same properties.
pub fn plainly(instance: &Instance, options: &ExploreOptions) -> Exploration {
    let program = &instance.program;
    let properties = program.properties.iter();
    let plain = properties
        .filter(|p| p.bound.is_none() && !needs_history(p, program) && !Reads::of(&p.body, program).other);
    let names: Vec<String> = plain.map(|p| p.name.clone()).collect();
    explore(instance, Some(&names), options, &mut |_| None)
}

pub fn violated(exploration: &Exploration) -> BTreeSet<String> {
    let bad = exploration.verdicts.iter().filter(|v| v.judgement == Judgement::Violated);
    bad.map(|v| v.name.clone()).collect()
}

fn endings_of(exploration: &Exploration) -> u64 {
    exploration.ends.iter().map(|e| e.configurations).sum()
}

/// Return instances small enough for the naive explorer.
fn instances() -> Vec<(String, Instance)> {
    let mut all = Vec::new();
    let mut add = |name: &str, topology: &str, ids: Option<&[i64]>| {
        let mut setup = on(&library(name), topology);
        if let Some(ids) = ids {
            setup = setup.ids(ids);
        }
        all.push((format!("{name} on {topology} {ids:?}"), setup.build()));
    };
    for name in
        ["chang_roberts", "chang_roberts_announced", "chang_roberts_participants", "lelann", "peterson"]
    {
        for ids in [&[1][..], &[2, 1], &[1, 2, 3], &[3, 2, 1], &[2, 4, 1, 3]] {
            add(name, &format!("ring({})", ids.len()), Some(ids));
        }
    }
    for name in ["dolev_klawe_rodeh", "dolev_klawe_rodeh_announced", "franklin"] {
        for ids in [&[1][..], &[2, 1], &[3, 1, 2], &[1, 3, 2, 4], &[2, 4, 1, 3, 5]] {
            add(name, &format!("ring({})", ids.len()), Some(ids));
        }
    }
    for name in ["hirschberg_sinclair", "hirschberg_sinclair_swallow"] {
        for ids in [&[1][..], &[2, 1], &[3, 1, 2]] {
            add(name, &format!("ring({})", ids.len()), Some(ids));
        }
    }
    for n in 1..=3 {
        for name in ["lamport", "ricart_agrawala", "suzuki_kasami", "voting", "maekawa"] {
            if (name == "maekawa" || name == "voting") && n == 3 {
                continue;
            }
            add(name, &format!("complete({n})"), None);
        }
    }
    add("ricart_agrawala_deny", "complete(2)", None);
    for n in 1..=3 {
        add("central_server", &format!("star({n})"), None);
        add("basic", &format!("complete({n})"), None);
    }
    add("token_ring", "ring(3)", None);
    add("raymond", "tree(4)", None);
    for name in ["fifo", "causal", "reliable", "sequencer_member"] {
        add(name, "complete(2)", None);
    }
    all
}

#[test]
fn the_same_configurations_as_a_naive_explorer() {
    for (name, instance) in instances() {
        let found = plain(&instance, false, 1);
        if found.configurations > 20_000 {
            continue;
        }
        the_same_as_naively(&name, &instance, &found);
    }
}

/// Compare configurations, steps, ends and violations with those of the naive explorer, for an exploration by `plain` without
/// reduction.
pub fn the_same_as_naively(name: &str, instance: &Instance, found: &Exploration) {
    let verdicts: Vec<(String, Judgement)> =
        found.verdicts.iter().map(|v| (v.name.clone(), v.judgement)).collect();
    let naive = naive::explore(instance, &verdicts);
    assert_eq!(found.stopped_by, None, "{name}");
    assert_eq!((found.configurations, found.steps), (naive.configurations, naive.steps), "{name}");
    assert_eq!(endings_of(found), naive.ending, "{name}");
    let ends: BTreeSet<&str> = found.ends.iter().map(|e| e.outcome).collect();
    assert_eq!(ends, naive.ends, "{name}");
    let kinds = |name: &String| {
        let p = instance.program.properties.iter().find(|p| p.name == *name).unwrap();
        matches!(p.kind, PropertyKind::Invariant | PropertyKind::Finally)
    };
    let bad: BTreeSet<String> = violated(found).into_iter().filter(kinds).collect();
    assert_eq!(bad, naive.violated, "{name}");
    let aborts = found.counterexamples.iter().any(|c| matches!(c.kind, ViolationKind::Aborted(_)));
    assert_eq!(aborts, naive.aborts, "{name}");
}

#[test]
fn reduction_loses_no_verdict_and_no_end() {
    for (name, instance) in instances() {
        let whole = plain(&instance, false, 1);
        nothing_is_lost(&name, &whole, &plain(&instance, true, 1));
    }
}

/// Receive dead messages first. Ends may differ in variables that nothing reads.
#[test]
fn dead_messages_lose_no_verdict_and_no_kind_of_end() {
    let mut fewer = 0;
    for (name, instance) in instances() {
        let whole = plain(&instance, false, 1);
        let early = plainly(&instance, &ExploreOptions { dead_messages: true, ..all(false, 1) });
        let ends = |found: &Exploration| -> BTreeSet<(&str, String)> {
            found.ends.iter().map(|end| (end.outcome, end.outputs.clone())).collect()
        };
        assert_eq!(violated(&whole), violated(&early), "{name}");
        assert_eq!(ends(&whole), ends(&early), "{name}");
        assert_eq!(whole.coverage, early.coverage, "{name}");
        fewer += u32::from(early.configurations < whole.configurations);
    }
    assert!(fewer >= 5, "{fewer}");
}

/// Check the results that reductions must preserve.
pub fn nothing_is_lost(name: &str, whole: &Exploration, reduced: &Exploration) {
    assert!(reduced.configurations <= whole.configurations, "{name}");
    assert_eq!(violated(whole), violated(reduced), "{name}");
    assert_eq!(whole.ends, reduced.ends, "{name}");
    assert_eq!(whole.coverage, reduced.coverage, "{name}");
    // The report names the reduction exactly if it has omitted something.
    assert_eq!(reduced.reduced, reduced.steps < whole.steps, "{name}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for (name, instance) in instances() {
        for reduce in [false, true] {
            let [one, three] = [1, 3].map(|threads| {
                plainly(&instance, &ExploreOptions { dead_messages: reduce, ..all(reduce, threads) })
            });
            let facts = |e: &Exploration| {
                (e.configurations, e.steps, e.depth, e.ends.clone(), e.verdicts.clone(), e.coverage.clone())
            };
            assert_eq!(facts(&one), facts(&three), "{name}");
            let events =
                |e: &Exploration| e.counterexamples.iter().map(|c| c.events.clone()).collect::<Vec<_>>();
            assert_eq!(events(&one), events(&three), "{name}");
        }
    }
}

/// Counts on which Spin, Stateright, Maude and two hand-written explorers agree: all processes started, one delivery per step.
/// Together they take a few seconds.
#[test]
fn the_counts_of_other_tools() {
    let reversed = |bits: u32| -> Vec<i64> {
        (0..1u32 << bits).map(|i| i64::from(i.reverse_bits() >> (32 - bits)) + 1).collect()
    };
    let twelve = [1, 7, 4, 10, 2, 8, 5, 11, 3, 9, 6, 12];
    for (name, ids, configurations) in [
        ("dolev_klawe_rodeh_announced", &reversed(3)[..], 4_944),
        ("dolev_klawe_rodeh_announced", &twelve, 332_391),
        ("chang_roberts_announced", &reversed(4), 765_034),
    ] {
        let found = plain(&ring(&library(name), ids), false, 1);
        assert_eq!(found.configurations, configurations, "{name} {ids:?}");
        assert!(violated(&found).is_empty());
    }
    let bare = source(include_str!("../../../benches/exploration/ricart_agrawala.syn"));
    for (n, entries, configurations) in [(3, 1, 2_049), (3, 2, 25_674), (3, 4, 375_205), (4, 1, 1_402_298)] {
        let instance = on(&bare, &format!("complete({n})")).param("entries", entries).build();
        let found = plain(&instance, false, 1);
        assert_eq!(found.configurations, configurations, "{n} processes, {entries} entries");
        assert!(violated(&found).is_empty());
    }
}

/// Every claimed property of the library, including histories and costs, under every schedule of small instances.
#[test]
fn the_claims_of_the_library_hold_under_every_schedule() {
    let mut judged = 0;
    for (name, instance) in instances() {
        // Counters and observations multiply configurations: only small instances.
        if plain(&instance, false, 1).configurations > 2_000 {
            continue;
        }
        judged += 1;
        let found = whole(&instance);
        let promised = found.verdicts.iter().filter(|v| v.promised && v.judgement != Judgement::Holds);
        let broken: Vec<String> =
            promised.map(|v| format!("{} {:?}: {}", v.name, v.judgement, v.why)).collect();
        assert!(broken.is_empty(), "{name}: {broken:#?}");
        let deadlocks = name.starts_with("voting") && !name.contains("complete(1)");
        let stuck = found
            .counterexamples
            .iter()
            .any(|c| matches!(c.kind, ViolationKind::Stuck(_) | ViolationKind::Aborted(_)));
        assert_eq!(stuck, deadlocks, "{name}: {:?}", found.counterexamples);
    }
    assert!(judged > 40, "{judged}");
}

/// The most and the least expensive runs that `bound` finds equal those of a search with counters.
#[test]
fn the_extremes_of_costs() {
    for ids in arrangements(3) {
        let instance = ring(&library("chang_roberts_participants"), &ids);
        let totals = totals(&instance);
        let found = whole(&instance);
        let why = found.verdicts.iter().find(|v| v.name == "at_most").unwrap().why.to_string();
        let (least, most) = (totals.first().unwrap(), totals.last().unwrap());
        let said =
            if least == most { format!("{most} in every run") } else { format!("from {least} to {most}") };
        assert_eq!(why, said, "{ids:?}");
    }
}

/// Models in which a step depends on more than one process, so that whole configurations are explored.
#[test]
fn rounds_and_daemons() {
    let flooding = on(&library("flooding"), "line(3)").build();
    let found = plain(&flooding, true, 1);
    assert_eq!((found.stopped_by, found.reduced), (None, false));
    assert_eq!(found.ends.len(), 1);
    assert!(violated(&found).is_empty());

    // Every process reads its neighbour: all three daemons, and the same verdicts as the naive explorer.
    let ring = on(&library("k_state_ring"), "ring(3)").build();
    let found = plain(&ring, true, 1);
    let verdicts: Vec<(String, Judgement)> =
        found.verdicts.iter().map(|v| (v.name.clone(), v.judgement)).collect();
    let naive = naive::explore(&ring, &verdicts);
    assert_eq!(found.configurations, naive.configurations);
    assert!(violated(&found).is_empty() && naive.violated.is_empty());
}

fn said(text: &str, topology: &str) -> Vec<(Judgement, String)> {
    let found = plain(&on(&source(text), topology).build(), true, 1);
    found.verdicts.iter().map(|v| (v.judgement, v.why.to_string())).collect()
}

/// Global fairness suffices where processes act in pairs, and weak fairness does not.
#[test]
fn what_settles_under_which_fairness() {
    let lone = |rules: &str| {
        format!(
            "algorithm lone assumes unidirectional ring, reads neighbours\nvar x : 0..2\n{rules}\nsettles top: forall p: p.x = 2"
        )
    };
    let weakly = "in every weakly fair run";
    assert_eq!(said(&lone("when x < 2 -> x := x + 1"), "ring(2)"), [(Judgement::Holds, weakly.into())]);
    let again = "a weakly fair run repeatedly loses it: for p = p0: `p.x = 2` is false, with 0 = 2, or for p = p0: `p.x = 2` is false, with 1 = 2";
    let round = lone("when true -> x := (x + 1) mod 3");
    assert_eq!(said(&round, "ring(1)"), [(Judgement::Violated, again.into())]);
    let never = "a weakly fair run repeats a cycle and never satisfies it: for p = p0: `p.x = 2` is false, with 0 = 2, or for p = p0: `p.x = 2` is false, with 1 = 2";
    let below = lone("when true -> x := (x + 1) mod 2");
    assert_eq!(said(&below, "ring(1)"), [(Judgement::Violated, never.into())], "it never had it");
    assert_eq!(
        said(&lone("when x < 1 -> x := x + 1"), "ring(1)"),
        [(Judgement::Violated, "a run ends without it: for p = p0: `p.x = 2` is false, with 1 = 2".into())]
    );

    // The number may rise and fall forever, but from 2 there is no way back.
    let walk = "algorithm walk assumes unidirectional ring, pairwise interactions\nvar x : 0..2
        on interaction(v) when x = 0 -> x := 1
        on interaction(v) when x = 1 -> x := 0
        on interaction(v) when x = 1 and v.x = 1 -> x, v.x := 2, 2
        settles top: forall p: p.x = 2";
    let globally = "in every globally fair run";
    assert_eq!(said(walk, "ring(2)"), [(Judgement::Holds, globally.into())]);
    let tossed =
        "algorithm tossed assumes unidirectional ring, pairwise interactions, randomness\nvar x : Bool
        on interaction(v) when not x -> x := coin(1/10)
        settles top: forall p: p.x
        eventually first: some p: p.x";
    assert_eq!(
        said(tossed, "ring(2)"),
        [(Judgement::Holds, globally.into()), (Judgement::Holds, globally.into())]
    );
    let swapped = "algorithm swapped assumes unidirectional ring, pairwise interactions\nvar x : Bool
        on interaction(v) when not x and not v.x -> v.x := true
        on interaction(v) when x != v.x -> x, v.x := v.x, x
        settles here: forall p: p.x iff p.index = 0
        eventually once: forall p: p.x iff p.index = 0";
    assert_eq!(
        said(swapped, "ring(2)"),
        [
            (Judgement::Violated, "a globally fair run repeatedly loses it: for p = p0: `p.x iff p.index = 0` is false, with false = true".into()),
            (Judgement::Holds, globally.into())
        ]
    );
}

/// A path that visits a configuration twice does so in different rounds.
#[test]
fn rounds_that_are_gone_through_again() {
    let text = "algorithm turns assumes unidirectional ring, synchronous, unique ids\nmessage M\nvar x : 0..1\nstate s\n  send M\n  round
        x := 1 - x\n  if arrived M -> skip [] otherwise -> skip fi
        leads back: (some p: p.x = 1) leads to (some p: p.x > 1)";
    let never = "a weakly fair run repeats a cycle and never satisfies the right side: no such p: `(some p: p.x > 1)`; pending since event 3";
    assert_eq!(said(text, "ring(2)"), [(Judgement::Violated, never.into())]);
    let found = plain(&on(&source(text), "ring(2)").build(), true, 1);
    // Starts, and two rounds, after the first of which a response is due.
    let [shown] = found.counterexamples.as_slice() else { panic!("{:?}", found.counterexamples) };
    assert_eq!((shown.events.len(), shown.repeats_from), (6, Some(2)));
}

/// If several processes must keep a property, the verdict names the one that has lost it.
#[test]
fn the_process_that_lost_a_property_is_named() {
    let text = "algorithm losing assumes unidirectional ring, unique ids, integer ids\nvar x : Int := int(id) - 1\nmessage M\nstate s
        on wakeup -> x := 0; send M
        on M -> skip
        stable positive for p: p.x > 0";
    let found = plain(&on(&source(text), "ring(3)").initiators(&[1]).build(), true, 1);
    let verdict = &found.verdicts[0];
    assert_eq!(verdict.why.to_string(), "for p = p1: it was true, but now `p.x > 0` is false, with 0 > 0");
}

/// If costs are unbounded, the counterexample exceeds the bound, wherever the cycle begins.
#[test]
fn unbounded_costs_are_shown() {
    let text = "algorithm growing assumes unidirectional ring, one Source\nmessage M\nrole Source
        var k : Int
        state s
          choose d in {0, 1, 2}
          k := d
          if k > 0 -> send M [] otherwise -> skip fi
          become t
        state t
          on M when k = 1  -> send M
          on M when k != 1 -> k := 5 - k; send M
        role Other
        state u
          on M -> send M
        bound few: messages <= 7";
    let instance = on(&source(text), "ring(2)").build();
    let found = whole(&instance);
    assert_eq!(found.verdicts[0].why.to_string(), "it grows without bound");
    let [shown] = found.counterexamples.as_slice() else { panic!("{:?}", found.counterexamples) };
    let trace = synod::internals::session::trace_of(&instance, shown, 1);
    assert!(trace.events.iter().map(|event| event.sent.len()).sum::<usize>() > 7);
}

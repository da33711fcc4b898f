//! Synchronous algorithms, unchanged, on a synchronizer: the same results under every schedule, at the catalogue's cost.
//! Catalogue: coordination 8.2.

use crate::common::*;
use std::sync::Arc;
use synod::internals::check::{Checked, check};
use synod::internals::explore::{ExploreOptions, explore};
use synod::internals::instance::Instance;
use synod::internals::ir::{Program, Value};
use synod::internals::library::source;
use synod::internals::property::Judgement;
use synod::internals::semantics::Metrics;

/// The assumptions that each needs.
const SYNCHRONIZERS: [(&str, &str); 4] =
    [("alpha", ""), ("beta", "spanning tree, "), ("gamma", "knows neighbours, "), ("round_synchronizer", "")];

fn of(checked: Checked) -> Arc<Program> {
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    assert!(found.is_empty(), "{found:?}");
    Arc::new(checked.program.unwrap())
}

fn flooding_by(synchronizer: &str, more: &str) -> Arc<Program> {
    let text = format!(
        "algorithm flooding_by_layer variant of flooding\n\
         assumes connected graph, synchronous by {synchronizer}, {more}reliable, unordered, unique ids, knows diameter\n"
    );
    of(check("by.syn", &text, &source))
}

/// LeLann, Chang and Roberts in rounds, with every way of waiting for a round; processes that know the leader halt, one after the
/// other.
fn around_the_ring(rounds: &str) -> Arc<Program> {
    let text = format!(
        "algorithm around solves Election(winner: greatest, told: all, termination: explicit)\n\
         assumes bidirectional ring, {rounds}, reliable, unordered, unique ids, knows n\n\
         message M(x: Id), Leader(x: Id), Late\nvar patience : Int\n\
         state first\n  send M(id) to right\n  become run\n\
         state run\n\
         \x20 do arrived M(x) from p when x > id -> send M(x) to opposite(p); patience := patience + 1\n\
         \x20 [] arrived M(x) and x = id         -> become won\n\
         \x20 [] arrived Leader(x)               -> elected := x; send Leader(x) to right; halt\n\
         \x20 [] otherwise arrived Late               -> patience := patience + 10\n\
         \x20 [] after n                          -> send Late to left\n  od\n\
         state won\n  round\n  send Leader(id) to right\n  await arrived Leader(x)\n  elected := x\n  halt\n"
    );
    of(check("around.syn", &text, &source))
}

fn count(program: &Arc<Program>, metrics: &Metrics, kind: &str) -> u64 {
    let kinds = program.kinds.iter().zip(&metrics.sent);
    kinds.filter(|(k, _)| k.name == kind).map(|(_, sent)| sent).sum()
}

#[test]
fn flooding_costs_what_the_table_says_under_each() {
    let table = [
        ("ring(4)", 16, 6),
        ("ring(6)", 36, 15),
        ("line(4)", 18, 9),
        ("complete(4)", 12, 3),
        ("mesh(3, 3)", 96, 32),
    ];
    for (synchronizer, more) in SYNCHRONIZERS {
        let program = flooding_by(synchronizer, more);
        for (topology, app, tree) in table {
            let instance = on(&program, topology).random_ids(7).build();
            for (schedule, seed) in schedules(30) {
                let judged = judge(&instance, schedule, seed, 100_000);
                assert!(judged.findings().is_empty(), "{synchronizer} on {topology}: {}", judged.reasons());
                let metrics = &judged.run.metrics;
                assert_eq!(
                    metrics.rounds,
                    u64::from(instance.network.diameter().unwrap()),
                    "as many as there would be"
                );
                let has = |kind| count(&program, metrics, kind);
                match synchronizer {
                    "alpha" => assert_eq!([has("App"), has("Ack"), has("Safe")], [app; 3]),
                    "beta" => {
                        assert_eq!(
                            [has("App"), has("Ack"), has("Safe"), has("Pulse")],
                            [app, app, tree, tree]
                        );
                        assert_eq!(has("Gone"), u64::from(instance.n()) - 1);
                    }
                    "gamma" => assert_eq!([has("App"), has("Ack"), has("Our_cluster_safe")], [app; 3]),
                    _ => assert_eq!(has("Packet"), app),
                }
            }
        }
    }
}

/// A ring in this order, divided into larger clusters: all in one, and in two. (Trees, preferred links.)
fn clusters(ids: &[i64]) -> Vec<(Value, Value)> {
    let pairs = |list: &[(i64, i64)]| {
        Value::set(list.iter().map(|(a, b)| Value::tuple(vec![Value::Id(*a), Value::Id(*b)])))
    };
    let edges: Vec<(i64, i64)> = ids.windows(2).map(|two| (two[1], two[0])).collect();
    // On a ring of two there are two links between the same processes, which a tree cannot distinguish.
    if ids.len() < 3 {
        return Vec::new();
    }
    let half = edges.len() / 2;
    let rest: Vec<(i64, i64)> =
        edges.iter().enumerate().filter(|(i, _)| *i != half).map(|(_, e)| *e).collect();
    vec![(pairs(&edges), pairs(&[])), (pairs(&rest), pairs(&edges[half..=half]))]
}

#[test]
fn processes_that_halt_one_after_the_other_serve_the_others() {
    let given = around_the_ring("synchronous");
    let made: Vec<_> = ["alpha", "beta, spanning tree", "gamma, knows neighbours", "round_synchronizer"]
        .map(|s| around_the_ring(&format!("synchronous by {s}")))
        .into();
    for n in 1..=5 {
        for ids in arrangements(n).into_iter().step_by(if n > 3 { 7 } else { 1 }) {
            let patience = |instance: &Instance, seed| {
                let judged = judge(instance, synod::internals::simulate::Schedule::Random, seed, 100_000);
                assert!(judged.findings().is_empty(), "{ids:?}: {}", judged.reasons());
                let of = |p| variable(instance, &judged.run.configuration, p, "patience");
                (instance.processes().map(of).collect::<Vec<_>>(), judged.run.metrics.rounds)
            };
            // The observations of each process, round by round, are those in given rounds; and there are as many.
            let expected = patience(&ring(&given, &ids), 1);
            for program in &made {
                let mut instances = vec![ring(program, &ids)];
                if program.roles[0].vars.iter().any(|v| v.name == "cluster_gone") {
                    instances.extend(clusters(&ids).into_iter().map(|(trees, preferred)| {
                        let setup = on(program, &format!("ring({n})")).ids(&ids);
                        setup.value("gamma.trees", trees).value("gamma.preferred", preferred).build()
                    }));
                }
                for (instance, seed) in instances.iter().flat_map(|i| (1..=5).map(move |seed| (i, seed))) {
                    assert_eq!(patience(instance, seed), expected, "{ids:?}");
                }
            }
        }
    }
}

#[test]
fn every_schedule_of_small_networks() {
    let options = ExploreOptions { keep_going: true, ..ExploreOptions::default() };
    let holds = |program: &Arc<Program>, topology: &str| {
        let found = explore(&on(program, topology).build(), None, &options, &mut |_| None);
        assert_eq!(found.stopped_by, None);
        let wrong: Vec<_> = found.verdicts.iter().filter(|v| v.judgement != Judgement::Holds).collect();
        assert!(wrong.is_empty() && found.counterexamples.is_empty(), "{topology}: {wrong:?}");
    };
    for (synchronizer, more) in SYNCHRONIZERS {
        holds(&flooding_by(synchronizer, more), "line(3)");
    }
    for made in ["alpha", "beta, spanning tree", "gamma, knows neighbours", "round_synchronizer"] {
        holds(&around_the_ring(&format!("synchronous by {made}")), "ring(2)");
    }
}

#[test]
fn constructs_incompatible_with_synchronizers_are_rejected() {
    let refused = |assumes: &str, state: &str| {
        let text = format!("algorithm a assumes {assumes}\nmessage M\nstate s\n{state}\n");
        let checked = check("a.syn", &text, &source);
        let errors = checked.diagnostics.iter().filter(|d| d.is_error());
        errors.map(|d| d.message()).collect::<Vec<_>>().join("; ")
    };
    let body = "  send M to neighbours\n  round\n  halt";
    assert_eq!(refused("connected graph, synchronous by alpha", body), "");
    for (assumes, state, expected) in [
        ("connected graph, synchronous by lelann", body, "`lelann` is not a synchronizer"),
        ("connected graph, synchronous by alfa", body, "no algorithm is called `alfa`"),
        ("unidirectional ring, synchronous by alpha", body, "is incompatible with `unidirectional ring`"),
        (
            "complete, unique ids, knows peers, synchronous by alpha",
            body,
            "is incompatible with `knows peers`",
        ),
        ("connected graph, synchronous, synchronous by alpha", body, "is incompatible with `synchronous`"),
        ("connected graph, synchronous by beta", body, "the layer `beta` assumes `spanning tree`"),
        (
            "connected graph, synchronous by alpha",
            "  on wakeup -> send M to neighbours; become t\nstate t\n  round\n  halt",
            "under a synchronizer all processes start in the first round",
        ),
        (
            "connected graph, synchronous by alpha",
            "  on M -> halt",
            "`on` is not allowed in a synchronous algorithm",
        ),
    ] {
        let found = refused(assumes, state);
        assert!(found.contains(expected), "{assumes}: {found}");
    }
}

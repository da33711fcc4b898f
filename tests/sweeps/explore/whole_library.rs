//! Every algorithm of the library on all small networks that it runs on, with and without faults: compared with the naive
//! explorer, with and without reductions, and under all equivalences.

use crate::common::*;
use crate::explore::library::{nothing_is_lost, plainly, the_same_as_naively, violated};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use synod::internals::explore::{Exploration, ExploreOptions, SearchOrder, explain};
use synod::internals::instance::Instance;
use synod::internals::ir::{Program, Value};
use synod::internals::library::entries;

/// The naive explorer keeps whole configurations: some ten thousand take a second.
const MOST: u64 = 12_000;

const NETWORKS: [&str; 24] = [
    "ring(1)",
    "ring(2)",
    "ring(3)",
    "ring(4)",
    "complete(1)",
    "complete(2)",
    "complete(3)",
    "star(1)",
    "star(2)",
    "star(3)",
    "tree(2)",
    "tree(3)",
    "tree(4)",
    "line(1)",
    "line(2)",
    "line(3)",
    "mesh(1, 2)",
    "mesh(2, 2)",
    "mesh(3, 3)",
    "torus(2, 2)",
    "torus(2, 4)",
    "torus(3, 3)",
    "hypercube(1)",
    "hypercube(2)",
];

/// Algorithms without a small enough instance, with the reason.
const TOO_LARGE: [(&str, &str); 1] =
    [("mesh_unoriented", "three rows and columns at least, and all four corners start at once")];

/// Return instances of an algorithm, with names. They may be too large.
fn instances(program: &Arc<Program>) -> Vec<(String, Instance)> {
    let mut all = Vec::new();
    let mut add = |name: String, setup: Setup| all.extend(setup.build_if_it_fits().map(|i| (name, i)));
    for network in NETWORKS {
        for faults in EACH_FAULT {
            let setup = on(program, network).faults(faults);
            add(format!("{} on {network} {faults:?}", program.name), setup);
        }
    }
    // With all links, even a single initiator gives half a million configurations on the smallest torus: keep a tree and one
    // link.
    if program.name == "torus_faulty_links" {
        let dead = [(1, 7), (2, 5), (5, 8), (2, 8), (3, 6), (6, 9), (3, 9), (4, 6), (7, 9)];
        let pairs = dead.map(|(p, q)| Value::tuple(vec![Value::Id(p), Value::Id(q)]));
        let setup = on(program, "torus(3, 3)").value("dead", Value::set(pairs)).initiators(&[4]);
        add("torus_faulty_links, one starts".into(), setup);
    }
    all
}

/// The counts of comparisons.
#[derive(Debug, Default)]
struct Compared {
    algorithms: BTreeSet<&'static str>,
    instances: usize,
    reduced: usize,
    symmetric: usize,
    violating: usize,
}

fn compare(name: &str, instance: &Instance) -> Option<Compared> {
    let all = ExploreOptions {
        keep_going: true,
        max_configurations: MOST,
        threads: 2,
        ..ExploreOptions::default()
    };
    let whole = ExploreOptions {
        reduce: false,
        dead_messages: false,
        forget_wakeups: false,
        symmetry: false,
        view: false,
        implicit_losses: false,
        threads: 1,
        ..all
    };
    let found = plainly(instance, &whole);
    if found.stopped_by.is_some() {
        return None;
    }
    the_same_as_naively(name, instance, &found);
    let reduced = plainly(instance, &ExploreOptions { reduce: true, ..whole });
    nothing_is_lost(name, &found, &reduced);
    nothing_is_lost(
        name,
        &found,
        &plainly(instance, &ExploreOptions { reduce: true, order: SearchOrder::Chance(7), ..whole }),
    );
    // Symmetry alone, and all reductions at once, with two threads.
    let symmetric = plainly(instance, &ExploreOptions { symmetry: true, ..whole });
    let together = plainly(instance, &all);
    for fewer in [&symmetric, &together] {
        assert_eq!(fewer.stopped_by, None, "{name}");
        assert!(fewer.configurations <= found.configurations, "{name}");
        assert_eq!(violated(&found), violated(fewer), "{name}");
        assert_eq!(outcomes(&found), outcomes(fewer), "{name}");
        assert_eq!(found.coverage, fewer.coverage, "{name}");
    }
    // Without equivalences, nothing is missing.
    let counts = |e: &Exploration| (e.configurations, e.steps);
    assert!(symmetric.symmetric || counts(&symmetric) == counts(&found), "{name}");
    for counterexample in reduced.counterexamples.iter().chain(&together.counterexamples) {
        assert!(explain(instance, counterexample).is_some(), "{name}: {:?}", counterexample.kind);
    }
    Some(Compared {
        algorithms: BTreeSet::new(),
        instances: 1,
        reduced: usize::from(reduced.reduced),
        symmetric: usize::from(symmetric.configurations < found.configurations),
        violating: usize::from(!violated(&found).is_empty()),
    })
}

fn outcomes(found: &Exploration) -> BTreeSet<&'static str> {
    found.ends.iter().map(|end| end.outcome).collect()
}

#[test]
fn the_whole_library_on_small_networks() {
    let algorithms: Vec<&str> =
        entries().into_iter().filter(|(_, e)| !e.is_problem()).map(|(name, _)| name).collect();
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Compared::default()));
    let work = || {
        while let Some(&algorithm) = algorithms.get(next.fetch_add(1, Ordering::Relaxed)) {
            for (name, instance) in instances(&library(algorithm)) {
                let Some(compared) = compare(&name, &instance) else { continue };
                let mut all = all.lock().expect("nobody has failed");
                all.algorithms.insert(algorithm);
                all.instances += compared.instances;
                all.reduced += compared.reduced;
                all.symmetric += compared.symmetric;
                all.violating += compared.violating;
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let all = all.into_inner().expect("nobody has failed");
    let without: BTreeSet<&str> =
        algorithms.into_iter().filter(|name| !all.algorithms.contains(name)).collect();
    assert_eq!(without, BTreeSet::from(TOO_LARGE.map(|(name, _)| name)), "no instance is small enough");
    // The reductions have been effective somewhere.
    assert!(all.instances > 1000 && all.reduced > 80 && all.symmetric > 10 && all.violating > 80, "{all:?}");
}

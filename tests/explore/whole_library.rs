//! Every algorithm of the library on whatever small networks it runs on, with and without faults: against the naive explorer, reduced against
//! whole, and with all that takes configurations together against both.

use crate::common::*;
use crate::library::{nothing_is_lost, plainly, the_same_as_naively, violated};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use synod::explore::{Exploration, Options, Order, explain};
use synod::instance::Instance;
use synod::ir::{Program, Value};
use synod::library::entries;

/// The naive explorer keeps whole configurations, and takes a second for a few ten thousand.
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

/// Which of them have no instance small enough, and why.
const TOO_LARGE: [(&str, &str); 1] =
    [("mesh_unoriented", "three rows and columns at least, and all four corners start at once")];

/// Instances of an algorithm, with what to call them. They may be too large.
fn instances(program: &Arc<Program>) -> Vec<(String, Instance)> {
    let mut all = Vec::new();
    let mut add = |name: String, setup: Setup| all.extend(setup.build_if_it_fits().map(|i| (name, i)));
    for network in NETWORKS {
        for faults in EACH_FAULT {
            let setup = on(program, network).faults(faults);
            add(format!("{} on {network} {faults:?}", program.name), setup);
        }
    }
    // With all its links, who starts alone makes half a million configurations on the least torus: here a tree is left, and one link.
    if program.name == "torus_faulty_links" {
        let dead = [(1, 7), (2, 5), (5, 8), (2, 8), (3, 6), (6, 9), (3, 9), (4, 6), (7, 9)];
        let pairs = dead.map(|(p, q)| Value::tuple(vec![Value::Id(p), Value::Id(q)]));
        let setup = on(program, "torus(3, 3)").value("dead", Value::set(pairs)).initiators(&[4]);
        add("torus_faulty_links, one starts".into(), setup);
    }
    all
}

/// What was compared.
#[derive(Debug, Default)]
struct Compared {
    algorithms: BTreeSet<&'static str>,
    instances: usize,
    reduced: usize,
    symmetric: usize,
    violating: usize,
}

fn compare(name: &str, instance: &Instance) -> Option<Compared> {
    let all = Options { keep_going: true, max_configurations: MOST, threads: 2, ..Options::default() };
    let whole = Options { reduce: false, symmetry: false, view: false, threads: 1, ..all };
    let found = plainly(instance, &whole);
    if found.cut.is_some() {
        return None;
    }
    the_same_as_naively(name, instance, &found);
    let reduced = plainly(instance, &Options { reduce: true, ..whole });
    nothing_is_lost(name, &found, &reduced);
    nothing_is_lost(
        name,
        &found,
        &plainly(instance, &Options { reduce: true, order: Order::Chance(7), ..whole }),
    );
    // Symmetry by itself, and all at once, by two threads.
    let symmetric = plainly(instance, &Options { symmetry: true, ..whole });
    let together = plainly(instance, &all);
    for fewer in [&symmetric, &together] {
        assert_eq!(fewer.cut, None, "{name}");
        assert!(fewer.configurations <= found.configurations, "{name}");
        assert_eq!(violated(&found), violated(fewer), "{name}");
        assert_eq!(outcomes(&found), outcomes(fewer), "{name}");
        assert_eq!(found.seen, fewer.seen, "{name}");
    }
    // Where nothing is taken together, everything is there.
    let counts = |e: &Exploration| (e.configurations, e.steps);
    assert!(symmetric.symmetric || counts(&symmetric) == counts(&found), "{name}");
    for counterexample in reduced.counterexamples.iter().chain(&together.counterexamples) {
        assert!(explain(instance, counterexample).is_some(), "{name}: {:?}", counterexample.what);
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
    // What takes things together has had something to take.
    assert!(all.instances > 1000 && all.reduced > 80 && all.symmetric > 10 && all.violating > 80, "{all:?}");
}

//! Synod's verdicts against those by definition.

use crate::common::{Setup, library, on};
use crate::graph::Target;
use crate::liveness::{Coins, may_go_on};
use crate::machine_graph::{Steps, graph};
use crate::machine_verdicts::verdict;
use crate::verdicts::Verdict;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use synod::explore::{Exploration, Options, Order, Wrong, explore};
use synod::instance::{Instance, Pace};
use synod::ir::{Daemon, Fault, Program};
use synod::library::entries;
use synod::property::Judgement;

/// Larger instances are left out.
const MOST: usize = 120;

const NETWORKS: [&str; 13] = [
    "ring(1)", "ring(2)", "ring(3)", "complete(1)", "complete(2)", "complete(3)", "star(1)", "star(2)", "line(2)",
    "line(3)", "tree(2)", "tree(3)", "mesh(2, 2)",
];

const FAULTS: [&[(Fault, u32)]; 7] = [
    &[],
    &[(Fault::Crash, 1)],
    &[(Fault::Crash, 1), (Fault::Restart, 1)],
    &[(Fault::Loss, 1)],
    &[(Fault::Duplication, 1)],
    &[(Fault::Suspicion, 1)],
    &[(Fault::Lie, 1)],
];

/// What was compared, and what was refused and why.
#[derive(Debug, Default)]
struct Compared {
    instances: usize,
    /// By kind and judgement.
    verdicts: BTreeMap<String, usize>,
    refused: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

impl Compared {
    fn add(&mut self, other: Compared) {
        self.instances += other.instances;
        self.wrong.extend(other.wrong);
        for (key, count) in other.verdicts {
            *self.verdicts.entry(key).or_default() += count;
        }
        for (key, count) in other.refused {
            *self.refused.entry(key).or_default() += count;
        }
    }
}

/// The default, and each option by itself.
fn all_options() -> [(&'static str, Options); 6] {
    let all = Options { keep_going: true, ..Options::default() };
    [
        ("default", all),
        ("no symmetry", Options { symmetry: false, ..all }),
        ("no reduction", Options { reduce: false, ..all }),
        ("no view", Options { view: false, ..all }),
        ("depth first", Options { order: Order::Depth, ..all }),
        ("surely", Options { surely: true, ..all }),
    ]
}

fn compare(name: &str, instance: &Instance) -> Option<Compared> {
    let graph = graph(instance, MOST)?;
    let mut compared = Compared { instances: 1, ..Compared::default() };
    let properties: Vec<(&str, [Verdict; 2])> = instance
        .program
        .properties
        .iter()
        .map(|p| {
            let by = |coins| verdict(instance, &graph, p, coins);
            (p.name.as_str(), [by(Coins::ByChance), by(Coins::Badly)])
        })
        .collect();
    for (option, options) in all_options() {
        let found = explore(instance, None, &options, &mut |_| None);
        if found.cut.is_some() {
            *compared.refused.entry(format!("{option}: {:?}", found.cut)).or_default() += 1;
            continue;
        }
        let coins = if options.surely { Coins::Badly } else { Coins::ByChance };
        let place = format!("{name}, {option}");
        for (property, verdicts) in &properties {
            let expected = &verdicts[usize::from(options.surely)];
            compare_property(&place, (property, expected), &found, &mut compared);
        }
        compare_outcomes(&place, &graph, &found, coins, &mut compared);
    }
    Some(compared)
}

fn compare_property(
    place: &str,
    (property, expected): (&str, &Verdict),
    found: &Exploration,
    compared: &mut Compared,
) {
    let Some(verdict) = found.verdicts.iter().find(|v| v.name == property) else { return };
    let same = match expected {
        Verdict::Refused(why) => {
            *compared.refused.entry(why.clone()).or_default() += 1;
            return;
        }
        Verdict::Holds => verdict.judgement == Judgement::Holds,
        Verdict::Violated => verdict.judgement == Judgement::Violated,
        Verdict::NotChecked(_) => verdict.judgement == Judgement::NotChecked,
    };
    if !same {
        let (judgement, why) = (verdict.judgement, &verdict.why);
        compared.wrong.push(format!("{place}: {property} is {judgement:?} ({why}), by definition {expected:?}"));
    }
    *compared.verdicts.entry(format!("{:?} {:?}", verdict.kind, verdict.judgement)).or_default() += 1;
}

fn compare_outcomes(place: &str, graph: &Steps, found: &Exploration, coins: Coins, compared: &mut Compared) {
    let edges = || graph.starts.iter().chain(graph.steps.iter().flatten());
    let aborts = edges().any(|edge| matches!(edge.target, Target::Abort(_)));
    let said = found.counterexamples.iter().any(|c| matches!(c.what, Wrong::Aborted(_)));
    if aborts != said {
        compared.wrong.push(format!("{place}: aborts {said}, by definition {aborts}"));
    }
    let ends = (0..graph.configurations.len()).any(|at| graph.is_end(at));
    if ends == found.ends.is_empty() {
        compared.wrong.push(format!("{place}: ends {:?}, by definition {ends}", found.ends));
    }
    if let (Some(all_end), Ok(goes_on)) = (found.every_run_ends, may_go_on(graph, coins)) {
        *compared.verdicts.entry(format!("every run ends {all_end}")).or_default() += 1;
        if all_end == goes_on {
            compared.wrong.push(format!("{place}: every run ends {all_end}, by definition one goes on {goes_on}"));
        }
    }
}

/// The instances of an algorithm of the library that it accepts. They may be too large.
fn instances(program: &Arc<Program>) -> Vec<(String, Instance)> {
    let mut all = Vec::new();
    let mut add = |name: String, setup: Setup| all.extend(setup.build_if_it_fits().map(|i| (name, i)));
    for network in NETWORKS {
        for faults in FAULTS {
            let setup = on(program, network).faults(faults);
            add(format!("{} on {network} {faults:?}", program.name), setup);
        }
        let reads = on(program, network).build_if_it_fits().is_some_and(|i| matches!(i.model.pace, Pace::Daemon(_)));
        if reads {
            for daemon in [Daemon::Central, Daemon::Synchronous, Daemon::Distributed] {
                let setup = on(program, network).daemon(daemon);
                add(format!("{} on {network} {daemon:?}", program.name), setup);
            }
        }
    }
    all
}

#[test]
fn the_library_has_the_verdicts_of_the_definition() {
    let algorithms: Vec<&str> =
        entries().into_iter().filter(|(_, e)| !e.is_problem()).map(|(name, _)| name).collect();
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Compared::default()));
    let work = || {
        while let Some(&algorithm) = algorithms.get(next.fetch_add(1, Ordering::Relaxed)) {
            for (name, instance) in instances(&library(algorithm)) {
                let begun = std::time::Instant::now();
                let compared = compare(&name, &instance);
                println!("{name}: {} in {:?}", compared.is_some(), begun.elapsed());
                let Some(compared) = compared else { continue };
                compared.wrong.iter().for_each(|wrong| println!("WRONG {wrong}"));
                all.lock().expect("nobody has failed").add(compared);
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let all = all.into_inner().expect("nobody has failed");
    println!("{:#?}", all);
    assert!(all.wrong.is_empty(), "{:#?}", all.wrong);
}

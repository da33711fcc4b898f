//! The specification against Synod without its reductions: the whole library on small networks.

use crate::common::{library, on};
use crate::configuration::Faults;
use crate::ends::outcome;
use crate::explore::explore;
use crate::graph::Target;
use crate::module::Program;
use crate::network::{Settings, System};
use crate::value::Failure;
use std::collections::{BTreeMap, BTreeSet};
use synod::explore::{Exploration, Options, Wrong};
use synod::instance::Instance;
use synod::ir::Fault;
use synod::library::entries;
use synod::property::{Reads, needs_history};

const MOST: u64 = 1_500;

const NETWORKS: [&str; 18] = [
    "ring(1)", "ring(2)", "ring(3)", "complete(1)", "complete(2)", "complete(3)", "star(1)", "star(2)", "tree(2)",
    "tree(3)", "line(1)", "line(2)", "line(3)", "mesh(1, 2)", "mesh(2, 2)", "torus(2, 2)", "hypercube(1)",
    "hypercube(2)",
];

const FAULTS: [&[(Fault, u32)]; 8] = [
    &[],
    &[(Fault::Crash, 1)],
    &[(Fault::Crash, 1), (Fault::Restart, 1)],
    &[(Fault::Loss, 1)],
    &[(Fault::Duplication, 1)],
    &[(Fault::Link, 1)],
    &[(Fault::Suspicion, 1)],
    &[(Fault::Lie, 1)],
];

/// What is compared: configurations, outcomes, and whether some step aborts.
type Facts = (u64, BTreeSet<&'static str>, bool);

/// What Synod finds without properties that make more configurations, and without reductions. None: too much.
fn found(instance: &Instance) -> Option<Facts> {
    let program = &instance.program;
    let plain = program
        .properties
        .iter()
        .filter(|p| p.bound.is_none() && !needs_history(p, program) && !Reads::of(&p.body, program).other);
    let names: Vec<String> = plain.map(|p| p.name.clone()).collect();
    let options = Options {
        reduce: false,
        symmetry: false,
        view: false,
        threads: 1,
        keep_going: true,
        max_configurations: MOST,
        ..Options::default()
    };
    let found: Exploration = synod::explore::explore(instance, Some(&names), &options, &mut |_| None);
    let aborts = found.counterexamples.iter().any(|c| matches!(c.what, Wrong::Aborted(_)));
    let ends = found.ends.iter().map(|end| end.outcome).collect();
    found.cut.is_none().then_some((found.configurations - found.between, ends, aborts))
}

/// What the specification says. None: too much.
fn specified(text: &str, instance: &Instance, faults: &[(Fault, u32)]) -> Result<Option<Facts>, Failure> {
    let find = |name: &str| synod::library::source(name).map(|(_, text)| text);
    let program = Program::link(text, &find).map_err(Failure::Unspecified)?;
    let settings = Settings { initiators: instance.initiators.clone(), faults: budget(faults), ..Settings::default() };
    let system = System::new(program, instance.network.clone(), settings)?;
    let Some(graph) = explore(&system, MOST as usize + 1)? else { return Ok(None) };
    let ends = (0..graph.configurations.len()).filter(|at| graph.is_end(*at));
    let ends = ends.map(|at| outcome(&system, &graph.configurations[at])).collect();
    let all = graph.starts.iter().chain(graph.steps.iter().flatten());
    let aborts = all.into_iter().any(|edge| matches!(edge.target, Target::Abort(_)));
    Ok(Some((graph.configurations.len() as u64, ends, aborts)))
}

fn budget(faults: &[(Fault, u32)]) -> Faults {
    let of = |kind: Fault| faults.iter().find(|(fault, _)| *fault == kind).map_or(0, |(_, count)| *count);
    Faults {
        crash: of(Fault::Crash),
        restart: of(Fault::Restart),
        loss: of(Fault::Loss),
        duplication: of(Fault::Duplication),
        link: of(Fault::Link),
        suspicion: of(Fault::Suspicion),
        lie: of(Fault::Lie),
    }
}

#[test]
fn the_library_has_the_configurations_that_the_reference_says() {
    let (mut compared, mut refused) = (0, BTreeMap::<String, usize>::new());
    let mut different = Vec::new();
    let only = std::env::var("ONLY").ok();
    for (name, entry) in entries() {
        if entry.is_problem() || only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let program = library(name);
        for network in NETWORKS {
            for faults in FAULTS {
                let Some(instance) = on(&program, network).faults(faults).build_if_it_fits() else { continue };
                let Some(expected) = found(&instance) else { continue };
                match specified(entry.text, &instance, faults) {
                    Ok(Some(facts)) if facts == expected => compared += 1,
                    Err(Failure::Unspecified(what)) => {
                        *refused.entry(format!("{what} ({name})")).or_default() += 1;
                    }
                    other => different.push(format!("{name} on {network} {faults:?}: {other:?}, Synod {expected:?}")),
                }
            }
        }
    }
    println!("{compared} compared; refused: {refused:#?}");
    assert!(different.is_empty(), "{} different: {different:#?}", different.len());
}

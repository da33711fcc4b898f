//! Comparison of the specification with Synod without its reductions: all programs of the repository, on small networks.

use crate::common::{EACH_FAULT, on};
use crate::comparison::{Case, NETWORKS, specified_graph};
use crate::specification::configuration::{Configuration, Sent};
use crate::specification::ends::outcome;
use crate::specification::graph::{Edge, Graph, Target};
use crate::specification::network::System;
use crate::specification::value::{Failure, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use synod::internals::check::{check, snake};
use synod::internals::explore::{Exploration, ExploreOptions, ViolationKind};
use synod::internals::instance::Instance;
use synod::internals::ir::Fault;
use synod::internals::library::entries;
use synod::internals::property::{Reads, needs_history};

/// The greatest number of configurations; larger instances are skipped.
const MOST: u64 = 1_000;

/// The facts that are compared.
#[derive(Debug)]
pub struct Facts {
    configurations: u64,
    /// The number of steps that do not abort; None if Synod counts steps in another way.
    steps: Option<u64>,
    ends: BTreeSet<&'static str>,
    aborts: bool,
}

impl Facts {
    /// Return the facts that a search without reductions found. Its properties must not refine the state space.
    pub fn found(found: &Exploration) -> Facts {
        Facts {
            configurations: found.configurations - found.intermediate,
            steps: Some(found.steps),
            ends: found.ends.iter().map(|end| end.outcome).collect(),
            aborts: found.counterexamples.iter().any(|c| matches!(c.kind, ViolationKind::Aborted(_))),
        }
    }

    pub fn specified(system: &System, graph: &Graph<Configuration, Value>, instance: &Instance) -> Facts {
        let ends = (0..graph.configurations.len()).filter(|at| graph.is_end(*at));
        let aborts = |edge: &Edge<Value>| matches!(edge.target, Target::Abort(_));
        let steps = || graph.steps.iter().flatten();
        Facts {
            configurations: graph.configurations.len() as u64,
            steps: counted_alike(instance, graph)
                .then(|| steps().filter(|edge| !aborts(edge)).count() as u64),
            ends: ends.map(|at| outcome(system, &graph.configurations[at]).word()).collect(),
            aborts: graph.starts.iter().chain(steps()).any(aborts),
        }
    }

    pub fn are(&self, found: &Facts) -> bool {
        let steps = self.steps.is_none_or(|steps| found.steps == Some(steps));
        let Facts { configurations, ends, aborts, .. } = self;
        steps && (configurations, ends, aborts) == (&found.configurations, &found.ends, &found.aborts)
    }
}

/// Test whether both count steps alike. Synod counts each part of a joint step, and each of several equal messages that overtake one
/// another.
fn counted_alike(instance: &Instance, graph: &Graph<Configuration, Value>) -> bool {
    let lanes = || graph.configurations.iter().flat_map(|configuration| configuration.channels.values());
    let alike = |a: &Sent, b: &Sent| a.content == b.content;
    let repeats = lanes().any(|lane| lane.windows(2).any(|pair| alike(&pair[0], &pair[1])));
    !instance.model.is_joint() && !repeats
}

/// Explore an instance with Synod, without reductions and without properties that refine the state space. Return None if it has more
/// configurations than `most`.
fn found(instance: &Instance, most: u64) -> Option<Exploration> {
    let program = &instance.program;
    let plain = program
        .properties
        .iter()
        .filter(|p| p.bound.is_none() && !needs_history(p, program) && !Reads::of(&p.body, program).other);
    let names: Vec<String> = plain.map(|p| p.name.clone()).collect();
    let options = ExploreOptions {
        reduce: false,
        symmetry: false,
        view: false,
        implicit_losses: false,
        dead_messages: false,
        forget_wakeups: false,
        threads: 1,
        keep_going: true,
        max_configurations: most,
        ..ExploreOptions::default()
    };
    let found = synod::internals::explore::explore(instance, Some(&names), &options, &mut |_| None);
    found.stopped_by.is_none().then_some(found)
}

/// Test whether the specification can be expected to have at most this number of configurations. Synod counts them sooner. Its
/// intermediate states of joint steps are no configurations of the specification.
pub fn is_small(instance: &Instance, most: usize) -> bool {
    let found = catch_unwind(|| found(instance, 20 * most as u64));
    // A panic is for the comparison to report.
    found.map_or(true, |found| {
        found.is_some_and(|found| found.configurations - found.intermediate <= most as u64)
    })
}

/// Explore an instance with the specification; return None if it is too large.
fn specified(
    text: &str,
    find: &dyn Fn(&str) -> Option<String>,
    instance: &Instance,
    faults: &[(Fault, u32)],
) -> Result<Option<Facts>, Failure> {
    let found = specified_graph(text, find, instance, &Case { faults, daemon: None }, MOST as usize + 1)?;
    Ok(found.map(|(system, graph)| Facts::specified(&system, &graph, instance)))
}

/// The numbers of compared and refused instances, and the differences found.
#[derive(Debug, Default)]
struct Comparison {
    compared: usize,
    refused: BTreeMap<String, usize>,
    different: Vec<String>,
}

impl Comparison {
    /// Compare one program on all networks that it fits, with all faults that it assumes.
    fn program(&mut self, name: &str, text: &str, find: &dyn Fn(&str) -> Option<String>) {
        if std::env::var("ONLY").is_ok_and(|only| !name.contains(&only)) {
            return;
        }
        if std::env::var("SHOW").is_ok() {
            eprintln!("{name}");
        }
        let named = |wanted: &str| find(wanted).map(|text| (format!("{wanted}.syn"), text));
        let is_problem = text.lines().any(|line| line.starts_with("problem "));
        let Some(program) = check(name, text, &named).program.filter(|_| !is_problem).map(Arc::new) else {
            return;
        };
        for network in NETWORKS {
            for faults in EACH_FAULT {
                let setup = on(&program, network).faults(faults);
                let Some(instance) = setup.build_if_it_fits() else { continue };
                self.instance(name, text, find, &instance, faults);
                // The same with descending identifiers and a single initiator.
                let ids: Vec<i64> = (1..=i64::from(instance.n())).rev().collect();
                let setup = setup.ids(&ids).initiators(&[instance.n() - 1]);
                if let Some(instance) = setup.build_if_it_fits().filter(|instance| instance.n() > 1) {
                    self.instance(name, text, find, &instance, faults);
                }
            }
        }
    }

    fn instance(
        &mut self,
        name: &str,
        text: &str,
        find: &dyn Fn(&str) -> Option<String>,
        instance: &Instance,
        faults: &[(Fault, u32)],
    ) {
        let network = instance.network.topology();
        let expected = match catch_unwind(|| found(instance, MOST)) {
            Ok(Some(found)) => Facts::found(&found),
            Ok(None) => return,
            Err(_) => return self.different.push(format!("{name} on {network} {faults:?}: Synod panics")),
        };
        match specified(text, find, instance, faults) {
            Ok(Some(facts)) if facts.are(&expected) => self.compared += 1,
            Err(Failure::Unspecified(what)) => {
                *self.refused.entry(format!("{what} ({name})")).or_default() += 1;
            }
            other => {
                self.different.push(format!("{name} on {network} {faults:?}: {other:?}, Synod {expected:?}"))
            }
        }
    }

    #[track_caller]
    fn finish(self, least: usize) {
        println!("{} compared; refused: {:#?}", self.compared, self.refused);
        assert!(self.different.is_empty(), "{} different: {:#?}", self.different.len(), self.different);
        assert!(self.compared >= least || std::env::var("ONLY").is_ok(), "only {} compared", self.compared);
    }
}

fn of_library(name: &str) -> Option<String> {
    synod::internals::library::source(name).map(|(_, text)| text)
}

#[test]
fn the_library_has_the_configurations_of_the_reference() {
    let mut comparison = Comparison::default();
    for (name, entry) in entries() {
        comparison.program(name, entry.text, &of_library);
    }
    comparison.finish(800);
}

/// The programs in the code blocks of the language reference.
#[test]
fn examples_of_the_reference_have_its_configurations() {
    let page = include_str!("../../../grammar/README.md");
    let (mut headers, mut programs) = (BTreeMap::new(), Vec::new());
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let text: Vec<&str> = lines.by_ref().map(|(_, l)| l).take_while(|l| *l != "```").collect();
        let text = text.join("\n") + "\n";
        let info: Vec<&str> = info.split_whitespace().collect();
        match info.as_slice() {
            ["synod", "header", name] => {
                headers.insert(name.to_string(), text);
            }
            ["synod", "fragment", name, ..] => programs.push((at, format!("{}{text}", headers[*name]))),
            ["synod"] | ["synod", "warns", ..] => programs.push((at, text)),
            _ => {}
        }
    }
    let find = |wanted: &str| {
        let is = |text: &str| {
            let words =
                text.lines().filter_map(|l| l.strip_prefix("algorithm ").or(l.strip_prefix("problem ")));
            let mut names = words.filter_map(|l| l.split(|c: char| !c.is_alphanumeric() && c != '_').next());
            names.any(|name| snake(name) == snake(wanted))
        };
        programs.iter().map(|(_, text)| text).find(|text| is(text)).cloned().or_else(|| of_library(wanted))
    };
    let mut comparison = Comparison::default();
    // The start of `casino` has too many outcomes to enumerate.
    for (line, text) in programs.iter().filter(|(_, text)| !text.starts_with("algorithm casino")) {
        comparison.program(&format!("line {line}"), text, &find);
    }
    comparison.finish(100);
}

/// All other programs of the repository.
#[test]
fn other_programs_have_the_configurations_of_the_reference() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["tests", "examples", "benches"] {
        collect(&root.join(folder), &mut files);
    }
    files.extend(std::env::var("PROGRAMS").ok().map(PathBuf::from).map_or(Vec::new(), |folder| {
        let mut more = Vec::new();
        collect(&folder, &mut more);
        more
    }));
    files.sort();
    let mut comparison = Comparison::default();
    for file in files {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let beside = |name: &str| {
            let folder = file.parent()?;
            std::fs::read_to_string(folder.join(format!("{}.syn", snake(name))))
                .ok()
                .or_else(|| of_library(name))
        };
        comparison.program(&file.strip_prefix(root).unwrap_or(&file).display().to_string(), &text, &beside);
    }
    comparison.finish(100);
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "syn") {
            files.push(path);
        }
    }
}

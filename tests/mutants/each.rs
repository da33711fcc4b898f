//! One line of every algorithm of the library changed: a comparison turned round, a condition or a statement left out, one more or one
//! less. Each change is seen in some schedule of a small instance. `each.tsv` has them: the algorithm, what was done, the line and what
//! stands there instead, what `verify` shows then, the network, the ids, and parameters and faults. Where the line stands in the file that
//! an algorithm is a variant of, that is named beside it.
//!
//! The lines were changed by rule, and those changes kept that violate what the file as it is keeps on the same instance.
//! Changes that show on no small instance, most of them because they change nothing, are not in the table.

use super::super::common::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use synod::explore::{Options, Wrong, explore};
use synod::instance::Instance;
use synod::ir::{Budget, Program};
use synod::library::entries;

const TABLE: &str = include_str!("each.tsv");

struct Mutant {
    algorithm: &'static str,
    /// The file that is changed: of a variant perhaps that which it is a variant of.
    file: &'static str,
    change: &'static str,
    line: &'static str,
    instead: &'static str,
    shows: &'static str,
    network: &'static str,
    ids: Vec<i64>,
    settings: Vec<&'static str>,
}

fn mutants() -> impl Iterator<Item = Mutant> {
    TABLE.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut parts = line.split('\t');
        let mut next = || parts.next().unwrap_or_else(|| panic!("too short: {line}"));
        let [names, change, old, instead] = [next(), next(), next(), next()];
        let (algorithm, file) = names.split_once(' ').unwrap_or((names, names));
        let [shows, network, ids, settings] = [next(), next(), next(), next()];
        let numbers = ids.split(',').filter(|id| !id.is_empty()).map(|id| id.parse().expect("an id"));
        let settings = settings.split_whitespace().collect();
        let ids = numbers.collect();
        Mutant { algorithm, file, change, line: old, instead, shows, network, ids, settings }
    })
}

impl Mutant {
    fn instance(&self, program: &Arc<Program>) -> Instance {
        let mut setup = on(program, self.network);
        if !self.ids.is_empty() {
            setup = setup.ids(&self.ids);
        }
        for setting in &self.settings {
            setup = match setting.split_once('=').filter(|_| !setting.contains('<')) {
                Some((name, value)) => setup.param(name, value.parse().expect("a number")),
                None => setup.faults(&Budget::parse(setting).expect("faults")),
            };
        }
        setup.build()
    }

    /// What every schedule shows, of what is promised.
    fn found(&self, program: &Arc<Program>) -> BTreeSet<String> {
        let instance = self.instance(program);
        let options = Options { max_configurations: 60_000, ..Options::default() };
        let found = explore(&instance, None, &options, &mut |_| None);
        let name = |what: &Wrong| match what {
            Wrong::Property(p) if program.properties[*p].promised => {
                Some(program.properties[*p].name.clone())
            }
            Wrong::Property(_) => None,
            Wrong::Stuck(_) => Some("stuck".into()),
            Wrong::Aborted(_) => Some("aborted".into()),
        };
        found.counterexamples.iter().filter_map(|c| name(&c.what)).collect()
    }
}

/// Algorithms of which no line can be changed so that it shows, and why.
const NONE: &[(&str, &str)] = &[
    ("fifo_off_by_one", "it is such a change itself, of fifo"),
    (
        "lamport_unordered",
        "it shows what goes wrong over channels without order, and what can be violated is violated already",
    ),
];

#[test]
fn every_algorithm_has_some() {
    let mut lines: BTreeMap<&str, BTreeSet<(&str, &str)>> = BTreeMap::new();
    for mutant in mutants() {
        lines.entry(mutant.algorithm).or_default().insert((mutant.line, mutant.instead));
    }
    let few: Vec<String> = entries()
        .into_iter()
        .filter(|(_, entry)| !entry.is_problem())
        .map(|(name, _)| name)
        .filter(|name| NONE.iter().all(|(none, _)| none != name))
        .map(|name| (name, lines.get(name).map_or(0, BTreeSet::len)))
        .filter(|(_, count)| *count < 2)
        .map(|(name, count)| format!("{name}: {count}"))
        .collect();
    assert!(few.is_empty(), "{few:#?}");
}

#[test]
fn each_dies() {
    let mut alive = Vec::new();
    for mutant in mutants() {
        let program = edited(mutant.algorithm, &[(mutant.file, mutant.line, mutant.instead)]);
        if !mutant.found(&program).contains(mutant.shows) {
            let Mutant { algorithm, change, line, shows, .. } = mutant;
            alive.push(format!("{algorithm}: {change} in «{}», and {shows} holds", line.trim()));
        }
    }
    assert!(alive.is_empty(), "{}", alive.join("\n"));
}

/// On the same instances the algorithms themselves do not show that.
#[test]
fn and_the_algorithms_live() {
    let mut tried = BTreeSet::new();
    for mutant in mutants() {
        if tried.insert((
            mutant.algorithm,
            mutant.network,
            mutant.ids.clone(),
            mutant.settings.clone(),
            mutant.shows,
        )) {
            let found = mutant.found(&library(mutant.algorithm));
            assert!(!found.contains(mutant.shows), "{} on {}: {found:?}", mutant.algorithm, mutant.network);
        }
    }
}

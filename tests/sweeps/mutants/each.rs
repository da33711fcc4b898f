//! Mutation test of the whole library: one changed line of every algorithm. Examples are a reversed comparison, an omitted
//! condition or statement, an off-by-one error. Each mutant is detected under some schedule of a small instance.
//!
//! `each.tsv` lists them: the algorithm, the change, the line and its replacement, the finding of `verify`, the network, the ids,
//! and parameters, faults and options. `order=depth` searches newest first; `seed=7` searches in a random order, if no other gets
//! so far; `keep-going` continues after the first finding. `x:=e` replaces the initial value of x (any value, or the quorum of a
//! process). `stuck=2` is the number of deadlocks of the algorithm itself: there must be more.
//! * `blocked`: some run is blocked by a crash, although the algorithm does not claim otherwise.
//! * `endless`: no run ends any more, or (nearest first) the state space is infinite. If the line is in the base of a variant,
//!   the base is named beside the algorithm.
//!
//! Every change by [`rules`] of every file is in this table, or in `alike.tsv` with the reason why it is undetectable: the
//! algorithm behaves the same, or its claims allow the new behaviour. Other changes were made by hand.

use super::super::common::*;
use super::rules;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use synod::internals::check::check;
use synod::internals::explore::{
    Exploration, ExploreOptions, SearchOrder, StopReason, ViolationKind, explore,
};
use synod::internals::instance::Instance;
use synod::internals::ir::{FaultTexts, Program, Value};
use synod::internals::library::{self, entries};
use synod::internals::scenario::play;
use synod::internals::session::scenario_export::{ExportMode, ScenarioFinding, export_scenario};
use synod::internals::session::trace_of;
use synod::internals::setup::InstanceOptions;
use synod::internals::stop::StopSignal;

const TABLE: &str = include_str!("each.tsv");
/// The file, the line, its replacement, and why that is equivalent.
const ALIKE: &str = include_str!("alike.tsv");

/// A mutant with more configurations than this is taken as infinite, if the file itself has few.
const MOST: u64 = 60_000;

struct Mutant {
    algorithm: &'static str,
    /// The changed file: the algorithm's own, or the base of a variant.
    file: &'static str,
    change: &'static str,
    line: String,
    instead: String,
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
        let (line, instead) = (lines(old), lines(instead));
        Mutant { algorithm, file, change, line, instead, shows, network, ids, settings }
    })
}

/// Expand a line break in the table.
fn lines(text: &str) -> String {
    text.replace("\\n", "\n")
}

/// Return pairs of ids: `{(1,2),(3,2)}`.
fn pairs(text: &str) -> Value {
    let digits =
        |part: &str| part.split(',').filter_map(|id| id.trim_matches(['(', ')']).parse().ok()).collect();
    let ids: Vec<i64> = digits(text.trim_matches(['{', '}']));
    Value::set(ids.chunks(2).map(|pair| Value::tuple(pair.iter().map(|id| Value::Id(*id)).collect())))
}

impl Mutant {
    /// Return the algorithm, with the change or without.
    fn program(&self, changed: bool) -> Arc<Program> {
        let begun = self.beginnings();
        let mut edits: Vec<_> = begun.iter().map(|(old, new)| (self.file, &**old, &**new)).collect();
        if changed {
            edits.push((self.file, self.line.as_str(), self.instead.as_str()));
        }
        edited(self.algorithm, &edits)
    }

    /// Return the changed file, if it is the algorithm's own.
    fn text(&self) -> String {
        let (_, text) = library::source(self.file).expect("a file");
        let begun = self.beginnings().into_iter().chain([(self.line.clone(), self.instead.clone())]);
        begun.fold(text, |text, (old, new)| text.replace(&old, &new))
    }

    /// Return declarations of variables with another initial value, and their replacements.
    fn beginnings(&self) -> Vec<(String, String)> {
        let values = self.settings.iter().filter_map(|setting| setting.split_once(":="));
        let declared = values.map(|(name, value)| {
            let (_, text) = synod::internals::library::source(self.file).expect("a file");
            let begins = |line: &&str| line.starts_with(&format!("var {name} ")) && line.contains(":=");
            let line = text.lines().find(begins).expect("a variable that begins with something");
            let (declared, _) = line.split_once(":=").expect("a value");
            (line.to_string(), format!("{declared}:= {value}"))
        });
        declared.collect()
    }

    fn instance(&self, program: &Arc<Program>) -> Instance {
        let mut setup = on(program, self.network);
        if !self.ids.is_empty() {
            setup = setup.ids(&self.ids);
        }
        for setting in &self.settings {
            setup = match setting.split_once('=').filter(|_| !setting.contains('<')) {
                Some(("notes" | "order" | "seed" | "most" | "stuck", _)) => setup,
                None if *setting == "keep-going" => setup,
                _ if setting.contains(":=") => setup,
                Some(("initiators", all)) => {
                    let all: Vec<u32> = all.split(',').map(|p| p.parse().expect("a position")).collect();
                    setup.initiators(&all)
                }
                Some((name, value)) if value.starts_with('{') => setup.value(name, pairs(value)),
                Some((name, value)) => setup.param(name, value.parse().expect("a number")),
                None => setup.fault_texts(&FaultTexts::parse(setting).expect("faults")),
            };
        }
        setup.build()
    }

    /// Return a numeric option of the search.
    fn number(&self, name: &str) -> Option<u32> {
        let of = |setting: &&str| setting.strip_prefix(name)?.strip_prefix('=').map(String::from);
        self.settings.iter().find_map(of).map(|number| number.parse().expect("a number"))
    }

    /// Return the violations of claimed properties under every schedule.
    fn found(&self, program: &Arc<Program>) -> BTreeSet<String> {
        self.shown(program, &self.explored(&self.instance(program)))
    }

    /// Explore every schedule.
    fn explored(&self, instance: &Instance) -> Exploration {
        let order = match self.number("seed") {
            Some(seed) => SearchOrder::Chance(seed.into()),
            None if self.settings.contains(&"order=depth") => SearchOrder::Depth,
            None => SearchOrder::Breadth,
        };
        let keep_going = self.settings.contains(&"keep-going");
        let notes = self.number("notes").unwrap_or(0);
        // Accumulating messages show with few configurations, and each takes longer to explore.
        let max_configurations = self.number("most").map_or(MOST, u64::from);
        // The seeds were found without early receipts, which change the order of a random search.
        let dead_messages = order == SearchOrder::Breadth;
        let options = ExploreOptions {
            max_configurations,
            order,
            keep_going,
            notes,
            dead_messages,
            ..ExploreOptions::default()
        };
        explore(instance, None, &options, &mut |_| None)
    }

    fn shown(&self, program: &Program, found: &Exploration) -> BTreeSet<String> {
        let name = |what: &ViolationKind| match what {
            ViolationKind::Property(p) if program.properties[*p].is_claimed => {
                Some(program.properties[*p].name.clone())
            }
            ViolationKind::Property(_) => None,
            ViolationKind::Stuck(_) | ViolationKind::Blocked(_) => Some("stuck".into()),
            ViolationKind::Aborted(_) => Some("aborted".into()),
        };
        let mut shown: BTreeSet<String> =
            found.counterexamples.iter().filter_map(|c| name(&c.kind)).collect();
        // The algorithm does not claim that there is no such end.
        if found.accepted_blocked {
            shown.insert("blocked".into());
        }
        // Of an algorithm with deadlocks of its own.
        if let Some(own) = self.number("stuck") {
            let stuck = found.ends.iter().filter(|end| end.outcome == "stuck");
            if stuck.map(|end| end.configurations).sum::<u64>() <= u64::from(own) {
                shown.remove("stuck");
            }
        }
        let no_end = match found.stopped_by {
            Some(cut) if self.number("seed").is_none() => cut == StopReason::Configurations,
            _ => found.ends.is_empty(),
        };
        if no_end {
            shown.insert("endless".into());
        }
        shown
    }
}

/// Algorithms of which no change of a line is detectable, with the reason.
const NONE: &[(&str, &str)] = &[
    ("fifo_off_by_one", "it is such a change itself, of fifo"),
    (
        "lamport_unordered",
        "it shows what goes wrong over channels without order, and what can be violated is violated already",
    ),
];

#[test]
fn every_algorithm_has_some() {
    let mut lines: BTreeMap<&str, BTreeSet<(String, String)>> = BTreeMap::new();
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

/// Its first counterexample is exported as a scenario that shows it, too.
#[test]
fn each_is_detected_and_exported() {
    let (mut alive, mut failed, mut exported) = (Vec::new(), Vec::new(), 0);
    for mutant in mutants() {
        let Mutant { algorithm, change, line, shows, .. } = &mutant;
        let place = format!("{algorithm}: {change} in «{}»", line.trim());
        let program = mutant.program(true);
        let instance = mutant.instance(&program);
        let exploration = mutant.explored(&instance);
        let found = mutant.shown(&program, &exploration);
        if !found.contains(*shows) {
            alive.push(format!("{place} shows {found:?}, not {shows}"));
        }
        match mutant.exported(&instance, &exploration) {
            Some(Ok(())) => exported += 1,
            Some(Err(tried)) => failed.push(format!("{place}: {tried:?}")),
            None => {}
        }
    }
    assert!(alive.is_empty(), "{}", alive.join("\n"));
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(exported > 800, "{exported}");
}

impl Mutant {
    /// Export the first counterexample of its own file as a scenario in each mode, until one shows the same. Return the reasons if none
    /// does. `None`: there is no counterexample, or it depends on the order of the search.
    fn exported(&self, instance: &Instance, exploration: &Exploration) -> Option<Result<(), Vec<String>>> {
        if self.number("seed").is_some() || self.file != self.algorithm {
            return None;
        }
        let first = exploration.counterexamples.first()?;
        let shows = match &first.kind {
            ViolationKind::Property(p) => {
                ScenarioFinding::Violated(vec![instance.program.properties[*p].name.clone()])
            }
            ViolationKind::Stuck(_) | ViolationKind::Blocked(_) => ScenarioFinding::Stuck,
            ViolationKind::Aborted(_) => ScenarioFinding::Aborted,
        };
        let trace = trace_of(instance, first, InstanceOptions::default().seed);
        let mut reasons = Vec::new();
        for mode in ExportMode::of(instance, &trace) {
            let lines = export_scenario(instance, &trace, "retold_here", &shows, *mode);
            match lines.and_then(|lines| plays(&self.text(), lines)) {
                Ok(()) => return Some(Ok(())),
                Err(why) => reasons.push(why),
            }
        }
        Some(Err(reasons))
    }
}

/// Return whether the scenario passes with this text. It may also state other violations.
fn plays(text: &str, mut lines: String) -> Result<(), String> {
    loop {
        let checked = check("retold.syn", &format!("{text}\n{lines}"), &library::source);
        let wrong = checked.diagnostics.first().map(|d| d.message()).unwrap_or_default();
        let program = Arc::new(checked.program.ok_or(wrong)?);
        let scenario = program.scenarios.iter().find(|s| s.name == "retold_here").ok_or("it is none")?;
        // Some are infinite, where not every step is scripted.
        let (mut events, enough) = (0, Arc::new(AtomicBool::new(false)));
        let stop = StopSignal::when({
            let enough = enough.clone();
            move || enough.load(Ordering::Relaxed)
        });
        let played = play(&program, scenario, &stop, &mut |_, _, _, _, _| {
            events += 1;
            enough.store(events > 10_000, Ordering::Relaxed);
        });
        if played.passed() {
            return Ok(());
        }
        if played.unexpected.is_empty() || played.unexpected.len() < played.failures.len() {
            return Err(played.failures[0].message.clone());
        }
        for other in &played.unexpected {
            lines += &format!("  expect {other} violated\n");
        }
    }
}

/// On the same instances the original algorithms have no such finding.
#[test]
fn the_originals_pass() {
    let mut tried = BTreeSet::new();
    for mutant in mutants() {
        if tried.insert((
            mutant.algorithm,
            mutant.network,
            mutant.ids.clone(),
            mutant.settings.clone(),
            mutant.shows,
        )) {
            let found = mutant.found(&mutant.program(false));
            assert!(!found.contains(mutant.shows), "{} on {}: {found:?}", mutant.algorithm, mutant.network);
        }
    }
}

/// Every change by rule is detected, or known to be equivalent, or yields no valid program.
#[test]
fn every_change_by_rule_is_accounted_for() {
    let killed: BTreeSet<(&str, String, String)> = mutants().map(|m| (m.file, m.line, m.instead)).collect();
    let alike = ALIKE.lines().filter(|line| !line.starts_with('#')).map(|row| {
        let parts: Vec<&str> = row.split('\t').collect();
        let [file, line, instead, why] = parts[..] else { panic!("not four parts: {row}") };
        assert!(!why.trim().is_empty(), "no reason: {row}");
        (file, lines(line), lines(instead))
    });
    let alike: BTreeSet<(&str, String, String)> = alike.collect();
    let mut by_rule = BTreeSet::new();
    let mut open = Vec::new();
    let files: Vec<String> =
        entries().into_iter().filter(|(_, e)| !e.is_problem()).map(|(name, _)| name.to_string()).collect();
    for name in &files {
        let (_, text) = synod::internals::library::source(name).expect("a file of the library");
        for change in rules::changes(&text) {
            let key = (name.as_str(), change.line, change.instead);
            let known = killed.contains(&key) || alike.contains(&key);
            if !known && check_edited(name, &[(name, &key.1, &key.2)]).program.is_some() {
                open.push(format!("{name}: {} in «{}»", change.what, key.1.trim()));
            }
            by_rule.insert(key);
        }
    }
    assert!(open.is_empty(), "nothing is said of {}:\n{}", open.len(), open.join("\n"));
    let stale: Vec<_> =
        alike.iter().filter(|(f, l, i)| !by_rule.contains(&(*f, l.clone(), i.clone()))).collect();
    assert!(stale.is_empty(), "no such change: {stale:#?}");
}

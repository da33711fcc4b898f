//! One line of every algorithm of the library changed: a comparison turned round, a condition or a statement left out, one more or one
//! less. Each change is seen in some schedule of a small instance. `each.tsv` has them: the algorithm, what was done, the line and what
//! stands there instead, what `verify` shows then, the network, the ids, and parameters, faults and the like: `order=depth` looks at the
//! newest first, `seed=7` in an order by chance, where no other comes so far, `keep-going` goes on behind what is found first, and
//! `x:=e` is what the variable x begins with in place of what the file says (any value, or the quorum of a process), and `stuck=2`
//! the ends at which the algorithm itself is stuck: there must be more.
//! `blocked`: some run is, by a crash, though the algorithm does not promise that none is.
//! `endless`: no run comes to an end any more, or (nearest first) there is no end of configurations. Where the line stands in the file that
//! an algorithm is a variant of, that is named beside it.
//!
//! Every change by [`rules`] of every file stands in this table, or in `alike.tsv` with the reason why nobody can tell: the algorithm
//! does the same, or what is promised of it allows what it does. Other changes were made by hand.

use super::super::common::*;
use super::rules;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use synod::check::check;
use synod::explore::{Exploration, ExploreOptions, SearchOrder, StopReason, ViolationKind, explore};
use synod::instance::Instance;
use synod::ir::{Budget, Program, Value};
use synod::library::{self, entries};
use synod::scenario::play;
use synod::session::scenario_export::{ExportMode, Shows, retold};
use synod::session::trace_of;
use synod::setup::InstanceOptions;

const TABLE: &str = include_str!("each.tsv");
/// The file, the line, what stands there instead, and why that is as good.
const ALIKE: &str = include_str!("alike.tsv");

/// More configurations than this the changed file makes without an end, where the file itself makes few.
const MOST: u64 = 60_000;

struct Mutant {
    algorithm: &'static str,
    /// The file that is changed: of a variant perhaps that which it is a variant of.
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

/// Lines of a file that stand on one of a table.
fn lines(text: &str) -> String {
    text.replace("\\n", "\n")
}

/// `{(1,2),(3,2)}`: pairs of ids.
fn pairs(text: &str) -> Value {
    let digits =
        |part: &str| part.split(',').filter_map(|id| id.trim_matches(['(', ')']).parse().ok()).collect();
    let ids: Vec<i64> = digits(text.trim_matches(['{', '}']));
    Value::set(ids.chunks(2).map(|pair| Value::tuple(pair.iter().map(|id| Value::Id(*id)).collect())))
}

impl Mutant {
    /// The algorithm, with the change or as it is.
    fn program(&self, changed: bool) -> Arc<Program> {
        let begun = self.beginnings();
        let mut edits: Vec<_> = begun.iter().map(|(old, new)| (self.file, &**old, &**new)).collect();
        if changed {
            edits.push((self.file, self.line.as_str(), self.instead.as_str()));
        }
        edited(self.algorithm, &edits)
    }

    /// The changed file, where that is the algorithm's own.
    fn text(&self) -> String {
        let (_, text) = library::source(self.file).expect("a file");
        let begun = self.beginnings().into_iter().chain([(self.line.clone(), self.instead.clone())]);
        begun.fold(text, |text, (old, new)| text.replace(&old, &new))
    }

    /// Declarations of variables that are to begin with another value, and what stands there then.
    fn beginnings(&self) -> Vec<(String, String)> {
        let values = self.settings.iter().filter_map(|setting| setting.split_once(":="));
        let declared = values.map(|(name, value)| {
            let (_, text) = synod::library::source(self.file).expect("a file");
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
                None => setup.faults(&Budget::parse(setting).expect("faults")),
            };
        }
        setup.build()
    }

    /// A number that the search is given.
    fn number(&self, name: &str) -> Option<u32> {
        let of = |setting: &&str| setting.strip_prefix(name)?.strip_prefix('=').map(String::from);
        self.settings.iter().find_map(of).map(|number| number.parse().expect("a number"))
    }

    /// What every schedule shows, of what is promised.
    fn found(&self, program: &Arc<Program>) -> BTreeSet<String> {
        self.shown(program, &self.explored(&self.instance(program)))
    }

    /// Every schedule.
    fn explored(&self, instance: &Instance) -> Exploration {
        let order = match self.number("seed") {
            Some(seed) => SearchOrder::Chance(seed.into()),
            None if self.settings.contains(&"order=depth") => SearchOrder::Depth,
            None => SearchOrder::Breadth,
        };
        let keep_going = self.settings.contains(&"keep-going");
        let notes = self.number("notes").unwrap_or(0);
        // What piles up messages is told by fewer, and looking at them takes longer.
        let max_configurations = self.number("most").map_or(MOST, u64::from);
        let options =
            ExploreOptions { max_configurations, order, keep_going, notes, ..ExploreOptions::default() };
        explore(instance, None, &options, &mut |_| None)
    }

    fn shown(&self, program: &Program, found: &Exploration) -> BTreeSet<String> {
        let name = |what: &ViolationKind| match what {
            ViolationKind::Property(p) if program.properties[*p].promised => {
                Some(program.properties[*p].name.clone())
            }
            ViolationKind::Property(_) => None,
            ViolationKind::Stuck(_) | ViolationKind::Blocked(_) => Some("stuck".into()),
            ViolationKind::Aborted(_) => Some("aborted".into()),
        };
        let mut shown: BTreeSet<String> =
            found.counterexamples.iter().filter_map(|c| name(&c.what)).collect();
        // Nobody promises that there is no such end.
        if found.given_up {
            shown.insert("blocked".into());
        }
        // Of an algorithm that gets stuck itself.
        if let Some(own) = self.number("stuck") {
            let stuck = found.ends.iter().filter(|end| end.outcome == "stuck");
            if stuck.map(|end| end.configurations).sum::<u64>() <= u64::from(own) {
                shown.remove("stuck");
            }
        }
        let no_end = match found.cut {
            Some(cut) if self.number("seed").is_none() => cut == StopReason::Configurations,
            _ => found.ends.is_empty(),
        };
        if no_end {
            shown.insert("endless".into());
        }
        shown
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

#[test]
fn each_dies() {
    let mut alive = Vec::new();
    for mutant in mutants() {
        let found = mutant.found(&mutant.program(true));
        if !found.contains(mutant.shows) {
            let Mutant { algorithm, change, line, shows, .. } = mutant;
            alive.push(format!("{algorithm}: {change} in «{}» shows {found:?}, not {shows}", line.trim()));
        }
    }
    assert!(alive.is_empty(), "{}", alive.join("\n"));
}

/// The first run that shows what is wrong is told as a scenario that shows it, too.
#[test]
fn each_can_be_retold() {
    let (mut untold, mut told) = (Vec::new(), 0);
    for mutant in
        mutants().filter(|mutant| mutant.number("seed").is_none() && mutant.file == mutant.algorithm)
    {
        let program = mutant.program(true);
        let instance = mutant.instance(&program);
        let found = mutant.explored(&instance);
        let Some(first) = found.counterexamples.first() else { continue };
        let shows = match &first.what {
            ViolationKind::Property(p) => Shows::Violated(vec![program.properties[*p].name.clone()]),
            ViolationKind::Stuck(_) | ViolationKind::Blocked(_) => Shows::Stuck,
            ViolationKind::Aborted(_) => Shows::Aborted,
        };
        let trace = trace_of(&instance, first, InstanceOptions::default().seed);
        let passes = |way: &ExportMode| {
            let lines = retold(&instance, &trace, "retold_here", &shows, *way, || false)?;
            plays(&mutant.text(), lines)
        };
        told += 1;
        let tried: Vec<_> = ExportMode::of(&instance, &trace).iter().map(passes).collect();
        if tried.iter().all(Result::is_err) {
            untold.push(format!(
                "{}: {} in «{}»: {tried:?}",
                mutant.algorithm,
                mutant.change,
                mutant.line.trim()
            ));
        }
    }
    assert!(untold.is_empty(), "{}", untold.join("\n"));
    assert!(told > 800, "{told}");
}

/// Does the scenario pass behind this text? What else is violated it may say as well.
fn plays(text: &str, mut lines: String) -> Result<(), String> {
    loop {
        let checked = check("retold.syn", &format!("{text}\n{lines}"), &library::source);
        let wrong = checked.diagnostics.first().map(|d| d.message.clone()).unwrap_or_default();
        let program = Arc::new(checked.program.ok_or(wrong)?);
        let scenario = program.scenarios.iter().find(|s| s.name == "retold_here").ok_or("it is none")?;
        // Some go on for ever, where every step is not told.
        let (mut events, enough) = (0, AtomicBool::new(false));
        let played = play(&program, scenario, Some(&enough), &mut |_, _, _, _, _| {
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
            let found = mutant.found(&mutant.program(false));
            assert!(!found.contains(mutant.shows), "{} on {}: {found:?}", mutant.algorithm, mutant.network);
        }
    }
}

/// Every change by rule shows, or is known to change nothing, or leaves no program.
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
        let (_, text) = synod::library::source(name).expect("a file of the library");
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

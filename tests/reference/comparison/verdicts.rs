//! Comparison of Synod's verdicts with those by definition.

use crate::common::{EACH_FAULT, Setup, library, on};
use crate::comparison::configurations::is_small;
use crate::comparison::{Case, NETWORKS, specified_graph};
use crate::properties::bounds::Claim;
use crate::properties::chance::TooManyDecisions;
use crate::properties::evaluation::{self, claims};
use crate::properties::liveness::{Coins, may_go_on};
use crate::properties::verdicts::{Verdict, aborts, aborts_at_every_beginning};
use crate::specification::configuration::Configuration;
use crate::specification::ends::{Outcome, outcome};
use crate::specification::graph::Graph;
use crate::specification::module::Find;
use crate::specification::network::{self, System};
use crate::specification::value::{Failure, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use synod::internals::explore::{Exploration, ExploreOptions, SearchOrder, ViewStatus, ViolationKind};
use synod::internals::instance::{ExecutionModel, Instance};
use synod::internals::ir::{Daemon, Fault};
use synod::internals::library::entries;
use synod::internals::property::Judgement;

/// The greatest number of configurations of an instance; larger ones are skipped.
const MOST: usize = 120;

/// The greatest number of configurations of an exploration. Counters and observations for properties refine the state space.
const MOST_EXPLORED: u64 = 5_000;

/// A difference between Synod's answer and the definition.
#[derive(Clone, Debug)]
pub struct Difference {
    /// A key that differences with probably the same cause share.
    pub kind: String,
    pub message: String,
}

/// The results of comparisons, with the reasons for refusals.
#[derive(Debug, Default)]
pub struct Compared {
    instances: usize,
    /// The number of instances for which the specification has steps.
    specified: usize,
    /// The number of verdicts by kind and judgement.
    verdicts: BTreeMap<String, usize>,
    refused: BTreeMap<String, usize>,
    pub wrong: Vec<Difference>,
}

impl Compared {
    fn refuse(&mut self, why: String) {
        *self.refused.entry(why).or_default() += 1;
    }

    /// Assert that at least this number of verdicts was compared.
    pub fn has(&self, what: &str, least: usize) {
        let found = self.verdicts.get(what).copied().unwrap_or(0);
        assert!(found >= least, "{what}: {found}");
    }

    fn demand(&mut self, is_so: bool, kind: &str, message: String) {
        if !is_so {
            self.wrong.push(Difference { kind: kind.into(), message });
        }
    }

    pub fn add(&mut self, other: Compared) {
        self.instances += other.instances;
        self.specified += other.specified;
        self.wrong.extend(other.wrong);
        for (key, count) in other.verdicts {
            *self.verdicts.entry(key).or_default() += count;
        }
        for (key, count) in other.refused {
            *self.refused.entry(key).or_default() += count;
        }
    }
}

/// Return the default options, and variants with one option changed.
fn all_options() -> [(&'static str, ExploreOptions); 8] {
    let all =
        ExploreOptions { keep_going: true, max_configurations: MOST_EXPLORED, ..ExploreOptions::default() };
    [
        ("default", all),
        ("no symmetry", ExploreOptions { symmetry: false, ..all }),
        ("no reduction", ExploreOptions { reduce: false, ..all }),
        ("no early receipt", ExploreOptions { dead_messages: false, ..all }),
        ("wake-ups kept", ExploreOptions { forget_wakeups: false, ..all }),
        ("no view", ExploreOptions { view: false, ..all }),
        ("depth first", ExploreOptions { order: SearchOrder::Depth, ..all }),
        ("surely", ExploreOptions { every_outcome: true, ..all }),
    ]
}

/// The expected results, by definition.
pub struct Expected {
    /// Verdicts by name of the property: with coins by chance, and for every outcome of coins.
    verdicts: BTreeMap<String, [Verdict; 2]>,
    aborts: bool,
    ends: bool,
    goes_on: [Result<bool, TooManyDecisions>; 2],
    /// The outcomes of runs, if the specification computed them.
    outcomes: Option<BTreeSet<Outcome>>,
}

impl Expected {
    /// Return the verdict on a property, with coins by chance.
    pub fn of(&self, property: &str) -> Option<&Verdict> {
        self.verdicts.get(property).map(|both| &both[0])
    }
}

const COINS: [Coins; 2] = [Coins::ByChance, Coins::Badly];

impl Expected {
    fn new<C, V: Clone + Ord>(graph: &Graph<C, V>, mut verdicts: BTreeMap<String, [Verdict; 2]>) -> Expected {
        if aborts_at_every_beginning(graph) {
            let not_checked = Verdict::NotChecked("a process aborts while it begins".into());
            verdicts.values_mut().for_each(|both| *both = [not_checked.clone(), not_checked.clone()]);
        }
        let ends = (0..graph.configurations.len()).any(|at| graph.is_end(at));
        let goes_on = COINS.map(|coins| may_go_on(graph, coins));
        Expected { verdicts, aborts: aborts(graph), ends, goes_on, outcomes: None }
    }
}

/// Return the expected results on the steps of the specification; None if there are too many.
fn specified(
    text: &str,
    find: Find<'_>,
    instance: &Instance,
    case: &Case<'_>,
) -> Result<Option<Expected>, Failure> {
    let found = specified_graph(text, find, instance, case, MOST)?;
    Ok(found.map(|(system, graph)| by_specification(&system, &graph)))
}

/// Return the expected results on the steps of the specification.
pub fn by_specification(system: &System, graph: &Graph<Configuration, Value>) -> Expected {
    let of = |claim: Claim| (claim.property.name.text.clone(), evaluation::verdicts(system, graph, claim));
    let verdicts = claims(system).into_iter().map(of).collect();
    let ends = (0..graph.configurations.len()).filter(|at| graph.is_end(*at));
    let outcomes = ends.map(|at| outcome(system, &graph.configurations[at])).collect();
    Expected { outcomes: Some(outcomes), ..Expected::new(graph, verdicts) }
}

pub fn compare(
    name: &str,
    text: &str,
    find: Find<'_>,
    instance: &Instance,
    case: &Case<'_>,
) -> Option<Compared> {
    let mut compared = Compared { instances: 1, ..Compared::default() };
    let expected = match specified(text, find, instance, case) {
        Ok(found) => found?,
        Err(failure) => {
            compared.refuse(failure.to_string());
            return Some(compared);
        }
    };
    compared.specified += 1;
    for (option, options) in all_options() {
        // A panic is a difference like any other.
        let explored = || synod::internals::explore::explore(instance, None, &options, &mut |_| None);
        let Ok(found) = catch_unwind(AssertUnwindSafe(explored)) else {
            compared.demand(false, "panics", format!("{name}, {option}: panics"));
            continue;
        };
        if found.stopped_by.is_some() {
            compared.refuse(format!("{option}: {:?}", found.stopped_by));
            continue;
        }
        judge(&format!("{name}, {option}"), &expected, &found, options.every_outcome, &mut compared);
    }
    Some(compared)
}

/// Compare an exploration with the expected results. With `surely`, properties must hold for every outcome of coins.
pub fn judge(place: &str, expected: &Expected, found: &Exploration, surely: bool, compared: &mut Compared) {
    let compare = if is_claimed(found) { compare_claimed } else { compare_one };
    compare(place, expected, found, usize::from(surely), compared);
}

/// *Views*: «What is not shown is the author's claim: what is violated is violated; that nothing else is violated is what the author says.»
fn is_claimed(found: &Exploration) -> bool {
    found.view.as_ref().is_some_and(|view| matches!(view.standing, ViewStatus::Claimed { .. }))
}

/// Compare without a claimed view: both answers must be equal.
fn compare_one(place: &str, expected: &Expected, found: &Exploration, coins: usize, compared: &mut Compared) {
    for verdict in &found.verdicts {
        let Some(by_definition) = expected.verdicts.get(&verdict.name) else { continue };
        if verdict.judgement == Judgement::Pending {
            compared.refuse(format!("Synod: {}", verdict.why));
            continue;
        }
        let judgement = match &by_definition[coins] {
            Verdict::Refused(why) => {
                compared.refuse(why.clone());
                continue;
            }
            Verdict::Holds => Judgement::Holds,
            Verdict::Violated => Judgement::Violated,
            Verdict::NotChecked(_) => Judgement::NotChecked,
        };
        *compared.verdicts.entry(format!("{:?} {judgement:?}", verdict.kind)).or_default() += 1;
        compared.demand(
            verdict.judgement == judgement,
            &format!("{:?} {:?} for {judgement:?}", verdict.kind, verdict.judgement),
            format!(
                "{place}: {} is {:?} ({}), by definition {:?}",
                verdict.name, verdict.judgement, verdict.why, by_definition[coins]
            ),
        );
    }
    let any = |wanted: fn(&ViolationKind) -> bool| found.counterexamples.iter().any(|c| wanted(&c.kind));
    let aborts = any(|wrong| matches!(wrong, ViolationKind::Aborted(_)));
    compared.demand(aborts == expected.aborts, "aborts", format!("{place}: aborts {aborts}"));
    compared.demand(
        expected.ends != found.ends.is_empty(),
        "ends",
        format!("{place}: ends {:?}", found.ends),
    );
    if let Some(outcomes) = &expected.outcomes {
        let stuck = any(|wrong| matches!(wrong, ViolationKind::Stuck(_)));
        compared.demand(
            stuck == outcomes.contains(&Outcome::Stuck),
            "stuck",
            format!("{place}: stuck {stuck}, by definition {outcomes:?}"),
        );
        let blocked = any(|wrong| matches!(wrong, ViolationKind::Blocked(_))) || found.accepted_blocked;
        compared.demand(
            blocked == outcomes.contains(&Outcome::Blocked),
            "blocked",
            format!("{place}: blocked {blocked}, by definition {outcomes:?}"),
        );
    }
    if let (Some(all_end), Ok(goes_on)) = (found.every_run_ends, expected.goes_on[coins]) {
        *compared.verdicts.entry(format!("every run ends {all_end}")).or_default() += 1;
        compared.demand(
            all_end != goes_on,
            "every run ends",
            format!("{place}: every run ends {all_end}, by definition some run is infinite: {goes_on}"),
        );
    }
}

/// Compare under a view that is only claimed: every reported violation must be one by definition.
fn compare_claimed(
    place: &str,
    expected: &Expected,
    found: &Exploration,
    coins: usize,
    compared: &mut Compared,
) {
    for verdict in found.verdicts.iter().filter(|v| v.judgement == Judgement::Violated) {
        let Some(by_definition) = expected.verdicts.get(&verdict.name) else { continue };
        let is_so = matches!(by_definition[coins], Verdict::Violated | Verdict::Refused(_));
        compared.demand(
            is_so,
            &format!("{:?} violated under a claim", verdict.kind),
            format!(
                "{place}: {} is violated ({}), by definition {by_definition:?}",
                verdict.name, verdict.why
            ),
        );
        *compared.verdicts.entry(format!("{:?} Violated under a claim", verdict.kind)).or_default() += 1;
    }
    let aborts = found.counterexamples.iter().any(|c| matches!(c.kind, ViolationKind::Aborted(_)));
    compared.demand(!aborts || expected.aborts, "aborts under a claim", format!("{place}: aborts {aborts}"));
}

/// Return the instances of an algorithm of the library that it accepts. They may be too large.
pub fn instances(name: &str) -> Vec<(String, Instance, Case<'static>)> {
    let program = library(name);
    let mut all = Vec::new();
    let mut add = |name: String, setup: Setup, case: Case<'static>| {
        all.extend(setup.build_if_it_fits().map(|instance| (name, instance, case)));
    };
    for network in NETWORKS {
        for faults in EACH_FAULT {
            let case = Case { faults, daemon: None };
            add(format!("{name} on {network} {faults:?}"), on(&program, network).faults(faults), case);
        }
        let plain = on(&program, network);
        if plain.build_if_it_fits().is_some_and(|i| matches!(i.model.execution, ExecutionModel::Daemon(_))) {
            for (daemon, specified) in [
                (Daemon::Central, network::Daemon::Central),
                (Daemon::Synchronous, network::Daemon::Synchronous),
                (Daemon::Distributed, network::Daemon::Distributed),
            ] {
                let case = Case { faults: &[], daemon: Some(specified) };
                add(format!("{name} on {network} {daemon:?}"), plain.clone().daemon(daemon), case);
            }
        }
    }
    all
}

#[test]
fn the_library_has_the_verdicts_of_the_definition() {
    let only = std::env::var("ONLY").ok();
    let algorithms: Vec<(&str, &str)> = entries()
        .into_iter()
        .filter(|(name, e)| {
            !e.is_problem() && only.as_ref().is_none_or(|only| name.starts_with(only.as_str()))
        })
        .map(|(name, e)| (name, e.text))
        .collect();
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Compared::default()));
    let find = |name: &str| synod::internals::library::source(name).map(|(_, text)| text);
    let work = || {
        while let Some((algorithm, text)) = algorithms.get(next.fetch_add(1, Ordering::Relaxed)) {
            for (name, instance, case) in
                instances(algorithm).into_iter().filter(|(_, i, _)| is_small(i, MOST))
            {
                let compared = compare(&name, text, &find, &instance, &case);
                let Some(compared) = compared else { continue };
                all.lock().expect("no thread has panicked").add(compared);
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let all = all.into_inner().expect("no thread has panicked");
    println!("{all:#?}");
    assert!(all.wrong.is_empty(), "{:#?}", all.wrong);
    if only.is_none() {
        assert!(all.instances > 450 && all.specified > 400, "{all:#?}");
        all.has("Finally Holds", 9_000);
        all.has("Eventually Holds", 2_000);
        all.has("Eventually Violated", 10);
        all.has("LeadsTo Holds", 600);
        all.has("Order Holds", 300);
        all.has("every run ends false", 200);
        all.has("Stable Violated", 30);
    }
}

/// Networks for every program that fits, with all processes as initiators and with some of them.
const SMALL: [&str; 8] =
    ["ring(1)", "ring(2)", "ring(3)", "complete(2)", "complete(3)", "star(2)", "line(2)", "line(3)"];
const INITIATORS: [Option<&[u32]>; 3] = [None, Some(&[0]), Some(&[1, 2])];

#[test]
fn programs_that_once_got_a_wrong_verdict() {
    let folder = std::env::var("PROGRAMS")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/soundness/programs").into());
    let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}.syn")).ok();
    let with_path = |name: &str| {
        read(name)
            .map(|text| (format!("{name}.syn"), text))
            .or_else(|| synod::internals::library::source(name))
    };
    let find = |name: &str| with_path(name).map(|(_, text)| text);
    let mut all = Compared::default();
    let mut files: Vec<_> =
        std::fs::read_dir(&folder).expect("a folder").map(|f| f.expect("a file").path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|e| e == "syn")) {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = read(&name).expect("a program");
        let checked = synod::internals::check::check(&format!("{name}.syn"), &text, &with_path);
        let Some(program) = checked.program.map(Arc::new) else { continue };
        for (network, faults, initiators) in cases() {
            let setup = on(&program, network).faults(faults);
            let setup = initiators.map_or(setup.clone(), |all| setup.initiators(all));
            let Some(instance) = setup.build_if_it_fits() else { continue };
            let case = Case { faults, daemon: None };
            let place = format!("{name} on {network} {faults:?} {initiators:?}");
            let Some(compared) = compare(&place, &text, &find, &instance, &case) else { continue };
            all.add(compared);
        }
    }
    println!("{all:#?}");
    assert!(all.wrong.is_empty(), "{:#?}", all.wrong);
    assert!(all.instances > 200 && all.specified > 200, "{all:#?}");
    all.has("Invariant Violated", 400);
    all.has("Stable NotChecked", 50);
}

type Instances = (&'static str, &'static [(Fault, u32)], Option<&'static [u32]>);

pub fn cases() -> impl Iterator<Item = Instances> {
    let faults = |network| EACH_FAULT.into_iter().map(move |faults| (network, faults));
    let initiators =
        |(network, faults)| INITIATORS.into_iter().map(move |initiators| (network, faults, initiators));
    SMALL.into_iter().flat_map(faults).flat_map(initiators)
}

//! Search for a counterexample on the smallest and simplest network.

use super::side_search::{SideSearch, quick_limit};
use super::{Found, Smaller, conjunct};
use crate::explore::{Counterexample, Progress, StopReason, shorten};
use crate::instance::{Instance, Settings};
use crate::ir::{Budget, Fault};
use crate::network::{IdsSpec, Spec};
use crate::setup::{Ids, InstanceOptions, instantiate};

/// Families of networks, the simplest first, with the least number of processes for which they differ from the families before. All other
/// families are less simple. The shortest line has two processes.
const SIMPLE: [(&str, u32); 5] = [("line", 2), ("star", 4), ("ring", 2), ("tree", 5), ("complete", 4)];
/// The greatest number of processes for which smaller networks are tried.
const MOST_PROCESSES: u32 = 64;
/// The greatest number of parts of a list of ids that are tried on one network.
const MOST_LISTS: usize = 20;
/// Limit of configurations for all networks together: a few seconds at most.
const MOST_CONFIGURATIONS: u64 = 500_000;

/// Search smaller networks of the family and simpler families, if the algorithm's assumptions allow them, for a run in which the same
/// conjunct is false, with at most the given faults. The smallest network comes first; of one size, the simplest. Return None if there is
/// no such run, or its search exceeds the number of configurations of the original search.
pub fn smaller(
    found: &Found,
    shown: &Counterexample,
    faults: Option<Budget>,
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Option<Smaller> {
    let Found { exploration, instance, options, search, .. } = *found;
    let meant = conjunct(instance, shown);
    let restarts = instance.active_faults().map_or(0, |hazards| hazards.budget.of(Fault::Restart));
    let faults = faults.map_or_else(Vec::new, |faults| faults.bounds().collect());
    let settings = Settings { faults, ..options.settings.clone() };
    let mut left = MOST_CONFIGURATIONS;
    // If the network has no loops and no double links, networks with them are tried last: they show something else.
    let plain = instance.network.is_simple();
    let all = simpler(instance.network.topology(), instance.n());
    let in_turn = [true, false].into_iter().flat_map(|now| all.iter().map(move |network| (now, network)));
    for (now, (size, topology)) in in_turn {
        for ids in ids(&options.ids, instance, *size) {
            let topology = Spec::parse(topology).ok();
            let options =
                InstanceOptions { topology, ids, ports: None, settings: settings.clone(), ..options.clone() };
            let Ok(smaller) = instantiate(&instance.program, &options) else { continue };
            if (!plain || smaller.network.is_simple()) != now {
                continue;
            }
            let instance = smaller.of_restarts(restarts);
            let most = quick_limit(exploration.configurations.min(left));
            let aside = SideSearch { search, kind: &shown.kind, most };
            let seen = aside.run(&instance, watch);
            if let Some(counterexample) = seen.like {
                let shortened = shorten(&instance, counterexample);
                let counterexample = &shortened.counterexample;
                // A violation at an end is another violation than one of an infinite run.
                let same_kind = counterexample.repeats_from.is_some() == shown.repeats_from.is_some();
                if same_kind && conjunct(&instance, counterexample) == meant {
                    let why = seen.exploration.verdicts.first().map(|verdict| verdict.why.to_string());
                    return Some(Smaller { instance, shortened, why });
                }
            }
            left = left.saturating_sub(seen.exploration.configurations);
            let stopped = seen.exploration.stopped_by;
            if left == 0
                || matches!(stopped, Some(StopReason::Time | StopReason::Memory | StopReason::Interrupted))
            {
                return None;
            }
        }
    }
    None
}

/// Return the ids to try for a smaller number of processes: the sublists of a list, or the same assignment.
fn ids(chosen: &Ids, instance: &Instance, size: u32) -> Vec<Ids> {
    if !matches!(chosen, Ids::Spec(IdsSpec::Explicit(_))) {
        return vec![chosen.clone()];
    }
    let mut parts: Vec<Vec<i64>> = vec![Vec::new()];
    let all = instance.network.ids();
    for (number, id) in all.iter().enumerate() {
        let still = all.len() - number - 1;
        let fits = |part: &Vec<i64>| part.len() <= size as usize && part.len() + still >= size as usize;
        let with = |part: &Vec<i64>| part.iter().copied().chain([*id]).collect::<Vec<i64>>();
        parts = parts.iter().flat_map(|part| [with(part), part.clone()]).filter(fits).take(4096).collect();
    }
    let parts = parts.into_iter().filter(|part| part.len() == size as usize).take(MOST_LISTS);
    parts.map(|part| Ids::Spec(IdsSpec::Explicit(part))).collect()
}

/// Return the networks with at most n processes that are smaller ones of the same family, or of simpler families, with their sizes. The
/// smallest come first; of one size, the simplest. Networks are written as `ring(3)`, `mesh(2, 3)`.
pub fn simpler(topology: &str, n: u32) -> Vec<(u32, String)> {
    if n > MOST_PROCESSES {
        return Vec::new();
    }
    let (family, arguments) =
        topology.strip_suffix(')').and_then(|t| t.split_once('(')).unwrap_or((topology, ""));
    let place =
        |family: &str| SIMPLE.iter().position(|(simple, _)| *simple == family).unwrap_or(SIMPLE.len());
    let own = place(family);
    let mut all: Vec<(u32, usize, String)> = Vec::new();
    for (place, (simple, least)) in SIMPLE.iter().enumerate().take(own) {
        // A network that is isomorphic to one of its own family keeps that name.
        let is_own = |size: &u32| match (family, *simple) {
            ("complete", "ring") | ("star", "line") => *size <= 3,
            ("complete" | "tree" | "random_tree", "line") => *size == 2,
            _ => false,
        };
        let named = |size: u32| match *simple {
            "star" => (size, place, format!("star({})", size - 1)),
            simple => (size, place, format!("{simple}({size})")),
        };
        all.extend((*least..=n).filter(|size| !is_own(size)).map(named));
    }
    let arguments: Result<Vec<u32>, _> = arguments.split(',').map(|a| a.trim().parse::<u32>()).collect();
    for smaller in arguments.map_or(Vec::new(), |arguments| below(&arguments)) {
        let size = size(family, &smaller);
        let text = smaller.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        all.push((size, own, format!("{family}({text})")));
    }
    all.sort();
    all.into_iter().map(|(size, _, text)| (size, text)).collect()
}

/// Return all lists of arguments that are componentwise at most these, and different. Arguments that are not sizes are treated alike: they
/// are too few to matter.
fn below(arguments: &[u32]) -> Vec<Vec<u32>> {
    if arguments.iter().any(|a| *a > MOST_PROCESSES) || arguments.len() > 3 {
        return Vec::new();
    }
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for most in arguments {
        let longer = |begun: &Vec<u32>| {
            (1..=*most).map(|a| begun.iter().copied().chain([a]).collect()).collect::<Vec<Vec<u32>>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.retain(|a| *a != arguments);
    all
}

/// Return the number of processes of a network of a family.
fn size(family: &str, arguments: &[u32]) -> u32 {
    match (family, arguments) {
        ("star", [leaves, ..]) => leaves + 1,
        ("hypercube", [dimension, ..]) => 1 << (*dimension).min(16),
        ("mesh" | "torus", _) => arguments.iter().product(),
        (_, [n, ..]) => *n,
        (_, []) => 0,
    }
}

//! The smallest network of the same family on which the same goes wrong.

use super::Options;
use crate::cli::instance::InstanceOptions;
use crate::explore::{Counterexample, Cut, Progress, Wrong, shorten};
use crate::instance::Instance;
use crate::ir::{Budget, Program};
use std::sync::Arc;

/// An instance, and a counterexample on it.
pub struct Smaller {
    pub instance: Instance,
    pub counterexample: Counterexample,
}

/// Looks at smaller networks, the smallest first, for a run that violates the same, with no more faults than these. None: there is none, or it takes more
/// configurations than the one at hand had.
pub fn find(
    options: &Options,
    (program, seed): (&Arc<Program>, u64),
    instance: &Instance,
    what: &Wrong,
    faults: Option<Budget>,
    configurations: u64,
    watch: &mut dyn FnMut(&Progress) -> Option<Cut>,
) -> Option<Smaller> {
    // Ids, weights and initiators that were listed belong to the network they were listed for.
    let listed =
        |text: &Option<String>| text.as_ref().is_some_and(|t| t.contains(|c: char| c.is_ascii_digit()));
    if listed(&options.instance.ids) || listed(&options.instance.initiators) {
        return None;
    }
    for topology in smaller(instance.network.topology()) {
        let faults = faults.as_ref().map(Budget::show);
        let wishes = InstanceOptions { on: Some(topology), faults, ..options.instance.clone() };
        let Ok(instance) = wishes.instance(program, seed) else { continue };
        let (_, like) = options.course.aside(program, &instance, what, configurations, watch);
        if let Some(counterexample) = like {
            let counterexample = shorten(&instance, counterexample);
            return Some(Smaller { instance, counterexample });
        }
    }
    None
}

/// Networks of the same family with fewer processes, the smallest first: `ring(3)`, `mesh(2, 3)`. None of families whose
/// arguments are not numbers only.
fn smaller(topology: &str) -> Vec<String> {
    let Some((family, arguments)) = topology.strip_suffix(')').and_then(|t| t.split_once('(')) else {
        return Vec::new();
    };
    let arguments: Result<Vec<u32>, _> = arguments.split(',').map(|a| a.trim().parse::<u32>()).collect();
    let Ok(arguments) = arguments else { return Vec::new() };
    if arguments.iter().any(|a| *a > 64) || arguments.len() > 3 {
        return Vec::new();
    }
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for most in &arguments {
        all = all
            .iter()
            .flat_map(|begun| (1..=*most).map(move |a| begun.iter().copied().chain([a]).collect()))
            .collect();
    }
    all.retain(|a| *a != arguments);
    all.sort_by_key(|a| (a.iter().map(|a| u64::from(*a)).product::<u64>(), a.clone()));
    let text = |a: &Vec<u32>| a.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    all.iter().map(|a| format!("{family}({})", text(a))).collect()
}

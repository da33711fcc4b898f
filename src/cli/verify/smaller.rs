//! The smallest network of the same family on which the same goes wrong.

use super::Options;
use crate::explore::{Counterexample, Cut, Options as Search, Wrong, explore, shorten};
use crate::instance::Instance;
use crate::ir::Program;
use std::sync::Arc;

/// Smaller instances may have so many configurations, however few the one at hand had.
const AT_LEAST: u64 = 20_000;
/// And no more than these, a second or two.
const AT_MOST: u64 = 200_000;

/// An instance, and a counterexample on it.
pub struct Smaller {
    pub instance: Instance,
    pub counterexample: Counterexample,
}

/// Looks at smaller networks, the smallest first, for a run that violates the same. None: there is none, or it takes more
/// configurations than the one at hand had.
pub fn find(
    options: &Options,
    program: &Arc<Program>,
    instance: &Instance,
    what: &Wrong,
    configurations: u64,
    seed: u64,
    interrupted: &dyn Fn() -> bool,
) -> Option<Smaller> {
    // Ids, weights and initiators that were listed belong to the network they were listed for.
    let listed =
        |text: &Option<String>| text.as_ref().is_some_and(|t| t.contains(|c: char| c.is_ascii_digit()));
    if listed(&options.instance.ids) || listed(&options.instance.initiators) {
        return None;
    }
    let search = Search {
        max_configurations: configurations.clamp(AT_LEAST, AT_MOST),
        notes: options.course.notes,
        reduce: !options.course.no_reduction,
        symmetry: !options.course.no_reduction && !options.course.no_symmetry,
        view: !options.course.no_view,
        ..Search::default()
    };
    let names = match what {
        Wrong::Property(property) => vec![program.properties[*property].name.clone()],
        _ => Vec::new(),
    };
    for topology in smaller(instance.network.topology()) {
        let wishes = crate::cli::instance::InstanceOptions { on: Some(topology), ..options.instance.clone() };
        let Ok(instance) = wishes.instance(program, seed) else { continue };
        let mut watch = |_: &crate::explore::Progress| interrupted().then_some(Cut::Interrupted);
        let found = explore(&instance, Some(&names), &search, &mut watch);
        if let Some(counterexample) = found.counterexamples.into_iter().find(|c| c.what.is_like(what)) {
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

//! Smaller networks that a small search explores completely.

use super::networks::simpler;
use crate::explore::{Exploration, ExploreOptions, Progress, StopReason, explore};
use crate::instance::Instance;
use crate::ir::{Type, Value};
use crate::network::{IdsSpec, Spec};
use crate::property::{Judgement, Verdict};
use crate::setup::{Ids, InstanceOptions, instantiate};

/// Least and greatest limit of configurations for each network on which undecided properties are checked. The greatest takes about a second.
const ASIDE: (u64, u64) = (2_000, 50_000);

/// Least size of a network that replaces a larger one: on one process, most properties hold trivially.
const LEAST_PROCESSES: u32 = 2;

/// Greatest number of parameter settings to try.
const MOST_SETTINGS: usize = 6;

/// Numbers up to this one are decreased one by one, larger ones are halved.
const SMALL_NUMBER: i64 = 4;

/// A smaller network of the same family, with the verdicts there.
#[derive(Clone, Debug)]
pub struct DecidedOn {
    pub topology: String,
    pub verdicts: Vec<Verdict>,
}

/// An instance on a smaller network of the same family, explored completely.
#[derive(Debug)]
pub struct ExploredOn {
    pub options: InstanceOptions,
    pub instance: Instance,
    pub exploration: Exploration,
}

/// Return the largest network of the instance's family, smaller than its own, on which a small search decides the properties: hardly larger
/// than one with `most` configurations. The sizes are tried in ascending order, up to the first that is too large. Return None if there is none, or if
/// ids are listed, which fit one size only.
pub fn largest_decidable(
    instance: &Instance,
    options: &InstanceOptions,
    search: &ExploreOptions,
    (properties, most): (&[String], u64),
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Option<DecidedOn> {
    let max_configurations = most.clamp(ASIDE.0, ASIDE.1);
    let search = ExploreOptions { max_configurations, keep_going: true, ..*search };
    let is_open = |verdict: &Verdict| verdict.judgement == Judgement::Pending;
    let decides = |found: &Exploration| {
        found.stopped_by.is_none()
            && found.separate.iter().all(|search| search.stopped_by.is_none())
            && !found.verdicts.iter().any(is_open)
    };
    let found = largest(instance, options, Sizes::BelowOwn, decides, &mut |instance| {
        explore(instance, Some(properties), &search, &mut *watch)
    })?;
    let topology = found.instance.network.topology().to_string();
    Some(DecidedOn { topology, verdicts: found.exploration.verdicts })
}

/// Return the largest network of the instance's family, up to its own, that these options explore completely or up to a violation, with at
/// least two processes. The sizes are tried in ascending order, up to the first that is too large: the time for that one is spent once, and a
/// network above it is not tried. If even the smallest one is too large, numeric parameters are decreased.
pub fn largest_explorable(
    instance: &Instance,
    options: &InstanceOptions,
    mut explore: impl FnMut(&Instance) -> Exploration,
) -> Option<ExploredOn> {
    let is_whole = |found: &Exploration| matches!(found.stopped_by, None | Some(StopReason::Found));
    largest(instance, options, Sizes::UpToOwn, is_whole, &mut explore).or_else(|| {
        let settings = smaller_parameters(instance, options).into_iter().take(MOST_SETTINGS);
        settings
            .filter_map(|params| {
                let mut options = options.clone();
                options.settings.params.extend(params);
                largest(instance, &options, Sizes::UpToOwn, is_whole, &mut explore)
            })
            .next()
    })
}

/// Return smaller settings of the numeric parameters that are above 1 and that the options do not set. Each turn decreases all values
/// further, and yields first one setting for each parameter alone, then one for all together.
fn smaller_parameters(instance: &Instance, options: &InstanceOptions) -> Vec<Vec<(String, Value)>> {
    let is_set = |name: &str| options.settings.params.iter().any(|(other, _)| other == name);
    let params = instance.program.params.iter().zip(&instance.params);
    let numbers = params.filter(|(param, _)| param.ty == Type::Int && !is_set(&param.name));
    let mut numbers: Vec<(&str, i64)> = numbers
        .map(|(param, value)| (param.name.as_str(), value.word()))
        .filter(|(_, number)| *number > 1)
        .collect();
    let defaults = numbers.clone();
    let mut settings = Vec::new();
    while numbers.iter().any(|(_, number)| *number > 1) {
        for (_, number) in &mut numbers {
            *number = if *number <= SMALL_NUMBER { (*number - 1).max(1) } else { *number / 2 };
        }
        let own = |(name, number): &(&str, i64)| (name.to_string(), Value::Int(*number));
        let changed = numbers.iter().zip(&defaults).filter(|(now, before)| now.1 < before.1);
        settings.extend(changed.map(|(now, _)| vec![own(now)]));
        if numbers.len() > 1 {
            settings.push(numbers.iter().map(own).collect());
        }
    }
    settings
}

/// The sizes of networks to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sizes {
    BelowOwn,
    UpToOwn,
}

fn largest(
    instance: &Instance,
    options: &InstanceOptions,
    sizes: Sizes,
    is_enough: impl Fn(&Exploration) -> bool,
    explore: &mut dyn FnMut(&Instance) -> Exploration,
) -> Option<ExploredOn> {
    let topology = instance.network.topology();
    let family = |topology: &str| topology.split('(').next().map(str::to_string);
    if matches!(options.ids, Ids::Spec(IdsSpec::Explicit(_))) {
        return None;
    }
    let smaller = simpler(topology, instance.n()).into_iter().map(|(_, smaller)| smaller);
    let smaller = smaller.filter(|smaller| family(smaller) == family(topology)).map(|smaller| {
        InstanceOptions { topology: Spec::parse(&smaller).ok(), ports: None, ..options.clone() }
    });
    let own = (sizes == Sizes::UpToOwn).then(|| options.clone());
    let mut largest = None;
    for options in smaller.chain(own) {
        let Ok(instance) = instantiate(&instance.program, &options) else { continue };
        if instance.n() < LEAST_PROCESSES {
            continue;
        }
        let exploration = explore(&instance);
        if !is_enough(&exploration) {
            break;
        }
        largest = Some(ExploredOn { options, instance, exploration });
    }
    largest
}

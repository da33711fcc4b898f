//! Model checking beyond one search: all arrangements of the ids, simpler counterexamples, and smaller networks.

pub mod arrangements;
mod side_search;
pub mod faults;
pub mod networks;
pub mod decidable;
pub mod default_network;

use crate::explore::{
    Counterexample, Exploration, ExploreOptions, Progress, SearchOrder, Shortened, StopReason, explain,
    shorten,
};
use crate::instance::Instance;
use crate::setup::InstanceOptions;
use crate::source::Span;
use faults::Faults;
use side_search::{SideSearch, quick_limit};

/// A counterexample to simplify, and the search that found it.
#[derive(Clone, Copy)]
pub struct Found<'f> {
    pub counterexample: &'f Counterexample,
    pub exploration: &'f Exploration,
    /// The instance of the search, and the options from which it was built.
    pub instance: &'f Instance,
    pub options: &'f InstanceOptions,
    pub search: &'f ExploreOptions,
}

/// The stages of the simplification, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Shorter,
    FewerFaults,
    SmallerNetworks,
}

/// The reason to stop the search of a stage, or `None`. It is also called at the beginning of a stage, without progress.
pub type Watch<'w> = &'w mut dyn FnMut(Stage, Option<&Progress>) -> Option<StopReason>;

/// A simplified counterexample.
pub struct Shrunk {
    /// The shortest run found on the instance, with the fewest faults.
    pub shortened: Shortened,
    /// Reason for the violation of a property, if the run is not the one found first.
    pub why: Option<String>,
    /// The faults in the run. None: the instance has none, or the counterexample was only shortened.
    pub faults: Option<Faults>,
    /// A counterexample on a smaller or simpler network.
    pub smaller: Option<Smaller>,
}

/// An instance, and a counterexample on it.
pub struct Smaller {
    pub instance: Instance,
    pub shortened: Shortened,
    /// Reason for the violation, for a property.
    pub why: Option<String>,
}

/// Simplify a counterexample: omit irrelevant events, then search for a run with fewer faults, and for one on a smaller or simpler
/// network. Each run makes the same conjunct of the same property false, or ends in the same kind of violation. Each search visits at most
/// 200 000 configurations, and those on other networks together about 500 000: a few seconds. A search for fewer faults visits as many
/// configurations as the search that found the counterexample, if those are more.
///
/// ```
/// use std::sync::Arc;
/// use synod::internals::explore::{ExploreOptions, explore};
/// use synod::internals::network::Spec;
/// use synod::internals::setup::{InstanceOptions, instantiate};
/// use synod::internals::verification::{Found, shrink};
///
/// let (name, text) = synod::internals::library::source("voting").unwrap();
/// let program = Arc::new(synod::internals::check::check(&name, &text, &synod::internals::library::source).program.unwrap());
/// let options = InstanceOptions { topology: Some(Spec::parse("complete(3)")?), ..InstanceOptions::default() };
/// let instance = instantiate(&program, &options)?;
/// let search = ExploreOptions::default();
/// let exploration = explore(&instance, None, &search, &mut |_| None);
/// let counterexample = &exploration.counterexamples[0];
///
/// let found = Found { counterexample, exploration: &exploration, instance: &instance, options: &options, search: &search };
/// let smaller = shrink(&found, &mut |_, _| None).smaller.unwrap();
/// assert_eq!(smaller.instance.network.topology(), "complete(2)");
/// assert!(smaller.shortened.counterexample.events.len() < counterexample.events.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn shrink(found: &Found, watch: Watch) -> Shrunk {
    let mut shrunk = shrink_on_instance(found, watch);
    watch(Stage::SmallerNetworks, None);
    let faults = shrunk.faults.as_ref().map(|faults| faults.used);
    let mut at = |progress: &Progress| watch(Stage::SmallerNetworks, Some(progress));
    shrunk.smaller = networks::smaller(found, &shrunk.shortened.counterexample, faults, &mut at);
    shrunk
}

/// The same, on the instance only.
pub fn shrink_on_instance(found: &Found, watch: Watch) -> Shrunk {
    let mut shortened = shortest(found, watch);
    watch(Stage::FewerFaults, None);
    let mut at = |progress: &Progress| watch(Stage::FewerFaults, Some(progress));
    let faults = faults::minimize(found, &mut shortened, &mut at);
    let why = faults.as_ref().and_then(|faults| faults.why.clone());
    Shrunk { shortened, why, faults, smaller: None }
}

/// Omit irrelevant events. If the search was not breadth first, also search for a shorter counterexample.
pub fn shortest(found: &Found, watch: Watch) -> Shortened {
    let Found { counterexample, instance, search, .. } = *found;
    let first = shorten(instance, counterexample.clone());
    if search.order == SearchOrder::Breadth {
        return first;
    }
    watch(Stage::Shorter, None);
    let most = quick_limit(found.exploration.configurations);
    let aside = SideSearch { search, kind: &counterexample.kind, most };
    let like = aside.run(instance, &mut |progress| watch(Stage::Shorter, Some(progress))).like;
    match like.map(|nearer| shorten(instance, nearer)) {
        Some(nearer)
            if nearer.counterexample.events.len() < first.counterexample.events.len()
                && conjunct(instance, &nearer.counterexample)
                    == conjunct(instance, &first.counterexample) =>
        {
            nearer
        }
        _ => first,
    }
}

/// Return the place of the conjunct that the counterexample makes false.
fn conjunct(instance: &Instance, counterexample: &Counterexample) -> Option<Span> {
    explain(instance, counterexample).and_then(|explanation| explanation.span)
}

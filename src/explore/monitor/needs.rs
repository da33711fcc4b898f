//! The auxiliary data that properties need: counts, rounds, time, history. Each distinguishes configurations, so it is kept only for the
//! properties that read it.

use crate::explore::monitor::additive_bound::AdditiveBound;
use crate::explore::monitor::relevant_counts::RelevantCounts;
use crate::instance::Instance;
use crate::ir::{Metric, Property};
use crate::property::{Reads, is_checked_during_run, is_vacuous};

/// The auxiliary data that is tracked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Counts of messages, bits and operations.
    pub counts: bool,
    /// Rounds that have ended.
    pub rounds: bool,
    /// The length of causal chains.
    pub time: bool,
    /// Calls, returns and upcalls.
    pub history: bool,
    /// Their causal order.
    pub precedence: bool,
    /// Some property reads the counts during a run, not only at its end.
    pub counts_on_the_way: bool,
}

impl Needs {
    pub fn any(&self) -> bool {
        self.counts || self.rounds || self.time || self.history
    }

    /// Return whether messages carry the causal past of their senders.
    pub fn pasts(&self) -> bool {
        self.time || self.precedence
    }
}

/// Return whether checking the property needs counts along runs, which distinguish configurations.
pub fn needs_counting(instance: &Instance, property: &Property) -> bool {
    let needs = needs_of(instance, property);
    needs.counts || needs.rounds || needs.time
}

/// Return whether the named properties need counts, but can distinguish only a part of them.
pub fn can_reduce_counts(instance: &Instance, names: &[String]) -> bool {
    let properties = instance.program.properties.iter().filter(|p| names.contains(&p.name));
    properties.clone().any(|p| needs_counting(instance, p))
        && RelevantCounts::of(instance, properties).is_some()
}

/// Return whether checking the property needs the history.
pub fn needs_history(instance: &Instance, property: &Property) -> bool {
    needs_of(instance, property).history
}

/// Return the auxiliary data that this property needs.
fn needs_of(instance: &Instance, property: &Property) -> Needs {
    let at = instance.program.properties.iter().position(|p| std::ptr::eq(p, property));
    at.map_or(Needs::default(), |at| needs(instance, &[at]))
}

/// Return the auxiliary data that these properties need.
pub fn needs(instance: &Instance, properties: &[usize]) -> Needs {
    let program = &instance.program;
    let mut needs = Needs::default();
    for property in properties {
        let p = &program.properties[*property];
        if AdditiveBound::of(instance, p).is_some() {
            continue;
        }
        if let Some(bound) = &p.bound {
            let limit = Reads::of(&bound.limit, program);
            needs.counts |= bound.metric.is_of_messages() || limit.counts;
            needs.counts |= bound.per.is_some();
            needs.rounds |= bound.metric == Metric::Rounds || limit.rounds;
            needs.time |= bound.metric == Metric::Time || limit.time;
            continue;
        }
        let reads = reads(p, instance);
        needs.history |= reads.history;
        needs.precedence |= reads.precedence;
        needs.counts |= reads.counts;
        needs.rounds |= reads.rounds;
        needs.time |= reads.time;
        let counted = reads.counts || reads.rounds || reads.time;
        needs.counts_on_the_way |= counted && is_checked_during_run(p.kind);
    }
    needs
}

/// Return everything that a property reads: nothing if its premise is false for the parameters of the instance.
pub fn reads(property: &Property, instance: &Instance) -> Reads {
    let program = &instance.program;
    if is_vacuous(property, instance) {
        return Reads::none(program);
    }
    Reads::of_property(property, program)
}

//! Prospect of a run: what its continuation may still decide.

use super::{Ended, MonitoredProperty, RunMonitor, violation};
use crate::instance::{ExecutionModel, Instance};
use crate::ir::{Property, PropertyKind};
use crate::property::{Judgement, Reads, combinations};
use crate::semantics::eval::{self, World};
use crate::semantics::{Configuration, Metrics};

/// The decisions that the continuation of a run may bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Prospect {
    /// Nothing: every liveness property is satisfied so far, and no property concerns an end. Of `settles`, only the
    /// present is known.
    Nothing,
    /// Nothing unless the run ends after all: either no infinite run decides what is pending, or the pending properties
    /// depend on variables that have not changed for nearly the whole run.
    Unlikely,
    /// Something: a property concerns an end, or may still come true.
    Open,
}

/// A pending property counts as unlikely if its variables have not changed for the whole run except 1/16 of it.
const PART_THAT_MOVES: u64 = 16;

impl RunMonitor {
    /// Return what the continuation of the run may decide.
    pub fn prospect(
        &self,
        instance: &Instance,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> Prospect {
        let world = World { configuration, metrics, history: &self.history };
        let kind = |item: &MonitoredProperty| instance.program.properties[item.property].kind;
        let awaited = |item: &MonitoredProperty| {
            matches!(kind(item), PropertyKind::Eventually | PropertyKind::LeadsTo | PropertyKind::Settles)
        };
        if !self.items.iter().any(awaited) {
            let is_decided =
                |item| self.verdict(instance, item, Ended::CutOff, world).judgement != Judgement::Pending;
            // A run that ends shows its end.
            return match self.items.is_empty() || !self.items.iter().all(is_decided) {
                true => Prospect::Open,
                false => Prospect::Unlikely,
            };
        }
        self.items.iter().map(|item| self.prospect_of(instance, item, world)).max().unwrap_or(Prospect::Open)
    }

    /// Whether a cycle that the run repeats forever may decide what every configuration, or some, satisfies: no such property reads counts,
    /// which the cycle does not repeat. Under global fairness, a cycle decides nothing.
    pub fn may_be_decided_by_cycle(&self, instance: &Instance) -> bool {
        instance.model.execution != ExecutionModel::Pairs
            && self.followed(instance).all(|(_, reads)| !(reads.counts || reads.rounds || reads.time))
    }

    /// Whether the history grows in a cycle that begins after this number of events, and a property reads it. No later cycle repeats the
    /// history. A property that is not claimed is disregarded, unless properties were requested by name.
    pub fn is_history_growing(&self, instance: &Instance, from: u64) -> bool {
        let matters = |property: &Property| self.are_named || property.is_claimed;
        self.last_history_change >= from
            && self.followed(instance).any(|(property, reads)| reads.history && matters(property))
    }

    /// Return the properties that every configuration, or some, has to satisfy, and what they read.
    fn followed<'i>(&self, instance: &'i Instance) -> impl Iterator<Item = (&'i Property, Reads)> {
        let program = &instance.program;
        let properties = self.items.iter().map(|item| &program.properties[item.property]);
        properties.filter_map(|property| match property.kind {
            PropertyKind::Finally | PropertyKind::Bound | PropertyKind::Exactly => None,
            kind => {
                let mut reads = Reads::of_property(property, program);
                reads.history |= kind == PropertyKind::Order;
                Some((property, reads))
            }
        })
    }

    /// Return whether all processes have started, and the last event made the last claimed `eventually` property true. Only
    /// marks are read, and only when one has changed, since this is asked after each event.
    pub fn is_fulfilled(
        &self,
        instance: &Instance,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> bool {
        let world = World { configuration, metrics, history: &self.history };
        let properties = &instance.program.properties;
        let awaited = || {
            let claimed = self.items.iter().filter(|item| properties[item.property].is_claimed);
            claimed.filter(|item| properties[item.property].kind == PropertyKind::Eventually)
        };
        let came_true = |item: &MonitoredProperty| {
            let (binders, mut all) = (&properties[item.property].binders, item.failed.is_none());
            let looked = eval::with_global_frame(instance, Some(world), |env| {
                combinations(binders, env, &mut |env| {
                    all &= item.marks.get(binders, env) == Some(true);
                    Ok(())
                })
            });
            looked.is_ok() && all
        };
        self.begun && awaited().any(|item| item.last_mark_change == self.events) && awaited().all(came_true)
    }

    /// Return the number of events after which every claimed `eventually` and `settles` property was satisfied for
    /// good, as far as the run shows. Return `None` if one of them is not satisfied now, if that number is unknown, or
    /// if there is none.
    pub fn settled_after(
        &self,
        instance: &Instance,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> Option<u64> {
        let world = World { configuration, metrics, history: &self.history };
        let mut latest = None;
        for item in &self.items {
            let property = &instance.program.properties[item.property];
            let settles = property.kind == PropertyKind::Settles;
            if !property.is_claimed || !(settles || property.kind == PropertyKind::Eventually) {
                continue;
            }
            let holds = match settles {
                true => item.checked_until.is_none() && self.holds_now(instance, item, world),
                false => self.verdict(instance, item, Ended::CutOff, world).judgement == Judgement::Holds,
            };
            if !holds {
                return None;
            }
            latest = latest.max(Some(item.last_mark_change));
        }
        latest
    }

    fn holds_now(&self, instance: &Instance, item: &MonitoredProperty, world: World<'_>) -> bool {
        let property = &instance.program.properties[item.property];
        let violated = eval::with_global_frame(instance, Some(world), |env| violation(property, env));
        matches!(violated, Ok(None))
    }

    fn prospect_of(&self, instance: &Instance, item: &MonitoredProperty, world: World<'_>) -> Prospect {
        let property = &instance.program.properties[item.property];
        let at_rest = match item.touched <= self.events / PART_THAT_MOVES {
            true => Prospect::Unlikely,
            false => Prospect::Open,
        };
        if property.kind == PropertyKind::Settles {
            let violated = eval::with_global_frame(instance, Some(world), |env| {
                violation(property, env).map(|violated| violated.is_some())
            });
            // If checking stopped early, it is unknown since when the property is satisfied.
            let long = item.checked_until.is_some() || item.last_mark_change <= self.events / 2;
            return match violated {
                Ok(false) if long => Prospect::Nothing,
                Ok(false) => Prospect::Open,
                _ => at_rest,
            };
        }
        match (self.verdict(instance, item, Ended::CutOff, world).judgement, property.kind) {
            // No response is pending; but a request may still come.
            (Judgement::Holds, PropertyKind::LeadsTo) => Prospect::Unlikely,
            (Judgement::Holds | Judgement::Violated, _) => Prospect::Nothing,
            // Checking has stopped: a longer run does not change the verdict.
            (Judgement::NotChecked, _) => Prospect::Unlikely,
            (Judgement::Pending, PropertyKind::LeadsTo) => Prospect::Unlikely,
            (Judgement::Pending, PropertyKind::Eventually) => at_rest,
            (Judgement::Pending, _) => Prospect::Open,
        }
    }
}

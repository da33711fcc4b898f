//! What a run that goes on may still show of its properties.

use super::{Ended, Item, Watch, violation};
use crate::property::Judgement;
use crate::semantics::eval::{self, World};
use crate::semantics::{Configuration, Metrics};
use crate::syntax::ast::PropertyKind;

/// What will come of it if a run is let go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Prospect {
    /// Nothing: something had to happen, all of it has, and nothing is asked about an end. Of what `settles`, the present is all
    /// that is known.
    Nothing,
    /// Nothing unless the run ends after all: what is pending no run decides that has no end, or it waits for something that
    /// has not changed for nearly as long as the run is.
    Unlikely,
    /// Something is asked about an end, or may still happen.
    Open,
}

/// What is waited for is given up when all that it reads has been as it is for all of the run but one part of so many.
const PART_THAT_MOVES: u64 = 16;

impl Watch<'_> {
    /// What is there to be found out by running on?
    pub fn prospect(&self, configuration: &Configuration, metrics: &Metrics) -> Prospect {
        let world = World { configuration, metrics, history: &self.history };
        let kind = |item: &Item| self.instance.program.properties[item.property].kind;
        let awaited = |item: &Item| {
            matches!(kind(item), PropertyKind::Eventually | PropertyKind::LeadsTo | PropertyKind::Settles)
        };
        if !self.items.iter().any(awaited) {
            return Prospect::Open;
        }
        self.items.iter().map(|item| self.prospect_of(item, world)).max().unwrap_or(Prospect::Open)
    }

    /// After how many events everything promised that has to come true once (`eventually`) or for good (`settles`) was so for good,
    /// as far as the run has come. None: some of it is not so now, or it is not known since when, or nothing of that kind is promised.
    pub fn settled_after(&self, configuration: &Configuration, metrics: &Metrics) -> Option<u64> {
        let world = World { configuration, metrics, history: &self.history };
        let mut latest = None;
        for item in &self.items {
            let property = &self.instance.program.properties[item.property];
            let settles = property.kind == PropertyKind::Settles;
            if !property.promised || !(settles || property.kind == PropertyKind::Eventually) {
                continue;
            }
            let holds = match settles {
                true => item.judged.is_none() && self.holds_now(item, world),
                false => self.verdict(item, Ended::CutOff, world).judgement == Judgement::Holds,
            };
            if !holds {
                return None;
            }
            latest = latest.max(Some(item.turned));
        }
        latest
    }

    fn holds_now(&self, item: &Item, world: World<'_>) -> bool {
        let property = &self.instance.program.properties[item.property];
        let violated = eval::globally(self.instance, Some(world), |env| violation(property, env));
        matches!(violated, Ok(None))
    }

    fn prospect_of(&self, item: &Item, world: World<'_>) -> Prospect {
        let property = &self.instance.program.properties[item.property];
        let at_rest = match item.touched <= self.events / PART_THAT_MOVES {
            true => Prospect::Unlikely,
            false => Prospect::Open,
        };
        if property.kind == PropertyKind::Settles {
            let violated = eval::globally(self.instance, Some(world), |env| {
                violation(property, env).map(|violated| violated.is_some())
            });
            // Where it was not judged all along, it is not known since when it has been so.
            let long = item.judged.is_some() || item.turned <= self.events / 2;
            return match violated {
                Ok(false) if long => Prospect::Nothing,
                Ok(false) => Prospect::Open,
                _ => at_rest,
            };
        }
        match (self.verdict(item, Ended::CutOff, world).judgement, property.kind) {
            // Nothing is owed; but what is to be answered may yet come.
            (Judgement::Holds, PropertyKind::LeadsTo) => Prospect::Unlikely,
            (Judgement::Holds | Judgement::Violated, _) => Prospect::Nothing,
            // However long it goes on, it is not judged any more.
            (Judgement::NotChecked, _) => Prospect::Unlikely,
            (Judgement::Pending, PropertyKind::LeadsTo) => Prospect::Unlikely,
            (Judgement::Pending, PropertyKind::Eventually) => at_rest,
            (Judgement::Pending, _) => Prospect::Open,
        }
    }
}

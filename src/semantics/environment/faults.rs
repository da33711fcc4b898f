//! What may still go wrong, which links have failed, and whom the failure detectors suspect.
//!
//! Who has crashed is no part of this: it is the waiting point of the process (`ir::CRASHED`).

use crate::instance::FaultBudget;
use crate::ir::{Budget, Fault};
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Faults {
    /// How often what may still happen by itself.
    pub left: Budget,
    /// Links that carry nothing any more.
    failed: BTreeSet<u32>,
    /// Who is suspected by whom: observer, suspect.
    suspected: BTreeSet<(u32, u32)>,
    /// Processes that oracles answer wrongly.
    misled: BTreeSet<u32>,
}

impl Faults {
    pub(super) fn new(hazards: &FaultBudget) -> Faults {
        Faults {
            left: hazards.budget,
            failed: BTreeSet::new(),
            suspected: BTreeSet::new(),
            misled: BTreeSet::new(),
        }
    }

    /// Bytes it holds outside of itself, about.
    pub fn bytes(&self) -> usize {
        (self.failed.len() + self.misled.len()) * size_of::<u32>()
            + self.suspected.len() * size_of::<(u32, u32)>()
    }

    /// Do oracles answer this process wrongly?
    pub fn misleads(&self, process: u32) -> bool {
        self.misled.contains(&process)
    }

    pub(in crate::semantics) fn mislead(&mut self, process: u32, wrongly: bool) {
        match wrongly {
            true => self.misled.insert(process),
            false => self.misled.remove(&process),
        };
    }

    pub fn has_failed(&self, link: u32) -> bool {
        self.failed.contains(&link)
    }

    /// The links that have failed.
    pub fn failed(&self) -> impl Iterator<Item = u32> + '_ {
        self.failed.iter().copied()
    }

    /// Does the detector of the observer suspect the process?
    pub fn suspects(&self, observer: u32, process: u32) -> bool {
        self.suspected.contains(&(observer, process))
    }

    pub(in crate::semantics) fn spend(&mut self, fault: Fault) {
        self.left.spend(fault);
    }

    pub(in crate::semantics) fn fail(&mut self, link: u32) {
        self.failed.insert(link);
    }

    pub(in crate::semantics) fn suspect(&mut self, observer: u32, process: u32, suspected: bool) {
        match suspected {
            true => self.suspected.insert((observer, process)),
            false => self.suspected.remove(&(observer, process)),
        };
    }

    /// A process begins anew: it suspects nobody. Those that suspected it go on until they are told, where
    /// `told` says that anybody listens.
    pub(in crate::semantics) fn begins_anew(&mut self, process: u32, told: impl Fn(u32) -> bool) {
        self.suspected.retain(|(observer, of)| *observer != process && (*of != process || told(*observer)));
    }
}

//! Faults in a configuration: the remaining budget, failed links, and suspicions of the failure detectors.
//!
//! A crash is not recorded here but in the process's waiting point (`ir::CRASHED`).

use crate::ids::ProcessId;
use crate::instance::FaultBudget;
use crate::ir::{Budget, Fault};
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Faults {
    /// The number of faults of each kind that may still occur without a scenario's order.
    pub remaining: Budget,
    /// Failed links.
    failed: BTreeSet<u32>,
    /// Suspicions: observer, suspect.
    suspected: BTreeSet<(ProcessId, ProcessId)>,
    /// Processes to which the oracles give incorrect answers.
    misled: BTreeSet<ProcessId>,
}

impl Faults {
    pub(super) fn new(hazards: &FaultBudget) -> Faults {
        Faults {
            remaining: hazards.budget,
            failed: BTreeSet::new(),
            suspected: BTreeSet::new(),
            misled: BTreeSet::new(),
        }
    }

    /// Return the approximate number of heap bytes that the value owns.
    pub fn bytes(&self) -> usize {
        (self.failed.len() + self.misled.len()) * size_of::<u32>()
            + self.suspected.len() * size_of::<(ProcessId, ProcessId)>()
    }

    /// Return whether oracles give this process incorrect answers.
    pub fn misleads(&self, process: ProcessId) -> bool {
        self.misled.contains(&process)
    }

    pub(in crate::semantics) fn mislead(&mut self, process: ProcessId, wrongly: bool) {
        match wrongly {
            true => self.misled.insert(process),
            false => self.misled.remove(&process),
        };
    }

    pub fn has_failed(&self, link: u32) -> bool {
        self.failed.contains(&link)
    }

    /// Return the failed links.
    pub fn failed(&self) -> impl Iterator<Item = u32> + '_ {
        self.failed.iter().copied()
    }

    /// Return whether the detector of the observer suspects the process.
    pub fn suspects(&self, observer: ProcessId, process: ProcessId) -> bool {
        self.suspected.contains(&(observer, process))
    }

    pub(in crate::semantics) fn spend(&mut self, fault: Fault) {
        self.remaining.spend(fault);
    }

    pub(in crate::semantics) fn fail(&mut self, link: u32) {
        self.failed.insert(link);
    }

    pub(in crate::semantics) fn suspect(&mut self, observer: ProcessId, process: ProcessId, suspected: bool) {
        match suspected {
            true => self.suspected.insert((observer, process)),
            false => self.suspected.remove(&(observer, process)),
        };
    }

    /// Reset suspicions at a restart. The process suspects no other process. Observers for which `told` holds keep their
    /// suspicion of it until their detector notifies them.
    pub(in crate::semantics) fn begins_anew(&mut self, process: ProcessId, told: impl Fn(ProcessId) -> bool) {
        self.suspected.retain(|(observer, of)| *observer != process && (*of != process || told(*observer)));
    }
}

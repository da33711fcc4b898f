//! Named branches: runs with a common prefix.

use super::Timeline;
use super::cursor::Cursor;
use super::narration::NarratedStep;
use crate::semantics::event::Event;
use crate::semantics::{Configuration, StepError};
use std::collections::BTreeMap;

/// A run that was left and can be resumed.
#[derive(Clone, Debug, Default)]
pub struct Branch {
    pub events: Vec<Event>,
    pub at: usize,
}

/// All branches, independent of an instance: they can be restored on another one, or later.
#[derive(Clone, Debug, Default)]
pub struct SavedBranches {
    /// The current branch.
    pub name: String,
    pub branch: Branch,
    pub others: BTreeMap<String, Branch>,
}

/// Two branches compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Number of common events at the beginning.
    pub common: usize,
    /// Positions of their cursors.
    pub here: usize,
    pub there: usize,
    /// The configuration at the cursor of the other branch.
    pub configuration: Configuration,
}

impl Timeline {
    /// Return the name of the current branch.
    pub fn branch(&self) -> &str {
        &self.branch
    }

    /// Return the other branches, by name.
    pub fn branches(&self) -> impl Iterator<Item = (&str, &Branch)> {
        self.others.iter().map(|(name, branch)| (name.as_str(), branch))
    }

    pub fn has_branch(&self, name: &str) -> bool {
        name == self.branch || self.others.contains_key(name)
    }

    /// Start a new branch at the cursor; the current one is kept under its name. The new branch lacks the events after
    /// the cursor. Return false if the name is taken.
    pub fn fork(&mut self, name: &str) -> bool {
        if self.has_branch(name) {
            return false;
        }
        let left = Branch { events: self.events.clone(), at: self.at() };
        self.others.insert(std::mem::replace(&mut self.branch, name.into()), left);
        self.cut();
        true
    }

    /// Remove another branch. Return false if there is none of this name.
    pub fn discard(&mut self, name: &str) -> bool {
        self.others.remove(name).is_some()
    }

    /// Return all branches, to be restored later.
    pub fn save(&self) -> SavedBranches {
        SavedBranches {
            name: self.branch.clone(),
            branch: Branch { events: self.events.clone(), at: self.at() },
            others: self.others.clone(),
        }
    }

    /// Restore kept branches and their cursor.
    ///
    /// # Errors
    /// If an event of the current branch is disabled: then the branch ends before it.
    pub fn restore(&mut self, kept: SavedBranches) -> Result<(), StepError> {
        self.goto(0)?;
        self.branch = kept.name;
        self.others = kept.others;
        self.follow(kept.branch.events)?;
        self.goto(kept.branch.at)
    }

    /// Return descriptions of events of a branch; `None` if there is no branch of this name.
    pub fn narrate_branch(&self, name: &str, range: std::ops::Range<usize>) -> Option<Vec<NarratedStep>> {
        if name == self.branch {
            return Some(self.narrate(range));
        }
        Some(self.narrate_events(&self.others.get(name)?.events, range))
    }

    /// Switch to another branch, to its cursor.
    ///
    /// # Errors
    /// If one of its events is no longer enabled: then the branch ends before it, and the cursor is there.
    pub fn switch(&mut self, name: &str) -> Result<(), StepError> {
        let Some(branch) = self.others.remove(name) else { return Ok(()) };
        let common = self.common(&branch.events);
        let at = self.at();
        let left = Branch { events: std::mem::replace(&mut self.events, branch.events), at };
        self.others.insert(std::mem::replace(&mut self.branch, name.into()), left);
        self.cursor.to(common.min(at), &self.instance, &self.events, &self.checkpoints)?;
        self.changed_from(common);
        let reached = self.goto(branch.at);
        if reached.is_err() {
            self.cut();
        }
        reached
    }

    /// Compare with another branch; `None` if there is none of this name.
    ///
    /// # Errors
    /// If its events do not lead to its cursor.
    pub fn compare(&self, name: &str) -> Option<Result<Comparison, StepError>> {
        let branch = self.others.get(name)?;
        let common = self.common(&branch.events);
        let mut head = Cursor::new(&self.instance);
        let mut compare = || {
            head.to(common.min(branch.at), &self.instance, &self.events, &self.checkpoints)?;
            for event in &branch.events[head.at..branch.at] {
                head.take(&self.instance, event)?;
            }
            Ok(())
        };
        Some(compare().map(|()| Comparison {
            common,
            here: self.at(),
            there: branch.at,
            configuration: head.configuration,
        }))
    }

    pub(super) fn common(&self, events: &[Event]) -> usize {
        if std::ptr::eq(self.events.as_slice(), events) {
            return events.len();
        }
        self.events.iter().zip(events).take_while(|(a, b)| a == b).count()
    }
}

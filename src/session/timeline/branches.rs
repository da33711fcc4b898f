//! Runs that share their beginning, under names.

use super::Timeline;
use super::cursor::Cursor;
use super::narration::NarratedStep;
use crate::semantics::event::Event;
use crate::semantics::{Configuration, StepError};
use std::collections::BTreeMap;

/// A run that somebody has left, to come back to it.
#[derive(Clone, Debug, Default)]
pub struct Branch {
    pub events: Vec<Event>,
    pub at: usize,
}

/// All branches, apart from an instance: to be taken up on another one, or again later.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// The branch at hand.
    pub name: String,
    pub branch: Branch,
    pub others: BTreeMap<String, Branch>,
}

/// Two branches, side by side.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Events that both have, from the first on.
    pub common: usize,
    /// Positions of their cursors.
    pub here: usize,
    pub there: usize,
    /// The configuration at the other's cursor.
    pub configuration: Configuration,
}

impl Timeline<'_> {
    /// The name of the branch at hand.
    pub fn branch(&self) -> &str {
        &self.branch
    }

    /// The other branches, by name.
    pub fn branches(&self) -> impl Iterator<Item = (&str, &Branch)> {
        self.others.iter().map(|(name, branch)| (name.as_str(), branch))
    }

    pub fn has_branch(&self, name: &str) -> bool {
        name == self.branch || self.others.contains_key(name)
    }

    /// A new branch from the cursor on; the one at hand stays as it is, under its name. What it had ahead is not in the new one.
    /// False: the name is taken.
    pub fn fork(&mut self, name: &str) -> bool {
        if self.has_branch(name) {
            return false;
        }
        let left = Branch { events: self.events.clone(), at: self.at() };
        self.others.insert(std::mem::replace(&mut self.branch, name.into()), left);
        self.cut();
        true
    }

    /// Everything that was run, to be taken up later.
    pub fn keep(&self) -> Kept {
        Kept {
            name: self.branch.clone(),
            branch: Branch { events: self.events.clone(), at: self.at() },
            others: self.others.clone(),
        }
    }

    /// Takes up what was kept, and stands where that stood.
    ///
    /// # Errors
    /// When an event of the branch at hand is not possible: then it ends before that.
    pub fn take_up(&mut self, kept: Kept) -> Result<(), StepError> {
        self.goto(0)?;
        self.branch = kept.name;
        self.others = kept.others;
        self.follow(kept.branch.events)?;
        self.goto(kept.branch.at)
    }

    /// Events of a branch, in words; None: there is no branch of this name.
    pub fn told_of(&self, name: &str, range: std::ops::Range<usize>) -> Option<Vec<NarratedStep>> {
        if name == self.branch {
            return Some(self.told(range));
        }
        Some(self.told_among(&self.others.get(name)?.events, range))
    }

    /// Goes over to another branch, to where it was left.
    ///
    /// # Errors
    /// When one of its events is not possible any more: then the branch ends before it, and the cursor stands there.
    pub fn switch(&mut self, name: &str) -> Result<(), StepError> {
        let Some(branch) = self.others.remove(name) else { return Ok(()) };
        let common = self.common(&branch.events);
        let at = self.at();
        let left = Branch { events: std::mem::replace(&mut self.events, branch.events), at };
        self.others.insert(std::mem::replace(&mut self.branch, name.into()), left);
        self.head.to(common.min(at), self.instance, &self.events, &self.checkpoints)?;
        self.changed_from(common);
        let reached = self.goto(branch.at);
        if reached.is_err() {
            self.cut();
        }
        reached
    }

    /// Compares with another branch; None: there is none of this name.
    ///
    /// # Errors
    /// When its events do not lead to where it was left.
    pub fn compare(&self, name: &str) -> Option<Result<Comparison, StepError>> {
        let branch = self.others.get(name)?;
        let common = self.common(&branch.events);
        let mut head = Cursor::new(self.instance);
        let mut compare = || {
            head.to(common.min(branch.at), self.instance, &self.events, &self.checkpoints)?;
            for event in &branch.events[head.at..branch.at] {
                head.take(self.instance, event)?;
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

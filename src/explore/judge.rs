//! Properties of single configurations: which there are, which steps may change them, whether they hold.

use super::costs::Costs;
use super::parts::Local;
use crate::instance::Instance;
use crate::ir::{Property, Slot};
use crate::property::{Blame, Reads, combinations, needs_history, on_the_way, violation};
use crate::semantics::eval::{self, World};
use crate::semantics::{Configuration, Eval, History, Metrics};
use crate::syntax::ast::PropertyKind;
use std::ops::Range;

/// The properties that an exploration decides.
#[derive(Debug)]
pub(super) struct Judge<'i> {
    pub instance: &'i Instance,
    /// Judged on every configuration: invariants first, then those whose truth is followed along runs.
    pub followed: Vec<Followed>,
    /// Judged at ends, by index into `Program::properties`.
    pub at_ends: Vec<usize>,
    pub costs: Costs,
    /// Why the others cannot be decided.
    pub undecided: Vec<(usize, &'static str)>,
    /// By role: slots that some followed property reads, with the bits of those properties.
    slots: Vec<Vec<(Slot, u64)>>,
    wakes: u64,
    metrics: Metrics,
    history: History,
}

/// A property judged along the way.
#[derive(Debug)]
pub(super) struct Followed {
    pub property: usize,
    /// In masks of what a step may change; the properties from the 64th on share one.
    pub bit: u64,
    /// Its places in the truth of a configuration; empty for invariants.
    pub truth: Range<usize>,
}

impl<'i> Judge<'i> {
    /// For the named properties; None: all. `configuration`: one in which all have started, to count what binders range
    /// over.
    pub fn new(instance: &'i Instance, names: Option<&[String]>, configuration: &Configuration) -> Judge<'i> {
        let program = &instance.program;
        let roles = program.roles.len();
        let wanted = |p: &Property| names.is_none_or(|names| names.contains(&p.name));
        let wanted: Vec<usize> =
            (0..program.properties.len()).filter(|p| wanted(&program.properties[*p])).collect();
        let mut judge = Judge {
            instance,
            followed: Vec::new(),
            at_ends: Vec::new(),
            costs: Costs::new(instance, &wanted),
            undecided: Vec::new(),
            slots: vec![Vec::new(); roles],
            wakes: 0,
            metrics: Metrics::new(program.kinds.len(), program.operations.len()),
            history: History::new(0),
        };
        let mut places = 0;
        for property in wanted {
            let p = &program.properties[property];
            if judge.costs.bounds.contains(&property) {
                continue;
            }
            if let Some(bound) = &p.bound {
                debug_assert!(!super::costs::is_sum(bound));
                judge.undecided.push((property, "it measures time, which is no sum over steps"));
                continue;
            }
            let reads = reads(p, roles);
            if needs_history(p, roles) {
                judge.undecided.push((property, "it looks at the history of the run"));
            } else if reads.other {
                judge.undecided.push((property, "it looks at what the run has cost so far"));
            } else if on_the_way(p.kind) {
                let bit = 1 << judge.followed.len().min(63);
                let combinations = match p.kind {
                    PropertyKind::Invariant => 0,
                    _ => judge.truth_of(p, configuration).map_or(0, |truth| truth.len()),
                };
                judge.followed.push(Followed { property, bit, truth: places..places + combinations });
                places += combinations;
                judge.watch(&reads, bit);
            } else {
                judge.at_ends.push(property);
            }
        }
        judge
    }

    fn watch(&mut self, reads: &Reads, bit: u64) {
        for (own, slots) in self.slots.iter_mut().zip(&reads.slots) {
            for (word, at) in slots {
                let slot = if *word { Slot::Word(*at) } else { Slot::Value(*at) };
                match own.iter_mut().find(|(s, _)| *s == slot) {
                    Some((_, bits)) => *bits |= bit,
                    None => own.push((slot, bit)),
                }
            }
        }
        if reads.wakes {
            self.wakes |= bit;
        }
    }

    /// The properties that a step of this process may have changed.
    pub fn touched(&self, process: u32, before: &Local, after: &Configuration) -> u64 {
        let (words, values) = (after.words(process), after.values(process));
        let slots = &self.slots[self.instance.role_of(process)];
        let changed = slots.iter().filter(|(slot, _)| match slot {
            Slot::Word(s) => before.words[*s as usize] != words[*s as usize],
            Slot::Value(s) => before.values[*s as usize] != values[*s as usize],
        });
        let woke = before.wake_state != after.wake_state(process);
        changed.fold(if woke { self.wakes } else { 0 }, |bits, (_, bit)| bits | bit)
    }

    /// All followed properties.
    pub fn all(&self) -> u64 {
        self.followed.iter().fold(0, |bits, f| bits | f.bit)
    }

    /// Number of places in the truth of a configuration.
    pub fn places(&self) -> usize {
        self.followed.last().map_or(0, |f| f.truth.end)
    }

    /// Kinds that are about whole runs: the graph of configurations is needed.
    pub fn needs_graph(&self) -> bool {
        !self.costs.bounds.is_empty() || self.is_live()
    }

    /// Is there anything that must happen?
    pub fn is_live(&self) -> bool {
        let kind = |f: &Followed| self.instance.program.properties[f.property].kind;
        self.followed.iter().any(|f| matches!(kind(f), PropertyKind::Eventually | PropertyKind::LeadsTo))
    }

    /// The bits of properties with a truth of their own.
    pub fn with_truth(&self) -> u64 {
        self.followed.iter().filter(|f| !f.truth.is_empty()).fold(0, |bits, f| bits | f.bit)
    }

    /// The invariants among `touched` that do not hold here.
    ///
    /// # Errors
    /// When a property cannot be evaluated.
    pub fn violated(&self, configuration: &Configuration, touched: u64) -> Vec<(usize, Eval<Blame>)> {
        let program = &self.instance.program;
        let invariants = self.followed.iter().filter(|f| {
            touched & f.bit != 0 && program.properties[f.property].kind == PropertyKind::Invariant
        });
        invariants
            .filter_map(|f| self.violation(f.property, configuration).map(|b| (f.property, b)))
            .collect()
    }

    /// Why a property is false here; None: it is true.
    pub fn violation(&self, property: usize, configuration: &Configuration) -> Option<Eval<Blame>> {
        let property = &self.instance.program.properties[property];
        eval::globally(self.instance, Some(self.world(configuration)), |env| violation(property, env))
            .transpose()
    }

    /// Truth of everything that is followed along runs: for each combination of binders one place, for `leads to`
    /// two.
    ///
    /// # Errors
    /// When a property cannot be evaluated.
    pub fn truth(&self, configuration: &Configuration) -> Eval<Vec<bool>> {
        let mut truth = Vec::with_capacity(self.places());
        for f in self.followed.iter().filter(|f| !f.truth.is_empty()) {
            let mut own = self.truth_of(&self.instance.program.properties[f.property], configuration)?;
            own.resize(f.truth.len(), false);
            truth.append(&mut own);
        }
        Ok(truth)
    }

    fn truth_of(&self, property: &Property, configuration: &Configuration) -> Eval<Vec<bool>> {
        let mut truth = Vec::new();
        eval::globally(self.instance, Some(self.world(configuration)), |env| {
            combinations(&property.each, env, &mut |env| {
                truth.push(eval::truth(&property.body, env)?);
                if let Some(then) = &property.then {
                    truth.push(eval::truth(then, env)?);
                }
                Ok(())
            })
        })?;
        Ok(truth)
    }

    /// What a property bound compares with.
    ///
    /// # Errors
    /// When it cannot be evaluated.
    pub fn limit(&self, property: usize, configuration: &Configuration) -> Eval<i64> {
        let bound = self.instance.program.properties[property].bound.as_ref();
        match bound {
            Some(bound) => eval::globally(self.instance, Some(self.world(configuration)), |env| {
                eval::word(&bound.limit, env)
            }),
            None => Ok(0),
        }
    }

    pub fn world<'a>(&'a self, configuration: &'a Configuration) -> World<'a> {
        World { configuration, metrics: &self.metrics, history: &self.history }
    }
}

/// Everything a property reads.
fn reads(property: &Property, roles: usize) -> Reads {
    let mut reads = Reads::of(&property.body, roles);
    reads.add_binders(&property.each);
    if let Some(then) = &property.then {
        let more = Reads::of(then, roles);
        for (own, new) in reads.slots.iter_mut().zip(more.slots) {
            own.extend(new);
        }
        reads.other |= more.other;
        reads.wakes |= more.wakes;
    }
    reads
}

//! Values of an expression for all processes, and their aggregate.

use super::members::ProcessBinder;
use crate::ids::ProcessId;
use crate::ir::{Expr, Quantifier, Slot, SortedSet, Value};
use crate::semantics::Eval;
use crate::semantics::eval::{self, Env};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The value of a process that the quantifier or its condition excludes.
pub(super) const EXCLUDED: u8 = 2;
const TRUE: u8 = 1;
const FALSE: u8 = 0;

/// An expression evaluated for one process.
pub(super) struct ProcessExpression {
    pub binder: ProcessBinder,
    pub with: Option<Expr>,
    pub body: Expr,
}

impl ProcessExpression {
    /// Bind a process. Return whether the quantifier includes it.
    pub fn includes(&self, process: ProcessId, env: &mut Env<'_>) -> Eval<bool> {
        env.words[self.binder.slot as usize] = i64::from(process.0);
        match &self.with {
            _ if !self.binder.contains(process) => Ok(false),
            Some(with) => eval::truth(with, env),
            None => Ok(true),
        }
    }

    /// Return the truth value for a process.
    pub fn truth(&self, process: ProcessId, env: &mut Env<'_>) -> Eval<u8> {
        Ok(match self.includes(process, env)? {
            false => EXCLUDED,
            true if eval::truth(&self.body, env)? => TRUE,
            true => FALSE,
        })
    }
}

/// The number of processes with each truth value.
#[derive(Clone, Copy, Debug)]
pub(super) struct TruthCounts([u32; 3]);

impl TruthCounts {
    /// Return the counts with all `n` processes excluded.
    pub fn new(n: u32) -> TruthCounts {
        TruthCounts([0, 0, n])
    }

    pub fn replace(&mut self, old: u8, new: u8) {
        self.0[usize::from(old)] -= 1;
        self.0[usize::from(new)] += 1;
    }

    /// Return the value of the quantifier as a word.
    pub fn word(self, quantifier: Quantifier) -> i64 {
        let TruthCounts([fails, holds, _]) = self;
        match quantifier {
            Quantifier::Forall => i64::from(fails == 0),
            Quantifier::Some => i64::from(holds > 0),
            Quantifier::Count | Quantifier::Sum => i64::from(holds),
        }
    }
}

/// Values for all processes, and their aggregate.
pub(super) enum Aggregate {
    Truths {
        quantifier: Quantifier,
        by_process: Vec<u8>,
        counts: TruthCounts,
    },
    /// The set of the values, or the union of the collections.
    Elements {
        is_union: bool,
        /// By process; `None` where the condition is false.
        by_process: Vec<Option<Value>>,
        counts: BTreeMap<Value, u32>,
        set: Arc<SortedSet<Value>>,
    },
}

impl Aggregate {
    pub fn truths(quantifier: Quantifier) -> Aggregate {
        Aggregate::Truths { quantifier, by_process: Vec::new(), counts: TruthCounts::new(0) }
    }

    pub fn elements(is_union: bool) -> Aggregate {
        Aggregate::Elements { is_union, by_process: Vec::new(), counts: BTreeMap::new(), set: Arc::default() }
    }

    pub fn begin(&mut self, n: u32) {
        match self {
            Aggregate::Truths { by_process, counts, .. } => {
                *by_process = vec![EXCLUDED; n as usize];
                *counts = TruthCounts::new(n);
            }
            Aggregate::Elements { by_process, counts, set, .. } => {
                *by_process = vec![None; n as usize];
                counts.clear();
                *set = Arc::default();
            }
        }
    }

    /// Update the value of a process; return whether the aggregate may have changed.
    pub fn update(&mut self, of: &ProcessExpression, process: ProcessId, env: &mut Env<'_>) -> Eval<bool> {
        match self {
            Aggregate::Truths { by_process, counts, .. } => {
                let new = of.truth(process, env)?;
                let old = std::mem::replace(&mut by_process[process.index()], new);
                counts.replace(old, new);
                Ok(old != new)
            }
            Aggregate::Elements { is_union, by_process, counts, set } => {
                let new = match of.includes(process, env)? {
                    true => Some(eval::value(&of.body, env)?),
                    false => None,
                };
                if by_process[process.index()] == new {
                    return Ok(false);
                }
                let old = std::mem::replace(&mut by_process[process.index()], new.clone());
                let mut changed = false;
                for element in elements(*is_union, new.as_ref()) {
                    let count = counts.entry(element.clone()).or_default();
                    *count += 1;
                    changed |= *count == 1 && Arc::make_mut(set).insert(element.clone());
                }
                for element in elements(*is_union, old.as_ref()) {
                    if let Some(count) = counts.get_mut(element) {
                        *count -= 1;
                        if *count == 0 {
                            counts.remove(element);
                            changed |= Arc::make_mut(set).remove(element);
                        }
                    }
                }
                Ok(changed)
            }
        }
    }

    /// Write the aggregate to a slot.
    pub fn store(&self, slot: Slot, env: &mut Env<'_>) {
        match (self, slot) {
            (Aggregate::Truths { quantifier, counts, .. }, Slot::Word(slot)) => {
                env.words[slot as usize] = counts.word(*quantifier);
            }
            (Aggregate::Elements { set, .. }, Slot::Value(slot)) => {
                env.values[slot as usize] = Value::Set(set.clone());
            }
            _ => {}
        }
    }
}

/// Return the elements that a process contributes.
fn elements(is_union: bool, value: Option<&Value>) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Some(collection) if is_union => eval::elements(collection),
        value => Box::new(value.into_iter()),
    }
}

//! Truth values of an expression for all pairs of processes. A step changes those of one row and one column.

use super::aggregate::{EXCLUDED, ProcessExpression, TruthCounts};
use super::members::ProcessBinder;
use crate::ids::ProcessId;
use crate::ir::Quantifier;
use crate::semantics::Eval;
use crate::semantics::eval::Env;

/// Maximum number of processes: a byte is kept for each pair.
pub(super) const PROCESSES_MAX: u32 = 2048;

/// A quantifier over processes within a quantifier over processes.
pub(super) struct Pairs {
    outer: ProcessBinder,
    inner: ProcessExpression,
    quantifier: Quantifier,
    /// The truth values, by outer and inner process.
    truths: Vec<u8>,
    /// The number of pairs with each truth value, by outer process.
    rows: Vec<TruthCounts>,
    /// The outer processes for which the last update changed the value of the quantifier.
    pub changed: Vec<ProcessId>,
}

impl Pairs {
    pub fn new(outer: ProcessBinder, inner: ProcessExpression, quantifier: Quantifier) -> Pairs {
        Pairs { outer, inner, quantifier, truths: Vec::new(), rows: Vec::new(), changed: Vec::new() }
    }

    pub fn begin(&mut self, n: u32) {
        self.truths = vec![EXCLUDED; n as usize * n as usize];
        self.rows = vec![TruthCounts::new(n); n as usize];
    }

    /// Return the value of the quantifier for an outer process, as a word.
    pub fn row(&self, outer: ProcessId) -> i64 {
        self.rows[outer.index()].word(self.quantifier)
    }

    /// Evaluate the pairs of an outer process.
    pub fn update_row(&mut self, outer: ProcessId, env: &mut Env<'_>) -> Eval<()> {
        env.instance.processes().try_for_each(|inner| self.update_pair(outer, inner, env))
    }

    /// Evaluate the pairs of an inner process.
    pub fn update_column(&mut self, inner: ProcessId, env: &mut Env<'_>) -> Eval<()> {
        env.instance.processes().try_for_each(|outer| self.update_pair(outer, inner, env))
    }

    fn update_pair(&mut self, outer: ProcessId, inner: ProcessId, env: &mut Env<'_>) -> Eval<()> {
        if !self.outer.contains(outer) {
            return Ok(());
        }
        env.count_visits(1, self.inner.body.span)?;
        env.words[self.outer.slot as usize] = i64::from(outer.0);
        let new = self.inner.truth(inner, env)?;
        let n = self.rows.len();
        let old = std::mem::replace(&mut self.truths[outer.index() * n + inner.index()], new);
        if old != new {
            let before = self.row(outer);
            self.rows[outer.index()].replace(old, new);
            if before != self.row(outer) {
                self.changed.push(outer);
            }
        }
        Ok(())
    }
}

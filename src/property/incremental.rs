//! Incremental checking of properties. Most properties evaluate an expression for each process separately
//! (`count p: p.leader`, `forall p: …`, `{ p.elected for p in processes | … }`) and aggregate the values. A step
//! changes the variables of one process: only its value is computed again.
//!
//! A property is prepared once. Each such aggregate becomes an *incremental count*, whose value is kept in a slot of
//! the frame. Each part that no step can change is computed once and cached. The rest of the property reads only slots,
//! and is evaluated again when one of them changes.

use super::Reads;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::Quantifier;
use crate::ir::{
    Binder, Expr, ExprKind as K, Fact, Pattern, ProcessFact, Program, Property, Slot, SortedSet, Type, Value,
};
use crate::semantics::Eval;
use crate::semantics::eval::{self, Env};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A property prepared for incremental checking.
pub(super) struct Prepared {
    /// Slot of the binder of `for p`: then the body reads variables of p, besides incremental counts.
    pub each: Option<u16>,
    pub body: Expr,
    pub then: Option<Expr>,
    /// The incremental counts it reads (indices into `IncrementalCounts::all`).
    pub reads: Vec<usize>,
}

/// An expression evaluated for one process.
struct ProcessExpression {
    binder: u16,
    with: Option<Expr>,
    body: Expr,
}

/// Values for all processes, and their aggregate.
enum Aggregate {
    Truths {
        quantifier: Quantifier,
        /// By process; `PASSED_OVER` where `with` is false.
        by_process: Vec<u8>,
        /// Number of processes with each value.
        counts: [i64; 3],
    },
    Elements {
        /// By process; `None` where the condition is false.
        by_process: Vec<Option<Value>>,
        counts: BTreeMap<Value, u32>,
        set: Arc<SortedSet<Value>>,
    },
}

const FALSE: u8 = 0;
const TRUE: u8 = 1;
const EXCLUDED: u8 = 2;

struct IncrementalCount {
    question: ProcessExpression,
    answers: Aggregate,
    /// The slot of the aggregate.
    slot: Slot,
    /// Whether the last step changed the aggregate.
    changed: bool,
    /// Evaluation failed for some process: properties that read this count are evaluated as a whole.
    failed: bool,
}

/// All incremental counts of a run, and the frame for their values and for cached parts.
pub(super) struct IncrementalCounts<'i> {
    all: Vec<IncrementalCount>,
    pub words: Vec<i64>,
    pub values: Vec<Value>,
    /// Words and values of the frame before those of counts and cached parts: they are cleared before each use.
    cleared: (usize, usize),
    /// Validity flags of cached parts that change only when a process wakes up: these words are cleared then.
    until_woken: Vec<u16>,
    /// Functions without arguments met in the current property, by their slots.
    known: Vec<(Slot, Expr)>,
    program: &'i Program,
}

impl<'i> IncrementalCounts<'i> {
    pub fn new(instance: &'i Instance) -> IncrementalCounts<'i> {
        let (words, values) = eval::global_frame(instance);
        let cleared = (words.len(), values.len());
        let program = &instance.program;
        IncrementalCounts {
            all: Vec::new(),
            cleared,
            words,
            values,
            until_woken: Vec::new(),
            known: Vec::new(),
            program,
        }
    }

    /// Allocate slots for one more value and its validity flag. Return `None` if there are too many.
    fn slots(&mut self, ty: &Type) -> Option<(Slot, Slot)> {
        let done = Slot::Word(u16::try_from(self.words.len()).ok()?);
        self.words.push(0);
        let slot = if ty.is_word() {
            self.words.push(0);
            Slot::Word(u16::try_from(self.words.len() - 1).ok()?)
        } else {
            self.values.push(Value::None);
            Slot::Value(u16::try_from(self.values.len() - 1).ok()?)
        };
        Some((slot, done))
    }

    /// Prepare a property. Return `None` if it relates several processes, or reads anything besides their variables.
    pub fn prepare(&mut self, property: &Property) -> Option<Prepared> {
        let each = match property.binders.as_slice() {
            [] => None,
            [binder] => Some(over_processes(binder)?),
            _ => return None,
        };
        let first = self.all.len();
        self.known.clear();
        let mut reads = Vec::new();
        let body = self.rewrite(&property.body, &mut reads)?;
        let then = match &property.consequent {
            Some(then) => Some(self.rewrite(then, &mut reads)?),
            None => None,
        };
        let fits = [Some(&body), then.as_ref()].into_iter().flatten().all(|e| match each {
            Some(binder) => self.reads_only_process(e, binder),
            None => Reads::of(e, self.program).depends_only_on_wakes(),
        });
        if !fits {
            self.all.truncate(first);
            return None;
        }
        Some(Prepared { each, body, then, reads })
    }

    /// Return the expression with counts and cached parts in slots.
    fn rewrite(&mut self, e: &Expr, reads: &mut Vec<usize>) -> Option<Expr> {
        let K::Once { slot, .. } = e.kind else { return self.rewrite_part(e, reads) };
        if let Some((_, known)) = self.known.iter().find(|(known, _)| *known == slot) {
            return Some(known.clone());
        }
        let rewritten = self.rewrite_part(e, reads)?;
        self.known.push((slot, rewritten.clone()));
        Some(rewritten)
    }

    fn rewrite_part(&mut self, e: &Expr, reads: &mut Vec<usize>) -> Option<Expr> {
        if let Some(slot) = self.incremental_count(e, reads) {
            return Some(Expr { kind: K::Slot(slot), ..e.clone() });
        }
        if e.is_computed() && Reads::of(e, self.program).depends_only_on_wakes() && e.is_closed(&|_| false) {
            let (slot, done) = self.slots(&e.ty)?;
            if let (false, Slot::Word(done)) = (Reads::of(e, self.program).is_empty(), done) {
                self.until_woken.push(done);
            }
            return Some(Expr { kind: K::Once { slot, done, value: Box::new(e.clone()) }, ..e.clone() });
        }
        let mut one = |e: &Expr| self.rewrite(e, reads).map(Box::new);
        let kind = match &e.kind {
            K::Not(x) => K::Not(one(x)?),
            K::And(x, y) => K::And(one(x)?, one(y)?),
            K::Or(x, y) => K::Or(one(x)?, one(y)?),
            K::Implies(x, y) => K::Implies(one(x)?, one(y)?),
            K::Arith(op, x, y) => K::Arith(*op, one(x)?, one(y)?),
            K::Compare(op, x, y) => K::Compare(*op, one(x)?, one(y)?),
            K::CompareValues(op, x, y) => K::CompareValues(*op, one(x)?, one(y)?),
            K::If(c, x, y) => K::If(one(c)?, one(x)?, one(y)?),
            K::In(x, y) => K::In(one(x)?, one(y)?),
            K::Collection(op, x, y) => K::Collection(*op, one(x)?, one(y)?),
            K::Unwrap(x) => K::Unwrap(one(x)?),
            K::Once { slot, done, value } => K::Once { slot: *slot, done: *done, value: one(value)? },
            K::Let(lets, body) => {
                let mut stores = Vec::new();
                for (slot, x) in lets {
                    stores.push((*slot, *one(x)?));
                }
                K::Let(stores, one(body)?)
            }
            K::Set(list) | K::Call(_, list) => {
                let mut rewritten = Vec::new();
                for x in list {
                    rewritten.push(*one(x)?);
                }
                match &e.kind {
                    K::Call(f, _) => K::Call(*f, rewritten),
                    _ => K::Set(rewritten),
                }
            }
            other => other.clone(),
        };
        Some(Expr { kind, ..e.clone() })
    }

    /// Return the slot of an aggregate over all processes, with a new incremental count for it.
    fn incremental_count(&mut self, e: &Expr, reads: &mut Vec<usize>) -> Option<Slot> {
        let (binders, with, body, quantifier) = match &e.kind {
            K::Quantified { quantifier: Quantifier::Sum, .. } => return None,
            K::Quantified { quantifier, binders, with, body } => {
                (binders, with, Some(body), Some(*quantifier))
            }
            K::Comprehension { list: false, binders, condition, element } => {
                (binders, condition, element.as_ref(), None)
            }
            _ => return None,
        };
        let [binder] = binders.as_slice() else { return None };
        let binder_slot = over_processes(binder)?;
        let body = match body {
            Some(body) => (**body).clone(),
            None => Expr { kind: K::Slot(Slot::Word(binder_slot)), ty: Type::Process, span: e.span },
        };
        let mut inner = Vec::new();
        let body = self.rewrite(&body, &mut inner)?;
        let with = match with {
            Some(with) => Some(self.rewrite(with, &mut inner)?),
            None => None,
        };
        // A nested count would change the values of all processes.
        let asks = |e: &Expr| self.reads_only_process(e, binder_slot);
        if !inner.is_empty() || !asks(&body) || !with.as_ref().is_none_or(asks) {
            return None;
        }
        let (slot, _) = self.slots(&e.ty)?;
        let answers = match quantifier {
            Some(quantifier) => Aggregate::Truths { quantifier, by_process: Vec::new(), counts: [0; 3] },
            None => {
                Aggregate::Elements { by_process: Vec::new(), counts: BTreeMap::new(), set: Arc::default() }
            }
        };
        let question = ProcessExpression { binder: binder_slot, with, body };
        reads.push(self.all.len());
        self.all.push(IncrementalCount { question, answers, slot, changed: false, failed: false });
        Some(slot)
    }

    /// Whether the value depends on nothing that changes except variables of the process in this slot.
    fn reads_only_process(&self, e: &Expr, binder: u16) -> bool {
        let mut others = Reads::of(e, self.program);
        others.slots.iter_mut().for_each(BTreeSet::clear);
        others.is_empty()
            && about(e, &mut vec![Slot::Word(binder)])
            && e.is_closed(&|slot| slot == Slot::Word(binder) || self.is_kept(slot))
    }

    /// Whether the slot holds a count or a cached part.
    fn is_kept(&self, slot: Slot) -> bool {
        match slot {
            Slot::Word(number) => usize::from(number) >= self.cleared.0,
            Slot::Value(number) => usize::from(number) >= self.cleared.1,
        }
    }

    /// Invalidate what depends on the set of processes that have woken up.
    pub fn invalidate_wakes(&mut self) {
        self.until_woken.iter().for_each(|done| self.words[*done as usize] = 0);
    }

    /// Return the number of evaluations of parts that change when a process wakes up.
    pub fn computed(&self) -> u64 {
        self.until_woken.iter().filter(|done| self.words[**done as usize] != 0).count() as u64
    }

    /// Evaluate for all processes.
    pub fn begin(&mut self, env: &mut Env<'_>) {
        for tally in &mut self.all {
            env.words[..self.cleared.0].fill(0);
            tally.begin(env.instance.n());
            for process in env.instance.processes() {
                if tally.update_process(process, env).is_err() {
                    tally.failed = true;
                    break;
                }
            }
            tally.store(env);
            tally.changed = true;
        }
    }

    /// Evaluate again for the processes whose variables may have changed.
    pub fn update(&mut self, processes: &[ProcessId], env: &mut Env<'_>) {
        for tally in self.all.iter_mut().filter(|tally| !tally.failed) {
            tally.changed = false;
            // Properties share slots; cached parts of one property are invalid for the next.
            env.words[..self.cleared.0].fill(0);
            for process in processes {
                match tally.update_process(*process, env) {
                    Ok(changed) => tally.changed |= changed,
                    Err(_) => tally.failed = true,
                }
            }
            if tally.changed {
                tally.store(env);
            }
        }
    }

    pub fn changed(&self, prepared: &Prepared) -> bool {
        prepared.reads.iter().any(|tally| self.all[*tally].changed)
    }

    pub fn failed(&self, prepared: &Prepared) -> bool {
        prepared.reads.iter().any(|tally| self.all[*tally].failed)
    }

    /// Call `f` with the frame.
    pub fn with_frame<T>(
        &mut self,
        instance: &Instance,
        world: eval::World<'_>,
        f: impl FnOnce(&mut IncrementalCounts<'_>, &mut Env<'_>) -> T,
    ) -> T {
        let (mut words, mut values) = (std::mem::take(&mut self.words), std::mem::take(&mut self.values));
        words[..self.cleared.0].fill(0);
        let mut env = Env {
            words: &mut words,
            values: &mut values,
            instance,
            process: eval::NO_PROCESS,
            world: Some(world),
            neighbourhood: None,
            chance: None,
            budget: &mut { eval::MAX_GLOBAL_VISITS },
        };
        let result = f(self, &mut env);
        (self.words, self.values) = (words, values);
        result
    }
}

impl IncrementalCount {
    fn begin(&mut self, n: u32) {
        self.failed = false;
        match &mut self.answers {
            Aggregate::Truths { by_process, counts, .. } => {
                *by_process = vec![EXCLUDED; n as usize];
                *counts = [0, 0, i64::from(n)];
            }
            Aggregate::Elements { by_process, counts, set } => {
                *by_process = vec![None; n as usize];
                counts.clear();
                *set = Arc::default();
            }
        }
    }

    /// Update the value of a process; return whether the aggregate changed.
    fn update_process(&mut self, process: ProcessId, env: &mut Env<'_>) -> Eval<bool> {
        env.words[self.question.binder as usize] = i64::from(process.0);
        let asked = match &self.question.with {
            Some(with) => eval::truth(with, env)?,
            None => true,
        };
        match &mut self.answers {
            Aggregate::Truths { by_process, counts, .. } => {
                let mut answer = EXCLUDED;
                if asked {
                    answer = if eval::truth(&self.question.body, env)? { TRUE } else { FALSE };
                }
                let old = std::mem::replace(&mut by_process[process.index()], answer);
                counts[old as usize] -= 1;
                counts[answer as usize] += 1;
                Ok(old != answer)
            }
            Aggregate::Elements { by_process, counts, set } => {
                let answer = if asked { Some(eval::value(&self.question.body, env)?) } else { None };
                if by_process[process.index()] == answer {
                    return Ok(false);
                }
                let old = std::mem::replace(&mut by_process[process.index()], answer.clone());
                if let Some(new) = answer {
                    let count = counts.entry(new.clone()).or_default();
                    *count += 1;
                    if *count == 1 {
                        Arc::make_mut(set).insert(new);
                    }
                }
                if let Some(old) = old
                    && let Some(count) = counts.get_mut(&old)
                {
                    *count -= 1;
                    if *count == 0 {
                        counts.remove(&old);
                        Arc::make_mut(set).remove(&old);
                    }
                }
                Ok(true)
            }
        }
    }

    /// Write the aggregate to its slot.
    fn store(&self, env: &mut Env<'_>) {
        let [fails, holds, _] = match &self.answers {
            Aggregate::Truths { counts, .. } => *counts,
            Aggregate::Elements { .. } => [0; 3],
        };
        match (&self.answers, self.slot) {
            (Aggregate::Truths { quantifier, .. }, Slot::Word(slot)) => {
                env.words[slot as usize] = match quantifier {
                    Quantifier::Forall => i64::from(fails == 0),
                    Quantifier::Some => i64::from(holds > 0),
                    Quantifier::Count | Quantifier::Sum => holds,
                };
            }
            (Aggregate::Elements { set, .. }, Slot::Value(slot)) => {
                env.values[slot as usize] = Value::Set(set.clone());
            }
            _ => {}
        }
    }
}

/// Return the slot of a binder that ranges over all processes.
pub(super) fn over_processes(binder: &Binder) -> Option<u16> {
    match (&binder.pattern, &binder.set.kind) {
        (Pattern::Slot(Slot::Word(slot)), K::Fact(Fact::Processes)) => Some(*slot),
        _ => None,
    }
}

/// Whether all variables read belong to the process in one of these slots.
fn about(e: &Expr, names: &mut Vec<Slot>) -> bool {
    let named = |e: &Expr, names: &[Slot]| matches!(&e.kind, K::Slot(slot) if names.contains(slot));
    match &e.kind {
        K::Remote(p, _) | K::RemoteState(p, _) => return named(p, names),
        K::ProcessFact(ProcessFact::Halted | ProcessFact::Up, p) => return named(p, names),
        K::Let(lets, body) => {
            // All values are evaluated before any is stored.
            let names_it: Vec<bool> = lets.iter().map(|(_, x)| named(x, names)).collect();
            if !lets.iter().all(|(_, x)| about(x, names)) {
                return false;
            }
            for ((slot, _), names_it) in lets.iter().zip(names_it) {
                names.retain(|name| name != slot);
                if names_it {
                    names.push(*slot);
                }
            }
            return about(body, names);
        }
        _ => {}
    }
    let mut all = true;
    e.parts(&mut |part| all = all && about(part, names));
    all
}

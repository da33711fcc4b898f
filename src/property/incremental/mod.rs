//! Incremental checking of properties. Most properties evaluate an expression for each process separately
//! (`count p: p.leader`, `forall p: …`, `{ p.elected for p in processes | … }`) and aggregate the values. A step
//! changes the variables of one process: only its value is computed again. For an expression about pairs of processes
//! (`forall p, q: …`), a step evaluates only the pairs with this process. For an expression about a process and its neighbours
//! (`forall p: forall q in p.neighbours: …`), a step evaluates the process and its neighbours.
//!
//! A property is prepared once. Each such aggregate becomes an *incremental count*, whose value is kept in a slot of
//! the frame. Each part that no step can change is computed once and cached. The rest of the property reads only slots,
//! and is evaluated again when one of them changes.

mod members;
mod aggregate;
mod pairs;

pub(super) use members::{ProcessBinder, process_slot};

use super::{Reads, constant_word};
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Expr, ExprKind as K, Property, PropertyKind, Quantifier, Slot, Type, Value};
use crate::semantics::Eval;
use crate::semantics::eval::{self, Env};
use crate::semantics::machine::readers;
use aggregate::{Aggregate, ProcessExpression};
use members::KnownProcesses;
use pairs::{PROCESSES_MAX, Pairs};
use std::collections::BTreeSet;
use std::ops::Range;

/// A property prepared for incremental checking.
pub(super) struct Prepared {
    /// The binder of `for p`: then the body reads variables of p, besides incremental counts.
    pub each: Option<ProcessBinder>,
    pub body: Expr,
    pub then: Option<Expr>,
    reads: Inputs,
    /// The incremental counts for this property.
    counts: Range<usize>,
    /// Whether the value for some process depends on the variables of others.
    pub relates_processes: bool,
}

/// The incremental counts that an expression reads, by index.
#[derive(Default)]
struct Inputs {
    /// Aggregates over all processes.
    all: Vec<usize>,
    /// Counts over pairs, of which it reads the row of its process.
    rows: Vec<usize>,
    /// Whether it reads variables of the neighbours of its process.
    neighbours: bool,
}

/// The surroundings of an expression that is rewritten, and the counts found in it.
struct Within<'i> {
    instance: &'i Instance,
    /// The process that the expression is evaluated for.
    outer: Option<ProcessBinder>,
    reads: Inputs,
}

impl<'i> Within<'i> {
    fn new(instance: &'i Instance, outer: Option<ProcessBinder>) -> Within<'i> {
        Within { instance, outer, reads: Inputs::default() }
    }

    /// Return what an expression reads.
    fn read_by(&self, e: &Expr) -> Reads {
        Reads::of(e, &self.instance.program)
    }
}

struct IncrementalCount {
    kind: CountKind,
    reads: Inputs,
    /// The slot of the aggregate, or of the row.
    slot: Slot,
    /// Whether the last step changed the aggregate.
    changed: bool,
    /// Evaluation failed for some process: properties that read this count are evaluated as a whole.
    failed: bool,
    /// The work of the last update, in elements visited, and the work that is left for further ones.
    work: u64,
    left: u64,
    /// Whether updates have ended: see [`IncrementalCounts::finish`].
    is_done: bool,
}

enum CountKind {
    Processes(ProcessExpression, Aggregate),
    Pairs(Pairs),
}

/// All incremental counts of a run, and the frame for their values and for cached parts.
pub(super) struct IncrementalCounts {
    /// A count follows those that it reads.
    all: Vec<IncrementalCount>,
    pub words: Vec<i64>,
    pub values: Vec<Value>,
    /// Words and values of the frame before those of counts and cached parts: they are cleared before each use.
    cleared: (usize, usize),
    /// Validity flags of cached parts that change only when a process wakes up: these words are cleared then.
    until_woken: Vec<u16>,
    /// Functions without arguments met in the current property, by their slots, with the counts that they read.
    known: Vec<(Slot, Expr, Vec<usize>)>,
}

impl IncrementalCounts {
    pub fn new(instance: &Instance) -> IncrementalCounts {
        let (words, values) = eval::global_frame(instance);
        let cleared = (words.len(), values.len());
        IncrementalCounts {
            all: Vec::new(),
            cleared,
            words,
            values,
            until_woken: Vec::new(),
            known: Vec::new(),
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

    /// Prepare a property. Return `None` if it relates more than two processes, reads anything besides their
    /// variables, or has several binders and is not an invariant.
    pub fn prepare(&mut self, property: &Property, instance: &Instance) -> Option<Prepared> {
        let first = self.all.len();
        self.known.clear();
        let prepared = self.prepare_from(first, property, instance);
        if prepared.is_none() {
            self.all.truncate(first);
        }
        prepared
    }

    fn prepare_from(&mut self, first: usize, property: &Property, instance: &Instance) -> Option<Prepared> {
        let mut body = property.body.clone();
        let each = match property.binders.as_slice() {
            [] => None,
            [binder] => Some(ProcessBinder::of(binder, instance)?),
            [binder, rest @ ..] if property.kind == PropertyKind::Invariant => {
                let (quantifier, binders) = (Quantifier::Forall, rest.to_vec());
                let kind = K::Quantified { quantifier, binders, with: None, body: Box::new(body.clone()) };
                body = Expr { kind, ..body };
                Some(ProcessBinder::of(binder, instance)?)
            }
            _ => return None,
        };
        let mut within = Within::new(instance, each.clone());
        let body = self.rewrite(&body, &mut within)?;
        let then = match &property.consequent {
            Some(then) => Some(self.rewrite(then, &mut within)?),
            None => None,
        };
        let mut neighbours = false;
        let fits = [Some(&body), then.as_ref()].into_iter().flatten().all(|e| match &each {
            Some(binder) => self.reads_only(e, &[binder.slot], &mut neighbours, instance),
            None => within.read_by(e).depends_only_on_wakes(),
        });
        let reads = Inputs { neighbours, ..within.reads };
        let counts = first..self.all.len();
        let relates = |reads: &Inputs| !reads.rows.is_empty() || reads.neighbours;
        let relates_processes = relates(&reads)
            || self.all[counts.clone()].iter().any(|count| match &count.kind {
                CountKind::Processes(..) => !count.reads.all.is_empty() || relates(&count.reads),
                CountKind::Pairs(_) => true,
            });
        fits.then_some(Prepared { each, body, then, reads, counts, relates_processes })
    }

    /// Return the expression with counts and cached parts in slots.
    fn rewrite(&mut self, e: &Expr, within: &mut Within<'_>) -> Option<Expr> {
        let K::Once { slot, .. } = e.kind else { return self.rewrite_part(e, within) };
        if let Some((_, known, reads)) = self.known.iter().find(|(known, ..)| *known == slot) {
            within.reads.all.extend(reads);
            return Some(known.clone());
        }
        let mut own = Within::new(within.instance, None);
        let rewritten = self.rewrite_part(e, &mut own)?;
        within.reads.all.extend(&own.reads.all);
        self.known.push((slot, rewritten.clone(), own.reads.all));
        Some(rewritten)
    }

    fn rewrite_part(&mut self, e: &Expr, within: &mut Within<'_>) -> Option<Expr> {
        // A count is updated even where `and`, `or` or `implies` would skip it, so a part that is never evaluated must have none.
        if let K::And(x, y) | K::Or(x, y) | K::Implies(x, y) = &e.kind
            && let Some(known) = constant_word(within.instance, x)
        {
            let decides = (known != 0) == matches!(e.kind, K::Or(..));
            return match decides {
                true => Some(Expr { kind: K::Word(i64::from(!matches!(e.kind, K::And(..)))), ..e.clone() }),
                false => self.rewrite(y, within),
            };
        }
        if let Some(member) = self.membership(e, within) {
            return Some(member);
        }
        if let Some(slot) = self.incremental_count(e, within) {
            return Some(Expr { kind: K::Slot(slot), ..e.clone() });
        }
        if e.is_computed() && within.read_by(e).depends_only_on_wakes() && e.is_closed(&|_| false) {
            let (slot, done) = self.slots(&e.ty)?;
            if let (false, Slot::Word(done)) = (within.read_by(e).is_empty(), done) {
                self.until_woken.push(done);
            }
            return Some(Expr { kind: K::Once { slot, done, value: Box::new(e.clone()) }, ..e.clone() });
        }
        let (mut rewritten, mut fits) = (e.clone(), true);
        rewritten.parts_mut(&mut |part| match self.rewrite(part, within) {
            Some(new) => *part = new,
            None => fits = false,
        });
        fits.then_some(rewritten)
    }

    /// Rewrite «some process has x in its collection» as the membership of x in the union of the collections.
    fn membership(&mut self, e: &Expr, within: &mut Within<'_>) -> Option<Expr> {
        let K::Quantified { quantifier: Quantifier::Some, binders, with, body } = &e.kind else {
            return None;
        };
        let ([binder], K::In(x, collection)) = (binders.as_slice(), &body.kind) else { return None };
        let binder = ProcessBinder::of(binder, within.instance)?;
        let own = Slot::Word(binder.slot);
        let element = match &collection.ty {
            Type::Set(element) | Type::List(element) => element,
            _ => return None,
        };
        // If `with` holds for no process, x is not evaluated, so x must not fail; and it must not name the bound process.
        if x.can_fail() || !x.is_closed(&|slot| slot != own) {
            return None;
        }
        let (with, body) = (with.as_deref().cloned(), (**collection).clone());
        let mut neighbours = false;
        let mut fits = |e: &Expr| self.reads_only(e, &[binder.slot], &mut neighbours, within.instance);
        if !fits(&body) || !with.as_ref().is_none_or(fits) {
            return None;
        }
        let x = self.rewrite(x, within)?;
        let ty = Type::Set(element.clone());
        let (slot, _) = self.slots(&ty)?;
        let of = ProcessExpression { binder, with, body };
        let kind = CountKind::Processes(of, Aggregate::elements(true));
        within.reads.all.push(self.add(kind, Inputs { neighbours, ..Inputs::default() }, slot));
        let union = Expr { kind: K::Slot(slot), ty, span: collection.span };
        Some(Expr { kind: K::In(Box::new(x), Box::new(union)), ..e.clone() })
    }

    fn add(&mut self, kind: CountKind, reads: Inputs, slot: Slot) -> usize {
        self.all.push(IncrementalCount {
            kind,
            reads,
            slot,
            changed: false,
            failed: false,
            work: 0,
            left: 0,
            is_done: false,
        });
        self.all.len() - 1
    }

    /// Return the slot of an aggregate over all processes, or of a row of pairs, after adding an incremental count for it.
    fn incremental_count(&mut self, e: &Expr, within: &mut Within<'_>) -> Option<Slot> {
        let (first, known) = (self.all.len(), self.known.len());
        let slot = self.count_from(e, within);
        if slot.is_none() {
            self.all.truncate(first);
            // They read counts that are gone.
            self.known.truncate(known);
        }
        slot
    }

    fn count_from(&mut self, e: &Expr, within: &mut Within<'_>) -> Option<Slot> {
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
        let (binder, rest) = binders.split_first()?;
        let binder = ProcessBinder::of(binder, within.instance)?;
        let slot = binder.slot;
        let (with, body) = match (rest, quantifier, body) {
            ([], _, Some(body)) => (with.as_deref(), (**body).clone()),
            ([], _, None) => {
                (with.as_deref(), Expr { kind: K::Slot(Slot::Word(slot)), ty: Type::Process, span: e.span })
            }
            // Several binders are nested quantifiers.
            (rest, Some(quantifier @ (Quantifier::Forall | Quantifier::Some)), Some(body)) => {
                let (with, body) = (with.clone(), body.clone());
                let kind = K::Quantified { quantifier, binders: rest.to_vec(), with, body };
                (None, Expr { kind, ..e.clone() })
            }
            _ => return None,
        };
        let mut inner = Within::new(within.instance, Some(binder.clone()));
        let body = self.rewrite(&body, &mut inner)?;
        let with = match with {
            Some(with) => Some(self.rewrite(with, &mut inner)?),
            None => None,
        };
        let fits = |names: &[u16], neighbours: &mut bool| {
            let mut asks = |e: &Expr| self.reads_only(e, names, neighbours, within.instance);
            asks(&body) && with.as_ref().is_none_or(asks)
        };
        if fits(&[slot], &mut inner.reads.neighbours) {
            let answers = quantifier.map_or_else(|| Aggregate::elements(false), Aggregate::truths);
            let (aggregate, _) = self.slots(&e.ty)?;
            let of = ProcessExpression { binder, with, body };
            within.reads.all.push(self.add(CountKind::Processes(of, answers), inner.reads, aggregate));
            return Some(aggregate);
        }
        let outer = within.outer.clone()?;
        let are_pairs = inner.reads.rows.is_empty() && within.instance.n() <= PROCESSES_MAX;
        let mut neighbours = false;
        let quantifier =
            quantifier.filter(|_| are_pairs && fits(&[outer.slot, slot], &mut neighbours) && !neighbours)?;
        let (row, _) = self.slots(&e.ty)?;
        let of = ProcessExpression { binder, with, body };
        let kind = CountKind::Pairs(Pairs::new(outer, of, quantifier));
        within.reads.rows.push(self.add(kind, inner.reads, row));
        Some(row)
    }

    /// Whether the value depends on nothing that changes except variables of the processes in these slots and of their neighbours. Set
    /// `neighbours` if it reads any of the latter.
    fn reads_only(&self, e: &Expr, names: &[u16], neighbours: &mut bool, instance: &Instance) -> bool {
        let mut others = Reads::of(e, &instance.program);
        others.slots.iter_mut().for_each(BTreeSet::clear);
        let names: Vec<Slot> = names.iter().map(|slot| Slot::Word(*slot)).collect();
        let is_closed = e.is_closed(&|slot| names.contains(&slot) || self.is_kept(slot));
        let mut known = KnownProcesses::new(names);
        let fits = others.is_empty() && is_closed && known.include(e);
        *neighbours |= known.reads_neighbours;
        fits
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

    /// Evaluate for all processes. `budget`: the work for each count during the run.
    pub fn begin(&mut self, budget: u64, env: &mut Env<'_>) {
        self.all.iter_mut().for_each(|count| count.left = budget);
        self.refresh(None, env);
    }

    /// Evaluate again for the processes whose variables may have changed.
    pub fn update(&mut self, processes: &[ProcessId], env: &mut Env<'_>) {
        self.refresh(Some(processes), env);
    }

    /// Evaluate for these processes; `None`: from the beginning.
    fn refresh(&mut self, processes: Option<&[ProcessId]>, env: &mut Env<'_>) {
        for number in 0..self.all.len() {
            let (before, rest) = self.all.split_at_mut(number);
            let count = &mut rest[0];
            count.is_done &= processes.is_some();
            if processes.is_some() && (count.failed || count.is_done) {
                continue;
            }
            // Properties share slots; cached parts of one property are invalid for the next.
            env.words[..self.cleared.0].fill(0);
            let budget = count.left.min(eval::MAX_GLOBAL_VISITS);
            *env.budget = budget;
            let is_ready = !count.reads.all.iter().chain(&count.reads.rows).any(|read| before[*read].failed);
            count.failed = !is_ready || count.refresh(before, processes, env).is_err();
            count.work = budget - *env.budget;
            count.left -= count.work;
        }
    }

    /// Return whether an aggregate that a property reads has changed.
    pub fn changed(&self, prepared: &Prepared) -> bool {
        prepared.reads.all.iter().any(|count| self.all[*count].changed)
    }

    /// Return the processes whose values of a property may have changed after the variables of `moved` changed. `None`: all processes.
    pub fn affected(
        &self,
        prepared: &Prepared,
        moved: Option<&[ProcessId]>,
        instance: &Instance,
    ) -> Vec<ProcessId> {
        prepared.reads.affected(&self.all, moved, instance)
    }

    /// Write the rows of a process that a property reads to their slots.
    pub fn load_rows(&self, prepared: &Prepared, process: ProcessId, env: &mut Env<'_>) {
        prepared.reads.load_rows(&self.all, process, env);
    }

    pub fn failed(&self, prepared: &Prepared) -> bool {
        self.all[prepared.counts.clone()].iter().any(|count| count.failed)
    }

    /// Return whether the budget of a count for the property has ended.
    pub fn is_exhausted(&self, prepared: &Prepared) -> bool {
        self.all[prepared.counts.clone()].iter().any(|count| count.left == 0)
    }

    /// Return the work of the last update for a property, in elements visited.
    pub fn work(&self, prepared: &Prepared) -> u64 {
        self.all[prepared.counts.clone()].iter().map(|count| count.work).sum()
    }

    /// Stop updating the counts of a property.
    pub fn finish(&mut self, prepared: &Prepared) {
        self.all[prepared.counts.clone()].iter_mut().for_each(|count| {
            (count.is_done, count.work) = (true, 0);
        });
    }

    /// Call `f` with the frame.
    pub fn with_frame<T>(
        &mut self,
        instance: &Instance,
        world: eval::World<'_>,
        f: impl FnOnce(&mut IncrementalCounts, &mut Env<'_>) -> T,
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

impl Inputs {
    /// Return the processes whose values may have changed after the variables of `moved` changed. `None`: all processes.
    fn affected(
        &self,
        counts: &[IncrementalCount],
        moved: Option<&[ProcessId]>,
        instance: &Instance,
    ) -> Vec<ProcessId> {
        let Some(moved) = moved.filter(|_| !self.all.iter().any(|count| counts[*count].changed)) else {
            return instance.processes().collect();
        };
        let rows = self.rows.iter().filter_map(|count| match &counts[*count].kind {
            CountKind::Pairs(pairs) => Some(&pairs.changed),
            CountKind::Processes(..) => None,
        });
        let mut all: Vec<ProcessId> = moved.iter().chain(rows.flatten()).copied().collect();
        if self.neighbours {
            all.extend(moved.iter().flat_map(|process| readers(instance, *process)));
        }
        if all.len() > moved.len() {
            all.sort_unstable();
            all.dedup();
        }
        all
    }

    fn load_rows(&self, counts: &[IncrementalCount], process: ProcessId, env: &mut Env<'_>) {
        for count in &self.rows {
            if let (CountKind::Pairs(pairs), Slot::Word(slot)) = (&counts[*count].kind, counts[*count].slot) {
                env.words[slot as usize] = pairs.row(process);
            }
        }
    }
}

impl IncrementalCount {
    /// Evaluate again where processes moved; `None`: from the beginning. `before`: the counts that it may read.
    fn refresh(
        &mut self,
        before: &[IncrementalCount],
        moved: Option<&[ProcessId]>,
        env: &mut Env<'_>,
    ) -> Eval<()> {
        let IncrementalCount { kind, reads, slot, changed, .. } = self;
        *changed = moved.is_none();
        match kind {
            CountKind::Processes(of, answers) => {
                if moved.is_none() {
                    answers.begin(env.instance.n());
                }
                for process in reads.affected(before, moved, env.instance) {
                    reads.load_rows(before, process, env);
                    env.count_visits(1, of.body.span)?;
                    *changed |= answers.update(of, process, env)?;
                }
                if *changed {
                    answers.store(*slot, env);
                }
            }
            CountKind::Pairs(pairs) => {
                pairs.changed.clear();
                if moved.is_none() {
                    pairs.begin(env.instance.n());
                }
                let affected = reads.affected(before, moved, env.instance);
                let is_whole = affected.len() == env.instance.n() as usize;
                for process in affected {
                    pairs.update_row(process, env)?;
                    if !is_whole {
                        pairs.update_column(process, env)?;
                    }
                }
            }
        }
        Ok(())
    }
}

//! Quantifiers over processes, and expressions about the processes that they bind and about the neighbours of these.

use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Binder, Builtin, Expr, ExprKind as K, Fact, Pattern, ProcessFact, Slot};
use crate::semantics::eval;

/// A binder over a set of processes that never changes.
#[derive(Clone, Debug)]
pub(in crate::property) struct ProcessBinder {
    pub slot: u16,
    /// By process: whether it is in the set. `None`: all are.
    members: Option<Box<[bool]>>,
}

impl ProcessBinder {
    /// Return the binder, or `None` if it does not range over all processes, the participants or a role, or if it destructures its
    /// elements.
    pub fn of(binder: &Binder, instance: &Instance) -> Option<ProcessBinder> {
        let slot = process_slot(binder)?;
        let mut members = None;
        if !matches!(binder.set.kind, K::Fact(Fact::Processes)) {
            let set = eval::with_global_frame(instance, None, |env| eval::value(&binder.set, env)).ok()?;
            let mut all = vec![false; instance.n() as usize];
            eval::elements(&set).for_each(|process| all[process.word() as usize] = true);
            members = Some(all.into());
        }
        Some(ProcessBinder { slot, members })
    }

    pub fn contains(&self, process: ProcessId) -> bool {
        self.members.as_ref().is_none_or(|members| members[process.index()])
    }
}

/// Return the slot of a binder over a set of processes that never changes. `None`: it ranges over something else, or destructures its
/// elements.
pub(in crate::property) fn process_slot(binder: &Binder) -> Option<u16> {
    match (&binder.pattern, &binder.set.kind) {
        (
            Pattern::Slot(Slot::Word(slot)),
            K::Fact(Fact::Processes | Fact::Participants | Fact::RoleProcesses(_)),
        ) => Some(*slot),
        _ => None,
    }
}

/// Slots that hold processes, and what an expression reads of them.
#[derive(Clone, Default)]
pub(super) struct KnownProcesses {
    /// Slots of the processes that the expression is evaluated for.
    pub own: Vec<Slot>,
    /// Slots of neighbours of these.
    neighbours: Vec<Slot>,
    /// Whether a variable of a neighbour is read.
    pub reads_neighbours: bool,
}

/// The relation of a process to those that an expression is evaluated for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Own,
    Neighbour,
}

impl KnownProcesses {
    pub fn new(own: Vec<Slot>) -> KnownProcesses {
        KnownProcesses { own, ..KnownProcesses::default() }
    }

    /// Return whether all variables read belong to these processes or to their neighbours.
    pub fn include(&mut self, e: &Expr) -> bool {
        match &e.kind {
            K::Remote(p, _)
            | K::RemoteState(p, _)
            | K::ProcessFact(ProcessFact::Halted | ProcessFact::Up, p) => {
                let relation = self.relation(p);
                self.reads_neighbours |= relation == Some(Relation::Neighbour);
                // The process may be that at a port, which is computed.
                relation.is_some() && self.include_parts(p)
            }
            K::Let(lets, body) => {
                // All values are evaluated before any is stored.
                let relations: Vec<Option<Relation>> = lets.iter().map(|(_, x)| self.relation(x)).collect();
                lets.iter().all(|(_, x)| self.include(x))
                    && self.within(lets.iter().map(|(slot, _)| *slot).zip(relations), |inner| {
                        inner.include(body)
                    })
            }
            K::Quantified { binders, with, body, .. } => {
                self.include_bound(binders, &[with.as_deref(), Some(&**body)])
            }
            K::Comprehension { binders, condition, element, .. } => {
                self.include_bound(binders, &[condition.as_deref(), element.as_deref()])
            }
            K::Best { binder, with, by, .. } => {
                self.include_bound(std::slice::from_ref(binder), &[with.as_deref(), by.as_deref()])
            }
            _ => self.include_parts(e),
        }
    }

    fn include_parts(&mut self, e: &Expr) -> bool {
        let mut all = true;
        e.parts(&mut |part| all = all && self.include(part));
        all
    }

    /// Include the sets of binders, each of which may name those before it, and expressions in their scope.
    fn include_bound(&mut self, binders: &[Binder], rest: &[Option<&Expr>]) -> bool {
        let Some((binder, others)) = binders.split_first() else {
            return rest.iter().flatten().all(|e| self.include(e));
        };
        let relation = match &binder.set.kind {
            K::ProcessFact(ProcessFact::Neighbours, p) if self.relation(p) == Some(Relation::Own) => {
                Some(Relation::Neighbour)
            }
            _ => None,
        };
        // A part of a neighbour is not one.
        let relation = relation.filter(|_| matches!(binder.pattern, Pattern::Slot(_)));
        let bound = binder.pattern.slots().into_iter().map(|slot| (slot, relation));
        self.include(&binder.set) && self.within(bound, |inner| inner.include_bound(others, rest))
    }

    /// Call `f` with these slots bound to processes of these relations, or to anything else.
    fn within(
        &mut self,
        bound: impl Iterator<Item = (Slot, Option<Relation>)>,
        f: impl FnOnce(&mut KnownProcesses) -> bool,
    ) -> bool {
        let mut inner = self.clone();
        for (slot, relation) in bound {
            inner.own.retain(|own| *own != slot);
            inner.neighbours.retain(|neighbour| *neighbour != slot);
            match relation {
                Some(Relation::Own) => inner.own.push(slot),
                Some(Relation::Neighbour) => inner.neighbours.push(slot),
                None => {}
            }
        }
        let fits = f(&mut inner);
        self.reads_neighbours |= inner.reads_neighbours;
        fits
    }

    /// Return the relation of the process that is the value; `None`: unknown.
    fn relation(&self, e: &Expr) -> Option<Relation> {
        match &e.kind {
            K::Slot(slot) if self.own.contains(slot) => Some(Relation::Own),
            K::Slot(slot) if self.neighbours.contains(slot) => Some(Relation::Neighbour),
            K::Call(Builtin::Across, args) if self.relation(&args[0]) == Some(Relation::Own) => {
                Some(Relation::Neighbour)
            }
            _ => None,
        }
    }
}

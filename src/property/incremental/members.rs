//! Quantifiers over processes, and expressions about the processes that they bind.

use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Binder, Expr, ExprKind as K, Fact, Pattern, ProcessFact, Slot};
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

/// Return whether all variables read belong to the processes in these slots.
pub(super) fn concerns(e: &Expr, names: &mut Vec<Slot>) -> bool {
    let named = |e: &Expr, names: &[Slot]| matches!(&e.kind, K::Slot(slot) if names.contains(slot));
    match &e.kind {
        K::Remote(p, _) | K::RemoteState(p, _) => return named(p, names),
        K::ProcessFact(ProcessFact::Halted | ProcessFact::Up, p) => return named(p, names),
        K::Let(lets, body) => {
            // All values are evaluated before any is stored.
            let names_it: Vec<bool> = lets.iter().map(|(_, x)| named(x, names)).collect();
            if !lets.iter().all(|(_, x)| concerns(x, names)) {
                return false;
            }
            for ((slot, _), names_it) in lets.iter().zip(names_it) {
                names.retain(|name| name != slot);
                if names_it {
                    names.push(*slot);
                }
            }
            return concerns(body, names);
        }
        _ => {}
    }
    let mut all = true;
    e.parts(&mut |part| all = all && concerns(part, names));
    all
}

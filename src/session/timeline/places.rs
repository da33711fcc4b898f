//! Places in the program that a step executes: the head of its action, its statements, the guards that were taken, the states that
//! it enters.

use crate::instance::Instance;
use crate::ir::{Op, Program, Role};
use crate::semantics::Machine;
use crate::semantics::event::{Event, NO_ACTION};
use crate::source::Span;
use std::collections::BTreeSet;

/// Return all places of a program that some step may execute.
pub fn executable_places(program: &Program) -> BTreeSet<Span> {
    let actions = program.actions.iter().map(|action| action.span);
    let guards = program.guards.iter().map(|guard| guard.span);
    let mut all: BTreeSet<Span> = actions.chain(guards).collect();
    for role in &program.roles {
        let operations = role.code.iter().zip(&role.statements);
        all.extend(operations.filter(|(op, _)| is_executed(op)).map(|(_, statement)| *statement));
        all.extend(role.code.iter().filter_map(|op| entered(role, op)));
    }
    // Operations outside statements have no place.
    all.remove(&Span::default());
    all
}

/// Return the places that the last step of a machine executed, in order. A place may occur repeatedly.
pub(super) fn executed(instance: &Instance, event: &Event, machine: &Machine) -> Vec<Span> {
    let program = &instance.program;
    let effects = &machine.effects;
    let actions = [effects.action].into_iter().filter(|action| *action != NO_ACTION);
    let mut places: Vec<Span> = actions.map(|action| program.actions[action as usize].span).collect();
    let role = &program.roles[instance.role_of(event.process)];
    for pc in machine.executed.iter().flatten() {
        let op = &role.code[*pc as usize];
        places.extend(role.statements.get(*pc as usize).filter(|_| is_executed(op)));
        places.extend(entered(role, op));
    }
    places.extend(effects.guards.iter().map(|guard| program.guards[*guard as usize].span));
    places.extend(effects.upcalls.iter().map(|action| program.actions[*action as usize].span));
    places.retain(|place| *place != Span::default());
    places
}

/// Whether an operation does the work of its statement. Arriving at a waiting point does not: its alternatives are actions.
fn is_executed(op: &Op) -> bool {
    !matches!(
        op,
        Op::Jump(_)
            | Op::Wait(_)
            | Op::Clear(_)
            | Op::Finish
            | Op::Return
            | Op::ReturnFrom { .. }
            | Op::Given(_)
            | Op::OnRestart(_)
    )
}

/// Return the state that an operation enters.
fn entered(role: &Role, op: &Op) -> Option<Span> {
    let Op::Become { component, state, .. } = op else { return None };
    Some(role.components.get(*component as usize)?.states.get(*state as usize)?.span)
}

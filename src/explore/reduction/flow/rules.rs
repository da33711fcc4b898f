//! Auxiliary judgements of the rules for views: repeated commands, compatible shapes, small constants.

use crate::explore::reduction::flow::Shape;
use crate::ir::{Expr, ExprKind as K, Op, Pc, Program, Role, Value};
use Shape::{Disregarded, Nothing, Plain};

/// Return for each command whether it may run after the start: whether it is reachable from a waiting point, an operation or
/// the body of a state. With restarts, every command may.
pub(super) fn repeated(program: &Program, role: &Role) -> Vec<bool> {
    if program.assumptions.restarts {
        return vec![true; role.code.len()];
    }
    let after = |calls: &dyn Fn(&Op) -> bool| {
        (1..).zip(&role.code).filter(|(_, op)| calls(op)).map(|(pc, _)| pc).collect::<Vec<Pc>>()
    };
    let mut reached = vec![false; role.code.len()];
    let handlers = role
        .components
        .iter()
        .flat_map(|component| component.states.iter().map(|s| &s.handlers).chain([&component.always]));
    let alternatives = handlers
        .flat_map(|h| &h.alternatives)
        .chain(role.waits.iter().flat_map(|w| &w.alternatives))
        .map(|a| a.entry);
    let operations = role.operations.iter().flatten().map(|entry| entry.pc);
    let mut open: Vec<Pc> = alternatives.chain(operations).chain(role.client).collect();
    while let Some(pc) = open.pop() {
        let Some(known) = reached.get_mut(pc as usize) else { continue };
        if std::mem::replace(known, true) {
            continue;
        }
        match &role.code[pc as usize] {
            Op::Jump(to) => open.push(*to),
            Op::Given(to) => open.extend(*to),
            Op::Unless(_, to) | Op::ForNext(_, _, to) | Op::Gosub(to) | Op::OnRestart(to) => {
                open.extend([pc + 1, *to]);
            }
            Op::Branch(branches) => {
                open.push(pc + 1);
                open.extend(branches.iter().map(|b| b.target));
            }
            Op::Call { entry, .. } => open.extend([pc + 1, *entry]),
            Op::Become { component, state, .. } => {
                let states = &role.components[usize::from(*component)].states;
                open.push(pc + 1);
                open.extend(states.get(*state as usize).and_then(|s| s.body));
            }
            Op::Return => open.extend(after(&|op| matches!(op, Op::Gosub(_)))),
            Op::ReturnFrom { return_slot } => {
                let calls = |op: &Op| matches!(op, Op::Call { return_slot: kept, .. } if kept == return_slot);
                open.extend(after(&calls));
            }
            Op::Wait(_) | Op::Halt | Op::Finish | Op::NoGuard(_) => {}
            Op::Set(..)
            | Op::Assign(..)
            | Op::Remove(..)
            | Op::Send(_)
            | Op::Transmit(_)
            | Op::ForStart(..)
            | Op::Choose(..)
            | Op::SetArbitrary(..)
            | Op::Upcall { .. }
            | Op::Observe { .. }
            | Op::Listen(_)
            | Op::EndRound
            | Op::SetTimer(..)
            | Op::CancelTimer(_)
            | Op::Clear(_) => open.push(pc + 1),
        }
    }
    reached
}

/// Return whether a variable or field of this shape may hold the value.
pub(super) fn fits(place: &Shape, value: &Shape) -> bool {
    *place == Disregarded || !value.has_disregarded() && !place.join(value).is_mixed()
}

/// Explain why it may not.
pub(super) fn reason(place: &Shape, value: &Shape, name: &str) -> String {
    if value.has_disregarded() {
        format!("{name} is assigned a value that depends on a disregarded one, but is not disregarded itself")
    } else if !place.is_marked() {
        format!("{name} is assigned a number of the view, but does not belong to the view")
    } else if !value.is_marked() {
        format!("{name} is assigned a number that does not shift with the others")
    } else {
        format!("{name} is assigned numbers of several views, or of a view and others")
    }
}

/// Return the shape of a constant.
pub(super) fn constant(value: &Value) -> Shape {
    match value {
        Value::None => Nothing,
        Value::List(items) if items.is_empty() => Nothing,
        Value::Set(items) if items.is_empty() => Nothing,
        Value::Map(items) if items.is_empty() => Nothing,
        Value::Tuple(parts) => {
            let parts: Vec<Shape> = parts.iter().map(constant).collect();
            if parts.contains(&Nothing) { Shape::Parts(parts) } else { Plain }
        }
        _ => Plain,
    }
}

/// Greatest constant that may be added to a number of a view. Views keep numbers distinct beyond half the range of 64 bits
/// (`view::take`), so sums with such constants overflow only after more than 2^40 steps.
const SMALL: u64 = 1 << 20;

/// Return whether the expression is a small constant.
pub(super) fn is_small(e: &Expr) -> bool {
    matches!(e.kind, K::Word(number) if number.unsigned_abs() <= SMALL)
}

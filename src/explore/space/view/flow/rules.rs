//! Single questions that the check of views asks: which commands are repeated, what fits where, what may go wrong.

use super::Shape;
use crate::ir::{Arith, Builtin, Expr, ExprKind as K, Op, Pc, Role, Type};
use Shape::{Left, Nothing, Plain};

/// The commands that are done again and again, by place: those that no waiting point, operation or state's body leads to
/// are over when a process has started.
pub(super) fn repeated(role: &Role) -> Vec<bool> {
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
            Op::Wait(_) | Op::Halt | Op::Finish | Op::Return | Op::ReturnFrom { .. } | Op::NoGuard(_) => {}
            _ => open.push(pc + 1),
        }
    }
    reached
}

/// May a place that holds this take that?
pub(super) fn fits(place: &Shape, value: &Shape) -> bool {
    *place == Left || !value.has_left() && !place.or(value).is_mixed()
}

/// Why it may not.
pub(super) fn reason(place: &Shape, value: &Shape, name: &str) -> String {
    if value.has_left() {
        format!("{name} gets what depends on something that is left out, and is not left out itself")
    } else if !place.is_marked() {
        format!("{name} gets a number of the view, and does not stand in the view itself")
    } else if !value.is_marked() {
        format!("{name} gets a number that does not shift with the others")
    } else {
        format!("{name} gets numbers of several views, or such and others")
    }
}

pub(super) fn constant(value: &crate::ir::Value) -> Shape {
    use crate::ir::Value;
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

/// May its evaluation go wrong? Said of everything that is not known to be harmless.
pub(super) fn can_fail(e: &Expr) -> bool {
    let harmless = match &e.kind {
        K::Word(_)
        | K::Const(_)
        | K::Slot(_)
        | K::Param(_)
        | K::Not(_)
        | K::And(..)
        | K::Or(..)
        | K::Implies(..)
        | K::Negate(_)
        | K::Arith(Arith::Add | Arith::Subtract | Arith::Multiply, ..)
        | K::Compare(..)
        | K::CompareValues(..)
        | K::If(..)
        | K::Tuple(_)
        | K::Record(..)
        | K::Set(_)
        | K::List(_)
        | K::In(..)
        | K::Collection(..)
        | K::Remote(..)
        | K::Fact(crate::ir::Fact::Id | crate::ir::Fact::N | crate::ir::Fact::Processes)
        | K::Quantified { .. }
        | K::Call(Builtin::Max | Builtin::Min | Builtin::Size | Builtin::Keys | Builtin::Values, _) => true,
        K::Part(x, _) => matches!(x.ty, Type::Tuple(_) | Type::Record(_)),
        _ => false,
    };
    let mut fails = !harmless;
    e.parts(&mut |part| fails = fails || can_fail(part));
    fails
}

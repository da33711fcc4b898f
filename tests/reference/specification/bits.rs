//! *Properties*: the bits of a message, «those of its content, in a fixed code».

use crate::specification::module::Component;
use crate::specification::network::System;
use crate::specification::value::{Content, Value};
use crate::specification::walk::{expressions, inputs, some_part, some_statement};
use synod::internals::syntax::ast::{
    Expr, ExprKind, Pattern, Stmt, StmtKind, Trigger, TypeExpr, TypeExprKind,
};

/// Return the bits of a message: «The kind takes ⌈log₂ k⌉ bits.»
pub fn of_message(system: &System, content: &Content) -> u64 {
    let declared = system.component(content.component).messages.get(content.name);
    let fields = content.fields.iter().enumerate().map(|(k, value)| {
        let ty = declared.and_then(|params| params.get(k)?.ty.as_ref());
        of_field(system, content.component, value, ty)
    });
    log2(kinds(system)) + fields.sum::<u64>()
}

/// Test whether the text states the types of all fields. A field whose type is inferred may be optional or not.
pub fn are_stated(system: &System) -> bool {
    let messages = || system.program.components.iter().flat_map(|component| component.messages.values());
    messages().flat_map(|fields| fields.iter()).all(|field| field.ty.is_some())
}

/// «In a field of an optional number `none` takes 1 bit and any other value 1 bit more than the number; a field of an optional Bool or
/// enumeration takes 1 bit more than the Bool or case.»
fn of_field(system: &System, component: usize, value: &Value, ty: Option<&TypeExpr>) -> u64 {
    let optional = ty.and_then(|ty| match &ty.kind {
        TypeExprKind::Option(of) => Some(&of.kind),
        _ => None,
    });
    let own = of_value(system, component, value);
    match (optional, value) {
        (Some(TypeExprKind::Name(name)), Value::None) if name.text == "Bool" => 1 + own,
        (Some(TypeExprKind::Name(name)), Value::None) => match cases(system, component, &name.text) {
            Some(cases) => 1 + log2(cases),
            None => own,
        },
        (Some(_), Value::Bool(_) | Value::Int(_) | Value::Id(_) | Value::Port(_) | Value::Case(..)) => {
            1 + own
        }
        _ => own,
    }
}

/// «An Int, identifier or port takes 1 bit and the binary digits of its absolute value (0 has one digit), a Bool 1 bit, and a case of an
/// enumeration of k cases ⌈log₂ k⌉ bits. A collection takes 32 bits and its elements, a text 32 bits and 8 for each byte. Inside tuples,
/// records and collections `none` takes 1 bit, and no other value takes more for being optional. A message inside a value takes the bits of
/// its kind and of its fields.»
fn of_value(system: &System, component: usize, value: &Value) -> u64 {
    let of = |value: &Value| of_value(system, component, value);
    let number = |number: u64| 1 + u64::from(u64::BITS - number.max(1).leading_zeros());
    match value {
        Value::None | Value::Unset | Value::Bool(_) => 1,
        Value::Int(n) | Value::Id(n) => number(n.unsigned_abs()),
        Value::Port(n) | Value::Process(n) | Value::Event(n) => number(*n as u64),
        Value::Case(at, name) => log2(cases_beside(system, component, *at, name)),
        Value::Text(text) => 32 + 8 * text.len() as u64,
        Value::Tuple(parts) => parts.iter().map(of).sum(),
        Value::Record(_, fields) => fields.iter().map(|(_, value)| of(value)).sum(),
        Value::List(elements) => 32 + elements.iter().map(of).sum::<u64>(),
        Value::Set(elements) => 32 + elements.iter().map(of).sum::<u64>(),
        Value::Map(map) => 32 + map.iter().map(|(key, value)| of(key) + of(value)).sum::<u64>(),
        Value::Message(content) => log2(kinds(system)) + content.fields.iter().map(of).sum::<u64>(),
    }
}

/// ⌈log₂ k⌉
fn log2(k: usize) -> u64 {
    u64::from(k.max(1).next_power_of_two().trailing_zeros())
}

/// Return the number of cases of an enumeration, by name.
fn cases(system: &System, component: usize, name: &str) -> Option<usize> {
    let here = system.component(component);
    let all = [here].into_iter().chain(here.partner.map(|problem| system.component(problem)));
    all.flat_map(|component| &component.enums).find(|(of, _)| *of == name).map(|(_, cases)| cases.len())
}

/// Return the number of cases of an enumeration, by one of its cases.
fn cases_beside(system: &System, component: usize, at: usize, name: &str) -> usize {
    let here = system.component(component);
    // *`heard` is `silence`, `success`, or, with `collision detection`, `collision`. With `beeps` it is `silence` or `beep`.*
    if ["silence", "success", "collision", "beep"].contains(&name) && here.assumes("radio") {
        return if here.assumes("collision detection") && !here.assumes("beeps") { 3 } else { 2 };
    }
    let all = [here].into_iter().chain(&system.program.components).flat_map(|component| &component.enums);
    let found = all.map(|(_, cases)| cases).find(|cases| cases.get(at) == Some(&name));
    found.map_or(0, Vec::len)
}

/// «The program has k kinds of messages: those that the algorithm, its layers and its problem declare, and one for the bare values of each
/// of these that sends or receives some.»
fn kinds(system: &System) -> usize {
    // The problem of a layer has only outputs.
    let is_whole = |component: &&Component| !component.is_problem || component.path.is_empty();
    let all = system.program.components.iter().filter(is_whole);
    all.map(|component| component.messages.len() + usize::from(has_bare_values(system, component))).sum()
}

fn has_bare_values(system: &System, component: &Component) -> bool {
    let partner = component.partner.map(|partner| system.component(partner));
    let is_message =
        |name: &str| [Some(component), partner].into_iter().flatten().any(|c| c.messages.contains_key(name));
    let is_bare = |pattern: &Pattern| match crate::specification::module::head(pattern) {
        Some(name) => !is_message(name),
        None => true,
    };
    let sends = |what: &Expr| match &what.kind {
        ExprKind::Name(name) | ExprKind::Call { layer: None, name, .. } => !is_message(&name.text),
        _ => true,
    };
    let receives = |part: &Expr| match &part.kind {
        ExprKind::Arrived { pattern, .. } => is_bare(pattern),
        ExprKind::Name(name) => name.text == "received" && component.messages.is_empty(),
        _ => false,
    };
    let in_statement = |stmt: &Stmt| {
        let sends =
            matches!(&stmt.kind, StmtKind::Send { what, .. } | StmtKind::Transmit(what) if sends(what));
        sends
            || inputs(stmt).into_iter().any(|receive| is_bare(&receive.pattern))
            || expressions(stmt).into_iter().any(|e| some_part(e, &receives))
    };
    let events = crate::specification::messages::EVENTS;
    let takes = |guard: &synod::internals::syntax::ast::MessageGuard| {
        let is_event =
            crate::specification::module::head(&guard.pattern).is_some_and(|name| events.contains(&name));
        guard.layer.is_none() && !is_event && is_bare(&guard.pattern)
    };
    let handled = component.handlers.iter().map(|rule| rule.what).any(|handler| {
        matches!(&handler.trigger, Trigger::On(guard) if takes(guard))
            || some_statement(&handler.body, &in_statement)
    });
    let passed = component.defers.iter().chain(&component.ignores).any(|rule| takes(rule.what));
    let bodies = component.states.iter().map(|state| state.body);
    let bodies = bodies.chain(component.routines.iter().map(|routine| routine.body));
    handled || passed || bodies.into_iter().any(|body| some_statement(body, &in_statement))
}

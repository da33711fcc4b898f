//! *Waiting and choice*, *Handlers*: matching of messages with patterns, and the resulting bindings.

use crate::specification::builtins;
use crate::specification::eval::{Scope, eval, same};
use crate::specification::value::{Content, Failure, Name, Value};
use synod::internals::syntax::ast::{Expr, ExprKind, MessageGuard, Origin, Pattern, Receive};

/// The bindings of a pattern, which take effect if its alternative is taken.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    pub all: Vec<(Target, Value)>,
}

#[derive(Clone, Debug)]
pub enum Target {
    New(Name),
    Variable(Name),
    /// A place such as `v[p]`, with the names that it may mention.
    Place(&'static Expr, Vec<(Name, Value)>),
}

impl Bindings {
    /// *`when` sees what has come.*
    fn names(&self) -> impl Iterator<Item = (Name, Value)> {
        self.all.iter().filter_map(|(target, value)| match target {
            Target::New(name) | Target::Variable(name) => Some((*name, value.clone())),
            Target::Place(..) => None,
        })
    }
}

/// A message and its sender.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<'m> {
    pub content: &'m Content,
    pub sender: &'m Value,
}

/// *`receive M(x, y)` takes a message of that shape. In its pattern a new name is bound, a variable is assigned, `v[k]` is assigned, `_` is
/// passed over.*
pub fn receive(
    receive: &'static Receive,
    when: Option<&'static Expr>,
    incoming: Incoming<'_>,
    scope: &Scope<'_>,
) -> Result<Option<Bindings>, Failure> {
    whole(&receive.pattern, receive.from.as_ref(), when, incoming, scope, false)
}

/// *Names in its pattern are always new*.
pub fn handler(
    guard: &'static MessageGuard,
    incoming: Incoming<'_>,
    scope: &Scope<'_>,
) -> Result<Option<Bindings>, Failure> {
    whole(&guard.pattern, guard.from.as_ref(), guard.when.as_ref(), incoming, scope, true)
}

/// *`arrived M(x) from p when g`: the same with pattern, sender and condition, as in `receive`; it binds the first message that fits. Its
/// names are always new*.
pub fn received(
    pattern: &'static Pattern,
    from: Option<&'static Origin>,
    when: Option<&'static Expr>,
    incoming: Incoming<'_>,
    scope: &Scope<'_>,
) -> Result<Option<Vec<(Name, Value)>>, Failure> {
    Ok(whole(pattern, from, when, incoming, scope, true)?.map(|bindings| bindings.names().collect()))
}

fn whole(
    pattern: &'static Pattern,
    from: Option<&'static Origin>,
    when: Option<&'static Expr>,
    incoming: Incoming<'_>,
    scope: &Scope<'_>,
    new: bool,
) -> Result<Option<Bindings>, Failure> {
    let mut bindings = Bindings::default();
    let mut whom = None;
    // Patterns may mention the sender, as `v[p]` does.
    match from {
        None => {}
        Some(Origin::Each { name, .. }) => {
            bindings.all.push((Target::New(&name.text), incoming.sender.clone()))
        }
        Some(Origin::Whom(e)) => match new_name(e, scope) {
            Some(name) => bindings.all.push((Target::New(name), incoming.sender.clone())),
            None => whom = Some(e),
        },
    }
    if !fits(pattern, incoming.content, &mut bindings, scope, new)? {
        return Ok(None);
    }
    // A message of another shape is not concerned: the sender is evaluated only for messages that match the pattern.
    if let Some(whom) = whom {
        let senders = match eval(whom, scope)?.needed()? {
            one @ (Value::Port(_) | Value::Id(_)) => vec![one],
            several => several.elements()?,
        };
        if !senders.contains(incoming.sender) {
            return Ok(None);
        }
    }
    holds(when, bindings, scope)
}

fn holds(
    when: Option<&'static Expr>,
    bindings: Bindings,
    scope: &Scope<'_>,
) -> Result<Option<Bindings>, Failure> {
    let Some(when) = when else { return Ok(Some(bindings)) };
    let mut inner = scope.clone();
    inner.locals.extend(bindings.names());
    Ok(eval(when, &inner)?.truth()?.then_some(bindings))
}

/// *`from q`: if `q` is new it is bound to the sender; if it means something it says whom the message must come from.*
fn new_name(whom: &'static Expr, scope: &Scope<'_>) -> Option<Name> {
    let ExprKind::Name(name) = &whom.kind else { return None };
    matches!(builtins::name(&name.text, scope), Err(Failure::Unspecified(_))).then_some(&name.text)
}

/// Test whether a message matches a pattern.
fn fits(
    pattern: &'static Pattern,
    content: &Content,
    bindings: &mut Bindings,
    scope: &Scope<'_>,
    new: bool,
) -> Result<bool, Failure> {
    let named = |name: &str| builtins::message_of(name, scope);
    match pattern {
        Pattern::Name(name) if named(&name.text).is_some() => Ok(content.name == name.text),
        Pattern::Message(name, parts, _) if named(&name.text).is_some() => {
            Ok(content.name == name.text && all(parts, &content.fields, bindings, scope, new)?)
        }
        // A bare value.
        pattern if content.name.is_empty() => part(pattern, &content.fields[0], bindings, scope, new),
        _ => Ok(false),
    }
}

fn all(
    parts: &'static [Pattern],
    values: &[Value],
    bindings: &mut Bindings,
    scope: &Scope<'_>,
    new: bool,
) -> Result<bool, Failure> {
    for (pattern, value) in parts.iter().zip(values) {
        if !part(pattern, value, bindings, scope, new)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn part(
    pattern: &'static Pattern,
    value: &Value,
    bindings: &mut Bindings,
    scope: &Scope<'_>,
    new: bool,
) -> Result<bool, Failure> {
    match pattern {
        Pattern::Wildcard(_) => Ok(true),
        Pattern::Name(name) => {
            if let Some(component) = builtins::message_of(&name.text, scope) {
                return Ok(
                    matches!(value, Value::Message(m) if m.component == component && m.name == name.text),
                );
            }
            let is_variable = || {
                let known = |c: usize| scope.system.component(c).variables.iter();
                scope.local(&name.text).is_some()
                    || scope.family().any(|c| known(c).any(|v| v.name == name.text && !v.output))
            };
            let target =
                if new || !is_variable() { Target::New(&name.text) } else { Target::Variable(&name.text) };
            bindings.all.push((target, value.clone()));
            Ok(true)
        }
        Pattern::Message(name, parts, _) => match (value, builtins::message_of(&name.text, scope)) {
            (Value::Message(content), Some(component)) => Ok(content.component == component
                && content.name == name.text
                && all(parts, &content.fields, bindings, scope, new)?),
            _ => Ok(false),
        },
        Pattern::Tuple(parts, _) => match value {
            Value::Tuple(values) if values.len() == parts.len() => all(parts, values, bindings, scope, new),
            _ => Ok(false),
        },
        // *Only this value matches.*
        Pattern::Literal(literal) => same(value, &eval(literal, scope)?, scope),
        Pattern::Place(place) => {
            let names = bindings.names().collect();
            bindings.all.push((Target::Place(place, names), value.clone()));
            Ok(true)
        }
    }
}

/// *Layers: a handler may take fewer arguments.*
pub fn upcall(
    guard: &'static MessageGuard,
    args: &[Value],
    scope: &Scope<'_>,
) -> Result<Option<Bindings>, Failure> {
    let mut bindings = Bindings::default();
    if let Pattern::Message(_, parts, _) = &guard.pattern
        && !all(parts, args, &mut bindings, scope, true)?
    {
        return Ok(None);
    }
    holds(guard.when.as_ref(), bindings, scope)
}

/// Return the names that a pattern and an origin bind.
pub fn names(receive: &'static Receive) -> Vec<&'static str> {
    fn collect(pattern: &'static Pattern, names: &mut Vec<&'static str>) {
        match pattern {
            Pattern::Name(name) => names.push(&name.text),
            Pattern::Message(_, parts, _) | Pattern::Tuple(parts, _) => {
                parts.iter().for_each(|part| collect(part, names));
            }
            Pattern::Wildcard(_) | Pattern::Place(_) | Pattern::Literal(_) => {}
        }
    }
    let mut names = Vec::new();
    collect(&receive.pattern, &mut names);
    match &receive.from {
        Some(Origin::Whom(Expr { kind: ExprKind::Name(name), .. })) => names.push(&name.text),
        Some(Origin::Each { name, .. }) => names.push(&name.text),
        _ => {}
    }
    names
}

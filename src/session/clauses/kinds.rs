//! Identity of clauses: their kinds, the names they declare, the heads of handlers.

use crate::syntax::ast::{Clause, ClauseKind as K, MessageGuard, Name, Pattern, Trigger};

pub(super) fn is_handler(kind: &K) -> bool {
    matches!(kind, K::Handler(_) | K::Defer(_) | K::Ignore(_))
}

pub(super) fn texts(names: &[Name]) -> Vec<String> {
    names.iter().map(|name| name.text.clone()).collect()
}

/// Return the word for a kind of clause; kinds that exclude each other have the same word.
pub(super) fn group(kind: &K) -> &'static str {
    match kind {
        K::Algorithm { .. } => "algorithm",
        K::Problem { .. } => "problem",
        K::Assumes(_) => "assumes",
        K::Uses(_) => "uses",
        K::Message(_) => "message",
        K::Enum { .. } => "enum",
        K::Record { .. } => "record",
        K::Const { .. } => "const",
        K::Param { .. } => "param",
        K::Var { .. } => "var",
        K::Function { .. } => "function",
        K::Procedure { .. } => "procedure",
        K::Operation { .. } => "operation",
        K::Client { .. } => "client",
        K::Role { .. } => "role",
        K::State { .. } => "state",
        K::Always => "always",
        K::Handler(_) => "handler",
        K::Defer(_) => "defer",
        K::Ignore(_) => "ignore",
        K::Stamps { .. } => "stamps notes",
        K::View(_) => "view",
        K::Property(_) => "property",
        K::Scenario(_) => "scenario",
    }
}

/// Return the rank of a clause in the usual order of clauses.
pub(super) fn rank(kind: &K) -> u8 {
    match kind {
        K::Algorithm { .. } | K::Problem { .. } => 0,
        K::Assumes(_) => 1,
        K::Uses(_) | K::Stamps { .. } => 2,
        K::Const { .. } | K::Param { .. } | K::Enum { .. } | K::Record { .. } => 3,
        K::Message(_) => 4,
        K::Var { .. } => 5,
        K::Function { .. } => 6,
        K::Procedure { .. } | K::Operation { .. } | K::Client { .. } => 7,
        K::Role { .. } => SECTIONS,
        K::State { .. } | K::Always | K::Handler(_) | K::Defer(_) | K::Ignore(_) => SECTIONS + 1,
        K::Property(_) | K::View(_) => SECTIONS + 2,
        K::Scenario(_) => SECTIONS + 3,
    }
}

pub(super) const SECTIONS: u8 = 8;

/// Return the names that a clause declares, with their spans.
pub(super) fn names(kind: &K) -> Vec<Name> {
    match kind {
        K::Message(decls) => decls.iter().map(|decl| decl.name.clone()).collect(),
        K::Var { names, .. } | K::State { names, .. } => names.clone(),
        K::Uses(uses) => uses.iter().map(|u| u.name().clone()).collect(),
        K::Enum { name, .. }
        | K::Record { name, .. }
        | K::Const { name, .. }
        | K::Param { name, .. }
        | K::Function { name, .. }
        | K::Procedure { name, .. }
        | K::Operation { name, .. }
        | K::Role { name } => vec![name.clone()],
        K::Property(property) => vec![property.name.clone()],
        K::Scenario(scenario) => vec![scenario.name.clone()],
        // A program has at most one clause of these kinds.
        _ => Vec::new(),
    }
}

/// The head of a handler: handlers of one section with the same head are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The trigger: `on Ack`, `when`, `after`, `ignore Ack`.
    pub(super) about: String,
    /// The text up to `->`, with normalized blanks.
    pub(super) written: String,
}

pub(super) fn head(text: &str, clause: &Clause) -> Head {
    let name = |guard: &MessageGuard| {
        let layer = guard.layer.iter().map(|layer| format!("{}.", layer.text)).collect::<String>();
        match &guard.pattern {
            Pattern::Name(name) | Pattern::Message(name, ..) => format!("{layer}{}", name.text),
            _ => layer,
        }
    };
    let about = match &clause.kind {
        K::Handler(handler) => match &handler.trigger {
            Trigger::On(guard) => format!("on {}", name(guard)),
            Trigger::When(_) | Trigger::WhenSome { .. } => "when".into(),
            Trigger::After(_) => "after".into(),
        },
        K::Defer(guards) => format!("defer {}", guards.iter().map(name).collect::<Vec<_>>().join(", ")),
        K::Ignore(guards) => format!("ignore {}", guards.iter().map(name).collect::<Vec<_>>().join(", ")),
        _ => String::new(),
    };
    let written = &text[clause.span.range()];
    let written = written.split("->").next().unwrap_or(written).split('→').next().unwrap_or(written);
    Head { about, written: written.split_whitespace().collect::<Vec<_>>().join(" ") }
}
